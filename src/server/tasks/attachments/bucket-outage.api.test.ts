import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { filesFound } from '#server/platform/installation/files-place.ts';
import { openFileStore } from '#server/platform/storage/files.ts';
import { startTestApp, type TestApp, wednesday } from '../../../../test/app.ts';
import { type Line, layLine } from '../../../../test/line.ts';
import { bucketUrl, startBucket, type TestBucket } from '../../../../test/s3-server.ts';
import { clearAway } from './attachments.service.ts';

const folder = mkdtempSync(join(tmpdir(), 'outage-'));
let bucket: TestBucket;
let line: Line;
let server: TestApp;
let token: string;
let taskId: string;

beforeAll(async () => {
  bucket = await startBucket(join(folder, 's3'));
  line = await layLine({ host: '127.0.0.1', port: bucket.port });
  server = await startTestApp({
    parts: { files: await openFileStore({ dataDir: folder, url: bucketUrl(line.port) }) },
  });
  await server.sprint();
  const approver = await server.person();
  const owner = await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], approvers: [approver] });
  token = await server.signIn(owner);
  const { data } = await server.gql(
    token,
    'mutation ($userId: ID!) { createTask(title: "Keep it safe", userId: $userId) { id } }',
    { userId: owner },
  );
  taskId = data.createTask.id;
});
afterAll(async () => {
  await server.stop();
  await line.close();
  await bucket.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => line.become('good'));

const attach = (key: string = randomUUID()) =>
  server.call({
    method: 'POST',
    url: '/attachment',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=mark',
      'idempotency-key': key,
    },
    payload: `--mark\r\nContent-Disposition: form-data; name="taskId"\r\n\r\n${taskId}\r\n--mark\r\nContent-Disposition: form-data; name="attachment"; filename="a.txt"\r\n\r\ntext\r\n--mark--\r\n`,
  });
const attachedFiles = async (): Promise<number> => {
  const { data } = await server.gql(token, 'query ($id: ID!) { getTasks(taskId: $id) { attachments { id } } }', {
    id: taskId,
  });
  return data.getTasks[0].attachments.length;
};
const outage = {
  error: {
    code: 'FILES_UNAVAILABLE',
    message: 'The server can’t reach the file storage. Try again in a moment',
  },
};

test('a file that the bucket does not take is refused with 503, and the task names none', async () => {
  line.become('torn');
  const response = await attach();
  expect([response.statusCode, response.headers['retry-after'], response.json()]).toEqual([503, '2', outage]);
  expect(await attachedFiles()).toBe(0);
});

test('the same upload sent again is taken once the bucket is back, and its file can be had; both wait for the bucket', async () => {
  const key = randomUUID();
  line.become('torn');
  expect((await attach(key)).statusCode).toBe(503);
  line.become('good');
  const taken = await attach(key);
  expect([taken.statusCode, await attachedFiles()]).toEqual([201, 1]);
  const { url } = taken.json().attachment;
  line.become('torn');
  const away = await server.call({ url });
  expect([away.statusCode, away.json()]).toEqual([503, outage]);
  line.become('good');
  expect((await server.call({ url })).body).toBe('text');
});

test('who opens a file that the bucket has lost learns that, and no error is counted', async () => {
  const { url, id } = (await attach()).json().attachment;
  const { rows } = await server.database.pool.query('select storage_key from task_attachments where id = $1', [id]);
  await server.parts.files.remove(rows[0].storage_key);
  const answer = await server.call({ url });
  expect([answer.statusCode, answer.json().error]).toEqual([
    404,
    { code: 'FILE_LOST', message: 'This file was lost. Ask the person who attached it to add it again' },
  ]);
});

test('once the bucket belongs to another database, uploads are refused and its files are left alone', async () => {
  const link = (await attach()).json().attachment.url;
  const store = await openFileStore({ dataDir: folder, url: bucketUrl(bucket.port) });
  const draft = join(store.incoming, 'of-another');
  writeFileSync(draft, 'x');
  await store.keep('ab/of-another', draft);
  await server.asOwner("insert into installation (files_place) values ('the bucket')");
  try {
    await store.writeMark(randomUUID());
    const before = await attachedFiles();
    const refused = await attach();
    expect([refused.statusCode, refused.json().error, await attachedFiles()]).toEqual([
      503,
      { code: 'FILES_UNAVAILABLE', message: 'The server lost its file storage, so nothing was saved. Tell an admin' },
      before,
    ]);
    server.clock.set(Temporal.Now.instant().add({ hours: 25 }));
    await clearAway(server.parts);
    await store.storedAt('ab/of-another');
    server.clock.set(wednesday);
    expect((await server.call({ url: link })).body).toBe('text');
    const [{ id } = { id: '' }] = await server.asOwner<{ id: string }>('select id::text from installation');
    await store.writeMark(id);
    expect((await attach()).statusCode).toBe(201);
  } finally {
    server.clock.set(wednesday);
    await server.asOwner('delete from installation');
  }
});

test('an operator is warned, and the server stays ready', async () => {
  const { rows } = await server.database.pool.query(
    "insert into installation (files_place) values ('the bucket') returning id::text",
  );
  const ready = async () => {
    const files = await openFileStore({ dataDir: folder, url: bucketUrl(line.port) });
    return filesFound({ database: server.database, files });
  };
  try {
    await (await openFileStore({ dataDir: folder, url: bucketUrl(line.port) })).writeMark(rows[0].id);
    expect(await ready()).toEqual({ reason: null, warning: null });
    line.become('torn');
    expect(await ready()).toEqual({ reason: null, warning: 'does not respond, so attached files are unavailable' });
    line.become('good');
    await server.asOwner(`update installation set id = '${randomUUID()}'`);
    expect((await ready()).reason).toBe('are not those of this database');
  } finally {
    await server.asOwner('delete from installation');
  }
});
