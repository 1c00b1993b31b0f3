import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, wednesday } from '../../../test/app.ts';
import { makeTeam, prepareTask, type Team, traces } from '../../../test/task-fixtures.ts';
import { removeOldNotices } from './keep-notices.ts';
import { sendDigests, sendSprintReminders } from './reminders.service.ts';

let app: TestApp;
let beside: TestApp;
let team: Team;
let sprintId: string;

beforeAll(async () => {
  app = await startTestApp();
  beside = await startTestApp({ beside: app });
  sprintId = await app.sprint();
});
afterAll(async () => {
  await beside.stop();
  await app.stop();
});
beforeEach(async () => {
  app.clock.set(wednesday);
  // People from other tests have nothing open, so each test notifies only its own.
  await app.database.pool.query('update tasks set withdrawn_at = now()');
  await app.database.pool.query('delete from notice_runs');
  team = await makeTeam(app);
});

const list = '{ notices { id kind at read sentence detail path } unreadNotices }';
type Shown = { id: string; kind: string; read: boolean; sentence: string; detail: string | null; path: string };
async function inboxOf({ id }: { id: string }): Promise<{ notices: Shown[]; unreadNotices: number }> {
  const { data, errors } = await app.gql(await app.signIn(id), list);
  expect(errors).toBeUndefined();
  return data as { notices: Shown[]; unreadNotices: number };
}
const sentences = async (who: { id: string }) => (await inboxOf(who)).notices.map(({ sentence }) => sentence);

const nameOf = async ({ id }: { id: string }): Promise<string> =>
  (
    await app.database.pool.query(
      "select coalesce(nullif(trim(first_name || ' ' || last_name), ''), email) as name from people where id = $1",
      [id],
    )
  ).rows[0].name;

const update = (token: string, id: string, more: object) =>
  app.gql(
    token,
    'mutation ($id: ID!, $status: TaskStatus, $change: String) { updateTask(id: $id, status: $status, change: $change) { version } }',
    { id, ...more },
  );
const addNote = (token: string, taskId: string, text: string) =>
  app.gql(
    token,
    'mutation ($taskId: ID!, $text: String!) { addNoteToTask(taskId: $taskId, text: $text) { notes { id } } }',
    { taskId, text },
  );

describe('who is refused', () => {
  test.each([
    ['{ notices { id } }'],
    ['{ unreadNotices }'],
    ['{ noticeChoices { kind } }'],
    ['mutation { markNotices(ids: ["1"], read: true) }'],
    ['mutation { markAllNotices(upTo: "1") }'],
    ['mutation { seeNotices(ids: ["1"]) }'],
    ['mutation { chooseNotices(kind: decided, inApp: false, mail: false) { kind } }'],
  ])('nobody without the application asks %s', async (query) => {
    expect((await app.gql(null, query)).status).toBe(401);
    const token = await app.signIn(await app.person({ role: null }));
    expect((await app.gql(token, query)).code).toBe('NO_APPLICATION_PERMISSION');
  });

  test.each([['{ troubledMails { id } }'], ['mutation { retryMails(ids: ["1"]) { id } }']])(
    'only an admin asks %s',
    async (query) => expect((await app.gql(team.approver.token, query)).code).toBe('FORBIDDEN'),
  );

  test('of somebody else’s notices nothing is read or marked', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await update(team.approver.token, task, { status: 'TODO' });
    const { notices } = await inboxOf(team.owner);
    await app.gql(team.stranger.token, 'mutation ($ids: [ID!]!) { markNotices(ids: $ids, read: true) }', {
      ids: notices.map(({ id }) => id),
    });
    await app.gql(team.stranger.token, 'mutation ($id: ID!) { markAllNotices(upTo: $id) }', { id: notices[0]?.id });
    expect((await inboxOf(team.owner)).unreadNotices).toBe(1);
    expect(await sentences(team.stranger)).toEqual([]);
  });
});

