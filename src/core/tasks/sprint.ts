// Decides when a sprint starts and ends, which state it is in, and what each state allows.
// Asked by the server's sprint rows, the task rules and every page that names a week.
import { type Refusal, refuse } from '../base/refusals.ts';

/** The sprint boundary: Monday 10:00 on the company's wall clock (spec 9, D3). */
export const boundary = { weekday: 1, time: '10:00' } as const;

/** How long a closed sprint settles before its result is recorded, in hours; the default of the setting (D39). */
export const defaultSettlingHours = 48;

/** How many tasks a person is expected to keep in a sprint; the default of the setting (D19). */
export const defaultTaskLimit = 5;

/** Start and end of a sprint. The end belongs to the next one: start <= now < end. */
export type Span = { readonly start: Temporal.Instant; readonly end: Temporal.Instant };

function mondayBoundary(date: Temporal.PlainDate, zone: string): Temporal.ZonedDateTime {
  return date.toZonedDateTime({ timeZone: zone, plainTime: boundary.time });
}

/** The sprint that `now` lies in. Seven calendar days long, which is 165 to 171 hours where clocks change. */
export function sprintAt(now: Temporal.Instant, zone: string): Span {
  const today = now.toZonedDateTimeISO(zone).toPlainDate();
  const monday = today.subtract({ days: today.dayOfWeek - boundary.weekday });
  const start = mondayBoundary(monday, zone);
  const before = Temporal.Instant.compare(now, start.toInstant()) < 0;
  const first = before ? monday.subtract({ days: 7 }) : monday;
  return {
    start: mondayBoundary(first, zone).toInstant(),
    end: mondayBoundary(first.add({ days: 7 }), zone).toInstant(),
  };
}

/** Half a week: whatever a change of the zone moves the boundary by (26 hours at most), this far in lies in the week that is meant. */
const halfWeek = { hours: 84 } as const;

/** The sprint after this one (spec 3: plus 7 days). It starts where this one ends, so that a change of the zone leaves no gap (D4). */
export function sprintAfter(span: Span, zone: string): Span {
  return { start: span.end, end: sprintAt(span.end.add(halfWeek), zone).end };
}

/** The sprint before this one, which ends where this one starts. */
export function sprintBefore(span: Span, zone: string): Span {
  return { start: sprintAt(span.start.subtract(halfWeek), zone).start, end: span.start };
}

/** The name of a sprint: its ISO year and week in the company's zone, "2026 W47". */
export function sprintName(span: Span, zone: string): string {
  const monday = span.start.toZonedDateTimeISO(zone).toPlainDate();
  return `${monday.yearOfWeek} W${String(monday.weekOfYear).padStart(2, '0')}`;
}

/** A sprint's life (D39), told by the clock alone: no job flips a flag. */
export type SprintPhase = 'future' | 'active' | 'settling' | 'settled';

export function sprintPhase(span: Span, now: Temporal.Instant, settlingHours: number): SprintPhase {
  const { compare } = Temporal.Instant;
  if (compare(now, span.start) < 0) return 'future';
  if (compare(now, span.end) < 0) return 'active';
  return compare(now, settledAt(span, settlingHours)) < 0 ? 'settling' : 'settled';
}

/** The instant from which the result of the sprint is recorded and immutable. */
export function settledAt(span: Span, settlingHours: number): Temporal.Instant {
  return span.end.add({ hours: settlingHours });
}

/** The state as the API gives it (`Sprint.state`). */
export type SprintState = 'future' | 'active' | 'closed';

export function sprintState(phase: SprintPhase): SprintState {
  return phase === 'settling' || phase === 'settled' ? 'closed' : phase;
}

/** What can be done with a task of a sprint. `complete` is the owner's move into Completed, `move` every other move. */
export type SprintAct =
  | 'create'
  | 'edit'
  | 'move'
  | 'complete'
  | 'decide'
  | 'withdraw'
  | 'carryOver'
  | 'note'
  | 'attach';

const closed = 'This sprint is closed. Carry the task over to continue';
const settled = 'This sprint’s result is final. Carry the task over to continue';
const running = 'Only unfinished tasks of past sprints can be carried over';

/** What each state of a sprint allows (D39): `true`, or why not. Decisions stay possible for ever and show as corrections. */
export const sprintAllows: Readonly<Record<SprintPhase, Readonly<Record<SprintAct, true | string>>>> = {
  future: {
    create: true,
    edit: true,
    move: true,
    complete: true,
    decide: true,
    withdraw: true,
    carryOver: running,
    note: true,
    attach: true,
  },
  active: {
    create: true,
    edit: true,
    move: true,
    complete: true,
    decide: true,
    withdraw: true,
    carryOver: running,
    note: true,
    attach: true,
  },
  settling: {
    create: 'This sprint is closed. Choose the current or the next one',
    edit: true,
    move: closed,
    complete: true,
    decide: true,
    withdraw: true,
    carryOver: true,
    note: true,
    attach: true,
  },
  settled: {
    create: 'This sprint is closed. Choose the current or the next one',
    edit: settled,
    move: settled,
    complete: settled,
    decide: true,
    withdraw: true,
    carryOver: true,
    note: true,
    attach: settled,
  },
};

/** Null when the sprint's state allows the act, else the refusal with its reason. */
export function sprintRefusal(phase: SprintPhase, act: SprintAct): Refusal | null {
  const answer = sprintAllows[phase][act];
  return answer === true ? null : refuse('SPRINT_DOES_NOT_ALLOW', answer);
}
