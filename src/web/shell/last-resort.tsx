import { homePath } from '#core/access/routes.ts';
import { errorPageTexts } from '#core/base/refusals.ts';
import classes from './last-resort.module.css';

/** When even the error page fails (spec 2): no router, no kit, just a link that reloads everything. */
export function LastResort() {
  return (
    <main className={classes.page}>
      <h1>{errorPageTexts.fallback}</h1>
      <a href={homePath}>{errorPageTexts.fallbackLink}</a>
    </main>
  );
}
