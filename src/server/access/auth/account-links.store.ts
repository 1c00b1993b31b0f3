// SQL of the links for setting a password.
import { sql } from 'drizzle-orm';
import type { PasswordOwner } from '#core/access/passwords.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type LinkKind = 'invite' | 'reset';
export type OpenLink = PasswordOwner & {
  readonly personId: string;
  readonly kind: LinkKind;
  readonly shownTo: string | null;
};

/** A new link replaces the previous one. */
export async function saveLink(
  queries: Queries,
  link: {
    personId: string;
    tokenHash: Buffer;
    kind: LinkKind;
    createdAt: string;
    expiresAt: string;
    shownTo: string | null;
  },
): Promise<void> {
  const { personId, tokenHash, kind, createdAt, expiresAt, shownTo } = link;
  await queries.execute(sql`
    insert into account_links (person_id, token_hash, kind, created_at, expires_at, shown_to)
    values (${personId}::bigint, ${tokenHash}, ${kind}, ${createdAt}::timestamptz, ${expiresAt}::timestamptz, ${shownTo}::bigint)
    on conflict (person_id) do update
      set token_hash = excluded.token_hash, kind = excluded.kind, created_at = excluded.created_at, expires_at = excluded.expires_at,
        shown_to = excluded.shown_to`);
}

/** The owner of a valid link. */
export async function readLink(queries: Queries, tokenHash: Buffer, now: string): Promise<OpenLink | undefined> {
  const { rows } = await queries.execute<OpenLink>(sql`
    select p.id::text as "personId", l.kind, p.email, p.first_name as "firstName", p.last_name as "lastName", l.shown_to::text as "shownTo"
    from account_links l join people p on p.id = l.person_id
    where l.token_hash = ${tokenHash} and l.expires_at > ${now}::timestamptz and p.disabled_at is null`);
  return rows[0];
}

/**
 * Uses up the link and sets the password in one statement, so the same link can't be used twice. Returns the
 * person's id, or undefined for an invalid link.
 */
export async function redeemLink(
  queries: Queries,
  tokenHash: Buffer,
  { passwordHash, now }: { passwordHash: string; now: string },
): Promise<string | undefined> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    with used as (
      delete from account_links where token_hash = ${tokenHash} and expires_at > ${now}::timestamptz returning person_id)
    update people set password_hash = ${passwordHash}, password_changed_at = ${now}::timestamptz
    where id in (select person_id from used) and disabled_at is null returning id::text`);
  return rows[0]?.id;
}

export type LockedLink = Pick<OpenLink, 'personId' | 'kind' | 'shownTo'>;

/** A valid link and its person, locked until the transaction ends: nothing changes while it is used, once. */
export async function lockLink(queries: Queries, tokenHash: Buffer, now: string): Promise<LockedLink | undefined> {
  const { rows } = await queries.execute<LockedLink>(sql`
    select p.id::text as "personId", l.kind, l.shown_to::text as "shownTo"
    from account_links l join people p on p.id = l.person_id
    where l.token_hash = ${tokenHash} and l.expires_at > ${now}::timestamptz and p.disabled_at is null
    for update of l, p`);
  return rows[0];
}

/** Returns false if this link is no longer open. */
export async function saveShownTo(
  queries: Queries,
  personId: string,
  { tokenHash, shownTo }: { tokenHash: Buffer; shownTo: string },
): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    update account_links set shown_to = ${shownTo}::bigint
    where person_id = ${personId}::bigint and token_hash = ${tokenHash}`);
  return rowCount === 1;
}

/** Returns whether there was one. With `token`, only deletes that link. */
export async function deleteLink(queries: Queries, personId: string, token?: Buffer): Promise<boolean> {
  const only = token === undefined ? sql`` : sql`and token_hash = ${token}`;
  const { rowCount } = await queries.execute(
    sql`delete from account_links where person_id = ${personId}::bigint ${only}`,
  );
  return rowCount === 1;
}

/** The other people whose links this person saw and that still work. */
export async function readShownTo(queries: Queries, personId: string, now: string): Promise<string[]> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    select person_id::text as id from account_links
    where shown_to = ${personId}::bigint and person_id <> shown_to and expires_at > ${now}::timestamptz
    order by person_id for update`);
  return rows.map(({ id }) => id);
}

export async function readOpenLink(
  queries: Queries,
  personId: string,
  now: string,
): Promise<{ kind: LinkKind; expiresAt: string; shownTo: string | null } | undefined> {
  const { rows } = await queries.execute<{ kind: LinkKind; expiresAt: string; shownTo: string | null }>(sql`
    select kind, expires_at as "expiresAt", shown_to::text as "shownTo" from account_links
    where person_id = ${personId}::bigint and expires_at > ${now}::timestamptz`);
  return rows[0];
}
