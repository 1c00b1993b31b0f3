// A separate PostgreSQL with all the durability of the embedded one, in a folder below the temporary one that
// goes with it.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startEmbedded } from '../src/server/platform/db/embedded.ts';
import { migrate } from '../src/server/platform/db/migrate.ts';

const log = { info() {}, warn() {}, error: console.error };

/** A new folder that the user of the database can pass through: PostgreSQL does not run as root. */
export function openFolder(name: string, below = tmpdir()): string {
  const folder = join(below, `${name}-${randomUUID()}`);
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * Ctrl-C ends the tests at once, but not their databases, whose folders are removed too then: the shell sees
 * its input end.
 */
export function endWithTests(folder: string, dataDir = folder): void {
  const end = 'cat; kill -QUIT $(head -n 1 "$1/database/postmaster.pid"); sleep 1; rm -rf "$0"';
  const shell = spawn('sh', ['-c', end, folder, dataDir], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Without such a shell, they are left behind.
  shell.on('error', () => {});
  shell.unref();
  (shell.stdin as Socket).unref();
}

export type DatabaseFolder = {
  /** For the role that owns the schema and nothing else, over TCP. */
  readonly url: string;
  readonly superuserUrl: string;
  readonly folder: string;
  /** PostgreSQL's own folder. */
  readonly data: string;
  readonly onState: Embedded['onState'];
  stop(): Promise<void>;
};

type DatabaseStart = {
  readonly folder?: string;
  /** Brings it to the tables of this program. */
  readonly migrated?: boolean;
  readonly settings?: Record<string, string>;
  readonly quiet?: boolean;
};

/** Starts it, and starts it again when it ends, until it is stopped. */
export async function startDatabase(
  name: string,
  { folder = openFolder(name), migrated = true, settings = {}, quiet = false }: DatabaseStart = {},
): Promise<DatabaseFolder> {
  const dataDir = join(folder, 'data');
  const spoken = quiet ? { ...log, error() {} } : log;
  const embedded = await startEmbedded({ dataDir, log: spoken, what: name, settings, overTcp: true });
  endWithTests(folder, dataDir);
  if (migrated) await migrate({ url: embedded.url, log: spoken });
  return {
    url: embedded.url,
    superuserUrl: embedded.superuserUrl,
    folder,
    data: join(dataDir, 'database'),
    onState: embedded.onState,
    async stop() {
      await embedded.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
