// Notes and files of a task over HTTP (spec 3, 5, 7; D16, D24).
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeTeam, prepareTask, type Team, traces } from '../../../test/task-fixtures.ts';

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

const parts =
  '{ version notes { id text userId userName timeStamp edited } attachments { id fileName userId url } history { event } }';
const add = `mutation ($id: ID!, $text: String!) { addNoteToTask(taskId: $id, text: $text) ${parts} }`;
const edit = `mutation ($id: ID!, $noteId: ID!, $text: String!) { editNote(taskId: $id, noteId: $noteId, text: $text) ${parts} }`;
const remove = `mutation ($id: ID!, $index: Int!, $version: Int) { removeNoteFromTask(taskId: $id, noteIndex: $index, version: $version) ${parts} }`;
const restore = `mutation ($id: ID!, $noteId: ID!) { restoreNote(taskId: $id, noteId: $noteId) ${parts} }`;
const removeFile = `mutation ($id: ID!, $index: Int!, $version: Int) { removeAttachmentFromTask(taskId: $id, attachmentIndex: $index, version: $version) ${parts} }`;
const restoreFile = `mutation ($id: ID!, $fileId: ID!) { restoreAttachment(taskId: $id, attachmentId: $fileId) ${parts} }`;

async function addNotes(token: string, ...texts: string[]): Promise<void> {
  for (const text of texts) await app.gql(token, add, { id, text });
}
const texts = (notes: { text: string }[]): string[] => notes.map(({ text }) => text);

describe('removing a note by its index', () => {
  it('is refused for anybody but its author and an admin', async () => {
    await addNotes(team.owner.token, 'Mine');
    const before = await traces(app.database, id);
    expect((await app.gql(team.approver.token, remove, { id, index: 0 })).code).toBe('FORBIDDEN');
    expect(await traces(app.database, id)).toEqual(before);
    expect((await app.gql(team.admin.token, remove, { id, index: 0 })).data.removeNoteFromTask.notes).toEqual([]);
  });

  it('is refused with a stale version instead of removing the wrong note', async () => {
    await addNotes(team.owner.token, 'First', 'Second', 'Third');
    expect((await app.gql(team.owner.token, remove, { id, index: 0, version: 4 })).code).toBeNull();
    const { errors } = await app.gql(team.owner.token, remove, { id, index: 1, version: 4 });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', changed: ['notes'] });
    const { data } = await app.gql(team.owner.token, `query ($id: ID) { getTasks(taskId: $id) ${parts} }`, { id });
    expect(texts(data.getTasks[0].notes)).toEqual(['Second', 'Third']);
  });

  it.each([-1, 3, 2_147_483_647, 0.5, '0', 99_999_999_999])(
    'is refused as bad input for the index %s',
    async (index) => {
      await addNotes(team.owner.token, 'Only');
      expect((await app.gql(team.owner.token, remove, { id, index })).code).toBe('BAD_INPUT');
    },
  );

  it('called many times at once with the version that everybody saw, removes exactly the note meant', async () => {
    const all = Array.from({ length: 20 }, (_, index) => `Note ${index}`);
    // Ids of two and three digits must sort as numbers.
    await app.asOwner('alter table task_notes alter id restart with 90');
    await addNotes(team.owner.token, ...all);
    const answers = await Promise.all(
      all.map((_, index) => app.gql(team.owner.token, remove, { id, index, version: 21 })),
    );
    const winner = answers.findIndex(({ code }) => code === null);
    expect(answers.filter(({ code }) => code === 'CONFLICT')).toHaveLength(19);
    const { data } = await app.gql(team.owner.token, `query ($id: ID) { getTasks(taskId: $id) ${parts} }`, { id });
    expect(texts(data.getTasks[0].notes)).toEqual(all.filter((_, index) => index !== winner));
  });
});

describe('a note', () => {
  it('is refused when it is blank, and edited by nobody but its author', async () => {
    expect((await app.gql(team.owner.token, add, { id, text: ' ' })).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_INPUT',
      field: 'text',
    });
    const { data } = await app.gql(team.owner.token, add, { id, text: 'Mine' });
    const noteId = data.addNoteToTask.notes[0].id;
    expect((await app.gql(team.admin.token, edit, { id, noteId, text: 'Yours' })).code).toBe('FORBIDDEN');
    expect((await app.gql(team.owner.token, edit, { id, noteId: '999999', text: 'Gone' })).code).toBe('NOT_FOUND');
  });

  it('has the name of its author as it was, its time, and whether it was edited', async () => {
    const { data } = await app.gql(team.approver.token, add, { id, text: ' Please add the number ' });
    const [note] = data.addNoteToTask.notes;
    expect(note).toMatchObject({
      text: 'Please add the number',
      userId: team.approver.id,
      timeStamp: '2026-11-18T12:00:00.000Z',
      edited: false,
    });
    await app.database.pool.query('update people set last_name = $1 where id = $2', ['Renamed', team.approver.id]);
    const edited = await app.gql(team.approver.token, edit, { id, noteId: note.id, text: 'Please add the numbers' });
    expect(edited.data.editNote.notes).toEqual([{ ...note, text: 'Please add the numbers', edited: true }]);
    expect(edited.data.editNote.version).toBe(3);
  });

  it('can still be added to a task that is signed off', async () => {
    id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'DONE' });
    expect(texts((await app.gql(team.owner.token, add, { id, text: 'Thanks' })).data.addNoteToTask.notes)).toEqual([
      'Thanks',
    ]);
  });

  it('that was removed is brought back, to its place, by whoever may remove it', async () => {
    await addNotes(team.owner.token, 'First', 'Second');
    const [first] = (await app.gql(team.owner.token, `query ($id: ID) { getTasks(taskId: $id) ${parts} }`, { id })).data
      .getTasks[0].notes;
    await app.gql(team.owner.token, remove, { id, index: 0, version: 3 });
    expect((await app.gql(team.approver.token, restore, { id, noteId: first.id })).code).toBe('FORBIDDEN');
    const { data } = await app.gql(team.owner.token, restore, { id, noteId: first.id });
    expect(texts(data.restoreNote.notes)).toEqual(['First', 'Second']);
    expect(data.restoreNote.history.map(({ event }: { event: string }) => event)).toEqual([
      'created',
      'noteAdded',
      'noteAdded',
      'noteRemoved',
      'noteRestored',
    ]);
  });
});

