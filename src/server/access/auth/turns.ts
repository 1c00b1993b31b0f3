// Queues password hashing. A hash keeps a processor busy, so few run at once, and each caller has a lane: a
// flood waits behind itself, and others wait behind one of its calls at most. In the lane of an address, the
// accounts that it asks for take turns.
import { refuse } from '#core/base/refusals.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';

const mostConcurrent = 2;
/**
 * Callers beyond this are refused for now. A person does one thing at a time; an address may be a whole
 * office.
 */
const longestLane = { known: 5, stranger: 100 } as const;
/** Of the calls for one account: those of an address, and of all addresses. */
const longestAccount = { atAddress: 10, everywhere: 100 } as const;
const mostWaiting = 400;
/** All lanes finish sooner, unless a disk or a database stalls. */
const longestWaitMs = 10_000;

type Waiting = { readonly account: string; readonly come: () => void };
/** By caller, in the order they are served; a served lane moves to the end. */
type Lanes = Map<string, Waiting[]>;

let running = 0;
let served = 0;
/** One per caller at a time. */
const active = new Set<string>();
/** Browsers that signed in before, and everyone else. Served alternately, so neither blocks the other. */
const lanes: { readonly known: Lanes; readonly strangers: Lanes } = { known: new Map(), strangers: new Map() };

const countOf = (all: Lanes): number => [...all.values()].reduce((sum, lane) => sum + lane.length, 0);
const countFor = (lane: readonly Waiting[], account: string): number =>
  lane.filter((waiting) => waiting.account === account).length;

export type LaneOwner = {
  /** The caller: a session, a known browser's account, or a stranger's address. */
  readonly by: string;
  readonly known: boolean;
  /** Whose password a stranger tries. */
  readonly account?: string;
};

/** Retry in seconds. */
export const crowded = (): RefusalError => new RefusalError(refuse('TOO_MANY_ATTEMPTS'), { retryAfter: 5 });

/** Runs the work when its turn comes. Throws `crowded` if too many wait already, or it takes too long. */
export async function inTurn<T>(work: () => Promise<T>, { by, known, account = by }: LaneOwner): Promise<T> {
  const mine = known ? lanes.known : lanes.strangers;
  const key = `${known} ${by}`;
  if (running < mostConcurrent && !active.has(key)) start(key);
  else if (!(await comes(mine, key, longestLane[known ? 'known' : 'stranger'], account))) throw crowded();
  try {
    return await work();
  } finally {
    active.delete(key);
    running -= 1;
    callNext();
  }
}

function start(key: string): void {
  running += 1;
  active.add(key);
}

/** Whether the turn came. */
function comes(mine: Lanes, key: string, longest: number, account: string): Promise<boolean> {
  const lane = mine.get(key) ?? [];
  const everywhere = [...mine.values()].reduce((sum, each) => sum + countFor(each, account), 0);
  const isFull = lane.length >= longest || countOf(mine) >= mostWaiting;
  const { atAddress } = longestAccount;
  if (isFull || countFor(lane, account) >= atAddress || everywhere >= longestAccount.everywhere)
    return Promise.resolve(false);
  mine.set(key, lane);
  return new Promise((resolve) => {
    const waiting: Waiting = {
      account,
      come: () => {
        clearTimeout(timer);
        resolve(true);
      },
    };
    const timer = setTimeout(() => {
      lane.splice(lane.indexOf(waiting), 1);
      if (lane.length === 0) mine.delete(key);
      resolve(false);
    }, longestWaitMs);
    lane.push(waiting);
  });
}

/** The first lane without a running call; strangers and known callers alternate. */
function callNext(): void {
  served += 1;
  const order = served % 2 === 0 ? [lanes.strangers, lanes.known] : [lanes.known, lanes.strangers];
  for (const all of order)
    for (const [key, lane] of all) {
      if (active.has(key)) continue;
      all.delete(key);
      const next = lane.shift();
      // The others of this account go to the end.
      lane.sort((one, other) => Number(one.account === next?.account) - Number(other.account === next?.account));
      if (lane.length > 0) all.set(key, lane);
      start(key);
      next?.come();
      return;
    }
}
