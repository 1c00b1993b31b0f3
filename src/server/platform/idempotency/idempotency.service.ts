// A call that makes something may be sent again when its answer was lost: with the same `Idempotency-Key` it makes nothing new.
// So may one that counts from what is there, a note by its index or a card one place up: it would do more the second time.
// The key is written in the transaction that made the change, so either both are there or neither is.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { refuse } from '#core/base/refusals.ts';
import type { RequestContext, Services } from '../context.ts';
import type { Queries } from '../db/database.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import * as store from './idempotency.store.ts';

const keptHours = 24;
const cleaningMs = 3_600_000;
const stillRunningRetrySeconds = 1;
const shape = /^[\x21-\x7e]{1,100}$/;

/** What identifies a call for one change to be made; null where the caller gave no key. */
export type CallKey = { readonly key: string; readonly requestHash: Buffer } | null;

const made = new WeakMap<RequestContext, number>();

/** For `JSON.stringify`: a compiled query hands its arguments over in another order than the same query the first time. */
const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** The key of the call for this. One request may ask for several things: each has a place of its own under the key. */
export function callKey(context: RequestContext, what: string, input: object): CallKey {
  const { idempotencyKey: given } = context;
  if (given === undefined) return null;
  if (typeof given !== 'string' || !shape.test(given))
    throw new RefusalError(
      refuse('BAD_INPUT', 'Idempotency-Key must be 1 to 100 visible ASCII characters', { field: 'Idempotency-Key' }),
    );
  const place = made.get(context) ?? 0;
  made.set(context, place + 1);
  const requestHash = createHash('sha256')
    .update(JSON.stringify([what, input], inOrder))
    .digest();
  return { key: `${given} ${place}`, requestHash };
}

/** The id of what an earlier call with this key made or changed, or null when this one is to do it. Throws when the key is for another call. */
export async function findReplay(queries: Queries, { viewer }: RequestContext, call: CallKey): Promise<string | null> {
  if (call === null) return null;
  if (!(await store.tryToLockKey(queries, viewer.id, call.key)))
    throw new RefusalError(refuse('STILL_RUNNING'), { retryAfter: stillRunningRetrySeconds });
  // A statement of its own: it sees what was committed until the lock was free.
  const used = await store.readKey(queries, viewer.id, call.key);
  if (used && !used.requestHash.equals(call.requestHash)) throw new RefusalError(refuse('KEY_REUSED'));
  return used?.made ?? null;
}

/** Remembers what was made or changed, in the transaction that did it. */
export async function recordResult(
  queries: Queries,
  { viewer, clock }: RequestContext,
  call: CallKey,
  id: string,
): Promise<void> {
  if (call !== null)
    await store.insertKey(queries, { ...call, personId: viewer.id, made: id, at: clock.now().toString() });
}

export async function removeOldKeys({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<void> {
  await store.deleteKeys(database.drizzle, clock.now().subtract({ hours: keptHours }).toString());
}

/** Removes old keys from time to time. */
export function registerKeyCleaning(app: FastifyInstance, services: Services): void {
  const timer = setInterval(() => {
    removeOldKeys(services).catch((error) => services.log.warn({ err: error }, 'old keys could not be removed'));
  }, cleaningMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
