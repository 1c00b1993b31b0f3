// `staff-dashboard restore`: restores a backup into an empty database and file store.
import { statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { nameFaultOf, newestBackup, placeFaultOf } from '#server/admin/backup/backup-folder.ts';
import { checkBackup, RestoreRefused } from '#server/admin/backup/check-backup.ts';
import { restoreBackup } from '#server/admin/backup/restore.service.ts';
import { readBackupConfig } from '#server/platform/config/config.ts';
import { assertNoServer } from '#server/platform/db/folder-lock.ts';
import { openFileStore } from '#server/platform/storage/files.ts';
import { keysOfRestore, openingWith } from './backup-options.ts';
import { type Command, exitCodes, type Given, UsageError } from './command.ts';
import { commandLog, joinCommandDatabase } from './command-database.ts';

export const restoreCommand: Command = {
  parameters: 'BACKUP',
  does: 'Restore BACKUP, or the newest backup in the folder BACKUP, into an empty database',
  takes: [1, 1],
  options: {
    identity: { value: 'FILE', does: 'The file with the secret key of an encrypted backup' },
    'accept-unverified': {
      does: 'Accept a backup that can’t be verified: made before 0.2.0, or LINK_SECRET is lost',
    },
    'from-another-database': {
      does: 'Take over the file storage of another database that is lost and has no server',
    },
    'accept-other-secrets': { does: 'Continue even if LINK_SECRET or another secret has changed since the backup' },
  },
  run,
};

async function run({ parameters: [backup = ''], text, isSet }: Given): Promise<number> {
  if (!backup) throw new UsageError('Name a backup, or a folder of backups');
  const config = readBackupConfig(process.env);
  if (!config.databaseUrl) assertNoServer(config.dataDir);
  const started = performance.now();
  const given = resolve(backup);
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const placeFault = isFolder ? placeFaultOf(given) : null;
  if (placeFault) throw new RestoreRefused(placeFault);
  const newest = isFolder ? newestBackup(given) : null;
  if (newest) console.log(`The newest backup in ${given} is ${newest}`);
  const job = {
    folder: newest ? join(given, newest) : given,
    sealing: openingWith(text.identity),
    ...keysOfRestore(config),
    acceptsUnverified: isSet('accept-unverified'),
    acceptsOtherSecrets: isSet('accept-other-secrets'),
    embeddedIn: config.databaseUrl === undefined ? config.dataDir : undefined,
    takesOverFiles: isSet('from-another-database'),
    isProduction: config.isProduction,
    log: commandLog(config),
    tell: (line: string) => console.log(line),
  };
  const checked = await checkBackup(job);
  const nameFault = nameFaultOf(basename(job.folder), checked.manifest.madeAt);
  if (nameFault) throw new RestoreRefused(nameFault);
  console.log(
    `The backup of ${checked.manifest.madeAt} is complete${checked.isAuthenticated ? '' : ', but unauthenticated: anyone could have made it'}`,
  );
  const { url, stop } = await joinCommandDatabase(config, 'a restore', { creates: true });
  try {
    // A refused restore leaves no folder.
    const files = await openFileStore({ dataDir: config.dataDir, url: config.filesUrl, creates: false });
    await restoreBackup({ ...job, url, files }, checked);
    console.log(`Restored in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  } finally {
    await stop();
  }
  return exitCodes.ok;
}
