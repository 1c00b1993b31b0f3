import { formatInstant } from '#core/base/day-words.ts';
import type { ApprovalsTab } from '#core/tasks/tasks-search.ts';
import { config } from '#web/api/config.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { useSprints } from '../shared/queries.ts';
import { waitingTabKeys, waitingTabs } from './order.ts';
import type { Approvals } from './use-approvals.ts';

export function ApprovalsHead({ approvals }: { approvals: Approvals }) {
  const { tab, counts, chooseTab } = approvals;
  return (
    <PageHead
      title={usePageTitle()}
      sentence={useSentence(approvals)}
      expected="8 tasks from 4 people need you before Mon 23 Nov 10:00; 2 overdue"
      actions={<Tabs tab={tab} counts={counts} onChoose={chooseTab} />}
    />
  );
}

/** Null while it is not known yet. */
function useSentence({ inbox, everything }: Approvals): string | null {
  const current = useSprints().find((sprint) => sprint.current);
  // With the boundary from the start: a sentence that grows would push the queue down.
  if (!inbox.data || !current) return null;
  const people = new Set(everything.map(({ task }) => task.userId)).size;
  const overdue = everything.filter((each) => each.overdue).length;
  if (everything.length === 0) return 'Tasks that your people submit or complete appear here.';
  const tasks =
    everything.length === 1
      ? '1 task from 1 person needs'
      : `${everything.length} tasks from ${people} ${people === 1 ? 'person' : 'people'} need`;
  const before = formatInstant(current.endDate, config().companyTimeZone);
  return `${tasks} you before ${before}${overdue > 0 ? `; ${overdue} overdue` : ''}`;
}

type TabsProps = {
  readonly tab: ApprovalsTab;
  readonly counts: Approvals['counts'];
  readonly onChoose: (tab: ApprovalsTab) => void;
};

function Tabs({ tab, counts, onChoose }: TabsProps) {
  const data = [
    ...waitingTabKeys.map((key) => ({ value: key, label: `${waitingTabs[key].title} ${counts[key]}` })),
    { value: 'done' as const, label: 'Done' },
  ];
  return <Segmented label="Tasks" segments={data} value={tab} onChange={onChoose} />;
}

export function NothingWaits({ approvals: { everything, counts } }: { approvals: Approvals }) {
  const current = useSprints().find((sprint) => sprint.current);
  if (everything.length > 0) {
    const other = waitingTabKeys.find((key) => counts[key] > 0);
    return <EmptyState title="All done">{other && `${waitingTabs[other].title}: ${counts[other]}.`}</EmptyState>;
  }
  return (
    <EmptyState title="Nothing waits for you.">
      {current && `Next sprint starts ${formatInstant(current.endDate, config().companyTimeZone)}.`}
    </EmptyState>
  );
}