describe('a decision', () => {
  test.each([
    ['INAPPROVAL', 'TODO', 'approved “Report”'],
    ['INAPPROVAL', 'DENIED', 'denied “Report”'],
    ['INREVIEW', 'DONE', 'signed off “Report”'],
    ['INREVIEW', 'INPROGRESS', 'sent “Report” back'],
  ] as const)('%s to %s is told to the owner with its reason, and to nobody else', async (from, to, words) => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: from, title: 'Report' });
    await update(team.approver.token, task, { status: to, change: 'Because' });
    const { notices, unreadNotices } = await inboxOf(team.owner);
    expect(notices).toMatchObject([
      { kind: 'decided', read: false, detail: 'Because', path: `/top-5/tasks?task=${task}` },
    ]);
    expect(notices[0]?.sentence).toContain(words);
    expect(unreadNotices).toBe(1);
    expect(await sentences(team.approver)).toEqual([]);
  });

  test('that is refused tells nothing', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    expect((await update(team.approver.token, task, { status: 'DONE' })).code).toBe('TRANSITION_NOT_ALLOWED');
    expect(await sentences(team.owner)).toEqual([]);
  });

  test('that cannot be saved whole leaves neither the change nor the notice', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const before = await traces(app.database, task);
    // At the very end of the transaction, after the change, its notification and its audit entry.
    await app.asOwner(`
      create function break_commit() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create constraint trigger broken after update on tasks deferrable initially deferred
        for each row execute function break_commit()`);
    expect((await update(team.approver.token, task, { status: 'TODO' })).code).toBe('INTERNAL');
    await app.asOwner('drop trigger broken on tasks; drop function break_commit()');
    expect(await traces(app.database, task)).toEqual(before);
    expect(await sentences(team.owner)).toEqual([]);
  });

  test('that is taken back is told no more', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await update(team.approver.token, task, { status: 'TODO' });
    expect(await sentences(team.owner)).toHaveLength(1);
    const addNote = 'mutation ($id: ID!) { addNoteToTask(taskId: $id, text: "Thanks") { id } }';
    await app.gql(team.owner.token, addNote, { id: task });
    await app.gql(team.approver.token, 'mutation ($id: ID!) { undoDecision(taskId: $id) { id } }', { id: task });
    expect(await sentences(team.owner)).toEqual([]);
    await update(team.approver.token, task, { status: 'DENIED', change: 'No' });
    expect(await sentences(team.owner)).toHaveLength(1);
  });

  test('that is undone after its owner saw it is answered in words, without its reason', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title: 'Report' });
    const { rows } = await app.database.pool.query<{ name: string }>(
      "select first_name || ' ' || last_name as name from people where id = $1",
      [team.approver.id],
    );
    await update(team.approver.token, task, { status: 'DENIED', change: 'No' });
    const [denied] = (await inboxOf(team.owner)).notices;
    const ids = [denied?.id];
    await app.gql(team.owner.token, 'mutation ($ids: [ID!]!) { seeNotices(ids: $ids) }', { ids });
    expect((await inboxOf(team.owner)).unreadNotices).toBe(1);
    await app.gql(team.approver.token, 'mutation ($id: ID!) { undoDecision(taskId: $id) { id } }', { id: task });
    const sentence = `${rows[0]?.name} undid the decision on “Report”`;
    expect((await inboxOf(team.owner)).notices).toMatchObject([
      { kind: 'decided', sentence, detail: null, read: false, path: `/top-5/tasks?task=${task}` },
    ]);
    expect(await app.asOwner('select from notices where mail_at is not null')).toEqual([]);
  });

  test('that somebody else claims to have seen is told no more once it is undone', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await update(team.approver.token, task, { status: 'TODO' });
    const ids = (await inboxOf(team.owner)).notices.map(({ id }) => id);
    await app.gql(team.stranger.token, 'mutation ($ids: [ID!]!) { seeNotices(ids: $ids) }', { ids });
    await app.gql(team.approver.token, 'mutation ($id: ID!) { undoDecision(taskId: $id) { id } }', { id: task });
    expect(await sentences(team.owner)).toEqual([]);
  });

  test('of two approvers at once tells the one that won', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await Promise.all([
      update(team.approver.token, task, { status: 'TODO' }),
      update(team.admin.token, task, { status: 'DENIED', change: 'No' }),
    ]);
    expect(await sentences(team.owner)).toHaveLength(1);
  });
});

