// The order of one's own tasks: who can change it, for which tasks and sprints, and what it leaves alone.
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import {
  makeTeam,
  prepareTask,
  prepareTasks,
  type Someone,
  someone,
  type Team,
  traces,
} from '../../../test/task-fixtures.ts';

let app: TestApp;
let team: Team;
let sprintId: string;
let ids: string[];

beforeEach(async () => {
  app = await startTestApp({ now: '2026-11-18T12:00:00Z' });
  sprintId = await app.sprint('2026-11-18T12:00:00Z');
  team = await makeTeam(app);
  ids = await prepareTasks(app.database, 3, { ownerId: team.owner.id, sprintId, status: 'TODO' });
});
afterEach(() => app.stop());

const order = (who: Someone, taskIds: readonly string[], sprint = sprintId) =>
  app.gql(who.token, 'mutation ($sprint: ID!, $taskIds: [ID!]!) { orderTasks(sprintId: $sprint, taskIds: $taskIds) }', {
    sprint,
    taskIds,
  });
const orderOf = async (who: Someone) => (await app.gql(who.token, '{ myWeek { taskOrder } }')).data.myWeek.taskOrder;

it('is refused for tasks of someone else, of another sprint, withdrawn, unknown or named twice', async () => {
  const [first, second] = ids as [string, string];
  const own = { ownerId: team.owner.id, status: 'TODO' } as const;
  const next = await prepareTask(app.database, { ...own, sprintId: await app.sprint('2026-11-25T12:00:00Z') });
  const withdrawn = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
  expect((await app.gql(team.owner.token, `mutation { withdrawTask(taskId: "${withdrawn}") { id } }`)).code).toBeNull();
  const others = await prepareTask(app.database, { ownerId: team.stranger.id, sprintId });
  for (const wrong of [next, withdrawn, others, '999999'])
    expect(await order(team.owner, [second, wrong, first])).toMatchObject({ code: 'NOT_FOUND' });
  expect((await order(team.owner, [first, first])).code).toBe('BAD_INPUT');
  for (const who of [team.approver, team.admin]) expect((await order(who, ids)).code).toBe('NOT_FOUND');
  const guest = await someone(app, { permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
  expect((await order(guest, [])).code).toBe('FORBIDDEN');
  const { rows } = await app.database.pool.query('select from task_orders');
  expect(rows).toEqual([]);
});

it('is refused in a sprint that is over or unknown, and allowed in one to come', async () => {
  const [settled, next] = [await app.sprint('2026-11-04T12:00:00Z'), await app.sprint('2026-11-25T12:00:00Z')];
  const ended = await prepareTask(app.database, { ownerId: team.owner.id, sprintId: settled });
  expect((await order(team.owner, [ended], settled)).code).toBe('SPRINT_DOES_NOT_ALLOW');
  expect((await order(team.owner, [], '999999')).code).toBe('NOT_FOUND');
  const planned = await prepareTask(app.database, { ownerId: team.owner.id, sprintId: next });
  expect((await order(team.owner, [planned], next)).code).toBeNull();
  expect(await orderOf(team.owner)).toEqual([]);
});

it('is kept for its person until another one replaces it, and changes nothing about the tasks', async () => {
  const before = await Promise.all(ids.map((id) => traces(app.database, id)));
  const [first, second, third] = ids as [string, string, string];
  expect((await order(team.owner, [third, first, second])).data.orderTasks).toEqual([third, first, second]);
  expect(await orderOf(team.owner)).toEqual([third, first, second]);
  expect(await orderOf(team.approver)).toEqual([]);
  expect(await Promise.all(ids.map((id) => traces(app.database, id)))).toEqual(before);
  await order(team.owner, []);
  expect(await orderOf(team.owner)).toEqual([]);
});

it('reaches only the pages of its person, and only when it changes', async () => {
  const heard: string[] = [];
  onTestFinished(app.parts.live.on('noticesChanged', ({ personIds }) => heard.push(...personIds)));
  onTestFinished(app.parts.live.on('taskChanged', ({ event }) => heard.push(event)));
  const changed = ids.toReversed();
  for (const taskIds of [changed, changed, ids]) expect((await order(team.owner, taskIds)).code).toBeNull();
  await app.parts.live.publish(app.database.drizzle, 'noticesChanged', { personIds: ['last'] });
  await expect.poll(() => heard.at(-1)).toBe('last');
  expect(heard).toEqual([team.owner.id, team.owner.id, 'last']);
});

it('leaves out tasks that were created later or moved to another sprint', async () => {
  const create = 'mutation ($userId: ID!) { createTask(title: "New", userId: $userId) { id } }';
  const [created, ordered] = await Promise.all([
    app.gql(team.owner.token, create, { userId: team.owner.id }),
    order(team.owner, ids.toReversed()),
  ]);
  expect([created.code, ordered.code]).toEqual([null, null]);
  expect(await orderOf(team.owner)).toEqual(ids.toReversed());
  const task = created.data.createTask.id as string;
  expect((await order(team.owner, [task, ...ids])).code).toBeNull();
  const next = await app.sprint('2026-11-25T12:00:00Z');
  const move = `mutation { moveToSprint(taskId: "${task}", sprintId: "${next}") { id } }`;
  expect((await app.gql(team.owner.token, move)).code).toBeNull();
  const { rows } = await app.database.pool.query('select sprint_id from task_orders');
  expect(rows).toEqual([{ sprint_id: sprintId }]);
});
