// Recognizes temporary database failures. They are answered with 503 and Retry-After, never with 500.

/** The database can't be reached; `cause` is the driver's error. */
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
  // This process or machine is out of file descriptors.
  'EMFILE',
  'ENFILE',
  // SQLSTATE: no longer the primary. The next connection finds the new one.
  '25006',
  // SQLSTATE: shut down, crashed, starting up, out of connections, or canceled for taking too long.
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

/**
 * The error and all its causes: drizzle wraps the driver's error, and a host with two addresses reports one
 * for each.
 */
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
  if (isLost(error)) return true;
  return some(error, (failure) => {
    const { code = '', message = '' } = failure;
    if (failure instanceof DatabaseUnavailable) return true;
    // The embedded database's socket doesn't exist while it is down.
    if (code === 'ENOENT' && failure.syscall === 'connect') return true;
    return CONNECTION_CODES.has(code) || code.startsWith('08') || CONNECTION_MESSAGES.test(message);
  });
}

/** PostgreSQL lost a file or its shared memory. Open connections may still work. */
export function isLost(error: unknown): boolean {
  return some(error, ({ code = '' }) => code.startsWith('58'));
}

/** The driver gave up waiting. */
export function isTimeout(error: unknown): boolean {
  return some(error, ({ message = '' }) => message === 'Query read timeout');
}

/** The statement took longer than its limit, which says nothing about the database. */
export function isCanceled(error: unknown): boolean {
  return some(error, ({ code }) => code === '57014');
}

const PASSING = new Set(['40001', '40P01', '55P03']);

/** Rolled back because of a conflict, or a lock wasn't available. Worth a retry. */
export function isContended(error: unknown): boolean {
  return some(error, ({ code = '' }) => PASSING.has(code));
}

/** Someone else holds the lock of a statement that doesn't wait for it. */
export function isLocked(error: unknown): boolean {
  return some(error, ({ code }) => code === '55P03');
}

/** The database's volume is full: reads work, writes don't. */
export function isOutOfSpace(error: unknown): boolean {
  return some(error, ({ code }) => code === '53100');
}