describe('a mention', () => {
  const mention = ({ id }: { id: string }, name = 'Anna') => `[@${name}](person:${id})`;

  test('reaches those who may see the task, once, and the writer is told of the others', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title: 'Report' });
    const ids = [team.owner, team.admin, team.stranger, team.approver].map(({ id }) => id);
    const { data } = await app.gql<{ mentionable: { id: string; seesTask: boolean }[] }>(
      team.approver.token,
      'query ($taskId: ID!, $ids: [ID!]) { mentionable(taskId: $taskId, ids: $ids) { id displayName seesTask } }',
      { taskId: task, ids },
    );
    const blind = data.mentionable.filter(({ seesTask }) => !seesTask).map(({ id }) => id);
    expect(blind).toEqual([team.stranger.id]);
    const everybody = [team.owner, team.admin, team.stranger, team.approver].map((one) => mention(one)).join(' ');
    await addNote(team.approver.token, task, `Look ${everybody}`);
    expect(await sentences(team.owner)).toEqual([expect.stringContaining('mentioned you in “Report”')]);
    expect((await inboxOf(team.owner)).notices[0]?.detail).toMatch(/^Look( @Person \d+){4}$/);
    expect(await sentences(team.admin)).toHaveLength(1);
    expect(await sentences(team.stranger)).toEqual([]);
    expect(await sentences(team.approver)).toEqual([]);
  });

  test('shows the person’s real name, not what was typed, and no name of someone the author can’t find', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const person = (sets: object) => app.person({ permissions: [], firstName: 'Nora', ...sets });
    const [id, hidden, nameless, disabled] = await Promise.all([
      person({ lastName: 'Na[m]ed' }),
      person({ invisible: true }),
      person({ firstName: '', lastName: '' }),
      person({}),
    ]);
    await app.database.pool.query('update people set disabled_at = now() where id = $1', [disabled]);
    const typed = (ids: readonly (string | undefined)[]) =>
      ids.map((one) => mention({ id: one ?? '' }, 'Anna Admin approved this')).join(' ');
    const noted = await addNote(team.owner.token, task, typed([id, hidden, nameless, disabled, '999999999']));
    const plain = Array(4).fill('@Anna Admin approved this').join(' ');
    const [note] = noted.data.addNoteToTask.notes;
    const texts = async () => {
      const { rows } = await app.database.pool.query('select text from task_notes where task_id = $1', [task]);
      return rows.map(({ text }) => text);
    };
    expect(await texts()).toEqual([`[@Nora Na m ed](person:${id}) ${plain}`]);
    const edit = (text: string) =>
      app.gql(
        team.owner.token,
        'mutation ($t: ID!, $n: ID!, $x: String!) { editNote(taskId: $t, noteId: $n, text: $x) { id } }',
        { t: task, n: note.id, x: text },
      );
    // Someone who was mentioned before stays, although the account was disabled since.
    await app.database.pool.query('update people set disabled_at = now() where id = $1', [id]);
    const kept = `[@Nora Na m ed](person:${id})`;
    expect((await edit(`${kept} ${typed([id])}`)).code).toBeNull();
    expect(await texts()).toEqual([`${kept} @Anna Admin approved this`]);
  });

  test('tells by id no more than by name: nobody who is invisible, without a name or oneself', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const person = (sets: object) => app.person({ permissions: [], ...sets });
    const [named, nameless, hidden] = await Promise.all([
      person({ firstName: 'Nora', lastName: 'Named' }),
      person({ firstName: '', lastName: '' }),
      person({ firstName: 'Hedy', lastName: 'Hidden' }),
    ]);
    await app.database.pool.query('update people set top5_invisible = true where id = $1', [hidden]);
    const { data } = await app.gql<{ mentionable: { id: string }[] }>(
      team.owner.token,
      'query ($taskId: ID!, $ids: [ID!]) { mentionable(taskId: $taskId, ids: $ids) { id } }',
      { taskId: task, ids: [team.owner.id, named, nameless, hidden, team.approver.id] },
    );
    expect(data.mentionable.map(({ id }) => id).sort()).toEqual([named, team.approver.id].sort());
  });

  test('that an edit adds is told, one that stood there is not told again, and a note that is removed mentions nobody', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const { data } = await addNote(team.approver.token, task, mention(team.owner));
    const noteId = data.addNoteToTask.notes[0].id;
    await app.gql(
      team.approver.token,
      'mutation ($t: ID!, $n: ID!, $x: String!) { editNote(taskId: $t, noteId: $n, text: $x) { id } }',
      { t: task, n: noteId, x: `${mention(team.owner)} ${mention(team.admin)}` },
    );
    expect(await sentences(team.owner)).toHaveLength(1);
    expect(await sentences(team.admin)).toHaveLength(1);
    await app.gql(team.approver.token, 'mutation ($t: ID!) { removeNoteFromTask(taskId: $t, noteIndex: 0) { id } }', {
      t: task,
    });
    expect(await sentences(team.owner)).toEqual([]);
    expect(await sentences(team.admin)).toEqual([]);
  });

  test('is one notification per author and task, which counts and comes back after it was read', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title: 'Report' });
    const other = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title: 'Report' });
    for (const text of ['One', 'Two', 'Three']) await addNote(team.owner.token, task, `${text} ${mention(team.admin)}`);
    await addNote(team.approver.token, task, mention(team.admin));
    await addNote(team.owner.token, other, mention(team.admin));
    const { notices } = await inboxOf(team.admin);
    expect(notices.map(({ sentence, detail }) => [sentence.replace(/^.* mentioned/, ''), detail])).toEqual([
      [' you in “Report”', expect.stringMatching(/^@Person \d+$/)],
      [' you in “Report”', expect.stringMatching(/^@Person \d+$/)],
      [' you 3 times in “Report”', expect.stringMatching(/^Three @Person \d+$/)],
    ]);
    const ids = notices.map(({ id }) => id);
    await app.gql(team.admin.token, 'mutation ($ids: [ID!]!) { markNotices(ids: $ids, read: true) }', { ids });
    const { data } = await addNote(team.owner.token, task, mention(team.admin));
    expect(await inboxOf(team.admin)).toMatchObject({ unreadNotices: 1 });
    expect((await sentences(team.admin))[0]).toMatch(/ mentioned you in “Report”$/);
    await app.gql(
      team.owner.token,
      'mutation ($t: ID!, $i: Int!) { removeNoteFromTask(taskId: $t, noteIndex: $i) { id } }',
      {
        ...{ t: task, i: data.addNoteToTask.notes.length - 1 },
      },
    );
    expect(await sentences(team.admin)).toHaveLength(2);
  });

  test('of a task that one may not see any more is not shown any more', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await addNote(team.owner.token, task, mention(team.approver));
    expect(await inboxOf(team.approver)).toMatchObject({ notices: [{}], unreadNotices: 1 });
    await app.database.pool.query('delete from approvers where person_id = $1', [team.owner.id]);
    expect(await inboxOf(team.approver)).toEqual({ notices: [], unreadNotices: 0 });
  });

  test('finds people by the beginning of a name, those of the task first, only for who may see the task', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const search = 'query ($taskId: ID!, $name: String) { mentionable(taskId: $taskId, name: $name) { id seesTask } }';
    const { data } = await app.gql(team.owner.token, search, { taskId: task, name: 'Pérson' });
    expect(data.mentionable[0]).toEqual({ id: team.approver.id, seesTask: true });
    expect(data.mentionable.map(({ id }: { id: string }) => id)).not.toContain(team.owner.id);
    expect((await app.gql(team.owner.token, search, { taskId: task, name: '%' })).data.mentionable).toEqual([]);
    expect((await app.gql(team.stranger.token, search, { taskId: task, name: 'P' })).code).toBe('NOT_FOUND');
  });
});

