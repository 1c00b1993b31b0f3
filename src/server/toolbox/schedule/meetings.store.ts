// SQL of the weekly meetings.
import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '#core/access/brands.ts';
import { searchParts } from '#core/base/search-words.ts';
import type { MeetingException } from '#core/toolbox/meeting-times.ts';
import { meetingLimits, type PlannedSeries, scheduleReaderPermissions } from '#core/toolbox/meetings.ts';
import { contains } from '#server/platform/db/contains.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { holdsAll } from '#server/platform/db/holds-all.ts';
import { shownName } from '#server/platform/db/pages.ts';

type Named = { readonly firstName: string; readonly lastName: string; readonly email: string };
export type SeatedRow = Named & { readonly id: string };
/** As many people as a meeting lists, and how many there are. */
export type Attendance = { readonly people: readonly SeatedRow[]; readonly count: number };
export type MeetingRow = {
  readonly id: string;
  readonly uid: string;
  readonly title: string;
  readonly team: Scope | null;
  readonly wholeTeam: boolean;
  readonly chair: SeatedRow & { readonly disabled: boolean };
  /** People added by name, also those whose account is disabled. */
  readonly guests: readonly (SeatedRow & { readonly disabled: boolean })[];
  /** Guests and team of a whole team's meeting. Null for others. */
  readonly attendees: Attendance | null;
  readonly weekday: number;
  readonly time: string;
  readonly minutes: number;
  readonly place: string;
  readonly link: string;
  readonly agenda: string;
  readonly firstDay: string;
  readonly onceOn: string | null;
  readonly exceptions: readonly {
    readonly day: string;
    readonly toDay: string | null;
    readonly toTime: string | null;
  }[];
  readonly version: number;
  readonly createdAt: string;
  readonly changedAt: string;
};

const seat = (person: SQL, more = sql``) =>
  sql`json_build_object('id', ${person}.id::text, 'firstName', ${person}.first_name, 'lastName', ${person}.last_name, 'email', ${person}.email${more})`;

const byName = sql`order by lower(p.last_name), lower(p.first_name), p.id`;
const guests = sql`from meeting_attendees a join people p on p.id = a.person_id where a.meeting_id = m.id`;
const seated = sql`p.id, p.first_name, p.last_name, p.email`;
/** Each part reads an index: a schedule asks this for 500 meetings, in a company of 20,000. */
const withTeam = sql`from (select *, count(*) over () as everyone from (
    select ${seated} ${guests} and p.disabled_at is null
    union select ${seated} from people p where p.team = m.team and p.disabled_at is null) p
  where p.id <> m.chair_id ${byName} limit ${sql.raw(String(meetingLimits.attendees))}) p`;

const columns = sql`m.id::text, m.uid, m.title, m.team, m.whole_team as "wholeTeam", m.weekday, m.time, m.minutes, m.place, m.link, m.agenda,
  m.first_day as "firstDay", case when m.once then m.first_day end as "onceOn", m.version, m.created_at as "createdAt", m.changed_at as "changedAt",
  ${seat(sql`chair`, sql`, 'disabled', chair.disabled_at is not null`)} as chair,
  (select coalesce(json_agg(${seat(sql`p`, sql`, 'disabled', p.disabled_at is not null`)} ${byName}), '[]') ${guests}) as guests,
  case when m.whole_team and m.team is not null then (select json_build_object(
    'people', coalesce(json_agg(${seat(sql`p`)} ${byName}), '[]'), 'count', coalesce(max(p.everyone), 0)) ${withTeam}) end as attendees,
  (select coalesce(json_agg(json_build_object('day', e.day, 'toDay', e.to_day, 'toTime', e.to_time) order by e.day), '[]')
    from meeting_exceptions e where e.meeting_id = m.id) as exceptions`;
const from = sql`from meetings m join people chair on chair.id = m.chair_id`;
const inOrder = sql`order by m.weekday, m.time, lower(m.title), m.id`;

