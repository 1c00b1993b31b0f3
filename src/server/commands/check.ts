// `staff-dashboard check`: one line for the configuration and each component. Changes nothing and sends no
// mail.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { plural } from '#core/base/formats.ts';
import { openIdentityProvider } from '#server/access/single-sign-on/identity-provider.ts';
import { newestBackup } from '#server/admin/backup/backup-folder.ts';
import { fullDiskLine, settingLine, settingOf } from '#server/admin/setting-failures.ts';
import { assertOwnDatabase } from '#server/own-database.ts';
import { type Config, ConfigFaults, readConfig } from '#server/platform/config/config.ts';
import { assertUsableFolder, folderFailure } from '#server/platform/config/usable-folder.ts';
import { HostClient } from '#server/platform/db/host-client.ts';
import { assertKnownSchema, assertUtf8, pendingMigrations, readSchemaVersion } from '#server/platform/db/migrate.ts';
import { mayTakeServerRole, serverRole } from '#server/platform/db/server-role.ts';
import { assertNoOtherDatabase } from '#server/platform/installation/files-place.ts';
import { checkMailServer } from '#server/platform/mail/mailer.ts';
import { type FileStore, openFileStore, probeFileStore } from '#server/platform/storage/files.ts';
import { reservePort } from '#server/reserve-port.ts';
import { type Command, exitCodes, type Given } from './command.ts';
import { joinCommandDatabase } from './command-database.ts';

export const checkCommand: Command = {
  does: 'Check the configuration, database, storage, mail server and identity provider',
  options: {
    start: { does: 'Only what would keep a server from starting' },
    backups: {
      value: 'FOLDER',
      does: 'Only that the newest backup in FOLDER was made within 26 hours. Reads names, not contents',
    },
  },
  details: ['Prints one line per check and changes nothing. Exit code 1: something failed.'],
  run,
};

/** `skipped`: not configured. */
type Finding = { readonly state: 'ok' | 'skipped'; readonly says: string };
const ok = (says: string): Finding => ({ state: 'ok', says });
const skipped = (says: string): Finding => ({ state: 'skipped', says });

async function run({ isSet, text }: Given): Promise<number> {
  let failed = false;
  const print = (state: Finding['state'] | 'failed', what: string, says: string) => {
    failed ||= state === 'failed';
    console.log(`${state.padEnd(7)}  ${what.padEnd(17)}  ${says}`);
  };
  const checks = text.backups === undefined ? configuredChecks(isSet('start'), print) : backupChecks(text.backups);
  for (const [what, check] of checks ?? []) {
    try {
      const { state, says } = await check();
      print(state, what, says);
    } catch (error) {
      print('failed', what, settingLine(error) ?? fullDiskLine(error) ?? reasonOf(error));
    }
  }
  return failed ? exitCodes.failed : exitCodes.ok;
}

/** Null for a wrong configuration. */
function configuredChecks(onlyStart: boolean, print: (state: 'ok' | 'failed', what: string, says: string) => void) {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigFaults)) throw error;
    for (const line of error.lines) print('failed', 'configuration', line);
    return null;
  }
  print('ok', 'configuration', `APP_ENV is ${config.appEnv}`);
  for (const line of config.warnings) print('ok', 'configuration', line);
  return onlyStart ? startChecksOf(config) : checksOf(config);
}

/** A nightly backup, with two hours to make it. */
const oldestBackupHours = 26;

const backupChecks = (folder: string): Checks => [
  [
    'backup',
    async () => {
      const newest = newestBackup(resolve(folder));
      if (newest === null) throw new Error(`There is no complete backup in ${resolve(folder)}`);
      const hours = Math.floor(newest.madeAt.until(Temporal.Now.instant()).total('hours'));
      const says = `${newest.name}, ${plural(hours, 'hour')} old`;
      if (hours >= oldestBackupHours) throw new Error(`The newest is ${says}. See what its last run printed`);
      return ok(says);
    },
  ],
];

