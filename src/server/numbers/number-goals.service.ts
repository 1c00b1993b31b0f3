// Monthly goals with their pace: the current value compared with steady progress over the month.

import { decimalText, divideHalfEven, readDecimal, tenThousandths } from '#core/base/decimals.ts';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { metricRefusal, numberGoalsInput, scopeRefusal, setNumberGoalInput } from '#core/numbers/number-request.ts';
import { recordOwnChange, unprovenEdits } from '#server/access/auth/recent-proof.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { openReading } from './number-access.ts';
import { type GoalPlace, type GoalRow, readGoals, saveGoal } from './number-goals.store.ts';
import { numbers } from './numbers.service.ts';

export type NumberGoal = {
  readonly metric: string;
  readonly month: string;
  readonly currency: string | null;
  readonly amount: string;
  readonly actual: string | null;
  readonly elapsedShare: number;
  readonly pace: string | null;
};

type Month = { readonly name: string; readonly start: Temporal.PlainDate; readonly end: Temporal.PlainDate };

function monthOf(name: string): Month {
  const start = Temporal.PlainDate.from(`${name}-01`);
  return { name, start, end: start.add({ months: 1 }) };
}

/** The month's elapsed and total milliseconds in company time. */
function elapsedOf({ start, end }: Month, zone: string, now: Temporal.Instant): { passed: number; all: number } {
  const [from, to] = [start, end].map((day) => day.toZonedDateTime(zone).epochMilliseconds) as [number, number];
  return { passed: Math.min(Math.max(now.epochMilliseconds - from, 0), to - from), all: to - from };
}

function goalOf(
  { metric, currency, amount }: GoalRow,
  month: Month,
  actual: string | null,
  { passed, all }: { passed: number; all: number },
): NumberGoal {
  const goal = BigInt(amount);
  const reached = actual === null ? null : readDecimal(actual);
  const pace =
    reached === null || passed === 0
      ? null
      : divideHalfEven(reached * 100n * tenThousandths * BigInt(all), goal * BigInt(passed));
  return {
    metric,
    month: month.name,
    currency,
    amount: decimalText(goal),
    actual,
    elapsedShare: passed / all,
    pace: pace === null ? null : decimalText(pace),
  };
}

type Place = {
  readonly dataset: DatasetKey;
  readonly scope?: string | undefined;
  readonly currency?: string | undefined;
};

/** Checks access, and chooses the currency like the month's numbers do. */
async function currencyOf(context: RequestContext, place: Place, month: Month): Promise<string | null> {
  const { dataset } = place;
  const [scope, currency] = [place.scope ?? null, place.currency ?? null];
  const refusal = scopeRefusal(dataset, scope);
  if (refusal) throw new RefusalError(refusal);
  const range = { from: month.start, to: month.end };
  const { reading } = await openReading(context, { dataset, scope, currency, range, filters: [], hours: 'clock' });
  return reading.currency;
}

async function goalsOf(
  context: RequestContext,
  place: Place,
  month: Month,
  rows: readonly GoalRow[],
): Promise<NumberGoal[]> {
  if (rows.length === 0) return [];
  const metrics = rows.map(({ metric }) => metric);
  const { totals, zone } = await numbers(context, {
    ...place,
    from: month.start.toString(),
    to: month.end.toString(),
    metrics,
  });
  const elapsed = elapsedOf(month, zone, context.clock.now());
  return rows.map((row, index) => goalOf(row, month, totals[index] ?? null, elapsed));
}

export async function numberGoals(context: RequestContext, args: object): Promise<NumberGoal[]> {
  const { month: name, ...place } = orThrow(readInput(numberGoalsInput, args));
  const month = monthOf(name);
  const currency = await currencyOf(context, place, month);
  const { dataset, scope = null } = place;
  const rows = await readGoals(context.database.drizzle, { dataset, scope, currency, month: month.start.toString() });
  return goalsOf(context, { ...place, currency: currency ?? undefined }, month, rows);
}

/** Twelve months of all products, several times over. */
const mostGoalsPerHour = 500;

/** The field declares who can set goals; access to the number is checked here. */
export async function setNumberGoal(context: RequestContext, args: object): Promise<NumberGoal | null> {
  const { month: name, metric, amount: text, ...place } = orThrow(readInput(setNumberGoalInput, args));
  const { dataset, scope = null } = place;
  const refusal = metricRefusal(dataset, metric, 'metric');
  if (refusal) throw new RefusalError(refusal);
  const month = monthOf(name);
  const currency = await currencyOf(context, place, month);
  const isMoney = metricOf(dataset, metric)?.unit === 'money';
  if (isMoney && currency === null)
    throw new RefusalError(refuse('BAD_INPUT', 'give a currency, because there are no rows', { field: 'currency' }));
  const amount = text === undefined ? null : readDecimal(text);
  const goal = { dataset, scope, metric, currency: isMoney ? currency : null, month: month.start.toString() };
  await context.database.transaction(async (queries) => {
    const at = context.clock.now().toString();
    const { before, changed } = await saveGoal(queries, goal, { amount, by: context.viewer.id, at });
    if (!changed) return;
    const entry = {
      action: 'numberGoalSet',
      subjectType: 'numberGoal',
      subjectId: [dataset, scope, metric, name].filter((part) => part !== null).join(' '),
      before: { amount: before === null ? null : decimalText(BigInt(before)), currency: goal.currency },
      after: { amount: amount === null ? null : decimalText(amount), currency: goal.currency },
    };
    const unproven = before === null ? mostGoalsPerHour / 2 : unprovenEdits;
    await recordOwnChange(queries, context, entry, { mostPerHour: mostGoalsPerHour, unproven });
  });
  if (amount === null) return null;
  const row = { metric, currency: goal.currency, amount: String(amount) };
  const [set] = await goalsOf(context, { ...place, currency: currency ?? undefined }, month, [row]);
  return set ?? null;
}

/** The demo company's goals, without permission checks. */
export async function insertGoals(
  queries: Queries,
  goals: readonly (GoalPlace & { readonly amount: bigint })[],
  { by, at }: { readonly by: string; readonly at: string },
): Promise<void> {
  for (const { amount, ...place } of goals) await saveGoal(queries, place, { amount, by, at });
}
