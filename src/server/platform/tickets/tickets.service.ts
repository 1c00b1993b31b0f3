// Tickets for downloads: a browser downloads by a plain link, which carries no token. So a page asks for a ticket first, good once
// and for a minute, and whoever redeems it is known again and checked again by the export that it is for.
import { sql } from 'drizzle-orm';
import { refuse } from '#core/base/refusals.ts';
import type { RequestContext, Services, SignedInPerson } from '../context.ts';
import type { Queries } from '../db/database.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { hashText } from '../hash-text.ts';
import { randomToken } from '../random-token.ts';
import { readViewerOfPerson } from '../viewer.ts';

const ticketSeconds = 60;

export type Ticket = { readonly ticket: string; readonly expiresAt: string };

/** `request` says what is to be downloaded, and by its keys which export it is for. */
export async function makeTicket({ viewer, database, clock }: RequestContext, request: object): Promise<Ticket> {
  const ticket = randomToken();
  const now = clock.now();
  const expiresAt = now.add({ seconds: ticketSeconds }).toString();
  await insertTicket(database.drizzle, {
    hash: hashText(ticket),
    personId: viewer.id,
    request,
    now: now.toString(),
    expiresAt,
  });
  return { ticket, expiresAt };
}

/** Whose ticket it is. Throws where it is no longer good, and leaves it as it is. */
export async function holderOfTicket(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  ticket: string,
): Promise<string> {
  const holder = await readTicketHolder(database.drizzle, hashText(ticket), clock.now().toString());
  if (holder === undefined) throw ticketExpired();
  return holder;
}

/** What the ticket is for, and for whom as they are now; throws when it is no longer good. */
export async function redeemTicket(
  services: Services,
  ticket: string,
): Promise<{ readonly viewer: SignedInPerson; readonly request: object }> {
  const { database, clock } = services;
  const kept = await takeTicket(database.drizzle, hashText(ticket), clock.now().toString());
  const viewer = kept && (await readViewerOfPerson(services, kept.personId));
  if (!kept || !viewer) throw ticketExpired();
  return { viewer, request: kept.request };
}

export const ticketExpired = (): RefusalError =>
  new RefusalError(refuse('LINK_EXPIRED', 'This download expired. Export again'));

/** The query of an address that a ticket opens. */
export const ticketQuery = {
  type: 'object',
  properties: { ticket: { type: 'string', pattern: '^[\\w-]{43}$' } },
  required: ['ticket'],
  additionalProperties: false,
} as const;

type KeptTicket = { readonly personId: string; readonly request: object };

/** Tickets that nobody came for are cleared away when the next one is made. */
async function insertTicket(
  queries: Queries,
  ticket: KeptTicket & { readonly hash: Buffer; readonly now: string; readonly expiresAt: string },
): Promise<void> {
  await queries.execute(sql`
    with stale as (delete from export_tickets where expires_at <= ${ticket.now}::timestamptz)
    insert into export_tickets (token_hash, person_id, request, expires_at)
    values (${ticket.hash}, ${ticket.personId}, ${JSON.stringify(ticket.request)}::jsonb, ${ticket.expiresAt})`);
}

/** Whose ticket it is; undefined where it is no longer good. */
async function readTicketHolder(queries: Queries, hash: Buffer, now: string): Promise<string | undefined> {
  const { rows } = await queries.execute<{ personId: string }>(sql`
    select person_id::text as "personId" from export_tickets
    where token_hash = ${hash} and expires_at > ${now}::timestamptz`);
  return rows[0]?.personId;
}

/** Takes the ticket away; of two who come with it, one gets it. */
async function takeTicket(queries: Queries, hash: Buffer, now: string): Promise<KeptTicket | null> {
  const { rows } = await queries.execute<KeptTicket>(sql`
    delete from export_tickets where token_hash = ${hash} and expires_at > ${now}::timestamptz
    returning person_id::text as "personId", request`);
  return rows[0] ?? null;
}
