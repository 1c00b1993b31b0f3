// Reads and checks the configuration. Reports all errors at once, one line each.
import { basename, dirname, join, resolve } from 'node:path';
import { defaultPolicy, type SecondFactorPolicy } from '#core/access/second-factor.ts';
import { closedFolder, serviceUser, systemFolder } from '../db/database-user.ts';
import { programFolder } from '../program.ts';
import { type TelemetryConfig, telemetryConfig } from '../telemetry/telemetry-config.ts';
import { combinationFaults } from './config-combinations.ts';
import type { appEnvironments, logLevels, Settings, VariableName } from './config-variables.ts';
import { type DemoPolicy, demoPolicy } from './demo-policy.ts';
import { type OidcConfig, oidcConfig } from './oidc-config.ts';
import { doubtfulNames, type Environment, readVariables } from './read-variables.ts';

export type AppEnvironment = (typeof appEnvironments)[number];
export type LogLevel = (typeof logLevels)[number];

export type Config = {
  readonly port: number;
  readonly host: string;
  /** How long a stopping server still accepts requests while it reports that it isn't ready. */
  readonly drainSeconds: number;
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** The folder for the embedded database, files and secrets. */
  readonly dataDir: string;
  /** Undefined for the embedded database. */
  readonly databaseUrl: string | undefined;
  /**
   * Set when `databaseUrl` is a pooler in transaction mode: the address for work that needs its own session.
   */
  readonly databaseDirectUrl: string | undefined;
  readonly databaseReplicaUrl: string | undefined;
  readonly databasePoolSize: number;
  /** Undefined for a folder below `dataDir`. */
  readonly filesUrl: string | undefined;
  /** Undefined only with the embedded database: then it is generated and kept in `dataDir`. */
  readonly linkSecret: string | undefined;
  /** The previous secret, whose links stay valid while the secret is rotated. */
  readonly linkSecretAlso: string | undefined;
  /** Undefined for the web's own origin. */
  readonly dashboardServerUrl: string | undefined;
  readonly topFiveServerUrl: string | undefined;
  readonly demo: DemoPolicy;
  readonly demoPassword: string;
  readonly firstAdmin: { email: string; password: string } | undefined;
  readonly companyTimeZone: string;
  readonly appEnv: AppEnvironment;
  readonly appName: string;
  readonly defaultApproverId: string | undefined;
  readonly metabase: { siteUrl: string; secretKey: string } | undefined;
  readonly oidc: OidcConfig | undefined;
  readonly mail: { url: string; from: string } | undefined;
  /** The server's public address, for links in mails and for the identity provider. */
  readonly publicUrl: string | undefined;
  /** Who needs a second factor. */
  readonly secondFactor: SecondFactorPolicy;
  readonly logLevel: LogLevel;
  readonly metrics: { readonly address?: { host: string; port: number }; readonly token?: string };
  /** Undefined to send no traces. */
  readonly telemetry: TelemetryConfig | undefined;
  /** Lines for the operator about variables that are probably mistakes. */
  readonly warnings: readonly string[];
};

