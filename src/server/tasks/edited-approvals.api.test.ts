// Approvals that change the task's texts, over HTTP (D17).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import {
  approving,
  makeTeam,
  prepareTask,
  type Someone,
  someone,
  type Team,
  traces,
} from '../../../test/task-fixtures.ts';

let app: TestApp;
let team: Team;
let second: Someone;
let delegate: Someone;
let sprintId: string;

beforeAll(async () => {
  app = await startTestApp();
  sprintId = await app.sprint();
  team = await makeTeam(app);
  second = await someone(app, { permissions: approving, approvers: [team.admin.id] });
  delegate = await someone(app, { permissions: approving, approvers: [team.admin.id] });
  const asSecond = 'insert into approvers (person_id, approver_id) values ($1, $2)';
  await app.database.pool.query(asSecond, [team.owner.id, second.id]);
});
afterAll(() => app.stop());

const edit = { title: 'Call 20 shops', summary: 'And write down what they sell' };
const waiting = (status: 'INAPPROVAL' | 'INREVIEW' = 'INAPPROVAL') =>
  prepareTask(app.database, { ownerId: team.owner.id, sprintId, status, title: 'Shops' });

const decideCall =
  'mutation ($decisions: [TaskDecision!]!) { decideTasks(decisions: $decisions) { ok code task { version } } }';
async function decide(by: Someone, taskId: string, more: object = {}): Promise<string> {
  const answer = await app.gql(by.token, decideCall, {
    decisions: [{ taskId, decision: 'approve', ...edit, ...more }],
  });
  return answer.code ?? answer.data.decideTasks[0].code ?? 'made';
}
const update = async (by: Someone, id: string, more: object) =>
  (
    await app.gql(
      by.token,
      'mutation ($id: ID!, $status: TaskStatus, $title: String, $summary: String, $version: Int) { updateTask(id: $id, status: $status, title: $title, summary: $summary, version: $version) { id } }',
      { id, ...more },
    )
  ).code ?? 'made';
const undo = (by: Someone, id: string) =>
  app.gql(by.token, 'mutation ($id: ID!) { undoDecision(taskId: $id) { title summary status } }', { id });
const read = async (by: Someone, id: string) => {
  const query = `query ($id: ID!) { tasks(taskId: $id) { title summary status editedSince
    history { event actorId forName before after } } }`;
  return (await app.gql(by.token, query, { id })).data.tasks[0];
};
const seeNotices = async () => {
  const token = await app.signIn(team.owner.id);
  const { data } = await app.gql(token, '{ notices { id } }');
  const ids = data.notices.map(({ id }: { id: string }) => id);
  await app.gql(token, 'mutation ($ids: [ID!]!) { seeNotices(ids: $ids) }', { ids });
};
const lastNotice = async (): Promise<string> =>
  (await app.gql(await app.signIn(team.owner.id), '{ notices { sentence } }')).data.notices[0]?.sentence ?? '';

it('is refused to everyone who doesn’t decide the task, with other decisions, and without one', async () => {
  const [task, completed] = [await waiting(), await waiting('INREVIEW')];
  const before = [await traces(app.database, task), await traces(app.database, completed)];
  expect(await decide(team.otherApprover, task)).toBe('NOT_FOUND');
  expect(await decide(team.stranger, task)).toBe('FORBIDDEN');
  expect(await update(team.owner, task, { ...edit, status: 'TODO' })).toBe('TRANSITION_NOT_ALLOWED');
  for (const by of [team.approver, second, team.admin]) {
    expect(await decide(by, task, { decision: 'deny', change: 'No' })).toBe('FORBIDDEN');
    expect(await decide(by, completed)).toBe('FORBIDDEN');
    expect(await update(by, task, edit)).toBe('FORBIDDEN');
    expect(await update(by, task, { ...edit, status: 'DENIED' })).toBe('FORBIDDEN');
    expect(await decide(by, task, { title: ' ' })).toBe('BAD_INPUT');
    expect(await decide(by, task, { title: 'x'.repeat(1_000) })).toBe('BAD_INPUT');
  }
  expect([await traces(app.database, task), await traces(app.database, completed)]).toEqual(before);
});

