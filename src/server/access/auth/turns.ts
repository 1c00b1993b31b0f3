// Queues password hashing. A hash keeps a processor busy, so few run at once, and each caller has a lane: a
// flood waits behind itself, and others wait behind one of its calls at most. A person has one lane, however
// many sessions they open. The parts of a lane take turns: a person's sessions and browsers, or the accounts
// that an address asks for.
import { refuse } from '#core/base/refusals.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';

const mostConcurrent = 2;
/** Calls that wait in one lane. More are refused for now. */
const longestLane = 100;
/** Calls that wait in one part. A session does one thing at a time; a whole office may try one account. */
const longestPart = { known: 5, stranger: 10 } as const;
/** Calls that wait for one account, in the lanes of all addresses. */
const longestEverywhere = 100;
const mostWaiting = 400;
/** All lanes finish sooner, unless a disk or a database stalls. */
const longestWaitMs = 10_000;

type Waiting = { readonly part: string; readonly come: () => void; readonly refuse: () => void };
/** By caller, in the order they are served; a served lane moves to the end. */
type Lanes = Map<string, Waiting[]>;

let running = 0;
let served = 0;
/** One per caller at a time. */
const active = new Set<string>();
/** Browsers that signed in before, and everyone else. Served alternately, so neither blocks the other. */
const lanes: { readonly known: Lanes; readonly strangers: Lanes } = { known: new Map(), strangers: new Map() };

const countOf = (all: Lanes): number => [...all.values()].reduce((sum, lane) => sum + lane.length, 0);
const countFor = (lane: readonly Waiting[], part: string): number =>
  lane.filter((waiting) => waiting.part === part).length;

export type LaneOwner = {
  /** The caller: a person's email, or a stranger's address. */
  readonly by: string;
  readonly known: boolean;
  /** A person's session or browser, or whose password a stranger tries. */
  readonly part?: string;
};

/** Each session or browser has its own queue, so a stolen token can't block its owner. */
export const personLane = (email: string, part: Buffer): LaneOwner => ({
  ...{ by: email.toLowerCase(), known: true, part: part.toString('hex') },
});

/** Retry in seconds. */
export const crowded = (): RefusalError => new RefusalError(refuse('TOO_MANY_ATTEMPTS'), { retryAfter: 5 });

/** Runs the work when its turn comes. Throws `crowded` if too many wait already, or it takes too long. */
export async function inTurn<T>(work: () => Promise<T>, { by, known, part = by }: LaneOwner): Promise<T> {
  const mine = known ? lanes.known : lanes.strangers;
  const key = `${known} ${by}`;
  if (running < mostConcurrent && !active.has(key)) start(key);
  else if (!(await comes(mine, key, longestPart[known ? 'known' : 'stranger'], part))) throw crowded();
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
function comes(mine: Lanes, key: string, longest: number, part: string): Promise<boolean> {
  const lane = mine.get(key) ?? [];
  const everywhere = [...mine.values()].reduce((sum, each) => sum + countFor(each, part), 0);
  const isFull = lane.length >= longestLane || countFor(lane, part) >= longest || everywhere >= longestEverywhere;
  if (isFull || !admitWaiting(mine, lane)) return Promise.resolve(false);
  mine.set(key, lane);
  return new Promise((resolve) => {
    const leave = (comes: boolean) => {
      clearTimeout(timer);
      resolve(comes);
    };
    const refuse = () => {
      lane.splice(lane.indexOf(waiting), 1);
      if (lane.length === 0) mine.delete(key);
      leave(false);
    };
    const waiting: Waiting = { part, refuse, come: () => leave(true) };
    const timer = setTimeout(refuse, longestWaitMs);
    lane.push(waiting);
  });
}

/** Whether one more call of this lane can wait. If all is full, the longest lane loses its last call. */
function admitWaiting(mine: Lanes, lane: readonly Waiting[]): boolean {
  if (countOf(mine) < mostWaiting) return true;
  const longest = [...mine.values()].reduce((one, other) => (other.length > one.length ? other : one), lane);
  if (longest.length <= lane.length + 1) return false;
  longest.at(-1)?.refuse();
  return true;
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
      // The others of this part go to the end.
      lane.sort((one, other) => Number(one.part === next?.part) - Number(other.part === next?.part));
      if (lane.length > 0) all.set(key, lane);
      start(key);
      next?.come();
      return;
    }
}
