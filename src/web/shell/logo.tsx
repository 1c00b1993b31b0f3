import { Link } from '@tanstack/react-router';
import { homePath } from '#core/access/routes.ts';
import { config } from '#web/api/config.ts';
import { Mark } from '#web/ui/mark.tsx';
import classes from './top-bar.module.css';

/** The product's name links home, which has no navigation entry (D34). */
export function Logo() {
  return (
    <Link to={homePath} className={classes.logo}>
      <Mark />
      <span>{config().appName}</span>
    </Link>
  );
}
