// Commands and the data folder of the embedded database.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SmallVolume, smallVolume } from '../../../faults/tmpfs.ts';
import { asOwner } from '../../../test/database.ts';
import { type DatabaseFolder, openFolder, startDatabase } from '../../../test/database-folder.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const LINK_SECRET = 'of the servers of this database.';
const elsewhere = openFolder('command-folder-elsewhere');

/** A volume of its own where this machine allows one. */
function tryVolume(): SmallVolume | null {
  try {
    return smallVolume(400);
  } catch {
    return null;
  }
}
const volume = tryVolume();
let server: DatabaseFolder;
let dataDir: string;

beforeAll(async () => {
  const folder = volume?.subfolder('company') ?? openFolder('command-folder');
  server = await startDatabase('command-folder', { folder, settings: { autovacuum: 'off' } });
  dataDir = dirname(server.data);
  const [row] = await asOwner<{ id: string }>(server.url, 'insert into installation default values returning id');
  const fingerprint = createHmac('sha256', LINK_SECRET).update(`installation ${row?.id}`).digest('hex');
  await asOwner(server.url, `update installation set link_secret_fingerprint = '${fingerprint}'`);
});
afterAll(async () => {
  await server.stop();
  volume?.remove();
  rmSync(elsewhere, { recursive: true, force: true });
});

async function run(words: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [main, ...words], { env: { PATH: process.env.PATH, ...env } });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, error, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, error };
}

test('a backup with another LINK_SECRET, or with none, is refused in one line and creates nothing', async () => {
  const before = readdirSync(dataDir);
  const target = join(elsewhere, 'refused');
  expect(
    await run(['backup', target], { DATA_DIR: dataDir, LINK_SECRET: 'of other servers, as in a test.. ' }),
  ).toEqual({
    code: 1,
    out: '',
    error:
      "LINK_SECRET isn't the one of this database, so nobody could restore the backup with the right one. Set it as for the servers, as in their .env\n",
  });
  expect(await run(['backup', target], { DATA_DIR: dataDir })).toEqual({
    code: 1,
    out: '',
    error: "LINK_SECRET isn't set. Set the one of the servers: a backup is authenticated with it\n",
  });
  expect(existsSync(target)).toBe(false);
  expect(readdirSync(dataDir)).toEqual(before);
});
