import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { smallVolume } from '../../../../faults/tmpfs.ts';
import { needs } from '../../../../test/needs.ts';
import { StartRefused } from '../start-refused.ts';
import { assertOwnLink, openDataFolder } from './data-folder.ts';
import { openDatabase } from './database.ts';
import { isUnavailable } from './database-failures.ts';
import { type Embedded, startEmbedded } from './embedded.ts';
import { FolderHeld } from './folder-lock.ts';
import { joinOrStartDatabase } from './join-database.ts';
import { initialise } from './postmaster.ts';
import { isPostmasterOf, stopPostmaster } from './running-process.ts';

const log = { info() {}, warn() {}, error() {} };
let dataDir: string;

// One folder for all tests, because creating it is slow. Every test stops what it started.
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'embedded-test-'));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function start(folder = dataDir): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir: folder, log, what: 'the first server' });
  onTestFinished(() => embedded.stop());
  return embedded;
}

async function run(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function postmasterPid(): number {
  return Number(readFileSync(join(dataDir, 'database', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Starts the database from another program and kills it, which leaves its PostgreSQL running. */
async function startAndKillAnother(): Promise<number> {
  const module = new URL('./embedded.ts', import.meta.url).href;
  const script = `
    import { startEmbedded } from ${JSON.stringify(module)};
    const log = { info() {}, warn() {}, error() {} };
    await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log, what: 'the killed server' });
    console.log('ready');
    setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([once(other.stdout, 'data'), once(other, 'exit')]);
  const pid = postmasterPid();
  const ended = new Promise((resolve) => other.once('exit', resolve));
  other.kill('SIGKILL');
  await ended;
  return pid;
}

test.each([
  ['sbin', 0o600, /^PostgreSQL can’t be run from .*\/sbin: is that disk mounted with noexec\?$/],
  ['a$d', 0o700, /^PostgreSQL can’t be run from .*\/a\$d\. Use a path without ", \$ and `$/],
])('programs that can’t be run from %s are named, with the reason', async (name, mode, message) => {
  const initdb = join(dataDir, name, 'initdb');
  mkdirSync(dirname(initdb));
  writeFileSync(initdb, '#!/bin/sh\necho "sh: 1: postgres: not found" >&2; exit 1', { mode });
  const created = initialise(
    { binaries: { initdb, postgres: '' }, data: join(dataDir, name, 'database'), user: undefined },
    '',
  );
  await expect(created).rejects.toThrow(message);
  await expect(created).rejects.toThrow(StartRefused);
});

test('a second server on the same folder is refused in one line that names the holder', async () => {
  await start();
  const refusal = await startEmbedded({ dataDir, log }).catch((error) => error);
  expect(refusal).toBeInstanceOf(FolderHeld);
  expect(refusal.message).toContain(`in use by the first server (process ${process.pid}`);
  expect(refusal.message).not.toContain('\n');
});

test('the first start makes a durable UTF-8 database that only its password opens, and keeps it', async () => {
  const first = await start();
  const [settings] = await run(
    first.url,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
      current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding,
      current_setting('listen_addresses') as listens, datlocprovider, datlocale
      from pg_database where datname = current_database()`,
  );
  expect(settings).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    checksums: 'on',
    encoding: 'UTF8',
    listens: '',
    datlocprovider: 'b',
    datlocale: 'C.UTF-8',
  });
  await run(first.url, 'create table kept as select 1 as one');
  await first.stop();
  expect(statSync(join(dataDir, 'database-password')).mode & 0o077).toBe(0);

  const second = await start();
  expect(await run(second.url, 'select one from kept')).toEqual([{ one: 1 }]);
  const stranger = second.url.replace(/:[^:@]+@/, ':guess@');
  await expect(run(stranger, 'select 1')).rejects.toThrow(/password/);
});

test.each([
  ['with its socket’s folder', () => {}],
  ['after that folder was removed', (folder: string) => rmSync(folder, { recursive: true })],
])('a killed database is back at the same address, with what was acknowledged: %s', async (_where, remove) => {
  const embedded = await start();
  const states: string[] = [];
  const isBack = new Promise<void>((resolve) => {
    embedded.onState((state) => {
      states.push(state);
      if (state === 'ready') resolve();
    });
  });
  await run(
    embedded.url,
    'drop table if exists kept_through_a_kill; create table kept_through_a_kill as select 1 as one',
  );
  if (process.platform !== 'win32') remove(socketFolder(embedded));
  process.kill(postmasterPid(), 'SIGKILL');
  await isBack;
  expect(states).toEqual(['down', 'ready']);
  expect(await run(embedded.url, 'select one from kept_through_a_kill')).toEqual([{ one: 1 }]);
});

test('a database that does not start says why and where its log is, to its server and to every command', async () => {
  const warned: string[] = [];
  const watched = { ...log, warn: (...parts: unknown[]) => void warned.push(String(parts.at(-1))) };
  const embedded = await startEmbedded({ dataDir, log: watched });
  onTestFinished(() => embedded.stop());
  // Without restore_command, this ends the start in PostgreSQL's own log, as a full disk does.
  const fault = join(dataDir, 'database', 'recovery.signal');
  onTestFinished(() => rmSync(fault, { force: true }));
  const states: string[] = [];
  embedded.onState((state) => states.push(state));
  writeFileSync(fault, '');
  process.kill(postmasterPid(), 'SIGKILL');
  await expect.poll(() => states).toEqual(['down']);
  const says = `PostgreSQL isn’t running: must specify "restore_command" when standby mode is not enabled. PostgreSQL’s log is in ${join(dataDir, 'database', 'log')}`;
  await expect.poll(() => warned[0]).toBe(`the embedded database does not start yet: ${says}`);
  const joining = joinOrStartDatabase({ dataDir, log, what: 'the import', creates: false });
  await expect(joining).rejects.toEqual(new StartRefused(says));
  rmSync(fault);
  await expect.poll(() => states, { timeout: 20_000 }).toEqual(['down', 'ready']);
  await embedded.stop();
  writeFileSync(fault, '');
  await expect(startEmbedded({ dataDir, log })).rejects.toEqual(new StartRefused(says));
});

test(
  'a full disk is named, also where only the log of the database says so',
  needs('root on Linux', process.getuid?.() === 0 && process.platform === 'linux'),
  async () => {
    const volume = smallVolume(64);
    onTestFinished(() => volume.remove());
    const folder = volume.subfolder('data');
    const started = await startEmbedded({ dataDir: folder, log });
    volume.fill();
    const untilFull = async (): Promise<never> => {
      await run(started.superuserUrl, "select pg_logical_emit_message(true, '', ''), pg_switch_wal()");
      return untilFull();
    };
    await expect(untilFull()).rejects.toThrow();
    await started.stop();
    await expect(startEmbedded({ dataDir: folder, log })).rejects.toThrow(
      /^The disk of \S+\/data is full \(.*No space left on device\)\. Free some space there\. PostgreSQL’s log is in \S+\/database\/log$/,
    );
  },
);

test('the database of a killed server is replaced, never a reason to fail', async () => {
  const leftover = await startAndKillAnother();
  expect(() => process.kill(leftover, 0)).not.toThrow();
  const warned: unknown[] = [];
  const embedded = await startEmbedded({
    dataDir,
    log: { ...log, warn: (...parts: unknown[]) => warned.push(parts.at(-1)) },
  });
  onTestFinished(() => embedded.stop());
  expect(postmasterPid()).not.toBe(leftover);
  expect(warned).toEqual([
    `Restarting the database: a killed server or command left it running as process ${leftover}`,
  ]);
  expect(await run(embedded.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a program that ends while its database starts takes it along', async () => {
  const module = new URL('./embedded.ts', import.meta.url).href;
  const script = `
    import { existsSync, readFileSync } from 'node:fs';
    import { startEmbedded } from ${JSON.stringify(module)};
    const log = { info() {}, warn() {}, error() {} };
    void startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log, what: 'the ended server' });
    const file = ${JSON.stringify(join(dataDir, 'database', 'postmaster.pid'))};
    const endOnceThere = () => {
      const pid = existsSync(file) ? readFileSync(file, 'utf8').split('\\n')[0] : '';
      if (pid === '') return void setImmediate(endOnceThere);
      console.log(pid);
      process.exit();
    };
    endOnceThere();`;
  await (await start()).stop();
  const pid = Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
  onTestFinished(() => stopPostmaster(pid));
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isPostmasterOf(pid, join(dataDir, 'database'))).toBe(false);
});

test('a lock whose process number belongs to another process now does not count', async () => {
  const left = { pid: process.pid, start: 'another boot', host: hostname(), what: 'a server', since: 'long ago' };
  writeFileSync(join(dataDir, 'server.lock'), JSON.stringify(left));
  await start();
});

test('a lock of another machine counts until it is silent', async () => {
  const left = { pid: 1, start: '', host: 'another-machine', what: 'a server', since: 'just now' };
  writeFileSync(join(dataDir, 'server.lock'), JSON.stringify(left));
  await expect(startEmbedded({ dataDir, log })).rejects.toThrow('on another-machine');
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(join(dataDir, 'server.lock'), longAgo, longAgo);
  await start();
});

test('a postmaster.pid whose number belongs to another process now does not stop the start', async () => {
  await (await startEmbedded({ dataDir, log })).stop();
  writeFileSync(
    join(dataDir, 'database', 'postmaster.pid'),
    `${process.ppid}\n${dataDir}/database\n1\n5432\n\n127.0.0.1\n\nready\n`,
  );
  await start();
});

test('a command joins the database of a running server and leaves it running', async () => {
  const embedded = await start();
  const joined = await joinOrStartDatabase({ dataDir, log, what: 'the import', creates: true });
  expect(joined.url).toBe(embedded.url);
  await joined.stop();
  expect(await run(embedded.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(statSync(join(dataDir, 'database.json')).mode & 0o077).toBe(0);
});

test('a command waits for another one, whose database ends with it', async () => {
  const first = await joinOrStartDatabase({ dataDir, log, what: 'a backup', creates: true });
  const told: unknown[] = [];
  const waiting = joinOrStartDatabase({
    dataDir,
    log: { ...log, warn: (line: unknown) => told.push(line) },
    what: 'the import',
    creates: true,
  });
  await expect.poll(() => told).toEqual([`Waiting for a backup (process ${process.pid}) to finish ...`]);
  await first.stop();
  const second = await waiting;
  expect(await run(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await second.stop();
});

const noWindows = needs('a system other than Windows', process.platform !== 'win32');

test('a copy of the folder of a running server leads no command and no server to the original', noWindows, async () => {
  await start();
  const copied = `${dataDir}-copied`;
  onTestFinished(() => rmSync(copied, { recursive: true, force: true }));
  execFileSync('cp', ['-a', dataDir, copied]);
  const refusal = `DATA_DIR ${copied} was copied while the first server (process ${process.pid}) used the original`;
  const options = { dataDir: copied, log, what: 'the import' };
  await expect(joinOrStartDatabase({ ...options, creates: false })).rejects.toThrow(refusal);
  await expect(startEmbedded(options)).rejects.toThrow(refusal);
});

test('a command without a running server starts the database and stops it again', async () => {
  const joined = await joinOrStartDatabase({ dataDir, log, what: 'the import', creates: true });
  expect(await run(joined.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await joined.stop();
  await expect(run(joined.url, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/);
});

const asRoot = process.getuid?.() === 0;
const forRoot = needs('root', asRoot);
const postmasterOwner = () => statSync(`/proc/${postmasterPid()}`).uid;
const userId = (name: string) => Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }));
const socketFolder = ({ url }: Embedded) => new URL(url).searchParams.get('host') as string;

test.each([
  ['create a role', 'create role somebody'],
  ['create a database', 'create database another'],
  ['read password hashes', 'select rolpassword from pg_authid'],
  ['read a file of the machine', "select pg_read_file('/etc/passwd')"],
  ['read a file by copying', "copy people from '/etc/passwd'"],
  ['run a program', "copy (select 1) to program 'id'"],
  ['become the superuser', 'set role dashboard'],
  ['become the superuser for the session', 'set session authorization dashboard'],
  ['change a setting of the database', "alter system set log_statement = 'all'"],
])('the address that the product works with may not %s', async (_what, sql) => {
  const { url } = await start();
  await run(url, 'create table if not exists people (name text)');
  await expect(run(url, sql)).rejects.toMatchObject({ code: '42501' });
});

test('a database of an earlier version, which belongs to the superuser, is moved to the role that owns the schema', async () => {
  const embedded = await start();
  await run(embedded.superuserUrl, 'drop table if exists people');
  await run(
    embedded.superuserUrl,
    `create schema if not exists drizzle; create type mood as enum ('good'); create table people (id int generated always as identity, mood mood);
     create view moods as select mood from people; create function one() returns int language sql return 1; create sequence tickets`,
  );
  await embedded.stop();
  const again = await start();
  const owners = await run(
    again.url,
    `select 'schema' as kind, pg_get_userbyid(nspowner) as owner from pg_namespace where nspname in ('public', 'drizzle')
     union select relkind::text, pg_get_userbyid(relowner) from pg_class where relnamespace = 'public'::regnamespace
     union select 'type', pg_get_userbyid(typowner) from pg_type where typname = 'mood'
     union select 'function', pg_get_userbyid(proowner) from pg_proc where proname = 'one'`,
  );
  expect([...new Set(owners.map(({ owner }) => owner))]).toEqual(['staff_dashboard_owner']);
  expect(owners.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['schema', 'r', 'v', 'S', 'type', 'function']));
  await run(again.url, 'alter table people add column name text; drop function one(); drop type mood cascade');
});

/** Deletes the database's part of the system's shared memory. Returns a connection from before. */
async function loseSharedMemory(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  // Statistics of more tables than fit into the memory that PostgreSQL has from its start.
  await client.query(
    "do $$ begin for i in 1..1500 loop execute format('create temp table t%s (a int)', i); end loop; end $$",
  );
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const named = readFileSync(`/proc/${rows[0].pid}/maps`, 'utf8').match(/\/dev\/shm\/PostgreSQL\.\d+$/gm) ?? [];
  for (const file of named) rmSync(file, { force: true });
  return client;
}

const onLinux = needs('Linux', process.platform === 'linux');

test(
  'it keeps working where systemd deletes the shared memory of its user, as after their last session',
  onLinux,
  async () => {
    const { url } = await start();
    const client = await loseSharedMemory(url);
    expect(await run(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await client.query('set debug_parallel_query to on');
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  },
);

test('a database of yours that lost its shared memory is soon seen as unavailable', onLinux, async () => {
  const settings = { dynamic_shared_memory_type: 'posix', min_dynamic_shared_memory: '0' };
  const embedded = await startEmbedded({ dataDir, log, settings });
  onTestFinished(() => embedded.stop());
  const database = openDatabase({ url: embedded.url, log });
  onTestFinished(() => database.close());
  const ask = () =>
    database.pool.query('select 1').then(
      () => 'answered',
      (error) => (isUnavailable(error) ? 'unavailable' : String(error)),
    );
  expect(await ask()).toBe('answered');
  await loseSharedMemory(embedded.url);
  // The second needs a new connection.
  expect(await Promise.all([ask(), ask()])).toEqual(['answered', 'unavailable']);
  await ask();
  expect(await ask()).toBe('unavailable');
});

test('it listens on a socket in a folder that is closed to others, and on no port', noWindows, async () => {
  const embedded = await start();
  const folder = socketFolder(embedded);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, 'database')).mode & 0o777).toBe(0o700);
  expect(await run(embedded.superuserUrl, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
  const [pid] = readFileSync(join(folder, '.s.PGSQL.5432.lock'), 'utf8').split('\n');
  expect(Number(pid)).toBe(postmasterPid());
});

test(
  'a data folder whose path is too long for a socket gets a short folder for it, which goes with it',
  noWindows,
  async () => {
    const long = join(dataDir, 'a folder with spaces, ünïcödé and a very long name '.repeat(2), 'data');
    const embedded = await start(long);
    const folder = socketFolder(embedded);
    expect(folder.startsWith(dataDir)).toBe(false);
    expect([statSync(folder).mode & 0o777, await run(embedded.url, 'select 1 as one')]).toEqual([0o700, [{ one: 1 }]]);
    await embedded.stop();
    expect(existsSync(folder)).toBe(false);
  },
);

test('started by root it runs as a user of its own, whose files no other service can read', forRoot, async () => {
  await start();
  expect(postmasterOwner()).toBe(userId('staff-dashboard'));
  expect(postmasterOwner()).not.toBe(userId('nobody'));
  const asNobody = (path: string) => () =>
    execFileSync('setpriv', ['--reuid=nobody', '--clear-groups', 'cat', path], { stdio: 'pipe' });
  for (const path of [
    'database/pg_hba.conf',
    'database/PG_VERSION',
    'database-password',
    'application-password',
    'database.json',
  ])
    expect(asNobody(join(dataDir, path)), path).toThrow();
  expect(statSync(dataDir).mode & 0o007).toBe(0);
});

test('files that an earlier version left to nobody are taken over with the next start', forRoot, async () => {
  await (await start()).stop();
  const nobody = userId('nobody');
  const paths = [
    join(dataDir, 'database'),
    ...readdirSync(join(dataDir, 'database'), { recursive: true }).map((path) =>
      join(dataDir, 'database', String(path)),
    ),
  ];
  for (const path of paths) chownSync(path, nobody, nobody);
  const embedded = await start();
  expect(await run(embedded.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(postmasterOwner()).toBe(userId('staff-dashboard'));
  for (const path of paths.filter((path) => existsSync(path)))
    expect(statSync(path).uid, path).toBe(userId('staff-dashboard'));
});

test(
  'below a folder that only root can enter, the data folder is a link that moves with the checkout',
  forRoot,
  async () => {
    const closed = mkdtempSync(join(tmpdir(), 'closed-'));
    onTestFinished(() => rmSync(closed, { recursive: true, force: true }));
    const base = join(dataDir, 'system');
    const open = (checkout: string) => openDataFolder(join(closed, checkout, 'data'), base);
    mkdirSync(join(closed, 'one'));
    const first = open('one');
    expect(dirname(first.path)).toBe(base);
    expect(first.notes).toEqual([expect.stringContaining(`${closed}/one/data is a link to ${first.path}`)]);
    expect(open('one')).toEqual({ path: first.path, notes: [] });
    // The folder that the message for a rejected DATA_DIR suggests.
    expect(openDataFolder(join(base, 'restored'), base)).toEqual({ path: join(base, 'restored'), notes: [] });
    execFileSync('cp', ['-a', join(closed, 'one'), join(closed, 'copy')]);
    expect(() => open('copy')).toThrow(
      `links to the data of another checkout (${closed}/one/data). Remove the link to start with an empty database: rm ${closed}/copy/data. To take over the data, stop the other server and remove its link instead: rm ${closed}/one/data`,
    );
    expect(() => assertOwnLink(join(closed, 'copy', 'data'))).toThrow('links to the data of another checkout');
    expect(() => assertOwnLink(join(closed, 'one', 'data'))).not.toThrow();
    execFileSync('cp', ['-a', join(closed, 'one'), join(closed, "the boss's")]);
    expect(() => open("the boss's")).toThrow(`empty database: rm '${closed}/the boss'\\''s/data'.`);
    execFileSync('mv', [join(closed, 'one'), join(closed, 'moved')]);
    expect(open('moved')).toEqual({ path: first.path, notes: [expect.stringContaining('now uses the data in')] });
    rmSync(first.path, { recursive: true });
    expect(() => open('moved')).toThrow('which is missing. Bring it back, or remove the link');
  },
);

test(
  'the data that an earlier version kept below /var/lib is found again, and data without a checkout is named',
  forRoot,
  async () => {
    const closed = mkdtempSync(join(tmpdir(), 'closed-'));
    onTestFinished(() => rmSync(closed, { recursive: true, force: true }));
    const base = join(dataDir, 'former');
    const hash = createHash('sha256').update(join(closed, 'one')).digest('hex').slice(0, 8);
    const former = join(base, `one-${hash}`);
    mkdirSync(join(former, 'database'), { recursive: true });
    expect(openDataFolder(join(closed, 'two', 'data'), base).notes).toEqual([
      expect.stringContaining('is a link to'),
      `No checkout uses the data in ${former}. To use it here: ln -sfn ${former} ${closed}/two/data`,
    ]);
    const found = openDataFolder(join(closed, 'one', 'data'), base);
    expect([found.path, found.notes[1]]).toEqual([former, `Found the data of this checkout in ${former}.`]);
  },
);
