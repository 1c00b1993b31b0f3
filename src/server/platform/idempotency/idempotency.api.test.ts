import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, wednesday } from '../../../../test/app.ts';
import { makeTeam, prepareTask, type Someone, someone, type Team } from '../../../../test/task-fixtures.ts';
import { removeOldKeys } from './idempotency.service.ts';
import { isKeyFree, tryToLockKey } from './idempotency.store.ts';

let app: TestApp;
let team: Team;
let sprintId: string;

beforeAll(async () => {
  app = await startTestApp();
  sprintId = await app.sprint();
  team = await makeTeam(app);
});
afterAll(() => app.stop());

const headersOf = (token: string, key?: string) => ({
  authorization: `Bearer ${token}`,
  ...(key === undefined ? {} : { 'idempotency-key': key }),
});

async function call(token: string, query: string, variables: object, key?: string) {
  const payload = { query, variables };
  const response = await app.call({ method: 'POST', url: '/graphql', headers: headersOf(token, key), payload });
  const { data, errors } = response.json();
  return { data, code: errors?.[0].extensions.code ?? null, status: errors?.[0].extensions.statusCode ?? 200 };
}

const make = 'mutation ($title: String!, $userId: ID!) { createTask(title: $title, userId: $userId) { id title } }';
const create = ({ id: userId, token }: Someone, title: string, key?: string) =>
  call(token, make, { title, userId }, key);
const note =
  'mutation ($taskId: ID!, $text: String!) { addNoteToTask(taskId: $taskId, text: $text) { notes { text } } }';

async function count(table: 'tasks' | 'idempotency_keys', title?: string): Promise<number> {
  const where = title === undefined ? '' : 'where title = $1';
  const values = title === undefined ? [] : [title];
  const { rows } = await app.database.pool.query(`select count(*)::int as count from ${table} ${where}`, values);
  return rows[0].count;
}

