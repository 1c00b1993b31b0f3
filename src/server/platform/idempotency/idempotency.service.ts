// Lets a client repeat a call when its answer was lost. With the same `Idempotency-Key`, nothing is created
// twice. This also covers calls relative to the current state, such as moving a card up. The key is written
// in the change's transaction, so both exist or neither.
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

/** Identifies a call for one change; null when the caller sent no key. */
export type CallKey = { readonly key: string; readonly requestHash: Buffer } | null;

const made = new WeakMap<RequestContext, number>();

/** The stored form of a key: each mutation of a request has its own place under it. */
const keyAt = (given: string, place: number): string => `${given} ${place}`;

/**
 * For `JSON.stringify`: a compiled query passes its arguments in another order than the same query the first
 * time.
 */
const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

function assertKey(given: unknown, field: string): asserts given is string {
  if (typeof given !== 'string' || !shape.test(given))
    throw new RefusalError(refuse('BAD_INPUT', `${field} must be 1 to 100 visible ASCII characters`, { field }));
}

/**
 * The key for this part of the request. One request can contain several mutations, each with its own place
 * under the key.
 */
export function callKey(context: RequestContext, what: string, input: object): CallKey {
  const { idempotencyKey: given } = context;
  if (given === undefined) return null;
  assertKey(given, 'Idempotency-Key');
  const place = made.get(context) ?? 0;
  made.set(context, place + 1);
  const requestHash = createHash('sha256')
    .update(JSON.stringify([what, input], inOrder))
    .digest();
  return { key: keyAt(given, place), requestHash };
}

/**
 * The id of what an earlier call with this key created or changed, or null if this is the first. Throws when
 * the key belongs to another call.
 */
export async function findReplay(queries: Queries, context: RequestContext, call: CallKey): Promise<string | null> {
  if (call === null) return null;
  await lockKey(queries, context, call);
  // A separate statement, which sees everything committed before the lock was released.
  const used = await store.readKey(queries, context.viewer.id, call.key);
  if (used && !used.requestHash.equals(call.requestHash)) throw new RefusalError(refuse('KEY_REUSED'));
  return used?.made ?? null;
}

/** For a change that waits before it reads its key. Throws while another call with this key runs. */
export async function lockKey(queries: Queries, { viewer }: RequestContext, call: CallKey) {
  if (call && !(await store.tryToLockKey(queries, viewer.id, call.key))) throw stillRunning();
}

const stillRunning = () => new RefusalError(refuse('STILL_RUNNING'), { retryAfter: stillRunningRetrySeconds });

/**
 * The id of what the caller's own call with this key created or changed, or null, also before the call has
 * begun. Throws while it runs.
 */
export async function callResult({ database, viewer }: RequestContext, key: string): Promise<string | null> {
  assertKey(key, 'key');
  // Two transactions: the lock ends with the first, and the second sees what was committed before.
  if (!(await store.isKeyFree(database.drizzle, viewer.id, keyAt(key, 0)))) throw stillRunning();
  return (await store.readKey(database.drizzle, viewer.id, keyAt(key, 0)))?.made ?? null;
}

/** Records what was created or changed, in the same transaction. */
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

/** Removes old keys at intervals. */
export function registerKeyCleaning(app: FastifyInstance, services: Services): void {
  const timer = setInterval(() => {
    removeOldKeys(services).catch((error) => services.log.warn({ err: error }, 'old keys could not be removed'));
  }, cleaningMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
