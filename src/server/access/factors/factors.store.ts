// SQL of second factors: passkeys, authenticator apps, recovery codes, and the policy for a person.
import { sql } from 'drizzle-orm';
import type { Factors } from '#core/access/second-factor.ts';
import { canSignInSql } from '#server/platform/can-sign-in.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { otherAdminSql } from '#server/platform/viewer.ts';
import { authenticators, passkeys, recoveryCodes } from './factor-tables.ts';

export async function readFactors(queries: Queries, personId: string): Promise<Factors> {
  const { rows } = await queries.execute<Factors>(sql`
    select (select count(*) from passkeys where person_id = ${personId}::bigint)::integer as passkeys,
      exists (select from authenticators where person_id = ${personId}::bigint and confirmed_at is not null) as authenticator,
      (select count(*) from recovery_codes where person_id = ${personId}::bigint and used_at is null)::integer
        as "recoveryCodesLeft"`);
  return rows[0] as Factors;
}

export type PersonOfPolicy = { readonly role: string | null; readonly otherAdmin: boolean };

/** Locked until the transaction ends, so a person's last factor can't go while another call depends on it. */
export async function lockPersonOfPolicy(queries: Queries, personId: string): Promise<PersonOfPolicy | undefined> {
  const { rows } = await queries.execute<PersonOfPolicy>(sql`
    select p.role, ${sql.raw(otherAdminSql)} as "otherAdmin" from people p where p.id = ${personId}::bigint for update of p`);
  return rows[0];
}

export async function readPersonOfPolicy(queries: Queries, personId: string): Promise<PersonOfPolicy | undefined> {
  const { rows } = await queries.execute<PersonOfPolicy>(sql`
    select p.role, ${sql.raw(otherAdminSql)} as "otherAdmin" from people p where p.id = ${personId}::bigint`);
  return rows[0];
}

/** Whether a password, a passkey or a company sign-in remains. */
export async function canSignIn(queries: Queries, personId: string): Promise<boolean> {
  const { rows } = await queries.execute(sql`
    select from people p where p.id = ${personId}::bigint and ${sql.raw(canSignInSql('p'))}`);
  return rows.length > 0;
}

export type PasskeyRow = {
  readonly id: string;
  readonly credentialId: Buffer;
  readonly transports: string[];
  readonly name: string;
  readonly backedUp: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
};

export async function readPasskeys(queries: Queries, personId: string): Promise<PasskeyRow[]> {
  const { rows } = await queries.execute<PasskeyRow>(sql`
    select id::text, credential_id as "credentialId", transports, name, backed_up as "backedUp",
      created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkeys where person_id = ${personId}::bigint order by passkeys.id`);
  return rows;
}

export type NewPasskey = Omit<typeof passkeys.$inferInsert, 'personId'> & { readonly personId: string };

/** The id, or null if the passkey already exists. */
export async function insertPasskey(queries: Queries, passkey: NewPasskey): Promise<string | null> {
  const [row] = await queries
    .insert(passkeys)
    .values({ ...passkey, personId: BigInt(passkey.personId) })
    .onConflictDoNothing()
    .returning({ id: passkeys.id });
  return row ? String(row.id) : null;
}

export type LockedPasskey = {
  readonly id: string;
  readonly personId: string;
  readonly publicKey: Buffer;
  readonly counter: string;
  readonly name: string;
  readonly createdAt: string;
  readonly disabled: boolean;
};

/** Locked with its person until the transaction ends, so a repeated counter is refused. */
export async function lockPasskey(queries: Queries, credentialId: Buffer): Promise<LockedPasskey | undefined> {
  await queries.execute(sql`
    select from people where id = (select person_id from passkeys where credential_id = ${credentialId}) for no key update`);
  const { rows } = await queries.execute<LockedPasskey>(sql`
    select k.id::text, k.person_id::text as "personId", k.public_key as "publicKey", k.counter::text, k.name,
      k.created_at as "createdAt", p.disabled_at is not null as disabled
    from passkeys k join people p on p.id = k.person_id where k.credential_id = ${credentialId} for update of k`);
  return rows[0];
}

export async function savePasskeyUse(
  queries: Queries,
  id: string,
  use: { counter: number; backedUp: boolean; at: string },
): Promise<void> {
  await queries.execute(sql`
    update passkeys set counter = ${use.counter}, backed_up = ${use.backedUp}, last_used_at = ${use.at}::timestamptz
    where id = ${id}::bigint`);
}

/** The previous name, or null if the person has no such passkey. */
export async function renamePasskey(
  queries: Queries,
  personId: string,
  id: string,
  name: string,
): Promise<string | null> {
  const { rows } = await queries.execute<{ before: string }>(sql`
    update passkeys k set name = ${name} from passkeys b
    where k.id = ${id}::bigint and k.person_id = ${personId}::bigint and b.id = k.id returning b.name as before`);
  return rows[0]?.before ?? null;
}

/** The names of the removed ones. Without an id, removes all. */
export async function deletePasskeys(queries: Queries, personId: string, id?: string): Promise<string[]> {
  const one = id === undefined ? sql`` : sql`and id = ${id}::bigint`;
  const { rows } = await queries.execute<{ name: string }>(
    sql`delete from passkeys where person_id = ${personId}::bigint ${one} returning name`,
  );
  return rows.map(({ name }) => name);
}

