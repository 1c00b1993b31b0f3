// SQL of the account log.
import { sql } from 'drizzle-orm';
import {
  type AccountEventDetail,
  type AccountEventKind,
  kindsOfUse,
  type SignInMethod,
} from '#core/access/account-events.ts';
import type { Named } from '#core/people/people.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type NewEvent = {
  readonly personId: string;
  readonly at: string;
  readonly kind: string;
  readonly address: string;
  readonly agent: string | null;
  readonly method: string | null;
  readonly detail: AccountEventDetail;
  readonly actorId: string | null;
};

export async function insertEvent(queries: Queries, event: NewEvent): Promise<void> {
  const { personId, at, kind, address, agent, method, detail, actorId } = event;
  await queries.execute(sql`
    insert into account_events (person_id, at, kind, address, agent, method, detail, actor_id)
    values (${personId}::bigint, ${at}::timestamptz, ${kind}, ${address}, ${agent}, ${method},
      ${JSON.stringify(detail)}::jsonb, ${actorId}::bigint)`);
}

type CountedEvents = {
  readonly personId: string;
  readonly kinds: readonly AccountEventKind[];
  readonly since: string;
  /** Without what the person did. */
  readonly byOthers?: boolean | undefined;
  /** Only of this way to sign in. */
  readonly method?: SignInMethod | undefined;
};

export async function countEvents(
  queries: Queries,
  { personId, kinds, since, byOthers = false, method }: CountedEvents,
): Promise<number> {
  const { rows } = await queries.execute<{ count: number }>(sql`
    select count(*)::int as count from account_events where person_id = ${personId}::bigint
      and kind = any(${sql.param([...kinds])}::text[]) and at > ${since}::timestamptz
      and (${byOthers} = false or actor_id is not null)
      and ${method === undefined ? sql`true` : sql`method = ${method}`}`);
  return rows[0]!.count;
}

const signIns = ['signedIn', 'signedInNewDevice'] as const satisfies readonly AccountEventKind[];

/** Descriptions of the devices the person signed in with. */
export async function readDevices(queries: Queries, personId: string): Promise<string[]> {
  const { rows } = await queries.execute<{ device: string }>(sql`
    select distinct detail->>'device' as device from account_events
    where person_id = ${personId}::bigint and kind = any(${sql.param([...signIns])}::text[]) and detail ? 'device'`);
  return rows.map(({ device }) => device);
}

/**
 * SQL: whether account `p` is or was used, as far as the log goes back. Its ways in may have been removed
 * since.
 */
export const isUsedSql = sql`(p.password_hash is not null
  or exists (select from identities i where i.person_id = p.id)
  or exists (select from passkeys k where k.person_id = p.id)
  or exists (select from account_events e where e.person_id = p.id and e.kind = any(${sql.param([...kindsOfUse])}::text[])))`;

export async function wasEverUsed(queries: Queries, personId: string): Promise<boolean> {
  const { rows } = await queries.execute(sql`select from people p where p.id = ${personId}::bigint and ${isUsedSql}`);
  return rows.length > 0;
}

export async function readName(queries: Queries, id: string): Promise<Named | undefined> {
  const { rows } = await queries.execute<Named>(
    sql`select email, first_name as "firstName", last_name as "lastName" from people where id = ${id}::bigint`,
  );
  return rows[0];
}

export type EventRow = {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly address: string | null;
  readonly agent: string | null;
  readonly method: string | null;
  readonly detail: AccountEventDetail;
  readonly acknowledgedAt: string | null;
  readonly actor: Named | null;
};

const columns = sql`e.id::text, e.at, e.kind, e.address, e.agent, e.method, e.detail, e.acknowledged_at as "acknowledgedAt",
  (select json_build_object('email', a.email, 'firstName', a.first_name, 'lastName', a.last_name)
    from people a where a.id = e.actor_id) as actor`;

