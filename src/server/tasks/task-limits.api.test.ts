// Limits of one task and one person's sprint.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { limits, taskLimits } from '#core/base/limits.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeTeam, prepareTask, prepareTasks, type Team } from '../../../test/task-fixtures.ts';

let app: TestApp;
let team: Team;
let sprintId: string;
let id: string;

beforeAll(async () => {
  app = await startTestApp();
  sprintId = await app.sprint();
  team = await makeTeam(app);
});
beforeEach(async () => {
  id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
});
afterAll(() => app.stop());

const run = (sql: string, ...values: unknown[]) => app.database.pool.query(sql, values);
const insertNotes = (count: number, text: string) =>
  run(
    `insert into task_notes (task_id, author_id, author_name, text, at)
     select $1, $2, 'Owner', $3, '2026-11-17T10:00:00Z' from generate_series(1, $4)`,
    id,
    team.owner.id,
    text,
    count,
  );
const addNote = (text: string) =>
  app.gql(team.owner.token, `mutation ($id: ID!, $text: String!) { addNoteToTask(taskId: $id, text: $text) { id } }`, {
    id,
    text,
  });
const update = (values: object) =>
  app.gql(
    team.owner.token,
    'mutation ($id: ID!, $summary: String, $status: TaskStatus) { updateTask(id: $id, summary: $summary, status: $status) { id } }',
    { id, ...values },
  );

test('a task takes 200 notes, a removed one makes room, and it comes back only while there is room', async () => {
  await insertNotes(taskLimits.notes - 1, 'Short');
  expect((await addNote('The last')).code).toBeNull();
  expect((await addNote('One more')).errors?.[0]).toMatchObject({
    message: 'A task has at most 200 notes. Remove one, or edit an earlier note',
    extensions: { code: 'TRANSITION_NOT_ALLOWED' },
  });
  const { data } = await app.gql(
    team.owner.token,
    `mutation { removeNoteFromTask(taskId: "${id}", noteIndex: 0) { notes { id } } }`,
  );
  expect(data.removeNoteFromTask.notes).toHaveLength(taskLimits.notes - 1);
  expect((await addNote('In its place')).code).toBeNull();
  const { rows } = await run(
    'select min(id)::text as id from task_notes where task_id = $1 and removed_at is not null',
    id,
  );
  const restore = `mutation { restoreNote(taskId: "${id}", noteId: "${rows[0].id}") { id } }`;
  expect((await app.gql(team.owner.token, restore)).code).toBe('TRANSITION_NOT_ALLOWED');
});

test('a person writes 100 notes within an hour, in whatever tasks, and more after it', async () => {
  const other = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
  const ago = (minutes: number) => app.clock.now().subtract({ minutes }).toString();
  const insert = (taskId: string, count: number) =>
    run(
      `insert into task_notes (task_id, author_id, author_name, text, at)
       select $1, $2, 'Owner', 'Short', $4 from generate_series(1, $3)`,
      ...[taskId, team.owner.id, count, ago(59)],
    );
  await run('update task_notes set at = $1', ago(60));
  await insert(other, 60);
  await insert(id, 39);
  expect((await addNote('The hundredth')).code).toBeNull();
  const { code, errors } = await addNote('One more');
  expect([code, errors?.[0]?.message]).toEqual([
    'TOO_MANY_ATTEMPTS',
    'You wrote 100 notes within an hour. Try again later',
  ]);
  await run('update task_notes set at = $1', ago(60));
  expect((await addNote('An hour later')).code).toBeNull();
});

test('the notes of a task hold a million characters together, in any alphabet', async () => {
  await insertNotes(33, '漢'.repeat(limits.note));
  expect((await addNote('漢'.repeat(10_000))).code).toBeNull();
  expect((await addNote('x')).code).toBe('TRANSITION_NOT_ALLOWED');
  const { rows } = await run('select max(id)::text as id from task_notes where task_id = $1', id);
  const edit = (text: string) =>
    app.gql(
      team.owner.token,
      `mutation ($text: String!) { editNote(taskId: "${id}", noteId: "${rows[0].id}", text: $text) { id } }`,
      { text },
    );
  expect((await edit('漢'.repeat(10_001))).code).toBe('TRANSITION_NOT_ALLOWED');
  expect((await edit('Shorter')).code).toBeNull();
});

