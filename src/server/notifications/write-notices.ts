// Builds the statement that creates a notification, alone or as part of the changing statement. Either way it
// commits and rolls back with the change.
import { type SQL, sql } from 'drizzle-orm';
import type { NoticeFacts } from '#core/notifications/notice-facts.ts';
import { isMandatory, type NoticeKind, noticeKinds } from '#core/notifications/notices.ts';
import { unreachableDomain } from '#server/platform/mail/mailer.ts';

export type NewNotices = {
  /** Identifies the event; nobody is told twice. */
  readonly key: string;
  readonly at: Temporal.Instant;
  readonly kind: NoticeKind;
  /** Or a query of their ids, task ids and facts as texts, for as many as there are. */
  readonly people: readonly { readonly id: string; readonly facts: NoticeFacts }[] | SQL;
  /** No mail from then on. */
  readonly mailBefore?: Temporal.Instant;
  /** Whether a mail server is set: without one, nothing is queued for mail. */
  readonly mails: boolean;
  /** What to do with a notification of the same key; left out: nothing. */
  readonly merge?: SQL;
};

const isQuery = (people: NewNotices['people']): people is SQL => !Array.isArray(people);

const taskOf = (facts: NoticeFacts): string | null => ('taskId' in facts ? facts.taskId : null);

export type Channels = { readonly inApp: SQL; readonly byMail: SQL };

/** Where person `p`, whose choice for the kind is the row `c`, gets it. */
export function channelsOf(kind: NoticeKind, mails: boolean): Channels {
  const rule = noticeKinds[kind];
  const chosen = (column: SQL, otherwise: boolean) =>
    isMandatory(kind) ? sql`true` : sql`coalesce(${column}, ${otherwise}::boolean)`;
  const hasAddress = sql`p.email not like ${`%${unreachableDomain}`}`;
  return {
    inApp: chosen(sql`c.in_app`, rule.inApp),
    byMail: sql`(${mails}::boolean and ${hasAddress} and ${chosen(sql`c.mail`, rule.mail)})`,
  };
}

/**
 * `when`: a row of an earlier statement, without which nobody is notified. Returns the ids of the people who
 * are.
 */
export function insertNotices({ key, at, kind, people, mailBefore, mails, merge }: NewNotices, when?: SQL): SQL {
  const mailAt = at.add({ seconds: noticeKinds[kind].mailAfter }).toString();
  const { inApp, byMail } = channelsOf(kind, mails);
  const column = (values: readonly (string | null)[]) => sql.param([...values]);
  const given = isQuery(people)
    ? sql`(${people})`
    : sql`unnest(
        ${column(people.map(({ id }) => id))}::text[], ${column(people.map(({ facts }) => taskOf(facts)))}::text[],
        ${column(people.map(({ facts }) => JSON.stringify(facts)))}::text[])`;
  return sql`
    insert into notices (person_id, kind, key, task_id, facts, at, in_app, mail_at, mail_before)
    select p.id, ${kind}::text, ${key}::text, x.task_id::bigint, x.facts::jsonb, ${at.toString()}::timestamptz, ${inApp},
      case when ${byMail} then ${mailAt}::timestamptz end, ${mailBefore?.toString() ?? null}::timestamptz
    from ${when ? sql`${when}, ` : sql``}${given} as x (person_id, task_id, facts)
      join people p on p.id = x.person_id::bigint and p.disabled_at is null
      left join notice_choices c on c.person_id = p.id and c.kind = ${kind}::text
    where ${inApp} or ${byMail}
    on conflict (person_id, key) do ${merge ?? sql`nothing`}
    returning person_id::text as "personId"`;
}

/** For a `merge`: a new notification comes first in the list, which is read by id, and is mailed again. */
export const asNewest = sql`id = default, at = excluded.at, mail_id = null, seen_at = null`;

/** Whether its person knows of `notices` or `n`: they read it, saw it in the list, or got it by mail. */
export const isKnownIn = (row: 'notices' | 'n'): SQL =>
  sql.raw(`(coalesce(${row}.read_at, ${row}.seen_at) is not null or ${row}.mail_id is not null)`);

/** Part of an update that hides `n`: what `shownAgain` puts back. */
export const hiddenState = sql`jsonb_build_object('hidden', jsonb_build_object('inApp', n.in_app, 'mailAt',
  coalesce(n.mail_at, (select m.due_at from notice_mails m where m.id = n.mail_id))))`;

/** Part of an update that shows `n` again: in the inbox and due by mail as before it was hidden. */
export const shownAgain = sql`in_app = coalesce((n.facts->'hidden'->>'inApp')::boolean, n.in_app),
  mail_at = coalesce((n.facts->'hidden'->>'mailAt')::timestamptz, n.mail_at)`;

/** Lets those of these people be told again who have read it. */
export const forgetReadNotices = (key: string, people: readonly string[]): SQL => sql`
  delete from notices where key = ${key} and person_id = any(${sql.param([...people])}::bigint[]) and read_at is not null
  returning person_id::text as "personId"`;

/** Removes what was undone from the inbox, and from mails that aren't sent yet. */
export const forgetNotices = (keys: string | readonly string[]): SQL =>
  sql`delete from notices where key = any(${sql.param([keys].flat())}::text[]) returning person_id::text as "personId"`;

/**
 * Retracts a notification whose change was undone: people who saw it get another one, without an email, and
 * for everyone else it disappears. Parts of a statement that write only for rows of `changed`.
 */
export function retractNotices(
  key: string,
  undone: NoticeFacts,
  at: Temporal.Instant,
): readonly ((changed: SQL) => SQL)[] {
  const isMeant = (changed: SQL) => sql`key = ${key} and exists (select 1 from ${changed})`;
  const forget = (changed: SQL) => sql`delete from notices where ${isMeant(changed)} and not ${isKnownIn('notices')}`;
  const answer = (changed: SQL) => sql`
    update notices set id = default, at = ${at.toString()}::timestamptz, read_at = null, seen_at = null, mail_at = null,
      facts = ${JSON.stringify(undone)}::jsonb where ${isMeant(changed)} and ${isKnownIn('notices')}`;
  return [forget, answer];
}

/** Those of some of the people that one change was about. All of them have its key. */
export const forgetNoticesById = (ids: readonly string[]): SQL =>
  sql`delete from notices where id = any(${sql.param([...ids])}::bigint[]) returning person_id::text as "personId"`;
