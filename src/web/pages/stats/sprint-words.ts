// How the stats pages name a sprint.
import { formatInstant } from '#web/ui/age.tsx';
import type { StatsSprint } from './stats-queries.ts';

const phaseWords: Readonly<Record<string, string>> = {
  future: 'starts next',
  active: 'running',
  settling: 'settling',
  settled: 'settled',
};

const day = (instant: string, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short' }).format(new Date(instant));

/** "2026 W47, 16 to 23 Nov, running". */
export function sprintLabel({ name, startDate, endDate, phase }: StatsSprint, zone: string): string {
  return `${name}, ${day(startDate, zone)} to ${day(endDate, zone)}, ${phaseWords[phase] ?? phase}`;
}

type Shown = Pick<StatsSprint, 'phase' | 'startDate' | 'endDate' | 'settledAt'>;

/** What the numbers of this sprint are: moving still, or recorded. */
export function sprintSentence({ phase, startDate, endDate, settledAt }: Shown, zone: string): string {
  const span = `${formatInstant(startDate, zone)} to ${formatInstant(endDate, zone)} (${zone})`;
  if (phase === 'settled')
    return `${span}. Recorded ${formatInstant(settledAt, zone)}; sign-offs and send-backs since then show as corrections.`;
  if (phase === 'settling') return `${span}. Closed; the result is recorded ${formatInstant(settledAt, zone)}.`;
  return phase === 'active' ? `${span}. Running: these numbers still move.` : `${span}. Not begun yet.`;
}
