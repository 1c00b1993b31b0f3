// Reads and checks the configuration. Reports all errors at once, one line each.
import { basename, dirname, join, resolve } from 'node:path';
import { defaultPolicy, type SecondFactorPolicy } from '#core/access/second-factor.ts';
import type { GroupRoles } from '#core/access/single-sign-on.ts';
import { closedFolder, serviceUser, systemFolder } from '../db/database-user.ts';
import { programFolder } from '../program.ts';
import { type TelemetryConfig, telemetryConfig } from '../telemetry/telemetry-config.ts';
import { key } from './config-secrets.ts';
import type { appEnvironments, logLevels, Settings, VariableName } from './config-variables.ts';
import { type DemoPolicy, demoPolicy, loopback } from './demo-policy.ts';
import { doubtfulNames, type Environment, namesInFile, readVariables } from './read-variables.ts';

// Variables that only work together.
const TOGETHER: readonly (readonly VariableName[])[] = [
  ['ADMIN_EMAIL', 'ADMIN_PASSWORD'],
  ['METABASE_SITE_URL', 'METABASE_SECRET_KEY'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['SMTP_URL', 'MAIL_FROM'],
];
const NEED_PUBLIC_URL: readonly VariableName[] = ['OIDC_ISSUER', 'SMTP_URL'];
const NEED_ANOTHER: readonly (readonly [VariableName, VariableName])[] = [
  ['DATABASE_REPLICA_URL', 'DATABASE_URL'],
  ['DATABASE_DIRECT_URL', 'DATABASE_URL'],
  ['LINK_SECRET_ALSO', 'LINK_SECRET'],
];

const databases = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const;
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** The driver takes an unknown sslmode for verify-full. */
function sslFaults(settings: Settings): string[] {
  return databases.flatMap((name) => {
    const mode = /[?&]sslmode=([^&]*)/.exec(settings[name] ?? '')?.[1];
    if (mode === undefined || sslModes.includes(mode)) return [];
    return [`${name} has sslmode=${mode.slice(0, 20)}. Use one of ${sslModes.join(', ')}.`];
  });
}

export const everyAddress = ['0.0.0.0', '::'];

/** TRUSTED_PROXIES or an https address show that the server is behind a proxy. */
function openWarnings({ HOST, PUBLIC_URL, TRUSTED_PROXIES }: Settings): string[] {
  if (loopback.test(HOST) || TRUSTED_PROXIES || PUBLIC_URL?.startsWith('https:')) return [];
  return [
    `Warning: HOST is ${HOST}, so other machines can reach this server without https. Passwords cross the network unencrypted, and nobody stays signed in. Put a TLS proxy in front, and set PUBLIC_URL to its https address.`,
  ];
}

/** Anyone could then name another IP address in `X-Forwarded-For` for each wrong password. */
function proxyWarnings({ TRUSTED_PROXIES = [] }: Settings): string[] {
  const everyone = TRUSTED_PROXIES.find((network) => network.endsWith('/0'));
  return everyone === undefined
    ? []
    : [
        `Warning: TRUSTED_PROXIES has ${everyone}, so anyone can escape the limits for wrong passwords. List only your proxies.`,
      ];
}

const onThisMachine = /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/;

function combinationFaults(isSet: (name: VariableName) => boolean, settings: Settings): string[] {
  const faults = sslFaults(settings);
  for (const group of TOGETHER.filter((names) => names.some(isSet))) {
    for (const name of group.filter((name) => !isSet(name))) {
      const others = group.filter(isSet);
      faults.push(`${name} isn't set, but ${others.join(' and ')} ${others.length === 1 ? 'needs' : 'need'} it.`);
    }
  }
  for (const name of NEED_PUBLIC_URL.filter(isSet)) {
    if (!isSet('PUBLIC_URL'))
      faults.push(`PUBLIC_URL isn't set, but ${name} needs it. Set it to the address where people open the product.`);
  }
  if (isSet('DATABASE_URL') && !isSet('LINK_SECRET')) {
    faults.push(`LINK_SECRET isn't set, but DATABASE_URL needs it. Use ${key.use}. All servers need the same one.`);
  }
  for (const [name, needed] of NEED_ANOTHER) {
    if (isSet(name) && !isSet(needed)) faults.push(`${name} is set, but ${needed} isn't. Set ${needed} too.`);
  }
  const { METRICS_ADDRESS: metrics, HOST, PORT } = settings;
  if (metrics?.port === PORT && metrics && [metrics.host, ...everyAddress].includes(HOST)) {
    faults.push(
      `METRICS_ADDRESS is "${metrics.host}:${PORT}", but the server itself listens at PORT ${PORT}. Use another port.`,
    );
  }
  const { DEMO, APP_ENV, PUBLIC_URL } = settings;
  if (DEMO && isSet('ADMIN_EMAIL')) {
    faults.push('DEMO is "1", but ADMIN_EMAIL asks for your own company. Remove one of them.');
  }
  if (APP_ENV !== 'production') return faults;
  if (DEMO) {
    faults.push('DEMO is "1", but APP_ENV is "production". Remove DEMO: the password of demo accounts is public.');
  }
  if (PUBLIC_URL?.startsWith('http:') && !onThisMachine.test(PUBLIC_URL)) {
    faults.push(
      `PUBLIC_URL is "${PUBLIC_URL}", but APP_ENV is "production". Use https, because nobody stays signed in over http.`,
    );
  }
  return faults;
}

// The settings of the identity provider, from the environment.

/** The identity provider, and what its groups mean here. */
type OidcConfig = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Its name on the sign-in page. */
  readonly name: string;
  readonly scopes: string;
  readonly groupsClaim: string;
  readonly groupRoles: GroupRoles;
  readonly publicUrl: string;
};

/** Undefined when no provider is set. `combinationFaults` has checked that the group is complete. */
function oidcConfig(read: Settings): OidcConfig | undefined {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    PUBLIC_URL: publicUrl,
  } = read;
  if (!issuer || !clientId || !clientSecret || !publicUrl) return undefined;
  return {
    issuer,
    clientId,
    clientSecret,
    name: read.OIDC_NAME,
    scopes: read.OIDC_SCOPES,
    groupsClaim: read.OIDC_GROUPS_CLAIM,
    groupRoles: read.OIDC_GROUP_ROLES ?? [],
    publicUrl,
  };
}

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

const doubtfulNamesAt = ({ root }: Place, env: Environment): string[] =>
  doubtfulNames(env, namesInFile(join(root, '.env')));

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

/** Whether there is a Metabase, for commands. */
export const readMetabaseUrl = (env: Environment): string | undefined =>
  readVariables(env, ['METABASE_SITE_URL']).settings.METABASE_SITE_URL;

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
  return { settings, dataDir, quiet: !isSet('LOG_LEVEL'), warnings: doubtfulNamesAt(place, env) };
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
    warnings: [...doubtfulNamesAt(place, env), ...openWarnings(settings), ...proxyWarnings(settings)],
  };
}
