// Makes a backup next to a running server: every table from one snapshot, every file that a row names, lists
// of the files, and a manifest.

import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { countWords, plural } from '#core/base/formats.ts';
import { makePrivateFolder } from '#server/platform/config/usable-folder.ts';
import { HostClient } from '#server/platform/db/host-client.ts';
import {
  assertCurrentSchema,
  assertKnownSchema,
  readSchemaVersion,
  type SchemaVersion,
} from '#server/platform/db/migrate.ts';
import { readIsProduction } from '#server/platform/installation/installation.service.ts';
import { FileMissing, type FileStore, FilesUnavailable } from '#server/platform/storage/files.ts';
import { backupName, manifestName, manifestSidecars, passed, type Sealing, store, unsealed } from './backup-folder.ts';
import { findDamage, oneLine } from './check-backup.ts';
import {
  authenticationCode,
  backupFormat,
  backupLimits,
  type FileList,
  fingerprintsOf,
  type Manifest,
  partListOf,
  readFileList,
  readManifest,
  type Secrets,
  type Stored,
} from './manifest.ts';
import {
  beginSnapshot,
  copyOut,
  endSnapshot,
  type NamedFile,
  readIdOfFiles,
  readNamedFiles,
  readSequences,
  readTables,
} from './table-copies.store.ts';

export type BackupJob = {
  readonly url: string;
  readonly files: FileStore;
  /** Where backups are kept, each in its own folder. */
  readonly folder: string;
  readonly sealing: Sealing;
  readonly secrets: Secrets;
  /** Authenticates the manifest. */
  readonly linkSecret: string;
  readonly companyTimeZone: string;
  readonly tell: (line: string) => void;
};

export type BackupMade = { readonly path: string; readonly manifest: Manifest; readonly bytes: number };

/** The backup location can't take one. */
export class BackupFailed extends Error {
  override name = 'BackupFailed';
}

const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS']);
/** A write into a new folder fails like this only if something else changed the folder. */
const changedFolder = new Set(['ENOENT', 'ENOTDIR', 'EEXIST', 'ELOOP']);

/** In parallel, because a network store answers slowly and there are many small files. */
const concurrentFiles = 4;

/** Until it is complete the folder is called `….partial`, which a restore rejects. */
export async function makeBackup(job: BackupJob): Promise<BackupMade> {
  const client = new HostClient({ connectionString: job.url, application_name: 'staff-dashboard backup' });
  await client.connect();
  try {
    const moment = await beginSnapshot(client);
    const version = await readSchemaVersion(client);
    if (version.state === 'empty') assertCurrentSchema(version);
    assertKnownSchema(version);
    job.tell(versionLine(version));
    await assertFilesOf(await readIdOfFiles(client), job.files);
    const folder = makePrivateFolder(job.folder, 'FOLDER');
    const path = join(folder, backupName(moment));
    const draft = `${path}.partial`;
    // An existing one belongs to someone else, or is a link.
    await mkdir(draft, { mode: 0o700 }).catch(saying(draft, ['EEXIST']));
    const guard = await DraftGuard.of(draft);
    try {
      const manifest = await storeAll(client, guard, { moment, version, job });
      await guard.assertWhole(manifest);
      await rename(draft, path).catch(saying(path, ['EEXIST', 'ENOTEMPTY', 'ENOTDIR']));
      await syncFolder(folder);
      return { path, manifest, bytes: guard.bytes };
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      const isOwn = await guard.isOwn();
      // Otherwise partial backups would keep a full disk full.
      if (isOwn) await rm(draft, { recursive: true, force: true });
      if (!isOwn || changedFolder.has(code)) throw changed(draft);
      // A failed write doesn't say where.
      if (fullDisk.has(code))
        throw new BackupFailed(
          `No backup was created in ${job.folder}: ${message}. Free some space there, or use another folder`,
        );
      throw error;
    }
  } finally {
    await client.end();
  }
}

/** Says for these error codes that the path is taken. */
const saying = (path: string, codes: readonly string[]) => (error: NodeJS.ErrnoException) => {
  if (!codes.includes(error.code ?? '')) throw error;
  throw new BackupFailed(`${path} already exists. Move it away, or try again`);
};

