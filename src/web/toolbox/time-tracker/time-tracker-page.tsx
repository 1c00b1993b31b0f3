import { useQuery } from '@tanstack/react-query';
import { refusals } from '#core/base/refusals.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { TrendLines } from '#web/charts/trend-lines.tsx';
import { useAddress } from '#web/shell/address.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { DecidedPersonSelect } from '#web/tasks/shared/decided-person-select.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import { sumsQuery } from './time-queries.ts';
import classes from './time-tracker.module.css';
import { axisHours, weekTitle } from './time-words.ts';
import { TimePanel } from './timer-panel.tsx';
import { WeekPanel } from './week-panel.tsx';

const sentence = 'Your time on each task. Only you can see your entries.';
const seenByOthers = 'Your approvers, their delegates and admins see only weekly totals.';

/** Shows "Coming Soon" until the setting `timeTracker` is on (D33). */
export default function TimeTrackerPage() {
  return config().timeTracker ? <Tracker /> : <ComingSoon />;
}

function ComingSoon() {
  return (
    <>
      <PageHead title={usePageTitle()} />
      <Panel flush>
        <EmptyState title="Coming Soon">A timer for each task and your week by task and day. {seenByOthers}</EmptyState>
      </Panel>
    </>
  );
}

function Tracker() {
  const viewer = useViewer();
  const [{ person }, change] = useAddress('/top-5/tools/time-tracker');
  const userId = person ?? viewer.id;
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={userId === viewer.id ? `${sentence} ${seenByOthers}` : 'Weekly totals. Entries are private.'}
        actions={
          <DecidedPersonSelect
            own="My own time"
            personId={userId}
            onPerson={(id) => change({ person: id === viewer.id ? null : id })}
          />
        }
      />
      <div className={classes.page}>
        {userId === viewer.id && (
          <>
            <TimePanel />
            <WeekPanel />
          </>
        )}
        <TrendPanel userId={userId} isOwn={userId === viewer.id} />
      </div>
    </>
  );
}

const hours = (value: number | null): string =>
  value === null ? '–' : value > 0 && value < 1 ? `${Math.round(value * 60)} min` : `${Math.round(value * 10) / 10} h`;

/** Hours of 13 weeks, ending with the current one. */
function TrendPanel({ userId, isOwn }: { userId: string; isOwn: boolean }) {
  const sums = useQuery(sumsQuery(userId));
  const { data } = sums;
  const values = (data ?? []).map(({ seconds }) => seconds / 3600);
  return (
    <Panel title={isOwn ? 'My 13 weeks' : '13 weeks'} note="hours per week">
      {sums.isError && !data ? (
        <PanelError
          sentence={sums.error.code === 'NOT_FOUND' ? refusals.NOT_FOUND.message : 'Couldn’t load the weeks.'}
          onRetry={() => void sums.refetch()}
          requestId={sums.error.requestId}
        />
      ) : (
        <Loading loading={!data} skeleton={<SkeletonBlock height={260} />}>
          {data && values.every((value) => value === 0) && (
            <EmptyState title="No time in the last 13 weeks">{isOwn ? 'Your' : 'Their'} hours appear here.</EmptyState>
          )}
          {data && values.some((value) => value > 0) && (
            <div>
              <TrendLines
                title="Hours per week"
                of="Week"
                labels={data.map(({ monday, final }) => `${weekTitle(monday)}${final ? ', final' : ''}`)}
                lines={[{ key: 'hours', title: 'Hours', values }]}
                format={hours}
                ticks={axisHours(values)}
                unfinished={!data.at(-1)?.final}
              />
            </div>
          )}
        </Loading>
      )}
    </Panel>
  );
}