describe('a note', () => {
  const removeFirst = (token: string, taskId: string) =>
    app.gql(token, 'mutation ($t: ID!) { removeNoteFromTask(taskId: $t, noteIndex: 0) { id } }', { t: taskId });
  const newTask = () => prepareTask(app.database, { ownerId: team.owner.id, sprintId, title: 'Report' });

  test('that nobody but its author may see is told to nobody, and the author is never told', async () => {
    const task = await newTask();
    await app.database.pool.query("update people set grants = '{}', role = null where id = $1", [team.approver.id]);
    await addNote(team.owner.token, task, 'Alone');
    expect(await sentences(team.owner)).toEqual([]);
    expect((await app.database.pool.query('select from notices where task_id = $1', [task])).rowCount).toBe(0);
  });

  test('is told to the owner and the approver, in one notification for the task until it is read', async () => {
    const task = await newTask();
    await addNote(team.admin.token, task, 'First');
    const told = `${await nameOf(team.admin)} wrote a note on “Report”`;
    for (const reader of [team.owner, team.approver]) expect(await sentences(reader)).toEqual([told]);
    for (const other of [team.admin, team.stranger, team.otherApprover]) expect(await sentences(other)).toEqual([]);
    await addNote(team.approver.token, task, '**Second**');
    expect((await inboxOf(team.owner)).notices).toMatchObject([
      { kind: 'noted', sentence: '2 new notes on “Report”', detail: 'Second', path: `/top-5/tasks?task=${task}` },
    ]);
    expect(await sentences(team.approver)).toEqual([told]);
    const { notices } = await inboxOf(team.owner);
    await app.gql(team.owner.token, 'mutation ($id: ID!) { markAllNotices(upTo: $id) }', { id: notices[0]?.id });
    await addNote(team.approver.token, task, 'Third');
    expect((await inboxOf(team.owner)).notices).toMatchObject([{ read: false, detail: 'Third' }]);
    expect((await sentences(team.owner))[0]).toMatch(/wrote a note on/);
  });

  test('that is edited tells nobody and is quoted with its new text, and one that is removed takes its part of the notification with it', async () => {
    const task = await newTask();
    const { data } = await addNote(team.approver.token, task, 'First');
    const { data: second } = await addNote(team.approver.token, task, 'Second');
    await app.gql(
      team.approver.token,
      'mutation ($t: ID!, $n: ID!) { editNote(taskId: $t, noteId: $n, text: "Other") { id } }',
      { t: task, n: data.addNoteToTask.notes[0].id },
    );
    expect((await inboxOf(team.owner)).notices).toMatchObject([
      { sentence: '2 new notes on “Report”', detail: 'Second' },
    ]);
    await app.gql(
      team.approver.token,
      'mutation ($t: ID!, $n: ID!) { editNote(taskId: $t, noteId: $n, text: "In other words") { id } }',
      { t: task, n: second.addNoteToTask.notes[1].id },
    );
    expect((await inboxOf(team.owner)).notices).toMatchObject([{ detail: 'In other words' }]);
    await removeFirst(team.approver.token, task);
    expect((await inboxOf(team.owner)).notices).toMatchObject([{ detail: 'In other words' }]);
    expect((await sentences(team.owner))[0]).toMatch(/wrote a note on/);
    await removeFirst(team.approver.token, task);
    expect(await sentences(team.owner)).toEqual([]);
  });

  test('without its last text is still counted', async () => {
    const task = await newTask();
    await addNote(team.approver.token, task, 'First');
    await addNote(team.approver.token, task, 'Second');
    await app.gql(team.approver.token, 'mutation ($t: ID!) { removeNoteFromTask(taskId: $t, noteIndex: 1) { id } }', {
      t: task,
    });
    expect((await inboxOf(team.owner)).notices).toMatchObject([{ sentence: '1 new note on “Report”', detail: null }]);
  });

  const noteOf = (field: string, values: string) => (token: string, taskId: string, more: object) =>
    app.gql(token, `mutation ($t: ID!, ${values} { id version } }`, { t: taskId, ...more }).then(({ code }) => {
      expect([field, code]).toEqual([field, null]);
    });
  const removeAt = noteOf('remove', '$i: Int!) { removeNoteFromTask(taskId: $t, noteIndex: $i)');
  const restore = noteOf('restore', '$n: ID!) { restoreNote(taskId: $t, noteId: $n)');
  const editTo = noteOf('edit', '$n: ID!, $x: String!) { editNote(taskId: $t, noteId: $n, text: $x)');
  const idsOf = ({ data }: Awaited<ReturnType<typeof addNote>>): string[] =>
    data.addNoteToTask.notes.map(({ id }: { id: string }) => id);

  test('that is removed and restored tells those who hadn’t read it as before, and leaves it read for the others', async () => {
    const task = await newTask();
    const [n] = idsOf(await addNote(team.approver.token, task, `Call today [@Anna](person:${team.admin.id})`));
    const before = { owner: await inboxOf(team.owner), admin: await inboxOf(team.admin) };
    const detail = expect.stringMatching(/^Call today @Person \d+$/);
    expect(before.owner).toMatchObject({ notices: [{ kind: 'noted', detail }], unreadNotices: 1 });
    expect(before.admin).toMatchObject({ notices: [{ kind: 'mentioned' }], unreadNotices: 1 });
    await removeAt(team.approver.token, task, { i: 0 });
    const hidden = before.owner.notices[0]!.id;
    await app.gql(team.owner.token, 'mutation ($id: ID!) { markAllNotices(upTo: $id) }', { id: hidden });
    for (const reader of [team.owner, team.admin])
      expect(await inboxOf(reader)).toEqual({ notices: [], unreadNotices: 0 });
    await restore(team.approver.token, task, { n });
    expect({ owner: await inboxOf(team.owner), admin: await inboxOf(team.admin) }).toEqual(before);
    await app.gql(team.admin.token, 'mutation ($id: ID!) { markAllNotices(upTo: $id) }', {
      id: before.admin.notices[0]!.id,
    });
    await removeAt(team.admin.token, task, { i: 0 });
    await restore(team.admin.token, task, { n });
    expect(await inboxOf(team.owner)).toEqual(before.owner);
    expect(await inboxOf(team.admin)).toMatchObject({ notices: [{ read: true }], unreadNotices: 0 });
    await editTo(team.approver.token, task, { n, x: 'In other words' });
    expect((await inboxOf(team.owner)).notices).toMatchObject([{ detail: 'In other words' }]);
  });

  test('that is restored counts again, beside those written meanwhile, and is quoted only if it is the latest', async () => {
    const task = await newTask();
    const [first] = idsOf(await addNote(team.admin.token, task, 'First'));
    await removeAt(team.admin.token, task, { i: 0 });
    const second = idsOf(await addNote(team.approver.token, task, 'Second'))[0];
    const shown = async () => (await inboxOf(team.owner)).notices.map(({ sentence, detail }) => [sentence, detail]);
    const wrote = async (who: { id: string }, text: string) => [
      [`${await nameOf(who)} wrote a note on “Report”`, text],
    ];
    expect(await shown()).toEqual(await wrote(team.approver, 'Second'));
    await restore(team.admin.token, task, { n: first });
    expect(await shown()).toEqual([['2 new notes on “Report”', 'Second']]);
    for (const i of [1, 0]) await removeAt(team.admin.token, task, { i });
    expect(await shown()).toEqual([]);
    await restore(team.admin.token, task, { n: first });
    expect(await shown()).toEqual(await wrote(team.admin, 'First'));
    await restore(team.admin.token, task, { n: second });
    expect(await shown()).toEqual([['2 new notes on “Report”', 'Second']]);
    await removeAt(team.admin.token, task, { i: 1 });
    await editTo(team.admin.token, task, { n: first, x: 'First again' });
    expect(await shown()).toEqual(await wrote(team.admin, 'First again'));
  });

  test('that mentions its reader is one notification', async () => {
    const task = await newTask();
    await addNote(team.approver.token, task, `[@Anna](person:${team.owner.id})`);
    expect((await inboxOf(team.owner)).notices.map(({ kind }) => kind)).toEqual(['mentioned']);
  });

  test('mentions up to 20 people, however often it is edited', async () => {
    const task = await newTask();
    const ids = await Promise.all(Array.from({ length: 21 }, () => app.person({ role: 'admin' })));
    const naming = (people: readonly string[]) => people.map((id) => `[@P](person:${id})`).join(' ');
    const refused = await addNote(team.owner.token, task, naming(ids));
    expect([refused.code, refused.errors?.[0]?.message]).toEqual(['BAD_INPUT', 'A note can mention up to 20 people']);
    const { data } = await addNote(team.owner.token, task, naming(ids.slice(0, 20)));
    const edit = (text: string) =>
      app.gql(
        team.owner.token,
        'mutation ($t: ID!, $n: ID!, $x: String!) { editNote(taskId: $t, noteId: $n, text: $x) { id } }',
        { t: task, n: data.addNoteToTask.notes[0].id, x: text },
      );
    expect((await edit(naming(ids.slice(20)))).errors?.[0]?.message).toBe(
      'This note already notified 20 people, and a note can notify up to 20',
    );
    expect((await edit(naming(ids.slice(5, 10)))).code).toBeNull();
    expect(await sentences({ id: ids[20] as string })).toEqual([]);
    expect(await sentences({ id: ids[19] as string })).toHaveLength(1);
  });
});

