// SQL of the inbox and of people's settings.
import { type SQL, sql } from 'drizzle-orm';
import { isAdmin } from '#core/access/access.ts';
import type { NoticeChoice, NoticeFacts, NoticeKind } from '#core/notifications/notices.ts';
import type { LastProof } from '#server/access/auth/recent-proof.ts';
import type { SignedInPerson } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { executePrepared } from '#server/platform/db/prepared.ts';
import { awaits, ownersDecidedBy } from '#server/tasks/awaiting-tasks.ts';
import { decidesForOthers, isDecidedBy, isVisibleTo } from '#server/tasks/visible-tasks.ts';

export type NoticeRow = { id: string; facts: NoticeFacts; at: string; read: boolean; waiting: number };

/** How many tasks wait for this person now. */
export function waitingFor(viewer: SignedInPerson): SQL {
  if (!decidesForOthers(viewer)) return sql`0`;
  return sql`(select count(*)::int from tasks t where ${awaits} and t.owner_id in (${ownersDecidedBy(viewer.id, isAdmin(viewer))}))`;
}

/**
 * A condition on `n`: its reader can still see the task or the person whose bonus it is about, or give a
 * role.
 */
export function isStillFor(reader: SignedInPerson): SQL {
  return sql`(n.task_id is null or exists (select 1 from tasks t where t.id = n.task_id and ${isVisibleTo(reader)}))
    and (n.kind <> 'asked' or ${isDecidedBy(reader, sql`(n.facts->>'personId')::bigint`)})
    and (n.kind <> 'roleAsked' or ${isAdmin(reader)}::boolean)`;
}

/**
 * A person's visible notifications, as conditions on `n`: no tasks they can't see anymore, and no digest when
 * nothing waits. Needs `withWaiting` before it.
 */
function shownTo(viewer: SignedInPerson): SQL {
  return sql`n.person_id = ${viewer.id} and n.in_app
    and ${isStillFor(viewer)}
    and (n.kind <> 'waiting' or (select count from w) > 0)`;
}

const withWaiting = (viewer: SignedInPerson): SQL => sql`with w as (select ${waitingFor(viewer)} as count)`;

/** Newest first, those before `before` only. */
export async function findNotices(
  queries: Queries,
  viewer: SignedInPerson,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<NoticeRow[]> {
  const { rows } = await executePrepared<NoticeRow>(
    queries,
    sql`${withWaiting(viewer)}
    select n.id, n.facts - 'personIds' as facts, n.at, n.read_at is not null as read, case when n.kind = 'waiting' then (select count from w) else 0 end as waiting
    from notices n where ${shownTo(viewer)} and n.id < ${before ?? '9223372036854775807'}::bigint
    order by n.id desc limit ${limit}`,
  );
  return rows;
}

export async function countUnread(queries: Queries, viewer: SignedInPerson, most: number): Promise<number> {
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
  const ofAccount = 'accountChanged' satisfies NoticeKind;
  // A sign-in doesn't cover its own notification, a later confirmation does.
  const isProven = sql`at ${proof?.isConfirmed ? sql`<=` : sql`<`} ${proof?.at ?? null}::timestamptz`;
  const changes =
    at === null ? sql`read_at is not null` : sql`read_at is null and (kind <> ${ofAccount} or ${isProven})`;
  const { rowCount } = await queries.execute(
    sql`update notices set read_at = ${at}::timestamptz where person_id = ${personId} and in_app and ${among(which)} and ${changes}`,
  );
  return rowCount ?? 0;
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

/** Removes what was read, sent or given up before `before`. */
export async function deleteOld(queries: Queries, before: string): Promise<void> {
  await queries.execute(sql`delete from notices where read_at < ${before}::timestamptz`);
  await queries.execute(
    sql`delete from notice_mails where due_at is null and coalesce(sent_at, failed_at) < ${before}::timestamptz`,
  );
  await queries.execute(sql`delete from notice_runs where at < ${before}::timestamptz`);
}
