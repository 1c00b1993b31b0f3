// A steady load of what people do, at a constant rate whatever the answers take.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#server/demo/random.ts';
import { type Answered, graphql, send, upload } from './calls.ts';
import type { Staff } from './product.ts';

export type Account = { readonly email: string; readonly password: string };

export type LoadPlan = {
  readonly url: string;
  readonly staff: Staff;
  readonly accounts: readonly Account[];
  /** A task of each owner, in their order. */
  readonly taskIds: readonly string[];
  readonly random: Random;
  readonly perSecond: number;
};

export type LoadTally = {
  sent: number;
  done: number;
  /** Refused calls, and calls without an answer. */
  readonly failed: Map<string, number>;
  /** Asked to come again, as they waited too long for their turn. */
  later: number;
  /** Not sent, as too many were without an answer already. */
  held: number;
  readonly milliseconds: number[];
};

const mostConcurrent = 300;
const myWeek = '{ myWeek { sprint { id name } tasks { id title status version } waiting { toApprove toSignOff } } }';
const inbox = '{ getTasks(status: [INAPPROVAL], limit: 20) { id title status } }';
/**
 * How many tasks a person keeps in a week: pages must not get longer, or the load itself would
 * grow.
 */
const tasksKept = 5;
const create = 'mutation ($userId: ID!) { createTask(title: "Of the load", userId: $userId) { id } }';
const withdraw = 'mutation ($taskId: ID!) { withdrawTask(taskId: $taskId) { id } }';
const note = 'mutation ($taskId: ID!) { addNoteToTask(taskId: $taskId, text: "A note of the load") { id } }';

type Work = LoadPlan & {
  /** The tasks that the load made, by the id of their owner, the oldest first. */
  readonly made: Map<string, string[]>;
};

/** A task more, or the oldest one less where there are enough. */
async function createOrWithdraw({ url, staff, random, made }: Work): Promise<Answered> {
  const { id: userId, token } = random.pick(staff.owners);
  const own = made.get(userId) ?? [];
  made.set(userId, own);
  const oldest = own.length < tasksKept ? undefined : own.shift();
  if (oldest !== undefined) return graphql(url, { token }, withdraw, { taskId: oldest });
  const answer = await graphql(url, { token }, create, { userId });
  if (answer.kind === 'done') own.push(answer.body.data.createTask.id);
  return answer;
}

/** What is done how often, of a hundred. */
const mix: readonly (readonly [share: number, call: (work: Work) => Promise<Answered>])[] = [
  [45, ({ url, staff, random }) => graphql(url, random.pick(staff.owners), myWeek, {})],
  [20, ({ url, staff }) => graphql(url, staff.approver, inbox, {})],
  [10, ({ url }) => send(`${url}/config.json`)],
  [4, createOrWithdraw],
  [
    14,
    ({ url, staff, random, taskIds }) => {
      const at = random.whole(0, staff.owners.length - 1);
      return graphql(url, { token: staff.owners[at]?.token ?? '' }, note, { taskId: taskIds[at] });
    },
  ],
  [
    5,
    ({ url, staff, random, taskIds }) => {
      const at = random.whole(0, staff.owners.length - 1);
      const content = Buffer.alloc(random.whole(100, 60_000), 'a line of text\n');
      return upload(
        url,
        { token: staff.owners[at]?.token ?? '' },
        { taskId: taskIds[at] ?? '', name: 'load.txt', content },
      );
    },
  ],
  [
    2,
    ({ url, accounts, random }) =>
      send(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(random.pick(accounts)),
      }),
  ],
];

/** A hundred places, each call as often as its share. */
const places = mix.flatMap(([share, call]) => Array<typeof call>(share).fill(call));

function count(tally: LoadTally, answer: Answered): void {
  if (answer.kind === 'done') {
    tally.done += 1;
    return;
  }
  if (answer.kind === 'later') {
    tally.later += 1;
    return;
  }
  const what = answer.kind === 'unanswered' ? `no answer: ${answer.why}` : `${answer.status} ${answer.code}`;
  tally.failed.set(what, (tally.failed.get(what) ?? 0) + 1);
}

/** Tries each call once, sends until the time is over, then waits for the answers. */
export async function mixedLoad(plan: LoadPlan, untilMs: number): Promise<LoadTally> {
  const work: Work = { ...plan, made: new Map() };
  for (const [, call] of mix) {
    const answer = await call(work);
    if (answer.kind !== 'done') throw new Error(`A call of the load does not work at all: ${JSON.stringify(answer)}`);
  }
  const tally: LoadTally = { sent: 0, done: 0, failed: new Map(), later: 0, held: 0, milliseconds: [] };
  const under = new Set<Promise<void>>();
  const started = performance.now();
  for (let turn = 0; performance.now() < untilMs; turn++) {
    const due = started + (turn * 1_000) / plan.perSecond;
    await sleep(Math.max(0, due - performance.now()));
    if (under.size >= mostConcurrent) {
      tally.held += 1;
      continue;
    }
    tally.sent += 1;
    const sentAt = performance.now();
    const call: Promise<void> = plan.random
      .pick(places)(work)
      .then((answer) => {
        tally.milliseconds.push(performance.now() - sentAt);
        count(tally, answer);
        under.delete(call);
      });
    under.add(call);
  }
  await Promise.all(under);
  return tally;
}
