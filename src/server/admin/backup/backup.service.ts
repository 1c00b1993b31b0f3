// Makes a backup beside a running server: every table out of one moment, every file that a row of it names, and a manifest.
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { HostClient } from '#server/platform/db/host-client.ts';
import {
  assertCurrentSchema,
  assertKnownSchema,
  readSchemaVersion,
  type SchemaVersion,
} from '#server/platform/db/migrate.ts';
import { FileMissing, type FileStore, FilesUnavailable } from '#server/platform/storage/files.ts';
import { besideManifest, faultOf, manifestName, passed, type Sealing, store, unsealed } from './backup-folder.ts';
import {
  authenticationCode,
  backupFormat,
  fingerprintsOf,
  type Manifest,
  type Secrets,
  type Stored,
} from './manifest.ts';
import {
  beginMoment,
  copyOut,
  endOfMoment,
  readFileKeys,
  readIdOfFiles,
  readSequences,
  readTables,
} from './table-copies.store.ts';

export type BackupJob = {
  readonly url: string;
  readonly files: FileStore;
  /** Where backups are kept; each gets a folder of its own in it. */
  readonly folder: string;
  readonly sealing: Sealing;
  readonly secrets: Secrets;
  /** Authenticates the manifest. */
  readonly linkSecret: string;
  readonly companyTimeZone: string;
  readonly tell: (line: string) => void;
};

export type BackupMade = { readonly path: string; readonly manifest: Manifest };

/** The place of the backups can't take one. */
export class BackupFailed extends Error {
  override name = 'BackupFailed';
}

const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS']);

/** Several at once: a store in the network answers slowly, and many small files wait on it. */
const filesAtOnce = 4;

/** Until it is whole the folder is called `….partial`, and no restore takes it. */
export async function makeBackup(job: BackupJob): Promise<BackupMade> {
  const client = new HostClient({ connectionString: job.url, application_name: 'staff-dashboard backup' });
  await client.connect();
  try {
    const moment = await beginMoment(client);
    const version = await readSchemaVersion(client);
    if (version.state === 'empty') assertCurrentSchema(version);
    assertKnownSchema(version);
    job.tell(versionLine(version));
    const name = `staff-dashboard-${moment.round({ smallestUnit: 'second', roundingMode: 'floor' }).toString().replaceAll(':', '-')}`;
    const draft = join(job.folder, `${name}.partial`);
    await assertFilesOf(await readIdOfFiles(client), job.files);
    await mkdir(job.folder, { recursive: true, mode: 0o700 });
    // Made here and now: one that somebody laid there would be theirs, or lead elsewhere.
    await mkdir(draft, { mode: 0o700 });
    const guard = await DraftGuard.of(draft);
    try {
      const manifest = await storeAll(client, guard, { moment, version, job });
      const path = join(job.folder, name);
      await guard.assertWhole(manifest);
      await rename(draft, path);
      await syncFolder(job.folder);
      return { path, manifest };
    } catch (error) {
      if (!(await guard.isOwn())) throw replaced(draft);
      // A disk that is full stays full of halves otherwise.
      await rm(draft, { recursive: true, force: true });
      const { code = '', message } = error as NodeJS.ErrnoException;
      // A write that fails doesn't say where.
      if (fullDisk.has(code))
        throw new BackupFailed(
          `No backup was made in ${job.folder}: ${message}. Free some space there, or use another folder`,
        );
      throw error;
    }
  } finally {
    await client.end();
  }
}

