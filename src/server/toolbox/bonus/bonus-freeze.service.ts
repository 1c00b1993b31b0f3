// Writes a sprint's statements in the transaction that records its result, and computes forecasts.

import { decimalText } from '#core/base/decimals.ts';
import {
  addShares,
  type BonusPlan,
  type BonusTask,
  bonusLines,
  type Share,
  signedOffShare,
  totalOf,
} from '#core/toolbox/bonus.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { sharedRead } from '#server/platform/shared-read.ts';
import { type Counting, type TaskFactRow, taskFacts, teamShare } from './bonus-facts.store.ts';
import { planOf } from './bonus-plans.service.ts';
import { insertStatements, type NewStatement } from './bonus-statements.store.ts';

/** A person's result for a sprint, before it is stored. */
export type Reckoned = Pick<NewStatement, 'team' | 'amount' | 'lines' | 'tasks'>;

export const byOwner = (facts: readonly TaskFactRow[]) => Map.groupBy(facts, ({ ownerId }) => ownerId);

/** The signed-off share of a team, or of everyone, without invisible people (D23). */
function shareOfTeam(people: readonly (readonly TaskFactRow[])[], team: string | null, fairHours: number): Share {
  const members = people.filter(([first]) => first && !first.invisible && (team === null || first.team === team));
  return addShares(members.map((tasks) => signedOffShare(tasks, fairHours)));
}

/** Finds the team result of a member's team, each once. */
export function teamShares(people: readonly (readonly TaskFactRow[])[], fairHours: number) {
  const shares = new Map<string | null, Share>();
  return ([first]: readonly TaskFactRow[]): Share => {
    const team = first?.team ?? null;
    const share = shares.get(team) ?? shareOfTeam(people, team, fairHours);
    shares.set(team, share);
    return share;
  };
}

function reckon(plan: BonusPlan, facts: readonly TaskFactRow[], team: Share): Reckoned {
  const tasks = facts.map(({ ownerId: _owner, team: _team, invisible: _invisible, ...task }): BonusTask => task);
  const lines = bonusLines(plan, tasks, team);
  return {
    team: facts[0]?.team ?? null,
    amount: totalOf(lines),
    lines: lines.map((line) => ({ ...line, amount: decimalText(line.amount) })),
    tasks,
  };
}

const batchSize = 1_000;

/** Everyone with tasks in the sprint gets a statement by the plan in effect; without a plan nobody does. */
export async function freezeStatements(queries: Queries, counting: Counting): Promise<void> {
  const { sprintId } = counting;
  const plan = await planOf(queries, sprintId);
  if (plan === null) return;
  const people = [...byOwner(await taskFacts(queries, counting))];
  const shareOf = teamShares(
    people.map(([, facts]) => facts),
    plan.fairHours,
  );
  // In batches: requests are answered between them.
  for (let start = 0; start < people.length; start += batchSize) {
    const statements = people.slice(start, start + batchSize).map(([personId, facts]) => ({
      ...{ sprintId, personId, planId: plan.id },
      ...reckon(plan, facts, shareOf(facts)),
    }));
    await insertStatements(queries, statements);
  }
}

/** The person's statement if it were recorded now; null without tasks. */
export async function forecast(
  queries: Queries,
  plan: BonusPlan,
  personId: string,
  counting: Counting,
): Promise<Reckoned | null> {
  const facts = await taskFacts(queries, counting, personId);
  const [first] = facts;
  if (!first) return null;
  return reckon(plan, facts, await expectedShare(queries, plan, first.team, counting));
}

/** The team's share now, if the plan pays for it. Its members read it together. */
async function expectedShare(queries: Queries, plan: BonusPlan, team: string | null, counting: Counting) {
  const { fairHours, components } = plan;
  if (components.team.weight === 0) return addShares([]);
  const key = JSON.stringify(['team share', counting.sprintId, team, fairHours]);
  return sharedRead(queries, key, () => teamShare(queries, counting, team, fairHours));
}
