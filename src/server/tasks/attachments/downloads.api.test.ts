// Downloads whose readers are slow, leave, or lose access.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLog } from '#server/platform/log/log.ts';
import { type FileStore, openFileStore } from '#server/platform/storage/files.ts';
import { tokenHash } from '#server/platform/viewer.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { type Line, layLine } from '../../../../test/line.ts';
import { bucketUrl, startBucket, type TestBucket } from '../../../../test/s3-server.ts';
import { makeTeam, prepareTask, type Someone, type Team } from '../../../../test/task-fixtures.ts';
import { linkFor } from './file-links.ts';

const folder = mkdtempSync(join(tmpdir(), 'downloads-'));
/** More than the machine's sockets take from a sender. */
const size = 40_000_000;
const storageKey = 'ab/large';

/** Of the log. */
const errors: string[] = [];
let bucket: TestBucket;
let line: Line;
let server: TestApp;
let onBucket: TestApp;
let team: Team;
let id: string;

beforeAll(async () => {
  bucket = await startBucket(join(folder, 's3'));
  line = await layLine({ host: '127.0.0.1', port: bucket.port });
  const log = createLog({ level: 'error' }, { write: (written: string) => void errors.push(written) });
  server = await startTestApp({ parts: { log } });
  const files = await openFileStore({ dataDir: folder, url: bucketUrl(line.port) });
  onBucket = await startTestApp({ beside: server, parts: { files } });
  for (const { app, parts } of [server, onBucket]) {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const path = join(parts.files.incoming, 'large');
    writeFileSync(path, Buffer.alloc(size, 'a'));
    await parts.files.keep(storageKey, path);
  }
  team = await makeTeam(server);
  const sprintId = await server.sprint();
  const taskId = await prepareTask(server.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
  const { rows } = await server.database.pool.query(
    `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size, at, storage_key)
     values ($1, $2, 'Owner', 'a.txt', 'text/plain', $3, now(), $4) returning id::text`,
    [taskId, team.owner.id, size, storageKey],
  );
  id = rows[0].id;
});
afterAll(async () => {
  await onBucket.stop();
  await server.stop();
  await line.close();
  await bucket.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Reader = { readonly socket: Socket; answer(): string; bytes(): number };

/** Asks for the file, and stops reading at the first bytes. */
function begin(person: Someone, { app, parts } = server, method = 'GET'): Reader {
  const { port } = app.server.address() as { port: number };
  const viewer = { ...team.owner, id: person.id } as unknown as Parameters<typeof linkFor>[0]['viewer'];
  const { config, clock } = parts;
  const link = linkFor({ config, clock, viewer, impersonator: undefined, session: tokenHash(person.token) }, { id });
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let answer = '';
  let bytes = 0;
  socket.on('data', (piece) => {
    if (answer === '') socket.pause();
    answer ||= piece.toString('latin1');
    bytes += piece.length;
  });
  socket.write(`${method} ${link} HTTP/1.1\r\nHost: here\r\n\r\n`);
  onTestFinished(() => void socket.destroy());
  return { socket, answer: () => answer, bytes: () => bytes };
}

async function statusOf({ answer }: Reader): Promise<string> {
  await expect.poll(answer).not.toBe('');
  return answer().slice(9, 12);
}

const anotherSession = async ({ id: personId }: Someone): Promise<Someone> => ({
  id: personId,
  token: await server.signIn(personId),
});

test('a session downloads thirty files at once, a person sixty, and one who leaves makes room', async () => {
  const [first, second, third] = [team.owner, await anotherSession(team.owner), await anotherSession(team.owner)];
  const slow: Reader[] = [];
  for (const session of [first, second]) {
    const own = Array.from({ length: 30 }, () => begin(session));
    expect(await Promise.all(own.map(statusOf))).toEqual(own.map(() => '200'));
    slow.push(...own);
    if (session === second) break;
    const refused = begin(session);
    expect(await statusOf(refused)).toBe('429');
    expect(refused.answer()).toMatch(/retry-after: 5\r\n[\s\S]*TOO_MANY_ATTEMPTS/);
  }
  expect(await statusOf(begin(third))).toBe('429');
  expect(await statusOf(begin(team.approver))).toBe('200');
  slow[0]?.socket.destroy();
  await expect.poll(() => statusOf(begin(third))).toBe('200');
});

/** Has every read of the store go through `read` during the test. */
function passReads(files: FileStore, read: (original: FileStore['read']) => FileStore['read']): void {
  const changed = files as { read: FileStore['read'] };
  const original = files.read;
  onTestFinished(() => {
    changed.read = original;
  });
  changed.read = read(original);
}

test('the file of someone who leaves before the first byte is closed', async () => {
  const opened = Promise.withResolvers<Readable>();
  passReads(server.parts.files, (read) => async (key, signal) => {
    const content = await read(key, signal);
    reader.socket.destroy();
    if (!signal?.aborted) await once(signal as AbortSignal, 'abort');
    opened.resolve(content);
    return content;
  });
  const reader = begin(await anotherSession(team.owner));
  const content = await opened.promise;
  await expect.poll(() => content.closed).toBe(true);
});

test('a HEAD request gets the headers, and logs no error', async () => {
  const reader = begin(await anotherSession(team.owner), server, 'HEAD');
  expect(await statusOf(reader)).toBe('200');
  expect(reader.answer()).toContain(`content-length: ${size}`);
  expect(await statusOf(begin(team.owner))).toBe('200');
  expect(errors).toEqual([]);
});

test('someone who leaves while the bucket is asked ends the request to it', async () => {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
  passReads(onBucket.parts.files, (read) => (key, signal) => {
    const content = read(key, signal);
    content.then(answered.resolve, answered.resolve);
    asked.resolve();
    return content;
  });
  line.become('silent');
  onTestFinished(() => line.become('good'));
  const { socket } = begin(team.owner, onBucket);
  await asked.promise;
  socket.destroy();
  expect(await answered.promise).toMatchObject({ refusal: { code: 'BAD_REQUEST' } });
});

test.each<[string, boolean, () => Promise<unknown>]>([
  [
    'ends when the account is disabled',
    false,
    () => server.database.pool.query('update people set disabled_at = now() where id = $1', [team.approver.id]),
  ],
  ['goes on when its session expires', true, async () => server.clock.advance({ hours: 2 })],
])('a running download %s', async (_what, isWhole, change) => {
  onTestFinished(async () => {
    await server.database.pool.query('update people set disabled_at = null where id = $1', [team.approver.id]);
  });
  const reader = begin(await anotherSession(team.approver));
  expect(await statusOf(reader)).toBe('200');
  await change();
  server.clock.advance({ seconds: 5 });
  reader.socket.resume();
  await expect.poll(() => reader.socket.destroyed || reader.bytes() > size).toBe(true);
  expect(reader.bytes() > size).toBe(isWhole);
});
