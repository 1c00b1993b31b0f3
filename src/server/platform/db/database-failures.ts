// Which failures of the database pass by themselves. They are answered with 503 and Retry-After, never with 500.

/** The database cannot be asked now; `cause` is the driver's error. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // This process, or this machine, has no descriptor left for now.
  'EMFILE',
  'ENFILE',
  // SQLSTATE: takes no writes, as it is the primary no more; the next connection finds the one that is.
  '25006',
  // SQLSTATE: shut down by its operator, crashed, starting up, no connection left, cancelled as taking too long.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '57014',
]);

// The driver gives these no code.
const CONNECTION_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/;

type Failure = { code?: string; syscall?: string; message?: string; cause?: unknown; errors?: unknown[] };

/** The error and all that it was caused by: drizzle wraps the driver's, a host with two addresses gives one for each. */
function* causesOf(error: unknown): Generator<Failure> {
  if (typeof error !== 'object' || error === null) return;
  const failure = error as Failure;
  yield failure;
  yield* causesOf(failure.cause);
  for (const inner of failure.errors ?? []) yield* causesOf(inner);
}

function some(error: unknown, test: (failure: Failure) => boolean): boolean {
  return [...causesOf(error)].some(test);
}

export function isUnavailable(error: unknown): boolean {
  return some(error, (failure) => {
    const { code = '', message = '' } = failure;
    if (failure instanceof DatabaseUnavailable) return true;
    // The socket of the embedded database, while it is down.
    if (code === 'ENOENT' && failure.syscall === 'connect') return true;
    return CONNECTION_CODES.has(code) || code.startsWith('08') || CONNECTION_MESSAGES.test(message);
  });
}

/** Nothing came for so long that the driver gave up. */
export function isTimeout(error: unknown): boolean {
  return some(error, ({ message = '' }) => message === 'Query read timeout');
}

const PASSING = new Set(['40001', '40P01', '55P03']);

/** Rolled back for the sake of another one, or a lock was not to be had: trying again makes sense. */
export function isContended(error: unknown): boolean {
  return some(error, ({ code = '' }) => PASSING.has(code));
}

/** The database's volume is full: reads work, writes do not. */
export function isOutOfSpace(error: unknown): boolean {
  return some(error, ({ code }) => code === '53100');
}
