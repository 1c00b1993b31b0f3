// Which weeks are to be made so that previous, current and next exist (D27). Those that exist keep their instants; a new
// one starts where the one before it ends, whatever zone that was made for (D4).
import { type Span, sprintAfter, sprintAt, sprintBefore } from '#core/tasks/sprint.ts';

const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) < 0;

/** A week that ended less than this long before the current one is its previous one; imported ones need not end at a boundary. */
const halfWeek = { hours: 84 } as const;

/** `existing`, in order of start, holds at least the latest one that started, the latest that ended and those to come. */
export function missingSpans(existing: readonly Span[], now: Temporal.Instant, zone: string): Span[] {
  const made: Span[] = [];
  const make = (span: Span): Span => {
    made.push(span);
    return span;
  };
  const [first] = existing;
  let current = existing.findLast(({ start }) => !isBefore(now, start));
  current ??= make(first ? sprintBefore(first, zone) : sprintAt(now, zone));
  while (isBefore(now, current.start)) current = make(sprintBefore(current, zone));
  while (!isBefore(now, current.end)) current = make(sprintAfter(current, zone));
  const { start, end } = current;
  const all = [...existing, ...made];
  if (!all.some((span) => isBefore(start.subtract(halfWeek), span.end) && !isBefore(now, span.end)))
    make(sprintBefore(current, zone));
  if (!all.some((span) => !isBefore(span.start, end))) make(sprintAfter(current, zone));
  return made.sort((a, b) => Temporal.Instant.compare(a.start, b.start));
}
