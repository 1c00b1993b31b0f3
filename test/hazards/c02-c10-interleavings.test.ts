// C2 and C10: an approver decides while the owner edits, and while the approver is removed, in every order of
// the statements of the two. What is approved is what the approver saw, and a decision is made whole by who
// may, or not at all.
import { afterAll, beforeAll, test } from 'vitest';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import { startTestApp, type TestApp } from '../app.ts';
import { rounds } from '../sampling.ts';
import { approving, prepareTask, type Someone, someone, staff } from '../task-fixtures.ts';
import { type Interleaving, stoppedWhile } from './interleave.ts';
import { expectNone } from './rounds.ts';

let app: TestApp;
let interleaving: Interleaving;
let admin: Someone;
let approver: Someone;
let owner: Someone;
let sprintId: string;

beforeAll(async () => {
  app = await startTestApp();
  interleaving = await stoppedWhile(app);
  sprintId = await app.sprint();
  admin = await someone(app, { role: 'admin' });
  approver = await someone(app, { permissions: approving, approvers: [admin.id] });
  owner = await someone(app, { permissions: staff, approvers: [approver.id] });
});
afterAll(async () => {
  await interleaving.stop();
  await app.stop();
});

type Answer = Awaited<ReturnType<TestApp['gql']>>;
type Act = (server: TestApp, taskId: string) => Promise<Answer>;

const update =
  (variables: object, who: () => Someone): Act =>
  (server, id) =>
    server.gql(
      who().token,
      `mutation ($id: ID!, $title: String, $summary: String, $category: String, $change: String, $status: TaskStatus, $version: Int) {
      updateTask(id: $id, title: $title, summary: $summary, category: $category, change: $change, status: $status, version: $version) { version } }`,
      { id, ...variables },
    );
const byOwner = (variables: object) => update(variables, () => owner);
const ownersActs: Readonly<Record<string, Act>> = {
  'edits the title': byOwner({ title: 'Another title' }),
  'edits everything, and knows the version': byOwner({
    title: 'New',
    summary: 'New',
    category: 'Green',
    change: 'New',
    version: 1,
  }),
  withdraws: (server, id) =>
    server.gql(owner.token, 'mutation ($id: ID!) { withdrawTask(taskId: $id) { version } }', { id }),
  'adds a note': (server, id) =>
    server.gql(owner.token, 'mutation ($id: ID!) { addNoteToTask(taskId: $id, text: "Note") { version } }', { id }),
};
const decide = (status: TaskStatus): Act => update({ status, version: 1 }, () => approver);

/** What the approver saw has version 1. */
async function faultOf(taskId: string, decision: Answer, other: Answer): Promise<string | null> {
  const { rows } = await app.database.pool.query<{
    version: number;
    status: TaskStatus;
    versions: number[];
    decided: number[];
    leadsTo: TaskStatus | null;
    audits: number;
  }>(
    `select t.version, t.status, array(select version from task_history h where h.task_id = t.id order by h.id) as versions,
       array(select version from task_history h where h.task_id = t.id and h.event in ('approved', 'denied', 'signedOff', 'sentBack')) as decided,
       (select to_status from task_history h where h.task_id = t.id order by id desc limit 1) as "leadsTo",
       (select count(*)::int from audit_log a where a.subject_type = 'task' and a.subject_id = t.id::text) as audits
     from tasks t where t.id = $1`,
    [taskId],
  );
  const row = rows[0]!;
  const isMade = decision.code === null;
  const expected = Array.from({ length: row.version }, (_, index) => index + 1).join();
  if (row.versions.join() !== expected) return `the history has the versions ${row.versions}`;
  if (row.audits !== row.version - 1) return `${row.audits} audits of ${row.version - 1} changes`;
  if (row.leadsTo !== row.status) return `the history leads to ${row.leadsTo}, the task is ${row.status}`;
  if (isMade !== (row.decided.length === 1))
    return `answered ${decision.code}, and the history has ${row.decided.length} decisions`;
  if (isMade && row.decided[0] !== 2)
    return `what was approved is not what was seen, but version ${(row.decided[0] ?? 0) - 1}`;
  for (const { code } of [decision, other])
    if (![null, 'CONFLICT', 'TRANSITION_NOT_ALLOWED', 'NOT_FOUND', 'FORBIDDEN', 'ACCOUNT_DISABLED'].includes(code))
      return `answered ${code}`;
  return null;
}

