// SQL of signing in through an identity provider: unfinished sign-ins, and the people behind subjects.
import { sql } from 'drizzle-orm';
import { canSignInSql } from '#server/platform/can-sign-in.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { signInFlows } from './single-sign-on-tables.ts';

export type NewFlow = {
  readonly keyHash: Buffer;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly goto: string | null;
  readonly connects: string | null;
  readonly invitation: Buffer | null;
  readonly sessionHash: Buffer | null;
  readonly addressKey: Buffer;
  readonly createdAt: string;
  readonly expiresAt: string;
};

/** Replaces the oldest ones of this address beyond `most`: refusing would let one stranger block a company. */
export async function insertFlow(queries: Queries, flow: NewFlow, most: number): Promise<void> {
  await queries.execute(sql`
    delete from sign_in_flows where key_hash in (
      select key_hash from sign_in_flows where address_key = ${flow.addressKey} order by created_at desc offset ${most - 1})`);
  await queries.execute(sql`
    insert into sign_in_flows (key_hash, state, nonce, verifier, goto, connects, invitation, session_hash, address_key, created_at, expires_at)
    values (${flow.keyHash}, ${flow.state}, ${flow.nonce}, ${flow.verifier}, ${flow.goto}, ${flow.connects}::bigint, ${flow.invitation}::bytea,
      ${flow.sessionHash}::bytea, ${flow.addressKey}, ${flow.createdAt}::timestamptz, ${flow.expiresAt}::timestamptz)`);
}

export type Flow = {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly goto: string | null;
  readonly connects: string | null;
  readonly invitation: Buffer | null;
  readonly sessionHash: Buffer | null;
  readonly createdAt: string;
};

/** Takes the flow whatever the outcome: a second answer with the same key finds nothing. */
export async function takeFlow(queries: Queries, keyHash: Buffer, now: string): Promise<Flow | undefined> {
  const { rows } = await queries.execute<Flow>(sql`
    delete from sign_in_flows where key_hash = ${keyHash} and person_id is null and expires_at > ${now}::timestamptz
    returning state, nonce, verifier, goto, connects::text, invitation, session_hash as "sessionHash", created_at as "createdAt"`);
  return rows[0];
}

/** Who may take a token, and for which confirmed session. Null: for a new one. */
export type Return = { readonly personId: string; readonly session: Buffer | null };

export async function insertReturn(
  queries: Queries,
  flow: {
    keyHash: Buffer;
    personId: string;
    sessionHash: Buffer | null;
    addressKey: Buffer;
    createdAt: string;
    expiresAt: string;
  },
): Promise<void> {
  await queries
    .insert(signInFlows)
    .values({ ...flow, personId: BigInt(flow.personId), state: '', nonce: '', verifier: '' });
}

/** Who can take a token, locked until the transaction ends. */
export async function takeReturn(queries: Queries, keyHash: Buffer, now: string): Promise<Return | undefined> {
  await queries.execute(sql`
    select from people where id = (select person_id from sign_in_flows where key_hash = ${keyHash}) for no key update`);
  const { rows } = await queries.execute<Return>(sql`
    delete from sign_in_flows where key_hash = ${keyHash} and expires_at > ${now}::timestamptz
      and exists (select from people p where p.id = person_id and p.disabled_at is null)
    returning person_id::text as "personId", session_hash as session`);
  return rows[0];
}

/** Cancels tokens of people who are already back from the provider. */
export async function deleteReturns(queries: Queries, personId: string): Promise<void> {
  await queries.execute(sql`delete from sign_in_flows where person_id = ${personId}::bigint`);
}

export async function deleteEndedFlows(queries: Queries, before: string): Promise<void> {
  await queries.execute(sql`delete from sign_in_flows where expires_at < ${before}::timestamptz`);
}

export type IdentifiedPerson = {
  readonly id: string;
  readonly role: string | null;
  readonly disabled: boolean;
  readonly ofGroups: string | null;
};

