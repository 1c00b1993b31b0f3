// SQL of requirements and evidence: the reads of the page, and the plain writes.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import { searchParts } from '#core/base/search-words.ts';
import type { Named } from '#core/people/people.ts';
import type { EvidencePerson, Requirement } from '#core/people/qualifications.ts';
import { contains } from '#server/platform/db/contains.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { byPersonName, isAfterPerson } from '#server/platform/db/pages.ts';

export type RequirementRow = Requirement & { readonly role: string; readonly version: number };
export type RoleRow = { readonly name: string; readonly requirements: readonly RequirementRow[] };

/** Every role with its requirements, the admin's first. */
export async function readRoles(queries: Queries): Promise<RoleRow[]> {
  const { rows } = await queries.execute<RoleRow>(sql`
    with named as (select id, name from roles union all select null, ${adminRole})
    select n.name, coalesce(json_agg(json_build_object('id', q.id::text, 'role', n.name, 'kind', q.kind, 'title', q.title,
      'validMonths', q.valid_months, 'version', q.version) order by q.id) filter (where q.id is not null), '[]') as requirements
    from named n left join role_requirements q on q.role_id is not distinct from n.id and q.withdrawn_at is null
    group by n.id, n.name order by n.id is not null, lower(n.name)`);
  return rows;
}

const requirementColumns = sql`q.id::text, coalesce(r.name, ${adminRole}) as role, q.kind, q.title, q.valid_months as "validMonths", q.version`;

/** Locked until the transaction ends. */
export async function lockRequirement(
  queries: Queries,
  id: string,
): Promise<(RequirementRow & { readonly withdrawn: boolean }) | undefined> {
  const { rows } = await queries.execute<RequirementRow & { withdrawn: boolean }>(sql`
    select ${requirementColumns}, q.withdrawn_at is not null as withdrawn
    from role_requirements q left join roles r on r.id = q.role_id where q.id = ${id}::bigint for update of q`);
  return rows[0];
}

type RequirementContent = Pick<Requirement, 'kind' | 'title' | 'validMonths'>;

export async function countRequirements(queries: Queries, role: string): Promise<number> {
  const { rows } = await queries.execute<{ count: number }>(sql`
    select count(*)::int as count from role_requirements q left join roles r on r.id = q.role_id
    where coalesce(r.name, ${adminRole}) = ${role} and q.withdrawn_at is null`);
  return (rows[0] as { count: number }).count;
}