/** Whose meetings: everyone's, a person's, a team's, or those that some people chair. */
export type Whose = { readonly personId?: string; readonly team?: string; readonly chairIds?: readonly string[] };

/** Without meetings that took place once before `since`. */
const isCurrent = (since: string): SQL => sql`m.removed_at is null and (not m.once or m.first_day >= ${since}::date)`;

export async function readMeetings(
  queries: Queries,
  since: string,
  { personId, team, chairIds }: Whose = {},
): Promise<MeetingRow[]> {
  const ofPerson = sql`(m.chair_id = ${personId ?? null}::bigint or exists (
    select from meeting_attendees a where a.meeting_id = m.id and a.person_id = ${personId ?? null}::bigint)
    or (m.whole_team and (m.team is null or m.team = (select team from people where id = ${personId ?? null}::bigint))))`;
  const { rows } = await queries.execute<MeetingRow>(sql`
    select ${columns} ${from} where ${isCurrent(since)}
      and ${personId === undefined ? sql`true` : ofPerson}
      and ${team === undefined ? sql`true` : sql`m.team = ${team}`}
      and ${chairIds === undefined ? sql`true` : sql`m.chair_id = any(${sql.param([...chairIds])}::bigint[])`} ${inOrder}`);
  return rows;
}

export type Everyone = Attendance & {
  /** Those of the given people who are among everyone. */
  readonly among: readonly string[];
};

/** Everyone who can read the schedule: one more than a meeting lists, because a chair is no attendee. */
export async function readEveryone(queries: Queries, ids: readonly string[]): Promise<Everyone> {
  const { rows } = await queries.execute<Everyone>(sql`
    with everyone as (
      select ${seated} from people p left join roles r on r.name = p.role
      where p.disabled_at is null and ${holdsAll(scheduleReaderPermissions)}
    )
    select (select count(*)::integer from everyone) as count,
      (select coalesce(json_agg(${seat(sql`p`)} ${byName}), '[]')
        from (select * from everyone p ${byName} limit ${meetingLimits.attendees + 1}) p) as people,
      (select coalesce(json_agg(id::text), '[]') from everyone where id = any(${sql.param([...ids])}::bigint[])) as among`);
  return rows[0]!;
}

/** A removed one too, if requested; locked until the transaction ends. */
export async function lockMeeting(
  queries: Queries,
  id: string,
  { removed = false }: { readonly removed?: boolean } = {},
): Promise<MeetingRow | undefined> {
  await queries.execute(sql`select 1 from meetings where id = ${id}::bigint for update`);
  const { rows } = await queries.execute<MeetingRow>(
    sql`select ${columns} ${from} where m.id = ${id}::bigint and (m.removed_at is not null) = ${removed}`,
  );
  return rows[0];
}

/** Counts meetings that aren't over. Locked, so two concurrent creations can't exceed the limit. */
export async function countMeetings(queries: Queries, today: string): Promise<number> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext('meetings'))`);
  const { rows } = await queries.execute<{ count: number }>(
    sql`select count(*)::integer as count from meetings m where ${isCurrent(today)}`,
  );
  return rows[0]!.count;
}

type Change = { readonly by: string; readonly at: string };

export async function insertMeeting(queries: Queries, planned: PlannedSeries, { by, at }: Change): Promise<string> {
  const { title, team, wholeTeam, chairId, weekday, time, minutes, place, link, agenda, firstDay, onceOn } = planned;
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into meetings (title, team, whole_team, chair_id, weekday, time, minutes, place, link, agenda, first_day, once, created_by, created_at, changed_at)
    values (${title}, ${team}, ${wholeTeam}, ${chairId}, ${weekday}, ${time}, ${minutes}, ${place}, ${link}, ${agenda}, ${firstDay}, ${onceOn != null}, ${by}, ${at}, ${at})
    returning id::text`);
  const { id } = rows[0]!;
  await insertAttendees(queries, id, planned.attendeeIds);
  return id;
}

