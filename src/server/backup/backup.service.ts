// Makes a backup beside a running server: every table out of one moment, every file that a row of it names, and a manifest.
import { randomBytes } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { HostClient } from '../db/host-client.ts';
import { assertCurrentSchema, assertKnownSchema, readSchemaVersion, type SchemaVersion } from '../db/migrate.ts';
import { FileMissing, type FileStore } from '../outside/files.ts';
import { manifestName, passed, type Sealing, store, unsealed } from './backup-folder.ts';
import { backupFormat, fingerprintsOf, type Manifest, type Secrets } from './manifest.ts';
import { beginMoment, copyOut, endOfMoment, readFileKeys, readSequences, readTables } from './table-copies.store.ts';

export type BackupJob = {
  readonly url: string;
  readonly files: FileStore;
  /** Where backups are kept; each gets a folder of its own in it. */
  readonly folder: string;
  readonly sealing: Sealing;
  readonly secrets: Secrets;
  readonly companyTimeZone: string;
  readonly tell: (line: string) => void;
};

export type BackupMade = { readonly path: string; readonly manifest: Manifest };

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
    await mkdir(draft, { recursive: true, mode: 0o700 });
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
    await storeManifest(draft, manifest, job.sealing);
    const path = join(job.folder, name);
    await rename(draft, path);
    await syncFolder(job.folder);
    return { path, manifest };
  } finally {
    await client.end();
  }
}

const versionLine = ({ found, expected, state }: SchemaVersion): string =>
  state === 'current'
    ? `The database is at version ${found}`
    : `The database is at version ${found}, older than the ${expected} of this program: backed up as it is`;

async function storeTables(client: pg.Client, draft: string, { sealing, tell }: BackupJob) {
  const tables: Manifest['tables'] = [];
  for (const shape of await readTables(client)) {
    const rows = copyOut(client, shape);
    const stored = await store(draft, `tables/${shape.name}.copy.gz`, passed(rows, createGzip({ level: 4 })), sealing);
    tables.push({ ...stored, name: shape.name, columns: [...shape.columns], rows: rows.rowCount });
  }
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  tell(`${tables.length} tables, ${total.toLocaleString('en')} rows`);
  return tables;
}

async function storeFiles(keys: readonly string[], draft: string, { files: source, sealing, tell }: BackupJob) {
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
      else files.push({ key, ...(await store(draft, `files/${key}`, content, sealing)) });
      if ((files.length + missing.length) % 1_000 === 0) tell(`${files.length} of ${keys.length} files`);
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, work));
  tell(`${files.length} files${missing.length > 0 ? `, ${missing.length} that rows name are not there` : ''}`);
  return { files: files.sort((one, other) => (one.key < other.key ? -1 : 1)), missing: missing.sort() };
}

/** Its own hash lies beside it, so that a changed manifest is told from a changed file. */
async function storeManifest(draft: string, manifest: Manifest, sealing: Sealing): Promise<void> {
  const { file, sha256 } = await store(
    draft,
    manifestName,
    Readable.from([Buffer.from(JSON.stringify(manifest, null, 1))]),
    sealing,
  );
  await store(draft, `${manifestName}.sha256`, Readable.from([Buffer.from(`${sha256}  ${file}\n`)]), unsealed);
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
