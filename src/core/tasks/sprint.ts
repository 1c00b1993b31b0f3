// Decides when a sprint starts and ends, its phase, and what each phase allows. Used by the server's sprint
// rows, the task rules and every page that names a week.
import { type Refusal, refuse } from '../base/refusals.ts';
import { isWorkingDay, type WorkCalendar, workingDayBefore } from '../base/working-hours.ts';

/** The sprint boundary: Monday 10:00 company time (spec 9, D3). */
export const boundary = { weekday: 1, time: '10:00' } as const;

/** The setting's default: hours that a closed sprint settles before its result is recorded (D39). */
export const defaultSettlingHours = 48;

/** In a sprint's last hours, a new task goes to the next one unless the person chooses otherwise. */
export const planAheadHours = 12;

/** A task that waited longer than this since its sprint started, or past its sprint's end, is overdue. */
export const overdueHours = 48;

/** Whether a sprint is too nearly over to plan for. */
export function endsSoon(end: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(now.add({ hours: planAheadHours }), end) >= 0;
}

/** Whether a task that has waited since then waits too long. What waited before its sprint doesn't count. */
export function isOverdue(since: Temporal.Instant, { start, end }: Span, now: Temporal.Instant): boolean {
  const isBefore = (one: Temporal.Instant, other: Temporal.Instant) => Temporal.Instant.compare(one, other) < 0;
  if (isBefore(now, start)) return false;
  if (isBefore(since, end) && !isBefore(now, end)) return true;
  return isBefore((isBefore(since, start) ? start : since).add({ hours: overdueHours }), now);
}

/** The setting's default: tasks expected per person and sprint (D19). */
export const defaultTaskLimit = 5;

/** A sprint's start and end. The end belongs to the next sprint: start <= now < end. */
export type Span = { readonly start: Temporal.Instant; readonly end: Temporal.Instant };

function boundaryOn(date: Temporal.PlainDate, zone: string): Temporal.ZonedDateTime {
  return date.toZonedDateTime({ timeZone: zone, plainTime: boundary.time });
}

/** The sprint that contains `now`. Seven calendar days, which is 165 to 171 hours when clocks change. */
export function sprintAt(now: Temporal.Instant, zone: string): Span {
  const today = now.toZonedDateTimeISO(zone).toPlainDate();
  const monday = today.subtract({ days: today.dayOfWeek - boundary.weekday });
  const start = boundaryOn(monday, zone);
  const before = Temporal.Instant.compare(now, start.toInstant()) < 0;
  const first = before ? monday.subtract({ days: 7 }) : monday;
  return {
    start: boundaryOn(first, zone).toInstant(),
    end: boundaryOn(first.add({ days: 7 }), zone).toInstant(),
  };
}

/**
 * Half a week: holidays and zone changes move the boundary by less, so this point is always in the intended
 * week.
 */
export const halfWeek = { hours: 84 } as const;

/**
 * The next sprint (spec 3: plus 7 days). It starts where this one ends, so a zone change leaves no gap (D4).
 */
export function sprintAfter(span: Span, zone: string): Span {
  return { start: span.end, end: sprintAt(span.end.add(halfWeek), zone).end };
}

/** The previous sprint, which ends where this one starts. */
export function sprintBefore(span: Span, zone: string): Span {
  return { start: sprintAt(span.start.subtract(halfWeek), zone).start, end: span.start };
}

/** A boundary moves to Wednesday at the latest: half a week after it is in its week, also in another zone. */
const latestWeekday = 3;

/**
 * Where a boundary belongs: at its time on the week's first working day, or on Monday without holidays or
 * without a working day until Wednesday. A boundary at another time or on another day (of an imported sprint,
 * or from before a change of the zone) stays.
 */
export function boundaryFor(at: Temporal.Instant, { zone, holidays }: WorkCalendar): Temporal.Instant {
  const local = at.toZonedDateTimeISO(zone);
  const isBoundary = local.dayOfWeek <= latestWeekday && local.toPlainTime().equals(boundary.time);
  if (!isBoundary) return at;
  const monday = local.toPlainDate().subtract({ days: local.dayOfWeek - boundary.weekday });
  const days = Array.from({ length: latestWeekday }, (_, index) => monday.add({ days: index }));
  const day = days.find((one) => isWorkingDay(one, holidays)) ?? monday;
  return boundaryOn(day, zone).toInstant();
}

/** A sprint's name: its ISO year and week in the company's zone, "2026 W47". */
export function sprintName(span: Span, zone: string): string {
  const monday = span.start.toZonedDateTimeISO(zone).toPlainDate();
  return `${monday.yearOfWeek} W${String(monday.weekOfYear).padStart(2, '0')}`;
}

/** The ends of a sprint's days: each midnight of the zone inside it, then its end. */
export function dayEnds({ start, end }: Span, zone: string): Temporal.Instant[] {
  const ends: Temporal.Instant[] = [];
  let day = start.toZonedDateTimeISO(zone).toPlainDate().add({ days: 1 });
  for (;;) {
    const midnight = day.toZonedDateTime(zone).toInstant();
    if (Temporal.Instant.compare(midnight, end) >= 0) return [...ends, end];
    ends.push(midnight);
    day = day.add({ days: 1 });
  }
}

/** The points of a sprint's burn-up: its start, its days' ends, and the end of settling, up to `now`. */
export function burnUpInstants(span: Span, settled: Temporal.Instant, now: Temporal.Instant, zone: string) {
  const { compare } = Temporal.Instant;
  if (compare(now, span.start) < 0) return [];
  const known = compare(now, settled) < 0 ? now : settled;
  return [span.start, ...dayEnds(span, zone)].filter((at) => compare(at, known) < 0).concat(known);
}

