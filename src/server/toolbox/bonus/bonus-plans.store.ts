// SQL of the versions of the bonus plan.
import { sql } from 'drizzle-orm';
import type { BonusPlan } from '#core/toolbox/bonus.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { bonusPlans } from './bonus-tables.ts';

export type PlanRow = Omit<BonusPlan, 'base'> & {
  readonly id: string;
  readonly version: number;
  readonly base: string;
  readonly note: string;
  readonly sprintId: string;
  readonly sprintName: string;
  readonly sprintStart: string;
  readonly authorFirstName: string;
  readonly authorLastName: string;
  readonly authorEmail: string;
  readonly createdAt: string;
};

const select = sql`
  select b.id::text as id, b.version, b.base::text as base, b.currency, b.fair_hours as "fairHours", b.components, b.note,
    f.id::text as "sprintId", f.name as "sprintName", f.start_at as "sprintStart", b.created_at as "createdAt",
    a.first_name as "authorFirstName", a.last_name as "authorLastName", a.email as "authorEmail"
  from bonus_plans b join sprints f on f.id = b.from_sprint_id join people a on a.id = b.created_by`;

/** Newest first. */
export async function readPlans(queries: Queries, most: number): Promise<PlanRow[]> {
  const { rows } = await queries.execute<PlanRow>(sql`${select} order by b.version desc limit ${most}`);
  return rows;
}

/** The version with this id; versions are never deleted. */
export async function readPlan(queries: Queries, id: string): Promise<PlanRow> {
  const { rows } = await queries.execute<PlanRow>(sql`${select} where b.id = ${id}`);
  return rows[0] as PlanRow;
}

/** The version in effect in a sprint: the latest that starts with it or earlier. */
export async function planOfSprint(queries: Queries, sprintId: string): Promise<PlanRow | null> {
  const { rows } = await queries.execute<PlanRow>(sql`
    ${select} where f.start_at <= (select start_at from sprints where id = ${sprintId}) order by b.version desc limit 1`);
  return rows[0] ?? null;
}

/** Locked until the transaction ends, so two versions never get the same number. */
export async function lockPlanMaking(queries: Queries): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext('bonus plans'))`);
}

export type NewPlan = BonusPlan & {
  readonly version: number;
  readonly fromSprintId: string;
  readonly note: string;
  readonly createdBy: string;
  readonly createdAt: string;
};

export async function insertPlan(queries: Queries, { fromSprintId, createdBy, ...plan }: NewPlan): Promise<string> {
  const [row] = await queries
    .insert(bonusPlans)
    .values({ ...plan, fromSprintId: BigInt(fromSprintId), createdBy: BigInt(createdBy) })
    .returning({ id: bonusPlans.id });
  return String(row?.id);
}
