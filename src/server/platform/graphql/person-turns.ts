// One person's reads and changes take turns on a server, so they leave connections to the database for
// everyone else. A person's sessions take turns too: a runaway or stolen one keeps no other from its turn.
// Strangers' requests take turns by address.
import type { FastifyReply } from 'fastify';
import { type DocumentNode, type GraphQLResolveInfo, print } from 'graphql';
import { refuse } from '#core/base/refusals.ts';
import type { RequestContext } from '../context.ts';
import { afterReply } from '../http/after-reply.ts';
import { RefusalError } from './refusal-error.ts';

/** `heavy`: reads more than some rows. */
export type ReadTurn = 'light' | 'heavy';
/**
 * `change`: writes, and can wait for a locked row. `parse`: parses, validates and compiles a query. `body`:
 * keeps a long body in memory.
 */
type Turn = ReadTurn | 'change' | 'parse' | 'body';

/**
 * How many of one person's run at once. A page shows its tiles as fast with these as with more: the database
 * has few cores.
 */
const atOnce: Readonly<Record<Turn, number>> = { light: 5, heavy: 3, change: 3, parse: 1, body: 3 };
/** Heavy reads of many people leave two connections to short reads, such as the lookup of who asks. */
const keptFree = (poolSize: number): number => (poolSize >= 4 ? 2 : 0);
/** More than a few open pages need. */
const mostWaiting = { ofSession: 200, ofPerson: 600 } as const;
/** For all turns of one read together. */
const longestWaitMs = 15_000;

type Queue = { running: number; readonly waiting: Set<() => void> };
/** By session, in the order they are served; a served one moves to the end. */
type Lane = Map<string, Queue>;

/** Lanes of the people who are asking now. All their heavy reads share one more. */
const lanes = new Map<string, Lane>();
const everybody = 'everybody';

const refusal = (reason: string) =>
  new RefusalError(refuse('TOO_MANY_ATTEMPTS', `${reason}. Try again in a moment`), { retryAfter: 5 });
const crowded = () => refusal('Too many requests at once');
/** The turns that this waited for were other people's. */
const busy = () => refusal('Many people are reading large reports');

type Person = { readonly id: string };
type Asking = Pick<RequestContext, 'config' | 'session'> & {
  readonly viewer: Person;
  readonly impersonator?: Person | undefined;
};

/**
 * Runs the work when it is its turn. Throws where too many wait, or it takes too long. Never within another
 * turn.
 */
export function inPersonTurn<T>(context: Asking, turn: Turn, work: () => Promise<T> | T): Promise<T> {
  const { id } = context.impersonator ?? context.viewer;
  const session = context.session?.toString('hex') ?? '';
  const until = performance.now() + longestWaitMs;
  const own = (run: () => Promise<T> | T) =>
    inLane(`${turn} ${id}`, session, { most: atOnce[turn], ...mostWaiting, until, refused: crowded }, run);
  if (turn !== 'heavy') return own(work);
  const { databasePoolSize } = context.config;
  const most = databasePoolSize - keptFree(databasePoolSize);
  const unbounded = { ofSession: Number.POSITIVE_INFINITY, ofPerson: Number.POSITIVE_INFINITY };
  return own(() => inLane(everybody, '', { most, ...unbounded, until, refused: busy }, work));
}

/** The same for work that ends elsewhere. Resolves when the turn begins, with what ends it. */
export async function beginPersonTurn(context: Asking, turn: Turn): Promise<() => void> {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const whole = inPersonTurn(context, turn, () => {
    begun.resolve();
    return ended.promise;
  });
  // The turn ends first where it is refused.
  await Promise.race([begun.promise, whole]);
  return ended.resolve;
}

const limitsOf = (most: number) => ({
  ...{ most, ...mostWaiting, refused: crowded, until: performance.now() + longestWaitMs },
});

/**
 * The same for callers that aren't signed in. A flood of one kind of call leaves turns to the others of its
 * address.
 */
export const inAddressTurn = <T>(address: string, call: string, work: () => Promise<T> | T): Promise<T> =>
  inLane(`address ${address}`, call, limitsOf(atOnce.change), work);

