// SQL of the inbox and of people's settings.
import { type SQL, sql } from 'drizzle-orm';
import { inArea, isAdmin } from '#core/access/access.ts';
import { alarmKinds, type NoticeChoice, type NoticeKind, noticeKindKeys } from '#core/notifications/notices.ts';
import { canReadSchedule } from '#core/toolbox/meetings.ts';
import type { LastProof } from '#server/access/auth/recent-proof.ts';
import type { SignedInPerson } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { literals } from '#server/platform/db/literals.ts';
import { executePrepared } from '#server/platform/db/prepared.ts';
import { awaits, ownersDecidedBy } from '#server/tasks/awaiting-tasks.ts';
import { type HandOverDue, handedOverTo } from '#server/tasks/hand-over.ts';
import { decidesForOthers, isDecidedBy, isVisibleTo } from '#server/tasks/visible-tasks.ts';

/** `due`: which tasks were handed over to them. */
export type NoticeReader = SignedInPerson & { readonly due: HandOverDue | null };

/** A stored notification, which a newer version may have written. */
export type StoredNotice = { kind: NoticeKind; facts: unknown };
export type NoticeRow = StoredNotice & { id: string; at: string; read: boolean };

/** A condition: this version knows the kind in this column. Others are left to the server that wrote them. */
export const isKnown = (kind: SQL): SQL => sql`${kind} in (${literals(noticeKindKeys)})`;

/**
 * How many tasks wait for this person now: their own, and those handed over. They are counted once, and only
 * where that is read.
 */
export function withWaiting(reader: NoticeReader): SQL {
  const decides = decidesForOthers(reader);
  const own = sql`t.owner_id in (${ownersDecidedBy(reader, isAdmin(reader))})`;
  const waiting = sql`(select count(*)::int from tasks t where ${awaits} and ${own})`;
  const handedOver =
    reader.due &&
    sql`(
    select count(*)::int from tasks t where t.id in (${handedOverTo(reader, isAdmin(reader), reader.due)}) and not ${own})`;
  return sql`with waiting as materialized (select ${decides ? waiting : sql`0`} as count),
    handed_over as materialized (select ${(decides && handedOver) || sql`0`} as count)`;
}

/** The current count of a notification about everything that waits; null for others. Needs `withWaiting`. */
const countNow = sql`case n.kind when ${'waiting' satisfies NoticeKind} then (select count from waiting)
  when ${'handedOver' satisfies NoticeKind} then (select count from handed_over) end`;

/**
 * What a reader may see of the facts, with the current count: the text of a recap only while they decide for
 * its author. Needs `withWaiting`.
 */
export const shownFacts = (
  reader: NoticeReader,
): SQL => sql`n.facts - array['personIds', 'noteIds', 'removedIds', 'hidden']
  || case when ${countNow} is null then '{}' else jsonb_build_object('count', ${countNow}) end
  || case when n.kind = ${'recap' satisfies NoticeKind} and not ${isDecidedBy(reader, sql`(n.facts->>'personId')::bigint`)}
    then jsonb_build_object('text', '') else '{}' end`;

/**
 * A condition on `n`: its reader can still see the task, the schedule or the person whose bonus it is about,
 * or give a role, and of a count something still waits. Needs `withWaiting`.
 */
export function isStillFor(reader: NoticeReader): SQL {
  return sql`${isKnown(sql`n.kind`)} and coalesce(${countNow}, 1) > 0
    and (n.task_id is null or exists (select 1 from tasks t where t.id = n.task_id and ${isVisibleTo(reader, reader.due)}))
    and (n.kind <> 'asked' or ${isDecidedBy(inArea(reader, 'bonus'), sql`(n.facts->>'personId')::bigint`)})
    and (n.kind <> 'meeting' or ${canReadSchedule(reader)}::boolean)
    and (n.kind <> 'roleAsked' or ${isAdmin(reader)}::boolean)`;
}

/** A person's visible notifications, as conditions on `n`. Needs `withWaiting`. */
const shownTo = (viewer: NoticeReader): SQL => sql`n.person_id = ${viewer.id} and n.in_app and ${isStillFor(viewer)}`;

