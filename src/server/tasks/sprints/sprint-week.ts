// A sprint's row and the clock: its span, phase and when it settles (D39).
import { type Span, type SprintPhase, settledAt, sprintPhase } from '#core/tasks/sprint.ts';
import { instantText } from '#server/platform/instant-text.ts';
import type { SprintRow } from './sprints.store.ts';

/** A transaction needs a sprint or a record that does not exist yet: update the sprints and run it again. */
export class SprintNotReady extends Error {
  override name = 'SprintNotReady';
}

export type SprintWeek = SprintRow & {
  readonly phase: SprintPhase;
  /** When its result was or will be recorded. */
  readonly settledAt: string;
};

export function spanOf({ startAt, endAt }: Pick<SprintRow, 'startAt' | 'endAt'>): Span {
  return { start: Temporal.Instant.from(startAt), end: Temporal.Instant.from(endAt) };
}

/** A recorded result stays recorded, even if the setting is extended later. */
export function phaseOf(
  row: Pick<SprintRow, 'startAt' | 'endAt' | 'resultAt'>,
  now: Temporal.Instant,
  settlingHours: number,
): SprintPhase {
  return row.resultAt === null ? sprintPhase(spanOf(row), now, settlingHours) : 'settled';
}

type Recorded = Pick<SprintRow, 'startAt' | 'endAt' | 'commitmentAt' | 'resultAt'>;

/**
 * A sprint that ended before any server saw it has no commitment: what was approved at its start is unknown.
 */
export const isCommitmentDue = (sprint: Recorded, now: Temporal.Instant, settlingHours: number): boolean =>
  sprint.commitmentAt === null && sprintPhase(spanOf(sprint), now, settlingHours) === 'active';

export const isResultDue = (sprint: Recorded, now: Temporal.Instant, settlingHours: number): boolean =>
  sprint.resultAt === null && sprintPhase(spanOf(sprint), now, settlingHours) === 'settled';

export function isRecordDue(sprint: Recorded, now: Temporal.Instant, settlingHours: number): boolean {
  return isCommitmentDue(sprint, now, settlingHours) || isResultDue(sprint, now, settlingHours);
}

export function sprintWeek<Row extends SprintRow>(
  row: Row,
  now: Temporal.Instant,
  settlingHours: number,
): Row & SprintWeek {
  return {
    ...row,
    phase: phaseOf(row, now, settlingHours),
    settledAt: row.resultAt ?? instantText(settledAt(spanOf(row), settlingHours)),
  };
}
