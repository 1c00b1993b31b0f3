// `staff-dashboard serve`: starts the server, and stops it gracefully on a signal.
import { readConfig } from '#server/platform/config/config.ts';
import { createLog } from '#server/platform/log/log.ts';
import { type RunningServer, type StartOptions, startServer } from '#server/start-server.ts';
import { type Command, exitCodes } from './command.ts';
import { failureLines } from './failure-lines.ts';

/** How long a stop can take after the drain: open requests have 5 seconds of it. */
const longestStopMs = 9_000;
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export const serveCommand: Command = {
  does: 'Start the server and run until SIGTERM, SIGINT or SIGHUP',
  options: {
    'no-migrate': { does: 'Don’t migrate: exit with an error if a migration is due' },
    'no-new-database': {
      does: 'Don’t start an empty company: exit with an error if there is no database, or an empty one',
    },
  },
  run: ({ isSet }) => serve({ migrates: !isSet('no-migrate'), creates: !isSet('no-new-database') }),
};

async function serve(options: Pick<StartOptions, 'migrates' | 'creates'>): Promise<undefined> {
  const log = createLog();
  const fail = (error: unknown) => {
    const lines = failureLines(error);
    if (lines) for (const line of lines) console.error(line);
    else log.fatal({ err: error }, 'the server stopped because of an error');
    process.exitCode = exitCodes.failed;
  };
  const stopping = new AbortController();
  let starting: Promise<RunningServer> | undefined;
  let drainSeconds = 0;
  // A second signal changes nothing: npm and the terminal may both send the same one.
  const stop = async (reason: string, drain: number) => {
    if (stopping.signal.aborted) return;
    log.info({ reason }, 'stopping: finishing open requests first');
    setTimeout(() => process.exit(exitCodes.failed), drain * 1_000 + longestStopMs).unref();
    stopping.abort(new StoppedEarly());
    await starting?.then(
      (server) => server.stop(drain),
      () => {},
    );
    process.exit();
  };
  // Registered before anything is opened: as process 1 of a container, the server would ignore signals while
  // it starts.
  for (const signal of stopSignals) process.on(signal, () => void stop(signal, drainSeconds));
  try {
    const config = readConfig(process.env);
    log.level = config.logLevel;
    for (const line of config.warnings) console.error(line);
    starting = startServer(config, log, { ...options, signal: stopping.signal });
    const server = await starting;
    ({ drainSeconds } = config);
    for (const line of server.greeting) console.log(line);
  } catch (error) {
    if (error instanceof StoppedEarly) return;
    fail(error);
    process.exit();
  }
  // After an unhandled rejection the state is unknown, so a fresh process takes over.
  for (const event of ['unhandledRejection', 'uncaughtException'] as const)
    process.on(event, (error) => {
      fail(error);
      void stop(event, 0);
    });
}

/** A signal came before the server had started. */
class StoppedEarly extends Error {
  override name = 'StoppedEarly';
}