describe('a new task', () => {
  const create = (token: string, userId: string) =>
    app.gql(token, 'mutation ($userId: ID!) { createTask(title: "Report", userId: $userId) { id } }', { userId });

  test('of one’s own tells nobody', async () => {
    await create(team.owner.token, team.owner.id);
    expect(await sentences(team.owner)).toEqual([]);
  });

  test('that the approver created is told to its owner', async () => {
    const { data } = await create(team.approver.token, team.owner.id);
    const { id } = data.createTask;
    expect((await inboxOf(team.owner)).notices).toMatchObject([
      {
        kind: 'assigned',
        sentence: `${await nameOf(team.approver)} created a task for you: “Report”`,
        path: `/top-5/tasks?task=${id}`,
      },
    ]);
    expect(await sentences(team.approver)).toEqual([]);
  });
});

describe('what waits', () => {
  test('is told in one notice however many tasks and servers there are, and hidden when nothing waits', async () => {
    for (const title of ['A', 'B', 'C'])
      await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title, at: '2026-11-18T11:50:00Z' });
    await Promise.all([app, beside, app, beside].map(({ parts }) => sendDigests(parts)));
    expect(await sentences(team.approver)).toEqual(['3 tasks are waiting for your decision']);
    expect(await sentences(team.otherApprover)).toEqual([]);
    expect(await sentences(team.admin)).toEqual([]);
    await app.database.pool.query("update tasks set status = 'TODO' where owner_id = $1 and title <> 'A'", [
      team.owner.id,
    ]);
    expect(await sentences(team.approver)).toEqual(['1 task is waiting for your decision']);
    await app.database.pool.query("update tasks set status = 'TODO' where owner_id = $1", [team.owner.id]);
    expect(await inboxOf(team.approver)).toEqual({ notices: [], unreadNotices: 0 });
  });

  test('is told again when more came and four hours passed, and then stands once', async () => {
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, at: '2026-11-18T11:50:00Z' });
    await sendDigests(app.parts);
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, at: '2026-11-18T12:10:00Z' });
    app.clock.set('2026-11-18T15:59:00Z');
    await sendDigests(app.parts);
    const counts = () =>
      app.database.pool.query<{ count: number }>(
        "select count(*)::int as count from notices where person_id = $1 and kind = 'waiting'",
        [team.approver.id],
      );
    expect((await counts()).rows[0]?.count).toBe(1);
    app.clock.set('2026-11-18T16:01:00Z');
    await sendDigests(beside.parts);
    expect((await counts()).rows[0]?.count).toBe(2);
    expect(await sentences(team.approver)).toEqual(['2 tasks are waiting for your decision']);
    app.clock.set('2026-11-19T16:01:00Z');
    await sendDigests(app.parts);
    expect((await counts()).rows[0]?.count).toBe(2);
  });

  test('of people without any approver is told to admins', async () => {
    const lonely = await app.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] });
    await prepareTask(app.database, { ownerId: lonely, sprintId, at: '2026-11-18T11:50:00Z' });
    await sendDigests(app.parts);
    expect(await sentences(team.admin)).toEqual(['1 task is waiting for your decision']);
  });
});

