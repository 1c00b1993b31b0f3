// Turns a failure into one line about the setting behind it: variable, value, cause and fix. For the server's
// start and every command.
import type { Config } from '#server/platform/config/config.ts';
import type { VariableName } from '#server/platform/config/config-variables.ts';
import { describeSetting, type Environment } from '#server/platform/config/read-variables.ts';
import { DatabaseUnavailable, isUnavailable } from '#server/platform/db/database-failures.ts';
import { areDifferent, assertNoPooler, databaseAt } from '#server/platform/db/pooler.ts';
import { StartRefused } from '#server/platform/start-refused.ts';
import { FilesUnavailable } from '#server/platform/storage/files.ts';

/** `database`: the variable that points to the database directly. */
type Blamed = VariableName | 'database';

/** A failure caused by this variable; `cause` is the original error. */
class SettingFailure extends Error {
  override name = 'SettingFailure';
  readonly variable: Blamed;

  constructor(variable: Blamed, cause: unknown) {
    super((cause as Error).message, { cause });
    this.variable = variable;
  }
}

/** Marks a failure of `work` with its variable. */
export async function settingOf<T>(variable: Blamed, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    // Its message already says what to set.
    if (error instanceof StartRefused) throw error;
    throw new SettingFailure(variable, error);
  }
}

/**
 * Refuses a pooler where PostgreSQL itself is needed, a database that only takes reads, and addresses of
 * different databases: a trial's server would migrate the company's database, or show its numbers.
 */
export async function assertAddresses(
  url: string,
  { databaseDirectUrl, databaseReplicaUrl }: Pick<Config, 'databaseDirectUrl' | 'databaseReplicaUrl'>,
): Promise<void> {
  const pooled = { sets: databaseDirectUrl === undefined };
  await settingOf('database', assertNoPooler(databaseDirectUrl ?? url, pooled));
  const database = await settingOf('DATABASE_URL', writableAt(url));
  const direct = databaseDirectUrl && (await settingOf('DATABASE_DIRECT_URL', writableAt(databaseDirectUrl)));
  if (direct && areDifferent(direct, database)) throw otherDatabase('DATABASE_DIRECT_URL');
  // One that doesn't answer is no reason: the primary answers instead.
  const replica = databaseReplicaUrl && (await databaseAt(databaseReplicaUrl).catch(() => null));
  if (replica && areDifferent(replica, database)) throw otherDatabase('DATABASE_REPLICA_URL');
}

async function writableAt(url: string) {
  const database = await databaseAt(url);
  if (!database.takesWrites) throw new DatabaseUnavailable('is read-only');
  return database;
}

const otherDatabase = (variable: VariableName) =>
  new StartRefused(`${variable} leads to another database than DATABASE_URL. Fix one of them, or remove ${variable}.`);

type Failure = { code?: unknown; name?: string; message?: string; cause?: unknown; errors?: unknown[] };

function* causesOf(error: unknown, depth = 0): Generator<Failure> {
  if (typeof error !== 'object' || error === null || depth > 8) return;
  const failure = error as Failure;
  yield failure;
  yield* causesOf(failure.cause, depth + 1);
  for (const inner of failure.errors ?? []) yield* causesOf(inner, depth + 1);
}

/** Codes, names and messages of an error and its causes. */
const signatureOf = (error: unknown): string =>
  [...causesOf(error)].flatMap(({ code, name, message }) => [code, name, message]).join('\n');

/** Cause and fix by pattern of the signature; the first match counts. */
type Faults = readonly (readonly [RegExp, string])[];

const untrusted = /SELF_SIGNED_CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|self-signed certificate/i;

const network: Faults = [
  [/ENOTFOUND|EAI_AGAIN|EDNS/, 'its host name is unknown. Fix the name, or check DNS.'],
  [/ECONNREFUSED/, 'nothing listens there. Start it, or fix the address.'],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, 'its certificate is for another host name. Use the name in the certificate.'],
  [/CERT_HAS_EXPIRED/, 'its certificate has expired. Renew the certificate.'],
  [
    untrusted,
    "its certificate isn't trusted. Set NODE_EXTRA_CA_CERTS, which has no effect in .env, to a file with the certificate of its authority.",
  ],
  [
    /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|TimeoutError|OAUTH_TIMEOUT|timeout/i,
    'nothing answers there. Fix the address, or open the firewall.',
  ],
];

const database: Faults = [
  [
    /unsupported startup parameter|^ThroughPooler$/m,
    'it points to a pooler, such as PgBouncer. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
  ],
  [/^28P01$/m, 'the database refuses the user or the password. Fix them.'],
  [/^3D000$/m, "that database doesn't exist. Create it, or fix the name."],
  [
    /^28000$/m,
    'the database refuses this user from this machine. Fix the user, allow it in pg_hba.conf, or if the database requires TLS, add ?sslmode=verify-full.',
  ],
  [/^53100$/m, 'its disk is full. Free some space there.'],
  [/^57014$/m, 'the database took too long to respond. Try again when it has less to do.'],
  [/^53300$/m, 'the database has no connection left. Raise its max_connections, or lower DATABASE_POOL_SIZE.'],
  [/^58[0-9A-Z]{3}$/m, 'the database lost a file or its shared memory. Read its log, and restart it.'],
  [/^57P03$/m, 'the database is starting or stopping. Try again in a moment.'],
  [/^42501$/m, 'its user can’t create tables there. Make it the owner of the database.'],
  [/^25006$|is read-only/m, 'the database is read-only. Use the address of the primary.'],
  [/does not support SSL/, "the database doesn't offer TLS. Remove sslmode, or turn TLS on in the database."],
  [
    untrusted,
    "the certificate of the database isn't trusted. Add sslrootcert=FILE with the certificate of its authority, or sslmode=no-verify to skip the check.",
  ],
  [/^ENOENT$/m, 'a file that it refers to (sslrootcert, sslcert or sslkey) is missing. Fix its path.'],
  ...network.filter(([pattern]) => pattern !== untrusted),
  [
    /ECONNRESET|EPIPE|Connection terminated|Received unexpected|unexpected message|Unknown message/i,
    'the server there closed the connection. Make sure that it is PostgreSQL.',
  ],
];