/** Only this user can rename the draft. If another program of theirs does, the backup stops and says so. */
class DraftGuard {
  readonly path: string;
  readonly #made: { readonly dev: bigint; readonly ino: bigint };
  readonly #folders = new Set(['.']);
  /** Everything stored. */
  bytes = 0;

  private constructor(path: string, made: { dev: bigint; ino: bigint }) {
    this.path = path;
    this.#made = made;
  }

  static async of(path: string): Promise<DraftGuard> {
    const made = await lstat(path, { bigint: true });
    const isOurs = made.isDirectory() && (process.geteuid === undefined || made.uid === BigInt(process.geteuid()));
    if (!isOurs) throw changed(path);
    return new DraftGuard(path, made);
  }

  async isOwn(): Promise<boolean> {
    const found = await lstat(this.path, { bigint: true }).catch(() => null);
    return found?.dev === this.#made.dev && found.ino === this.#made.ino;
  }

  async store(name: string, content: Readable, sealing: Sealing): Promise<Stored> {
    if (!(await this.isOwn())) {
      content.destroy();
      throw changed(this.path);
    }
    for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) this.#folders.add(folder);
    const stored = await store(this.path, name, content, sealing);
    this.bytes += stored.bytes;
    return stored;
  }

  /** Stores what a restore reads whole. */
  async storeWhole(name: string, bytes: Buffer): Promise<Stored> {
    if (bytes.length > backupLimits.wholeBytes)
      throw unreadable(`${name} is larger than ${backupLimits.wholeBytes / 1024} KB`);
    return this.store(name, Readable.from([bytes]), unsealed);
  }

  /** Syncs the entries of every folder and reads every file back, in case the disk lost some. */
  async assertWhole({ tables, lists }: Manifest): Promise<void> {
    for (const folder of this.#folders) await syncFolder(join(this.path, folder));
    const { faults } = await findDamage(this.path, tables, lists);
    if (faults.length > 0 || !(await this.isOwn())) throw changed(this.path);
  }
}

const changed = (path: string) =>
  new BackupFailed(`${path} was changed while the backup was made. Check which other programs write to its folder`);

const unreadable = (why: string) =>
  new BackupFailed(`No backup was created, because a restore would refuse it: ${why}`);

/** Reads the text like a restore, to fail before one has to. */
function assertReadable(text: string, read: (text: string) => unknown): void {
  try {
    read(text);
  } catch (error) {
    throw unreadable(oneLine(error));
  }
}

/** An unmounted disk has none of the files: that is a failed backup, not one with missing files. */
async function assertFilesOf(id: string | null, files: FileStore): Promise<void> {
  if (id === null || (await files.readMark()) === id) return;
  throw new FilesUnavailable(
    'FILES_URL or DATA_DIR doesn’t point to the files of this database. Is the disk mounted? Use the server’s settings',
  );
}

const versionLine = ({ found, expected, state }: SchemaVersion): string =>
  state === 'current'
    ? `The database is at version ${found}`
    : `The database is at version ${found}, older than the ${expected} of this program: backed up unchanged`;

type Moment = { readonly moment: Temporal.Instant; readonly version: SchemaVersion; readonly job: BackupJob };

async function storeAll(client: pg.Client, draft: DraftGuard, { moment, version, job }: Moment): Promise<Manifest> {
  const tables = await storeTables(client, draft, job);
  const sequences = await readSequences(client);
  const named = await readNamedFiles(client);
  const isProduction = await readIsProduction(client);
  await endSnapshot(client);
  const { lists, missing } = await storeFiles(named, draft, job);
  const fingerprintSalt = randomBytes(16).toString('hex');
  const manifest: Manifest = {
    format: backupFormat,
    madeAt: moment.toString(),
    newestMigration: version.newestMigration,
    companyTimeZone: job.companyTimeZone,
    ...(isProduction === undefined ? {} : { isProduction }),
    tables,
    sequences,
    lists,
    missing,
    fingerprintSalt,
    fingerprints: fingerprintsOf(job.secrets, fingerprintSalt),
  };
  await storeManifest(draft, manifest, job);
  return manifest;
}

