// The sessions of a person, seen and ended by whoever manages people.
import type { Clock } from '../db/clock.ts';
import type { Queries } from '../db/database.ts';
import type { LiveChanges } from '../live/live.service.ts';
import { instantText } from '../sprints/sprint-week.ts';
import * as store from './sessions.store.ts';

export type Session = store.SessionRow;

/** What ending sessions needs: a request's context has it, and so has a command. */
export type SessionEnder = { readonly clock: Clock; readonly live: Pick<LiveChanges, 'publish'> };

export async function sessionsOf(queries: Queries, personId: string, now: Temporal.Instant): Promise<Session[]> {
  const rows = await store.readSessions(queries, personId, now.toString());
  const written = (instant: string) => instantText(Temporal.Instant.from(instant));
  return rows.map((row) => ({ ...row, createdAt: written(row.createdAt), expiresAt: written(row.expiresAt) }));
}

/** The tokens are no longer good from the commit on (D14), and every server ends the open sockets. Gives how many ended. */
export async function endSessionsOf(
  queries: Queries,
  { clock, live }: SessionEnder,
  personId: string,
  sessionId?: string,
): Promise<number> {
  const ended = await store.endSessions(queries, personId, { now: clock.now().toString(), id: sessionId });
  if (ended > 0) await live.publish(queries, 'rightsChanged', { roles: [], personIds: [personId] });
  return ended;
}
