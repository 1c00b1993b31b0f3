import { SkeletonRows } from '#web/ui/skeleton.tsx';
import classes from './approvals-page.module.css';

/** The two panes, empty. */
export function InboxSkeleton() {
  return (
    <div className={classes.inbox}>
      <div className={classes.list}>
        <SkeletonRows rows={6} />
      </div>
      <div className={classes.detail}>
        <SkeletonRows rows={3} />
      </div>
    </div>
  );
}
