// SQL of absences: who is away, and who decides for them. `today` is the company's day.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import { callAccess } from '#core/access/call-access.ts';
import { searchParts } from '#core/base/search-words.ts';
import type { Absence, DaySpan } from '#core/people/absences.ts';
import { awaitingStatuses } from '#core/tasks/task-status.ts';
import { contains } from '#server/platform/db/contains.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { literals } from '#server/platform/db/literals.ts';
import { shownName } from '#server/platform/db/pages.ts';
import { executePrepared } from '#server/platform/db/prepared.ts';

const waitingStatuses = literals(awaitingStatuses);
const ids = (list: readonly string[]): SQL => sql`${sql.param([...list])}::bigint[]`;

type Someone = {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: string | null;
  readonly stored: string[];
};

export type RunningRow = {
  readonly until: string;
  readonly absent: Someone;
  readonly delegate: (Someone & { readonly disabled: boolean; readonly isAway: boolean }) | null;
};

const someone = (person: string, role: string): string =>
  `'id', ${person}.id::text, 'email', ${person}.email, 'firstName', ${person}.first_name, 'lastName', ${person}.last_name,
    'role', ${person}.role, 'stored', coalesce(${role}.permissions, '{}') || ${person}.grants`;

/** The absences of enabled people that run today: of these people, or with this delegate, or all. */
export async function readRunning(
  queries: Queries,
  today: string,
  { personIds, delegateId }: { readonly personIds?: readonly string[]; readonly delegateId?: string } = {},
): Promise<RunningRow[]> {
  const whose = personIds ? sql`a.person_id = any(${ids(personIds)})` : sql`true`;
  const by = delegateId === undefined ? sql`true` : sql`a.delegate_id = ${delegateId}::bigint`;
  const { rows } = await executePrepared<RunningRow>(
    queries,
    sql`
    select a.last_day::text as until, json_build_object(${sql.raw(someone('w', 'wr'))}) as absent,
      case when d.id is not null then json_build_object(${sql.raw(someone('d', 'dr'))}, 'disabled', d.disabled_at is not null,
        'isAway', exists (select from absences o where o.person_id = d.id and ${today}::date between o.first_day and o.last_day)) end as delegate
    from absences a join people w on w.id = a.person_id and w.disabled_at is null left join roles wr on wr.name = w.role
      left join people d on d.id = a.delegate_id left join roles dr on dr.name = d.role
    where ${today}::date between a.first_day and a.last_day and ${whose} and ${by} order by a.person_id`,
  );
  return rows;
}

export type AbsenceRow = Absence & {
  readonly personId: string;
  readonly absent: Someone;
  /** `away`: on days of the absence that aren't over. */
  readonly delegate: (Someone & { readonly disabled: boolean; readonly away: readonly DaySpan[] }) | null;
};

/** Absences that meet a condition on `a`, in order. */
async function readAbsences(queries: Queries, today: string, condition: SQL): Promise<AbsenceRow[]> {
  const { rows } = await queries.execute<AbsenceRow>(sql`
    select a.id::text as id, a.person_id::text as "personId", a.first_day::text as "firstDay", a.last_day::text as "lastDay", a.note,
      a.delegate_id::text as "delegateId", a.version, json_build_object(${sql.raw(someone('w', 'wr'))}) as absent,
      case when d.id is not null then json_build_object(${sql.raw(someone('d', 'dr'))}, 'disabled', d.disabled_at is not null,
        'away', (select coalesce(json_agg(json_build_object('firstDay', greatest(o.first_day, a.first_day)::text,
            'lastDay', least(o.last_day, a.last_day)::text) order by o.first_day), '[]')
          from absences o where o.person_id = d.id and o.first_day <= a.last_day and o.last_day >= greatest(a.first_day, ${today}::date))) end as delegate
    from absences a join people w on w.id = a.person_id left join roles wr on wr.name = w.role
      left join people d on d.id = a.delegate_id left join roles dr on dr.name = d.role
    where ${condition} order by a.first_day, a.id`);
  return rows;
}

/** A person's absences that haven't ended. */
export const readPlanned = (queries: Queries, personId: string, today: string): Promise<AbsenceRow[]> =>
  readAbsences(queries, today, sql`a.person_id = ${personId}::bigint and a.last_day >= ${today}::date`);

export async function readAbsence(queries: Queries, id: string, today: string): Promise<AbsenceRow | undefined> {
  const [row] = await readAbsences(queries, today, sql`a.id = ${id}::bigint`);
  return row;
}

/** The absences of enabled people, not ended, for which these people are the delegates, within these days. */
export const readDelegated = (
  queries: Queries,
  delegateIds: readonly string[],
  today: string,
  days: DaySpan = { firstDay: today, lastDay: 'infinity' },
): Promise<AbsenceRow[]> =>
  readAbsences(
    queries,
    today,
    sql`a.delegate_id = any(${ids(delegateIds)}) and a.last_day >= greatest(${today}::date, ${days.firstDay}::date)
      and a.first_day <= ${days.lastDay}::date and w.disabled_at is null`,
  );

export type CandidateRow = Someone & { readonly disabled: boolean };

