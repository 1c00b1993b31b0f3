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

export type LoggedError = {
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
