import { formatInstant } from '#core/day-words.ts';
import { config } from '#web/api/config.ts';
import { CopyField } from '#web/ui/copy-field.tsx';
import classes from './sign-in-link.module.css';
import type { SignInLink } from './users-calls.ts';

/** What became of the link: it went out by mail, or it stands here to be handed over. It is shown this once. */
export function SignInLinkView({ link }: { link: SignInLink | undefined }) {
  if (!link) return null;
  const until = formatInstant(link.expiresAt, config().companyTimeZone);
  if (link.token === null && link.mailedTo === null)
    return (
      <p className={classes.said} role="alert">
        The email couldn't be sent. Try again later, or ask an admin for a link.
      </p>
    );
  if (link.token === null)
    return (
      <p className={classes.said} role="status">
        The link went to {link.mailedTo}. It is good once, until {until}.
      </p>
    );
  return (
    <div className={classes.link} role="status">
      {link.mailFailed && <p>The mail could not be sent. Hand the link over yourself.</p>}
      <CopyField
        label="Link to hand over"
        description={`Good once, until ${until}. It is not shown again.`}
        what="link"
        value={`${location.origin}/#${link.kind}=${link.token}`}
      />
    </div>
  );
}
