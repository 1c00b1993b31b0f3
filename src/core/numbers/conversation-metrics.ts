// Defines customer service's metrics. Used through `metrics.ts`.
import { listWords } from '../base/formats.ts';
import { between, less, type Metric, quotient, rows, sum } from './metric.ts';

/** A conversation with such a status and without a time has ended, on an unknown day. In lower case. */
export const endedStatuses = ['resolved', 'closed', 'solved', 'done', 'completed', 'canceled', 'cancelled'] as const;

/** For people: one spelling is enough. */
export const endedWords = listWords(
  endedStatuses.filter((status) => status !== 'cancelled'),
  'or',
);

const known = (metric: string, lack: string) =>
  ({ known: metric, of: 'conversations', lack, rows: 'conversations' }) as const;
const answers = known('answered', 'No first response');
const ends = known('resolved_known', 'No resolved or closed date');

export const conversationMetrics = {
  conversations: {
    title: 'Opened',
    unit: 'count',
    good: 'none',
    definition: 'Conversations opened in the period',
    formula: sum(rows),
  },
  first_response: {
    title: 'First response, median',
    measures: 'First response',
    unit: 'hours',
    good: 'down',
    definition:
      'Median time from opened to first response. Dates without a time, and conversations answered before they were opened, are left out',
    formula: between(0.5, 'opened_at', 'first_response_at'),
    coverage: answers,
  },
  first_response_p90: {
    title: 'First response, 9 in 10 within',
    measures: 'First response',
    unit: 'hours',
    good: 'down',
    definition: '90% were answered within this time. Dates without a time are left out',
    formula: between(0.9, 'opened_at', 'first_response_at'),
    coverage: answers,
  },
  answered: {
    title: 'Answered',
    unit: 'count',
    good: 'none',
    definition: 'Conversations opened in the period with a first response',
    formula: sum(rows, { first_response_at: 'known' }),
  },
  first_response_left_out: {
    title: 'First response, excluded',
    unit: 'count',
    good: 'none',
    definition: 'Opened or answered on a date without a time, or answered before opening',
    formula: { kind: 'leftOut', of: 'first_response' },
  },
  resolution: {
    title: 'Resolution, median',
    measures: 'Resolution',
    unit: 'hours',
    good: 'down',
    definition:
      'Median time from opened to resolved. Without a resolved date, the closed one counts. Dates without a time, and conversations resolved before they were opened, are left out',
    formula: between(0.5, 'opened_at', 'ended_at'),
    coverage: ends,
  },
  resolution_p90: {
    title: 'Resolution, 9 in 10 within',
    measures: 'Resolution',
    unit: 'hours',
    good: 'down',
    definition: '90% were resolved within this time. Dates without a time are left out',
    formula: between(0.9, 'opened_at', 'ended_at'),
    coverage: ends,
  },
  resolved_known: {
    title: 'Conversations with a resolved or closed date',
    unit: 'count',
    good: 'none',
    definition:
      'Conversations opened in the period and resolved on any day. Without a resolved date, the closed one counts',
    formula: sum(rows, { ended_at: 'known' }),
  },
  resolution_left_out: {
    title: 'Resolution, excluded',
    unit: 'count',
    good: 'none',
    definition: 'Opened or resolved on a date without a time, or resolved before opening',
    formula: { kind: 'leftOut', of: 'resolution' },
  },
  resolved: {
    title: 'Resolved',
    unit: 'count',
    good: 'up',
    definition: 'Conversations resolved in the period. Without a resolved date, the closed one counts',
    formula: { kind: 'sum', of: rows, datedBy: 'ended_at' },
    coverage: ends,
  },
  net_flow: {
    title: 'Net flow',
    unit: 'count',
    good: 'down',
    definition: 'Opened - resolved in the period',
    formula: less('conversations', 'resolved'),
    coverage: ends,
  },
  backlog: {
    title: 'Backlog',
    unit: 'count',
    good: 'down',
    definition:
      'Opened by the end of the day and not yet resolved or closed. If both times are missing, the status decides. Those that ended on an unknown day never count',
    formula: { kind: 'backlog' },
    coverage: { ...known('open_or_dated', 'No resolved or closed date'), evenFew: true, evenNone: true },
  },
  undated_ends: {
    title: 'Ended on an unknown day',
    unit: 'count',
    good: 'none',
    definition:
      'Conversations opened in the period whose status says that they ended, without a resolved or closed date',
    formula: { kind: 'undatedEnds' },
  },
  open_or_dated: {
    title: 'Open or with a resolved or closed date',
    unit: 'count',
    good: 'none',
    definition: 'Opened - ended on an unknown day',
    formula: less('conversations', 'undated_ends'),
  },
  reopened: {
    title: 'Reopened',
    unit: 'count',
    good: 'down',
    definition: 'Conversations that were reopened',
    formula: sum(rows, { reopened: 'positive' }),
  },
  reopened_known: {
    title: 'Conversations with a reopen count',
    unit: 'count',
    good: 'none',
    definition: 'Conversations with a known number of reopenings, including zero',
    formula: sum(rows, { reopened: 'known' }),
  },
  reopened_rate: {
    title: 'Reopened %',
    unit: 'percent',
    good: 'down',
    definition: 'Reopened / conversations with a known number of reopenings',
    formula: quotient('reopened', 'reopened_known'),
    coverage: known('reopened_known', 'Reopenings unknown'),
  },
  sla_known: {
    title: 'Conversations with an SLA result',
    unit: 'count',
    good: 'none',
    definition: 'Conversations with a known SLA result',
    formula: sum(rows, { sla_met: [true, false] }),
  },
  sla_met_count: {
    title: 'SLA met, count',
    unit: 'count',
    good: 'up',
    definition: 'Conversations that met the SLA',
    formula: sum(rows, { sla_met: [true] }),
  },
  sla_met: {
    title: 'SLA met',
    unit: 'percent',
    good: 'up',
    definition: 'SLA met / conversations with a known SLA result',
    formula: quotient('sla_met_count', 'sla_known'),
    coverage: known('sla_known', 'No SLA result'),
  },
  rated: {
    title: 'Ratings',
    unit: 'count',
    good: 'up',
    definition: 'Conversations with a score',
    formula: sum(rows, { satisfaction: [1, 2, 3, 4, 5] }),
  },
  satisfied: {
    title: 'Scores 4 and 5',
    unit: 'count',
    good: 'up',
    definition: 'Conversations with a score of 4 or 5',
    formula: sum(rows, { satisfaction: [4, 5] }),
  },
  satisfaction: {
    title: 'Satisfaction',
    unit: 'percent',
    good: 'up',
    definition: 'Scores 4 and 5 / ratings',
    formula: quotient('satisfied', 'rated'),
    coverage: known('rated', 'No score'),
  },
  response_rate: {
    title: 'Rated %',
    unit: 'percent',
    good: 'up',
    definition: 'Ratings / conversations opened in the period. Unknown if none has a rating',
    formula: { kind: 'quotient', of: 'rated', by: 'conversations', unknownAtZero: true },
    coverage: known('rated', 'No score'),
  },
} as const satisfies Readonly<Record<string, Metric>>;
