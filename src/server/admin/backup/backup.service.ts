// Makes a backup next to a running server: every table from one snapshot, every file that a row names, and a
// manifest.

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
import {
  backupName,
  faultOf,
  manifestName,
  manifestSidecars,
  passed,
  type Sealing,
  store,
  unsealed,
} from './backup-folder.ts';
import {
  authenticationCode,
  backupFormat,
  fingerprintsOf,
  type Manifest,
  partListOf,
  type Secrets,
  type Stored,
} from './manifest.ts';
import {
  beginMoment,
  copyOut,
  endOfMoment,
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

export type BackupMade = { readonly path: string; readonly manifest: Manifest };

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
    const moment = await beginMoment(client);
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
      return { path, manifest };
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
    return store(this.path, name, content, sealing);
  }

  /** Syncs the entries of every folder and reads every file back, in case the disk lost some. */
  async assertWhole({ tables, files }: Manifest): Promise<void> {
    const stored = [...tables, ...files].map(({ file }) => file);
    const folders = new Set(['.', 'tables', ...(files.length > 0 ? ['files'] : []), ...stored.map(dirname)]);
    for (const folder of folders) await syncFolder(join(this.path, folder));
    for (const item of [...tables, ...files]) if ((await faultOf(this.path, item)) !== null) throw changed(this.path);
    if (!(await this.isOwn())) throw changed(this.path);
  }
}

const changed = (path: string) =>
  new BackupFailed(`${path} was changed while the backup was made. Check which other programs write to its folder`);

/** An unmounted disk has none of the files: that is a failed backup, not one with missing files. */
async function assertFilesOf(id: string | null, files: FileStore): Promise<void> {
  if (id === null || (await files.readMark()) === id) return;
  throw new FilesUnavailable(
    'FILES_URL or DATA_DIR doesn’t lead to the files of this database. Is the disk mounted? Use the server’s settings',
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
  await endOfMoment(client);
  const { files, missing } = await storeFiles(named, draft, job);
  const fingerprintSalt = randomBytes(16).toString('hex');
  const manifest: Manifest = {
    format: backupFormat,
    madeAt: moment.toString(),
    newestMigration: version.newestMigration,
    companyTimeZone: job.companyTimeZone,
    ...(isProduction === undefined ? {} : { isProduction }),
    tables,
    sequences,
    files,
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
    const stored = await draft.store(`tables/${shape.name}.copy.gz`, passed(rows, createGzip({ level: 4 })), sealing);
    tables.push({ ...stored, name: shape.name, columns: [...shape.columns], rows: rows.rowCount });
  }
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  tell(`${tables.length} tables, ${countWords(total)} rows`);
  return tables;
}

async function storeFiles(named: readonly NamedFile[], draft: DraftGuard, job: BackupJob) {
  const { files: source, sealing, tell } = job;
  const files: Manifest['files'] = [];
  const missing: NamedFile[] = [];
  const waiting = named.values();
  const work = async () => {
    for (const one of waiting) {
      const content = await source.read(one.key).catch((error) => {
        if (error instanceof FileMissing) return null;
        throw error;
      });
      if (content === null) missing.push(one);
      else files.push({ key: one.key, ...(await draft.store(`files/${one.key}`, content, sealing)) });
      if ((files.length + missing.length) % 1_000 === 0) tell(`${files.length} of ${named.length} files`);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrentFiles }, work));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  tell(plural(files.length, 'file'));
  listMissing(missing, tell);
  const isBefore = (one: string, other: string) => (one < other ? -1 : 1);
  return {
    files: files.sort((one, other) => isBefore(one.key, other.key)),
    missing: missing.map(({ key }) => key).sort(isBefore),
  };
}

const mostListed = 5;

/** What to do about each: otherwise every later backup ends with code 2. */
function listMissing(missing: readonly NamedFile[], tell: BackupJob['tell']): void {
  if (missing.length === 0) return;
  tell(`${plural(missing.length, 'file')} missing. Bring each back, or remove it from its task:`);
  for (const { name, taskId, key } of missing.slice(0, mostListed)) tell(`  “${name}” of task ${taskId}: files/${key}`);
  if (missing.length > mostListed) tell('  … The manifest lists all.');
}

/**
 * Stores the manifest's hash, which tells a changed manifest from a changed file, and its authentication
 * code. Both are computed from the original bytes, not from what the backup store returns.
 */
async function storeManifest(draft: DraftGuard, manifest: Manifest, { sealing, linkSecret }: BackupJob): Promise<void> {
  const lay = (name: string, content: string | Buffer) =>
    draft.store(name, Readable.from([Buffer.from(content)]), unsealed);
  const plain = Readable.from([Buffer.from(JSON.stringify(manifest, null, 1))]);
  const content = await buffer(await sealing.through(plain));
  const { file, sha256 } = await lay(`${manifestName}${sealing.suffix}`, content);
  await lay(manifestSidecars.code, `${authenticationCode(linkSecret, content)}\n`);
  if (sealing.suffix !== '') {
    const parts = JSON.stringify(partListOf(manifest, sha256));
    await lay(manifestSidecars.parts, `${authenticationCode(linkSecret, Buffer.from(parts), 'parts')}\n${parts}`);
  }
  await lay(manifestSidecars.hash, `${sha256}  ${file}\n`);
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
