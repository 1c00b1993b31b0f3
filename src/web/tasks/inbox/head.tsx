import { formatInstant } from '#core/base/day-words.ts';
import { plural } from '#core/base/formats.ts';
import type { ApprovalsTab } from '#core/tasks/tasks-search.ts';
import { config } from '#web/api/config.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { useNow } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { type Sprint, useSprints } from '../shared/queries.ts';
import classes from './approvals-page.module.css';
import { type Waiting, type WaitingTab, waitingTabKeys, waitingTabs } from './order.ts';
import type { Approvals } from './use-approvals.ts';

export function ApprovalsHead({ approvals }: { approvals: Approvals }) {
  const sentence = useSentence(approvals);
  return (
    <PageHead
      title={usePageTitle()}
      sentence={
        sentence && (
          <>
            {sentence}
            <ShowOverdue {...approvals} />
          </>
        )
      }
      expected="8 tasks from 4 people: 2 overdue, 5 due before Mon 23 Nov 10:00, 1 for the next sprint"
      actions={<Tabs {...approvals} />}
    />
  );
}

type TabsProps = Pick<Approvals, 'tab' | 'counts' | 'overdue' | 'chooseTab'>;

/** Leads to the tab with overdue tasks, if the open one has none. */
function ShowOverdue({ tab, overdue, chooseTab }: TabsProps) {
  const late = waitingTabKeys.filter((key) => overdue[key] > 0);
  const [first] = late;
  if (!first || late.some((key) => key === tab)) return null;
  return (
    <>
      {'. '}
      <button type="button" className={classes.overdue} onClick={() => chooseTab(first)}>
        Show overdue
      </button>
    </>
  );
}

/** The page's summary: how many tasks are overdue, due in this sprint, and for the next one. */
export function waitingSentence(
  waiting: readonly Waiting[],
  sprints: readonly Sprint[],
  now: number,
  zone: string,
): string | null {
  const current = sprints.find((sprint) => sprint.current);
  if (!current) return null;
  if (waiting.length === 0) return 'Tasks that your people submit or complete appear here.';
  const people = new Set(waiting.map(({ task }) => task.userId)).size;
  const startOf = ({ task }: Waiting) => sprints.find(({ id }) => id === task.sprintId)?.startDate ?? '';
  const late = waiting.filter(({ overdue }) => overdue).length;
  const later = waiting.filter((each) => Date.parse(startOf(each)) > now).length;
  const due = waiting.length - late - later;
  const parts = [
    late > 0 && `${late} overdue`,
    due > 0 && `${due} due before ${formatInstant(current.endDate, zone)}`,
    later > 0 && `${later} for the next sprint`,
  ].filter(Boolean);
  return `${plural(waiting.length, 'task')} from ${plural(people, 'person', 'people')}: ${parts.join(', ')}`;
}

/** Null until it is known. */
function useSentence({ inbox, everything }: Approvals): string | null {
  const sprints = useSprints();
  const now = useNow();
  return inbox.data ? waitingSentence(everything, sprints, now, config().companyTimeZone) : null;
}

function Tabs({ tab, counts, overdue, chooseTab }: TabsProps) {
  const labelOf = (key: WaitingTab) =>
    `${waitingTabs[key].title} ${counts[key]}${overdue[key] > 0 ? `, ${overdue[key]} overdue` : ''}`;
  const data = [
    ...waitingTabKeys.map((key) => ({ value: key as ApprovalsTab, label: labelOf(key) })),
    { value: 'done' as const, label: 'Done' },
  ];
  return <Segmented label="Tasks" segments={data} value={tab} onChange={chooseTab} />;
}

export function NothingWaits({ approvals: { everything, counts } }: { approvals: Approvals }) {
  const current = useSprints().find((sprint) => sprint.current);
  if (everything.length > 0) {
    const other = waitingTabKeys.find((key) => counts[key] > 0);
    return (
      <EmptyState title="Nothing left in this list">
        {other && `Still waiting under ${waitingTabs[other].title}: ${counts[other]}.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState title="You’re all caught up">
      {current && `Next sprint starts ${formatInstant(current.endDate, config().companyTimeZone)}.`}
    </EmptyState>
  );
}