/** Newest first, those before `before` only. */
export async function findNotices(
  queries: Queries,
  viewer: NoticeReader,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<NoticeRow[]> {
  const { rows } = await executePrepared<NoticeRow>(
    queries,
    sql`${withWaiting(viewer)}
    select n.id, n.kind, ${shownFacts(viewer)} as facts, n.at, n.read_at is not null as read
    from notices n where ${shownTo(viewer)} and n.id < ${before ?? '9223372036854775807'}::bigint
    order by n.id desc limit ${limit}`,
  );
  return rows;
}

export async function countUnread(queries: Queries, viewer: NoticeReader, most: number): Promise<number> {
  const { rows } = await executePrepared<{ count: number }>(
    queries,
    sql`${withWaiting(viewer)}
    select count(*)::int as count from (select 1 from notices n where ${shownTo(viewer)} and n.read_at is null limit ${most}) x`,
  );
  return (rows[0] as { count: number }).count;
}

/** Which of a person's notifications: some by id, or all up to the newest that was seen. */
export type Which = { readonly ids: readonly string[] } | { readonly upTo: string };

const among = (which: Which): SQL =>
  'ids' in which ? sql`id = any(${sql.param([...which.ids])}::bigint[])` : sql`id <= ${which.upTo}::bigint`;

/** `at` null: unread again. Returns how many changed. */
export async function setRead(
  queries: Queries,
  personId: string,
  which: Which,
  { at, proof }: { readonly at: string | null; readonly proof: LastProof | null },
): Promise<number> {
  // A sign-in doesn't cover its own notification, a later confirmation does.
  const isProven = sql`at ${proof?.isConfirmed ? sql`<=` : sql`<`} ${proof?.at ?? null}::timestamptz`;
  const changes =
    at === null
      ? sql`read_at is not null`
      : sql`read_at is null and (kind not in (${literals(alarmKinds)}) or ${isProven})`;
  const { rowCount } = await queries.execute(
    sql`update notices set read_at = ${at}::timestamptz where person_id = ${personId} and in_app and ${isKnown(sql`kind`)} and ${among(which)} and ${changes}`,
  );
  return rowCount ?? 0;
}

/** Nobody silences an alarm by this: it stays unread. */
export async function setSeen(queries: Queries, personId: string, ids: readonly string[], at: string): Promise<void> {
  await queries.execute(
    sql`update notices set seen_at = ${at}::timestamptz where person_id = ${personId} and in_app and ${among({ ids })} and seen_at is null`,
  );
}

export type ChoiceRow = { kind: string; inApp: boolean; mail: boolean };

export async function choicesOf(queries: Queries, personId: string): Promise<ChoiceRow[]> {
  const { rows } = await queries.execute<ChoiceRow>(
    sql`select kind, in_app as "inApp", mail from notice_choices where person_id = ${personId}`,
  );
  return rows;
}

/** Returns false if it was already this. */
export async function saveChoice(
  queries: Queries,
  personId: string,
  kind: NoticeKind,
  { inApp, mail }: NoticeChoice,
): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    insert into notice_choices (person_id, kind, in_app, mail) values (${personId}, ${kind}, ${inApp}, ${mail})
    on conflict (person_id, kind) do update set in_app = excluded.in_app, mail = excluded.mail
    where (notice_choices.in_app, notice_choices.mail) <> (excluded.in_app, excluded.mail)`);
  return rowCount === 1;
}

export type NoticeAges = { readonly read: string; readonly all: string; readonly batch: number };

/**
 * Deletes up to two batches: notifications read before `read`, and any from before `all`, which have the
 * lowest ids. Returns whether there can be more.
 */
export async function deleteOldNotices(queries: Queries, { read, all, batch }: NoticeAges): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    delete from notices where id in (
      (select id from notices where read_at < ${read}::timestamptz order by read_at limit ${batch})
      union
      select id from (select id, at from notices order by id limit ${batch}) oldest where at < ${all}::timestamptz)`);
  return (rowCount ?? 0) >= batch;
}

/** Deletes mails sent or given up before `before`, and the marks of runs. */
export async function deleteOldMails(queries: Queries, before: string): Promise<void> {
  await queries.execute(
    sql`delete from notice_mails where due_at is null and coalesce(sent_at, failed_at) < ${before}::timestamptz`,
  );
  await queries.execute(sql`delete from notice_runs where at < ${before}::timestamptz`);
}
