import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatInstant } from '#core/base/day-words.ts';
import { countWords, plural } from '#core/base/formats.ts';
import { type ApprovalsTab, approvalsTabs } from '#core/tasks/tasks-search.ts';
import { config } from '#web/api/config.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { type Sprint, useSprints } from '../shared/queries.ts';
import classes from './approvals-page.module.css';
import { type Counts, type WaitingTab, waitingTabKeys, waitingTabs } from './order.ts';
import type { Approvals } from './use-approvals.ts';

export function ApprovalsHead({ approvals }: { approvals: Approvals }) {
  const sentence = useSentence(approvals);
  const link = sittingLink(approvals);
  return (
    <PageHead
      title={usePageTitle()}
      sentence={
        sentence && (
          <>
            {sentence}
            {link && (
              <>
                {'. '}
                <button type="button" className={classes.link} onClick={link.toggle} aria-keyshortcuts="b">
                  {link.name}
                </button>
              </>
            )}
          </>
        )
      }
      expected="8 tasks from 4 people: 2 overdue, 5 due before Mon 23 Nov 10:00, 1 for the next sprint"
      actions={<Tabs {...approvals} />}
    />
  );
}

/** Starts with what is due before the sprint ends, or shows everything again. */
function sittingLink({ sitting: { isOn, due, later, toggle } }: Pick<Approvals, 'sitting'>) {
  if (!isOn && (due === 0 || later === 0)) return null;
  return { name: isOn ? 'Show everything' : 'Show only what’s due', toggle };
}

/** The page's summary: how many tasks are overdue, due in this sprint, and for the next one. */
export function waitingSentence(
  { waiting, overdue, later, people }: Counts & { readonly people: number },
  sprints: readonly Sprint[],
  zone: string,
): string | null {
  const current = sprints.find((sprint) => sprint.current);
  if (!current) return null;
  if (waiting === 0) return 'Tasks that your people submit or complete appear here.';
  const due = waiting - overdue - later;
  const parts = [
    overdue > 0 && `${countWords(overdue)} overdue`,
    due > 0 && `${countWords(due)} due before ${formatInstant(current.endDate, zone)}`,
    later > 0 && `${countWords(later)} for the next sprint`,
  ].filter(Boolean);
  return `${plural(waiting, 'task')} from ${plural(people, 'person', 'people')}: ${parts.join(', ')}`;
}

/** Null until it is known. */
function useSentence({ inbox, isCounted, total, sitting }: Approvals): string | null {
  const sprints = useSprints();
  if (!inbox.isLoaded || !isCounted) return null;
  if (sitting.isOn && sitting.later > 0 && total.waiting === 0)
    return `${plural(sitting.later, 'task')} for the next sprint`;
  return waitingSentence(total, sprints, config().companyTimeZone);
}

type TabsProps = Pick<Approvals, 'tab' | 'isCounted' | 'counts' | 'overdue' | 'chooseTab'>;

function Tabs({ tab, isCounted, counts, overdue, chooseTab }: TabsProps) {
  const countOf = (key: WaitingTab) =>
    ` ${countWords(counts[key])}${overdue[key] > 0 ? `, ${countWords(overdue[key])} overdue` : ''}`;
  const labelOf = (key: WaitingTab) => `${waitingTabs[key].title}${isCounted ? countOf(key) : ''}`;
  const data = [
    ...waitingTabKeys.map((key) => ({ value: key as ApprovalsTab, label: labelOf(key) })),
    { value: 'done' as const, label: approvalsTabs.done },
  ];
  return <Segmented label="Tasks" segments={data} value={tab} onChange={chooseTab} />;
}

export function NothingWaits({ approvals: { total, isCounted, counts, sitting } }: { approvals: Approvals }) {
  const current = useSprints().find((sprint) => sprint.current);
  if (sitting.isOn && sitting.due === 0 && sitting.later > 0 && current) {
    return (
      <EmptyState
        title={`Nothing is due before ${formatInstant(current.endDate, config().companyTimeZone)}`}
        action={<Button onClick={sitting.toggle}>Show everything</Button>}
      >
        {plural(sitting.later, 'task')} for the next sprint {sitting.later === 1 ? 'is' : 'are'} waiting for you.
      </EmptyState>
    );
  }
  if (total.waiting > 0) {
    const other = waitingTabKeys.find((key) => counts[key] > 0);
    return (
      <EmptyState title="Nothing left in this list">
        {other &&
          `Still waiting under ${waitingTabs[other].title}${isCounted ? `: ${countWords(counts[other])}` : ''}.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState title="You’re all caught up">
      {current && `Next sprint starts ${formatInstant(current.endDate, config().companyTimeZone)}.`} Going away?{' '}
      <Link to="/account">Choose a delegate</Link>.
    </EmptyState>
  );
}
