// The settings that come from the environment. Everything wrong is told at once, one line each; nothing is guessed.
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { combinationFaults } from './config-combinations.ts';
import * as values from './config-values.ts';
import { defaultDataFolder, type Place, placeOf } from './data-folder.ts';
import { type OidcConfig, oidcConfig } from './oidc-config.ts';

export const appEnvironments = ['development', 'staging', 'production'] as const;
export type AppEnvironment = (typeof appEnvironments)[number];

const variables = {
  PORT: values.port,
  HOST: values.host,
  DRAIN_SECONDS: values.seconds,
  TRUSTED_PROXIES: values.networks,
  DATA_DIR: values.folder,
  DATABASE_URL: values.database,
  DATABASE_DIRECT_URL: values.database,
  DATABASE_REPLICA_URL: values.databaseToRead,
  FILES_URL: values.urlWithSecrets(['s3:'], 's3://bucket?endpoint=https://host'),
  LINK_SECRET: values.key,
  LINK_SECRET_ALSO: values.key,
  DASHBOARD_SERVER_URL: values.baseAddress,
  TOP5_SERVER_URL: values.baseAddress,
  DEMO: values.flag,
  DEMO_PASSWORD: values.password,
  ADMIN_EMAIL: values.email,
  ADMIN_PASSWORD: values.adminPassword,
  COMPANY_TIME_ZONE: values.timeZone,
  APP_ENV: values.oneOf(appEnvironments),
  APP_NAME: values.text,
  DEFAULT_APPROVER_ID: values.id,
  METABASE_SITE_URL: values.baseAddress,
  METABASE_SECRET_KEY: values.secret,
  OIDC_ISSUER: values.issuer,
  OIDC_CLIENT_ID: values.text,
  OIDC_CLIENT_SECRET: values.secret,
  OIDC_NAME: values.text,
  OIDC_SCOPES: values.scopes,
  OIDC_GROUPS_CLAIM: values.text,
  OIDC_GROUP_ROLES: values.groupRoles,
  SMTP_URL: values.urlWithSecrets(['smtp:', 'smtps:'], 'smtps://user:password@host:465'),
  MAIL_FROM: values.text,
  PUBLIC_URL: values.baseAddress,
} satisfies Record<string, values.Variable<unknown>>;

const defaultTimeZone = 'UTC';

type Name = keyof typeof variables;
type Parsed = { [N in Name]?: (typeof variables)[N] extends values.Variable<infer T> ? T : never };

export type Config = {
  readonly port: number;
  readonly host: string;
  /** How long a server that is told to stop still takes requests, while it says that it is not ready. */
  readonly drainSeconds: number;
  /** Proxies in front, whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** The embedded database, files and secrets. */
  readonly dataDir: string;
  /** To be said at the start: why the data is not beside the checkout. */
  readonly dataDirNote: string | undefined;
  /** Undefined: the embedded database. */
  readonly databaseUrl: string | undefined;
  /** Set: `databaseUrl` leads through a pooler in transaction mode, and what needs a session of its own goes here. */
  readonly databaseDirectUrl: string | undefined;
  readonly databaseReplicaUrl: string | undefined;
  /** Undefined: a folder below `dataDir`. */
  readonly filesUrl: string | undefined;
  /** Undefined with the embedded database only: made and kept in `dataDir`. */
  readonly linkSecret: string | undefined;
  /** Links that are signed with it hold too: while the secret is changed. */
  readonly linkSecretAlso: string | undefined;
  /** Undefined: the web's own origin. */
  readonly dashboardServerUrl: string | undefined;
  readonly topFiveServerUrl: string | undefined;
  readonly demo: boolean;
  readonly demoPassword: string;
  readonly firstAdmin: { email: string; password: string } | undefined;
  readonly companyTimeZone: string;
  readonly appEnv: AppEnvironment;
  readonly appName: string;
  readonly defaultApproverId: string | undefined;
  readonly metabase: { siteUrl: string; secretKey: string } | undefined;
  readonly oidc: OidcConfig | undefined;
  readonly mail: { url: string; from: string } | undefined;
  /** Where people reach this server; links in mails and the identity provider need it. */
  readonly publicUrl: string | undefined;
};

