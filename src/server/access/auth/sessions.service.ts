// A person's sessions, listed and ended by the person or a manager.
import { refuse } from '#core/base/refusals.ts';
import type { Services } from '#server/platform/context.ts';
import type { Clock } from '#server/platform/db/clock.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { instantText } from '#server/platform/instant-text.ts';
import type { LiveChanges } from '#server/platform/live/live.service.ts';
import { randomToken } from '#server/platform/random-token.ts';
import { tokenHash } from '#server/platform/viewer.ts';
import { forgetOtherDevices } from './known-devices.ts';
import * as store from './sessions.store.ts';

export type Session = store.SessionRow;

/** What ending sessions needs; request contexts and commands both have it. */
export type SessionEnder = { readonly clock: Clock; readonly live: Pick<LiveChanges, 'publish'> };

/** `asking`: the requesting session, which is marked. */
export async function sessionsOf(
  queries: Queries,
  personId: string,
  now: Temporal.Instant,
  asking: Buffer | null = null,
): Promise<Session[]> {
  const rows = await store.readSessions(queries, personId, { now: now.toString(), asking });
  const written = (instant: string) => instantText(Temporal.Instant.from(instant));
  return rows.map((row) => ({
    ...row,
    createdAt: written(row.createdAt),
    expiresAt: written(row.expiresAt),
    lastUsedAt: row.current ? instantText(now) : row.lastUsedAt && written(row.lastUsedAt),
  }));
}

/**
 * Revokes the tokens on commit (D14), and every server ends the open sockets. Also cancels unfinished flows,
 * so nothing started with a stolen token can be finished. Returns how many ended.
 */
export async function endSessionsOf(
  queries: Queries,
  { clock, live }: SessionEnder,
  personId: string,
  ending: store.Ending = {},
): Promise<number> {
  const ended = await store.endSessions(queries, personId, { ...ending, now: clock.now().toString() });
  if (ending.id === undefined) await store.dropPending(queries, personId);
  if (ended > 0) await live.publish(queries, 'sessionsChanged', { personIds: [personId] });
  return ended;
}

/** More than anyone signs in within an hour. */
export const mostSessions = 200;

/**
 * Keeps the person's newest sessions, with a new one. Unfinished sign-ins are counted apart: with the
 * password alone, nobody ends the sessions of its owner.
 */
export async function endOldestSessions(
  queries: Queries,
  { clock, live }: SessionEnder,
  personId: string,
  kept: Buffer,
): Promise<void> {
  const ended = await store.deleteOldest(queries, personId, { now: clock.now().toString(), kept, most: mostSessions });
  if (ended > 0) await live.publish(queries, 'sessionsChanged', { personIds: [personId] });
}

/** A session with a new token, which is returned only once. */
export type RenewedSession = { readonly token: string; readonly session: Buffer };

/**
 * Ends all of a person's other sessions and forgets the other browsers. The requesting session gets a new
 * token, because the old one may be stolen. Returns how many ended.
 */
export async function endOtherSessions(
  queries: Queries,
  ender: SessionEnder,
  personId: string,
  session: Buffer,
): Promise<RenewedSession & { readonly ended: number }> {
  const ended = await endSessionsOf(queries, ender, personId, { except: session });
  const renewed = await renewToken(queries, ender, personId, session);
  await forgetOtherDevices(queries, personId, renewed.session);
  return { ended, ...renewed };
}

/** The session continues with a new token, because someone may have copied the old one. */
export async function renewToken(
  queries: Queries,
  { live }: SessionEnder,
  personId: string,
  session: Buffer,
): Promise<RenewedSession> {
  const token = randomToken();
  const renewed = tokenHash(token);
  // Of two concurrent calls, the second changes nothing and the first one's token stays valid.
  if (!(await store.replaceToken(queries, session, renewed))) throw new RefusalError(refuse('NOT_SIGNED_IN'));
  // Ends sockets opened with the old token.
  await live.publish(queries, 'sessionsChanged', { personIds: [personId] });
  return { token, session: renewed };
}

/** A session's last use is written once a minute at most, in one statement for all sessions. */
const flushMs = 60_000;
const mostNoted = 20_000;

/** Records which sessions are used without delaying requests. */
export class SessionUses {
  readonly #services: Services;
  readonly #timer: NodeJS.Timeout;
  #uses = new Map<string, string>();

  constructor(services: Services) {
    this.#services = services;
    this.#timer = setInterval(() => void this.flush(), flushMs).unref();
  }

  note(session: Buffer): void {
    if (this.#uses.size < mostNoted) this.#uses.set(session.toString('hex'), this.#services.clock.now().toString());
  }

  async flush(): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    const { database, log } = this.#services;
    await store
      .saveUses(database.drizzle, uses)
      .catch((error) => log.warn({ err: error }, 'the use of sessions could not be saved'));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
