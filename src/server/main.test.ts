import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#server/platform/db/postmaster.ts';
import { builtMain } from '../../test/built-server.ts';
import { type FreshDatabase, freshDatabase } from '../../test/database.ts';
import { needs } from '../../test/needs.ts';

const password = 'a password for the first admin';

let database: FreshDatabase;
const dataDir = mkdtempSync(join(tmpdir(), 'main-'));
const started: ChildProcess[] = [];

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

type Process = { child: ChildProcess; output: () => string; exit: Promise<number | null> };

function start(env: Record<string, string>, output: 'pipe' | number = 'pipe'): Process {
  const child = spawn(process.execPath, [builtMain], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      LINK_SECRET: '0123456789abcdef0123456789abcdef',
      ADMIN_EMAIL: 'first@example.test',
      ADMIN_PASSWORD: password,
      ...env,
    },
    stdio: ['ignore', output, output],
  });
  started.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  return { child, output: () => text, exit: once(child, 'exit').then(([code]) => code as number | null) };
}

async function portOf(server: Process): Promise<number> {
  for (;;) {
    const found = /is at http:\/\/127\.0\.0\.1:(\d+)/.exec(server.output());
    if (found) return Number(found[1]);
    const ended = await Promise.race([
      server.exit.then(() => true),
      new Promise((resolve) => setTimeout(resolve, 20, false)),
    ]);
    if (ended) throw new Error(server.output());
  }
}

async function stopping(server: Process): Promise<void> {
  while (!server.output().includes('stopping:')) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('a wrong environment stops the start with a line for each fault', async () => {
  const server = start({ PORT: 'none', COMPANY_TIME_ZONE: 'Mars/Olympus' });
  expect(await server.exit).toBe(1);
  expect(server.output()).toMatch(/^PORT is "none".*\nCOMPANY_TIME_ZONE is "Mars\/Olympus".*\n$/);
});

test('the server starts, lets its first admin in, and finishes what is under way when it is told to stop', async () => {
  const server = start({ PORT: '0' });
  const port = await portOf(server);
  const login = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'first@example.test', password }),
  });
  expect(login.status).toBe(200);

  const second = start({ PORT: String(port) });
  expect(await second.exit).toBe(1);
  expect(
    second
      .output()
      .split('\n')
      .filter((line) => !line.startsWith('{')),
  ).toEqual([expect.stringMatching(`^PORT is "${port}", but another program listens there`), '']);

  // A request whose body is incomplete, and an idle connection.
  const idle = connect(port, '127.0.0.1');
  const slow = request({
    port,
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'content-type': 'application/json', expect: '100-continue' },
  });
  slow.flushHeaders();
  await once(slow, 'continue');
  slow.write('{"email":"first@example.test",');
  server.child.kill('SIGTERM');
  await stopping(server);
  slow.end(`"password":${JSON.stringify(password)}}`);
  const [response] = await once(slow, 'response');
  expect(response.statusCode).toBe(200);
  response.resume();
  expect(await server.exit).toBe(0);
  expect(server.output()).not.toContain(password);
  idle.destroy();
});

test('a server that drains says that it is not ready, answers all the same, and lets each caller go', async () => {
  const server = start({ PORT: '0', DRAIN_SECONDS: '2' });
  const port = await portOf(server);
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  expect((await ask('/readyz')).status).toBe(200);
  server.child.kill('SIGTERM');
  await stopping(server);
  const [ready, alive] = [await ask('/readyz'), await ask('/config.json')];
  expect([ready.status, await ready.json()]).toEqual([503, { ready: false, reasons: { server: 'is stopping' } }]);
  expect([alive.status, alive.headers.get('connection')]).toEqual([200, 'close']);
  expect(await server.exit).toBe(0);
});

test('a log whose volume is full does not end the server', needs('/dev/full', existsSync('/dev/full')), async () => {
  const port = await freePort();
  const server = start({ PORT: String(port) }, openSync('/dev/full', 'w'));
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/config.json`).then(
      ({ status }) => status,
      () => 'nobody listens',
    );
  while ((await ask()) !== 200) {
    expect(server.child.exitCode).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await ask()).toBe(200);
  expect(server.child.exitCode).toBeNull();
  server.child.kill('SIGTERM');
  expect(await server.exit).toBe(0);
});
