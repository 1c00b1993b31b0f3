// Where attached files are kept: a folder, or a bucket of an S3-compatible store.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Disk } from 'flydrive';
import { fullSoon, smallestFreeMegabytes } from '../config/usable-folder.ts';
import { inSpan } from '../telemetry/telemetry.ts';

export type FileStore = {
  /** The folder for incomplete uploads. */
  readonly incoming: string;
  /** Folders that may have incomplete files after a crash. */
  readonly unfinished: readonly string[];
  /**
   * Stores the complete file at `path` and resolves when it is durable. The file at `path` may be gone then.
   */
  keep(key: string, path: string): Promise<void>;
  /** Whether so many more bytes would use what the disk must keep free. A bucket has no disk. */
  isFullWith(bytes: number): Promise<boolean>;
  /** The signal ends the wait, with its reason. Then nothing is left open. */
  read(key: string, signal?: AbortSignal): Promise<Readable>;
  remove(key: string): Promise<void>;
  /** Every key in batches, for the janitor. */
  keys(): AsyncIterable<readonly string[]>;
  storedAt(key: string): Promise<Temporal.Instant>;
  /** The id of the database that owns these files, or null; see files-place.ts. */
  readMark(): Promise<string | null>;
  writeMark(id: string): Promise<void>;
  /** Which run of a database uses these files, and since when, or null; see files-place.ts. */
  readUse(): Promise<string | null>;
  writeUse(use: string): Promise<void>;
};

export type FileStoreOptions = {
  readonly dataDir: string;
  /**
   * `s3://key:secret@bucket?endpoint=…&region=…`; without key and secret the SDK uses its default
   * credentials.
   */
  readonly url: string | undefined;
  /** False for readers: then no folder is created. */
  readonly creates?: boolean;
};

/** The bucket is unreachable or denies access; `cause` is its error. */
export class FilesUnavailable extends Error {
  override name = 'FilesUnavailable';
}

/**
 * A row names a file that the store doesn't have. A backup lists it, unlike a store that can't be reached.
 */
export class FileMissing extends Error {
  override name = 'FileMissing';
}

/** At most one folder and a name without a dot: no key leads out of the store. */
const keyFormat = /^[\w-]{1,60}(\/[\w-]{1,60})?$/;

function checkedKey(key: string): string {
  if (keyFormat.test(key)) return key;
  throw new FileMissing(`${JSON.stringify(key.slice(0, 100))} is not the name of a stored file`);
}

/** Every call rejects a key the product wouldn't write, whether from a row or a backup's manifest. */
export async function openFileStore(options: FileStoreOptions): Promise<FileStore> {
  const store = await openAnyKeyStore(options);
  return {
    ...store,
    keep: async (key, path) => store.keep(checkedKey(key), path),
    read: async (key, signal) => store.read(checkedKey(key), signal),
    remove: async (key) => store.remove(checkedKey(key)),
    storedAt: async (key) => store.storedAt(checkedKey(key)),
  };
}

async function openAnyKeyStore({ dataDir, url, creates = true }: FileStoreOptions): Promise<FileStore> {
  const [incoming, folder] = [join(dataDir, 'incoming'), join(dataDir, 'files')];
  const needed = url === undefined ? [incoming, folder] : [incoming];
  if (creates) for (const path of needed) await mkdir(path, { recursive: true, mode: 0o700 });
  return url === undefined ? folderStore(incoming, folder) : bucketStore(incoming, url);
}

async function folderStore(incoming: string, folder: string): Promise<FileStore> {
  const { Disk } = await import('flydrive');
  const { FSDriver } = await import('flydrive/drivers/fs');
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));
  const { writeMark, ...rest } = reading(disk, incoming);
  // No key has a dot, so nobody mistakes these for stored files. The driver ignores a dot in front.
  const copies = join(folder, 'incoming.tmp');
  return {
    ...rest,
    unfinished: [incoming, copies],
    async isFullWith(bytes) {
      const least = smallestFreeMegabytes + bytes / 1024 ** 2;
      return (await fullSoon(incoming, least)) !== null || (await fullSoon(folder, least)) !== null;
    },
    // After a restore of a database without files there is no folder yet.
    async writeMark(id) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeMark(id);
    },
    // A stream only opens when it is read, but a missing file must be reported earlier.
    async read(key) {
      if (!(await disk.exists(key))) throw new FileMissing(`The file ${key} is not in the store`);
      return disk.getStream(key);
    },
    // Syncs the file before naming it and the folder after: a power cut leaves the whole file or none.
    async keep(key, path) {
      const target = join(folder, key);
      // A new folder must survive a power cut too.
      if (await mkdir(dirname(target), { recursive: true, mode: 0o700 })) await sync(folder);
      await sync(path);
      await rename(path, target).catch((error) => {
        if (error.code !== 'EXDEV') throw error;
        return moveByCopy(path, copies, target);
      });
      await sync(dirname(target));
    },
  };
}

/** For a store on another disk than `path`: `copies` is on the store's disk too. */
async function moveByCopy(path: string, copies: string, target: string): Promise<void> {
  await mkdir(copies, { recursive: true, mode: 0o700 });
  const copy = join(copies, randomUUID());
  try {
    await copyFile(path, copy);
    await sync(copy);
    await rename(copy, target);
  } finally {
    await rm(copy, { force: true });
  }
  await rm(path, { force: true });
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

/** In milliseconds, with two tries: a caller learns within 15 seconds that a file isn't available. */
const patience = { connectionTimeout: 3_000, socketTimeout: 5_000 };
const mostTries = 2;
/** Timeout after the first byte. A client that stops reading also stalls our connection to the bucket. */
const readSilenceMs = 30_000;
/** The SDK would write to the console; errors are thrown anyway. */
const silence = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const store = { 'rpc.system': 'aws-api' };

/** A missing key differs from a bucket that doesn't answer. */
async function orUnavailable<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error) => {
    const { name } = error.cause ?? error;
    if (name === 'NoSuchKey') throw new FileMissing('The file is not in the store', { cause: error });
    throw new FilesUnavailable('The file storage can’t be used', { cause: error });
  });
}

