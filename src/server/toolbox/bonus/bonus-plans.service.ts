// The versions of the bonus plan: which one applies to a sprint, and how an admin creates the next.

import { decimalText, readDecimal } from '#core/base/decimals.ts';
import { readInput } from '#core/base/inputs.ts';
import { isRefusal, refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import { type BonusPlan, bonusComponentKeys } from '#core/toolbox/bonus.ts';
import { createBonusPlanInput, curvesRefusal, planStartRefusal } from '#core/toolbox/bonus-plans.ts';
import { assertRecentProof } from '#server/access/auth/recent-proof.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import { currentSprint, sprintOrCurrent } from '#server/tasks/sprints/sprints.service.ts';
import * as store from './bonus-plans.store.ts';

export type PlanVersion = BonusPlan & {
  readonly id: string;
  readonly version: number;
  readonly note: string;
  readonly from: { readonly id: string; readonly name: string; readonly startAt: string };
  readonly author: string;
  readonly createdAt: string;
};

/** Versions are created by hand, a few a year. */
const mostVersions = 200;

export function planVersion(row: store.PlanRow): PlanVersion {
  const { sprintId, sprintName, sprintStart, authorFirstName, authorLastName, authorEmail, base, ...plan } = row;
  return {
    ...plan,
    base: BigInt(base),
    from: { id: sprintId, name: sprintName, startAt: sprintStart },
    author: displayName({ firstName: authorFirstName, lastName: authorLastName, email: authorEmail }),
  };
}

/** All versions, newest first. */
export async function planVersions({ database }: Pick<RequestContext, 'database'>): Promise<PlanVersion[]> {
  return (await store.readPlans(database.drizzle, mostVersions)).map(planVersion);
}

export async function planOf(queries: Queries, sprintId: string): Promise<PlanVersion | null> {
  const row = await store.planOfSprint(queries, sprintId);
  return row && planVersion(row);
}

/**
 * Creates the version after the one the caller knows (`after`, 0 for the first). The field declares who can.
 */
export async function createPlan(context: RequestContext, args: object): Promise<PlanVersion> {
  const { after, base, fromSprintId, note = '', ...plan } = orThrow(readInput(createBonusPlanInput, args));
  const wrong = curvesRefusal(plan.components);
  if (wrong) throw new RefusalError(wrong);
  const call = callKey(context, 'createBonusPlan', args);
  const sprint = await sprintOrCurrent(context, fromSprintId);
  const current = await currentSprint(context);
  return context.database.transaction(async (queries) => {
    const made = await findReplay(queries, context, call);
    await store.lockPlanMaking(queries);
    if (made !== null) return planVersion(await store.readPlan(queries, made));
    const [last] = await store.readPlans(queries, 1);
    if ((last?.version ?? 0) !== after) throw new RefusalError(refuse('CONFLICT'));
    const refusal = planStartRefusal(sprint.phase, (await store.planOfSprint(queries, current.id)) !== null);
    if (isRefusal(refusal)) throw new RefusalError(refusal);
    await assertRecentProof(queries, context);
    const id = await store.insertPlan(queries, {
      ...plan,
      base: readDecimal(base) as bigint,
      note,
      fromSprintId,
      version: after + 1,
      createdBy: context.viewer.id,
      createdAt: context.clock.now().toString(),
    });
    await recordResult(queries, context, call, id);
    const version = planVersion(await store.readPlan(queries, id));
    await recordAudit(queries, context, {
      action: 'bonusPlanCreated',
      subjectType: 'bonusPlan',
      subjectId: id,
      ...(last && { before: auditedPlan(planVersion(last)) }),
      after: auditedPlan(version),
    });
    return version;
  });
}

function auditedPlan({ version, base, currency, fairHours, components, from, note }: PlanVersion) {
  const curves = Object.fromEntries(bonusComponentKeys.map((key) => [key, components[key]]));
  return { version, base: decimalText(base), currency, fairHours, components: curves, from: from.name, note };
}
