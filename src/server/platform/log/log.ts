// The server's log: JSON lines, each with a request id, and never a secret.
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { RefusalError } from '../graphql/refusal-error.ts';
import { withoutCalendarSecret } from './calendar-path.ts';
import { loggedError } from './logged-error.ts';

/**
 * An address without its query, which may include a file link's signature, and without a calendar feed's
 * secret.
 */
function withoutSecrets(url: string | undefined): string | undefined {
  return url === undefined ? undefined : withoutCalendarSecret(url.split('?', 1)[0] ?? '');
}

type LoggedRequest = { id: string; method: string; url?: string; ip: string };

const options: LoggerOptions = {
  level: 'info',
  redact: {
    paths: [
      'authorization',
      'token',
      'password',
      'cookie',
      '*.authorization',
      '*.token',
      '*.password',
      '*.cookie',
      '*.headers.authorization',
      '*.headers.cookie',
    ],
    censor: '[hidden]',
  },
  serializers: {
    err: (error: unknown) => loggedError(error),
    req: (request: LoggedRequest) => ({
      method: request.method,
      url: withoutSecrets(request.url),
      address: request.ip,
    }),
  },
};

/** A refusal that a library reports as an error: nothing is wrong with the server. */
function isRefusal(logged: unknown): boolean {
  const [error] = Array.isArray(logged) ? logged : [logged];
  const cause = (error as { originalError?: unknown } | null | undefined)?.originalError ?? error;
  return cause instanceof RefusalError && cause.statusCode < 500;
}

/** Libraries log an error alone, or use its message as the line's: that message may include values. */
const hooks: LoggerOptions['hooks'] = {
  logMethod(given, method, level) {
    const [first, message, ...more] = given as unknown[];
    if (level >= pino.levels.values.error! && isRefusal(first)) return;
    const error = first instanceof Error ? first : (first as { err?: unknown } | null | undefined)?.err;
    const fields = first instanceof Error ? { err: first } : first;
    const isItsMessage = error instanceof Error && (message === undefined || message === error.message);
    const asked = isItsMessage ? [fields, loggedError(error).message, ...more] : [fields, message, ...more];
    method.apply(this, (error instanceof Error ? asked : given) as Parameters<typeof method>);
  },
};

const mostWaitingBytes = 1024 * 1024;

/**
 * If the log's volume is full, up to a megabyte waits and the rest is lost. That is no reason to stop a
 * working server.
 */
function standardOutput(): DestinationStream {
  const stream = pino.destination({ dest: process.stdout.fd, sync: true, maxLength: mostWaitingBytes });
  stream.on('error', () => {});
  // It would wait forever for space after a fatal line or at exit. Lines are written immediately, so nothing
  // else is lost.
  stream.flushSync = () => {};
  return stream;
}

/** Writes to standard output by default. */
export function createLog(more: Pick<LoggerOptions, 'level'> = {}, destination?: DestinationStream): Logger {
  return pino({ ...options, hooks, ...more }, destination ?? standardOutput());
}