/** Slow readers keep theirs for long. Each takes about 300 KB. */
const mostReading = 500;

async function bucketStore(incoming: string, url: string): Promise<FileStore> {
  const { Disk } = await import('flydrive');
  const { S3Driver } = await import('flydrive/drivers/s3');
  const { GetObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
  const { hostname: bucket, username, password, searchParams } = new URL(url);
  const endpoint = searchParams.get('endpoint');
  const options = {
    // Compatible stores would save the SDK's default checksum encoding as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: patience,
    maxAttempts: mostTries,
    logger: silence,
    region: searchParams.get('region') ?? 'us-east-1',
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(username
      ? { credentials: { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) } }
      : {}),
  } as const;
  // Most compatible stores have no access lists; the bucket itself is private.
  const disk = new Disk(new S3Driver({ ...options, bucket, visibility: 'private', supportsACL: false }));
  // Its own connections: downloads leave the others to uploads and checks.
  const agent = { maxSockets: mostReading };
  const reader = new S3Client({ ...options, requestHandler: { ...patience, httpAgent: agent, httpsAgent: agent } });
  const { read: _read, remove, ...rest } = reading(disk, incoming);
  return {
    ...rest,
    isFullWith: async () => false,
    async read(key, signal) {
      const get = async () => {
        const command = new GetObjectCommand({ Bucket: bucket, Key: key });
        const { Body } = await reader.send(command, signal && { abortSignal: signal });
        return Body as Readable;
      };
      const content = await inSpan('S3 GetObject', store, () => orUnavailable(get())).catch((error) => {
        signal?.throwIfAborted();
        throw error;
      });
      if (content instanceof IncomingMessage) content.socket.setTimeout(readSilenceMs);
      return content;
    },
    remove: (key) => inSpan('S3 DeleteObject', store, () => orUnavailable(remove(key))),
    readMark: () => orUnavailable(rest.readMark()),
    writeMark: (id) => orUnavailable(rest.writeMark(id)),
    readUse: () => orUnavailable(rest.readUse()),
    writeUse: (use) => orUnavailable(rest.writeUse(use)),
    async keep(key, path) {
      const { size } = await stat(path);
      const content = createReadStream(path);
      const put = () => orUnavailable(disk.putStream(key, content, { contentLength: size }));
      // A bucket that doesn't take it leaves the file open.
      await inSpan('S3 PutObject', store, put).finally(() => content.destroy());
    },
  };
}

/** Both are invisible to the janitor: the first is left out, and no key of a file has a dot. */
export const markKey = 'installation-id';
export const useKey = 'in-use.json';

function reading(disk: Disk, incoming: string): Omit<FileStore, 'keep' | 'isFullWith'> {
  const readText = async (key: string) => ((await disk.exists(key)) ? (await disk.get(key)).trim() : null);
  return {
    incoming,
    unfinished: [incoming],
    read: (key) => disk.getStream(key),
    remove: (key) => disk.delete(key),
    async *keys() {
      for (let paginationToken: string | undefined, first = true; first || paginationToken; first = false) {
        const { objects, paginationToken: next } = await disk.listAll('', {
          recursive: true,
          ...(paginationToken ? { paginationToken } : {}),
        });
        const found = [...objects].filter((file) => file.isFile).map((file) => file.key);
        yield found.filter((key) => key !== markKey && keyFormat.test(key));
        paginationToken = next;
      }
    },
    readMark: () => readText(markKey),
    writeMark: (id) => disk.put(markKey, id),
    readUse: () => readText(useKey),
    writeUse: (use) => disk.put(useKey, use),
    storedAt: async (key) => Temporal.Instant.from((await disk.getMetaData(key)).lastModified.toISOString()),
  };
}

/** Writes, reads and removes a small file; throws the store's error. Leaves no folder that wasn't there. */
export async function probeFileStore(store: FileStore): Promise<void> {
  const name = `probe-${randomUUID()}`;
  const path = join(store.incoming, name);
  const made = await mkdir(store.incoming, { recursive: true, mode: 0o700 });
  try {
    await writeFile(path, name, { mode: 0o600 });
    await store.keep(name, path).finally(() => rm(path, { force: true }));
    const kept = await text(await store.read(name));
    if (kept !== name) throw new FilesUnavailable('The store of the files gave back something else');
    await store.remove(name);
  } finally {
    for (let folder = store.incoming; made !== undefined && folder.length >= made.length; folder = dirname(folder))
      await rmdir(folder).catch(() => {
        // Something else uses it now.
      });
  }
}

function noneIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

/** Removes uploads that were interrupted when the process ended. */
export async function removeLeftovers({ unfinished }: FileStore, before: Temporal.Instant): Promise<void> {
  for (const folder of unfinished)
    for (const name of await readdir(folder).catch(noneIfMissing)) {
      const path = join(folder, name);
      const entry = await stat(path).catch(() => null);
      if (entry && entry.mtimeMs < before.epochMilliseconds) await rm(path, { force: true });
    }
}
