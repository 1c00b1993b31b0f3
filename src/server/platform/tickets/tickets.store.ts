// SQL of export tickets: kept in the database, so that any server can redeem what another gave out, once.
import { sql } from 'drizzle-orm';
import type { Queries } from '../db/database.ts';

export type KeptTicket = { readonly personId: string; readonly request: object };

/** Tickets that nobody came for are cleared away when the next one is made. */
export async function insertTicket(
  queries: Queries,
  ticket: KeptTicket & { readonly hash: Buffer; readonly now: string; readonly expiresAt: string },
): Promise<void> {
  await queries.execute(sql`
    with stale as (delete from export_tickets where expires_at <= ${ticket.now}::timestamptz)
    insert into export_tickets (token_hash, person_id, request, expires_at)
    values (${ticket.hash}, ${ticket.personId}, ${JSON.stringify(ticket.request)}::jsonb, ${ticket.expiresAt})`);
}

/** Whose ticket it is; undefined where it is no longer good. */
export async function readTicketHolder(queries: Queries, hash: Buffer, now: string): Promise<string | undefined> {
  const { rows } = await queries.execute<{ personId: string }>(sql`
    select person_id::text as "personId" from export_tickets
    where token_hash = ${hash} and expires_at > ${now}::timestamptz`);
  return rows[0]?.personId;
}

/** Takes the ticket away; of two who come with it, one gets it. */
export async function takeTicket(queries: Queries, hash: Buffer, now: string): Promise<KeptTicket | null> {
  const { rows } = await queries.execute<KeptTicket>(sql`
    delete from export_tickets where token_hash = ${hash} and expires_at > ${now}::timestamptz
    returning person_id::text as "personId", request`);
  return rows[0] ?? null;
}