export type AuthenticatorRow = {
  readonly secret: Buffer;
  readonly lastStep: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
};

const authenticatorColumns = sql`secret, last_step::text as "lastStep", created_at as "createdAt", last_used_at as "lastUsedAt"`;

/** Locked until the transaction ends, so a repeated code is refused. */
export async function lockAuthenticator(queries: Queries, personId: string): Promise<AuthenticatorRow | undefined> {
  const { rows } = await queries.execute<AuthenticatorRow>(sql`
    select ${authenticatorColumns} from authenticators
    where person_id = ${personId}::bigint and confirmed_at is not null for update`);
  return rows[0];
}

export async function readAuthenticator(
  queries: Queries,
  personId: string,
): Promise<Omit<AuthenticatorRow, 'secret'> | undefined> {
  const { rows } = await queries.execute<AuthenticatorRow>(sql`
    select last_step::text as "lastStep", created_at as "createdAt", last_used_at as "lastUsedAt" from authenticators
    where person_id = ${personId}::bigint and confirmed_at is not null`);
  return rows[0];
}

/** Replaces an existing one. */
export async function saveAuthenticator(
  queries: Queries,
  personId: string,
  { secret, step, at }: { secret: Buffer; step: number; at: string },
): Promise<void> {
  const values = { secret, lastStep: BigInt(step), createdAt: at, confirmedAt: at, lastUsedAt: at };
  await queries
    .insert(authenticators)
    .values({ personId: BigInt(personId), ...values })
    .onConflictDoUpdate({ target: authenticators.personId, set: values });
}

export async function saveCodeUse(queries: Queries, personId: string, step: number, at: string): Promise<void> {
  await queries.execute(sql`
    update authenticators set last_step = ${step}, last_used_at = ${at}::timestamptz where person_id = ${personId}::bigint`);
}

export async function deleteAuthenticator(queries: Queries, personId: string): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`delete from authenticators where person_id = ${personId}::bigint`);
  return (rowCount ?? 0) > 0;
}

export async function readSecrets(queries: Queries): Promise<{ personId: string; secret: Buffer }[]> {
  const { rows } = await queries.execute<{ personId: string; secret: Buffer }>(
    sql`select person_id::text as "personId", secret from authenticators order by person_id`,
  );
  return rows;
}

export async function replaceSecret(queries: Queries, personId: string, before: Buffer, after: Buffer): Promise<void> {
  await queries.execute(sql`
    update authenticators set secret = ${after} where person_id = ${personId}::bigint and secret = ${before}`);
}

export async function replaceRecoveryCodes(
  queries: Queries,
  personId: string,
  hashes: readonly Buffer[],
  at: string,
): Promise<void> {
  await deleteRecoveryCodes(queries, personId);
  await queries
    .insert(recoveryCodes)
    .values(hashes.map((codeHash) => ({ personId: BigInt(personId), codeHash, createdAt: at })));
}

export async function deleteRecoveryCodes(queries: Queries, personId: string): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`delete from recovery_codes where person_id = ${personId}::bigint`);
  return (rowCount ?? 0) > 0;
}

/** Uses up the code; false if it is invalid or used. */
export async function saveRecoveryCodeUse(
  queries: Queries,
  personId: string,
  hash: Buffer,
  at: string,
): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    update recovery_codes set used_at = ${at}::timestamptz
    where person_id = ${personId}::bigint and code_hash = ${hash} and used_at is null`);
  return rowCount === 1;
}

/** Ends a session that waits for its step; false if it has ended or moved on. */
export async function takeStepSession(
  queries: Queries,
  { session, level, now }: { session: Buffer; level: string; now: string },
): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    delete from sessions where token_hash = ${session} and level = ${level} and expires_at > ${now}::timestamptz`);
  return rowCount === 1;
}

/** Ends the person's other sessions that wait for a step. */
export async function endStepSessions(queries: Queries, personId: string, except: Buffer): Promise<void> {
  await queries.execute(sql`
    update sessions set expires_at = created_at
    where person_id = ${personId}::bigint and level <> 'full' and token_hash <> ${except} and expires_at > created_at`);
}

/** Takes a session back to a step. The step starts now, because the person just proved who they are. */
export async function reduceSession(
  queries: Queries,
  session: Buffer,
  { level, now, expiresAt }: { level: string; now: string; expiresAt: string },
): Promise<void> {
  await queries.execute(sql`
    update sessions set level = ${level}, verified_at = ${now}::timestamptz, expires_at = ${expiresAt}::timestamptz
    where token_hash = ${session}`);
}

/** Adding a factor is no new proof. The session's last one counts, so a copied token gains no time. */
export async function strengthenSession(queries: Queries, session: Buffer, method: string): Promise<void> {
  await queries.execute(sql`
    update sessions set factor_verified_at = greatest(factor_verified_at, verified_at, created_at),
      method = case when coalesce(method, 'password') in ('password', 'link') then ${method} else method end
    where token_hash = ${session} and level = 'full'`);
}
