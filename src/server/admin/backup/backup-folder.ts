// The folder of a backup. Writes are hashed, optionally encrypted, and synced. Reads are compared with their
// hash on the way, to catch changes made after the check.
import { createHash } from 'node:crypto';
import { constants, createWriteStream, existsSync, readdirSync } from 'node:fs';
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { Readable, Transform, Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import type { Stored, StoredTable } from './manifest.ts';

export const manifestName = 'manifest.json';
/**
 * Next to the manifest: its SHA-256, and a code that requires LINK_SECRET. Next to an encrypted one, also the
 * list of the stored files, after its code.
 */
export const manifestSidecars = {
  hash: `${manifestName}.sha256`,
  code: `${manifestName}.hmac`,
  parts: `${manifestName}.parts`,
} as const;

/** The folder of a backup, named for its moment. */
export const backupName = (moment: Temporal.Instant): string =>
  `staff-dashboard-${moment.toString({ smallestUnit: 'millisecond' }).replaceAll(':', '-')}`;

/** The moment in a backup's name; null for any other name. */
function madeAtOf(name: string): Temporal.Instant | null {
  const [, day, ...clock] = /^staff-dashboard-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d(?:\.\d+)?)Z$/.exec(name) ?? [];
  try {
    return day === undefined ? null : Temporal.Instant.from(`${day}${clock.join(':')}Z`);
  } catch {
    return null;
  }
}

/** Clocks differ by less. */
const mostAheadMinutes = 60;

/** Whether the folder is a complete backup itself. */
const isBackup = (folder: string): boolean => existsSync(join(folder, manifestSidecars.hash));

/**
 * The name of the last one in a folder, or null without a complete one. Its manifest must confirm it, see
 * `nameFaultOf`. A check and a restore use the same rules. Otherwise, someone could plant a backup that only
 * a restore takes.
 */
export function newestBackup(folder: string): string | null {
  const found = readdirSync(folder).flatMap((name) => {
    const madeAt = madeAtOf(name);
    return madeAt && isBackup(join(folder, name)) ? [{ name, madeAt }] : [];
  });
  return found.sort((one, other) => Temporal.Instant.compare(other.madeAt, one.madeAt))[0]?.name ?? null;
}

/** Null unless the folder is a backup and has others, of which nobody can tell which is meant. */
export const placeFaultOf = (folder: string): string | null =>
  isBackup(folder) && newestBackup(folder) !== null
    ? `${folder} has backups, and files of one directly in it. Move those files to another folder`
    : null;

/**
 * Null if the name fits the manifest, or is one that someone chose. A wrong one could hide the newest backup,
 * or that none is made.
 */
export function nameFaultOf(name: string, madeAt: string): string | null {
  const moment = Temporal.Instant.from(madeAt);
  if (madeAtOf(name) === null) return null;
  // Earlier versions wrote fewer digits.
  const written = name.slice('staff-dashboard-'.length, -1);
  if (!moment.toString({ fractionalSecondDigits: 9 }).replaceAll(':', '-').startsWith(written))
    return `${name} was renamed or copied: its backup was made at ${madeAt}`;
  const latest = Temporal.Now.instant().add({ minutes: mostAheadMinutes });
  if (Temporal.Instant.compare(moment, latest) <= 0) return null;
  return `${name} is dated in the future and hides newer backups. Move it to another folder`;
}

/** Transforms between original and stored content. */
export type Sealing = { readonly suffix: '' | '.age'; through(content: Readable): Promise<Readable> };

export const unsealed: Sealing = { suffix: '', through: async (content) => content };

/** Only the recipient's key decrypts it; even the server that makes backups can't. */
export function sealedFor(recipient: string): Sealing {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return { suffix: '.age', through: async (content) => fromWeb(await encrypter.encrypt(toWeb(content))) };
}

export function openedWith(identity: string): Sealing {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return { suffix: '.age', through: async (content) => fromWeb(await decrypter.decrypt(toWeb(content))) };
}

// Node's and the library's types of web streams differ only in name.
const toWeb = (content: Readable) => Readable.toWeb(content) as unknown as globalThis.ReadableStream<Uint8Array>;
const fromWeb = (content: globalThis.ReadableStream<Uint8Array>) =>
  Readable.fromWeb(content as unknown as ReadableStream<Uint8Array>);