/** The innermost error: the others only say who noticed it. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const { message, cause } = error as Error;
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return cause instanceof Error ? `${line}: ${reasonOf(cause)}` : line;
}

type Checks = readonly (readonly [string, () => Promise<Finding>])[];

function checksOf(config: Config): Checks {
  const { databaseReplicaUrl } = config;
  return [
    ...startChecksOf(config),
    ...(databaseReplicaUrl
      ? ([['replica', () => settingOf('DATABASE_REPLICA_URL', askDatabase(databaseReplicaUrl))]] as const)
      : []),
    ['storage', () => storage(config)],
    ['mail', () => mail(config)],
    ['identity provider', () => identityProvider(config)],
  ];
}

function startChecksOf(config: Config): Checks {
  const { databaseUrl, databaseDirectUrl } = config;
  return [
    ['database', () => (databaseUrl ? settingOf('DATABASE_URL', askDatabase(databaseUrl, config)) : embedded(config))],
    ...(databaseDirectUrl
      ? ([['direct database', () => settingOf('DATABASE_DIRECT_URL', askDatabase(databaseDirectUrl))]] as const)
      : []),
    ['address', () => settingOf('HOST', address(config))],
  ];
}

/** A running server already has its port. */
async function address(config: Config): Promise<Finding> {
  const { host, port } = config;
  const release = await reservePort(config).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
  });
  await release?.();
  return ok(release ? `${host}, port ${port}` : `${host}, port ${port} is in use now`);
}

async function embedded(config: Config): Promise<Finding> {
  if (!existsSync(join(config.dataDir, 'database'))) {
    assertUsableFolder(config.dataDir);
    await assertNoOtherDatabase(config);
    return skipped(`embedded, not created yet: the first start creates it in ${config.dataDir}`);
  }
  const { url, stop } = await joinCommandDatabase({ ...config, warnings: [] }, 'a check');
  return askDatabase(url, config).finally(stop);
}

/** `config`: the configuration of a server that would start on it. */
async function askDatabase(url: string, config?: Config): Promise<Finding> {
  const client = new HostClient({
    connectionString: url,
    application_name: 'staff-dashboard check',
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select current_setting('server_version') as server, current_database() as name, current_user as who",
    );
    const version = await readSchemaVersion(client);
    assertKnownSchema(version);
    if (config) {
      await assertUtf8(client);
      await assertOwnDatabase(client, config, (await filesOf(config)) ?? noFiles);
      if (version.state !== 'current') await assertMayMigrate(client);
    }
    const pending = pendingMigrations(version).length;
    const schema =
      version.state === 'empty'
        ? 'no tables yet, `serve` or `migrate` creates them'
        : `version ${version.found}${pending > 0 ? `, ${pending} pending: \`serve\` or \`migrate\` runs them` : ''}`;
    const role = (await mayTakeServerRole(client)) ? `, servers work as ${serverRole}` : '';
    const { server, name, who } = rows[0];
    return ok(`PostgreSQL ${server.split(' ')[0]}, database ${name}, ${schema}, user ${who}${role}`);
  } finally {
    await client.end();
  }
}

/** Rolled back. Only trying shows whether permissions, roles and a writable database are in place. */
async function assertMayMigrate(client: pg.ClientBase): Promise<void> {
  await client.query('begin');
  try {
    await client.query('create schema staff_dashboard_check');
    await client.query('create table public.staff_dashboard_check ()');
  } finally {
    await client.query('rollback');
  }
}

const noFiles = { readMark: async () => null };

/** Null if the folder doesn't exist yet: the first start creates it. */
async function filesOf({ dataDir, filesUrl }: Config): Promise<FileStore | null> {
  if (filesUrl === undefined && !existsSync(join(dataDir, 'files'))) return null;
  return openFileStore({ dataDir, url: filesUrl });
}

async function storage(config: Config): Promise<Finding> {
  const { dataDir, filesUrl } = config;
  assertUsableFolder(dataDir);
  const files = await filesOf(config);
  if (!files) return skipped(`folder ${join(dataDir, 'files')}, not created yet: the first start creates it`);
  await probeFileStore(files).catch((error) => {
    throw filesUrl ? error : folderFailure(dataDir, error);
  });
  const where = filesUrl ? `bucket ${new URL(filesUrl).hostname}` : `folder ${join(dataDir, 'files')}`;
  return ok(`${where}: wrote, read and removed a file`);
}

async function mail(config: Config): Promise<Finding> {
  if (!config.mail) return skipped('SMTP_URL isn’t set');
  await settingOf('SMTP_URL', checkMailServer(config.mail));
  const { host, username } = new URL(config.mail.url);
  return ok(`${host}: connected${username ? ' and signed in' : ''}`);
}

async function identityProvider({ oidc }: Config): Promise<Finding> {
  if (!oidc) return skipped('OIDC_ISSUER isn’t set');
  const provider = openIdentityProvider({ ...oidc, redirectUri: oidc.publicUrl });
  await settingOf('OIDC_ISSUER', provider.address(provider.newSecrets()));
  return ok(`${oidc.issuer}: found its configuration`);
}