const bucket: Faults = [
  [/NoSuchBucket/, "that bucket doesn't exist. Create it, or fix its name."],
  [/InvalidAccessKeyId/, 'the store doesn’t know that access key. Fix the key.'],
  [/SignatureDoesNotMatch/, 'the secret doesn’t belong to that access key. Fix the secret.'],
  [
    /AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocationConstraint/,
    'the bucket is in another region. Add region=REGION to the address.',
  ],
  [/CredentialsProviderError|Could not load credentials/, 'it has no access key. Use s3://KEY:SECRET@BUCKET.'],
  [
    /AccessDenied|Forbidden|\b403\b/,
    'the store denies access to that bucket. Let the key read, write and delete there.',
  ],
  ...network,
];

const mailServer: Faults = [
  [/EAUTH|Invalid login|\b535\b/, 'the mail server refuses the user or the password. Fix them.'],
  [
    /wrong version number|WRONG_VERSION_NUMBER/,
    'that port doesn’t start with TLS. Use smtp:// there, or smtps:// with port 465.',
  ],
  ...network,
];

const provider: Faults = [
  ...network,
  [/./, 'no OpenID Connect provider of that name answers there. Use the issuer exactly as the provider writes it.'],
];

const faultsOf: Partial<Record<VariableName, Faults>> = {
  DATABASE_URL: database,
  DATABASE_DIRECT_URL: database,
  DATABASE_REPLICA_URL: database,
  FILES_URL: bucket,
  SMTP_URL: mailServer,
  OIDC_ISSUER: provider,
};

const listening: readonly (readonly [RegExp, VariableName, string])[] = [
  [/^EADDRINUSE$/m, 'PORT', 'another program listens there already. Stop it, or use another port.'],
  [/^EACCES$/m, 'PORT', 'this user can’t listen there. Use a port above 1023.'],
  [
    /^(EADDRNOTAVAIL|EINVAL)$/m,
    'HOST',
    'this machine has no such address. Use 0.0.0.0 for all of its addresses, or 127.0.0.1.',
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/m, 'HOST', 'that name is unknown. Use an address of this machine, for example 127.0.0.1.'],
];

const sqlState = /^[0-9A-Z]{5}$/;

function variableOf(error: unknown, env: Environment): VariableName | undefined {
  const causes = [...causesOf(error)];
  // The innermost is the most specific.
  const blamed = causes.filter((cause) => cause instanceof SettingFailure).at(-1)?.variable;
  if (blamed !== undefined && blamed !== 'database') return blamed;
  if (causes.some((cause) => cause instanceof FilesUnavailable)) return 'FILES_URL';
  const direct = env.DATABASE_DIRECT_URL || env.DATABASE_DIRECT_URL_FILE;
  const hasDatabase = direct || env.DATABASE_URL || env.DATABASE_URL_FILE;
  const isOfDatabase =
    blamed === 'database' || isUnavailable(error) || causes.some(({ code }) => sqlState.test(String(code)));
  return hasDatabase && isOfDatabase ? (direct ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL') : undefined;
}

/** Null if no known setting is the cause. */
export function settingLine(error: unknown, env: Environment = process.env): string | null {
  const signature = signatureOf(error);
  const variable = variableOf(error, env);
  if (
    variable === 'HOST' ||
    variable === 'METRICS_ADDRESS' ||
    (variable === undefined && /^listen$/m.test(syscallOf(error)))
  ) {
    const [, blamed, fault] = listening.find(([pattern]) => pattern.test(signature)) ?? [];
    return blamed && fault
      ? `${describeSetting(env, variable === 'METRICS_ADDRESS' ? variable : blamed)}, but ${fault}`
      : null;
  }
  if (variable === undefined) return null;
  const [, fault] = faultsOf[variable]?.find(([pattern]) => pattern.test(signature)) ?? [];
  return fault === undefined ? null : `${describeSetting(env, variable)}, but ${fault}`;
}

/** Null if no disk is full. PostgreSQL's code is 53100. */
export function fullDiskLine(error: unknown): string | null {
  const full = [...causesOf(error)].find(({ code }) => ['ENOSPC', 'EDQUOT', '53100'].includes(String(code)));
  return full ? `The disk is full (${full.message}). Free some space and try again` : null;
}

const syscallOf = (error: unknown): string => String((error as { syscall?: string } | null)?.syscall);

/** Whether the store says the setting is wrong; a store that is down is something else. */
export function isWrongBucket(error: unknown): boolean {
  const signature = signatureOf(error);
  const own = bucket.slice(0, bucket.length - network.length);
  return own.some(([pattern]) => pattern.test(signature));
}
