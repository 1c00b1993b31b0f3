// Commands and the embedded database: they create nothing in a wrong DATA_DIR, and need no space in a full
// one.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programFolder, withoutDatabaseUrl } from '#server/platform/program.ts';
import { type SmallVolume, smallVolume } from '../../../faults/tmpfs.ts';
import { builtMain } from '../../../test/built-server.ts';
import { asOwner } from '../../../test/database.ts';
import { type DatabaseFolder, openFolder, startDatabase } from '../../../test/database-folder.ts';
import { needs } from '../../../test/needs.ts';

const mapping = fileURLToPath(new URL('../../../examples/import/tasks_jira_duraspace.json', import.meta.url));
const LINK_SECRET = 'of the servers of this database.';
const elsewhere = openFolder('command-folder-elsewhere');
const rows = join(elsewhere, 'rows.ndjson');
writeFileSync(rows, '{"id":1}\n');

/** A separate volume, if this machine allows one. */
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
  const child = spawn(process.execPath, [builtMain, ...words], { env: { PATH: process.env.PATH, ...env } });
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
      "LINK_SECRET doesn't match this database, so its servers couldn't restore this backup. Use the LINK_SECRET from their .env (under systemd: /etc/staff-dashboard/environment)\n",
  });
  expect(await run(['backup', target], { DATA_DIR: dataDir })).toEqual({
    code: 1,
    out: '',
    error: 'LINK_SECRET isn’t set. Use the servers’ LINK_SECRET, which authenticates the backup\n',
  });
  expect(existsSync(target)).toBe(false);
  expect(readdirSync(dataDir)).toEqual(before);
});

test('a restore over the database of a running server, or of no backup, is refused in one line', async () => {
  const env = { DATA_DIR: dataDir, LINK_SECRET };
  expect(await run(['restore', elsewhere], env)).toEqual({
    code: 1,
    out: '',
    error: `A server (process ${process.pid}) uses the database in ${dataDir}. Restore into a new one: set DATA_DIR to a new folder\n`,
  });
  expect((await run(['restore', ''], env)).error).toMatch(/^Name a backup, or a folder of backups\n/);
});

test('a restore from a folder takes its newest backup, and refuses one that was planted under a later name', async () => {
  const backups = join(elsewhere, 'several');
  const made = await run(['backup', backups], { DATA_DIR: dataDir, LINK_SECRET });
  const [path = ''] = /^\/.*Z$/m.exec(made.out) ?? [];
  mkdirSync(join(backups, 'staff-dashboard-2026-01-01T00-00-00.000Z'));
  const restore = () => run(['restore', backups], { DATA_DIR: join(elsewhere, 'not-made'), LINK_SECRET });
  rmSync(join(path, 'tables/people.copy.gz'));
  const refused = await restore();
  expect([refused.code, refused.out, refused.error]).toEqual([
    1,
    `The newest backup in ${backups} is ${basename(path)}\n`,
    'The backup is damaged in 1 file: tables/people.copy.gz cannot be read: ENOENT\n',
  ]);
  // Authentic, but older than its name.
  const other = await run(['backup', join(elsewhere, 'several-other')], { DATA_DIR: dataDir, LINK_SECRET });
  const planted = 'staff-dashboard-2099-01-01T00-00-00.000Z';
  cpSync(/^\/.*Z$/m.exec(other.out)?.[0] ?? '', join(backups, planted), { recursive: true });
  expect(await restore()).toEqual({
    code: 1,
    out: `The newest backup in ${backups} is ${planted}\n`,
    error: expect.stringMatching(`^${planted} was renamed or copied: its backup was made at 20.*\n$`),
  });
  // So it is if someone names it.
  const named = await run(['restore', join(backups, planted)], { DATA_DIR: join(elsewhere, 'not-made'), LINK_SECRET });
  expect([named.code, named.error]).toEqual([1, expect.stringMatching(`^${planted} was renamed or copied`)]);
  rmSync(join(backups, planted, 'manifest.json.hmac'));
  expect((await restore()).error).toMatch(/manifest\.json\.hmac, is missing.*someone removed it/);
  rmSync(join(backups, planted), { recursive: true });
  cpSync(/^\/.*Z$/m.exec(other.out)?.[0] ?? '', backups, { recursive: true });
  const mixed = `${backups} has backups, and files of one directly in it. Move those files to another folder`;
  expect(await restore()).toEqual({ code: 1, out: '', error: `${mixed}\n` });
  const checked = await run(['check', '--backups', backups], { DATA_DIR: dataDir, LINK_SECRET });
  expect([checked.code, checked.out]).toEqual([1, expect.stringContaining(mixed)]);
});

