// Starts the server: reads the environment, opens the database and the files, and listens until it is told to stop.
import 'temporal-polyfill/global';
import { ConfigFaults, readConfig } from './config.ts';
import { isUnavailable } from './db/database-failures.ts';
import { FolderHeld } from './db/folder-lock.ts';
import { DatabaseIsNewer } from './db/migrate.ts';
import { createLog } from './log.ts';
import { type RunningServer, startServer } from './start-server.ts';

/** How long requests that are under way may take to finish, after the server takes no more. */
const longestStopMs = 9_000;

const log = createLog();

/** Faults that whoever starts the server can mend are told in a line; all others with what is known of them. */
function linesOf(error: unknown): readonly string[] | null {
  if (error instanceof ConfigFaults) return error.lines;
  if (error instanceof FolderHeld || error instanceof DatabaseIsNewer) return [error.message];
  if (isUnavailable(error)) return [`The database cannot be reached: ${(error as Error).message}`];
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  if (code === 'EADDRINUSE')
    return [
      `PORT is ${port}, but another program listens there already on ${address}: stop it, or set PORT to another one.`,
    ];
  if (code === 'EACCES' && port !== undefined)
    return [`PORT is ${port}, which this user may not listen on: set PORT to one above 1023.`];
  return null;
}

function fail(error: unknown): void {
  const lines = linesOf(error);
  if (lines) for (const line of lines) console.error(line);
  else log.fatal({ err: error }, 'the server cannot go on');
  process.exitCode = 1;
}

async function stop(server: RunningServer, drainSeconds: number, reason: string): Promise<void> {
  log.info({ reason }, 'stopping: requests that are under way are finished first');
  setTimeout(() => process.exit(1), drainSeconds * 1_000 + longestStopMs).unref();
  await server.stop(drainSeconds);
  process.exit();
}

try {
  const config = readConfig(process.env);
  const server = await startServer(config, log);
  for (const line of server.greeting) console.log(line);
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void stop(server, config.drainSeconds, signal));
  // A promise that nobody waits for has failed: the state is unknown, so a fresh process takes over.
  process.on('unhandledRejection', (error) => {
    fail(error);
    void stop(server, 0, 'unhandled rejection');
  });
  process.on('uncaughtException', (error) => {
    fail(error);
    void stop(server, 0, 'uncaught exception');
  });
} catch (error) {
  fail(error);
  process.exit();
}
