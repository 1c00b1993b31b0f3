// Restores a backup into an empty database and file store. Everything is checked before anything is written,
// and compared again while it is read. The rows come in one transaction, so a failed restore leaves none.

import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { countWords } from '#core/base/formats.ts';
import { isUnavailable } from '#server/platform/db/database-failures.ts';
import { HostClient } from '#server/platform/db/host-client.ts';
import type { Log } from '#server/platform/db/log.ts';
import { isKnownMigration, migrate, newestMigration, readSchemaVersion } from '#server/platform/db/migrate.ts';
import { recordOrigin } from '#server/platform/installation/installation.service.ts';
import { shellWord } from '#server/platform/shell-word.ts';
import { type FileStore, FilesUnavailable } from '#server/platform/storage/files.ts';
import {
  faultOf,
  manifestName,
  manifestSidecars,
  openPlain,
  passed,
  readStored,
  type Sealing,
} from './backup-folder.ts';
import { type Manifest, otherSecrets, readManifest, type Secrets, secretOfCode } from './manifest.ts';
import {
  assertSameTables,
  ensureInstallationId,
  fillTables,
  hasPeople,
  readInstallationId,
} from './table-copies.store.ts';

export type RestoreJob = {
  readonly url: string;
  readonly files: FileStore;
  /** The folder of this backup. */
  readonly folder: string;
  readonly sealing: Sealing;
  readonly secrets: Secrets;
  /** One of them must have authenticated the backup. */
  readonly linkSecrets: readonly string[];
  /** Accepts a backup without proof of origin: from before 0.2.0, or with a lost LINK_SECRET. */
  readonly acceptsUnverified: boolean;
  readonly acceptsOtherSecrets: boolean;
  /** Accepts a place with the files of another, lost database. */
  readonly takesOverFiles: boolean;
  /** Whether APP_ENV is production. */
  readonly isProduction: boolean;
  /** The embedded database's data folder. */
  readonly embeddedIn?: string | undefined;
  readonly log: Log;
  readonly tell: (line: string) => void;
};

/** The backup, the database or the secrets don't fit; the database has no rows. */
export class RestoreRefused extends Error {
  override name = 'RestoreRefused';
}

const faultsShown = 10;

/** Limits for files read before their origin is known. */
const mostBytes = { manifest: 100 * 1024 * 1024, beside: 1024 } as const;

type CheckJob = Omit<RestoreJob, 'url' | 'files' | 'takesOverFiles' | 'isProduction'>;

export type CheckedBackup = {
  readonly manifest: Manifest;
  readonly isAuthenticated: boolean;
  /** The one its rows belong to; undefined if it's unknown. */
  readonly linkSecret: string | undefined;
};

/** Reads the manifest and every byte of the backup before opening a database. */
export async function checkBackup(job: CheckJob): Promise<CheckedBackup> {
  const { folder, secrets, acceptsOtherSecrets } = job;
  const checked = await openManifest(job);
  const { manifest } = checked;
  if (manifest.newestMigration > newestMigration())
    throw new RestoreRefused(
      'The backup was made by a newer version of this program. Restore it with that version or a newer one',
    );
  if (!isKnownMigration(manifest.newestMigration))
    throw new RestoreRefused('The backup was made by a program with other migrations. Restore it with that program');
  // Made with one of our secrets, possibly LINK_SECRET_ALSO.
  const others = otherSecrets(manifest, secrets).filter((name) => !checked.isAuthenticated || name !== 'LINK_SECRET');
  const isSame = manifest.fingerprints.LINK_SECRET !== undefined && !others.includes('LINK_SECRET');
  if (others.length > 0 && !acceptsOtherSecrets)
    throw new RestoreRefused(
      `The backup was made with another ${others.join(', ')}. Set the secrets used then, or use --accept-other-secrets: whatever was signed or encrypted with them stops working`,
    );
  const faults: string[] = [];
  for (const item of [...manifest.tables, ...manifest.files]) {
    const fault = await faultOf(folder, item);
    if (fault !== null) faults.push(fault);
  }
  if (faults.length > 0)
    throw new RestoreRefused(
      `The backup is damaged in ${faults.length} files: ${faults.slice(0, faultsShown).join('; ')}`,
    );
  return { ...checked, linkSecret: checked.linkSecret ?? (isSame ? secrets.LINK_SECRET : undefined) };
}

async function openManifest({ folder, sealing, linkSecrets, acceptsUnverified }: CheckJob): Promise<CheckedBackup> {
  const refuse = (why: string) => new RestoreRefused(`${folder} cannot be restored: ${why}`);
  const readBytes = async (name: string, most: number) => {
    const bytes = await readPlain(folder, name, most).catch(() => null);
    if (bytes && bytes.length > most) throw refuse(`${name} is larger than ${most / 1024} KB`);
    return bytes;
  };
  const readSmall = async (name: string) => (await readBytes(name, mostBytes.beside))?.toString() ?? null;
  const [hash, code] = await Promise.all([manifestSidecars.hash, manifestSidecars.code].map(readSmall));
  if (hash == null) throw refuse('it has no complete backup');
  const [sha256, file = ''] = hash.trim().split(/\s+/);
  if (file !== `${manifestName}${sealing.suffix}`)
    throw refuse(
      sealing.suffix === '' ? 'it is encrypted, use --identity FILE' : 'it is not encrypted, leave --identity out',
    );
  const bytes = await readBytes(file, mostBytes.manifest);
  if (bytes === null) throw refuse(`${file} is missing`);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw refuse(`${file} was changed`);
  const linkSecret = code == null ? undefined : secretOfCode(code.trim(), linkSecrets, bytes);
  const isAuthenticated = linkSecret !== undefined;
  if (!isAuthenticated && !acceptsUnverified) throw refuse(unverified(code != null, linkSecrets.length > 0));
  try {
    const manifest = readManifest(await text(await sealing.through(Readable.from([bytes]))));
    return { manifest, isAuthenticated, linkSecret };
  } catch (error) {
    throw refuse(
      sealing.suffix === '' ? oneLine(error) : 'the identity is not one that it was encrypted for, or it was changed',
    );
  }
}