describe('the end of the sprint', () => {
  test('is told twice to who has something open, once each for all servers, and never after it', async () => {
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'INPROGRESS' });
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'INREVIEW' });
    await prepareTask(app.database, { ownerId: team.stranger.id, sprintId, status: 'DONE' });
    const tell = () => Promise.all([app, beside, app, beside].map(({ parts }) => sendSprintReminders(parts)));
    app.clock.set('2026-11-20T09:59:00Z');
    await tell();
    expect(await sentences(team.owner)).toEqual([]);
    app.clock.set('2026-11-20T10:00:00Z');
    await tell();
    for (const later of ['2026-11-20T20:00:00Z', '2026-11-22T10:00:00Z']) {
      app.clock.set(later);
      await tell();
    }
    expect((await inboxOf(team.owner)).notices).toMatchObject([
      { kind: 'boundary', sentence: 'Sprint 2026 W47 ends Mon 23 Nov 10:00', detail: '1 of your tasks is unfinished' },
    ]);
    app.clock.set('2026-11-23T08:30:00Z');
    await tell();
    app.clock.set('2026-11-23T10:00:00Z');
    await app.sprint();
    await tell();
    expect((await inboxOf(team.owner)).notices).toHaveLength(2);
    const approver = await inboxOf(team.approver);
    expect(approver.notices.map(({ detail }) => detail)).toEqual(Array(2).fill('1 task is waiting for your decision'));
    expect((await inboxOf(team.stranger)).notices).toEqual([]);
  });

  test('is not told on days off, nor to who is away', async () => {
    for (const { id } of [team.owner, team.stranger])
      await prepareTask(app.database, { ownerId: id, sprintId, status: 'TODO' });
    const kinds = async (who: Team['owner']) => (await inboxOf(who)).notices.map(({ kind }) => kind);
    for (const dayOff of ['2026-11-21T12:00:00Z', '2026-11-22T12:00:00Z']) {
      app.clock.set(dayOff);
      await sendSprintReminders(app.parts);
    }
    expect(await kinds(team.owner)).toEqual([]);
    await app.database.pool.query(
      "insert into absences (person_id, first_day, last_day) values ($1, '2026-11-16', '2026-11-20')",
      [team.owner.id],
    );
    app.clock.set('2026-11-20T10:00:00Z');
    await sendSprintReminders(app.parts);
    expect([await kinds(team.owner), await kinds(team.stranger)]).toEqual([[], ['boundary']]);
    app.clock.set('2026-11-23T08:00:00Z');
    await sendSprintReminders(app.parts);
    expect(await kinds(team.owner)).toEqual(['boundary']);
  });

  test('is not told at 24 hours by a server that comes up one hour before it', async () => {
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    app.clock.set('2026-11-23T09:00:00Z');
    await sendSprintReminders(app.parts);
    await sendSprintReminders(app.parts);
    const { rows } = await app.database.pool.query('select key from notices where person_id = $1', [team.owner.id]);
    expect(rows).toEqual([{ key: `boundary:${sprintId}:2:2026-11-23T10:00:00.000Z` }]);
  });

  test('is told again once a holiday has moved it', async () => {
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    app.clock.set('2026-11-23T08:30:00Z');
    await sendSprintReminders(app.parts);
    const move = (from: string, to: string) =>
      app.database.pool.query(
        `update sprints set start_at = case start_at when $1 then $2 else start_at end,
           end_at = case end_at when $1 then $2 else end_at end where $1::timestamptz in (start_at, end_at)`,
        [from, to],
      );
    const [monday, tuesday] = ['2026-11-23T10:00:00Z', '2026-11-24T10:00:00Z'] as const;
    await move(monday, tuesday);
    app.clock.set('2026-11-24T08:30:00Z');
    await sendSprintReminders(app.parts);
    await move(tuesday, monday);
    expect((await inboxOf(team.owner)).notices.map(({ sentence }) => sentence)).toEqual([
      'Sprint 2026 W47 ends Tue 24 Nov 10:00',
      'Sprint 2026 W47 ends Mon 23 Nov 10:00',
    ]);
  });
});

