// Commands (import, admin, backup) work on the database of a running server, or start it themselves when none runs.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionFile, type EmbeddedOptions, startEmbedded } from './embedded.ts';
import { FolderHeld, holderOf } from './folder-lock.ts';

export type JoinedDatabase = {
  url: string;
  /** Stops what this command started; a running server's database stays. */
  stop(): Promise<void>;
};

const STARTING_MS = 60_000;

function runningUrl(dataDir: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(connectionFile(dataDir), 'utf8')) as { url: string }).url;
  } catch {
    return undefined;
  }
}

/** A server that is starting holds the folder before its database answers. */
async function urlOfHolder(dataDir: string): Promise<string | undefined> {
  const deadline = performance.now() + STARTING_MS;
  while (holderOf(dataDir) && performance.now() < deadline) {
    const url = runningUrl(dataDir);
    if (url) return url;
    await sleep(100);
  }
  return undefined;
}

export async function joinOrStartDatabase(options: EmbeddedOptions): Promise<JoinedDatabase> {
  const running = await urlOfHolder(options.dataDir);
  if (running) return { url: running, stop: async () => {} };
  try {
    return await startEmbedded(options);
  } catch (error) {
    // A server that was started in the same moment.
    const url = error instanceof FolderHeld ? await urlOfHolder(options.dataDir) : undefined;
    if (!url) throw error;
    return { url, stop: async () => {} };
  }
}
