// SQL of notification mails. A mail belongs to the server that claimed it until the claim expires.
import { type SQL, sql } from 'drizzle-orm';
import { isAdmin } from '#core/access/access.ts';
import {
  isGuarded,
  isMandatory,
  mostInMail,
  type NoticeKind,
  noticeKindKeys,
  noticeKinds,
} from '#core/notifications/notices.ts';
import type { QuietHours } from '#core/notifications/quiet-hours.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { literals } from '#server/platform/db/literals.ts';
import { awaits, isLaterAt, isOverdueAt, ownersDecidedBy } from '#server/tasks/awaiting-tasks.ts';
import { isKnown, isStillFor, type NoticeReader, type StoredNotice, shownFacts, withWaiting } from './notices.store.ts';
import { hasOneOf } from './quiet-hours.store.ts';

export type Claim = {
  id: string;
  personId: string;
  messageId: string;
  tries: number;
  /** Null: the person's current address. */
  toAddress: string | null;
};

/** Sent first. */
const always = 'accountChanged' satisfies NoticeKind;

/**
 * Neither quiet hours nor reading them in the inbox stops their mail, and a long mail lists them before
 * others: a thief with a stolen session would do all that first.
 */
const unheld = literals(noticeKindKeys.filter((kind) => isMandatory(kind) || isGuarded(kind)));

/**
 * A mail to retry, or one whose server died, if this version knows all it says and nobody's `quiet` hours
 * keep it. Claimed until `until`.
 */
export async function claimAgain(
  queries: Queries,
  { now, until, quiet }: { now: string; until: string; quiet: readonly QuietHours[] },
): Promise<Claim | undefined> {
  const { rows } = await queries.execute<Claim>(sql`
    update notice_mails set due_at = ${until}::timestamptz, tries = tries + 1
    where id = (
      select m.id from notice_mails m where m.due_at <= ${now}::timestamptz
        and not exists (select from notices n where n.mail_id = m.id and not ${isKnown(sql`n.kind`)})
        and (exists (select from notices n where n.mail_id = m.id and n.kind in (${unheld})) or not ${hasOneOf(quiet, sql`m.person_id`)})
      order by m.due_at limit 1 for update skip locked)
    returning id::text, person_id::text as "personId", message_id::text as "messageId", tries, to_address as "toAddress"`);
  return rows[0];
}

/**
 * Combines one person's due notifications into a mail: who has changes of their account comes first, then
 * who has waited longest. Concurrent servers each get another person, because the row is locked during this
 * statement. What is younger than `settled` can still be undone and waits, as does what isn't about the
 * account or access of a person with `quiet` hours.
 */
export async function gather(
  queries: Queries,
  { now, settled, until, quiet }: { now: string; settled: string; until: string; quiet: readonly QuietHours[] },
): Promise<Claim | undefined> {
  const leavesNow = sql`${isKnown(sql`n.kind`)} and (n.kind in (${unheld}) or not ${hasOneOf(quiet, sql`n.person_id`)})`;
  // From an index in its order: 9 ms a mail with 20,000 that are due, where sorting them took 80.
  const firstOf = (which: SQL) => sql`
    select p.id from notices n join people p on p.id = n.person_id
    where n.mail_at <= ${now}::timestamptz and ${which} and ${leavesNow}
    order by n.mail_at limit 1 for no key update of p skip locked`;
  const { rows } = await queries.execute<Claim>(sql`
    with urgent as (${firstOf(sql`n.kind = ${literals([always])}`)}),
      waiting as (${firstOf(sql`not exists (select from urgent)`)}),
      person as (select id from urgent union all select id from waiting),
      mine as (
        select n.id, n.person_id from notices n join person on person.id = n.person_id
        where (n.mail_at <= ${now}::timestamptz or (n.mail_at is not null and n.at <= ${settled}::timestamptz)) and ${leavesNow}
        for update of n),
      mail as (
        insert into notice_mails (person_id, due_at, tries)
        select distinct person_id, ${until}::timestamptz, 1 from mine returning id, person_id, message_id, tries),
      joined as (
        update notices n set mail_id = mail.id, mail_at = null from mine, mail where n.id = mine.id returning n.id)
    select id::text, person_id::text as "personId", message_id::text as "messageId", tries, null as "toAddress" from mail`);
  return rows[0];
}

/** `total`: the count of all that the mail has to say, including those beyond the limit. */
export type MailedRow = StoredNotice & { total: number };

/** Kinds that are mailed whatever their reader chose, or unless they chose otherwise. */
const mandatoryKinds = noticeKindKeys.filter(isMandatory);
const defaultKinds = noticeKindKeys.filter((kind) => noticeKinds[kind].mail);

/**
 * What a mail still has to say, changes of the account and access first: not other things that its reader
 * has read, nor what they don't want mailed, can't see anymore, or would get too late.
 */