/** All that is wrong with the environment; `lines` are for people and hold no secret. */
export class ConfigFaults extends Error {
  override name = 'ConfigFaults';
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable is an unset one: compose files and shells leave them so. */
function parse(env: Environment, faults: string[]): Parsed {
  const parsed: Record<string, unknown> = {};
  for (const [name, { schema, wants, shown }] of Object.entries(variables)) {
    const value = env[name]?.trim();
    if (!value) continue;
    const result = schema.safeParse(value);
    if (result.success) parsed[name] = result.data;
    else faults.push(`${name} ${shown(value)}, it wants ${wants}.`);
  }
  return parsed as Parsed;
}

function dataFolder(parsed: Parsed, place: Place, faults: string[]): { dataDir: string; note?: string } {
  if (!parsed.DATA_DIR)
    return parsed.DATABASE_URL ? { dataDir: resolve(place.root, 'data') } : defaultDataFolder(place);
  const dataDir = resolve(parsed.DATA_DIR);
  // The folder itself is ours to open, those above it are not.
  const closed = place.isRoot && !parsed.DATABASE_URL ? place.closedFolder(dirname(dataDir)) : undefined;
  if (closed) {
    faults.push(
      `DATA_DIR is "${dataDir}", it wants a folder that the user nobody can reach, as whom PostgreSQL runs when root starts it: ${closed} is closed.`,
    );
  }
  return { dataDir };
}

const checkout = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** What a command needs that works on the database, at its direct address, and does not serve. */
export type CommandConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'filesUrl' | 'companyTimeZone'>;
const variablesOfCommands = [
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'FILES_URL',
  'COMPANY_TIME_ZONE',
] as const satisfies readonly Name[];

/** Like `readConfig`, for a command: what only a server needs may be missing or wrong. */
export function readCommandConfig(env: Environment, place: Place = placeOf(checkout)): CommandConfig {
  return commandConfigOf(parsedFor(variablesOfCommands, env, place));
}

/** What a backup and a restore need besides: the secrets that are not in it, by their variable. */
export type BackupConfig = CommandConfig & { readonly secrets: Readonly<Record<string, string | undefined>> };
const secretsOfBackups = [
  'LINK_SECRET',
  'METABASE_SECRET_KEY',
  'OIDC_CLIENT_SECRET',
] as const satisfies readonly Name[];

export function readBackupConfig(env: Environment, place: Place = placeOf(checkout)): BackupConfig {
  const read = parsedFor([...variablesOfCommands, ...secretsOfBackups], env, place);
  const secrets = Object.fromEntries(secretsOfBackups.map((name) => [name, read.parsed[name]]));
  return { ...commandConfigOf(read), secrets };
}

function parsedFor(names: readonly Name[], env: Environment, place: Place): { parsed: Parsed; dataDir: string } {
  const faults: string[] = [];
  const parsed = parse(Object.fromEntries(names.map((name) => [name, env[name]])), faults);
  const { dataDir } = dataFolder(parsed, place, faults);
  if (faults.length > 0) throw new ConfigFaults(faults);
  return { parsed, dataDir };
}

const commandConfigOf = ({ parsed, dataDir }: { parsed: Parsed; dataDir: string }): CommandConfig => ({
  dataDir,
  databaseUrl: parsed.DATABASE_DIRECT_URL ?? parsed.DATABASE_URL,
  filesUrl: parsed.FILES_URL,
  companyTimeZone: parsed.COMPANY_TIME_ZONE ?? defaultTimeZone,
});

/** Reads and checks the environment; throws ConfigFaults with a line for each fault. */
export function readConfig(env: Environment, place: Place = placeOf(checkout)): Config {
  const faults: string[] = [];
  const parsed = parse(env, faults);
  faults.push(...combinationFaults((name) => Boolean(env[name]?.trim()), parsed));
  const { dataDir, note } = dataFolder(parsed, place, faults);
  if (faults.length > 0) throw new ConfigFaults(faults);

  const { ADMIN_EMAIL, ADMIN_PASSWORD, APP_ENV: appEnv = 'development' } = parsed;
  const { METABASE_SITE_URL, METABASE_SECRET_KEY, SMTP_URL, MAIL_FROM } = parsed;
  return {
    port: parsed.PORT ?? 3000,
    host: parsed.HOST ?? '127.0.0.1',
    drainSeconds: parsed.DRAIN_SECONDS ?? 0,
    trustedProxies: parsed.TRUSTED_PROXIES ?? [],
    dataDir,
    dataDirNote: note,
    databaseUrl: parsed.DATABASE_URL,
    databaseDirectUrl: parsed.DATABASE_DIRECT_URL,
    databaseReplicaUrl: parsed.DATABASE_REPLICA_URL,
    filesUrl: parsed.FILES_URL,
    linkSecret: parsed.LINK_SECRET,
    linkSecretAlso: parsed.LINK_SECRET_ALSO,
    dashboardServerUrl: parsed.DASHBOARD_SERVER_URL,
    topFiveServerUrl: parsed.TOP5_SERVER_URL,
    demo: parsed.DEMO ?? (!parsed.DATABASE_URL && appEnv !== 'production'),
    demoPassword: parsed.DEMO_PASSWORD ?? 'top-5-demo',
    firstAdmin: ADMIN_EMAIL && ADMIN_PASSWORD ? { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } : undefined,
    companyTimeZone: parsed.COMPANY_TIME_ZONE ?? defaultTimeZone,
    appEnv,
    appName: parsed.APP_NAME ?? 'Staff dashboard',
    defaultApproverId: parsed.DEFAULT_APPROVER_ID,
    metabase:
      METABASE_SITE_URL && METABASE_SECRET_KEY
        ? { siteUrl: METABASE_SITE_URL, secretKey: METABASE_SECRET_KEY }
        : undefined,
    oidc: oidcConfig(parsed),
    mail: SMTP_URL && MAIL_FROM ? { url: SMTP_URL, from: MAIL_FROM } : undefined,
    publicUrl: parsed.PUBLIC_URL,
  };
}
