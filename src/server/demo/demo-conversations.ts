// Two years of customer conversations: a few categories dominate, and the last days are still open.
import type { NumberRow } from '#server/numbers/number-row.ts';
import {
  type DemoClock,
  type DemoDay,
  demoDaysUpTo,
  hour,
  instantText,
  momentOf,
  pastText,
  rowOf,
  times,
  weighted,
} from './demo-day.ts';

const daily = 4.5;
const channels = [
  ['email', 46],
  ['chat', 34],
  ['phone', 14],
  ['social', 6],
] as const;
const categories = [
  ['Where is my order', 30],
  ['Refund', 19],
  ['Sign-in', 14],
  ['Invoice', 10],
  ['Damaged on arrival', 8],
  ['Cancel subscription', 7],
  ['Wrong item', 5],
  ['Feature question', 4],
  ['Donation receipt', 2],
  ['Other', 1],
] as const;
const priorities = [
  ['normal', 74],
  ['high', 20],
  ['urgent', 6],
] as const;
const teams: Readonly<Record<string, readonly string[]>> = {
  'First line': ['Amara', 'Jonas', 'Priya', 'Tom'],
  Billing: ['Lena', 'Mateo'],
  Returns: ['Chidi', 'Sofia'],
};
const scores = [
  [5, 48],
  [4, 27],
  [3, 11],
  [2, 6],
  [1, 8],
] as const;

/** The promised resolution time in hours by priority. */
const promised: Readonly<Record<string, number>> = { normal: 48, high: 24, urgent: 8 };

function teamFor(category: string): string {
  if (category === 'Refund' || category === 'Invoice' || category === 'Donation receipt') return 'Billing';
  return category === 'Damaged on arrival' || category === 'Wrong item' ? 'Returns' : 'First line';
}

function conversation(clock: DemoClock, day: DemoDay, id: number): NumberRow | null {
  const { random } = clock;
  const opened = momentOf(clock, day);
  if (opened === null) return null;
  const [channel, category, priority] = [
    weighted(random, channels),
    weighted(random, categories),
    weighted(random, priorities),
  ];
  const team = teamFor(category);
  const pace = { email: 3.5, chat: 0.15, phone: 0.05, social: 2 }[channel] * (1.3 - 0.5 * day.progress);
  const answered = opened + (0.02 + random.wait(pace)) * hour;
  const resolving = 0.3 + random.wait({ normal: 26, high: 14, urgent: 5 }[priority]);
  // A few wait for weeks and form the backlog's tail.
  const resolved = answered + resolving * (random.chance(0.04) ? 8 : 1) * hour;
  const resolvedText = pastText(resolved, clock);
  const isRated = resolvedText !== null && random.chance(0.38);
  return rowOf(`C-${id}`, {
    opened_at: instantText(opened),
    first_response_at: pastText(answered, clock),
    resolved_at: resolvedText,
    closed_at: pastText(resolved + 72 * hour, clock),
    channel,
    category,
    priority,
    team,
    assignee: random.pick(teams[team]!),
    status: resolvedText === null ? 'open' : 'resolved',
    reopened: resolvedText !== null && random.chance(0.06) ? 1 : 0,
    sla_met: resolvedText === null ? null : resolved - opened <= promised[priority]! * hour,
    satisfaction: isRated ? weighted(random, scores) : null,
  });
}

export function demoConversations(clock: DemoClock): NumberRow[] {
  let id = 0;
  return demoDaysUpTo(clock).flatMap((day) =>
    Array.from({ length: times(clock.random, daily * day.busy) }, () => conversation(clock, day, ++id)).filter(
      (row) => row !== null,
    ),
  );
}
