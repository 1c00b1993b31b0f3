// Brings a backup back into an empty database and file store. Everything is checked before anything is written, and the rows come
// in one transaction: a restore that fails leaves the database as it was.
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { HostClient } from '../db/host-client.ts';
import type { Log } from '../db/log.ts';
import { migrate, newestMigration } from '../db/migrate.ts';
import type { FileStore } from '../outside/files.ts';
import { faultOf, manifestName, passed, readStored, type Sealing } from './backup-folder.ts';
import { type Manifest, otherSecrets, readManifest, type Secrets } from './manifest.ts';
import { fillTables, hasPeople } from './table-copies.store.ts';

export type RestoreJob = {
  readonly url: string;
  readonly files: FileStore;
  /** Of the one backup. */
  readonly folder: string;
  readonly sealing: Sealing;
  readonly secrets: Secrets;
  readonly acceptsOtherSecrets: boolean;
  readonly log: Log;
  readonly tell: (line: string) => void;
};

/** The backup, the database or the secrets do not fit; nothing was written. */
export class RestoreRefused extends Error {
  override name = 'RestoreRefused';
}

const faultsShown = 10;

/** Reads the manifest and every byte of the backup, before a database is opened for it. */
export async function checkBackup({
  folder,
  sealing,
  secrets,
  acceptsOtherSecrets,
}: Omit<RestoreJob, 'url' | 'files'>) {
  const manifest = await openManifest(folder, sealing);
  if (manifest.newestMigration > newestMigration())
    throw new RestoreRefused(
      'The backup was made by a newer version of this program. Restore it with that version or a newer one',
    );
  const others = otherSecrets(manifest, secrets);
  if (others.length > 0 && !acceptsOtherSecrets)
    throw new RestoreRefused(
      `The backup was made with another ${others.join(', ')}. Set the one from then, or say --accept-other-secrets: what was signed or linked with the old one no longer holds`,
    );
  const faults: string[] = [];
  for (const item of [...manifest.tables, ...manifest.files]) {
    const fault = await faultOf(folder, item);
    if (fault !== null) faults.push(fault);
  }
  if (faults.length > 0)
    throw new RestoreRefused(
      [`The backup is damaged (${faults.length} files):`, ...faults.slice(0, faultsShown)].join('\n  '),
    );
  return manifest;
}

async function openManifest(folder: string, sealing: Sealing): Promise<Manifest> {
  const refuse = (why: string) => new RestoreRefused(`${folder} cannot be restored: ${why}`);
  const known = await readFile(join(folder, `${manifestName}.sha256`), 'utf8').catch(() => null);
  if (known === null) throw refuse('there is no complete backup in it');
  const [sha256, file = ''] = known.trim().split(/\s+/);
  if (file !== `${manifestName}${sealing.suffix}`)
    throw refuse(
      sealing.suffix === '' ? 'it is encrypted, say --identity FILE' : 'it is not encrypted, leave --identity out',
    );
  const bytes = await readFile(join(folder, file)).catch(() => null);
  if (bytes === null) throw refuse(`${file} is missing`);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw refuse(`${file} was changed`);
  try {
    return readManifest(await text(await readStored(folder, { file }, sealing)));
  } catch (error) {
    throw refuse(
      sealing.suffix === '' ? (error as Error).message : 'the identity is not one that it was encrypted for',
    );
  }
}

export async function restoreBackup(job: RestoreJob, manifest: Manifest): Promise<void> {
  const { url, folder, sealing, log, tell } = job;
  const client = new HostClient({ connectionString: url, application_name: 'staff-dashboard restore' });
  await client.connect();
  try {
    if (await hasPeople(client))
      throw new RestoreRefused('The database has people in it. A backup is restored into an empty database only');
    // The tables as they were then; what changed since is migrated with the rows in them, as an upgrade does.
    await migrate({ url, log, upTo: manifest.newestMigration });
    // Files first: a row without its file would be worse than a file without a row, which the janitor removes.
    await restoreFiles(job, manifest);
    const file = new Map(manifest.tables.map((table) => [table.name, table]));
    await fillTables(client, {
      ...manifest,
      contentOf: async ({ name }) => passed(await readStored(folder, file.get(name)!, sealing), createGunzip()),
    });
    await migrate({ url, log });
    tell(
      `${manifest.tables.reduce((sum, { rows }) => sum + rows, 0).toLocaleString('en')} rows in ${manifest.tables.length} tables`,
    );
  } finally {
    await client.end();
  }
}

async function restoreFiles({ files, folder, sealing, tell }: RestoreJob, manifest: Manifest): Promise<void> {
  for (const item of manifest.files) {
    const draft = join(files.incoming, `restored-${randomUUID()}`);
    await pipeline(await readStored(folder, item, sealing), createWriteStream(draft, { mode: 0o600 }));
    await files.keep(item.key, draft);
    await rm(draft, { force: true });
  }
  tell(
    `${manifest.files.length} files${manifest.missing.length > 0 ? `; ${manifest.missing.length} were missing when the backup was made` : ''}`,
  );
}
