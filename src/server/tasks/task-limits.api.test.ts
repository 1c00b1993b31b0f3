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
const insertNotes = (count: number, text: string, author = team.owner) =>
  run(
    `insert into task_notes (task_id, author_id, author_name, text, at)
     select $1, $2, 'Owner', $3, '2026-11-17T10:00:00Z' from generate_series(1, $4)`,
    id,
    author.id,
    text,
    count,
  );
const addNote = (text: string, token = team.owner.token) =>
  app.gql(token, `mutation ($id: ID!, $text: String!) { addNoteToTask(taskId: $id, text: $text) { id } }`, {
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
    message:
      'A task can have up to 200 notes from its owner and 200 from other people. Remove one, or edit an earlier note',
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

test('the notes of a task’s owner hold half a million characters together, in any alphabet', async () => {
  await insertNotes(16, '漢'.repeat(limits.note));
  expect((await addNote('漢'.repeat(20_000))).code).toBeNull();
  expect((await addNote('x')).code).toBe('TRANSITION_NOT_ALLOWED');
  const { rows } = await run('select max(id)::text as id from task_notes where task_id = $1', id);
  const edit = (text: string) =>
    app.gql(
      team.owner.token,
      `mutation ($text: String!) { editNote(taskId: "${id}", noteId: "${rows[0].id}", text: $text) { id } }`,
      { text },
    );
  expect((await edit('漢'.repeat(20_001))).code).toBe('TRANSITION_NOT_ALLOWED');
  expect((await edit('Shorter')).code).toBeNull();
});

test('the owner’s notes and other people’s are counted apart: neither silences the other', async () => {
  const { owner, approver, admin } = team;
  await insertNotes(16, 'x'.repeat(limits.note));
  await insertNotes(1, 'x'.repeat(20_000));
  expect((await addNote('x')).code).toBe('TRANSITION_NOT_ALLOWED');
  expect((await addNote('Please shorten this', approver.token)).code).toBeNull();
  await insertNotes(taskLimits.notes - 1, 'Short', approver);
  for (const { token } of [approver, admin]) expect((await addNote('x', token)).code).toBe('TRANSITION_NOT_ALLOWED');
  await run('update task_notes set removed_at = now() where author_id = $1', owner.id);
  expect((await addNote('Shorter')).code).toBeNull();
});

/** Changes the task as often by SQL. */
const changeTimes = async (times: number, by = team.owner.id, event = 'edited') => {
  await run(
    `insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, version)
     select $1, $2, '2026-11-17T10:00:00Z', $3, 'Someone', $4, 'TODO', 'TODO', t.version + n
     from tasks t, generate_series(1, $5) n where t.id = $1`,
    ...[id, sprintId, by, event, times],
  );
  await run('update tasks set version = version + $2 where id = $1', id, times);
};

test('a task that its owner edited 1,000 times takes no edit, and can still be moved', async () => {
  await changeTimes(taskLimits.edits);
  expect((await update({ summary: 'Once more' })).code).toBe('TRANSITION_NOT_ALLOWED');
  expect((await addNote('Once more')).code).toBe('TRANSITION_NOT_ALLOWED');
  expect((await update({ status: 'INPROGRESS' })).code).toBeNull();
  await changeTimes(taskLimits.changes - taskLimits.edits);
  expect((await update({ status: 'TODO' })).code).toBe('TRANSITION_NOT_ALLOWED');
});

test('others’ changes and texts don’t use up what the owner needs', async () => {
  await changeTimes(taskLimits.changes, team.approver.id, 'noteEdited');
  await fillHistory(team.approver.id);
  const note = `mutation { addNoteToTask(taskId: "${id}", text: "Once more") { id } }`;
  expect((await app.gql(team.approver.token, note)).code).toBe('TRANSITION_NOT_ALLOWED');
  expect((await update({ summary: 'x'.repeat(taskLimits.longChange + 1) })).code).toBeNull();
  expect((await update({ status: 'INPROGRESS' })).code).toBeNull();
  expect((await update({ status: 'INREVIEW' })).code).toBeNull();
});

test('decisions on a task are undone 20 times, and the one after it leaves the owner free to go on', async () => {
  await run("update tasks set status = 'INAPPROVAL' where id = $1", id);
  const undo = () => app.gql(team.approver.token, `mutation { undoDecision(taskId: "${id}") { status } }`);
  for (let times = 0; times < taskLimits.undone; times += 1) {
    expect((await decide('TODO')).code).toBeNull();
    expect((await undo()).code).toBeNull();
  }
  expect((await decide('TODO')).code).toBeNull();
  expect((await undo()).errors?.[0]).toMatchObject({
    message: 'Decisions on this task were already undone 20 times. This one can’t be undone',
    extensions: { code: 'TRANSITION_NOT_ALLOWED' },
  });
  expect((await update({ status: 'INPROGRESS' })).code).toBeNull();
});

test('an owner undoes 20 steps on a task, apart from undone decisions', async () => {
  id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
  await changeTimes(taskLimits.undone, team.approver.id, 'undone');
  const call = (field: string) => app.gql(team.owner.token, `mutation { ${field}(taskId: "${id}") { id } }`);
  for (let times = 0; times < taskLimits.undone; times += 1) {
    expect((await call('withdrawTask')).code).toBeNull();
    expect((await call('undoTaskStep')).code).toBeNull();
  }
  expect((await call('withdrawTask')).code).toBeNull();
  expect((await call('undoTaskStep')).errors?.[0]).toMatchObject({
    message: 'Steps on this task were already undone 20 times. This one can’t be undone',
    extensions: { code: 'TRANSITION_NOT_ALLOWED' },
  });
});

test('decisions that were undone use up none of the owner’s changes', async () => {
  await changeTimes(taskLimits.changes, team.approver.id, 'undone');
  expect((await update({ summary: 'Short', status: 'INPROGRESS' })).code).toBeNull();
});

const decide = (status: string, change?: string) =>
  app.gql(
    team.approver.token,
    'mutation ($id: ID!, $status: TaskStatus!, $change: String) { updateTask(id: $id, status: $status, change: $change) { id } }',
    { id, status, change },
  );

test('an owner who used up the changes and the history prevents no decision', async () => {
  await fillHistory();
  await changeTimes(taskLimits.changes);
  await run("update tasks set status = 'INREVIEW', change = $2 where id = $1", id, '漢'.repeat(5_000));
  expect((await update({ status: 'INPROGRESS' })).code).toBe('TRANSITION_NOT_ALLOWED');
  expect((await decide('INPROGRESS', 'x'.repeat(taskLimits.longChange + 1))).code).toBeNull();
  await run("update tasks set status = 'INAPPROVAL' where id = $1", id);
  expect((await decide('DENIED', 'Describe the goal')).code).toBeNull();
  await run("update tasks set status = 'INREVIEW' where id = $1", id);
  expect((await decide('DONE')).code).toBeNull();
});

const fillHistory = (by = team.owner.id, times = 201) =>
  run(
    `insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, version, after)
     select $1, $2, '2026-11-17T10:00:00Z', $3, 'Owner', 'edited', 'TODO', 'TODO', n + 1, jsonb_build_object('summary', repeat('x', 30000))
     from generate_series(1, $4) n`,
    ...[id, sprintId, by, times],
  );

test('a history that is full takes short changes only', async () => {
  await fillHistory();
  expect((await update({ summary: 'x'.repeat(taskLimits.longChange + 1) })).errors?.[0]?.message).toBe(
    'This task’s history is almost full. Shorten your text, or create a new task',
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

test('carrying over puts no more than 500 tasks in a sprint, and half of them without a recent proof', async () => {
  const { owner } = await makeTeam(app);
  const last = await app.sprint(
    app.clock
      .now()
      .subtract({ hours: 24 * 7 })
      .toString(),
  );
  const old = await prepareTasks(app.database, 4, { ownerId: owner.id, sprintId: last, status: 'TODO' });
  const carry = (taskId: string, token: string) =>
    app.gql(token, `mutation { carryOver(taskId: "${taskId}") { sprintId } }`);
  const half = taskLimits.tasksInSprint / 2;
  await prepareTasks(app.database, half - 1, { ownerId: owner.id, sprintId });
  const stale = await app.signIn(owner.id);
  app.clock.advance({ minutes: 11 });
  const fresh = await app.signIn(owner.id);
  expect((await carry(old[0]!, stale)).code).toBeNull();
  expect((await carry(old[1]!, stale)).code).toBe('CONFIRM_IDENTITY');
  await prepareTasks(app.database, half - 1, { ownerId: owner.id, sprintId });
  const together = await Promise.all(old.slice(1).map((taskId) => carry(taskId, fresh)));
  expect(together.filter(({ code }) => code === null)).toHaveLength(1);
  expect(together.find(({ code }) => code !== null)?.errors?.[0]?.message).toBe(
    'A person can have up to 500 tasks in a sprint. Leave this task undone, or withdraw it',
  );
});

const createFor = (ownerId: string, token: string) =>
  app.gql(token, `mutation { createTask(title: "Another", userId: "${ownerId}", sprintId: "${sprintId}") { id } }`);

test('what others created and the owner withdrew takes no room, and their own does', async () => {
  const { owner, approver } = await makeTeam(app);
  const ids = await prepareTasks(app.database, taskLimits.tasksInSprint, { ownerId: owner.id, sprintId });
  expect((await createFor(owner.id, owner.token)).code).toBe('BAD_INPUT');
  await run('update tasks set withdrawn_at = now() where id = any($1)', ids);
  expect((await createFor(owner.id, owner.token)).code).toBe('BAD_INPUT');
  await run('update tasks set created_by = $2 where id = any($1)', ids, approver.id);
  expect((await createFor(owner.id, owner.token)).code).toBeNull();
});

test('a person creates 60 tasks for others within an hour, their own apart, and more after it', async () => {
  const { otherApprover, admin, owner, stranger } = await makeTeam(app);
  const create = (by: { readonly token: string }, ownerId = owner.id) => createFor(ownerId, by.token);
  for (let times = 1; times < taskLimits.tasksForOthersInHour; times += 1)
    expect((await create(admin, times % 2 ? owner.id : otherApprover.id)).code).toBeNull();
  const together = await Promise.all([create(admin), create(admin, otherApprover.id), create(admin)]);
  expect(together.filter((answer) => answer.code === null)).toHaveLength(1);
  const { code, errors } = await create(admin);
  expect([code, errors?.[0]?.message]).toEqual([
    'TOO_MANY_ATTEMPTS',
    'You created 60 tasks for other people within an hour. Try again later',
  ]);
  expect((await create(owner)).code).toBeNull();
  expect((await create(otherApprover, stranger.id)).code).toBeNull();
  await run("update task_history set at = at - interval '1 hour' where actor_id = $1", admin.id);
  expect((await create(admin)).code).toBeNull();
});

test('a session that proved nothing lately uses up only half of what one task, one sprint and one hour take', async () => {
  const { owner, approver } = await makeTeam(app);
  const tokens = [await app.signIn(owner.id), await app.signIn(approver.id)];
  app.clock.advance({ minutes: 11 });
  const [stale = '', staleApprover = ''] = tokens;
  const fresh = await app.signIn(owner.id);
  id = await prepareTask(app.database, { ownerId: owner.id, sprintId, status: 'TODO' });
  const change = (token: string, values: string) =>
    app.gql(token, `mutation { updateTask(id: "${id}", ${values}) { id } }`);
  await changeTimes(taskLimits.edits / 2 - 1, owner.id);
  expect((await change(stale, 'status: INPROGRESS')).code).toBeNull();
  for (const values of ['status: TODO', 'summary: "Once more"'])
    expect([values, (await change(stale, values)).code]).toEqual([values, 'CONFIRM_IDENTITY']);
  expect((await change(fresh, 'status: INREVIEW')).code).toBeNull();

  // Decisions are many at once, and none of them can ask.
  const reason = `change: "${'x'.repeat(taskLimits.longChange + 1)}"`;
  expect((await change(staleApprover, `status: INPROGRESS, ${reason}`)).code).toBeNull();
  await run("update tasks set status = 'INREVIEW' where id = $1", id);
  await fillHistory(approver.id, Math.ceil(taskLimits.historyText / 2 / limits.summary));
  expect((await change(staleApprover, `status: INPROGRESS, ${reason}`)).code).toBeNull();

  await prepareTasks(app.database, taskLimits.tasksInSprint / 2 - 2, { ownerId: owner.id, sprintId });
  expect((await createFor(owner.id, stale)).code).toBeNull();
  expect((await createFor(owner.id, stale)).code).toBe('CONFIRM_IDENTITY');
  expect((await createFor(owner.id, fresh)).code).toBeNull();

  const other = await prepareTask(app.database, { ownerId: owner.id, sprintId, status: 'TODO' });
  const note = (token: string) => app.gql(token, `mutation { addNoteToTask(taskId: "${other}", text: "a") { id } }`);
  for (let notes = 1; notes <= taskLimits.notesInHour / 2; notes += 1) expect((await note(stale)).code).toBeNull();
  expect([(await note(stale)).code, (await note(fresh)).code]).toEqual(['CONFIRM_IDENTITY', null]);
  const { otherApprover, admin } = await makeTeam(app);
  const forOther = (token: string) => createFor(otherApprover.id, token);
  for (let tasks = 1; tasks <= taskLimits.tasksForOthersInHour / 2; tasks += 1)
    expect((await forOther(admin.token)).code).toBeNull();
  app.clock.advance({ minutes: 11 });
  expect((await forOther(admin.token)).code).toBe('CONFIRM_IDENTITY');
  expect((await forOther(await app.signIn(admin.id))).code).toBeNull();
});

test('a session that proved nothing lately uses up only half of what one task takes of undos', async () => {
  const { owner, approver } = await makeTeam(app);
  const tokens = { owner: await app.signIn(owner.id), approver: await app.signIn(approver.id) };
  app.clock.advance({ minutes: 11 });
  const fresh = { owner: await app.signIn(owner.id), approver: await app.signIn(approver.id) };
  id = await prepareTask(app.database, { ownerId: owner.id, sprintId });
  await changeTimes(taskLimits.undone / 2 - 1, owner.id, 'restored');
  await changeTimes(taskLimits.undone / 2 - 1, approver.id, 'undone');
  const call = async (token: string, field: string) =>
    (await app.gql(token, `mutation { ${field}(taskId: "${id}") { id } }`)).code;
  for (const undone of [null, 'CONFIRM_IDENTITY']) {
    expect(await call(tokens.owner, 'withdrawTask')).toBeNull();
    expect(await call(tokens.owner, 'undoTaskStep')).toBe(undone);
  }
  expect(await call(fresh.owner, 'undoTaskStep')).toBeNull();
  const deny = `mutation { updateTask(id: "${id}", status: TODO, change: "Shorter") { id } }`;
  for (const undone of [null, 'CONFIRM_IDENTITY']) {
    await run("update tasks set status = 'INAPPROVAL' where id = $1", id);
    expect((await app.gql(tokens.approver, deny)).code).toBeNull();
    expect(await call(tokens.approver, 'undoDecision')).toBe(undone);
  }
  expect(await call(fresh.approver, 'undoDecision')).toBeNull();
});

test('a session that proved nothing lately fills half of the room for notes, also by editing and restoring', async () => {
  const stale = await app.signIn(team.owner.id);
  app.clock.advance({ minutes: 11 });
  const fresh = await app.signIn(team.owner.id);
  const change = (call: string) => async (token: string) => (await app.gql(token, `mutation { ${call} { id } }`)).code;
  await insertNotes(2, 'Short');
  const { rows } = await run('select id::text as id from task_notes where task_id = $1 order by task_notes.id', id);
  const [removed, edited] = rows.map((row) => row.id as string);
  await run('update task_notes set removed_at = now(), removed_by = author_id where id = $1', removed);
  await insertNotes(8, 'x'.repeat(limits.note));
  expect((await addNote('x'.repeat(limits.note), stale)).code).toBeNull();
  const editTo = (text: string) => change(`editNote(taskId: "${id}", noteId: "${edited}", text: "${text}")`);
  const restore = change(`restoreNote(taskId: "${id}", noteId: "${removed}")`);
  expect((await addNote('x', stale)).code).toBe('CONFIRM_IDENTITY');
  expect([await editTo('Longer than before')(stale), await restore(stale)]).toEqual(Array(2).fill('CONFIRM_IDENTITY'));
  expect(await editTo('x')(stale)).toBeNull();
  expect([await editTo('Longer than before')(fresh), await restore(fresh)]).toEqual([null, null]);
  expect((await addNote('x', fresh)).code).toBeNull();
  await run('update task_notes set removed_at = now() where task_id = $1', id);
  await insertNotes(taskLimits.notes / 2 - 1, 'Short');
  expect([(await addNote('x', stale)).code, (await addNote('x', stale)).code]).toEqual([null, 'CONFIRM_IDENTITY']);
});

test('20 of a person’s tasks repeat, also when they are asked for at once, and stopping one makes room', async () => {
  const ids = await prepareTasks(app.database, 22, { ownerId: team.owner.id, sprintId, status: 'TODO' });
  const token = await app.signIn(team.owner.id);
  const repeat = (taskId: string, rule: string) =>
    app.gql(token, `mutation { repeatTask(taskId: "${taskId}"${rule}) { id } }`);
  const answers = await Promise.all(ids.map((taskId) => repeat(taskId, ', repeats: weekly')));
  const refused = answers.flatMap(({ errors }) => errors?.[0]?.message ?? []);
  expect(refused).toEqual(Array(2).fill('At most 20 of your tasks can repeat. Stop one first'));
  const repeating = ids.filter((_, index) => !answers[index]!.errors);
  expect((await repeat(repeating[0]!, '')).code).toBeNull();
  const waiting = ids.find((_, index) => answers[index]!.errors)!;
  expect((await repeat(waiting, ', repeats: weekly')).code).toBeNull();
});

test('from half of the repeating tasks on, a session that proved nothing lately adds none', async () => {
  const { stranger: owner } = team;
  const ids = await prepareTasks(app.database, 12, { ownerId: owner.id, sprintId, status: 'TODO' });
  await run(`update tasks set repeats = 'weekly' where id = any($1::bigint[])`, ids.slice(0, 9));
  const stale = await app.signIn(owner.id);
  app.clock.advance({ minutes: 11 });
  const fresh = await app.signIn(owner.id);
  const repeat = async (token: string, at: number) =>
    (await app.gql(token, `mutation { repeatTask(taskId: "${ids[at]}", repeats: weekly) { id } }`)).code;
  expect([await repeat(stale, 9), await repeat(stale, 10)]).toEqual([null, 'CONFIRM_IDENTITY']);
  expect([await repeat(stale, 9), await repeat(fresh, 10)]).toEqual([null, null]);
});
