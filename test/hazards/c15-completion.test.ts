// C15: what is shown as completed is reckoned from the tasks when it is asked for. After any history, written
// on two servers at once, it is what the history itself comes to.
import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import { startTestApp, type TestApp } from '../app.ts';
import { rounds } from '../sampling.ts';
import { approving, prepareTasks, type Someone, someone, staff } from '../task-fixtures.ts';
import { expectNone, seed } from './rounds.ts';

let servers: readonly [TestApp, TestApp];
let approver: Someone;
let sprintId: string;

beforeAll(async () => {
  const one = await startTestApp();
  servers = [one, await startTestApp({ beside: one })];
  sprintId = await one.sprint();
  approver = await someone(one, { permissions: [...approving, 'VIEW_TOP_5_STATS'] });
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.stop();
});

const update =
  'mutation ($id: ID!, $status: TaskStatus, $title: String) { updateTask(id: $id, status: $status, title: $title) { id } }';
const withdraw = 'mutation ($id: ID!) { withdrawTask(taskId: $id) { id } }';
const undo = 'mutation ($id: ID!) { undoDecision(taskId: $id) { id } }';

const statuses = [
  'INAPPROVAL',
  'DENIED',
  'TODO',
  'INPROGRESS',
  'INREVIEW',
  'DONE',
] as const satisfies readonly TaskStatus[];
const step = fc.record({
  task: fc.nat(3),
  act: fc.oneof(
    { weight: 6, arbitrary: fc.record({ by: fc.constantFrom('owner', 'approver'), to: fc.constantFrom(...statuses) }) },
    { weight: 1, arbitrary: fc.constantFrom('edit', 'withdraw', 'undo') },
  ),
});
/** Groups of what is sent at once; most of what chance asks for is refused, which is right too. */
const history = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 15 });

/**
 * D20, of the last line of each task's history: approved work that is completed or signed off, in percent
 * with one decimal.
 */
async function historyFields(ids: readonly string[]): Promise<number | null> {
  const { rows } = await servers[0].database.pool.query<{ status: TaskStatus; event: string }>(
    `select distinct on (task_id) to_status as status, event from task_history where task_id = any($1) order by task_id, id desc`,
    [ids],
  );
  const standing = rows.filter(({ event }) => event !== 'withdrawn').map(({ status }) => status);
  const approved = standing.filter((status) => !['INAPPROVAL', 'DENIED'].includes(status));
  const completed = approved.filter((status) => ['INREVIEW', 'DONE'].includes(status));
  return approved.length === 0 ? null : Math.round((completed.length / approved.length) * 1_000) / 10;
}

const shownToOwner = 'query { getSprints(all: true) { id completionPercentage } }';
const shownInStats =
  'query ($id: ID!) { sprintStats(sprintId: $id) { employees { person { id } completionPercentage } } }';

test('the completion that everybody is shown is that of the history', async (context) => {
  const numRuns = rounds(12, 1_000);
  let sent = 0;
  const property = fc.asyncProperty(history, async (groups) => {
    const [one] = servers;
    const owner = await someone(one, { permissions: staff, approvers: [approver.id], role: 'Staff of C15' });
    const ids = await prepareTasks(one.database, 4, { ownerId: owner.id, sprintId });
    for (const group of groups) {
      sent += group.length;
      await Promise.all(
        group.map(({ task, act }, index) => {
          const server = servers[index % 2]!;
          const id = ids[task];
          if (act === 'edit') return server.gql(owner.token, update, { id, title: 'Edited' });
          if (act === 'withdraw') return server.gql(owner.token, withdraw, { id });
          if (act === 'undo') return server.gql(approver.token, undo, { id });
          return server.gql((act.by === 'owner' ? owner : approver).token, update, { id, status: act.to });
        }),
      );
    }
    const expected = await historyFields(ids);
    const sprints = (await servers[1].gql(owner.token, shownToOwner)).data.getSprints;
    const own = sprints.find(({ id }: { id: string }) => id === sprintId).completionPercentage;
    const { employees } = (await servers[0].gql(approver.token, shownInStats, { id: sprintId })).data.sprintStats;
    const inStats = employees.find(({ person }: { person: { id: string } }) => person.id === owner.id);
    const shown = [own, inStats ? inStats.completionPercentage : expected];
    if (shown.some((value) => value !== expected)) throw new Error(`shown ${shown}, the history says ${expected}`);
  });
  const result = await fc.check(property, { numRuns, seed, endOnFailure: true });
  expectNone(context, 'C15', sent, result.failed ? [fc.defaultReportMessage(result)] : []);
});