async function insertAttendees(queries: Queries, meetingId: string, personIds: readonly string[]): Promise<void> {
  await queries.execute(sql`
    insert into meeting_attendees (meeting_id, person_id)
    select ${meetingId}::bigint, unnest(${sql.param([...personIds])}::bigint[]) on conflict do nothing`);
}

/** Saves the planned series and increments its version. */
export async function saveMeeting(queries: Queries, id: string, planned: PlannedSeries, at: string): Promise<void> {
  const { title, team, wholeTeam, chairId, weekday, time, minutes, place, link, agenda, firstDay, onceOn } = planned;
  await queries.execute(sql`
    update meetings set title = ${title}, team = ${team}, whole_team = ${wholeTeam}, chair_id = ${chairId},
      weekday = ${weekday}, time = ${time}, minutes = ${minutes}, place = ${place}, link = ${link}, agenda = ${agenda},
      first_day = ${firstDay}, once = ${onceOn != null} where id = ${id}`);
  // Disabled people keep their row.
  await queries.execute(sql`
    delete from meeting_attendees a using people p
    where a.meeting_id = ${id} and p.id = a.person_id and p.disabled_at is null`);
  await insertAttendees(queries, id, planned.attendeeIds);
  const kept = sql.param(planned.exceptions.map((exception) => exception.day));
  await queries.execute(sql`delete from meeting_exceptions where meeting_id = ${id} and day <> all(${kept}::date[])`);
  await touch(queries, id, at);
}

async function touch(queries: Queries, id: string, at: string): Promise<void> {
  await queries.execute(sql`update meetings set version = version + 1, changed_at = ${at} where id = ${id}`);
}

export async function saveException(
  queries: Queries,
  id: string,
  { day, exception }: { readonly day: string; readonly exception: MeetingException | null },
  at: string,
): Promise<void> {
  await queries.execute(
    exception === null
      ? sql`delete from meeting_exceptions where meeting_id = ${id} and day = ${day}`
      : sql`insert into meeting_exceptions (meeting_id, day, to_day, to_time)
          values (${id}, ${day}, ${exception.to?.day ?? null}, ${exception.to?.time ?? null})
          on conflict (meeting_id, day) do update set to_day = excluded.to_day, to_time = excluded.to_time`,
  );
  await touch(queries, id, at);
}

/** `at` null restores it. */
export async function saveRemoved(queries: Queries, id: string, removed: boolean, at: string): Promise<void> {
  await queries.execute(sql`update meetings set removed_at = ${removed ? at : null} where id = ${id}`);
  await touch(queries, id, at);
}

/** The teams of those of these people who have an account and have not left. */
export async function teamsOf(queries: Queries, ids: readonly string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const { rows } = await queries.execute<{ id: string; team: string | null }>(sql`
    select id::text, team from people where id = any(${sql.param([...ids])}::bigint[]) and disabled_at is null`);
  return new Map(rows.map(({ id, team }) => [id, team]));
}

/** People who can be invited, by name. Not by address: searches for its parts would tell it. */
export async function findPeople(
  queries: Queries,
  {
    search = '',
    team,
    limit,
  }: { readonly search?: string | undefined; readonly team?: string | undefined; readonly limit: number },
): Promise<(SeatedRow & { readonly team: string | null })[]> {
  const { rows } = await queries.execute<SeatedRow & { team: string | null }>(sql`
    select id::text, first_name as "firstName", last_name as "lastName", email, team from people
    where disabled_at is null and (${team ?? null}::text is null or team = ${team ?? null})
      and ${contains(searchParts(search), shownName('people'))}
    order by lower(last_name), lower(first_name), id limit ${limit}`);
  return rows;
}

/** Whether the person chairs a meeting. */
export async function chairsAny(queries: Queries, personId: string): Promise<boolean> {
  const { rows } = await queries.execute(
    sql`select 1 from meetings where chair_id = ${personId}::bigint and removed_at is null limit 1`,
  );
  return rows.length > 0;
}
