// Who is guided through their first week, and until when.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { prepareTask, type Someone, someone, staff } from '../../../test/task-fixtures.ts';

let app: TestApp;
let sprintId: string;
let person: Someone;

beforeEach(async () => {
  app = await startTestApp({ now: '2026-11-17T12:00:00Z' });
  sprintId = await app.sprint();
  person = await someone(app, { permissions: staff });
});
afterEach(() => app.stop());

const firstWeek = async ({ token }: Someone = person) =>
  (await app.gql(token, '{ myWeek { firstWeek { hasTask } } }')).data.myWeek.firstWeek;
const write = (task: Partial<Parameters<typeof prepareTask>[1]> = {}) =>
  prepareTask(app.database, { ownerId: person.id, sprintId, ...task });
const change = (set: string) => app.database.pool.query(`update tasks set ${set}`);

test('a person who keeps no tasks isn’t guided, and someone new with tasks is, even without an approver', async () => {
  expect(await firstWeek(await someone(app, { permissions: ['VIEW_DASHBOARD'] }))).toBeNull();
  expect(await firstWeek()).toEqual({ hasTask: false });
});

test('the guide knows the first task, withdrawn ones aside, and ends once it is approved', async () => {
  await write();
  expect(await firstWeek()).toEqual({ hasTask: true });
  await change("status = 'DENIED'");
  expect(await firstWeek()).toEqual({ hasTask: true });
  await change('withdrawn_at = now()');
  expect(await firstWeek()).toEqual({ hasTask: false });
  await change("withdrawn_at = null, status = 'TODO'");
  expect(await firstWeek()).toBeNull();
});

test('a task of a later sprint counts, approved or not', async () => {
  const next = await app.sprint('2026-11-24T12:00:00Z');
  await write({ sprintId: next });
  expect(await firstWeek()).toEqual({ hasTask: true });
  await change("status = 'TODO'");
  expect(await firstWeek()).toBeNull();
});

test('the guide ends with the sprint of the first task, also if the task is carried over', async () => {
  await write();
  app.clock.set('2026-11-24T12:00:00Z');
  person = { ...person, token: await app.signIn(person.id) };
  expect(await firstWeek()).toBeNull();
  await change(`sprint_id = ${await app.sprint('2026-11-24T12:00:00Z')}, carried_over = 1`);
  expect(await firstWeek()).toBeNull();
});

test('someone who signed in before the previous sprint and never wrote a task isn’t new', async () => {
  const signedIn = (at: string) =>
    app.database.pool.query(
      "insert into account_events (person_id, at, kind, address) values ($1, $2, 'signedIn', '127.0.0.1')",
      [person.id, at],
    );
  await signedIn('2026-11-15T12:00:00Z');
  expect(await firstWeek()).toEqual({ hasTask: false });
  await signedIn('2026-11-08T12:00:00Z');
  expect(await firstWeek()).toBeNull();
});
