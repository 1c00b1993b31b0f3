import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Embedded, startEmbedded } from './embedded.ts';
import { FolderHeld } from './folder-lock.ts';
import { joinOrStartDatabase } from './join-database.ts';

const log = { info() {}, warn() {}, error() {} };
let dataDir: string;

// One folder for all: making it is the slow part, and every test stops what it started.
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'embedded-test-'));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function start(): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, log, what: 'the first server' });
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

/** Another program that starts the database and is killed, so that its PostgreSQL stays behind. */
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
  await new Promise((resolve) => other.stdout.once('data', resolve));
  const pid = postmasterPid();
  const ended = new Promise((resolve) => other.once('exit', resolve));
  other.kill('SIGKILL');
  await ended;
  return pid;
}

test('a second server on the same folder is refused in one line that names the holder', async () => {
  await start();
  const refusal = await startEmbedded({ dataDir, log }).catch((error) => error);
  expect(refusal).toBeInstanceOf(FolderHeld);
  expect(refusal.message).toContain(`in use by the first server (process ${process.pid}`);
  expect(refusal.message).not.toContain('\n');
});

test('the first start makes a durable UTF-8 database that only its password opens, and keeps it', async () => {
  const first = await startEmbedded({ dataDir, log });
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
    listens: '127.0.0.1',
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

test('a killed database is back at the same address, with what was acknowledged', async () => {
  const embedded = await start();
  const states: string[] = [];
  const isBack = new Promise<void>((resolve) => {
    embedded.onState((state) => {
      states.push(state);
      if (state === 'ready') resolve();
    });
  });
  await run(embedded.url, 'create table kept_through_a_kill as select 1 as one');
  process.kill(postmasterPid(), 'SIGKILL');
  await isBack;
  expect(states).toEqual(['down', 'ready']);
  expect(await run(embedded.url, 'select one from kept_through_a_kill')).toEqual([{ one: 1 }]);
});

test('the database of a killed server is replaced, never a reason to fail', async () => {
  const leftover = await startAndKillAnother();
  expect(() => process.kill(leftover, 0)).not.toThrow();
  const embedded = await start();
  expect(postmasterPid()).not.toBe(leftover);
  expect(await run(embedded.url, 'select 1 as one')).toEqual([{ one: 1 }]);
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
  const joined = await joinOrStartDatabase({ dataDir, log, what: 'the import' });
  expect(joined.url).toBe(embedded.url);
  await joined.stop();
  expect(await run(embedded.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(statSync(join(dataDir, 'database.json')).mode & 0o077).toBe(0);
});

test('a command without a running server starts the database and stops it again', async () => {
  const joined = await joinOrStartDatabase({ dataDir, log, what: 'the import' });
  expect(await run(joined.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await joined.stop();
  await expect(run(joined.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
});