/** All errors of the configuration. `lines` are for people and contain no secrets. */
export class ConfigFaults extends Error {
  override name = 'ConfigFaults';
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

export type Place = {
  /** The folder of the checkout. */
  readonly root: string;
  readonly isRoot: boolean;
  /** The first folder on the path that the database's user can't enter. */
  closedFolder(path: string): string | undefined;
};

/**
 * A relative path is resolved from the checkout, wherever the program was started. If root's checkout is in a
 * closed folder, the server makes the default folder a link.
 */
function dataFolder(settings: Settings, place: Place, faults: string[]): string {
  if (!settings.DATA_DIR) return resolve(place.root, 'data');
  const dataDir = resolve(place.root, settings.DATA_DIR);
  // We can open up the folder itself, but not those above it.
  const closed = place.isRoot && !settings.DATABASE_URL ? place.closedFolder(dirname(dataDir)) : undefined;
  if (closed && dataDir !== resolve(place.root, 'data')) {
    faults.push(
      `DATA_DIR is "${dataDir}", but PostgreSQL runs as the user ${serviceUser}, who can't enter ${closed}. Use a folder in ${systemFolder}, for example ${join(systemFolder, basename(dataDir))}.`,
    );
  }
  return dataDir;
}

const here: Place = {
  root: programFolder,
  isRoot: process.getuid?.() === 0,
  closedFolder: (path) => closedFolder(path),
};

/** What a command needs: the direct database address, and no server. */
export type CommandConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'filesUrl' | 'companyTimeZone' | 'warnings'> & {
  /** Defaults to `warn`, because a command's output is its result. */
  readonly logLevel: LogLevel;
};
const variablesOfCommands = [
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'FILES_URL',
  'COMPANY_TIME_ZONE',
  'LOG_LEVEL',
] as const satisfies readonly VariableName[];

/** Like `readConfig` for a command: variables that only a server needs can be missing or wrong. */
export function readCommandConfig(env: Environment, place = here): CommandConfig {
  return commandConfigOf(readFor(variablesOfCommands, env, place));
}

/** `migrate` also needs the settings that show whether this database belongs to this installation. */
export type MigrationConfig = CommandConfig & Pick<Config, 'appEnv' | 'linkSecret' | 'linkSecretAlso'>;

export function readMigrationConfig(env: Environment, place = here): MigrationConfig {
  const read = readFor([...variablesOfCommands, 'APP_ENV', 'LINK_SECRET', 'LINK_SECRET_ALSO'], env, place);
  const { APP_ENV: appEnv, LINK_SECRET: linkSecret, LINK_SECRET_ALSO: linkSecretAlso } = read.settings;
  return { ...commandConfigOf(read), appEnv, linkSecret, linkSecretAlso };
}

/** The server's public address, for commands that print links. Throws ConfigFaults if it is invalid. */
export function readPublicUrl(env: Environment): string | undefined {
  const { settings, faults } = readVariables(env, ['PUBLIC_URL']);
  if (faults.length > 0) throw new ConfigFaults(faults);
  return settings.PUBLIC_URL;
}

/**
 * A backup and a restore also need the secrets that aren't in the backup, and the keys that authenticate it.
 */
export type BackupConfig = CommandConfig & {
  readonly secrets: Readonly<Record<string, string | undefined>>;
  /** The current one first, without the one that the embedded database keeps. */
  readonly linkSecrets: readonly string[];
  readonly isProduction: boolean;
};
const secretsOfBackups = [
  'LINK_SECRET',
  'METABASE_SECRET_KEY',
  'OIDC_CLIENT_SECRET',
] as const satisfies readonly VariableName[];

export function readBackupConfig(env: Environment, place = here): BackupConfig {
  const read = readFor([...variablesOfCommands, ...secretsOfBackups, 'LINK_SECRET_ALSO', 'APP_ENV'], env, place);
  const secrets = Object.fromEntries(secretsOfBackups.map((name) => [name, read.settings[name]]));
  const { LINK_SECRET, LINK_SECRET_ALSO } = read.settings;
  const linkSecrets = [LINK_SECRET, LINK_SECRET_ALSO].filter((secret) => secret !== undefined);
  return { ...commandConfigOf(read), secrets, linkSecrets, isProduction: read.settings.APP_ENV === 'production' };
}

type ForCommand = {
  readonly settings: Settings;
  readonly dataDir: string;
  readonly quiet: boolean;
  warnings: string[];
};

function readFor(names: readonly VariableName[], env: Environment, place: Place): ForCommand {
  const { settings, faults, isSet } = readVariables(env, names);
  const dataDir = dataFolder(settings, place, faults);
  if (faults.length > 0) throw new ConfigFaults(faults);
  return { settings, dataDir, quiet: !isSet('LOG_LEVEL'), warnings: doubtfulNames(env) };
}

const commandConfigOf = ({ settings, dataDir, quiet, warnings }: ForCommand): CommandConfig => ({
  dataDir,
  databaseUrl: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
  filesUrl: settings.FILES_URL,
  companyTimeZone: settings.COMPANY_TIME_ZONE,
  logLevel: quiet ? 'warn' : settings.LOG_LEVEL,
  warnings,
});

/** Reads and checks the environment. Throws ConfigFaults with one line per error. */
export function readConfig(env: Environment, place = here): Config {
  const { settings, faults, isSet } = readVariables(env);
  faults.push(...combinationFaults(isSet, settings));
  const dataDir = dataFolder(settings, place, faults);
  if (faults.length > 0) throw new ConfigFaults(faults);

  const { ADMIN_EMAIL, ADMIN_PASSWORD, APP_ENV: appEnv } = settings;
  const { METABASE_SITE_URL, METABASE_SECRET_KEY, SMTP_URL, MAIL_FROM } = settings;
  return {
    port: settings.PORT,
    host: settings.HOST,
    drainSeconds: settings.DRAIN_SECONDS,
    trustedProxies: settings.TRUSTED_PROXIES ?? [],
    dataDir,
    databaseUrl: settings.DATABASE_URL,
    databaseDirectUrl: settings.DATABASE_DIRECT_URL,
    databaseReplicaUrl: settings.DATABASE_REPLICA_URL,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    filesUrl: settings.FILES_URL,
    linkSecret: settings.LINK_SECRET,
    linkSecretAlso: settings.LINK_SECRET_ALSO,
    dashboardServerUrl: settings.DASHBOARD_SERVER_URL,
    topFiveServerUrl: settings.TOP5_SERVER_URL,
    demo: demoPolicy(settings),
    demoPassword: settings.DEMO_PASSWORD,
    firstAdmin: ADMIN_EMAIL && ADMIN_PASSWORD ? { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } : undefined,
    companyTimeZone: settings.COMPANY_TIME_ZONE,
    appEnv,
    appName: settings.APP_NAME,
    defaultApproverId: settings.DEFAULT_APPROVER_ID,
    metabase:
      METABASE_SITE_URL && METABASE_SECRET_KEY
        ? { siteUrl: METABASE_SITE_URL, secretKey: METABASE_SECRET_KEY }
        : undefined,
    oidc: oidcConfig(settings),
    mail: SMTP_URL && MAIL_FROM ? { url: SMTP_URL, from: MAIL_FROM } : undefined,
    publicUrl: settings.PUBLIC_URL,
    secondFactor:
      settings.REQUIRE_SECOND_FACTOR ??
      defaultPolicy({ production: appEnv === 'production', mail: Boolean(SMTP_URL && MAIL_FROM) }),
    logLevel: settings.LOG_LEVEL,
    metrics: {
      ...(settings.METRICS_ADDRESS ? { address: settings.METRICS_ADDRESS } : {}),
      ...(settings.METRICS_TOKEN ? { token: settings.METRICS_TOKEN } : {}),
    },
    telemetry: telemetryConfig(settings),
    warnings: doubtfulNames(env),
  };
}