/** A sprint's phases (D39), derived from the clock: no job sets a flag. */
export type SprintPhase = 'future' | 'active' | 'settling' | 'settled';

export function sprintPhase(span: Span, now: Temporal.Instant, settlingHours: number): SprintPhase {
  const { compare } = Temporal.Instant;
  if (compare(now, span.start) < 0) return 'future';
  if (compare(now, span.end) < 0) return 'active';
  return compare(now, settledAt(span, settlingHours)) < 0 ? 'settling' : 'settled';
}

/** When the sprint's result is recorded and becomes immutable. */
export function settledAt(span: Span, settlingHours: number): Temporal.Instant {
  return span.end.add({ hours: settlingHours });
}

/** The state in the API (`Sprint.state`). */
export type SprintState = 'future' | 'active' | 'closed';

export function sprintState(phase: SprintPhase): SprintState {
  return phase === 'settling' || phase === 'settled' ? 'closed' : phase;
}

/**
 * Actions on a sprint's tasks. `complete` is the owner's move to Completed, `move` every other move.
 * `repeat` makes a task repeat that doesn't.
 */
export type SprintAct =
  | 'create'
  | 'edit'
  | 'move'
  | 'complete'
  | 'decide'
  | 'withdraw'
  | 'changeSprint'
  | 'order'
  | 'carryOver'
  | 'leaveUndone'
  | 'recap'
  | 'repeat'
  | 'note'
  | 'attach';

const closed = 'This sprint is over. Unfinished tasks can be carried over';
const settled = 'This sprint’s result is final. You can still add notes, and unfinished tasks can be carried over';
const running = 'Only unfinished tasks of past sprints can be carried over';
/** To its copy in a later sprint, if it ever repeated. */
const passedOn = 'This sprint is over. Repeat a task in the current sprint instead';
const over = 'This sprint is over, so the order of its tasks stays';
const stillOpen = 'Only unfinished tasks of past sprints can be left undone';

/**
 * What each phase allows (D39): `true`, or why not. Decisions stay possible forever and show as corrections.
 */
export const sprintAllows: Readonly<Record<SprintPhase, Readonly<Record<SprintAct, true | string>>>> = {
  future: {
    create: true,
    edit: true,
    move: true,
    complete: true,
    decide: true,
    withdraw: true,
    changeSprint: true,
    order: true,
    carryOver: running,
    leaveUndone: stillOpen,
    recap: 'This sprint hasn’t started yet',
    repeat: true,
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
    changeSprint: true,
    order: true,
    carryOver: running,
    leaveUndone: stillOpen,
    recap: true,
    repeat: true,
    note: true,
    attach: true,
  },
  settling: {
    create: 'This sprint is over. Choose the current or the next one',
    edit: true,
    move: closed,
    complete: true,
    decide: true,
    withdraw: true,
    changeSprint: closed,
    order: over,
    carryOver: true,
    leaveUndone: true,
    recap: true,
    repeat: passedOn,
    note: true,
    attach: true,
  },
  settled: {
    create: 'This sprint is over. Choose the current or the next one',
    edit: settled,
    move: settled,
    complete: settled,
    decide: true,
    withdraw: true,
    changeSprint: closed,
    order: over,
    carryOver: true,
    leaveUndone: true,
    recap: 'This sprint’s result and recap are final',
    repeat: passedOn,
    note: true,
    attach: settled,
  },
};

/** Null if the phase allows the action, else the refusal. */
export function sprintRefusal(phase: SprintPhase, act: SprintAct): Refusal | null {
  const answer = sprintAllows[phase][act];
  return answer === true ? null : refuse('SPRINT_DOES_NOT_ALLOW', answer);
}

type Phased = { readonly phase: string; readonly endDate: string };

/** The sprint that a person closes now: the previous one until it is settled, then the current one. */
export function sprintToClose<Week extends Pick<Phased, 'phase'>>(current: Week, previous: Week | null): Week {
  return previous?.phase === 'settling' ? previous : current;
}

/** Whether to offer closing it: from the last working day before its end until it is settled. */
export function isTimeToClose({ phase, endDate }: Phased, now: Temporal.Instant, calendar: WorkCalendar): boolean {
  if (phase !== 'active') return phase === 'settling';
  const lastDay = workingDayBefore(Temporal.Instant.from(endDate), calendar);
  return Temporal.PlainDate.compare(now.toZonedDateTimeISO(calendar.zone), lastDay) >= 0;
}

type Boundaries = { readonly startDate?: string; readonly endDate: string; readonly settledAt?: string };

/** In milliseconds, almost 25 days: browsers fire a longer timer at once, again and again. */
export const longestTimer = 2 ** 31 - 1;

/**
 * Milliseconds to the next phase change of these sprints, when an open page reads again, but at most
 * `longestTimer`; false without one.
 */
export function untilNextPhase(sprints: readonly Boundaries[], now: number): number | false {
  const ahead = sprints
    .flatMap(({ startDate, endDate, settledAt }) => [startDate, endDate, settledAt])
    .map((instant) => (instant === undefined ? 0 : Temporal.Instant.from(instant).epochMilliseconds - now))
    .filter((left) => left > 0);
  // A second later, when the server's clock is surely past it.
  return ahead.length === 0 ? false : Math.min(Math.min(...ahead) + 1_000, longestTimer);
}
