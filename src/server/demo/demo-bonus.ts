// The demo company's bonus: two versions of its plan, all statements, and two questions.
import { sql } from 'drizzle-orm';
import { tenThousandths } from '#core/base/decimals.ts';
import { type BonusComponent, type BonusCurve, defaultFairHours } from '#core/toolbox/bonus.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { insertRows } from '#server/platform/db/insert-rows.ts';
import { freezeStatements } from '#server/toolbox/bonus/bonus-freeze.service.ts';
import { bonusMessages, bonusPlans } from '#server/toolbox/bonus/bonus-tables.ts';
import type { DemoCompany } from './demo-company.ts';
import { pastSprints } from './demo-sprints.ts';

const curve = (weight: number, full: number): BonusCurve => ({ weight, from: 50, full, cap: 120 });
const components = (signedOff: BonusCurve, firstPass: BonusCurve, team: BonusCurve) =>
  ({ signedOff, firstPass, team }) satisfies Record<BonusComponent, BonusCurve>;

/** Each starts with a past sprint, by position. */
const versions = [
  {
    at: 0,
    base: 100n,
    components: components(curve(60, 100), curve(20, 100), curve(20, 100)),
    note: 'The first plan.',
  },
  {
    at: pastSprints - 10,
    base: 120n,
    components: components(curve(50, 90), curve(30, 100), curve(20, 90)),
    note: 'Quality counts more, and nine of ten tasks pay in full.',
  },
] as const;

type Settled = { readonly id: string; readonly resultAt: string };
type Talk = {
  readonly email: string;
  readonly ago: number;
  readonly line: BonusComponent;
  readonly texts: readonly string[];
};

const talks: readonly Talk[] = [
  {
    email: 'staff@demo.test',
    ago: 1,
    line: 'signedOff',
    texts: [
      'I completed the last one on Friday. Why doesn’t it count as signed off?',
      'I signed it off on Wednesday, after the result was final. It shows as a correction. Because it waited on me for more than a working day, it doesn’t count against you.',
    ],
  },
  {
    email: 'top5@demo.test',
    ago: 0,
    line: 'firstPass',
    texts: ['One was sent back over a typo. Does that cost the same as real rework?'],
  },
];

async function insertTalk(
  queries: Queries,
  company: DemoCompany,
  settled: readonly Settled[],
  talk: Talk,
): Promise<void> {
  const person = company.people.find(({ email }) => email === talk.email);
  const sprint = settled.at(-1 - talk.ago);
  const approver = company.people.find(({ id }) => id === person?.approverIds[0]);
  if (!person || !sprint || !approver) return;
  const { rows } = await queries.execute<{ id: string }>(
    sql`select id::text from bonus_statements where person_id = ${person.id} and sprint_id = ${sprint.id}`,
  );
  const [statement] = rows;
  if (!statement) return;
  const authors = [person, approver];
  await insertRows(
    queries,
    bonusMessages,
    talk.texts.map((text, index) => ({
      statementId: statement.id,
      line: talk.line,
      authorId: authors[index]!.id,
      authorName: authors[index]!.name,
      isQuestion: index === 0,
      text,
      at: Temporal.Instant.from(sprint.resultAt)
        .add({ minutes: 20 + index * 95 })
        .toString(),
    })),
  );
}

/** Recorded by the server's own code, sprint by sprint. */
export async function insertDemoBonus(queries: Queries, company: DemoCompany, zone: string): Promise<void> {
  const admin = company.people[0]!;
  const { rows: sprints } = await queries.execute<{ id: string; startAt: string; resultAt: string | null }>(
    sql`select id::text, start_at as "startAt", result_at as "resultAt" from sprints order by start_at`,
  );
  await insertRows(
    queries,
    bonusPlans,
    versions.map(({ at, base, ...plan }, index) => ({
      ...plan,
      version: index + 1,
      fromSprintId: sprints[at]!.id,
      base: String(base * tenThousandths),
      currency: 'USD',
      fairHours: defaultFairHours,
      createdBy: admin.id,
      createdAt: sprints[Math.max(0, at - 1)]!.startAt,
    })),
  );
  // Each sprint reads its tasks' histories, and the planner has no statistics yet.
  await queries.execute(sql`analyze people, sprints, tasks, task_history`);
  const settled = sprints.flatMap(({ id, resultAt }) => (resultAt === null ? [] : [{ id, resultAt }]));
  for (const { id, resultAt } of settled)
    await freezeStatements(queries, { sprintId: id, until: resultAt, zone, holidays: [] });
  for (const talk of talks) await insertTalk(queries, company, settled, talk);
}
