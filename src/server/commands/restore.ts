// `npm run restore -- BACKUP [--identity FILE]`: brings a backup back into an empty database and file store.
import 'temporal-polyfill/global';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBackup, restoreBackup } from '../backup/restore.service.ts';
import { readBackupConfig } from '../config.ts';
import { joinOrStartDatabase } from '../db/join-database.ts';
import { openFileStore } from '../outside/files.ts';
import { openingWith, telling, WrongUse } from './backup-options.ts';
import { commandLog } from './command-database.ts';

const usage = `npm run restore -- BACKUP [--identity FILE] [--accept-other-secrets]
  BACKUP                  the folder of one backup
  --identity              the file with the secret key of an encrypted backup
  --accept-other-secrets  also where LINK_SECRET and its like are not those of then`;

async function run(): Promise<void> {
  const { values, positionals } = readArguments();
  const [backup, ...rest] = positionals;
  if (backup === undefined || rest.length > 0) throw new WrongUse(`Name the folder of one backup\n${usage}`);
  const config = readBackupConfig(process.env);
  const started = performance.now();
  const job = {
    folder: resolve(backup),
    sealing: openingWith(values.identity),
    secrets: config.secrets,
    acceptsOtherSecrets: values['accept-other-secrets'],
    log: commandLog,
    tell: (line: string) => console.log(line),
  };
  const manifest = await checkBackup(job);
  console.log(`The backup of ${manifest.madeAt} is whole`);
  const { url, stop } = config.databaseUrl
    ? { url: config.databaseUrl, stop: async () => {} }
    : await joinOrStartDatabase({ dataDir: config.dataDir, log: commandLog, what: 'a restore' });
  try {
    const files = await openFileStore({ dataDir: config.dataDir, url: config.filesUrl });
    await restoreBackup({ ...job, url, files }, manifest);
    console.log(`Restored in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  } finally {
    await stop();
  }
}

function readArguments() {
  try {
    return parseArgs({
      options: { identity: { type: 'string' }, 'accept-other-secrets': { type: 'boolean', default: false } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new WrongUse(`${(error as Error).message}\n${usage}`);
  }
}

await telling(run);