/** Who may write beside the draft could lay a link in its place: nothing is stored unless it is the folder that was made. */
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
    if (!isOurs) throw replaced(path);
    return new DraftGuard(path, made);
  }

  async isOwn(): Promise<boolean> {
    const found = await lstat(this.path, { bigint: true }).catch(() => null);
    return found?.dev === this.#made.dev && found.ino === this.#made.ino;
  }

  async store(name: string, content: Readable, sealing: Sealing): Promise<Stored> {
    if (!(await this.isOwn()) || !(await this.#leadsInside(dirname(name)))) {
      content.destroy();
      throw replaced(this.path);
    }
    return store(this.path, name, content, sealing);
  }

  /** Not there yet is inside: it is made with the first file. */
  async #leadsInside(folder: string): Promise<boolean> {
    const found = await realpath(join(this.path, folder)).catch(() => null);
    return found === null || found === join(await realpath(this.path), folder);
  }

  /** Syncs the entries of every folder and reads every file back: a link that was there for a moment took some elsewhere. */
  async assertWhole({ tables, files }: Manifest): Promise<void> {
    const stored = [...tables, ...files].map(({ file }) => file);
    const folders = new Set(['.', 'tables', ...(files.length > 0 ? ['files'] : []), ...stored.map(dirname)]);
    for (const folder of folders) await syncFolder(join(this.path, folder));
    for (const item of [...tables, ...files]) if ((await faultOf(this.path, item)) !== null) throw replaced(this.path);
    if (!(await this.isOwn())) throw replaced(this.path);
  }
}

const replaced = (path: string) =>
  new BackupFailed(`${path} was replaced while the backup was made. Check who can write to its folder`);

/** A disk that is not mounted has none of the files: that is no backup with missing files, but none. */
async function assertFilesOf(id: string | null, files: FileStore): Promise<void> {
  if (id === null || (await files.readMark()) === id) return;
  throw new FilesUnavailable(
    'FILES_URL or DATA_DIR doesn’t lead to the files of this database. Is the disk mounted? Use the server’s settings',
  );
}

const versionLine = ({ found, expected, state }: SchemaVersion): string =>
  state === 'current'
    ? `The database is at version ${found}`
    : `The database is at version ${found}, older than the ${expected} of this program: backed up as it is`;

type Moment = { readonly moment: Temporal.Instant; readonly version: SchemaVersion; readonly job: BackupJob };

async function storeAll(client: pg.Client, draft: DraftGuard, { moment, version, job }: Moment): Promise<Manifest> {
  const tables = await storeTables(client, draft, job);
  const sequences = await readSequences(client);
  const keys = await readFileKeys(client);
  await endOfMoment(client);
  const { files, missing } = await storeFiles(keys, draft, job);
  const fingerprintSalt = randomBytes(16).toString('hex');
  const manifest: Manifest = {
    format: backupFormat,
    madeAt: moment.toString(),
    newestMigration: version.newestMigration,
    companyTimeZone: job.companyTimeZone,
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
  tell(`${tables.length} tables, ${total.toLocaleString('en')} rows`);
  return tables;
}

async function storeFiles(keys: readonly string[], draft: DraftGuard, { files: source, sealing, tell }: BackupJob) {
  const files: Manifest['files'] = [];
  const missing: string[] = [];
  const waiting = keys.values();
  const work = async () => {
    for (const key of waiting) {
      const content = await source.read(key).catch((error) => {
        if (error instanceof FileMissing) return null;
        throw error;
      });
      if (content === null) missing.push(key);
      else files.push({ key, ...(await draft.store(`files/${key}`, content, sealing)) });
      if ((files.length + missing.length) % 1_000 === 0) tell(`${files.length} of ${keys.length} files`);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: filesAtOnce }, work));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  tell(`${files.length} files${missing.length > 0 ? `, ${missing.length} that rows name are not there` : ''}`);
  return { files: files.sort((one, other) => (one.key < other.key ? -1 : 1)), missing: missing.sort() };
}

/**
 * Its hash lies beside it, so that a changed manifest is told from a changed file, and the code that shows who made it: of the
 * bytes as they were here, not of what the store of backups gives back.
 */
async function storeManifest(draft: DraftGuard, manifest: Manifest, { sealing, linkSecret }: BackupJob): Promise<void> {
  const lay = (name: string, content: string | Buffer) =>
    draft.store(name, Readable.from([Buffer.from(content)]), unsealed);
  const plain = Readable.from([Buffer.from(JSON.stringify(manifest, null, 1))]);
  const content = await buffer(await sealing.through(plain));
  const { file, sha256 } = await lay(`${manifestName}${sealing.suffix}`, content);
  await lay(besideManifest.code, `${authenticationCode(linkSecret, content)}\n`);
  await lay(besideManifest.hash, `${sha256}  ${file}\n`);
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
