// Restores a backup into an empty database and file store. Everything is checked before anything is written,
// and compared again while it is read. The rows come in one transaction, so a failed restore leaves none.

import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { countWords, plural } from '#core/base/formats.ts';
import { fullDiskLine } from '#server/admin/setting-failures.ts';
import { isUnavailable } from '#server/platform/db/database-failures.ts';
import { HostClient } from '#server/platform/db/host-client.ts';
import type { Log } from '#server/platform/db/log.ts';
import { migrate, readSchemaVersion } from '#server/platform/db/migrate.ts';
import { recordOrigin } from '#server/platform/installation/installation.service.ts';
import { isServed } from '#server/platform/live/live.service.ts';
import { manual } from '#server/platform/program.ts';
import { type FileStore, FilesUnavailable } from '#server/platform/storage/files.ts';
import { readStored, unpacked } from './backup-folder.ts';
import { type CheckedBackup, type CheckJob, oneLine, RestoreRefused, readFileLists } from './check-backup.ts';
import type { FileList, ReadManifest } from './manifest.ts';
import {
  assertSameTables,
  ensureInstallationId,
  fillTables,
  hasPeople,
  readInstallationId,
} from './table-copies.store.ts';

export type RestoreJob = CheckJob & {
  readonly url: string;
  readonly files: FileStore;
  /** Accepts the file storage of another, lost database. */
  readonly takesOverFiles: boolean;
  /** Whether APP_ENV is production. */
  readonly isProduction: boolean;
  /** The embedded database's data folder. */
  readonly embeddedIn?: string | undefined;
  readonly log: Log;
  readonly tell: (line: string) => void;
};

export async function restoreBackup(job: RestoreJob, { manifest, linkSecret }: CheckedBackup): Promise<void> {
  const { url, files, folder, sealing, log, tell } = job;
  const client = new HostClient({ connectionString: url, application_name: 'staff-dashboard restore' });
  await client.connect();
  try {
    if (await hasPeople(client)) throw new RestoreRefused(peopleThere(client, job, await isServed(client)));
    if ((await readSchemaVersion(client)).newestMigration > manifest.newestMigration)
      throw new RestoreRefused(
        'The tables of the database are newer than the backup. Restore it into a database without tables',
      );
    await assertFilesAreFree(await readInstallationId(client), job);
    await mkdir(files.incoming, { recursive: true, mode: 0o700 });
    // Creates the tables of that version; later migrations then run with the rows in them, like an upgrade.
    await migrate({ url, log, upTo: manifest.newestMigration });
    const names = manifest.sequences.map(({ name }) => name);
    await refuseOnFailure(assertSameTables(client, manifest.tables, names));
    // Files first: a row without its file is worse than a file without a row, which the janitor removes.
    await refuseOnFailure(restoreFiles(job, manifest));
    const file = new Map(manifest.tables.map((table) => [table.name, table]));
    await refuseOnFailure(
      fillTables(client, {
        ...manifest,
        tell,
        contentOf: async ({ name }) => {
          const table = file.get(name)!;
          const { content, verified } = await readStored(folder, table, sealing);
          return { content: unpacked(content, table), verified };
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

function peopleThere({ database, host }: HostClient, { embeddedIn }: RestoreJob, inUse: boolean): string {
  const rule = 'has people in it, and a backup is only restored into an empty one';
  if (embeddedIn !== undefined)
    return `The database in ${embeddedIn} ${rule}. For a trial, set DATA_DIR to a new folder. To go back to the backup, restore it into a new DATA_DIR, then use that, as in ${manual}`;
  const there = `The database ${database} on ${host} ${rule}.${inUse ? ' A server uses it.' : ''}`;
  return `${there} Create a new database for the backup. To go back to it, then set it as DATABASE_URL, as in ${manual}`;
}

/**
 * A server deletes stored files that its database doesn't reference, so another database's files must not be
 * among them.
 */
async function assertFilesAreFree(id: string | null, { files, takesOverFiles }: RestoreJob): Promise<void> {
  const mark = await files.readMark();
  if (mark === null || mark === id || takesOverFiles) return;
  throw new RestoreRefused(
    'FILES_URL or DATA_DIR points to the files of another database, and a server on this one would remove them. Set another bucket or folder; FILES_URL= uses the folder in DATA_DIR. If that database is lost, use --from-another-database',
  );
}

/** Turns errors about the backup into a one-line refusal. Rethrows errors of the machine or a connection. */
async function refuseOnFailure<T>(work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    if (isUnavailable(error) || error instanceof FilesUnavailable || isOfMachine(error)) throw error;
    throw new RestoreRefused(`The backup can’t be restored: ${oneLine(error)}`, { cause: error });
  });
}

/** A full disk, also PostgreSQL's, or a folder without write access. */
const isOfMachine = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).syscall !== undefined || fullDiskLine(error) !== null;

async function restoreFiles(job: RestoreJob, { lists, missing }: ReadManifest): Promise<void> {
  let restored = 0;
  for await (const files of readFileLists(job.folder, lists))
    for (const item of files) {
      await restoreFile(job, item);
      restored += 1;
    }
  const without = `. When the backup was made, ${plural(missing, 'other file')} could not be found`;
  job.tell(`${plural(restored, 'file')}${missing > 0 ? without : ''}`);
}

async function restoreFile({ files, folder, sealing }: RestoreJob, item: FileList['files'][number]): Promise<void> {
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
