// The embedded default: a real PostgreSQL in DATA_DIR, started, watched and stopped by the program that needs
// it.
import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { applicationRole, prepareApplicationRole } from './application-role.ts';
import { openDataFolder } from './data-folder.ts';
import { chooseListening, removeOldSocket } from './database-socket.ts';
import { databaseUser, takeOverFiles } from './database-user.ts';
import { embeddedBinaries } from './embedded-binaries.ts';
import { holdFolder } from './folder-lock.ts';
import { loadOrCreateSecret, writePrivateFile } from './kept-secret.ts';
import type { Log } from './log.ts';
import { type Cluster, initialise, SUPERUSER, startPostmaster, stopLeftover } from './postmaster.ts';
import { stopPostmaster } from './running-process.ts';

export type EmbeddedState = 'ready' | 'down';

export type Embedded = {
  /**
   * The address for a role that owns only the product's schema. Contains its password; unchanged when the
   * database restarts.
   */
  url: string;
  /** The superuser's address, for tests that create databases and roles. */
  superuserUrl: string;
  /** What the operator should know about the data's location. */
  notes: readonly string[];
  stop(): Promise<void>;
  /** Called when the database dies and when it is back; returns the unsubscribe function. */
  onState(listener: (state: EmbeddedState) => void): () => void;
};

export type EmbeddedOptions = {
  dataDir: string;
  log: Log;
  /** Named in the error of a program that finds the folder locked. */
  what?: string;
  /** A command stops the database when it ends, so no other command joins it. */
  isCommand?: boolean;
  /** Extra PostgreSQL settings; tests use faster, less durable ones. */
  settings?: Record<string, string>;
  /** Listens on a local port instead of a socket. */
  overTcp?: boolean;
};

const LONGEST_PAUSE_MS = 5_000;
const FIRST_START_TRIES = 30;
// A port can also be taken between the check and the start.
const PASSES = /pre-existing shared memory block|could not bind|could not create any TCP|lock file/;

export function connectionFile(dataDir: string): string {
  return join(dataDir, 'database.json');
}

/** The backends of a killed server need a moment to notice. */
async function startFirst(cluster: Cluster, settings: Record<string, string>): Promise<ChildProcess> {
  for (let tries = 1; ; tries++) {
    try {
      return await startPostmaster(cluster, settings);
    } catch (error) {
      if (tries === FIRST_START_TRIES || !PASSES.test((error as Error).message)) throw error;
      await sleep(200);
    }
  }
}

function addressBefore(dataDir: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(connectionFile(dataDir), 'utf8')) as { url: string }).url;
  } catch {
    return undefined;
  }
}

class Supervisor {
  readonly #cluster: Cluster;
  readonly #settings: Record<string, string>;
  readonly #log: Log;
  readonly #listeners = new Set<(state: EmbeddedState) => void>();
  #child: ChildProcess;
  #stopping = false;
  #restarting: Promise<void> = Promise.resolve();

  constructor(cluster: Cluster, started: ChildProcess, { settings = {}, log }: EmbeddedOptions) {
    this.#cluster = cluster;
    this.#settings = settings;
    this.#log = log;
    this.#child = started;
    this.#watch();
  }

  onState(listener: (state: EmbeddedState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#restarting;
    if (this.#child.pid && this.#isRunning()) await stopPostmaster(this.#child.pid);
  }

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
        this.#child = await startPostmaster(this.#cluster, this.#settings);
        break;
      } catch (error) {
        this.#log.warn({}, `the embedded database does not start yet: ${(error as Error).message}`);
        await sleep(pause, undefined, { ref: false });
      }
    }
    if (this.#stopping) return;
    this.#log.info({ pid: this.#child.pid }, 'the embedded database is back');
    this.#tell('ready');
    this.#watch();
  }
}

/**
 * Starts the database in `dataDir`, creating it if needed. Throws FolderHeld when another program has it
 * open.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log, what = 'another server', isCommand = false, overTcp } = options;
  const { path: dataDir, notes } = openDataFolder(options.dataDir);
  const lock = holdFolder(dataDir, { what, isCommand });
  try {
    // Removes the socket of a killed program, before a waiting command mistakes it for ours.
    removeOldSocket(addressBefore(dataDir));
    rmSync(connectionFile(dataDir), { force: true });
    const data = join(dataDir, 'database');
    const user = databaseUser(data);
    const binaries = embeddedBinaries(dataDir, user);
    const password = loadOrCreateSecret(join(dataDir, 'database-password'));
    await initialise({ binaries, data, user }, password);
    await stopLeftover(data, log);
    if (user && takeOverFiles(data, user)) log.info({ data }, 'the files of the database now belong to its own user');
    const listensOn = await chooseListening(dataDir, user, overTcp);
    const cluster = { binaries, data, user, listensOn };
    const supervisor = new Supervisor(cluster, await startFirst(cluster, options.settings ?? {}), options);
    const stop = async () => {
      rmSync(connectionFile(dataDir), { force: true });
      await supervisor.stop();
      listensOn.close();
      lock.release();
    };
    const superuserUrl = listensOn.urlFor(SUPERUSER, password);
    const applicationPassword = loadOrCreateSecret(join(dataDir, 'application-password'));
    await prepareApplicationRole(superuserUrl, applicationPassword).catch(async (error) => {
      await stop();
      throw error;
    });
    const url = listensOn.urlFor(applicationRole, applicationPassword);
    writePrivateFile(connectionFile(dataDir), JSON.stringify({ url }));
    log.info({ dataDir }, 'the embedded database is ready');
    return { url, superuserUrl, notes, onState: (listener) => supervisor.onState(listener), stop };
  } catch (error) {
    lock.release();
    throw error;
  }
}
