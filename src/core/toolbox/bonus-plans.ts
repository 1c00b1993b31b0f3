// Decides who creates a bonus plan and when it takes effect, who sees a statement, and who asks and answers.
// Used by the server and the page.
import * as z from 'zod/mini';
import { inArea, isAdmin, type Viewer } from '../access/access.ts';
import { readDecimal } from '../base/decimals.ts';
import { storable } from '../base/inputs.ts';
import { isHalfUsed } from '../base/limits.ts';
import { type Refusal, refuse } from '../base/refusals.ts';
import type { SprintPhase } from '../tasks/sprint.ts';
import { isDecider, type TaskOwner } from '../tasks/task.ts';
import { getTasksInput, taskIdInput } from '../tasks/task-inputs.ts';
import { type BonusComponent, type BonusCurve, bonusComponentKeys, bonusComponents } from './bonus.ts';

const { taskId: id } = taskIdInput.shape;
const percent = (least: number, most: number) =>
  z.int().check(z.minimum(least, `must be ${least} or more`), z.maximum(most, `must be ${most} or less`));
const curve = z.strictObject({
  weight: percent(0, 100),
  from: percent(0, 99),
  full: percent(1, 100),
  cap: percent(100, 200),
});

export const bonusLimits = {
  note: 500,
  message: 5_000,
  /** A line's questions, and its answers: neither side uses up what the other needs. */
  messages: 50,
} as const;

export const createBonusPlanInput = z.strictObject({
  fromSprintId: id,
  base: z
    .string()
    .check(
      z.refine<string>(
        (text) => (readDecimal(text) ?? 0n) > 0n && (readDecimal(text) ?? 0n) <= 10_000_000_000n,
        'is not an amount above zero and up to a million, with at most four decimals',
      ),
    ),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/, 'must be a currency code like USD')),
  fairHours: percent(1, 168),
  components: z.strictObject({ signedOff: curve, firstPass: curve, team: curve }),
  note: z.optional(z.string().check(z.maxLength(bonusLimits.note, 'is longer than 500 characters'), storable)),
  after: z.int().check(z.nonnegative('must not be negative')),
});
/** A plan that isn't published yet: what it would have paid. */
export const bonusDraftInput = z.pick(createBonusPlanInput, {
  base: true,
  currency: true,
  fairHours: true,
  components: true,
});
export const bonusStatementsInput = z.strictObject({
  userId: z.optional(id),
  limit: getTasksInput.shape.limit,
  offset: getTasksInput.shape.offset,
});
export const bonusWeekInput = z.strictObject({ userId: z.optional(id), sprintId: z.optional(id) });
export const bonusExportInput = z.strictObject({ sprintId: id });
export const bonusMessageInput = z.strictObject({
  statementId: id,
  line: z.enum(bonusComponentKeys as [BonusComponent, ...BonusComponent[]]),
  text: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'must not be blank'),
      z.maxLength(bonusLimits.message, 'is longer than 5000 characters'),
      storable,
    ),
});

/** What is wrong with a plan's numbers, or null. The form checks it on input. */
export function curvesRefusal(components: Readonly<Record<BonusComponent, BonusCurve>>): Refusal | null {
  const sum = bonusComponentKeys.reduce((total, key) => total + components[key].weight, 0);
  if (sum !== 100)
    return refuse('BAD_INPUT', `The weights add up to ${sum}%. They must add up to 100%`, { field: 'components' });
  const crossed = bonusComponentKeys.find((key) => components[key].from >= components[key].full);
  if (crossed === undefined) return null;
  return refuse('BAD_INPUT', `${bonusComponents[crossed].title}: “Pays from” must be lower than “Full at”`, {
    field: `components.${crossed}.from`,
  });
}

/**
 * A running week's rules don't change, so a plan starts with the next sprint. The first one can start with
 * the current.
 */
export function planStartRefusal(phase: SprintPhase, planHoldsNow: boolean): Refusal | null {
  if (phase === 'future' || (phase === 'active' && !planHoldsNow)) return null;
  const message =
    phase === 'active'
      ? 'The current sprint keeps its plan. Start the new one with the next sprint'
      : 'This sprint is over. Start the plan with a later one';
  return refuse('SPRINT_DOES_NOT_ALLOW', message, { field: 'fromSprintId' });
}

/**
 * Amounts are for the person, their deciders, and admins. To everyone else they look as if they didn't exist.
 */
export function canSeeBonusOf(viewer: Viewer, owner: TaskOwner): boolean {
  return viewer.id === owner.id || isAdmin(viewer) || isDecider(inArea(viewer, 'bonus'), owner);
}

export type BonusMessage = { readonly isQuestion: boolean };
export type ThreadState = 'open' | 'answered';

/** Null if nothing was asked. Asking again reopens it. */
export function threadState(messages: readonly BonusMessage[]): ThreadState | null {
  const last = messages.at(-1);
  if (last === undefined) return null;
  return last.isQuestion ? 'open' : 'answered';
}

/** The person asks; their approver or an admin answers. */
export function planMessage(
  viewer: Viewer,
  owner: TaskOwner,
  thread: readonly BonusMessage[],
): { readonly kind: 'message'; readonly isQuestion: boolean; readonly needsProof: boolean } | Refusal {
  if (!canSeeBonusOf(viewer, owner)) return refuse('NOT_FOUND');
  const isQuestion = viewer.id === owner.id;
  if (!isQuestion && thread.length === 0) return refuse('TRANSITION_NOT_ALLOWED', 'Nobody asked about this part');
  const { messages } = bonusLimits;
  const count = thread.filter((message) => message.isQuestion === isQuestion).length;
  if (count >= messages)
    return refuse(
      'TRANSITION_NOT_ALLOWED',
      `A part can have up to ${messages} questions and ${messages} answers. Talk in person`,
    );
  return { kind: 'message', isQuestion, needsProof: isHalfUsed(count, messages) };
}
