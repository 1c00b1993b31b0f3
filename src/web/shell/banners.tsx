import { config } from '#web/api/config.ts';
import { useConnectionLost } from '#web/api/connection.ts';
import classes from './banners.module.css';
import { ViewingBanner } from './viewing-banner.tsx';

/** What holds for every page. The connection is told politely: what was typed stays, and reads go on by themselves. */
export function Banners() {
  const lost = useConnectionLost();
  return (
    <>
      <ViewingBanner />
      <aside aria-label="Notices">
        {config().demo && <p className={classes.demo}>Demo company: all data here is made up</p>}
        <div role="status" className={classes.connection}>
          {lost && <p className={classes.lost}>The connection is lost. Trying again by itself …</p>}
        </div>
      </aside>
    </>
  );
}