export async function contentOf(
  queries: Queries,
  mailId: string,
  reader: NoticeReader,
  now: string,
): Promise<MailedRow[]> {
  const { rows } = await queries.execute<MailedRow>(sql`
    ${withWaiting(reader)}
    select n.kind, ${shownFacts(reader)} as facts, (count(*) over ())::int as total
    from notices n left join notice_choices c on c.person_id = n.person_id and c.kind = n.kind
    where n.mail_id = ${mailId} and (n.read_at is null or n.kind in (${unheld})) and (n.mail_before is null or n.mail_before > ${now}::timestamptz)
      and (n.kind = any(${sql.param(mandatoryKinds)}::text[]) or coalesce(c.mail, n.kind = any(${sql.param(defaultKinds)}::text[])))
      and ${isStillFor(reader)}
    order by n.kind <> ${always}, n.kind not in (${unheld}), n.id limit ${mostInMail}`);
  return rows;
}

export type WaitingRow = {
  title: string;
  email: string;
  firstName: string;
  lastName: string;
  since: string;
  overdue: boolean;
  total: number;
};

/**
 * The first of the tasks that wait for this person: overdue ones, then the oldest, those of later sprints
 * last. `total`: of all of them.
 */
export async function firstWaiting(
  queries: Queries,
  reader: NoticeReader,
  { now, limit }: { readonly now: string; readonly limit: number },
): Promise<WaitingRow[]> {
  const { rows } = await queries.execute<WaitingRow>(sql`
    select t.title, o.email, o.first_name as "firstName", o.last_name as "lastName", t.status_at as since,
      ${isOverdueAt(now)} as overdue, (count(*) over ())::int as total
    from tasks t join sprints s on s.id = t.sprint_id join people o on o.id = t.owner_id
    where ${awaits} and t.owner_id in (${ownersDecidedBy(reader, isAdmin(reader))})
    order by overdue desc, ${isLaterAt(now)}, t.status_at, t.id limit ${limit}`);
  return rows;
}

/** A mail to a person's previous address, with the one notification of `key`. */
export async function addressMail(
  queries: Queries,
  { personId, key, to, at }: { personId: string; key: string; to: string; at: string },
): Promise<void> {
  await queries.execute(sql`
    with mail as (
      insert into notice_mails (person_id, due_at, to_address) values (${personId}::bigint, ${at}::timestamptz, ${to}) returning id)
    update notices set mail_id = (select id from mail), mail_at = null
    where person_id = ${personId}::bigint and key = ${key}`);
}

export async function markSent(queries: Queries, id: string, at: string): Promise<void> {
  await queries.execute(
    sql`update notice_mails set due_at = null, sent_at = ${at}::timestamptz, reason = null where id = ${id}`,
  );
}

/** Nothing is left to say. */
export async function dropMail(queries: Queries, id: string): Promise<void> {
  await queries.execute(sql`delete from notice_mails where id = ${id}`);
}

/** `again` null: given up. Does nothing if another server has taken over the mail. */
export async function markFailed(
  queries: Queries,
  { id, tries }: Claim,
  failure: { readonly at: string; readonly again: string | null; readonly reason: string },
): Promise<void> {
  const { at, again, reason } = failure;
  await queries.execute(sql`
    update notice_mails set due_at = ${again}::timestamptz, reason = ${reason},
      failed_at = case when ${again}::timestamptz is null then ${at}::timestamptz end
    where id = ${id} and tries = ${tries} and sent_at is null`);
}

export type TroubledRow = {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  reason: string;
  tries: number;
  dueAt: string | null;
  failedAt: string | null;
};

/** Failed emails, those given up first. */
export async function troubledMails(queries: Queries, limit: number): Promise<TroubledRow[]> {
  const { rows } = await queries.execute<TroubledRow>(sql`
    select m.id::text, p.first_name as "firstName", p.last_name as "lastName", coalesce(m.to_address, p.email) as email, m.reason, m.tries,
      m.due_at as "dueAt", m.failed_at as "failedAt"
    from notice_mails m join people p on p.id = m.person_id
    where m.reason is not null and (m.due_at is not null or m.failed_at is not null)
    order by m.failed_at is null, m.failed_at desc, m.id desc limit ${limit}`);
  return rows;
}

/** Restarts failed mails; returns the ids of those. */
export async function tryAgain(queries: Queries, ids: readonly string[], now: string): Promise<string[]> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    update notice_mails set due_at = ${now}::timestamptz, tries = 0, failed_at = null
    where id = any(${sql.param([...ids])}::bigint[]) and reason is not null and sent_at is null
      and (due_at is null or due_at > ${now}::timestamptz) returning id::text`);
  return rows.map(({ id }) => id);
}
