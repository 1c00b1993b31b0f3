import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import classes from './board.module.css';
import { boardColumns } from './columns.ts';

/** The week strip and five columns in gray. */
export function BoardSkeleton() {
  const skeleton = (
    <>
      <div className={classes.stripSkeleton}>
        <SkeletonBlock height={44} />
      </div>
      <div className={classes.board}>
        {boardColumns.map(([status], index) => (
          <div key={status} className={classes.column}>
            <SkeletonBlock width={120} />
            {index < 3 && <SkeletonBlock height={92} />}
            {index % 2 === 0 && <SkeletonBlock height={74} />}
          </div>
        ))}
      </div>
    </>
  );
  return (
    <Loading loading skeleton={skeleton}>
      {null}
    </Loading>
  );
}
