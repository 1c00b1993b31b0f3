// The sessions of a person, seen and ended by the person and by people managers.
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

/** What ending sessions needs: a request's context has it, and so has a command. */
export type SessionEnder = { readonly clock: Clock; readonly live: Pick<LiveChanges, 'publish'> };

/** `asking`: the session of the request, which is marked. */
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
 * The tokens are no longer good from the commit on (D14), and every server ends the open sockets. Whatever the person has under
 * way ends too, so that nothing begun with a stolen token is finished later. Gives how many ended.
 */
export async function endSessionsOf(
  queries: Queries,
  { clock, live }: SessionEnder,
  personId: string,
  ending: store.Ending = {},
): Promise<number> {
  const ended = await store.endSessions(queries, personId, { ...ending, now: clock.now().toString() });
  if (ending.id === undefined) await store.dropPending(queries, personId);
  if (ended > 0) await live.publish(queries, 'rightsChanged', { roles: [], personIds: [personId] });
  return ended;
}

/** A session that goes on under a new token, which is told once. */
export type RenewedSession = { readonly token: string; readonly session: Buffer };

/**
 * Ends every session of a person but the one that asks, and forgets the other browsers. That one gets a new token, because the old one may be what was stolen.
 * Gives how many ended.
 */
export async function endOtherSessions(
  queries: Queries,
  ender: SessionEnder,
  personId: string,
  session: Buffer,
): Promise<RenewedSession & { readonly ended: number }> {
  const ended = await endSessionsOf(queries, ender, personId, { except: session });
  const token = randomToken();
  const renewed = tokenHash(token);
  // Of two that come at once, the second changes nothing, and the token of the first stays good.
  if (!(await store.replaceToken(queries, session, renewed))) throw new RefusalError(refuse('NOT_SIGNED_IN'));
  await forgetOtherDevices(queries, personId, renewed);
  // Sockets that were opened with the old token end too.
  if (ended === 0) await ender.live.publish(queries, 'rightsChanged', { roles: [], personIds: [personId] });
  return { ended, token, session: renewed };
}

/** A session's use is written once a minute at most, in one statement for all of them. */
const flushMs = 60_000;
const mostNoted = 20_000;

/** Notes which sessions are used, beside the requests. */
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
