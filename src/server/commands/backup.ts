// `staff-dashboard backup`: makes a backup, with or without a running server.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeBackup } from '#server/admin/backup/backup.service.ts';
import { settingOf } from '#server/admin/setting-failures.ts';
import { readBackupConfig } from '#server/platform/config/config.ts';
import { assertPrivateFolder, assertUsableFolder, isWithin } from '#server/platform/config/usable-folder.ts';
import { schemaVersionAt } from '#server/platform/db/migrate.ts';
import { assertBackupSecret } from '#server/platform/installation/installation.service.ts';
import { openFileStore } from '#server/platform/storage/files.ts';
import { keysOfBackup, makeKey, sealingFor } from './backup-options.ts';
import { type Command, exitCodes, type Given, UsageError } from './command.ts';
import { joinCommandDatabase } from './command-database.ts';

export const backupCommand: Command = {
  parameters: 'FOLDER',
  does: 'Create a backup in a new folder inside FOLDER',
  takes: [0, 1],
  options: {
    recipient: { value: 'KEY', does: 'Encrypt for the owner of this age key' },
    'new-key': { value: 'FILE', does: 'Don’t back up. Create a secret key in FILE and print its recipient' },
  },
  details: ['Exit code 2: the backup is complete, but files that the database references were missing.'],
  run,
};

async function run({ parameters: [folder], text }: Given): Promise<number> {
  const keyFile = text['new-key'];
  if (keyFile !== undefined) {
    if (existsSync(keyFile)) throw new UsageError(`${keyFile} already exists`);
    console.log(await makeKey(keyFile));
    return exitCodes.ok;
  }
  if (!folder) throw new UsageError('Missing: FOLDER');
  assertUsableFolder(folder, 'FOLDER');
  assertPrivateFolder(folder, 'FOLDER');
  const sealing = sealingFor(text.recipient);
  const config = readBackupConfig(process.env);
  if (isWithin(folder, config.dataDir))
    console.error(`${folder} is in DATA_DIR, so a backup there is lost with the data. Use a folder outside it.`);
  const started = performance.now();
  const { url, stop } = await joinCommandDatabase(config, 'a backup');
  try {
    const { secrets, linkSecrets } = keysOfBackup(config);
    const [linkSecret = '', linkSecretAlso] = linkSecrets;
    const fits = schemaVersionAt(url, (client) => assertBackupSecret(client, { linkSecret, linkSecretAlso }));
    await settingOf('database', fits);
    const files = await openFileStore({ dataDir: config.dataDir, url: config.filesUrl, creates: false });
    const { companyTimeZone } = config;
    const tell = (line: string) => console.log(line);
    const job = { url, files, folder: resolve(folder), sealing, secrets, linkSecret, companyTimeZone, tell };
    const { path, manifest, bytes } = await makeBackup(job);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const size = bytes < 1e5 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
    console.log(`${path}\n${size} in ${seconds} s`);
    return manifest.missing > 0 ? exitCodes.partly : exitCodes.ok;
  } finally {
    await stop();
  }
}