/** Newest first, those before `before`. */
export async function readEvents(
  queries: Queries,
  personId: string,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<EventRow[]> {
  const { rows } = await queries.execute<EventRow>(sql`
    select ${columns} from account_events e
    where e.person_id = ${personId}::bigint and e.id < ${before ?? '9223372036854775807'}::bigint
    order by e.id desc limit ${limit}`);
  return rows;
}

/** The browser that started a session; null if the sign-in sent no browser token. */
const browserOf = (personId: string, session: Buffer | null) => sql`(
  select own.detail->>'browser' from account_events own join sessions s
    on s.token_hash = ${session} and s.person_id = own.person_id and s.created_at = own.at and s.address = own.address
      and s.agent is not distinct from own.agent and own.kind = any(${sql.param([...signIns])}::text[])
  where own.person_id = ${personId}::bigint limit 1)`;

/** Whether `e` may be the requesting browser's sign-in: without tokens, browsers can't be told apart. */
const isOwn = (personId: string, session: Buffer | null) =>
  sql`e.detail->>'browser' is not distinct from ${browserOf(personId, session)}`;

/** Unconfirmed sign-ins on new devices, except the requesting browser's. */
export async function readUnanswered(
  queries: Queries,
  personId: string,
  { since, session }: { since: string; session: Buffer | null },
): Promise<EventRow[]> {
  const { rows } = await queries.execute<EventRow>(sql`
    select ${columns} from account_events e
    where e.person_id = ${personId}::bigint and e.kind = ${signIns[1]} and e.acknowledged_at is null
      and e.at > ${since}::timestamptz
      and not ${isOwn(personId, session)}
    order by e.id desc limit 5`);
  return rows;
}

/** Confirms all sign-ins so far, except the requesting browser's. A browser without a token confirms none. */
export async function acknowledgeAll(
  queries: Queries,
  personId: string,
  { at, session }: { at: string; session: Buffer },
): Promise<void> {
  await queries.execute(sql`
    update account_events e set acknowledged_at = ${at}::timestamptz
    where e.person_id = ${personId}::bigint and e.kind = ${signIns[1]} and e.acknowledged_at is null
      and ${browserOf(personId, session)} is not null and not ${isOwn(personId, session)}`);
}

/** Whether the session's browser has a token and needs no confirmation itself. */
export async function canAnswer(
  queries: Queries,
  personId: string,
  session: Buffer | null,
  id: string,
): Promise<boolean> {
  const { rows } = await queries.execute(sql`
    select from (select ${browserOf(personId, session)} as browser) own
    where own.browser is not null and not exists (
      select from account_events e where e.person_id = ${personId}::bigint and e.kind = ${signIns[1]}
        and (e.acknowledged_at is null or e.id = ${id}::bigint) and e.detail->>'browser' = own.browser)`);
  return rows.length > 0;
}

/**
 * Whether the person ever signed in with a browser token. Then every sign-in without one counts as new,
 * because its own description proves nothing.
 */
export async function hasNamedBrowser(queries: Queries, personId: string): Promise<boolean> {
  const { rows } = await queries.execute(sql`
    select from account_events where person_id = ${personId}::bigint and kind = any(${sql.param([...signIns])}::text[])
      and detail->>'browser' is not null limit 1`);
  return rows.length > 0;
}

/** Whether the person signed in before then, as far back as the account log goes. */
export async function signedInBefore(queries: Queries, personId: string, before: string): Promise<boolean> {
  const { rows } = await queries.execute(sql`
    select from account_events where person_id = ${personId}::bigint and kind = any(${sql.param([...signIns])}::text[])
      and at < ${before}::timestamptz limit 1`);
  return rows.length > 0;
}

/** Whether the person has such a sign-in to confirm. */
export async function isUnanswered(queries: Queries, personId: string, id: string): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    select from account_events
    where id = ${id}::bigint and person_id = ${personId}::bigint and kind = ${signIns[1]} and acknowledged_at is null`);
  return rowCount === 1;
}

/** Returns false if the person has no such sign-in, or it was already confirmed. */
export async function acknowledge(queries: Queries, personId: string, id: string, at: string): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    update account_events set acknowledged_at = ${at}::timestamptz
    where id = ${id}::bigint and person_id = ${personId}::bigint and kind = ${signIns[1]} and acknowledged_at is null`);
  return rowCount === 1;
}

export async function deleteEvents(queries: Queries, before: string): Promise<void> {
  await queries.execute(sql`delete from account_events where at < ${before}::timestamptz`);
}