describe('the inbox', () => {
  async function decisions(count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) {
      const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title: `Task ${made}` });
      await update(team.approver.token, task, { status: 'TODO' });
    }
  }

  test('is paged, newest first, and marks read, unread and all that was seen', async () => {
    await decisions(3);
    const { token } = team.owner;
    const page = (before?: string) =>
      app.gql(token, 'query ($before: ID) { notices(before: $before, limit: 2) { id sentence } }', { before });
    const first = (await page()).data.notices;
    const second = (await page(first[1].id)).data.notices;
    expect([...first, ...second].map(({ sentence }) => sentence.match(/“(.+)”/)?.[1])).toEqual([
      'Task 2',
      'Task 1',
      'Task 0',
    ]);
    const mark = (read: boolean) =>
      app.gql(token, 'mutation ($ids: [ID!]!, $read: Boolean!) { markNotices(ids: $ids, read: $read) }', {
        ids: [first[0].id],
        read,
      });
    expect((await mark(true)).data.markNotices).toBe(2);
    expect((await mark(false)).data.markNotices).toBe(3);
    const all = await app.gql(token, 'mutation ($id: ID!) { markAllNotices(upTo: $id) }', { id: first[1].id });
    expect(all.data.markAllNotices).toBe(1);
  });

  test('has a notification that counts something new first, however old it was, and still unread', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title: 'Report' });
    await addNote(team.approver.token, task, 'First');
    await decisions(2);
    const seen = (await inboxOf(team.owner)).notices[0]?.id;
    await addNote(team.approver.token, task, 'Urgent');
    await app.gql(team.owner.token, 'mutation ($id: ID!) { markAllNotices(upTo: $id) }', { id: seen });
    expect((await inboxOf(team.owner)).notices).toMatchObject([
      { sentence: '2 new notes on “Report”', read: false },
      { kind: 'decided', read: true },
      { kind: 'decided', read: true },
    ]);
  });

  test('keeps what is unread for a year, and what was read for 90 days', async () => {
    await decisions(2);
    const { notices } = await inboxOf(team.owner);
    await app.gql(team.owner.token, 'mutation ($ids: [ID!]!) { markNotices(ids: $ids, read: true) }', {
      ids: [notices[1]?.id],
    });
    const left = async () => (await inboxOf(team.owner)).notices.length;
    app.clock.set('2027-02-16T11:00:00Z');
    await removeOldNotices(app.parts);
    expect(await left()).toBe(2);
    app.clock.set('2027-02-16T13:00:00Z');
    await removeOldNotices(app.parts);
    expect(await left()).toBe(1);
    app.clock.set('2027-11-18T13:00:00Z');
    await removeOldNotices(app.parts);
    expect(await left()).toBe(0);
  });

  test('removes many in batches', async () => {
    await decisions(5);
    app.clock.set('2027-12-01T12:00:00Z');
    await removeOldNotices(app.parts, 2);
    const { rows } = await app.database.pool.query("select kind, at from notices where at < '2026-11-24'");
    expect(rows).toEqual([]);
  });
});

