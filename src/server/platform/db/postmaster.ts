// The PostgreSQL server process: initializes its folder, starts it, and finds one left running by a killed
// server.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartRefused } from '../start-refused.ts';
import type { DatabaseUser } from './database-user.ts';
import type { Binaries } from './embedded-binaries.ts';
import type { Log } from './log.ts';
import { isFullDisk, startFailure } from './postgres-log.ts';
import { isPostmasterOf, stopPostmaster } from './running-process.ts';

export const SUPERUSER = 'dashboard';
const VERSION = '18';

export type Listening = {
  /** Before each start: what it listens in may be gone since the last one. */
  prepare(): void;
  /** PostgreSQL settings. */
  readonly settings: Readonly<Record<string, string>>;
  /** The address of a database for a user with this password. */
  urlFor(user: string, password: string): string;
  close(): void;
};

export type Cluster = {
  binaries: Binaries;
  /** PostgreSQL's data folder. */
  data: string;
  user: DatabaseUser | undefined;
  listensOn: Listening;
};

// Only what the programs need: our environment has secrets, and PG… variables would redirect them.
function environment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP } = process.env;
  return { PATH, SystemRoot, TEMP, TZ: 'UTC' };
}

function giveTo(path: string, user: DatabaseUser | undefined): void {
  if (user) chownSync(path, user.uid, user.gid);
}

type Failure = Error & { readonly code?: unknown; readonly stderr?: string };

function creationFailure(data: string, initdb: string, { code, stderr = '', message }: Failure): string {
  const programs = dirname(initdb);
  if (isFullDisk(stderr)) return `The disk of ${data} is full. Free some space, or set DATA_DIR to another folder`;
  if (code === 'EACCES') return `PostgreSQL can’t be run from ${programs}: is that disk mounted with noexec?`;
  // initdb runs the others in a shell.
  if (/["$`]/.test(programs)) return `PostgreSQL can’t be run from ${programs}. Use a path without ", $ and \``;
  return `PostgreSQL couldn’t create ${data}: ${stderr.trim().split('\n')[0] || message}`;
}

/** Creates the folder on the first start; an interrupted start leaves no partial folder. */
export async function initialise(
  { binaries, data, user }: Omit<Cluster, 'listensOn'>,
  password: string,
): Promise<void> {
  const parent = dirname(data);
  for (const name of readdirSync(parent).filter((name) => name.startsWith(`${basename(data)}.draft`))) {
    rmSync(join(parent, name), { recursive: true, force: true });
  }
  if (existsSync(data)) {
    const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
    if (version === VERSION) return;
    throw new StartRefused(
      `${data} is from PostgreSQL ${version}, and this version runs ${VERSION}. Restore a backup into a new DATA_DIR.`,
    );
  }
  const draft = `${data}.draft`;
  const passwordFile = `${draft}-password`;
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [draft, passwordFile]) giveTo(path, user);
  const options = [
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    '--encoding=UTF8',
    '--data-checksums',
    '--no-instructions',
  ];
  const access = ['--auth=scram-sha-256', `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`];
  try {
    const place = { ...user, env: environment(), cwd: draft };
    await promisify(execFile)(binaries.initdb, ['-D', draft, ...options, ...access], place);
  } catch (error) {
    throw new StartRefused(creationFailure(data, binaries.initdb, error as Failure), { cause: error });
  }
  rmSync(passwordFile);
  renameSync(draft, data);
}

/** Stops a server left running by a killed program. We can only watch and await our own child. */
export async function stopLeftover(data: string, log: Log): Promise<void> {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (isPostmasterOf(pid, data)) {
    log.warn({ pid }, `Restarting the database: a killed server or command left it running as process ${pid}`);
    await stopPostmaster(pid);
  }
  // PostgreSQL would mistake any process with this pid for its server and refuse to start.
  rmSync(file, { force: true });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/**
 * A free port below the range for outgoing connections. After a crash the database needs the same port again,
 * and nothing should have taken it by chance.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    if (await isFree(port)) return port;
  }
}

// For a small machine. Durability is PostgreSQL's default, repeated here because committed must mean durable.
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_connections: '100',
  max_wal_size: '512MB',
  random_page_cost: '1.1',
  jit: 'off',
  TimeZone: 'UTC',
  // One file per weekday, truncated before it is reused.
  logging_collector: 'on',
  log_filename: 'postgresql-%u.log',
  log_truncate_on_rotation: 'on',
  log_rotation_size: '0',
  log_timezone: 'UTC',
  // Without names in the system's shared memory: systemd deletes a user's when its service stops (RemoveIPC in a
  // unit) or its last session ends (in logind.conf), and then no connection opens. The first 64 MB need no file,
  // so parallel reads also work on a full disk.
  ...(process.platform === 'win32' ? {} : { dynamic_shared_memory_type: 'mmap' }),
  min_dynamic_shared_memory: '64MB',
};

/** `pid`: only that process counts. */
export function isReady(data: string, pid?: number): boolean {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return (pid === undefined || Number(lines[0]) === pid) && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/**
 * Starts PostgreSQL as our child and waits until it answers, however long recovery takes. Throws StartRefused
 * with its reason if it exits.
 */
export async function startPostmaster(
  { binaries, data, user, listensOn }: Cluster,
  settings: Record<string, string> = {},
): Promise<ChildProcess> {
  listensOn.prepare();
  const options = Object.entries({ ...SETTINGS, ...settings, ...listensOn.settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  // In its own session: Ctrl-C must not stop it before running requests are answered.
  const child = spawn(binaries.postgres, ['-D', data, ...options], {
    ...user,
    env: environment(),
    cwd: data,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-2000);
  });
  // If the program ends without stopping it, also while it starts, it is signaled but not waited for.
  const stopAtExit = () => child.kill('SIGINT');
  process.once('exit', stopAtExit);
  child.once('exit', () => process.off('exit', stopAtExit));
  // It ends when we stop it and must not keep an idle program alive.
  child.unref();
  (child.stderr as Socket).unref();
  return await new Promise((resolve, reject) => {
    const poll = setInterval(() => child.pid && isReady(data, child.pid) && settle(() => resolve(child)), 10);
    const settle = (outcome: () => void) => {
      clearInterval(poll);
      outcome();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('close', (code, signal) => {
      settle(() => reject(new StartRefused(startFailure(data, `it ended (${signal ?? code})`, words, child.pid))));
    });
  });
}