/** The id, or undefined if the role doesn't exist. */
export async function insertRequirement(
  queries: Queries,
  role: string,
  { kind, title, validMonths }: RequirementContent,
  at: string,
): Promise<string | undefined> {
  const place = role === adminRole ? sql`select null::bigint as id` : sql`select id from roles where name = ${role}`;
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into role_requirements (role_id, kind, title, valid_months, created_at)
    select place.id, ${kind}, ${title}, ${validMonths}::smallint, ${at}::timestamptz from (${place}) place returning id::text`);
  return rows[0]?.id;
}

export async function saveRequirement(
  queries: Queries,
  id: string,
  { kind, title, validMonths }: RequirementContent,
): Promise<void> {
  await queries.execute(sql`
    update role_requirements set kind = ${kind}, title = ${title}, valid_months = ${validMonths}::smallint, version = version + 1
    where id = ${id}::bigint`);
}

type Withdrawable = 'role_requirements' | 'role_evidence';

/** `at` null restores it. */
export async function saveWithdrawal(
  queries: Queries,
  table: Withdrawable,
  id: string,
  at: string | null,
): Promise<void> {
  await queries.execute(sql`
    update ${sql.identifier(table)} set withdrawn_at = ${at}::timestamptz, version = version + 1 where id = ${id}::bigint`);
}

export type PersonRow = Named & { readonly id: string; readonly role: string | null; readonly team: string | null };

/** A page of the enabled people by name; `condition` is about the person `p`. */
export async function readPeople(
  queries: Queries,
  condition: SQL,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<PersonRow[]> {
  const { rows } = await queries.execute<PersonRow>(sql`
    select p.id::text, p.first_name as "firstName", p.last_name as "lastName", p.email, p.role, p.team
    from people p where p.disabled_at is null and ${condition} and ${isAfterPerson(after)}
    order by ${byPersonName} limit ${limit}::int`);
  return rows;
}

export async function countPeople(queries: Queries, condition: SQL): Promise<number> {
  const { rows } = await queries.execute<{ count: number }>(
    sql`select count(*)::int as count from people p where p.disabled_at is null and ${condition}`,
  );
  return rows[0]!.count;
}

export const isInRole = (role: string): SQL => sql`p.role = ${role}`;
export const isCalled = (search: string): SQL =>
  contains(searchParts(search), "p.first_name || ' ' || p.last_name || ' ' || p.email || ' ' || coalesce(p.team, '')");
export const isPerson = (id: string): SQL => sql`p.id = ${id}::bigint`;

export type EvidenceRow = {
  readonly id: string;
  readonly requirementId: string;
  readonly personId: string;
  readonly note: string;
  readonly day: string;
  readonly goodUntil: string | null;
  readonly version: number;
  readonly recordedAt: string;
  readonly recordedBy: string;
};

const evidenceColumns = sql`e.id::text, e.requirement_id::text as "requirementId", e.person_id::text as "personId", e.note, e.day,
  e.good_until as "goodUntil", e.version, e.recorded_at as "recordedAt",
  coalesce(nullif(trim(b.first_name || ' ' || b.last_name), ''), b.email) as "recordedBy"`;
const evidenceFrom = sql`role_evidence e join people b on b.id = e.recorded_by`;

/** A person's evidence, newest first; `condition` is about the requirement `q`. */
export async function readRecordedEvidence(queries: Queries, personId: string, condition: SQL): Promise<EvidenceRow[]> {
  const { rows } = await queries.execute<EvidenceRow>(sql`
    select ${evidenceColumns} from ${evidenceFrom} join role_requirements q on q.id = e.requirement_id
    where e.person_id = ${personId}::bigint and ${condition} and e.withdrawn_at is null order by e.day desc, e.id desc`);
  return rows;
}

/** Locked until the transaction ends, in the order of the ids. Those that aren't found are left out. */
export async function lockEvidence(
  queries: Queries,
  ids: readonly string[],
): Promise<(EvidenceRow & { readonly withdrawn: boolean })[]> {
  const { rows } = await queries.execute<EvidenceRow & { withdrawn: boolean }>(sql`
    select ${evidenceColumns}, e.withdrawn_at is not null as withdrawn from ${evidenceFrom}
    where e.id = any(${sql.param([...ids])}::bigint[]) order by e.id for update of e`);
  return rows;
}

/** Who evidence for this requirement is recorded for, with how much of it they have. */
export async function readEvidencePeople(
  queries: Queries,
  requirementId: string,
  personIds: readonly string[],
): Promise<(Named & Pick<EvidencePerson, 'disabled' | 'records'>)[]> {
  const { rows } = await queries.execute<Named & Pick<EvidencePerson, 'disabled' | 'records'>>(sql`
    select p.first_name as "firstName", p.last_name as "lastName", p.email, p.disabled_at is not null as disabled,
      (select count(*)::int from role_evidence e where e.requirement_id = ${requirementId}::bigint and e.person_id = p.id
        and e.withdrawn_at is null) as records
    from people p where p.id = any(${sql.param([...personIds])}::bigint[]) order by ${byPersonName}`);
  return rows;
}

type EvidenceContent = { readonly note: string; readonly day: string; readonly goodUntil: string | null };

/** The same for each person. Returns the ids in the order of the people. */
export async function insertEvidence(
  queries: Queries,
  place: {
    readonly requirementId: string;
    readonly personIds: readonly string[];
    readonly by: string;
    readonly at: string;
  },
  { note, day, goodUntil }: EvidenceContent,
): Promise<string[]> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into role_evidence (requirement_id, person_id, note, day, good_until, recorded_by, recorded_at)
    select ${place.requirementId}::bigint, p.id, ${note}, ${day}::date, ${goodUntil}::date, ${place.by}::bigint,
      ${place.at}::timestamptz from unnest(${sql.param([...place.personIds])}::bigint[]) p(id) returning id::text`);
  return rows.map(({ id }) => id);
}

export async function saveEvidence(
  queries: Queries,
  id: string,
  { note, day, goodUntil }: EvidenceContent,
): Promise<void> {
  await queries.execute(sql`
    update role_evidence set note = ${note}, day = ${day}::date, good_until = ${goodUntil}::date, version = version + 1
    where id = ${id}::bigint`);
}