/** The same for work that waits for one lock anyway, of all its holders: they take turns. */
export const inQueue = <T>(lock: string, holder: string, work: () => Promise<T>): Promise<T> =>
  inLane(`lock ${lock}`, holder, limitsOf(1), work);

type Limits = {
  readonly most: number;
  readonly ofSession: number;
  readonly ofPerson: number;
  /** When waiting ends, by `performance.now()`. */
  readonly until: number;
  readonly refused: () => RefusalError;
};

async function inLane<T>(key: string, session: string, limits: Limits, work: () => Promise<T> | T): Promise<T> {
  const lane = lanes.get(key) ?? new Map<string, Queue>();
  const queue = lane.get(session) ?? { running: 0, waiting: new Set() };
  lanes.set(key, lane.set(session, queue));
  try {
    if (mayStart(lane, queue, limits)) queue.running += 1;
    else await turnOf(lane, queue, limits);
    try {
      return await work();
    } finally {
      queue.running -= 1;
      startNext(lane, limits);
    }
  } finally {
    const isIdle = queue.running === 0 && queue.waiting.size === 0;
    if (isIdle && lane.get(session) === queue) lane.delete(session);
    if (lane.size === 0 && lanes.get(key) === lane) lanes.delete(key);
  }
}

const sumOf = (lane: Lane, count: (queue: Queue) => number): number =>
  [...lane.values()].reduce((sum, queue) => sum + count(queue), 0);

/** A session without a running call gets one place more: those of another can wait for a lock. */
function mayStart(lane: Lane, queue: Queue, { most }: Limits): boolean {
  return sumOf(lane, ({ running }) => running) < most + (queue.running === 0 ? 1 : 0);
}

/** Passes a finished turn to the session with the fewest running calls. */
function startNext(lane: Lane, limits: Limits): void {
  const asking = [...lane].filter(([, { waiting }]) => waiting.size > 0);
  const [first] = asking.sort(([, one], [, other]) => one.running - other.running);
  if (!first) return;
  const [session, queue] = first;
  if (!mayStart(lane, queue, limits)) return;
  const [next] = queue.waiting as Set<() => void>;
  lane.delete(session);
  lane.set(session, queue);
  queue.running += 1;
  queue.waiting.delete(next as () => void);
  next?.();
}

async function turnOf(lane: Lane, { waiting }: Queue, { ofSession, ofPerson, until, refused }: Limits): Promise<void> {
  if (waiting.size >= ofSession || sumOf(lane, (queue) => queue.waiting.size) >= ofPerson) throw refused();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  waiting.add(resolve);
  const timer = setTimeout(() => {
    if (waiting.delete(resolve)) reject(refused());
  }, until - performance.now()).unref();
  await promise.finally(() => clearTimeout(timer));
}

/** The turn that a document is parsed in, until it is executed or refused. Then other people go first. */
export class ParseTurns {
  readonly #turns = new WeakMap<FastifyReply, () => void>();
  readonly #uses = new WeakMap<DocumentNode, number>();
  readonly #compiledAfter: number;

  constructor(compiledAfter: number) {
    this.#compiledAfter = compiledAfter;
  }

  async begin(context: Asking & { readonly reply?: FastifyReply }): Promise<void> {
    const { reply } = context;
    if (!reply) return;
    const end = await beginPersonTurn(context, 'parse');
    this.#turns.set(reply, end);
    const since = performance.now();
    afterReply(reply, () => {
      // Refused, so other people get as much time as it took.
      if (this.#turns.delete(reply)) setTimeout(end, performance.now() - since).unref();
    });
  }

  /** Before the execution: a document that isn't compiled yet may be compiled next. */
  end(document: DocumentNode, reply: FastifyReply | undefined): void {
    const end = reply && this.#turns.get(reply);
    if (!end) return;
    this.#turns.delete(reply);
    const uses = (this.#uses.get(document) ?? 0) + 1;
    this.#uses.set(document, uses);
    if (uses > this.#compiledAfter) end();
    else setImmediate(end);
  }
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
