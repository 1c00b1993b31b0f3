#!/usr/bin/env node
// The one way into the program: `node scripts/run.mjs SCRIPT [--build] [arguments]`. Installs what the lock
// file asks for, finds a Node that reads TypeScript, builds server and web with --build, then runs SCRIPT.
// Plain JavaScript without dependencies, because it runs on the Node of the machine and before anything is
// installed.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { loadEnvFile } from './env-file.mjs';
import { installIfNeeded } from './install-packages.mjs';

const OLDEST_NODE = [20, 19];
const NODE_THAT_READS_TYPESCRIPT = 24;
const PARENT_CHECK_MS = 500;
const STARTED_BY_US = 'STAFF_DASHBOARD_RUN';
const root = fileURLToPath(new URL('..', import.meta.url));

function fail(line) {
  console.error(line);
  process.exit(1);
}

function requireUsableNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  fail(
    `Node ${OLDEST_NODE.join('.')} or later is needed to start, this is ${process.versions.node}: https://nodejs.org`,
  );
}

function isWritableFolder(path) {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

// npm, browsers and the tests write to these two, and fail with riddles where they can't.
function replaceUnusableFolders() {
  if (!isWritableFolder(tmpdir())) {
    console.error(`TMPDIR is ${JSON.stringify(tmpdir())}, which is not a folder we can write to: using the default.`);
    for (const name of ['TMPDIR', 'TMP', 'TEMP']) delete process.env[name];
  }
  if (isWritableFolder(homedir())) return;
  const home = join(root, '.cache', 'home');
  mkdirSync(home, { recursive: true });
  process.env.HOME = home;
  process.env.npm_config_cache = join(home, '.npm');
}

function majorOf(node) {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)\./.exec(stdout ?? '')?.[1] ?? 0);
}

/** The path of a Node that reads TypeScript; our own process where it does. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= NODE_THAT_READS_TYPESCRIPT) return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const bundled = join(root, 'node_modules', `node-${platform}-${process.arch}`, 'bin', file);
  if (existsSync(bundled) && majorOf(bundled) >= NODE_THAT_READS_TYPESCRIPT) return bundled;
  return fail(
    `Node ${NODE_THAT_READS_TYPESCRIPT} is needed on ${process.platform} ${process.arch}, this is ${process.versions.node}: https://nodejs.org`,
  );
}

/**
 * Stops with the program that started us: npm passes SIGTERM to its shell only, and the shell dies without
 * passing it on. We send ourselves the signal to stop the script in order.
 */
function stopWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  timer.unref();
}

function runInAnotherNode(node, argv) {
  const child = spawn(node, [...process.execArgv, fileURLToPath(import.meta.url), ...argv], {
    stdio: 'inherit',
    env: { ...process.env, [STARTED_BY_US]: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C and its closing to the child itself; a second one could cut its orderly stop
      // short.
      const sentByTerminal = process.stdin.isTTY && signal !== 'SIGTERM';
      if (!sentByTerminal) child.kill(signal);
    });
  }
  child.on('error', (error) => fail(`Cannot run ${node}: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

// What root leaves among another user's packages keeps that user from ever replacing them.
function ownsPackages() {
  const user = process.geteuid?.();
  return user === undefined || statSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.uid === user;
}

async function runHere(script, argv) {
  // In Node 24 code of V8's first compiler can crash the garbage collector: nodejs/node#62393.
  setFlagsFromString('--no-sparkplug');
  // Reading the types away costs a third of a second over the whole server; the cache keeps the result. Where
  // it isn't writable Node does without.
  const cache = process.env.NODE_COMPILE_CACHE ?? (ownsPackages() ? join(root, 'node_modules/.cache/node') : undefined);
  if (cache) nodeModule.enableCompileCache(cache);
  if (argv.includes('--build')) {
    const { buildIfNeeded } = await import('./build.ts');
    await buildIfNeeded();
  }
  const file = resolve(root, script);
  process.argv = [process.execPath, file, ...argv.filter((argument) => argument !== '--build')];
  await import(pathToFileURL(file).href);
}

// A manual starter may end first, as a shell that is closed: only npm and ourselves stay for as long as we
// run.
if (process.env.npm_lifecycle_event || process.env[STARTED_BY_US]) stopWithParent();
const [script, ...argv] = process.argv.slice(2);
if (!script) fail('Usage: node scripts/run.mjs SCRIPT [--build] [arguments]');
requireUsableNode();
replaceUnusableFolders();
await installIfNeeded(root);
const node = findNode();
// The product reads .env; tests and measurements must not depend on it. A Node that we start has our
// environment.
if (/^(build|src\/server)\/|^scripts\/dev\.ts$/.test(script) && node === process.execPath) {
  try {
    for (const line of loadEnvFile(join(root, '.env'))) console.error(line);
  } catch (error) {
    fail(error.message);
  }
}
if (node === process.execPath) await runHere(script, argv);
else runInAnotherNode(node, process.argv.slice(2));