it.each(['note', 'file'] as const)('a %s that an admin removed comes back by an admin only', async (what) => {
  const admin = await app.signIn(await app.person({ role: 'admin' }));
  const own = team.owner.token;
  await addNotes(own, 'An insult');
  await app.database.pool.query(
    `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size) values ($1, $2, 'Author', 'a.txt', 'text/plain', 3)`,
    [id, team.owner.id],
  );
  const table = what === 'note' ? 'task_notes' : 'task_attachments';
  const { rows } = await app.database.pool.query(`select id::text from ${table} where task_id = $1`, [id]);
  const [removal, back] =
    what === 'note'
      ? [`removeNoteFromTask(taskId: "${id}", noteIndex: 0)`, `restoreNote(taskId: "${id}", noteId: "${rows[0].id}")`]
      : [
          `removeAttachmentFromTask(taskId: "${id}", attachmentIndex: 0)`,
          `restoreAttachment(taskId: "${id}", attachmentId: "${rows[0].id}")`,
        ];
  const ask = async (token: string, call: string) => (await app.gql(token, `mutation { ${call} { id } }`)).code;
  expect(await ask(admin, removal)).toBeNull();
  // An admin restores it from this line.
  const history = `query { getTasks(taskId: "${id}") { history { event after } } }`;
  const line = { [`${what}Id`]: rows[0].id };
  expect(JSON.parse((await app.gql(admin, history)).data.getTasks[0].history.at(-1).after)).toEqual(line);
  const { rows: audited } = await app.database.pool.query('select after from audit_log order by id desc limit 1');
  expect(audited[0].after).toMatchObject(line);
  expect(await ask(own, back)).toBe('FORBIDDEN');
  expect(await ask(admin, back)).toBeNull();
  expect(await ask(own, removal)).toBeNull();
  expect(await ask(own, back)).toBeNull();
});

describe('a file', () => {
  async function putFile(authorId: string, fileName: string): Promise<string> {
    const { rows } = await app.database.pool.query(
      `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size) values ($1, $2, 'Author', $3, 'text/plain', 3) returning id::text`,
      [id, authorId, fileName],
    );
    return rows[0].id;
  }

  it('is removed by nobody but its author and an admin, by an index within the list and a version that is not stale', async () => {
    await putFile(team.owner.id, 'a.txt');
    const before = await traces(app.database, id);
    expect((await app.gql(team.approver.token, removeFile, { id, index: 0 })).code).toBe('FORBIDDEN');
    expect((await app.gql(team.owner.token, removeFile, { id, index: 1 })).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_INPUT',
      field: 'attachmentIndex',
    });
    expect((await app.gql(team.owner.token, removeFile, { id, index: -1 })).code).toBe('BAD_INPUT');
    expect((await app.gql(team.owner.token, removeFile, { id, index: 0, version: 2 })).code).toBe('CONFLICT');
    expect(await traces(app.database, id)).toEqual(before);
  });

  it('of which only the name is known has no link', async () => {
    await putFile(team.owner.id, 'a.txt');
    const { data } = await app.gql(team.owner.token, `query ($id: ID) { getTasks(taskId: $id) ${parts} }`, { id });
    expect(data.getTasks[0].attachments).toMatchObject([{ fileName: 'a.txt', userId: team.owner.id, url: null }]);
  });

  it('that was removed is brought back by whoever may remove it', async () => {
    const fileId = await putFile(team.owner.id, 'a.txt');
    await putFile(team.owner.id, 'b.txt');
    const removed = await app.gql(team.owner.token, removeFile, { id, index: 0, version: 1 });
    expect(removed.data.removeAttachmentFromTask.attachments).toMatchObject([{ fileName: 'b.txt' }]);
    expect((await app.gql(team.approver.token, restoreFile, { id, fileId })).code).toBe('FORBIDDEN');
    expect(
      (await app.gql(team.admin.token, restoreFile, { id, fileId })).data.restoreAttachment.attachments,
    ).toMatchObject([{ fileName: 'a.txt' }, { fileName: 'b.txt' }]);
  });
});

test('of two notes at once only one is the last of the hour', async () => {
  const other = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
  await app.database.pool.query('delete from task_notes');
  await app.database.pool.query(
    `insert into task_notes (task_id, author_id, author_name, text, at)
     select $1, $2, 'Owner', 'Short', $3 from generate_series(1, 99)`,
    [other, team.owner.id, app.clock.now().toString()],
  );
  // Each call has counted when it waits to notify the approver.
  const blocker = await app.database.pool.connect();
  await blocker.query('begin; lock table notices in share row exclusive mode');
  const answers = Promise.all([id, other].map((task) => app.gql(team.owner.token, add, { id: task, text: 'New' })));
  const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await app.asOwner(waits)).length).toBe(2);
  await blocker.query('commit');
  blocker.release();
  expect((await answers).map(({ code }) => code).sort()).toEqual(['TOO_MANY_ATTEMPTS', null]);
});
