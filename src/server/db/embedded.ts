// The embedded default: a real PostgreSQL in DATA_DIR, started, watched and stopped by the program that needs it.
import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedFolder, databaseUser } from './database-user.ts';
import { embeddedBinaries } from './embedded-binaries.ts';
import { holdFolder } from './folder-lock.ts';
import { keptSecret, writePrivateFile } from './kept-secret.ts';
import type { Log } from './log.ts';
import { type Cluster, freePort, initialise, SUPERUSER, startPostmaster, stopLeftover } from './postmaster.ts';
import { stopPostmaster } from './running-process.ts';

export type EmbeddedState = 'ready' | 'down';

export type Embedded = {
  /** Holds the password, and stays the same through restarts of the database. */
  url: string;
  stop(): Promise<void>;
  /** Told when the database dies and when it is back; what is returned ends it. */
  onState(listener: (state: EmbeddedState) => void): () => void;
};

export type EmbeddedOptions = {
  dataDir: string;
  log: Log;
  /** Named to whoever is refused because this one holds the folder. */
  what?: string;
  /** PostgreSQL settings besides ours; tests make theirs faster and less durable. */
  settings?: Record<string, string>;
};

const LONGEST_PAUSE_MS = 5_000;
const FIRST_START_TRIES = 30;
// The backends of a killed postmaster need a moment to notice; a port may be taken between the look and the start.
const PASSES = /pre-existing shared memory block|could not bind|could not create any TCP|lock file/;

export function connectionFile(dataDir: string): string {
  return join(dataDir, 'database.json');
}

function prepareFolder(dataDir: string): void {
  const firstMade = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const user = databaseUser(join(dataDir, 'database'));
  if (!user) return;
  // The database's user passes through our folders to its own, and may read nothing else in them.
  const outermost = firstMade ?? dataDir;
  for (let ours = dataDir; ours.length >= outermost.length; ours = dirname(ours)) chmodSync(ours, 0o711);
  const closed = closedFolder(dataDir, user);
  if (closed) {
    throw new Error(
      `DATA_DIR is ${dataDir}, but ${closed} is closed to the user that PostgreSQL runs as when started by root: open it (chmod o+x) or give a DATA_DIR elsewhere.`,
    );
  }
}

async function startFirst(
  cluster: Cluster,
  settings: Record<string, string>,
): Promise<{ child: ChildProcess; port: number }> {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    try {
      return { child: await startPostmaster(cluster, port, settings), port };
    } catch (error) {
      if (tries === FIRST_START_TRIES || !PASSES.test((error as Error).message)) throw error;
      await sleep(200);
    }
  }
}

class Supervisor {
  readonly #cluster: Cluster;
  readonly #port: number;
  readonly #settings: Record<string, string>;
  readonly #log: Log;
  readonly #listeners = new Set<(state: EmbeddedState) => void>();
  #child: ChildProcess;
  #stopping = false;
  #restarting: Promise<void> = Promise.resolve();

  constructor(
    cluster: Cluster,
    started: { child: ChildProcess; port: number },
    { settings = {}, log }: EmbeddedOptions,
  ) {
    this.#cluster = cluster;
    this.#port = started.port;
    this.#settings = settings;
    this.#log = log;
    this.#child = started.child;
    this.#watch();
    process.once('exit', this.#stopAtExit);
  }

  onState(listener: (state: EmbeddedState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    process.off('exit', this.#stopAtExit);
    await this.#restarting;
    if (this.#child.pid && this.#isRunning()) await stopPostmaster(this.#child.pid);
  }

  // A program that ends without stop(): the database is told to end as well, nobody waits for it.
  readonly #stopAtExit = () => this.#child.kill('SIGINT');

  #isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  #tell(state: EmbeddedState): void {
    for (const listener of this.#listeners) listener(state);
  }

  #watch(): void {
    const onExit = () => {
      if (!this.#stopping) this.#restarting = this.#restart();
    };
    if (this.#isRunning()) this.#child.once('exit', onExit);
    else onExit();
  }

  async #restart(): Promise<void> {
    this.#log.error({ pid: this.#child.pid }, 'the embedded database ended, starting it again');
    this.#tell('down');
    for (let pause = 50; !this.#stopping; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        this.#child = await startPostmaster(this.#cluster, this.#port, this.#settings);
        break;
      } catch (error) {
        this.#log.warn({ err: error }, 'the embedded database does not start yet');
        await sleep(pause, undefined, { ref: false });
      }
    }
    if (this.#stopping) return;
    this.#log.info({ pid: this.#child.pid }, 'the embedded database is back');
    this.#tell('ready');
    this.#watch();
  }
}

/** Starts the database of `dataDir`, making it the first time; throws FolderHeld when another program has it open. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log, what = 'another server' } = options;
  const wanted = resolve(options.dataDir);
  prepareFolder(wanted);
  const dataDir = realpathSync(wanted);
  const lock = holdFolder(dataDir, what);
  // Of a program that was killed: a command that waits for ours must not take it.
  rmSync(connectionFile(dataDir), { force: true });
  try {
    const data = join(dataDir, 'database');
    const user = databaseUser(data);
    const cluster = { binaries: embeddedBinaries(dataDir, user), data, user };
    const password = keptSecret(join(dataDir, 'database-password'));
    await initialise(cluster, password);
    await stopLeftover(data);
    const started = await startFirst(cluster, options.settings ?? {});
    const supervisor = new Supervisor(cluster, started, options);
    const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${started.port}/postgres`;
    writePrivateFile(connectionFile(dataDir), JSON.stringify({ url }));
    log.info({ port: started.port, dataDir }, 'the embedded database is ready');
    return {
      url,
      onState: (listener) => supervisor.onState(listener),
      async stop() {
        rmSync(connectionFile(dataDir), { force: true });
        await supervisor.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
