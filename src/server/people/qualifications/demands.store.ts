// SQL of role requirements and their evidence, for assigning roles.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import {
  type Evidence,
  expiringDays,
  lackingStates,
  type QualificationState,
  qualificationStates,
  type Requirement,
} from '#core/people/qualifications.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { exceptedIds } from './exceptions.store.ts';

/** For requirements `q`. A requirement without a role belongs to `admin`, which is no row. */
export const requirementsOfRole = (role: string): SQL =>
  role === adminRole ? sql`q.role_id is null` : sql`q.role_id = (select id from roles where name = ${role})`;

/** The role's current requirements, in the order they were added. */
export async function readDemands(queries: Queries, role: string): Promise<Requirement[]> {
  const { rows } = await queries.execute<Requirement>(sql`
    select q.id::text, q.kind, q.title, q.valid_months as "validMonths" from role_requirements q
    where ${requirementsOfRole(role)} and q.withdrawn_at is null order by q.id`);
  return rows;
}

export type EvidenceOfPerson = Evidence & { readonly personId: string };

/**
 * `evidence` for the requirements `q` of the condition: recorded, or for the guidelines by confirming the
 * current version. Days are in the zone. `concerns`: whose confirmations count for the requirement `d`, by
 * person `p` and role `r`, because everyone confirms but few requirements concern a person.
 */
const evidence = (condition: SQL, zone: string, concerns?: SQL): SQL => sql`
  demanded as (
    select q.id, q.kind, q.role_id, q.valid_months from role_requirements q where ${condition} and q.withdrawn_at is null),
  evidence as (
    select e.requirement_id, e.person_id, e.day, e.good_until
      from role_evidence e join demanded d on d.id = e.requirement_id where e.withdrawn_at is null
    union all
    select d.id, c.person_id, (c.confirmed_at at time zone ${zone})::date, null
      from current_guideline_confirmations c ${concerns ? sql`join people p on p.id = c.person_id left join roles r on r.name = p.role` : sql``}
        join demanded d on d.kind = 'guideline' and ${concerns ?? sql`true`})`;

/** The evidence of these people. */
export async function readEvidenceFor(
  queries: Queries,
  {
    condition,
    personIds,
    zone,
  }: { readonly condition: SQL; readonly personIds: readonly string[]; readonly zone: string },
): Promise<EvidenceOfPerson[]> {
  const { rows } = await queries.execute<EvidenceOfPerson>(sql`
    with ${evidence(condition, zone)}
    select requirement_id::text as "requirementId", person_id::text as "personId", day, good_until as "goodUntil"
    from evidence where person_id = any(${sql.param([...personIds])}::bigint[])`);
  return rows;
}

export type Day = { readonly today: string; readonly zone: string };

const textsOf = (values: readonly string[]): SQL => sql`${sql.param([...values])}::text[]`;
const states = textsOf(qualificationStates);
const stateOfStanding = sql`coalesce(s.state, 'missing')`;

/**
 * `overall`: each enabled person `p` with a role `r`, their state by `standingOf` and `overallState` of the
 * core, and what they lack. `concerns`: whether the requirement `d` is asked of the person; of everyone by
 * default.
 */
const overall = (condition: SQL, { today, zone }: Day, concerns?: SQL): SQL => sql`
  ${evidence(condition, zone, concerns)},
  standing as (
    select e.requirement_id, e.person_id, case
        when bool_or(e.last_day is null) then 'met' when max(e.last_day) < ${today}::date then 'expired'
        when max(e.last_day) <= ${today}::date + ${expiringDays}::int then 'expiring' else 'met' end as state
    from (
      select e.requirement_id, e.person_id, coalesce(e.good_until, (e.day + make_interval(months => d.valid_months))::date) as last_day
      from evidence e join demanded d on d.id = e.requirement_id where e.day <= ${today}::date) e
    group by e.requirement_id, e.person_id),
  overall as (
    select p.id, p.role, coalesce((${states})[
      min(array_position(${states}, ${stateOfStanding})) filter (where d.id is not null)], 'met') as state,
      array_agg(d.id) filter (where d.id is not null and ${stateOfStanding} = any(${textsOf(lackingStates)})) as lacking
    from people p left join roles r on r.name = p.role left join demanded d on ${concerns ?? sql`true`}
      left join standing s on s.requirement_id = d.id and s.person_id = p.id
    where p.disabled_at is null group by p.id)`;

/** `excepted`: who of `overall` has their own role by an exception for all that they lack. */
const excepted = (zone: string, isOwnRole: SQL): SQL => sql`
  excepted as (${exceptedIds(sql`select id::text, lacking as requirements from overall where lacking is not null and ${isOwnRole}`, zone)})`;

export type StateFilter = {
  readonly states: readonly QualificationState[];
  /** Only who has the role by an exception for all that they lack, or only others. */
  readonly excepted?: boolean | undefined;
};

/** The ids of the enabled people who are in one of these states for the role. */
export function idsInStates(role: string, { states: wanted, excepted: isExcepted }: StateFilter, day: Day): SQL {
  const people = overall(requirementsOfRole(role), day);
  const found = sql`select id from overall where state = any(${textsOf(wanted)})`;
  if (isExcepted === undefined) return sql`(with ${people} ${found})`;
  return sql`(with ${people}, ${excepted(day.zone, sql`role = ${role}`)}
    ${found} and id ${isExcepted ? sql`in` : sql`not in`} (select id from excepted))`;
}

export type RoleCount = {
  readonly role: string;
  readonly state: QualificationState;
  /** By an exception. */
  readonly excepted: boolean;
  readonly count: number;
};

/** How many enabled people are in each state for their own role. */
export async function countStates(queries: Queries, day: Day): Promise<RoleCount[]> {
  // Requirements of `admin`, which is no row, have no role.
  const { rows } = await queries.execute<RoleCount>(sql`
    with ${overall(sql`true`, day, sql`coalesce(d.role_id, 0) = coalesce(r.id, 0)`)},
      ${excepted(day.zone, sql`role is not null`)}
    select o.role, o.state, e.id is not null as excepted, count(*)::int as count
    from overall o left join excepted e on e.id = o.id where o.role is not null group by o.role, o.state, e.id is not null`);
  return rows;
}