/** Both orders of who is stopped, at every statement; with few rounds at every third one. */
async function everyOrder(
  status: TaskStatus,
  decision: Act,
  other: Act,
  undo: () => Promise<unknown> = async () => {},
): Promise<{ orders: number; faults: string[] }> {
  const step = rounds(3, 1);
  const faults: string[] = [];
  let orders = 0;
  for (const isDeciderStopped of [true, false]) {
    for (let n = 1; ; n += step) {
      await undo();
      const id = await prepareTask(app.database, { ownerId: owner.id, sprintId, status });
      const answers: Partial<Record<'decision' | 'other', Answer>> = {};
      const [first, second] = isDeciderStopped ? (['decision', 'other'] as const) : (['other', 'decision'] as const);
      const acts = { decision, other };
      const act = (name: 'decision' | 'other', server: TestApp) => async () => {
        answers[name] = await acts[name](server, id);
      };
      const { before, waited } = await interleaving.run(n, act(first, interleaving.stopped), act(second, app));
      orders += 1;
      const fault = await faultOf(id, answers.decision as Answer, answers.other as Answer);
      if (fault)
        faults.push(
          `${first} stopped before ${before?.slice(0, 60)}, ${waited ? 'the other waited' : 'the other ended'}: ${fault}`,
        );
      if (before === null) break;
    }
  }
  return { orders, faults };
}

test.for([
  ['INAPPROVAL', 'TODO', 'edits the title'],
  ['INAPPROVAL', 'DENIED', 'edits everything, and knows the version'],
  ['INAPPROVAL', 'TODO', 'withdraws'],
  ['INAPPROVAL', 'TODO', 'adds a note'],
  ['INREVIEW', 'DONE', 'edits everything, and knows the version'],
  ['INREVIEW', 'INPROGRESS', 'edits the title'],
] as const)(
  'of what is %s nothing becomes %s that the approver did not see, while the owner %s',
  async ([from, to, act], context) => {
    const { orders, faults } = await everyOrder(from, decide(to), ownersActs[act] as Act);
    expectNone(context, 'C2', orders, faults);
  },
);

test('the steps read, act and edit, in every order, approve what was read or nothing', async (context) => {
  const faults: string[] = [];
  let orders = 0;
  for (const [name, edit] of Object.entries(ownersActs)) {
    for (const place of [0, 1, 2]) {
      const id = await prepareTask(app.database, { ownerId: owner.id, sprintId });
      let shown = { version: 0, title: '' };
      let answer: Answer | undefined;
      const steps: (() => Promise<unknown>)[] = [
        async () => {
          const { data } = await app.gql(
            approver.token,
            'query ($id: ID) { getTasks(taskId: $id) { version title } }',
            { id },
          );
          [shown] = data.getTasks;
        },
        async () => {
          answer = await update({ status: 'TODO', version: shown.version }, () => approver)(app, id);
        },
      ];
      steps.splice(place, 0, () => edit(interleaving.stopped, id));
      for (const step of steps) await step();
      orders += 1;
      const { rows } = await app.database.pool.query<{ version: number }>(
        `select version from task_history where task_id = $1 and event = 'approved'`,
        [id],
      );
      const isRight = answer?.code === null ? rows[0]?.version === shown.version + 1 : rows.length === 0;
      if (!isRight || (place === 1 && answer?.code === null))
        faults.push(`${name} at ${place}: ${answer?.code} ${rows[0]?.version}`);
    }
  }
  expectNone(context, 'C2', orders, faults);
});

const takenAway: Readonly<Record<string, Act>> = {
  'is taken from the owner': (server) =>
    server.gql(
      admin.token,
      'mutation ($id: ID!, $other: ID!) { setApprovers(changes: [{ userId: $id, approverIds: [$other] }]) { defaultVersion } }',
      { id: owner.id, other: admin.id },
    ),
  'is disabled': (server) =>
    server.gql(admin.token, 'mutation ($id: ID!) { setUserDisabled(userId: $id, disabled: true) { id } }', {
      id: approver.id,
    }),
};

/** The approver and the session are as at the start. */
async function bringBack(): Promise<void> {
  const { pool } = app.database;
  await pool.query('update people set disabled_at = null where id = $1', [approver.id]);
  await pool.query('delete from approvers where person_id = $1', [owner.id]);
  await pool.query('insert into approvers (person_id, approver_id) values ($1, $2)', [owner.id, approver.id]);
  approver = { ...approver, token: await app.signIn(approver.id) };
}

test.for(Object.keys(takenAway))(
  'a decision is made whole or not at all while the approver %s',
  async (how, context) => {
    const { orders, faults } = await everyOrder('INAPPROVAL', decide('TODO'), takenAway[how] as Act, bringBack);
    await bringBack();
    expectNone(context, 'C10', orders, faults);
  },
);