/** The person behind the provider's subject, locked until the transaction ends. */
export async function lockIdentified(
  queries: Queries,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<IdentifiedPerson | undefined> {
  const person = sql`from identities i join people p on p.id = i.person_id
    where i.issuer = ${issuer} and i.subject = ${subject}`;
  await queries.execute(sql`select ${person} for no key update of p`);
  // The identity may have been unlinked while this waited for the lock.
  const { rows } = await queries.execute<IdentifiedPerson>(sql`
    select p.id::text as id, p.role, p.disabled_at is not null as disabled, i.of_groups as "ofGroups" ${person}`);
  return rows[0];
}

/** All roles, and whether another admin can sign in. */
export async function readRoleFacts(
  queries: Queries,
  personId: string,
  admin: string,
): Promise<{ roles: string[]; otherAdmins: boolean }> {
  const { rows } = await queries.execute<{ roles: string[]; otherAdmins: boolean }>(sql`
    select array(select name from roles) as roles,
      exists (select from people o where o.role = ${admin} and o.id <> ${personId}::bigint
        and ${sql.raw(canSignInSql('o'))}) as "otherAdmins"`);
  return rows[0] ?? { roles: [], otherAdmins: false };
}

export async function saveGroupRole(
  queries: Queries,
  personId: string,
  issuer: string,
  { role, ofGroups }: { role: string | null; ofGroups: string | null },
): Promise<void> {
  await queries.execute(sql`update people set role = ${role} where id = ${personId}::bigint`);
  await queries.execute(
    sql`update identities set of_groups = ${ofGroups} where person_id = ${personId}::bigint and issuer = ${issuer}`,
  );
}

export async function saveUse(queries: Queries, issuer: string, subject: string, at: string): Promise<void> {
  await queries.execute(
    sql`update identities set used_at = ${at}::timestamptz where issuer = ${issuer} and subject = ${subject}`,
  );
}

/**
 * Connects the subject to the person and replaces their previous one of the same issuer. Returns false,
 * without a change, if it is someone else's.
 */
export async function connectIdentity(
  queries: Queries,
  identity: { issuer: string; subject: string; personId: string; at: string },
): Promise<boolean> {
  const { issuer, subject, personId, at } = identity;
  await queries.execute(
    sql`delete from identities where person_id = ${personId}::bigint and issuer = ${issuer} and subject <> ${subject}
      and not exists (select from identities o where o.issuer = ${issuer} and o.subject = ${subject})`,
  );
  const { rows } = await queries.execute(sql`
    insert into identities (issuer, subject, person_id, connected_at) values (${issuer}, ${subject}, ${personId}::bigint, ${at}::timestamptz)
    on conflict (issuer, subject) do update set connected_at = identities.connected_at
      where identities.person_id = ${personId}::bigint
    returning 1`);
  return rows.length === 1;
}

/** Whether the person has a password and is connected to a provider; undefined for an unknown person. */
export async function readPasswordPath(
  queries: Queries,
  person: { id: string } | { email: string },
): Promise<{ hasPassword: boolean; connected: boolean } | undefined> {
  const who = 'id' in person ? sql`p.id = ${person.id}::bigint` : sql`lower(p.email) = lower(${person.email})`;
  const { rows } = await queries.execute<{ hasPassword: boolean; connected: boolean }>(sql`
    select p.password_hash is not null as "hasPassword", exists (select from identities i where i.person_id = p.id) as connected
    from people p where ${who} for no key update of p`);
  return rows[0];
}

export type IdentityRow = {
  /** Identifies the identity without revealing it. */
  readonly id: string;
  readonly issuer: string;
  readonly connectedAt: string;
  readonly lastUsedAt: string | null;
};

const identityColumns = sql`encode(sha256(convert_to(issuer || ' ' || subject, 'UTF8')), 'hex') as id, issuer,
  connected_at as "connectedAt", used_at as "lastUsedAt"`;

export async function readIdentities(queries: Queries, personId: string): Promise<IdentityRow[]> {
  const { rows } = await queries.execute<IdentityRow>(
    sql`select ${identityColumns} from identities where person_id = ${personId}::bigint order by connected_at`,
  );
  return rows;
}

export async function deleteIdentities(queries: Queries, personId: string, ids: readonly string[]): Promise<void> {
  await queries.execute(sql`
    delete from identities where person_id = ${personId}::bigint
      and encode(sha256(convert_to(issuer || ' ' || subject, 'UTF8')), 'hex') = any(${sql.param([...ids])}::text[])`);
}

/** The person of an active session. */
export async function readSessionPerson(queries: Queries, session: Buffer, now: string): Promise<string | undefined> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    select p.id::text from sessions s join people p on p.id = s.person_id
    where s.token_hash = ${session} and s.expires_at > ${now}::timestamptz and p.disabled_at is null for update of s`);
  return rows[0]?.id;
}
