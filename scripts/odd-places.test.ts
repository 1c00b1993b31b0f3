// Both commands of the README work wherever people clone to. Here a copy with linked packages tries a few
// places; scripts/odd-places.ts tries all of them with a real installation.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closedFolder } from '../src/server/platform/db/database-user.ts';
import { copyCheckout } from '../test/checkout-copy.ts';
import { needs } from '../test/needs.ts';
import { signInOver } from '../test/server-process.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const isRoot = process.getuid?.() === 0;
const account = { email: 'first@example.test', password: 'a password for the first admin' };

type Place = { readonly folder: string; readonly checkout: string; readonly user?: number };
const base = process.platform === 'win32' ? root : '/tmp';

/** A copy of the checkout as a clone would be; `open` tells whether others may enter the folder above. */
function copyTo(path: string, { open, user }: { open: boolean; user?: number }): Place {
  const folder = mkdtempSync(join(base, 'odd-'));
  const checkout = join(folder, path);
  copyCheckout(checkout);
  if (open) chmodSync(folder, 0o755);
  if (user !== undefined) for (const path of [checkout, join(checkout, 'node_modules')]) chownSync(path, user, user);
  return { folder, checkout, ...(user === undefined ? {} : { user }) };
}

function run({ checkout, user }: Place, parameters: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['scripts/run.mjs', ...parameters], {
    cwd: checkout,
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    ...(user === undefined ? {} : { uid: user, gid: user }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part));
  return { child, output: () => text, ended: once(child, 'close').then(([code]) => code as number | null) };
}

/** The address, once the server listens. */
async function listening(server: ReturnType<typeof run>): Promise<string> {
  const address = new Promise<string>((resolve) => {
    const look = () => {
      const found = / is at (http:\S+)/.exec(server.output())?.[1];
      if (found) resolve(found);
    };
    for (const stream of [server.child.stdout, server.child.stderr]) stream?.on('data', look);
  });
  return Promise.race([
    address,
    server.ended.then(() => {
      throw new Error(server.output());
    }),
  ]);
}

const started: ChildProcess[] = [];
async function startsAndSignsIn(place: Place, env: Record<string, string>): Promise<string> {
  const server = run(place, ['src/server/main.ts'], {
    ...env,
    ADMIN_EMAIL: account.email,
    ADMIN_PASSWORD: account.password,
  });
  started.push(server.child);
  expect(await signInOver(await listening(server), account)).toBeTruthy();
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  return server.output();
}

/** Types of tests that depend on a place: rules, documents, a database, a server process. */
const part = [
  '--project',
  'core',
  '--project',
  'house',
  '--project',
  'server',
  'src/core/tasks/task.test.ts',
  'test/house/documents.test.ts',
  'src/server/platform/db/migrate.test.ts',
];
async function passesItsTests(place: Place, env: Record<string, string>): Promise<void> {
  const tests = run(place, ['node_modules/vitest/vitest.mjs', 'run', ...part], env);
  started.push(tests.child);
  expect(await tests.ended, tests.output()).toBe(0);
}

afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

const oddFolders = { TMPDIR: '/nonexistent/tmp', HOME: '/nonexistent' };
const longPath = `a folder with spaces, ünïcödé 名 and ${'a long name '.repeat(6)}/staff dashboard`;

describe('in a closed folder with a long path of spaces and other letters, without HOME and TMPDIR', () => {
  let place: Place;
  beforeAll(() => {
    place = copyTo(longPath, { open: false });
  });
  afterAll(() => {
    const data = join(place.checkout, 'data');
    rmSync(realpathSync(data), { recursive: true, force: true });
    rmSync(place.folder, { recursive: true, force: true });
  });
  test('the server starts, signs its admin in and stops', async () => {
    const output = await startsAndSignsIn(place, oddFolders);
    expect(output).toContain('TMPDIR is "/nonexistent/tmp", which is not a folder we can write to');
    const data = join(place.checkout, 'data');
    if (isRoot) expect(readlinkSync(data)).toMatch(/^\/var\/lib\/staff-dashboard\//);
    expect(output).toContain(`Data is in ${realpathSync(data)}.`);
  });
  test('a part of the tests passes', () => passesItsTests(place, oddFolders));
});

const nobody = 65_534;
const packagesAreOpen =
  isRoot && closedFolder(realpathSync(join(root, 'node_modules')), { uid: nobody, gid: nobody }) === undefined;
describe('as an ordinary user', needs('root, and node_modules that everyone may enter', packagesAreOpen), () => {
  let place: Place;
  beforeAll(() => {
    place = copyTo('staff-dashboard', { open: true, user: nobody });
  });
  afterAll(() => rmSync(place.folder, { recursive: true, force: true }));
  test('the server starts, signs its admin in and stops', async () => {
    expect(await startsAndSignsIn(place, {})).toContain(`Data is in ${place.checkout}/data.`);
  });
  test('a part of the tests passes', () => passesItsTests(place, {}));
});