/** These people, locked until the transaction ends: nobody disables them or changes their absences. */
export async function lockPeople(queries: Queries, personIds: readonly string[]): Promise<CandidateRow[]> {
  await queries.execute(sql`select id from people where id = any(${ids(personIds)}) order by id for no key update`);
  return readCandidates(queries, personIds);
}

export async function readCandidates(queries: Queries, personIds: readonly string[]): Promise<CandidateRow[]> {
  const { rows } = await queries.execute<CandidateRow>(sql`
    select p.id::text as id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role,
      coalesce(r.permissions, '{}') || p.grants as stored, p.disabled_at is not null as disabled
    from people p left join roles r on r.name = p.role where p.id = any(${ids(personIds)})`);
  return rows;
}

/**
 * Enabled people who may be able to decide, by name; the core decides. Not by address: searches for its parts
 * would tell it.
 */
export async function readChoices(
  queries: Queries,
  { but, name, limit }: { readonly but: string; readonly name: string; readonly limit: number },
): Promise<CandidateRow[]> {
  const [permission] = callAccess.decisions;
  const { rows } = await queries.execute<CandidateRow>(sql`
    select p.id::text as id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role,
      coalesce(r.permissions, '{}') || p.grants as stored, false as disabled
    from people p left join roles r on r.name = p.role
    where p.disabled_at is null and p.id <> ${but}::bigint and ${contains(searchParts(name), shownName('p'))}
      and (p.role = ${adminRole} or ${permission} = any(coalesce(r.permissions, '{}') || p.grants))
    order by lower(p.last_name), lower(p.first_name), p.id limit ${limit}`);
  return rows;
}

/** Writes the absence and returns its id. */
export async function writeAbsence(
  queries: Queries,
  personId: string,
  { id, firstDay, lastDay, note, delegateId }: Absence,
): Promise<string> {
  const values = sql`${firstDay}::date, ${lastDay}::date, ${note}::text, ${delegateId}::bigint`;
  const { rows } = await queries.execute<{ id: string }>(
    id === ''
      ? sql`insert into absences (person_id, first_day, last_day, note, delegate_id) values (${personId}::bigint, ${values}) returning id::text`
      : sql`update absences set (first_day, last_day, note, delegate_id, version) = (${values}, version + 1) where id = ${id}::bigint returning id::text`,
  );
  return rows[0]!.id;
}

/** Keeps the days until then, or deletes the absence. */
export async function shortenAbsence(queries: Queries, id: string, lastDay: string | null): Promise<void> {
  await queries.execute(
    lastDay === null
      ? sql`delete from absences where id = ${id}::bigint`
      : sql`update absences set last_day = ${lastDay}::date, version = version + 1 where id = ${id}::bigint`,
  );
}

export async function deleteEndedBefore(queries: Queries, day: string): Promise<void> {
  await queries.execute(sql`delete from absences where last_day < ${day}::date`);
}

export type EffectRow = { readonly personIds: string[]; readonly waiting: number; readonly approvesDelegate: boolean };

/** What goes to the delegate: the enabled people that this person approves, and what waits of theirs. */
export async function readEffect(queries: Queries, approverId: string, delegateId: string | null): Promise<EffectRow> {
  const { rows } = await queries.execute<EffectRow>(sql`
    with approvees as (
      select p.id from effective_approvers e join people p on p.id = e.person_id and p.disabled_at is null where e.approver_id = ${approverId}::bigint),
      others as (select id from approvees where id is distinct from ${delegateId}::bigint)
    select array(select id::text from others order by id) as "personIds",
      (select count(*)::int from tasks t where t.owner_id in (select id from others)
        and t.status in (${waitingStatuses}) and t.withdrawn_at is null) as waiting,
      exists (select from approvees where id = ${delegateId}::bigint) as "approvesDelegate"`);
  return rows[0]!;
}

/** The enabled people that these people approve. */
export async function readApprovees(queries: Queries, approverIds: readonly string[]): Promise<string[]> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    select distinct p.id::text as id from effective_approvers e join people p on p.id = e.person_id and p.disabled_at is null
    where e.approver_id = any(${ids(approverIds)})`);
  return rows.map(({ id }) => id);
}

/** The first day of these people's time away that begins within these days. */
export async function readStarts(
  queries: Queries,
  personIds: readonly string[],
  { firstDay, lastDay }: DaySpan,
): Promise<(readonly [personId: string, day: string])[]> {
  const { rows } = await queries.execute<{ id: string; day: string }>(sql`
    select person_id::text as id, min(first_day)::text as day from absences
    where person_id = any(${ids(personIds)}) and first_day between ${firstDay}::date and ${lastDay}::date
    group by person_id`);
  return rows.map(({ id, day }) => [id, day] as const);
}

/** When this person is away within these days. */
export async function readOverlaps(queries: Queries, personId: string, days: DaySpan): Promise<DaySpan[]> {
  const { rows } = await queries.execute<DaySpan>(sql`
    select greatest(first_day, ${days.firstDay}::date)::text as "firstDay", least(last_day, ${days.lastDay}::date)::text as "lastDay"
    from absences where person_id = ${personId}::bigint and first_day <= ${days.lastDay}::date and last_day >= ${days.firstDay}::date
    order by first_day`);
  return rows;
}
