import { config } from '#web/api/config.ts';
import { useConnectionLost } from '#web/api/connection.ts';
import classes from './banners.module.css';

export function DemoBanner() {
  return config().demo ? <p className={classes.demo}>Demo company: all data here is made up</p> : null;
}

/** Said once and politely; what was typed stays, and reads go on by themselves. */
export function ConnectionBanner() {
  const lost = useConnectionLost();
  return (
    <div role="status">{lost && <p className={classes.lost}>The connection is lost. Trying again by itself …</p>}</div>
  );
}
