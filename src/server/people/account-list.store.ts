// SQL of the account list for operators.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';

export type ListedAccount = {
  readonly id: string;
  readonly email: string;
  readonly role: string | null;
  readonly disabled: boolean;
  /** Null if none is still recorded. */
  readonly lastSignIn: string | null;
  readonly waysIn: readonly string[];
};

/** Every account, by email address. */
export async function readAccountList(queries: Queries, now: string): Promise<ListedAccount[]> {
  const { rows } = await queries.execute<ListedAccount>(sql`
    select p.id::text as id, p.email, p.role, p.disabled_at is not null as disabled,
      to_char(greatest(
        (select max(e.at) from account_events e where e.person_id = p.id and e.kind in ('signedIn', 'signedInNewDevice')),
        (select max(s.created_at) from sessions s where s.person_id = p.id)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        as "lastSignIn",
      array_remove(array[
        case when p.password_hash is not null then 'password' end,
        case when exists (select from identities i where i.person_id = p.id) then 'single sign-on' end,
        case when exists (select from passkeys k where k.person_id = p.id) then 'passkey' end,
        case when exists (select from authenticators t where t.person_id = p.id and t.confirmed_at is not null)
          then 'authenticator app' end,
        case when exists (select from account_links l where l.person_id = p.id and l.expires_at > ${now}::timestamptz)
          then 'open link' end], null) as "waysIn"
    from people p order by lower(p.email), p.id`);
  return rows;
}
