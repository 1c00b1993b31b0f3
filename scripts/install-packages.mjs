// Installs what the lock file asks for. Plain JavaScript without dependencies, because it runs before anything
// is installed.
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { holdInstallLock } from './install-lock.mjs';
import { refuseUnderServer } from './running-server.mjs';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const DRAFT = 'install-';

function fail(line) {
  console.error(line);
  process.exit(1);
}

function readPackages(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

// npm writes node_modules/.package-lock.json last, so it tells what is installed completely. Packages for
// other platforms are missing there by right; those are the optional ones. Of those we name, the ones for
// this platform are needed, whatever npm was told to leave out: Node 24 and PostgreSQL.
function isInstalled(root) {
  const installed = readPackages(join(root, 'node_modules/.package-lock.json'));
  if (!installed) return false;
  const wanted = readPackages(join(root, 'package-lock.json')) ?? {};
  const named = Object.keys(wanted['']?.optionalDependencies ?? {}).map((name) => `node_modules/${name}`);
  return Object.entries(wanted).every(([path, entry]) => {
    const present = installed[path];
    const fits = [
      [entry.os, process.platform],
      [entry.cpu, process.arch],
    ].every(([list, ours]) => !list || list.includes(ours));
    const isNeeded = named.includes(path) && fits;
    if (isNeeded && !existsSync(join(root, path))) return false;
    if (path === '' || (!present && entry.optional)) return true;
    return present?.version === entry.version && present?.integrity === entry.integrity;
  });
}

/**
 * Runs `npm ci` in a folder. Returns undefined, or what ended it: a signal to us, or a
 * message, '' where npm has said it.
 */
async function npmCi(folder) {
  // npm tells the programs it starts where it is; started by hand, the one beside this Node will do.
  const npm = process.env.npm_execpath;
  const isNpm = npm?.endsWith('npm-cli.js');
  const command = isNpm ? (process.env.npm_node_execpath ?? process.execPath) : 'npm';
  const shell = !isNpm && process.platform === 'win32';
  // NODE_ENV=production would leave out what the build needs. Progress goes to stderr: stdout belongs to the
  // script.
  const child = spawn(
    command,
    [...(isNpm ? [npm] : []), 'ci', '--include=dev', '--include=optional', '--loglevel=error'],
    { cwd: folder, stdio: ['ignore', 2, 2], shell },
  );
  let signal;
  const stop = (received) => {
    signal = received;
    // It goes on after a signal it can catch. What it has so far is thrown away, but in a mount.
    child.kill('SIGKILL');
  };
  for (const name of STOP_SIGNALS) process.on(name, stop);
  const message = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (status) => resolve(status === 0 ? undefined : ''));
  });
  for (const name of STOP_SIGNALS) process.off(name, stop);
  return signal || message !== undefined ? { signal, message } : undefined;
}

function draftsIn(cache) {
  try {
    return readdirSync(cache).filter((name) => name.startsWith(DRAFT));
  } catch {
    // Nothing was installed yet, or by another user.
    return [];
  }
}

/** Among the packages may be files of root, which only root can remove. They keep nobody from working. */
function removeDraft(draft) {
  try {
    rmSync(draft, { recursive: true, force: true });
  } catch (error) {
    console.error(`Old packages can't be removed (${error.code}). As root, run: rm -r '${draft}'`);
  }
}

/** Removes what an installation that was killed left, and puts back the packages that it had moved aside. */
function removeDrafts(root) {
  const cache = join(root, '.cache');
  const packages = join(root, 'node_modules');
  for (const draft of draftsIn(cache).map((name) => join(cache, name))) {
    const before = join(draft, 'before');
    if (existsSync(before) && !existsSync(packages)) renameSync(before, packages);
    removeDraft(draft);
  }
}

/** Puts the packages of `draft` in place; false where node_modules can't be moved. */
function swapIn(draft, packages) {
  const before = join(draft, 'before');
  try {
    if (existsSync(packages)) renameSync(packages, before);
    renameSync(join(draft, 'node_modules'), packages);
    return true;
  } catch {
    if (existsSync(before)) renameSync(before, packages);
    return false;
  }
}

// `npm ci` empties node_modules first, so it runs elsewhere: the version before can start until all is there.
async function install(root) {
  const draft = mkdtempSync(join(root, '.cache', DRAFT));
  try {
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      if (existsSync(join(root, name))) copyFileSync(join(root, name), join(draft, name));
    const ended = await npmCi(draft);
    if (ended) return ended;
    if (swapIn(draft, join(root, 'node_modules'))) return undefined;
  } finally {
    removeDraft(draft);
  }
  console.error("node_modules can't be moved, as a mount can't be: installing into it ...");
  return npmCi(root);
}

export async function installIfNeeded(root) {
  const installed = isInstalled(root);
  if (installed && draftsIn(join(root, '.cache')).length === 0) return;
  // It leads to another checkout's packages.
  if (!installed && lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
    fail(
      'node_modules is a link to packages that are not what package-lock.json asks for. Install them where it leads.',
    );
  const release = await holdInstallLock(root, () =>
    console.error('Another start is installing the packages, waiting for it ...'),
  );
  let ended;
  try {
    removeDrafts(root);
    // The one we may have waited for has done it.
    if (isInstalled(root)) return;
    refuseUnderServer(root);
    console.error('Installing packages (npm ci), a minute the first time ...');
    ended = await install(root);
  } finally {
    release();
  }
  if (!ended) return;
  if (ended.signal) process.kill(process.pid, ended.signal);
  fail(`npm ci failed${ended.message ? `: ${ended.message}` : ''}. See the lines above.`);
}
