import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { layLine } from '../../../../test/line.ts';
import { needs } from '../../../../test/needs.ts';
import { bucketUrl, startBucket, type TestBucket } from '../../../../test/s3-server.ts';
import {
  FileMissing,
  type FileStore,
  FilesUnavailable,
  openFileStore,
  probeFileStore,
  removeLeftovers,
} from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'file-store-'));
let bucket: TestBucket;
const stores: { [name: string]: FileStore } = {};

beforeAll(async () => {
  bucket = await startBucket(join(folder, 's3'));
  stores.folder = await openFileStore({ dataDir: join(folder, 'one'), url: undefined });
  stores.bucket = await openFileStore({ dataDir: join(folder, 'two'), url: bucketUrl(bucket.port) });
});
afterAll(async () => {
  await bucket.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['folder', 'bucket'])('a %s', (name) => {
  const incomingFile = (content: string): string => {
    const path = join((stores[name] as FileStore).incoming, 'file');
    writeFileSync(path, content);
    return path;
  };

  test('has no room for more bytes than its disk has, and a bucket has no disk', async () => {
    const store = stores[name] as FileStore;
    expect([await store.isFullWith(0), await store.isFullWith(2 ** 53)]).toEqual([false, name === 'folder']);
  });

  test('has no file that was never kept', async () => {
    const store = stores[name] as FileStore;
    await expect(store.read('ab/none')).rejects.toThrow(FileMissing);
    await expect(store.remove('ab/none')).resolves.not.toThrow();
  });

  test.each([
    '../outside',
    'ab/../../outside',
    '/etc/passwd',
    'ab/..',
    '.hidden',
    'ab/cd/ef',
    'ab\\..\\cd',
    '',
    'ab/cd\0',
    'a'.repeat(61),
  ])('refuses %j in every call, as no file of the product is called so', async (key) => {
    const store = stores[name] as FileStore;
    const refused = /is not the name of a stored file/;
    const path = incomingFile('content');
    for (const call of [store.keep(key, path), store.read(key), store.remove(key), store.storedAt(key)])
      await expect(call).rejects.toThrow(refused);
    expect(readFileSync(path, 'utf8')).toBe('content');
  });

  test('gives back what it keeps, tells since when, and removes it', async () => {
    const store = stores[name] as FileStore;
    const content = 'ä'.repeat(100_000);
    await store.keep('ab/abcdef', incomingFile(content));
    expect(await text(await store.read('ab/abcdef'))).toBe(content);
    expect(Math.abs((await store.storedAt('ab/abcdef')).since(Temporal.Now.instant()).total('minutes'))).toBeLessThan(
      1,
    );
    const keys: string[] = [];
    for await (const batch of store.keys()) keys.push(...batch);
    expect(keys).toEqual(['ab/abcdef']);
    await store.remove('ab/abcdef');
    await expect(store.read('ab/abcdef').then(text)).rejects.toThrow();
  });
});

test('a file of a bucket is read whole by a reader whose connection stalls', async () => {
  const store = stores.bucket as FileStore;
  const path = join(store.incoming, 'large');
  const size = 40_000_000;
  writeFileSync(path, Buffer.alloc(size));
  await store.keep('ab/large', path);
  const content = await store.read('ab/large');
  // Longer than the bucket may be silent before it answers.
  await sleep(7_000);
  let bytes = 0;
  for await (const part of content) bytes += part.length;
  expect(bytes).toBe(size);
});

test('500 slow readers of a bucket keep nobody from uploads and checks, and one who leaves makes room', async () => {
  const store = stores.bucket as FileStore;
  const path = join(store.incoming, 'slow');
  writeFileSync(path, Buffer.alloc(5_000_000));
  await store.keep('ab/slow', path);
  const slow: Readable[] = [];
  onTestFinished(() => {
    for (const content of slow) content.destroy();
  });
  while (slow.length < 500) slow.push(...(await Promise.all(Array.from({ length: 10 }, () => store.read('ab/slow')))));
  writeFileSync(path, 'small');
  await store.keep('ab/small', path);
  expect(await store.readMark()).toBe(null);
  slow.pop()?.destroy();
  expect(await text(await store.read('ab/small'))).toBe('small');
});

test('someone who leaves before a bucket answers ends its request, which isn’t sent again', async () => {
  const asked: Socket[] = [];
  const silent = createServer((socket) => {
    asked.push(socket.on('data', () => leaving.abort(new Error('left'))));
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => {
    for (const socket of asked) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const store = await openFileStore({ dataDir: join(folder, 'silent'), url: bucketUrl(port) });
  const leaving = new AbortController();
  await expect(store.read('ab/slow', leaving.signal)).rejects.toThrow('left');
  expect(asked).toHaveLength(1);
});

const filesOpen = '/proc/self/fd';
const hasProc = existsSync(filesOpen);

test('a file that a bucket does not take is closed', needs('the open files of a process', hasProc), async () => {
  const line = await layLine({ host: '127.0.0.1', port: bucket.port });
  onTestFinished(() => line.close());
  line.become('torn');
  const store = await openFileStore({ dataDir: join(folder, 'torn'), url: bucketUrl(line.port) });
  const path = join(store.incoming, 'refused');
  writeFileSync(path, Buffer.alloc(1_000_000));
  await expect(store.keep('ab/refused', path)).rejects.toThrow(FilesUnavailable);
  const targets = () =>
    readdirSync(filesOpen).map((name) => existsSync(join(filesOpen, name)) && readlinkSync(join(filesOpen, name)));
  await expect.poll(targets).not.toContain(path);
});

test('a folder shows a file whole or not at all', async () => {
  const store = stores.folder as FileStore;
  await expect(store.keep('cd/cdef', join(store.incoming, 'missing'))).rejects.toThrow();
  expect(existsSync(join(folder, 'one', 'files', 'cd', 'cdef'))).toBe(false);
  const path = join(store.incoming, 'file');
  writeFileSync(path, 'whole');
  await store.keep('cd/cdef', path);
  expect(readFileSync(join(folder, 'one', 'files', 'cd', 'cdef'), 'utf8')).toBe('whole');
  expect(existsSync(path)).toBe(false);
});

// Linux keeps it in memory, so it isn't on the disk of other folders.
const otherDisk = '/dev/shm';
const hasOtherDisk = existsSync(otherDisk) && statSync(otherDisk).dev !== statSync(folder).dev;

test('a folder on a disk of its own keeps files too', needs('a second file system', hasOtherDisk), async () => {
  const [dataDir, mounted] = [join(folder, 'split'), mkdtempSync(join(otherDisk, 'files-'))];
  onTestFinished(() => rmSync(mounted, { recursive: true }));
  mkdirSync(dataDir);
  symlinkSync(mounted, join(dataDir, 'files'));
  const store = await openFileStore({ dataDir, url: undefined });
  await probeFileStore(store);
  const path = join(store.incoming, 'upload');
  writeFileSync(path, 'whole', { mode: 0o600 });
  await store.keep('ab/abcdef', path);
  expect(await text(await store.read('ab/abcdef'))).toBe('whole');
  expect(statSync(join(mounted, 'ab', 'abcdef')).mode & 0o077).toBe(0);
  const copies = join(mounted, 'incoming.tmp');
  expect([existsSync(path), readdirSync(copies)]).toEqual([false, []]);
  writeFileSync(join(copies, randomUUID()), 'half');
  const keys: string[] = [];
  for await (const batch of store.keys()) keys.push(...batch);
  expect(keys).toEqual(['ab/abcdef']);
  await removeLeftovers(store, Temporal.Now.instant().add({ seconds: 1 }));
  expect(readdirSync(copies)).toEqual([]);
});

test('what is kept and what comes in is closed to other users of the machine', () => {
  for (const name of ['files', 'incoming']) expect(statSync(join(folder, 'one', name)).mode & 0o077).toBe(0);
});

test('a restore without files leaves a folder that is closed to others too', async () => {
  const dataDir = join(folder, 'restored');
  const store = await openFileStore({ dataDir, url: undefined, creates: false });
  await store.writeMark('an id');
  expect(await store.readMark()).toBe('an id');
  expect(statSync(join(dataDir, 'files')).mode & 0o077).toBe(0);
});

test('what broken uploads left is removed when it is old, not before', async () => {
  const store = stores.folder as FileStore;
  writeFileSync(join(store.incoming, 'left'), 'half');
  await removeLeftovers(store, Temporal.Now.instant().subtract({ hours: 1 }));
  expect(readdirSync(store.incoming)).toEqual(['left']);
  await removeLeftovers(store, Temporal.Now.instant().add({ seconds: 1 }));
  expect(readdirSync(store.incoming)).toEqual([]);
});
