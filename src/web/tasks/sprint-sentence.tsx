import { formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { timeLeft, useNow } from '#web/ui/age.tsx';
import type { Sprint } from './shared/queries.ts';

/** A sprint in words: its name, both boundaries on the company's clock, and what its phase means now (D3, D39). */
export function SprintSentence({ sprint }: { sprint: Sprint }) {
  const now = useNow();
  const { companyTimeZone: zone } = config();
  const from = formatInstant(sprint.startDate, zone);
  const to = formatInstant(sprint.endDate, zone);
  return (
    <>
      Sprint {sprint.name}, {from} to {to} ({zone}). {phaseInWords(sprint, now, zone)}
    </>
  );
}

function phaseInWords(sprint: Sprint, now: number, zone: string): string {
  const settled = formatInstant(sprint.settledAt, zone);
  switch (sprint.phase) {
    case 'future':
      return `Not started, ${timeLeft(sprint.startDate, now) ?? 'about to start'}`.replace(' left', ' to go');
    case 'active':
      return timeLeft(sprint.endDate, now) ?? 'About to end';
    case 'settling':
      return `Closed. Its result is recorded on ${settled}, ${timeLeft(sprint.settledAt, now) ?? 'about now'}`;
    default:
      return `Closed. Its result was recorded on ${settled}`;
  }
}