test('a task that was edited 1,000 times takes no edit, and can still be moved', async () => {
  await run('update tasks set version = $2 where id = $1', id, taskLimits.edits + 1);
  expect((await update({ summary: 'Once more' })).code).toBe('TRANSITION_NOT_ALLOWED');
  expect((await addNote('Once more')).code).toBe('TRANSITION_NOT_ALLOWED');
  expect((await update({ status: 'INPROGRESS' })).code).toBeNull();
  await run('update tasks set version = $2 where id = $1', id, taskLimits.changes + 1);
  expect((await update({ status: 'TODO' })).code).toBe('TRANSITION_NOT_ALLOWED');
});

const decide = (status: string, change?: string) =>
  app.gql(
    team.approver.token,
    'mutation ($id: ID!, $status: TaskStatus!, $change: String) { updateTask(id: $id, status: $status, change: $change) { id } }',
    { id, status, change },
  );

test('an owner who used up the changes and the history prevents no decision', async () => {
  await fillHistory();
  await run(
    "update tasks set status = 'INREVIEW', version = $2, change = $3 where id = $1",
    id,
    5_000,
    '漢'.repeat(5_000),
  );
  expect((await update({ status: 'INPROGRESS' })).code).toBe('TRANSITION_NOT_ALLOWED');
  expect((await decide('INPROGRESS', 'x'.repeat(taskLimits.longChange + 1))).errors?.[0]?.message).toMatch(/is full/);
  expect((await decide('INPROGRESS', 'Add the figures')).code).toBeNull();
  await run("update tasks set status = 'INAPPROVAL' where id = $1", id);
  expect((await decide('DENIED', 'Describe the goal')).code).toBeNull();
  await run("update tasks set status = 'INREVIEW' where id = $1", id);
  expect((await decide('DONE')).code).toBeNull();
});

const fillHistory = () =>
  run(
    `insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, version, after)
     select $1, $2, '2026-11-17T10:00:00Z', $3, 'Owner', 'edited', 'TODO', 'TODO', n + 1, jsonb_build_object('summary', repeat('x', 30000))
     from generate_series(1, 201) n`,
    id,
    sprintId,
    team.owner.id,
  );

test('a history that is full takes short changes only', async () => {
  await fillHistory();
  expect((await update({ summary: 'x'.repeat(taskLimits.longChange + 1) })).errors?.[0]?.message).toBe(
    'The history of this task is full. Make a shorter change, or create a new task',
  );
  expect((await update({ summary: 'Short' })).code).toBeNull();
});

test('a person has 500 tasks in a sprint', async () => {
  const owner = team.stranger;
  await prepareTasks(app.database, taskLimits.tasksInSprint - 1, { ownerId: owner.id, sprintId });
  const create = (token: string) =>
    app.gql(token, `mutation { createTask(title: "Another", userId: "${owner.id}", sprintId: "${sprintId}") { id } }`);
  const together = await Promise.all(Array.from({ length: 3 }, () => create(owner.token)));
  expect(together.filter(({ code }) => code === null)).toHaveLength(1);
  expect((await create(owner.token)).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_INPUT', field: 'sprintId' });
});

test('a task takes 100 files', async () => {
  await run(
    `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size, at, removed_at)
     select $1, $2, 'Owner', 'a.txt', 'text/plain', 1, '2026-11-17T10:00:00Z', case when n > $3 then now() end
     from generate_series(1, $3 + 1) n`,
    id,
    team.owner.id,
    taskLimits.files,
  );
  const { rows } = await run('select max(id)::text as id from task_attachments where task_id = $1', id);
  const restore = `mutation { restoreAttachment(taskId: "${id}", attachmentId: "${rows[0].id}") { id } }`;
  expect((await app.gql(team.owner.token, restore)).errors?.[0]?.message).toBe(
    'A task has at most 100 files. Remove one you no longer need',
  );
});