test('a kind that only a newer version knows is neither shown, counted nor marked as read', async () => {
  const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title: 'Report' });
  await update(team.approver.token, task, { status: 'TODO' });
  await app.database.pool.query(
    `insert into notices (person_id, kind, key, facts, at, in_app) values
       ($1, 'praised', 'praised:1', '{"kind":"praised"}', now(), true), ($1, 'absence', 'absence:1', '{"kind":"absence","hours":4}', now(), true)`,
    [team.owner.id],
  );
  const { notices, unreadNotices } = await inboxOf(team.owner);
  expect(notices.map(({ sentence }) => sentence)).toEqual([
    'My time away changed',
    expect.stringContaining('approved “Report”'),
  ]);
  expect(unreadNotices).toBe(2);
  await app.gql(team.owner.token, 'mutation ($id: ID!) { markAllNotices(upTo: $id) }', { id: notices[0]?.id });
  const unread = 'select kind from notices where person_id = $1 and read_at is null';
  expect((await app.database.pool.query(unread, [team.owner.id])).rows).toEqual([{ kind: 'praised' }]);
});

describe('the choice', () => {
  const choose = (kind: string, inApp: boolean, mail: boolean) =>
    app.gql(
      team.owner.token,
      'mutation ($kind: NoticeKind!, $inApp: Boolean!, $mail: Boolean!) { chooseNotices(kind: $kind, inApp: $inApp, mail: $mail) { kind inApp mail } }',
      { kind, inApp, mail },
    );

  test('holds for one kind and one person, from the next event on, and is in the audit log', async () => {
    const { data } = await choose('decided', false, false);
    expect(data.chooseNotices.find(({ kind }: { kind: string }) => kind === 'decided')).toMatchObject({ inApp: false });
    expect(data.chooseNotices.find(({ kind }: { kind: string }) => kind === 'mentioned')).toMatchObject({
      inApp: true,
    });
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await update(team.approver.token, task, { status: 'TODO' });
    await addNote(team.approver.token, task, `[@O](person:${team.owner.id})`);
    expect((await inboxOf(team.owner)).notices.map(({ kind }) => kind)).toEqual(['mentioned']);
    const { rows } = await app.database.pool.query(
      "select before, after from audit_log where action = 'noticesChosen' and subject_id = $1",
      [team.owner.id],
    );
    expect(rows).toEqual([
      { before: { kind: 'decided', inApp: true, mail: true }, after: { kind: 'decided', inApp: false, mail: false } },
    ]);
  });

  test('of what a thief would silence first asks for a proof of the last ten minutes', async () => {
    const was = app.clock.now();
    const token = await app.signIn(team.owner.id);
    const off = async (kind: string, mail = false) =>
      (await app.gql(token, `mutation { chooseNotices(kind: ${kind}, inApp: true, mail: ${mail}) { kind } }`)).code;
    app.clock.set(was.add({ minutes: 11 }));
    expect([await off('access'), await off('absence'), await off('handedOver')]).toEqual([
      'CONFIRM_IDENTITY',
      'CONFIRM_IDENTITY',
      null,
    ]);
    app.clock.set(was);
    expect(await off('access')).toBeNull();
    app.clock.set(was.add({ minutes: 11 }));
    expect([await off('access', true), await off('handedOver', true)]).toEqual([null, null]);
    expect((await app.gql(token, '{ accountEvents { words } }')).data.accountEvents).toEqual([
      { words: 'Turned off notifications for “My access changed”' },
    ]);
    app.clock.set(was);
  });

  test('that changes nothing leaves no line in the audit log', async () => {
    const lines = async () =>
      (await app.database.pool.query("select from audit_log where action = 'noticesChosen'")).rowCount ?? 0;
    await choose('mentioned', true, false);
    const before = await lines();
    await Promise.all([1, 2, 3].map(() => choose('mentioned', true, false)));
    await choose('answered', true, true);
    expect(await lines()).toBe(before);
    await Promise.all([1, 2, 3].map(() => choose('mentioned', false, false)));
    expect(await lines()).toBe(before + 1);
  });

  test('of a kind that nobody knows is refused', async () => {
    expect((await choose('sales', true, true)).code).toBe('BAD_INPUT');
  });
});
