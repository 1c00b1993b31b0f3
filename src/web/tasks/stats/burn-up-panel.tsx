import { dayInZone, dayWords, formatInstant, weekdayOf, weekdays } from '#core/base/day-words.ts';
import { capital, countWords, plural } from '#core/base/formats.ts';
import { none } from '#core/base/percent.ts';
import { dayEnds } from '#core/tasks/sprint.ts';
import { config } from '#web/api/config.ts';
import { type TrendLine, TrendLines } from '#web/charts/trend-lines.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { DefinitionCard } from './definition-card.tsx';
import type { BurnUp } from './stats-queries.ts';

export const burnUpTitle = 'Burn-up';

/** How a sprint's approved and completed tasks grew, with the days to come. */
export function BurnUpPanel({ sprint, burnUp }: BurnUp) {
  const zone = config().companyTimeZone;
  const isEmpty = burnUp.every(({ approved }) => approved === 0);
  return (
    <Panel
      title={burnUpTitle}
      note={isEmpty ? undefined : burnUpSentence(burnUp, zone)}
      actions={<DefinitionCard of="burnUp" />}
    >
      {isEmpty ? <NoTasks phase={sprint.phase} /> : <Lines sprint={sprint} burnUp={burnUp} zone={zone} />}
    </Panel>
  );
}

function NoTasks({ phase }: { readonly phase: string }) {
  if (phase === 'future') return <EmptyState title="Not started yet">The chart begins with the sprint.</EmptyState>;
  return phase === 'active' ? (
    <EmptyState title="No approved tasks yet">The chart appears once a task is approved.</EmptyState>
  ) : (
    <EmptyState title="No approved tasks">No task of this sprint was approved.</EmptyState>
  );
}

function Lines({ sprint, burnUp, zone }: BurnUp & { readonly zone: string }) {
  const days = daysOf({ sprint, burnUp }, zone);
  const line = (key: 'completed' | 'approved', look: TrendLine['look']): TrendLine => ({
    ...{ key, look, title: capital(key) },
    values: days.map((_, index) => burnUp[index]?.[key] ?? null),
  });
  return (
    <TrendLines
      title={burnUpTitle}
      of="Day"
      labels={days.map(({ label }) => label)}
      titles={days.map(({ title }) => title)}
      lines={[line('completed', 'main'), line('approved', 'previous')]}
      format={(value) => (value === null ? none : countWords(value))}
    />
  );
}

/** The sprint's start and days, and the time after its end once it has a point. */
function daysOf({ sprint: { phase, startDate, endDate, settledAt }, burnUp }: BurnUp, zone: string) {
  const span = { start: Temporal.Instant.from(startDate), end: Temporal.Instant.from(endDate) };
  const lastKnown = burnUp.length - 1;
  const days = dayEnds(span, zone).map((end, index) => {
    const day = dayInZone(end.subtract({ milliseconds: 1 }), zone);
    const isToday = phase === 'active' && index + 1 === lastKnown;
    const title = isToday
      ? `${weekdayOf(day)} ${dayWords(day)}, so far`
      : end.equals(span.end)
        ? `End, ${formatInstant(endDate, zone)}`
        : `${weekdayOf(day)} ${dayWords(day)}`;
    return { label: `${weekdayOf(day)} ${Temporal.PlainDate.from(day).day}`, title };
  });
  const start = { label: 'Start', title: `Start, ${formatInstant(startDate, zone)}` };
  if (lastKnown <= days.length) return [start, ...days];
  const after = phase === 'settled' ? `Recorded, ${formatInstant(settledAt, zone)}` : 'After the end, so far';
  return [start, ...days, { label: phase === 'settled' ? 'Recorded' : 'Now', title: after }];
}

/** "12 of 18 approved tasks completed, 3 added since Tuesday": since the first day, when most are approved. */
function burnUpSentence(burnUp: BurnUp['burnUp'], zone: string): string {
  const { approved, completed } = burnUp.at(-1)!;
  const sentence = `${countWords(completed)} of ${plural(approved, 'approved task')} completed`;
  const [, firstDay] = burnUp;
  const added = approved - (firstDay?.approved ?? approved);
  if (added === 0) return sentence;
  const day = weekdays[Temporal.PlainDate.from(dayInZone(firstDay!.at, zone)).dayOfWeek - 1];
  return `${sentence}, ${countWords(Math.abs(added))} ${added > 0 ? 'added' : 'removed'} since ${day}`;
}
