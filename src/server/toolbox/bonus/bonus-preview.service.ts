// What the last settled sprint would have paid under a plan that isn't published yet, from what was recorded.

import { readDecimal } from '#core/base/decimals.ts';
import { readInput } from '#core/base/inputs.ts';
import { type BonusPlan, bonusLines, linesAt, sharesOf, totalOf } from '#core/toolbox/bonus.ts';
import { bonusDraftInput, curvesRefusal } from '#core/toolbox/bonus-plans.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { workCalendar } from '#server/platform/settings/settings.service.ts';
import { lastSettledSprint } from '#server/tasks/sprints/sprints.service.ts';
import { type TaskFactRow, taskFacts } from './bonus-facts.store.ts';
import { byOwner, teamShares } from './bonus-freeze.service.ts';
import { type PlanVersion, planOf } from './bonus-plans.service.ts';
import * as store from './bonus-statements.store.ts';

/** What a sprint pays, and to how many people it pays something. */
export type Payout = { readonly amount: bigint; readonly currency: string; readonly people: number };
export type BonusPreview = {
  readonly sprint: { readonly id: string; readonly name: string; readonly startAt: string; readonly endAt: string };
  /** Null if no plan was in effect. */
  readonly paid: Payout | null;
  readonly wouldPay: Payout;
};

type Equals = { readonly amount: bigint; readonly people: number };

function payout(currency: string, groups: readonly Equals[]): Payout {
  const paid = groups.filter(({ amount }) => amount > 0n);
  return {
    currency,
    amount: paid.reduce((sum, { amount, people }) => sum + amount * BigInt(people), 0n),
    people: paid.reduce((sum, { people }) => sum + people, 0),
  };
}

/** Null before a sprint was settled. The field declares who can ask. */
export async function bonusPreview(context: RequestContext, args: object): Promise<BonusPreview | null> {
  const { base, ...rest } = orThrow(readInput(bonusDraftInput, args));
  const wrong = curvesRefusal(rest.components);
  if (wrong) throw new RefusalError(wrong);
  const draft: BonusPlan = { ...rest, base: readDecimal(base) as bigint };
  const sprint = await lastSettledSprint(context);
  if (sprint === null) return null;
  const { drizzle } = context.database;
  const plan = await planOf(drizzle, sprint.id);
  const recorded = plan === null ? [] : await store.equalStatements(drizzle, sprint.id);
  const isCountedAlike = plan?.fairHours === draft.fairHours;
  const would = isCountedAlike
    ? recorded.map(({ lines, people }) => ({ amount: totalOf(linesAt(draft, sharesOf(lines))), people }))
    : countAgain(draft, await factsOf(context, sprint, plan));
  return {
    sprint,
    paid:
      plan &&
      payout(
        plan.currency,
        recorded.map(({ amount, people }) => ({ amount: BigInt(amount), people })),
      ),
    wouldPay: payout(draft.currency, would),
  };
}

/** Each person's tasks: as recorded, or as they would have been without a plan that recorded them. */
async function factsOf(
  { database, ...context }: RequestContext,
  sprint: { readonly id: string; readonly settledAt: string },
  plan: PlanVersion | null,
): Promise<(readonly TaskFactRow[])[]> {
  if (plan !== null) return store.recordedFacts(database.drizzle, sprint.id);
  const counting = { sprintId: sprint.id, until: sprint.settledAt, ...workCalendar(context) };
  return [...byOwner(await taskFacts(database.drizzle, counting)).values()];
}

/** Other hours with the approver leave out other tasks, also in a team's result. */
function countAgain(draft: BonusPlan, people: readonly (readonly TaskFactRow[])[]): Equals[] {
  const shareOf = teamShares(people, draft.fairHours);
  return people.map((tasks) => ({ amount: totalOf(bonusLines(draft, tasks, shareOf(tasks))), people: 1 }));
}
