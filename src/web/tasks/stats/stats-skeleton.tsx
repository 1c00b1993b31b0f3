import { Panel } from '#web/ui/panel.tsx';
import { SkeletonBlock, SkeletonRows } from '#web/ui/skeleton.tsx';
import cards from './stat-cards.module.css';
import classes from './stats-page.module.css';

/** The stats in their final shape, empty. */
export function StatsSkeleton() {
  return (
    <div className={classes.page}>
      <div className={cards.cards}>
        {['a', 'b', 'c', 'd'].map((key) => (
          <div key={key} className={cards.card}>
            <SkeletonBlock width="60%" height={24} />
            <div className={cards.value}>
              <SkeletonBlock width="40%" height={28} />
            </div>
            <div className={cards.change}>
              <SkeletonBlock width="80%" height={20} />
            </div>
          </div>
        ))}
      </div>
      <div className={classes.charts}>
        <Panel title="% Completed by scope">
          <SkeletonBlock height={252} />
        </Panel>
        <Panel title="Fair clock" flush>
          <SkeletonRows rows={6} />
        </Panel>
      </div>
      <Panel title="Employees" flush>
        <SkeletonRows rows={10} />
      </Panel>
    </div>
  );
}