/** Reads at most one byte more than `most`. */
async function readPlain(folder: string, name: string, most: number): Promise<Buffer> {
  const handle = await openPlain(folder, name);
  return buffer(handle.createReadStream({ end: most }));
}

function unverified(hasCode: boolean, hasSecret: boolean): string {
  const sure = 'If you’re sure nobody changed it, use --accept-unverified';
  if (!hasCode) return `nothing shows who made it. It is from before version 0.2.0, or someone changed it. ${sure}`;
  if (!hasSecret)
    return 'LINK_SECRET is not set, and only the one of its server shows who made it. It is in .env of that server or in its DATA_DIR, for example: LINK_SECRET_FILE=data/link-secret. If it is lost, use --accept-unverified';
  return `it was made with another LINK_SECRET, or someone changed it. Set the one that was in use when the backup was made. ${sure} --accept-other-secrets`;
}

const oneLine = (error: unknown): string => (error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 500);

export async function restoreBackup(job: RestoreJob, { manifest, linkSecret }: CheckedBackup): Promise<void> {
  const { url, files, folder, sealing, log, tell } = job;
  const client = new HostClient({ connectionString: url, application_name: 'staff-dashboard restore' });
  await client.connect();
  try {
    if (await hasPeople(client)) throw new RestoreRefused(peopleThere(client, job, await isInUse(client)));
    if ((await readSchemaVersion(client)).newestMigration > manifest.newestMigration)
      throw new RestoreRefused(
        'The tables of the database are newer than the backup. Restore it into a database without tables',
      );
    await assertFilesAreFree(await readInstallationId(client), job);
    await mkdir(files.incoming, { recursive: true, mode: 0o700 });
    // Creates the tables of that version; later migrations then run with the rows in them, like an upgrade.
    await migrate({ url, log, upTo: manifest.newestMigration });
    const names = manifest.sequences.map(({ name }) => name);
    await fitting(assertSameTables(client, manifest.tables, names));
    // Files first: a row without its file is worse than a file without a row, which the janitor removes.
    await fitting(restoreFiles(job, manifest));
    const file = new Map(manifest.tables.map((table) => [table.name, table]));
    await fitting(
      fillTables(client, {
        ...manifest,
        contentOf: async ({ name }) => {
          const { content, verified } = await readStored(folder, file.get(name)!, sealing);
          return { content: passed(content, createGunzip()), verified };
        },
      }),
    );
    await migrate({ url, log });
    const id = await ensureInstallationId(client);
    // Servers are refused with other settings, as with the original database.
    await recordOrigin(client, id, { linkSecret, isProduction: manifest.isProduction === true || job.isProduction });
    await files.writeMark(id);
    tell(
      `${countWords(manifest.tables.reduce((sum, { rows }) => sum + rows, 0))} rows in ${manifest.tables.length} tables`,
    );
  } finally {
    await client.end();
  }
}

/** Whether a server uses the database: a running one always listens for changes. */
async function isInUse(client: HostClient): Promise<boolean> {
  const { rows } = await client.query(
    "select from pg_stat_activity where datname = current_database() and application_name = 'staff-dashboard live' limit 1",
  );
  return rows.length > 0;
}

function peopleThere({ database, host }: HostClient, { embeddedIn }: RestoreJob, inUse: boolean): string {
  const rule = 'has people in it, and a backup is only restored into an empty one';
  if (embeddedIn !== undefined)
    return `The database in ${embeddedIn} ${rule}. Use a new DATA_DIR, or first remove what is in this one: rm -r ${shellWord(embeddedIn)}`;
  if (inUse) return `The database ${database} on ${host} ${rule}. A server uses it, so restore into a new database`;
  return `The database ${database} on ${host} ${rule}. Use a new database, or first drop this one and create it again`;
}

/**
 * A server deletes stored files that its database doesn't name, so another database's files must not be among
 * them.
 */
async function assertFilesAreFree(id: string | null, { files, takesOverFiles }: RestoreJob): Promise<void> {
  const mark = await files.readMark();
  if (mark === null || mark === id || takesOverFiles) return;
  throw new RestoreRefused(
    'FILES_URL or DATA_DIR leads to the files of another database, and a server on this one would remove them. Set another bucket or folder; FILES_URL= uses the folder in DATA_DIR. If that database is lost, use --from-another-database',
  );
}

/** Reports what the database or content says against the backup in one line; rethrows unrelated errors. */
async function fitting<T>(work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    if (isUnavailable(error) || error instanceof FilesUnavailable || isOfMachine(error)) throw error;
    throw new RestoreRefused(`The backup can’t be restored: ${oneLine(error)}`, { cause: error });
  });
}

/** A full disk, or a folder without write access. */
const isOfMachine = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall !== undefined;

async function restoreFiles({ files, folder, sealing, tell }: RestoreJob, manifest: Manifest): Promise<void> {
  for (const item of manifest.files) {
    const draft = join(files.incoming, `restored-${randomUUID()}`);
    try {
      const { content, verified } = await readStored(folder, item, sealing);
      await pipeline(content, createWriteStream(draft, { mode: 0o600 }));
      await verified;
      await files.keep(item.key, draft);
    } finally {
      await rm(draft, { force: true });
    }
  }
  tell(
    `${manifest.files.length} files${manifest.missing.length > 0 ? `; ${manifest.missing.length} were missing when the backup was made` : ''}`,
  );
}
