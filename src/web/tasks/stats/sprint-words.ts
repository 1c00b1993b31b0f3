// How the stats pages name a sprint.
import { dayInZone, daySpan, formatInstant } from '#core/base/day-words.ts';
import type { StatsSprint } from './stats-queries.ts';

/** "2026 W47, 16–23 Nov". */
export function sprintLabel({ name, startDate, endDate }: StatsSprint, zone: string): string {
  return `${name}, ${daySpan(dayInZone(startDate, zone), dayInZone(endDate, zone))}`;
}

/** As long as a running sprint's sentence. */
export const sentenceShape = 'Mon 16 Nov 10:00 to Mon 23 Nov 10:00 (UTC). Current sprint: numbers will change.';

type Shown = Pick<StatsSprint, 'phase' | 'startDate' | 'endDate' | 'settledAt'>;

/** Whether this sprint's numbers can still change, or are recorded. */
export function sprintSentence({ phase, startDate, endDate, settledAt }: Shown, zone: string): string {
  const span = `${formatInstant(startDate, zone)} to ${formatInstant(endDate, zone)} (${zone})`;
  if (phase === 'settled')
    return `${span}. Recorded ${formatInstant(settledAt, zone)}; decisions since then show as corrections.`;
  if (phase === 'settling') return `${span}. Over. The result will be recorded ${formatInstant(settledAt, zone)}.`;
  return phase === 'active' ? `${span}. Current sprint: numbers will change.` : `${span}. Not started yet.`;
}