async function storeTables(client: pg.Client, draft: DraftGuard, { sealing, tell }: BackupJob) {
  const tables: Manifest['tables'] = [];
  for (const shape of await readTables(client)) {
    const rows = copyOut(client, shape);
    const packing = createGzip({ level: 4 });
    const stored = await draft.store(`tables/${shape.name}.copy.gz`, passed(rows, packing), sealing);
    const { name, columns } = shape;
    tables.push({ ...stored, name, columns: [...columns], rows: rows.rowCount, unpacked: packing.bytesWritten });
  }
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  tell(`${tables.length} tables, ${countWords(total)} rows`);
  return tables;
}

/** Stores the files and, after each 50,000, their list: of all together, only the names are in memory. */
async function storeFiles(named: readonly NamedFile[], draft: DraftGuard, job: BackupJob) {
  const lists: Stored[] = [];
  const missing: NamedFile[] = [];
  let done = 0;
  const tellDone = () => {
    done += 1;
    if (done % 1_000 === 0) job.tell(`${done - missing.length} of ${named.length} files`);
  };
  while (done < named.length) {
    const files: FileList['files'] = [];
    const missingBefore = missing.length;
    const waiting = named.slice(done, done + backupLimits.filesInList).values();
    const work = async () => {
      for (const one of waiting) {
        const stored = await storeFile(one, draft, job);
        if (stored === null) missing.push(one);
        else files.push(stored);
        tellDone();
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: concurrentFiles }, work));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    files.sort((one, other) => (one.key < other.key ? -1 : 1));
    const name = `lists/${lists.length + 1}.json`;
    const keys = missing.slice(missingBefore).map(({ key }) => key);
    const text = JSON.stringify({ files, missing: keys.sort() } satisfies FileList);
    assertReadable(text, (list) => readFileList(list, name));
    lists.push(await draft.storeWhole(name, Buffer.from(text)));
  }
  job.tell(plural(named.length - missing.length, 'file'));
  listMissing(missing, job.tell);
  return { lists, missing: missing.length };
}

/** Null if the file is missing. */
async function storeFile({ key }: NamedFile, draft: DraftGuard, { files, sealing }: BackupJob) {
  const content = await files.read(key).catch((error) => {
    if (error instanceof FileMissing) return null;
    throw error;
  });
  return content && { key, ...(await draft.store(`files/${key}`, content, sealing)) };
}

const mostListed = 5;

/** What to do about each: otherwise every later backup ends with code 2. */
function listMissing(missing: readonly NamedFile[], tell: BackupJob['tell']): void {
  if (missing.length === 0) return;
  tell(`${plural(missing.length, 'file')} missing. Bring each back, or remove it from its task:`);
  for (const { name, taskId, key } of missing.slice(0, mostListed)) tell(`  “${name}” of task ${taskId}: files/${key}`);
  if (missing.length > mostListed) tell('  … lists/*.json in the backup name all.');
}

/**
 * Stores the manifest's hash, which tells a changed manifest from a changed file, and its authentication
 * code. Both are computed from the original bytes, not from what the backup store returns.
 */
async function storeManifest(draft: DraftGuard, manifest: Manifest, { sealing, linkSecret }: BackupJob): Promise<void> {
  const storeText = (name: string, content: string | Buffer) => draft.storeWhole(name, Buffer.from(content));
  const text = JSON.stringify(manifest, null, 1);
  assertReadable(text, readManifest);
  const content = await buffer(await sealing.through(Readable.from([Buffer.from(text)])));
  const { file, sha256 } = await storeText(`${manifestName}${sealing.suffix}`, content);
  await storeText(manifestSidecars.code, `${authenticationCode(linkSecret, content)}\n`);
  if (sealing.suffix !== '') {
    const parts = JSON.stringify(partListOf(manifest, sha256));
    await storeText(manifestSidecars.parts, `${authenticationCode(linkSecret, Buffer.from(parts), 'parts')}\n${parts}`);
  }
  await storeText(manifestSidecars.hash, `${sha256}  ${file}\n`);
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
