// Tickets for downloads: a browser downloads by a plain link, which carries no token. A page requests a
// ticket first, valid once and for a minute. The export checks the holder again when it is redeemed.
import { sql } from 'drizzle-orm';
import { refuse } from '#core/base/refusals.ts';
import type { RequestContext, Services, SignedInPerson } from '../context.ts';
import type { Queries } from '../db/database.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { hashText } from '../hash-text.ts';
import { randomToken } from '../random-token.ts';
import { type LinkHolder, readLinkHolder, sessionIdOf } from '../viewer.ts';

const ticketSeconds = 60;

export type Ticket = { readonly ticket: string; readonly expiresAt: string };

/** `request` says what to download, and its keys identify the export. */
export async function makeTicket(context: RequestContext, request: object): Promise<Ticket> {
  const { viewer, database, clock, session } = context;
  const ticket = randomToken();
  const now = clock.now();
  const expiresAt = now.add({ seconds: ticketSeconds }).toString();
  const kept = { hash: hashText(ticket), personId: viewer.id, session, request, now: now.toString(), expiresAt };
  if (!(await insertTicket(database.drizzle, kept))) throw new RefusalError(refuse('NOT_SIGNED_IN'));
  return { ticket, expiresAt };
}

/** The ticket's holder, without using it up. Throws if it is no longer valid. */
export async function holderOfTicket(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  ticket: string,
): Promise<string> {
  const holder = await readTicketHolder(database.drizzle, hashText(ticket), clock.now().toString());
  if (holder === undefined) throw ticketExpired();
  return holder;
}

/** The ticket's request and its holder's current permissions; throws if it is no longer valid. */
export async function redeemTicket(
  services: Services,
  ticket: string,
): Promise<{ readonly viewer: SignedInPerson; readonly holder: TicketHolder; readonly request: object }> {
  const { database, clock } = services;
  const openedAt = clock.now();
  const kept = await takeTicket(database.drizzle, hashText(ticket), openedAt.toString());
  const viewer = kept && (await readLinkHolder(services, kept, openedAt));
  if (!kept || !viewer) throw ticketExpired();
  return { viewer, holder: { ...kept, openedAt }, request: kept.request };
}

/** A download may take longer than its session, unless that is ended early. */
export type TicketHolder = LinkHolder & { readonly openedAt: Temporal.Instant };

export const ticketExpired = (): RefusalError =>
  new RefusalError(refuse('LINK_EXPIRED', 'This download expired. Export again'));

/** The query of a download address. */
export const ticketQuery = {
  type: 'object',
  properties: { ticket: { type: 'string', pattern: '^[\\w-]{43}$' } },
  required: ['ticket'],
  additionalProperties: false,
} as const;

type KeptTicket = LinkHolder & { readonly request: object };

type NewTicket = Omit<KeptTicket, 'sessionId'> & {
  readonly hash: Buffer;
  readonly session: Buffer | null;
  readonly now: string;
  readonly expiresAt: string;
};

/** Also deletes expired tickets. Returns false if the session has ended. */
async function insertTicket(queries: Queries, ticket: NewTicket): Promise<boolean> {
  const sessionId = ticket.session && sessionIdOf(ticket.session);
  const { rowCount } = await queries.execute(sql`
    with stale as (delete from export_tickets where expires_at <= ${ticket.now}::timestamptz)
    insert into export_tickets (token_hash, person_id, session_id, request, expires_at)
    select ${ticket.hash}, ${ticket.personId}::bigint, ${sessionId}, ${JSON.stringify(ticket.request)}::jsonb, ${ticket.expiresAt}::timestamptz
    where exists (select from sessions where token_hash = ${ticket.session} and expires_at > ${ticket.now}::timestamptz)`);
  return rowCount === 1;
}

/** The ticket's holder; undefined if it is no longer valid. */
async function readTicketHolder(queries: Queries, hash: Buffer, now: string): Promise<string | undefined> {
  const { rows } = await queries.execute<{ personId: string }>(sql`
    select person_id::text as "personId" from export_tickets
    where token_hash = ${hash} and expires_at > ${now}::timestamptz`);
  return rows[0]?.personId;
}

/** Deletes the ticket; of two concurrent callers, one gets it. */
async function takeTicket(queries: Queries, hash: Buffer, now: string): Promise<KeptTicket | null> {
  const { rows } = await queries.execute<KeptTicket>(sql`
    delete from export_tickets where token_hash = ${hash} and expires_at > ${now}::timestamptz
    returning person_id::text as "personId", coalesce(session_id, '') as "sessionId", request`);
  return rows[0] ?? null;
}