/** `name` is without the encryption's suffix. */
export async function store(folder: string, name: string, content: Readable, sealing: Sealing): Promise<Stored> {
  const file = `${name}${sealing.suffix}`;
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    await sealing.through(content),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { file, bytes, sha256: hash.digest('hex') };
}

/** Pipes the content through a transform, including its failure. */
export function passed(content: Readable, transform: Transform): Readable {
  // An ended transform reports no late failure; `verified` does.
  content.on('error', (error) => {
    if (!transform.readableEnded) transform.destroy(error);
  });
  transform.once('close', () => content.destroy());
  return content.pipe(transform);
}

/** A file of the backup differs from the manifest; the message says how. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged';
}

/** Opens a file of the backup. Rejects links that lead out of it, and pipes, which would be read forever. */
export async function openPlain(folder: string, file: string): Promise<FileHandle> {
  let handle: FileHandle | undefined;
  try {
    const path = await realpath(join(folder, file));
    if (!path.startsWith(`${await realpath(folder)}${sep}`)) throw new BackupDamaged(`${file} leads out of the backup`);
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await handle.stat()).isFile()) throw new BackupDamaged(`${file} is not a file`);
    return handle;
  } catch (error) {
    await handle?.close();
    if (error instanceof BackupDamaged) throw error;
    throw new BackupDamaged(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

const otherSize = ({ file, bytes }: Pick<Stored, 'file' | 'bytes'>, found: number) =>
  new BackupDamaged(`${file} has ${found} bytes instead of ${bytes}`);

/**
 * Passes the bytes through and fails if they differ from the manifest, at their end or once there are too
 * many.
 */
function comparing({ file, bytes, sha256 }: Stored): Transform {
  const hash = createHash('sha256');
  let found = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      found += chunk.length;
      hash.update(chunk);
      done(found > bytes ? new BackupDamaged(`${file} has more bytes than ${bytes}`) : null, chunk);
    },
    flush(done) {
      if (found !== bytes) return done(otherSize({ file, bytes }, found));
      const isSame = hash.digest('hex') === sha256;
      done(isSame ? null : new BackupDamaged(`${file} was changed: its SHA-256 doesn’t match`));
    },
  });
}

/** The raw bytes; fails with BackupDamaged when they differ from the manifest. */
const readBytes = async (folder: string, item: Stored): Promise<Readable> =>
  passed((await openPlain(folder, item.file)).createReadStream(), comparing(item));

export type StoredContent = {
  /** The original content. */
  readonly content: Readable;
  /** Fails unless every byte was read and matches the manifest. */
  readonly verified: Promise<void>;
};

/** Await `verified` before using the result: a decompressor may end before its file does. */
export async function readStored(folder: string, item: Stored, sealing: Sealing): Promise<StoredContent> {
  const bytes = await readBytes(folder, item);
  const verified = finished(bytes).catch((error) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    throw new BackupDamaged(`${item.file} was changed: it has extra bytes`);
  });
  // The awaiting caller gets the error; the content's reader may fail first.
  verified.catch(() => {});
  return { content: await sealing.through(bytes), verified };
}

/**
 * Unpacks a table's rows. Fails as soon as more come than the manifest says: the store could have exchanged
 * the file after the check for one that unpacks to a thousand times its size.
 */
export function unpacked(content: Readable, { file, rows, unpacked: bytes }: StoredTable): Readable {
  let found = 0;
  const within = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      found += bytes === undefined ? linesIn(chunk) : chunk.length;
      done(found > (bytes ?? rows) ? new BackupDamaged(`${file} was changed: it has extra rows`) : null, chunk);
    },
  });
  return passed(passed(content, createGunzip()), within);
}

/** In COPY format a line is a row: breaks in values are escaped. */
function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
}

/** Null, or what is wrong with the file. */
export const faultOf = (folder: string, item: Stored): Promise<string | null> =>
  faultIn(item, async () =>
    pipeline(await readBytes(folder, item), new Writable({ write: (_chunk, _encoding, done) => done() })),
  );

/** The same without its content. */
export const sizeFaultOf = (folder: string, item: Stored): Promise<string | null> =>
  faultIn(item, async () => {
    const handle = await openPlain(folder, item.file);
    const { size } = await handle.stat().finally(() => handle.close());
    if (size !== item.bytes) throw otherSize(item, size);
  });

async function faultIn({ file }: Stored, read: () => Promise<void>): Promise<string | null> {
  try {
    await read();
    return null;
  } catch (error) {
    if (error instanceof BackupDamaged) return error.message;
    return `${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`;
  }
}
