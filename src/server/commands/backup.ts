// `npm run backup -- FOLDER [--recipient age1...]`: makes a backup beside a running server, or without one.
import 'temporal-polyfill/global';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeBackup } from '../backup/backup.service.ts';
import { readBackupConfig } from '../config.ts';
import { openFileStore } from '../outside/files.ts';
import { makeKey, sealingFor, telling, WrongUse } from './backup-options.ts';
import { openCommandDatabase } from './command-database.ts';

const usage = `npm run backup -- FOLDER [--recipient KEY]     makes a backup in a new folder of FOLDER
npm run backup -- --new-key FILE               makes a pair of keys: the secret one is written to FILE, the recipient is printed
  --recipient   encrypts for whoever has the secret key (age); the server needs no secret for it`;

async function run(): Promise<void> {
  const { values, positionals } = readArguments();
  if (values['new-key'] !== undefined) {
    if (existsSync(values['new-key'])) throw new WrongUse(`${values['new-key']} is there already`);
    console.log(await makeKey(values['new-key']));
    return;
  }
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) throw new WrongUse(`Name one folder for the backups\n${usage}`);
  const sealing = sealingFor(values.recipient);
  const config = readBackupConfig(process.env);
  const started = performance.now();
  const { url, clock, close } = await openCommandDatabase(config, 'a backup');
  try {
    const files = await openFileStore({ dataDir: config.dataDir, url: config.filesUrl });
    const { secrets, companyTimeZone } = config;
    const tell = (line: string) => console.log(line);
    const job = { url, files, folder: resolve(folder), sealing, secrets, companyTimeZone, now: clock.now(), tell };
    const { path, manifest } = await makeBackup(job);
    const bytes = [...manifest.tables, ...manifest.files].reduce((sum, item) => sum + item.bytes, 0);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(`${path}\n${(bytes / 1e6).toFixed(1)} MB in ${seconds} s`);
    if (manifest.missing.length > 0) process.exitCode = 2;
  } finally {
    await close();
  }
}

function readArguments() {
  try {
    return parseArgs({
      options: { recipient: { type: 'string' }, 'new-key': { type: 'string' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new WrongUse(`${(error as Error).message}\n${usage}`);
  }
}

await telling(run);