describe('an Idempotency-Key', () => {
  it.each([
    ['empty', ''],
    ['longer than 100 characters', 'k'.repeat(101)],
    ['with a space inside', 'a b'],
    ['outside of ASCII', 'schlüssel'],
  ])('that is %s is refused, and nothing is made', async (_what, key) => {
    expect(await create(team.owner, 'Bad key', key)).toMatchObject({ code: 'BAD_INPUT', status: 400 });
    expect(await count('tasks', 'Bad key')).toBe(0);
  });

  it('makes one task of the same call sent again, and answers with it', async () => {
    const first = await create(team.owner, 'Once', 'once');
    expect(await create(team.owner, 'Once', 'once')).toEqual(first);
    expect(await count('tasks', 'Once')).toBe(1);
  });

  it('knows the call again when its query was compiled meanwhile, which puts literals before variables', async () => {
    const admin = await someone(app, { role: 'admin' });
    const curve = 'from: 50, full: 100, cap: 120';
    const written = `mutation ($base: String!) { createBonusPlan(after: 0, base: $base, currency: "USD", fairHours: 24,
      fromSprintId: "${sprintId}", components: { signedOff: { ${curve}, weight: 50 }, firstPass: { ${curve}, weight: 30 },
      team: { ${curve}, weight: 20 } }) { version } }`;
    const send = () => call(admin.token, written, { base: '100' }, 'compiled');
    const first = await send();
    expect(first.code).toBeNull();
    expect([await send(), await send()]).toEqual([first, first]);
  });

  it('makes one task of calls that come together; those that met the first under way are told so', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(team.owner, 'Total', 'together')));
    const made = answers.filter(({ code }) => code === null);
    expect(new Set(made.map(({ data }) => data.createTask.id)).size).toBe(1);
    const others = answers.filter(({ code }) => code !== null);
    for (const other of others) expect(other).toMatchObject({ code: 'STILL_RUNNING', status: 409 });
    expect(await count('tasks', 'Total')).toBe(1);
  });

  it('is refused with another call', async () => {
    await create(team.owner, 'This', 'this');
    expect(await create(team.owner, 'That', 'this')).toMatchObject({ code: 'KEY_REUSED', status: 422 });
    const taskId = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    expect((await call(team.owner.token, note, { taskId, text: 'This' }, 'this')).code).toBe('KEY_REUSED');
    expect(await count('tasks', 'That')).toBe(0);
  });

  it('belongs to the person who sent it', async () => {
    await create(team.owner, 'Mine', 'shared');
    expect((await create(team.stranger, 'Mine', 'shared')).code).toBeNull();
    expect(await count('tasks', 'Mine')).toBe(2);
  });

  it('stays free when the call was refused', async () => {
    expect((await create(team.owner, ' ', 'free')).code).toBe('BAD_INPUT');
    expect((await create(team.owner, 'Free', 'free')).code).toBeNull();
  });

  it('tells the tasks of one request from each other', async () => {
    const two = `mutation ($userId: ID!) { a: createTask(title: "Twin", userId: $userId) { id } b: createTask(title: "Twin", userId: $userId) { id } }`;
    const { data } = await call(team.owner.token, two, { userId: team.owner.id }, 'twins');
    expect((await call(team.owner.token, two, { userId: team.owner.id }, 'twins')).data).toEqual(data);
    expect(await count('tasks', 'Twin')).toBe(2);
  });

  it('adds one note, and one line of history', async () => {
    const taskId = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const twice = () => call(team.owner.token, note, { taskId, text: 'Called back' }, 'note');
    const answers = await Promise.all([twice(), twice()]);
    for (const { data, code } of answers)
      expect(code ?? data.addNoteToTask).toEqual(code ?? { notes: [{ text: 'Called back' }] });
    const { rows } = await app.database.pool.query(
      "select count(*)::int as count from task_history where task_id = $1 and event = 'noteAdded'",
      [taskId],
    );
    expect(rows[0].count).toBe(1);
  });

  it('attaches one file, and keeps one', async () => {
    const taskId = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const part = (name: string, value: string) =>
      `--m\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const send = (text: string) =>
      app.call({
        method: 'POST',
        url: '/attachment',
        headers: { ...headersOf(team.owner.token, 'file'), 'content-type': 'multipart/form-data; boundary=m' },
        payload: `${part('taskId', taskId)}${part('attachment"; filename="a.txt', text)}--m--\r\n`,
      });
    const ids = [await send('same'), await send('same')].map((response) => response.json().attachment.id);
    expect(ids[0]).toBe(ids[1]);
    const files = readdirSync(join(app.parts.config.dataDir, 'files'), { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile())).toHaveLength(1);
    expect((await send('other')).statusCode).toBe(422);
  });

  it('tells only its owner what the call made, also after that is gone', async () => {
    const result = async ({ token }: Someone, key: string) => {
      const { data, code } = await call(token, 'query ($key: String!) { callResult(key: $key) }', { key });
      return code ?? data.callResult;
    };
    const { id } = (await create(team.owner, 'Lost', 'lost')).data.createTask;
    await call(team.owner.token, note, { taskId: id, text: 'Lost' }, 'lost-note');
    await call(team.owner.token, 'mutation ($id: ID!) { withdrawTask(taskId: $id) { id } }', { id });
    expect(await result(team.stranger, 'lost')).toBeNull();
    expect([await result(team.owner, 'lost'), await result(team.owner, 'never')]).toEqual([id, null]);
    expect(await result(team.owner, 'a b')).toBe('BAD_INPUT');
    const [written] = (await app.database.pool.query('select id::text from task_notes where task_id = $1', [id])).rows;
    expect(await result(team.owner, 'lost-note')).toBe(written.id);
  });

  it('tells that the call still runs', async () => {
    await app.database.transaction(async (queries) => {
      await tryToLockKey(queries, team.owner.id, 'slow 0');
      expect(await call(team.owner.token, '{ callResult(key: "slow") }', {})).toMatchObject({ code: 'STILL_RUNNING' });
    });
  });

  it('tells two who ask at the same time', async () => {
    const { id } = (await create(team.owner, 'Asked', 'asked')).data.createTask;
    await app.database.transaction(async (queries) => {
      expect(await isKeyFree(queries, team.owner.id, 'asked 0')).toBe(true);
      expect((await call(team.owner.token, '{ callResult(key: "asked") }', {})).data).toEqual({ callResult: id });
    });
  });

  it('tells that a note still waits for its task', async () => {
    const taskId = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const waiting = await app.database.transaction(async (queries) => {
      await queries.execute(sql`select from tasks where id = ${taskId} for update`);
      const added = call(team.owner.token, note, { taskId, text: 'Waits' }, 'waits');
      const result = async () => (await call(team.owner.token, '{ callResult(key: "waits") }', {})).code;
      await expect.poll(result).toBe('STILL_RUNNING');
      return { added };
    });
    expect((await waiting.added).data.addNoteToTask).toEqual({ notes: [{ text: 'Waits' }] });
  });

  it('is forgotten after a day', async () => {
    await create(team.owner, 'A day', 'day');
    app.clock.advance({ hours: 24 });
    await removeOldKeys(app.parts);
    expect(await count('idempotency_keys')).toBeGreaterThan(0);
    app.clock.advance({ seconds: 1 });
    await removeOldKeys(app.parts);
    expect(await count('idempotency_keys')).toBe(0);
    app.clock.set(wednesday);
  });
});

it('without a key the same call makes two', async () => {
  await create(team.owner, 'Twice');
  await create(team.owner, 'Twice');
  expect(await count('tasks', 'Twice')).toBe(2);
});
