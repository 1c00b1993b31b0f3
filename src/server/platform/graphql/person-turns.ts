// One person's reads and changes take turns on a server, so they leave connections to the database for
// everyone else.
import { type GraphQLResolveInfo, print } from 'graphql';
import { refuse } from '#core/base/refusals.ts';
import type { RequestContext } from '../context.ts';
import { RefusalError } from './refusal-error.ts';

/** `heavy`: reads more than some rows. */
export type ReadTurn = 'light' | 'heavy';
/** `change`: writes, and can wait for a locked row. */
type Turn = ReadTurn | 'change';

/**
 * How many of one person's run at once. A page shows its tiles as fast with these as with more: the database
 * has few cores.
 */
const atOnce: Readonly<Record<Turn, number>> = { light: 5, heavy: 3, change: 3 };
/** Heavy reads of many people leave two connections to short reads, such as the lookup of who asks. */
const keptFree = (poolSize: number): number => (poolSize >= 4 ? 2 : 0);
/** More than a few open pages need. */
const mostWaiting = 200;
const longestWaitMs = 20_000;

type Lane = { running: number; readonly waiting: Set<() => void> };

/** Of people who are asking now, and of nobody else; the heavy reads of all of them share one. */
const lanes = new Map<string, Lane>();
const everybody = 'everybody';

const crowded = () =>
  new RefusalError(refuse('TOO_MANY_ATTEMPTS', 'You are doing too much at once. Try again in a moment'), {
    retryAfter: 5,
  });

type Asking = Pick<RequestContext, 'viewer' | 'impersonator' | 'config'>;

/**
 * Runs the work when it is its turn. Throws where too many wait, or it takes too long. Never within another
 * turn.
 */
export function inPersonTurn<T>(context: Asking, turn: Turn, work: () => Promise<T> | T): Promise<T> {
  const { id } = context.impersonator ?? context.viewer;
  const own = (run: () => Promise<T> | T) => inLane(`${turn} ${id}`, { most: atOnce[turn], mostWaiting }, run);
  if (turn !== 'heavy') return own(work);
  const { databasePoolSize } = context.config;
  const most = databasePoolSize - keptFree(databasePoolSize);
  return own(() => inLane(everybody, { most, mostWaiting: Number.POSITIVE_INFINITY }, work));
}

type Limits = { readonly most: number; readonly mostWaiting: number };

async function inLane<T>(key: string, limits: Limits, work: () => Promise<T> | T): Promise<T> {
  const lane = lanes.get(key) ?? { running: 0, waiting: new Set() };
  lanes.set(key, lane);
  if (lane.running < limits.most) lane.running += 1;
  else await turnOf(lane, limits);
  try {
    return await work();
  } finally {
    const [next] = lane.waiting;
    if (next) {
      lane.waiting.delete(next);
      next();
    } else {
      lane.running -= 1;
      if (lane.running === 0) lanes.delete(key);
    }
  }
}

/** Passes a finished turn to the first in the queue. */
async function turnOf({ waiting }: Lane, limits: Limits): Promise<void> {
  if (waiting.size >= limits.mostWaiting) throw crowded();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  waiting.add(resolve);
  const timer = setTimeout(() => {
    if (waiting.delete(resolve)) reject(crowded());
  }, longestWaitMs).unref();
  await promise.finally(() => clearTimeout(timer));
}

/** What a request has asked for already: the same field with the same arguments and parts is read once. */
const asked = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Reads a field of Query in its turn, once a request however many names it is asked under. */
export function readOnce<T>(
  context: RequestContext,
  turn: ReadTurn,
  { fieldName, fieldNodes }: GraphQLResolveInfo,
  args: object,
  read: () => Promise<T> | T,
): Promise<T> {
  const reads = asked.get(context) ?? new Map<string, Promise<unknown>>();
  asked.set(context, reads);
  const parts = fieldNodes.map(({ selectionSet }) => selectionSet && print(selectionSet));
  const key = JSON.stringify([fieldName, args, parts]);
  const found = (reads.get(key) as Promise<T> | undefined) ?? inPersonTurn(context, turn, read);
  reads.set(key, found);
  return found;
}
