// Commands (import, admin, backup) join the database of a running server, or start it if none runs.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertUsableFolder } from '../config/usable-folder.ts';
import { hasServed, withoutDatabaseUrl } from '../program.ts';
import { StartRefused } from '../start-refused.ts';
import { assertOwnLink } from './data-folder.ts';
import { connectionFile, type EmbeddedOptions, startEmbedded } from './embedded.ts';
import { FolderHeld, holderOf } from './folder-lock.ts';
import { startFailure } from './postgres-log.ts';
import { isReady } from './postmaster.ts';

export type JoinedDatabase = {
  url: string;
  /** Stops what this command started; a running server's database keeps running. */
  stop(): Promise<void>;
};

const isServer = (holder: ReturnType<typeof holderOf>): boolean => holder !== undefined && !holder.isCommand;

const STARTING_MS = 60_000;
const RESTARTING_MS = 5_000;
const LOOK_MS = 100;

function runningUrl(dataDir: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(connectionFile(dataDir), 'utf8')) as { url: string }).url;
  } catch {
    return undefined;
  }
}

/** A starting server locks the folder before its database answers. */
async function urlOfServer(dataDir: string): Promise<string | undefined> {
  const deadline = performance.now() + STARTING_MS;
  while (isServer(holderOf(dataDir)) && performance.now() < deadline) {
    const url = runningUrl(dataDir);
    if (url) return url;
    await sleep(LOOK_MS);
  }
  return undefined;
}

/** Throws StartRefused with its reason if the database of a running server stays down, as on a full disk. */
async function joinServer(dataDir: string, url: string): Promise<JoinedDatabase> {
  const data = join(dataDir, 'database');
  const deadline = performance.now() + RESTARTING_MS;
  while (!isReady(data)) {
    if (performance.now() > deadline) throw new StartRefused(startFailure(data, 'it is still starting'));
    await sleep(LOOK_MS);
  }
  return { url, stop: async () => {} };
}

/** Another command stops its database when it ends, so it can't be shared. */
async function waitForCommand({ dataDir, log }: EmbeddedOptions): Promise<void> {
  let told = false;
  for (let holder = holderOf(dataDir); holder?.isCommand; holder = holderOf(dataDir)) {
    if (!told) log.warn(`Waiting for ${holder.what} (process ${holder.pid}) to finish ...`);
    told = true;
    await sleep(LOOK_MS);
  }
}

/** What a server leaves in DATA_DIR, also if its database is elsewhere. */
const leftByServers = ['files', 'incoming', 'link-secret', 'audit-head.json'];

/** Throws StartRefused without one: a wrong DATA_DIR must not start an empty company. */
export function assertDatabaseIn(dataDir: string): void {
  if (statSync(join(dataDir, 'database'), { throwIfNoEntry: false })) return;
  const wasServed = hasServed() || leftByServers.some((name) => existsSync(join(dataDir, name)));
  throw new StartRefused(
    wasServed
      ? `There is no database in ${dataDir}, but a server has run here. ${withoutDatabaseUrl()}. Bring back its settings or mount its disk. If its data is lost, restore a backup, or to start an empty company, run \`migrate\``
      : `There is no database in ${dataDir}. ${withoutDatabaseUrl()}. Check DATA_DIR, and that its disk is mounted. To start an empty company, run \`migrate\`. To bring yours back, restore a backup`,
  );
}

export type JoinOptions = EmbeddedOptions & {
  /** Whether to create a missing database. */
  readonly creates: boolean;
};

/** Writes nothing to the folder of a running server, whose disk may be full. */
export async function joinOrStartDatabase({ creates, ...options }: JoinOptions): Promise<JoinedDatabase> {
  assertOwnLink(options.dataDir);
  for (;;) {
    await waitForCommand(options);
    const url = await urlOfServer(options.dataDir);
    if (url) return await joinServer(options.dataDir, url);
    assertUsableFolder(options.dataDir);
    if (!creates) assertDatabaseIn(options.dataDir);
    try {
      return await startEmbedded({ ...options, isCommand: true });
    } catch (error) {
      // Another process locked the folder first: wait for a command, join a server.
      const url = error instanceof FolderHeld ? await urlOfServer(options.dataDir) : undefined;
      if (url) return await joinServer(options.dataDir, url);
      if (!(error instanceof FolderHeld) || !holderOf(options.dataDir)?.isCommand) throw error;
    }
  }
}
