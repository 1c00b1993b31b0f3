// C4: two tabs of the owner and the approver change one task, one after the other and at once, on two
// servers. Whatever they send, the answers and the task are those of a model in which one call follows the
// other.
import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { startTestApp, type TestApp } from '../app.ts';
import { rounds } from '../sampling.ts';
import { makeTeam, prepareTask, type Team } from '../task-fixtures.ts';
import { type Call, callKinds, changed, type ModelTask, newTask, send } from './model-task.ts';
import { expectNone, seed } from './rounds.ts';

let servers: readonly [TestApp, TestApp];
let team: Team;
let sprintId: string;

beforeAll(async () => {
  const one = await startTestApp();
  servers = [one, await startTestApp({ beside: one })];
  sprintId = await one.sprint();
  team = await makeTeam(one);
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.stop();
});

type Model = { task: ModelTask };
type Real = { readonly id: string };

const read = 'query ($id: ID) { getTasks(taskId: $id) { title summary status version notes { text } } }';

async function taskNow(id: string): Promise<ModelTask> {
  const { notes, ...task } = (await servers[0].gql(team.admin.token, read, { id })).data.getTasks[0];
  return { ...task, notes: notes.map(({ text }: { text: string }) => text) };
}

const textOf = (value: unknown) => JSON.stringify(value);

/** One call, or two that leave together. */
class Sent implements fc.AsyncCommand<Model, Real> {
  readonly calls: readonly Call[];

  constructor(calls: readonly Call[]) {
    this.calls = calls;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, { id }: Real): Promise<void> {
    const before = model.task;
    const codes = await Promise.all(this.calls.map((call, index) => send(servers[index % 2]!, team, id, before, call)));
    const after = await taskNow(id);
    const orders = [this.calls, this.calls.toReversed()].map((calls) => {
      let task = before;
      const answers = new Map<Call, string | null>();
      for (const call of calls) {
        // What a tab knows is what it saw before the calls, not what the other one changed since.
        const { code, task: next } = changed(task, call, before);
        answers.set(call, code);
        task = next;
      }
      return { task, codes: this.calls.map((call) => answers.get(call) ?? null) };
    });
    const right = orders.find((order) => textOf(order.task) === textOf(after) && textOf(order.codes) === textOf(codes));
    if (!right) throw new Error(`no order explains ${textOf({ codes, after })}; it could be ${textOf(orders)}`);
    model.task = right.task;
  }

  toString(): string {
    return textOf(this.calls);
  }
}

const commands = fc.commands(
  [fc.tuple(callKinds).map((calls) => new Sent(calls)), fc.tuple(callKinds, callKinds).map((calls) => new Sent(calls))],
  { maxCommands: 12 },
);

test('what two clients and an approver send comes to the same as one after the other', async (context) => {
  const numRuns = rounds(25, 10_000);
  let sent = 0;
  const property = fc.asyncProperty(commands, async (list) => {
    const id = await prepareTask(servers[0].database, { ownerId: team.owner.id, sprintId, title: 'Title' });
    sent += 1;
    await fc.asyncModelRun(() => ({ model: { task: newTask }, real: { id } }), list);
    // A person writes 100 notes an hour, and the clock stands still.
    await servers[0].database.pool.query("update task_notes set at = at - interval '1 day' where task_id = $1", [id]);
  });
  const result = await fc.check(property, { numRuns, seed, endOnFailure: true });
  expectNone(context, 'C4', sent, result.failed ? [fc.defaultReportMessage(result)] : []);
});
