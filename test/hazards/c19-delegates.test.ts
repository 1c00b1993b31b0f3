// C19: a delegate, or the next in line of a task that waited too long, decides together with the approver, and
// a delegate while the absence ends. Exactly one decision is made, and none by a delegate once the approver is
// back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../app.ts';
import { rounds } from '../sampling.ts';
import { approving, prepareTask, prepareTasks, type Someone, someone, staff } from '../task-fixtures.ts';
import { type Interleaving, stoppedWhile } from './interleave.ts';
import { expectNone } from './rounds.ts';
import { inGroups, type TwoServers, twoServers } from './two-servers.ts';

const decide =
  'mutation ($id: ID!, $decision: Decision!) { decideTasks(decisions: [{ taskId: $id, decision: $decision }]) { ok code } }';

type Group = {
  readonly owner: Someone;
  readonly approver: Someone;
  readonly delegate: Someone;
  readonly sprintId: string;
};

async function makeGroup(app: TestApp): Promise<Group> {
  const approver = await someone(app, { permissions: approving });
  return {
    approver,
    owner: await someone(app, { permissions: staff, approvers: [approver.id] }),
    delegate: await someone(app, { permissions: approving }),
    sprintId: await app.sprint(),
  };
}

/** Today by the clock of the tests and by the database's. Gives the id of the absence. */
async function goAway(app: TestApp, { approver, delegate }: Group): Promise<string> {
  await app.database.pool.query('delete from absences');
  const { rows } = await app.database.pool.query<{ id: string }>(
    `insert into absences (person_id, first_day, last_day, delegate_id)
     values ($1, '2026-11-10', current_date + 1, $2) returning id::text`,
    [approver.id, delegate.id],
  );
  return rows[0]!.id;
}

const lastMade = (one: string, two: string) => Number(one === 'made') - Number(two === 'made');

type Row = { lines: number; forId: string | null; actorId: string | null };
const decisions = `select count(h.id)::int as lines, max(h.for_id)::text as "forId", max(h.actor_id)::text as "actorId"
  from tasks t left join task_history h on h.task_id = t.id and h.event in ('approved', 'denied') where t.id = $1`;

/** The delegate approves the approver, and both servers hand over after one working hour. */
async function handOver({ app, call }: TwoServers, { approver, delegate }: Group): Promise<void> {
  const approvers = 'insert into approvers (person_id, approver_id) values ($1, $2)';
  await app.database.pool.query(approvers, [approver.id, delegate.id]);
  const admin = await someone(app, { role: 'admin' });
  const query = 'mutation { changeSetting(key: "handOverHours", value: "1") { value } }';
  expect((await call({ server: 0, token: admin.token, query })).code).toBeNull();
  const seen = { server: 1, token: delegate.token, query: '{ inboxCount { toApprove } }' } as const;
  await expect.poll(async () => (await call(seen)).data.inboxCount.toApprove).toBeGreaterThan(0);
}

test.for(['the delegate’s', 'the next in line’s'])(
  'of the approver’s and %s decision at once one is made, and says for whom',
  async (whose, context) => {
    const servers: TwoServers = await twoServers();
    const { app } = servers;
    const group = await makeGroup(app);
    const count = rounds(16, 256);
    const at = '2026-11-10T09:00:00Z';
    const ids = await prepareTasks(app.database, count, { ownerId: group.owner.id, sprintId: group.sprintId, at });
    if (whose === 'the delegate’s') await goAway(app, group);
    else await handOver(servers, group);
    const codes = await inGroups(ids, 8, async (id, index) => {
      const call = (server: 0 | 1, { token }: Someone, decision: string) => ({
        ...{ server, token, query: decide, variables: { id, decision } },
      });
      const [one, two] = index % 2 === 0 ? (['approve', 'deny'] as const) : (['approve', 'approve'] as const);
      const answers = await servers.atOnce([call(0, group.approver, one), call(1, group.delegate, two)]);
      return answers.map(({ code, data }) => code ?? data.decideTasks[0].code ?? 'made').sort(lastMade);
    });
    const wrong: unknown[] = [];
    for (const [index, id] of ids.entries()) {
      const [refused, made] = codes[index] ?? [];
      const row = (await app.database.pool.query<Row>(decisions, [id])).rows[0]!;
      const isFor = row.actorId === group.delegate.id ? row.forId === group.approver.id : row.forId === null;
      // Once it is decided, it is no longer handed over.
      const isGone = whose === 'the next in line’s' && row.actorId === group.approver.id;
      if (refused !== (isGone ? 'NOT_FOUND' : 'TRANSITION_NOT_ALLOWED') || made !== 'made' || row.lines !== 1 || !isFor)
        wrong.push({ refused, made, row });
    }
    await servers.stop();
    expectNone(context, 'C19', count, wrong);
  },
);

let app: TestApp;
let interleaving: Interleaving;
let group: Group;

beforeAll(async () => {
  app = await startTestApp();
  interleaving = await stoppedWhile(app);
  group = await makeGroup(app);
});
afterAll(async () => {
  await interleaving.stop();
  await app.stop();
});

test('a delegate’s decision while the absence ends is made whole or not at all, and not after the end', async (context) => {
  const { owner, approver, delegate, sprintId } = group;
  const faults: string[] = [];
  let orders = 0;
  let refusals = 0;
  for (const isDeciderStopped of [true, false])
    for (let n = 1; ; n += 1) {
      const absence = await goAway(app, group);
      const id = await prepareTask(app.database, { ownerId: owner.id, sprintId });
      let outcome = '';
      const decides = (server: TestApp) => async () => {
        const { code, data } = await server.gql(delegate.token, decide, { id, decision: 'approve' });
        outcome = code ?? data.decideTasks[0].code ?? 'made';
      };
      const ends = (server: TestApp) => () =>
        server.gql(approver.token, 'mutation ($id: ID!) { endAbsence(id: $id) }', { id: absence });
      const { stopped } = interleaving;
      const [first, second] = isDeciderStopped ? [decides(stopped), ends(app)] : [ends(stopped), decides(app)];
      const { before } = await interleaving.run(n, first, second);
      orders += 1;
      const row = (await app.database.pool.query<Row>(decisions, [id])).rows[0]!;
      const isWhole = outcome === 'made' ? row.lines === 1 && row.forId === approver.id : row.lines === 0;
      if (!isWhole || !['made', 'NOT_FOUND'].includes(outcome)) faults.push(`${outcome}: ${JSON.stringify(row)}`);
      if (outcome === 'NOT_FOUND') refusals += 1;
      // The absence had ended when the decision took the task.
      if (isDeciderStopped && /for no key update of t/.test(before ?? '') && outcome !== 'NOT_FOUND')
        faults.push(`made after the end: ${outcome}`);
      if (before === null) break;
    }
  if (refusals === 0) faults.push('no order refused the decision');
  expectNone(context, 'C19', orders, faults);
});
