// An installation that fails or is interrupted leaves the packages before it, so the version before can start.
// With the real npm, and a registry of one package.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openFolder } from '../test/database-folder.ts';
import { needs } from '../test/needs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const unreachable = 'http://127.0.0.1:9';
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

/** Version 2 of the package, as the registry has it. */
let tarball: Buffer;
let silent: boolean;
let asked: () => void;
const registry = createServer(({ url }, response) => {
  asked?.();
  if (silent) return;
  if (url?.endsWith('.tgz')) {
    response.end(tarball);
    return;
  }
  const version = {
    name: 'tool',
    version: '2.0.0',
    dist: { tarball: `${address()}/tool.tgz`, integrity: integrity() },
  };
  response.end(JSON.stringify({ name: 'tool', 'dist-tags': {}, versions: { '2.0.0': version } }));
});
const address = () => `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
const integrity = () => `sha512-${createHash('sha512').update(tarball).digest('base64')}`;

const started: ChildProcess[] = [];
let folder: string;
let checkout: string;

const addFile = (file: string, content: unknown) => {
  mkdirSync(dirname(join(checkout, file)), { recursive: true });
  writeFileSync(join(checkout, file), typeof content === 'string' ? content : JSON.stringify(content));
};
const lockOf = (version: string, entry = {}) => ({
  ...{ name: 'checkout', version: '1.0.0', lockfileVersion: 3, requires: true },
  packages: {
    '': { name: 'checkout', version: '1.0.0', dependencies: { tool: version } },
    'node_modules/tool': { version, ...entry },
  },
});
/** What `git pull` and `git checkout` do. */
const checkOut = (version: string) => {
  addFile('package.json', { name: 'checkout', version: '1.0.0', dependencies: { tool: version } });
  addFile('package-lock.json', lockOf(version, version === '2.0.0' ? { integrity: integrity() } : {}));
};
const installed = () => JSON.parse(readFileSync(join(checkout, 'node_modules/tool/package.json'), 'utf8')).version;
const drafts = () => readdirSync(join(checkout, '.cache')).filter((name) => name !== 'home');

const ours = [process.execPath, 'scripts/run.mjs', 'scripts/ran.mjs'];
function run(from: string, [program = '', ...words]: readonly string[] = ours, user = {}) {
  const child = spawn(program, words, {
    cwd: checkout,
    env: {
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: folder,
      npm_config_registry: from,
      npm_config_fetch_retries: '0',
      npm_config_cache: join(folder, 'npm'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  started.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  return { child, ended: once(child, 'close').then(([status, signal]) => ({ status, signal, said })) };
}

beforeAll(async () => {
  folder = openFolder('install');
  checkout = join(folder, 'package');
  addFile('package.json', { name: 'tool', version: '2.0.0' });
  spawnSync('tar', ['-czf', 'tool.tgz', 'package'], { cwd: folder });
  tarball = readFileSync(join(folder, 'tool.tgz'));
  rmSync(folder, { recursive: true });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
});
afterAll(() => {
  registry.closeAllConnections();
  registry.close();
});
beforeEach(() => {
  silent = false;
  folder = openFolder('install');
  checkout = join(folder, 'checkout');
  cpSync(join(root, 'scripts'), join(checkout, 'scripts'), { recursive: true });
  // Without it npm asks for more than the package.
  cpSync(join(root, '.npmrc'), join(checkout, '.npmrc'));
  addFile('scripts/ran.mjs', "console.log('ran')");
  addFile('node_modules/tool/package.json', { name: 'tool', version: '1.0.0' });
  addFile('node_modules/.package-lock.json', lockOf('1.0.0'));
  checkOut('2.0.0');
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  registry.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

/** Resolves once npm waits for a registry that says nothing. */
async function runUntilAsked() {
  silent = true;
  const waits = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const running = run(address());
  await waits;
  return running;
}

it('replaces the packages once all of them are there', async () => {
  expect(await run(address()).ended).toMatchObject({ status: 0, said: expect.stringMatching(/ran\n$/) });
  expect([installed(), drafts()]).toEqual(['2.0.0', []]);
});

it('keeps the packages where npm fails, and runs on them once the sources are of their version', async () => {
  expect(await run(unreachable).ended).toMatchObject({
    status: 1,
    said: expect.stringMatching(/ECONNREFUSED[\s\S]*\nnpm ci failed\. See the lines above\.\n$/),
  });
  expect([installed(), drafts()]).toEqual(['1.0.0', []]);
  checkOut('1.0.0');
  expect(await run(unreachable).ended).toMatchObject({ status: 0, said: 'ran\n' });
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('keeps the packages after %s, and leaves nothing', async (name) => {
  const { child, ended } = await runUntilAsked();
  child.kill(name);
  expect(await ended).toMatchObject({ signal: name, said: expect.not.stringContaining('npm ci failed') });
  expect([installed(), drafts()]).toEqual(['1.0.0', []]);
});

it('keeps the packages where it is killed outright, and clears up at the next start', async () => {
  const { child } = await runUntilAsked();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(installed()).toBe('1.0.0');
  expect(drafts()).toContainEqual(expect.stringMatching(/^install-/));
  checkOut('1.0.0');
  registry.closeAllConnections();
  expect(await run(unreachable).ended).toMatchObject({ status: 0, said: expect.stringMatching(/ran\n$/) });
  expect([installed(), drafts()]).toEqual(['1.0.0', []]);
});

it('puts the packages back where it was killed between the two moves', async () => {
  const draft = join(checkout, '.cache/install-1');
  mkdirSync(draft, { recursive: true });
  cpSync(join(checkout, 'node_modules'), join(draft, 'before'), { recursive: true });
  rmSync(join(checkout, 'node_modules'), { recursive: true });
  checkOut('1.0.0');
  expect(await run(unreachable).ended).toMatchObject({ status: 0, said: 'ran\n' });
  expect([installed(), existsSync(draft)]).toEqual(['1.0.0', false]);
});

describe('in the checkout of an ordinary user', needs('root', process.getuid?.() === 0), () => {
  const user = { uid: 65534, gid: 65534 };
  const cache = 'node_modules/.cache/node';
  beforeEach(() => {
    mkdirSync(join(folder, 'npm'));
    spawnSync('chown', ['-R', '65534:65534', folder]);
  });

  it('a command of root leaves nothing among the packages', async () => {
    checkOut('1.0.0');
    expect(await run(unreachable).ended).toMatchObject({ status: 0, said: 'ran\n' });
    expect(existsSync(join(checkout, cache))).toBe(false);
    expect(await run(unreachable, ours, user).ended).toMatchObject({ status: 0, said: 'ran\n' });
    expect(existsSync(join(checkout, cache))).toBe(true);
  });
  it('files of root among the packages stop no command, and a line says how to remove them', async () => {
    addFile(`${cache}/of-root/file`, '');
    spawnSync('chown', ['65534:65534', join(checkout, 'node_modules/.cache')]);
    const { status, said } = await run(address(), ours, user).ended;
    expect([status, said]).toEqual([0, expect.stringMatching(/\nran\n$/)]);
    expect(installed()).toBe('2.0.0');
    const [, command = ''] = /^Old packages can't be removed \(EACCES\)\. As root, run: (.*)$/m.exec(said) ?? [];
    expect(await run(unreachable, ours, user).ended).toMatchObject({
      status: 0,
      said: expect.stringContaining(command),
    });
    spawnSync('sh', ['-c', command]);
    expect(await run(unreachable, ours, user).ended).toMatchObject({ status: 0, said: 'ran\n' });
  });
});

it('two at once install one after the other', async () => {
  const [one, other] = await Promise.all([run(address()).ended, run(address()).ended]);
  expect([one.status, other.status, installed(), drafts()]).toEqual([0, 0, '2.0.0', []]);
});

it('installs into a mount, which cannot be moved', needs('the right to mount', canMount), async () => {
  const words = 'mount --bind node_modules node_modules && exec "$0" scripts/run.mjs scripts/ran.mjs';
  const { status, said } = await run(address(), ['unshare', '--mount', 'sh', '-c', words, process.execPath]).ended;
  expect([status, said]).toEqual([0, expect.stringContaining("node_modules can't be moved")]);
  expect([installed(), drafts()]).toEqual(['2.0.0', []]);
});
