// The server's log: JSON lines, each with a request id, and never a secret.
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { RefusalError } from '../graphql/refusal-error.ts';
import { withoutCalendarSecret } from './calendar-path.ts';

// Allowlists the fields of an error for the log. Database errors include values in messages and keys in
// connections; errors of other libraries include whole requests.

type Thrown = {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
  readonly code?: unknown;
  readonly severity?: unknown;
  readonly query?: unknown;
  readonly params?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
} & Readonly<Record<string, unknown>>;

type LoggedError = {
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly cause?: LoggedError | undefined;
  readonly errors?: readonly LoggedError[] | undefined;
  readonly [field: string]: unknown;
};

const longestMessage = 1_000;
const deepest = 5;
const mostErrors = 5;
/** Names, never values: the database's own object names and the system's call names. */
const namesOfThings = [
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'dataType',
  'routine',
  'syscall',
  'errno',
];
const sqlstate = /^[0-9A-Z]{5}$/;

const isOfDatabase = ({ code, severity }: Thrown): boolean =>
  typeof code === 'string' && sqlstate.test(code) && severity !== undefined;
/** Drizzle's message includes the statement and its parameters. */
const isFailedQuery = ({ query, params }: Thrown): boolean => typeof query === 'string' && params !== undefined;

/** From the first quote to the last, because a value can include quotes. */
const withoutValues = (message: string): string => message.replace(/".*"/s, '"…"');

function messageOf(error: Thrown): string {
  if (isFailedQuery(error)) return 'A statement failed';
  const message = typeof error.message === 'string' ? error.message : 'no message';
  return (isOfDatabase(error) ? withoutValues(message) : message).slice(0, longestMessage);
}

/** The statement's text without its literals. */
const statementOf = ({ query }: Thrown): string =>
  String(query)
    .replace(/'(?:[^']|'')*'/g, "'…'")
    .replace(/\s+/g, ' ')
    .slice(0, 300);

/** Only the stack frames: the first lines repeat the message. */
function placesOf({ stack }: Thrown): string | undefined {
  if (typeof stack !== 'string') return undefined;
  const places = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return places.length > 0 ? places.join('\n') : undefined;
}

export function loggedError(thrown: unknown, depth = 0): LoggedError {
  if (typeof thrown !== 'object' || thrown === null) return { type: typeof thrown, message: 'no error was thrown' };
  const error = thrown as Thrown;
  const { code, cause, errors } = error;
  const names = namesOfThings.filter((name) => ['string', 'number'].includes(typeof error[name]));
  const goesOn = depth < deepest;
  return {
    type: typeof error.name === 'string' ? error.name : 'Error',
    message: messageOf(error),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...Object.fromEntries(names.map((name) => [name, error[name]])),
    ...(isFailedQuery(error) ? { statement: statementOf(error) } : {}),
    stack: placesOf(error),
    ...(goesOn && cause ? { cause: loggedError(cause, depth + 1) } : {}),
    ...(goesOn && Array.isArray(errors)
      ? { errors: errors.slice(0, mostErrors).map((inner) => loggedError(inner, depth + 1)) }
      : {}),
  };
}

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