it.each([
  ['by its name', (task: string) => decide(team.approver, task)],
  ['by its result', (task: string) => update(team.approver, task, { ...edit, status: 'TODO', version: 1 })],
] as const)('%s is one change, which the owner reads in the history and in the notification', async (_how, send) => {
  const task = await waiting();
  expect(await send(task)).toBe('made');
  const { history, ...now } = await read(team.owner, task);
  expect(now).toEqual({ ...edit, status: 'TODO', editedSince: null });
  expect(history).toHaveLength(2);
  const { before, after, ...entry } = history[1];
  expect(entry).toEqual({ event: 'approved', actorId: team.approver.id, forName: null });
  expect(JSON.parse(before)).toEqual({ title: 'Shops', summary: '' });
  expect(JSON.parse(after)).toMatchObject(edit);
  expect(await lastNotice()).toMatch(/ approved “Shops” and changed its title and summary$/);
  const { rows } = await app.database.pool.query(
    "select action from audit_log where subject_type = 'task' and subject_id = $1",
    [task],
  );
  expect(rows).toEqual([{ action: 'taskApproved' }]);
});

it('that changes nothing says only that the task was approved', async () => {
  const task = await waiting();
  expect(await decide(team.approver, task, { title: 'Shops', summary: '' })).toBe('made');
  expect(await lastNotice()).toMatch(/ approved “Shops”$/);
});

it('of a text that the owner changed since is refused, and writes nothing', async () => {
  const task = await waiting();
  expect(await update(team.owner, task, { title: 'Call shops' })).toBe('made');
  const before = await traces(app.database, task);
  expect(await decide(team.approver, task, { version: 1 })).toBe('CONFLICT');
  expect(await update(team.approver, task, { ...edit, status: 'TODO', version: 1 })).toBe('CONFLICT');
  expect(await traces(app.database, task)).toEqual(before);
  expect(await decide(team.approver, task, { version: 2 })).toBe('made');
});

it('that can’t be saved whole leaves neither the approval nor the texts', async () => {
  const task = await waiting();
  const before = await traces(app.database, task);
  await app.asOwner(`
    create function break_commit() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
    create constraint trigger broken after update on tasks deferrable initially deferred
      for each row execute function break_commit()`);
  expect(await decide(team.approver, task)).toBe('INTERNAL');
  await app.asOwner('drop trigger broken on tasks; drop function break_commit()');
  expect(await traces(app.database, task)).toEqual(before);
});

it('is undone with its texts, and the owner reads none of them', async () => {
  const task = await waiting();
  expect(await decide(team.approver, task)).toBe('made');
  await seeNotices();
  expect((await undo(team.approver, task)).data.undoDecision).toEqual({
    ...{ title: 'Shops', summary: '', status: 'INAPPROVAL' },
  });
  const { history } = await read(team.owner, task);
  expect(history.slice(1).map(({ before, after }: Record<string, string>) => [before, after])).toEqual([
    ['{}', '{}'],
    ['{}', '{}'],
  ]);
  expect(await lastNotice()).toMatch(/ undid the decision on “Shops”$/);
});

it('by one of two approvers leaves nothing to the other, and a delegate’s names both', async () => {
  const task = await waiting();
  expect(await decide(second, task)).toBe('made');
  expect(await decide(team.approver, task)).toBe('TRANSITION_NOT_ALLOWED');
  const absence = 'insert into absences (person_id, first_day, last_day, delegate_id) values ($1, $2, $2, $3)';
  const today = app.clock.now().toString().slice(0, 10);
  const other = await waiting();
  expect(await decide(delegate, other)).toBe('NOT_FOUND');
  await app.database.pool.query(absence, [second.id, today, delegate.id]);
  expect(await decide(delegate, other)).toBe('made');
  const { history } = await read(team.owner, other);
  expect(history[1]).toMatchObject({ event: 'approved', actorId: delegate.id, forName: expect.any(String) });
  expect(await lastNotice()).toContain(` for ${history[1].forName} approved “Shops” and changed its title and summary`);
});
