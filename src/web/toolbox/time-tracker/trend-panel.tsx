import { useQuery } from '@tanstack/react-query';
import { refusals } from '#core/base/refusals.ts';
import { niceTicks } from '#web/charts/scale.ts';
import { TrendLines } from '#web/charts/trend-lines.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import { sumsQuery } from './time-queries.ts';
import { weekTitle } from './time-words.ts';

const hours = (value: number | null): string => (value === null ? '–' : `${Math.round(value * 10) / 10} h`);

/** Hours of 13 weeks, the running one last. */
export function TrendPanel({ userId, isOwn }: { userId: string; isOwn: boolean }) {
  const sums = useQuery(sumsQuery(userId));
  const { data } = sums;
  const values = (data ?? []).map(({ seconds }) => seconds / 3600);
  return (
    <Panel title={isOwn ? 'My 13 weeks' : '13 weeks'} note="hours a week">
      {sums.isError && !data ? (
        <PanelError
          sentence={sums.error.code === 'NOT_FOUND' ? refusals.NOT_FOUND.message : 'The weeks could not be loaded.'}
          onRetry={() => void sums.refetch()}
          requestId={sums.error.requestId}
        />
      ) : (
        <Loading loading={!data} skeleton={<SkeletonBlock height={260} />}>
          {data && values.every((value) => value === 0) && (
            <EmptyState title="No time in the last 13 weeks">The first hours that are kept show here.</EmptyState>
          )}
          {data && values.some((value) => value > 0) && (
            <div>
              <TrendLines
                title="Hours a week"
                of="Week"
                labels={data.map(({ monday, final }) => `${weekTitle(monday)}${final ? ', final' : ''}`)}
                lines={[{ key: 'hours', title: 'Hours', values }]}
                format={hours}
                ticks={niceTicks(values)}
              />
            </div>
          )}
        </Loading>
      )}
    </Panel>
  );
}
