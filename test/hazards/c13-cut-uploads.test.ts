// C13: uploads that are cut off anywhere, by the sender or by the end of the server. No row is without its
// file; a file without a row, and half a file, are cleared away.
import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markKey, openFileStore, useKey } from '#server/platform/storage/files.ts';
import { clearAway } from '#server/tasks/attachments/attachments.service.ts';
import { upload } from '../../faults/calls.ts';
import { Product } from '../../faults/product.ts';
import { startTestApp, type TestApp } from '../app.ts';
import { rounds } from '../sampling.ts';
import { makeTeam, prepareTask, type Team } from '../task-fixtures.ts';
import { expectNone } from './rounds.ts';

/** Rights, tasks and the janitor; it looks into the folder of the server that is cut off. */
let app: TestApp;
let janitor: TestApp;
let product: Product;
let team: Team;
let sprintId: string;

beforeAll(async () => {
  app = await startTestApp({ now: Temporal.Now.instant().toString() });
  sprintId = await app.sprint();
  team = await makeTeam(app);
  product = new Product({ database: { url: app.databaseUrl } });
  await product.start();
  const files = await openFileStore({ dataDir: product.dataDir, url: undefined });
  janitor = await startTestApp({ beside: app, parts: { files } });
});
afterAll(async () => {
  await janitor.stop();
  await product.end();
  await app.stop();
});

const size = 200_000;

/** The bytes of one upload, each with different content. */
function requestOf(taskId: string, mark: string): Buffer {
  const part = (name: string, value: string) =>
    `--m\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const content = `${mark} `.padEnd(size, '.');
  const body = `${part('taskId', taskId)}${part('attachment"; filename="a.txt', content)}--m--\r\n`;
  const head = [
    'POST /attachment HTTP/1.1',
    'Host: here',
    `Authorization: Bearer ${team.owner.token}`,
    'Content-Type: multipart/form-data; boundary=m',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Sends the first part of the request, and then does what cuts it off. */
async function cutAt(percent: number, request: Buffer, cut: () => Promise<unknown> | unknown): Promise<void> {
  const { hostname, port } = new URL(product.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const bytes = Math.round((request.length * percent) / 100);
  await new Promise<void>((resolve) => socket.write(request.subarray(0, bytes), () => resolve()));
  await cut();
  socket.destroy();
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ![markKey, useKey].includes(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));
const stored = () => filesIn(join(product.dataDir, 'files'));
const incoming = () => filesIn(join(product.dataDir, 'incoming'));

async function rows(): Promise<Map<string, number>> {
  const { rows: found } = await app.database.pool.query<{ key: string; size: string }>(
    'select storage_key as key, size::text from task_attachments where storage_key is not null',
  );
  return new Map(found.map(({ key, size: bytes }) => [join(product.dataDir, 'files', key), Number(bytes)]));
}

/** Every row has its whole file at any time; days later there is nothing else. */
async function faults(what: string): Promise<string[]> {
  const found: string[] = [];
  const known = await rows();
  for (const [path, bytes] of known) {
    const there = stored().includes(path) ? statSync(path).size : null;
    if (there !== bytes) found.push(`${what}: a row of ${bytes} bytes has a file of ${there}`);
  }
  const before = app.clock.now();
  // The first time it sees that nobody else uses the files.
  for (const hours of [0, 73]) {
    app.clock.set(Temporal.Now.instant().add({ hours }));
    await clearAway(janitor.parts);
  }
  app.clock.set(before);
  const left = stored().filter((path) => !known.has(path));
  if (left.length > 0) found.push(`${what}: ${left.length} files without a row`);
  if (incoming().length > 0) found.push(`${what}: ${incoming().length} half files`);
  return found;
}

const steps = Array.from({ length: 21 }, (_, index) => index * 5);
const task = () => prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });

test('an upload that its sender cuts off anywhere leaves a row with its file, or neither', async (context) => {
  const wrong: string[] = [];
  for (const percent of steps) {
    await cutAt(percent, requestOf(await task(), `client ${percent}`), () => sleep(percent % 2 === 0 ? 0 : 20));
    // What came whole is taken; of the rest nothing stays, without any janitor.
    let left = incoming().length;
    for (let waited = 0; left > 0 && waited < 60_000; waited += 20) {
      await sleep(20);
      left = incoming().length;
    }
    if (left > 0) wrong.push(`cut at ${percent}%: half a file stays`);
  }
  // The last one came whole and may be under way still: the server ends when it is through.
  await product.server.stop();
  await product.start();
  wrong.push(...(await faults('cut by its sender')));
  expect((await rows()).size).toBeLessThanOrEqual(1);
  expectNone(context, 'C13', steps.length, wrong);
});

test('an upload that the end of the server cuts off anywhere leaves the same, and is taken when it is sent again', async (context) => {
  const wrong: string[] = [];
  const cuts = rounds(0, 1) === 1 ? steps : [60];
  for (const percent of cuts) {
    const taskId = await task();
    await cutAt(percent, requestOf(taskId, `server ${percent}`), async () => {
      if (percent % 10 === 0) await sleep(10);
      await product.server.kill();
    });
    await product.start();
    wrong.push(...(await faults(`cut at ${percent}%`)));
    const again = { token: team.owner.token, key: `again-${percent}` };
    const file = { taskId, name: 'again.txt', content: Buffer.from(`again ${percent}`) };
    const first = await upload(product.url, again, file);
    await product.server.kill();
    await product.start();
    const second = await upload(product.url, again, file);
    const ids = [first, second].map((answer) => (answer.kind === 'done' ? answer.body.attachment.id : answer.kind));
    if (ids[0] !== ids[1] || first.kind !== 'done') wrong.push(`sent again after ${percent}%: ${ids}`);
    wrong.push(...(await faults(`sent again after ${percent}%`)));
  }
  expectNone(context, 'C13', cuts.length * 2, wrong);
});
