// One person's questions about numbers take turns on a server, so they leave connections to the database for everyone else.
import { refuse } from '#core/base/refusals.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';

/** A page shows its tiles as fast with these as with more: the database has few cores. */
const atOnce = 3;
/** More than a few open pages ask for. */
const mostWaiting = 200;
const longestWaitMs = 20_000;

type Lane = { running: number; readonly waiting: Set<() => void> };

/** Of people who are asking now, and of nobody else. */
const lanes = new Map<string, Lane>();

const crowded = () =>
  new RefusalError(refuse('TOO_MANY_ATTEMPTS', 'You are loading too many numbers at once. Try again in a moment'), {
    retryAfter: 5,
  });

/** Runs the work when it is its turn among those of the same person. Throws where too many wait, or it takes too long. */
export async function inNumberTurn<T>(personId: string, work: () => Promise<T>): Promise<T> {
  const lane = lanes.get(personId) ?? { running: 0, waiting: new Set() };
  lanes.set(personId, lane);
  if (lane.running < atOnce) lane.running += 1;
  else await turnOf(lane);
  try {
    return await work();
  } finally {
    const [next] = lane.waiting;
    if (next) {
      lane.waiting.delete(next);
      next();
    } else {
      lane.running -= 1;
      if (lane.running === 0) lanes.delete(personId);
    }
  }
}

/** The turn of whoever ended goes to the first that waits. */
async function turnOf({ waiting }: Lane): Promise<void> {
  if (waiting.size >= mostWaiting) throw crowded();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  waiting.add(resolve);
  const timer = setTimeout(() => {
    if (waiting.delete(resolve)) reject(crowded());
  }, longestWaitMs).unref();
  await promise.finally(() => clearTimeout(timer));
}