test('a restore that is refused makes no folder', async () => {
  const env = { DATA_DIR: dataDir, LINK_SECRET };
  const made = await run(['backup', join(elsewhere, 'for-restore')], env);
  const [path = ''] = /^\/.*Z$/m.exec(made.out) ?? [];
  await asOwner(server.url, "insert into people (email, first_name, last_name) values ('a@x.test', 'A', 'B')");
  const DATA_DIR = join(elsewhere, 'refused-restore');
  try {
    const refused = await run(['restore', path], { DATABASE_URL: server.url, LINK_SECRET, DATA_DIR });
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('has people in it')]);
    expect(existsSync(DATA_DIR)).toBe(false);
  } finally {
    await asOwner(server.url, "delete from people where email = 'a@x.test'");
  }
});

test('a backup into a file says what to name instead', async () => {
  expect((await run(['backup', builtMain], { DATA_DIR: dataDir, LINK_SECRET })).error).toBe(
    `FOLDER is "${builtMain}", but ${builtMain} isn’t a folder. Use the path of a folder.\n`,
  );
});

test('a backup into a folder that others can write to says so before anything starts', async () => {
  const open = join(elsewhere, 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  expect(await run(['backup', open], { DATA_DIR: join(elsewhere, 'no-company'), LINK_SECRET })).toEqual({
    code: 1,
    out: '',
    error: `FOLDER is "${open}", but other users can write to ${open}. Run chmod go-w ${open}, or use another folder.\n`,
  });
  expect(readdirSync(open)).toEqual([]);
});

test('a backup into the data folder says that it would be lost with the data', async () => {
  for (const folder of [dataDir, join(dataDir, 'backups')]) {
    const { code, error } = await run(['backup', folder], { DATA_DIR: dataDir, LINK_SECRET });
    expect([code, error]).toEqual([
      0,
      `${folder} is in DATA_DIR, so a backup there is lost with the data. Use a folder outside it.\n`,
    ]);
  }
});

test('a migration over a line without TLS says so in one line', async () => {
  const plain = createServer((socket) => socket.once('data', () => socket.write('N')));
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const { port } = plain.address() as AddressInfo;
  try {
    const DATABASE_URL = `postgres://u:p@127.0.0.1:${port}/x?sslmode=require`;
    for (const words of [['migrate'], ['migrate', '--dry-run']])
      expect((await run(words, { DATABASE_URL, DATA_DIR: elsewhere, LINK_SECRET })).error).toMatch(
        /^DATABASE_URL is .*, but the database doesn't offer TLS\. .*\n$/,
      );
  } finally {
    plain.close();
  }
});

test(
  'a first start on a full disk says that it is full',
  needs('the right to mount a tmpfs', volume !== null),
  async () => {
    const small = smallVolume(20);
    try {
      const { error } = await run(['migrate'], { DATA_DIR: small.subfolder('company'), LINK_SECRET });
      expect(error).toMatch(/^The disk of .* is full\. Free some space, or set DATA_DIR to another folder\n$/);
    } finally {
      small.remove();
    }
  },
);

test.each([
  ['serve', ['--no-new-database']],
  ['backup', [join(elsewhere, 'none')]],
  ['admin', ['list-people']],
  ['import', ['tasks', rows, '--mapping', mapping]],
  ['migrate', ['--dry-run']],
])('%s on a folder without a database says so, and creates nothing', async (command, words) => {
  const DATA_DIR = join(elsewhere, 'no-company');
  expect(await run([command, ...words], { DATA_DIR, LINK_SECRET })).toMatchObject({
    code: 1,
    error: `There is no database in ${DATA_DIR}. ${withoutDatabaseUrl()}. Check DATA_DIR, and that its disk is mounted. To start an empty company, run \`migrate\`. To bring yours back, restore a backup\n`,
  });
  expect(existsSync(DATA_DIR)).toBe(false);
});

test('after one migrate, a server that creates no database begins the company in its folder', async () => {
  const env = {
    DATA_DIR: join(elsewhere, 'migrated-first'),
    ADMIN_EMAIL: 'ada@example.test',
    ADMIN_PASSWORD: 'a long password',
  };
  expect(await run(['migrate'], env)).toMatchObject({ code: 0, error: '' });
  const child = spawn(process.execPath, [builtMain, 'serve', '--no-new-database'], {
    env: { PATH: process.env.PATH, PORT: '0', ...env },
  });
  child.stdout.on('data', (part) => String(part).includes(' is at http') && child.kill());
  await once(child, 'close');
  expect((await run(['admin', 'list-people'], env)).out).toContain(env.ADMIN_EMAIL);
});

test.each(['files', 'incoming', 'link-secret', 'audit-head.json'])(
  'a command where a server has left %s asks for its settings, not for a new database',
  async (left) => {
    const DATA_DIR = join(elsewhere, `lost-database-${left}`);
    mkdirSync(join(DATA_DIR, left), { recursive: true });
    expect((await run(['admin', 'list-people'], { DATA_DIR })).error).toBe(
      `There is no database in ${DATA_DIR}, but a server has run here. ${withoutDatabaseUrl()}. Bring back its settings or mount its disk. If its data is lost, restore a backup, or to start an empty company, run \`migrate\`\n`,
    );
  },
);

test.each([
  ['serve', 'files'],
  ['serve', 'incoming'],
  ['migrate', 'files'],
  ['migrate', 'incoming'],
  ['check', 'files'],
  ['check', 'incoming'],
])('%s creates no database where a server of another one has left %s', async (command, left) => {
  const DATA_DIR = join(elsewhere, `lost-settings-${command}-${left}`);
  mkdirSync(join(DATA_DIR, left), { recursive: true });
  // As a server on DATABASE_URL leaves the folder. With its files in a bucket, there is no mark.
  if (left === 'files') writeFileSync(join(DATA_DIR, left, 'installation-id'), 'of the other database');
  const { code, out, error } = await run([command], { DATA_DIR, PORT: '0', LOG_LEVEL: 'error' });
  expect([code, out + error]).toEqual([
    1,
    expect.stringContaining(
      `There is no database in ${DATA_DIR}, but a server of another database has used this folder. ${withoutDatabaseUrl()}. Bring back the settings of that server. `,
    ),
  ]);
  expect(existsSync(join(DATA_DIR, 'database'))).toBe(false);
});

test('a missing .env is named with a missing DATABASE_URL', () => {
  const file = join(programFolder, '.env');
  const named = existsSync(file) ? '' : `, and there is no ${file}`;
  expect(withoutDatabaseUrl()).toBe(`DATABASE_URL isn't set${named}`);
});

test(
  'beside a server whose disk is full, what only reads works, and check says it plainly',
  needs('the right to mount a tmpfs', volume !== null),
  async () => {
    // PostgreSQL writes a cache file for the first connection after the tables changed.
    await asOwner(server.url, 'select 1');
    volume?.fill();
    try {
      const env = { DATA_DIR: dataDir, LINK_SECRET };
      expect(await run(['backup', join(elsewhere, 'made')], env)).toMatchObject({ code: 0, error: '' });
      expect(readdirSync(join(elsewhere, 'made'))).toHaveLength(1);
      expect(await run(['admin', 'list-people'], env)).toMatchObject({ code: 0, error: '' });
      const { code, out } = await run(['check'], env);
      expect(code).toBe(1);
      expect(out).toMatch(/^failed {3}storage .*but its disk is full\. Free some space/m);
      expect(out).not.toContain('ENOSPC');
    } finally {
      volume?.empty();
    }
  },
);
