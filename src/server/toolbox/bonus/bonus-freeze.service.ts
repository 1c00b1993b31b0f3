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
import { everybody, personAndTeam, type TaskFactRow, taskFacts } from './bonus-facts.store.ts';
import { planOf } from './bonus-plans.service.ts';
import { insertStatements, type NewStatement } from './bonus-statements.store.ts';

/** A person's result for a sprint, before it is stored. */
export type Reckoned = Pick<NewStatement, 'team' | 'amount' | 'lines' | 'tasks'>;

const byTeam = (facts: readonly TaskFactRow[]) => Map.groupBy(facts, ({ ownerId }) => ownerId);

/** The signed-off share of a team, or of everyone, without invisible people (D23). */
function teamShare(people: readonly (readonly TaskFactRow[])[], team: string | null, fairHours: number): Share {
  const members = people.filter(([first]) => first && !first.invisible && (team === null || first.team === team));
  return addShares(members.map((tasks) => signedOffShare(tasks, fairHours)));
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

/** Everyone with tasks in the sprint gets a statement by the plan in effect; without a plan nobody does. */
export async function freezeStatements(queries: Queries, sprintId: string, resultAt: string): Promise<void> {
  const plan = await planOf(queries, sprintId);
  if (plan === null) return;
  const people = [...byTeam(await taskFacts(queries, sprintId, resultAt, everybody))];
  const all = people.map(([, facts]) => facts);
  const shares = new Map<string | null, Share>();
  const shareOf = (team: string | null): Share => {
    const known = shares.get(team) ?? teamShare(all, team, plan.fairHours);
    shares.set(team, known);
    return known;
  };
  const statements = people.map(([personId, facts]) => ({
    ...{ sprintId, personId, planId: plan.id },
    ...reckon(plan, facts, shareOf(facts[0]?.team ?? null)),
  }));
  await insertStatements(queries, statements);
}

/** The person's statement if it were recorded now; null without tasks. */
export async function forecast(
  queries: Queries,
  plan: BonusPlan,
  { sprintId, personId, now }: { readonly sprintId: string; readonly personId: string; readonly now: string },
): Promise<Reckoned | null> {
  const people = byTeam(await taskFacts(queries, sprintId, now, personAndTeam(personId)));
  const own = people.get(personId);
  if (!own) return null;
  return reckon(plan, own, teamShare([...people.values()], own[0]?.team ?? null, plan.fairHours));
}
