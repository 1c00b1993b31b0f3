// `staff-dashboard check`: one line for the configuration and each component. Changes nothing and sends no
// mail.
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { plural } from '#core/base/formats.ts';
import { openIdentityProvider } from '#server/access/single-sign-on/identity-provider.ts';
import { nameFaultOf, newestBackup, placeFaultOf } from '#server/admin/backup/backup-folder.ts';
import { checkQuickly } from '#server/admin/backup/check-backup.ts';
import { assertAddresses, fullDiskLine, settingLine, settingOf } from '#server/admin/setting-failures.ts';
import { zoneWarning } from '#server/numbers/batch.service.ts';
import { assertOwnDatabase } from '#server/own-database.ts';
import { hasPeople } from '#server/people/people.service.ts';
import { type Config, ConfigFaults, readBackupConfig, readConfig } from '#server/platform/config/config.ts';
import { assertUsableFolder, folderFailure, fullSoon } from '#server/platform/config/usable-folder.ts';
import { HostClient } from '#server/platform/db/host-client.ts';
import { assertDatabaseIn } from '#server/platform/db/join-database.ts';
import {
  assertCurrentSchema,
  assertKnownSchema,
  assertUtf8,
  pendingMigrations,
  readSchemaVersion,
} from '#server/platform/db/migrate.ts';
import { assertNoPooler } from '#server/platform/db/pooler.ts';
import { mayTakeServerRole, serverRole } from '#server/platform/db/server-role.ts';
import { assertNoOtherDatabase } from '#server/platform/installation/files-place.ts';
import { checkMailServer } from '#server/platform/mail/mailer.ts';
import { hasServed } from '#server/platform/program.ts';
import { type FileStore, openFileStore, probeFileStore } from '#server/platform/storage/files.ts';
import { reservePort } from '#server/reserve-port.ts';
import { keysOfRestore, openingWith } from './backup-options.ts';
import { type Command, exitCodes, type Given } from './command.ts';
import { joinCommandDatabase } from './command-database.ts';

// `staff-dashboard check --backups`: whether the newest backup is recent and a restore would take it.

/** `skipped`: not configured. `warning`: what an operator should know, though a server works. */
type Finding = { readonly state: 'ok' | 'skipped' | 'warning' | 'failed'; readonly says: string };

/** A nightly backup, with two hours to make it. */
const oldestBackupHours = 26;

const faultsShown = 10;

async function checkBackups(folder: string, identityFile: string | undefined): Promise<Finding[]> {
  const isFolder = statSync(resolve(folder), { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) return [{ state: 'failed', says: `There is no folder ${resolve(folder)}` }];
  const placeFault = placeFaultOf(resolve(folder));
  if (placeFault !== null) return [{ state: 'failed', says: placeFault }];
  const newest = newestBackup(resolve(folder));
  if (newest === null) return [{ state: 'failed', says: `There is no complete backup in ${resolve(folder)}` }];
  const { madeAt, missing, isRead, faults, unreadBytes } = await checkQuickly({
    folder: join(resolve(folder), newest),
    sealing: openingWith(identityFile),
    ...keysOfRestore(readBackupConfig(process.env)),
  });
  const left = faults.length - faultsShown;
  const lines = [...faults.slice(0, faultsShown), ...(left > 0 ? [`and ${plural(left, 'more file')}`] : [])];
  if (lines.length > 0) return lines.map((line) => ({ state: 'failed', says: `${newest} is damaged: ${line}` }));
  const nameFault = nameFaultOf(newest, madeAt);
  if (nameFault !== null) return [{ state: 'failed', says: nameFault }];
  const hours = Math.floor(Temporal.Instant.from(madeAt).until(Temporal.Now.instant()).total('hours'));
  const says = `${newest}, ${plural(hours, 'hour')} old`;
  if (hours >= oldestBackupHours)
    return [{ state: 'failed', says: `The newest is ${says}. See what the last backup run printed` }];
  const unchecked = [
    ...(isRead ? [] : ['whether it can be decrypted, because --identity isn’t given']),
    ...(unreadBytes > 0 ? [`${(unreadBytes / 1e9).toFixed(1)} GB of large files, except for their sizes`] : []),
  ];
  const without = missing > 0 ? `, without ${plural(missing, 'file')} that could not be found` : '';
  return [
    { state: 'ok', says: `${says}${without}` },
    ...unchecked.map((what) => ({ state: 'skipped' as const, says: `Didn’t check ${what}` })),
  ];
}

export const checkCommand: Command = {
  does: 'Check the configuration, database, storage, mail server and identity provider',
  options: {
    start: { does: 'Only what would keep a server from starting' },
    restarts: {
      value: 'PID',
      does: 'For --start: the running server that the new one replaces. Its ports count as free',
    },
    backups: {
      value: 'FOLDER',
      does: 'Only that the newest backup in FOLDER is less than 26 hours old, authentic and undamaged',
    },
    identity: { value: 'FILE', does: 'For --backups: the file with the secret key of encrypted backups' },
  },
  details: [
    'Prints one line per check and changes nothing. Exit code 1: something failed.',
    '--backups needs the LINK_SECRET of the backup. It reads up to 1 GB, and checks only the size of the rest.',
  ],
  run,
};

const ok = (says: string): Finding => ({ state: 'ok', says });
const skipped = (says: string): Finding => ({ state: 'skipped', says });
const warning = (says: string): Finding => ({ state: 'warning', says });

async function run({ isSet, text }: Given): Promise<number> {
  let failed = false;
  const print = (state: Finding['state'], what: string, says: string) => {
    failed ||= state === 'failed';
    console.log(`${state.padEnd(7)}  ${what.padEnd(17)}  ${says}`);
  };
  const { backups } = text;
  const checks: Checks | null =
    backups === undefined
      ? configuredChecks({ onlyStart: isSet('start'), restarts: text.restarts }, print)
      : [['backup', () => checkBackups(backups, text.identity)]];
  for (const [what, check] of checks ?? []) {
    try {
      for (const { state, says } of [await check()].flat()) print(state, what, says);
    } catch (error) {
      print('failed', what, settingLine(error) ?? fullDiskLine(error) ?? reasonOf(error));
    }
  }
  return failed ? exitCodes.failed : exitCodes.ok;
}

/** Null for a wrong configuration. */
function configuredChecks(
  { onlyStart, restarts }: { readonly onlyStart: boolean; readonly restarts: string | undefined },
  print: (state: Finding['state'], what: string, says: string) => void,
) {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigFaults)) throw error;
    for (const line of error.lines) print('failed', 'configuration', line);
    return null;
  }
  print('ok', 'configuration', `APP_ENV is ${config.appEnv}`);
  for (const line of config.warnings) print('warning', 'configuration', line);
  return onlyStart ? startChecksOf(config, restarts) : allChecksOf(config);
}

/** The innermost error: the others only say who noticed it. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const { message, cause } = error as Error;
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return cause instanceof Error ? `${line}: ${reasonOf(cause)}` : line;
}

type Checks = readonly (readonly [string, () => Promise<Finding | Finding[]>])[];

function allChecksOf(config: Config): Checks {
  const { databaseReplicaUrl } = config;
  return [
    ...serverChecksOf(config),
    ...(databaseReplicaUrl
      ? ([['replica', () => settingOf('DATABASE_REPLICA_URL', askDatabase(databaseReplicaUrl))]] as const)
      : []),
    ['disk', () => disk(config)],
    ['storage', () => storage(config)],
    ['mail', () => mail(config)],
    ['identity provider', () => identityProvider(config)],
  ];
}

/** PostgreSQL writes its log ahead in files of 16 MB. */
const startMegabytes = 20;

function startChecksOf(config: Config, restarts?: string): Checks {
  const checks = serverChecksOf(config, restarts);
  if (config.databaseUrl) return checks;
  const isNew = !existsSync(join(config.dataDir, 'database'));
  return [...checks, ['disk', () => disk(config, isNew ? undefined : startMegabytes)]];
}

function serverChecksOf(config: Config, restarts?: string): Checks {
  const { databaseUrl, databaseDirectUrl, metrics } = config;
  return [
    [
      'database',
      () =>
        databaseUrl
          ? settingOf('DATABASE_URL', askOutside(databaseUrl, config))
          : embedded(config, restarts !== undefined),
    ],
    ...(databaseUrl && databaseDirectUrl
      ? ([['direct database', () => settingOf('DATABASE_DIRECT_URL', askDirect(databaseDirectUrl))]] as const)
      : []),
    ['address', () => settingOf('HOST', address(config, restarts))],
    ...(metrics.address
      ? ([['metrics', () => settingOf('METRICS_ADDRESS', address(metrics.address!, restarts))]] as const)
      : []),
  ];
}

/** A running server already has its addresses; of `restarts`, if it is known, only these are accepted. */
async function address(wanted: { host: string; port: number }, restarts: string | undefined): Promise<Finding> {
  const { host, port } = wanted;
  const release = await reservePort(wanted).catch((error) => {
    const isOthers = restarts !== undefined && portsOf(restarts)?.has(port) === false;
    if (error.code !== 'EADDRINUSE' || isOthers) throw error;
  });
  await release?.();
  return ok(release ? `${host}, port ${port}` : `${host}, port ${port} is in use now`);
}

/** The ports where a process listens, from Linux's /proc; null on other systems. */
function portsOf(pid: string): ReadonlySet<number> | null {
  try {
    const folder = join('/proc', pid);
    const files = readdirSync(join(folder, 'fd')).map((file) => readlinkSync(join(folder, 'fd', file)));
    const sockets = new Set(files);
    const lines = ['tcp', 'tcp6'].flatMap((kind) =>
      readFileSync(join(folder, 'net', kind), 'utf8')
        .split('\n')
        .slice(1),
    );
    const held = lines
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === listeningState && sockets.has(`socket:[${fields[9]}]`));
    return new Set(held.map((fields) => Number.parseInt(fields[1]?.split(':')[1] ?? '', 16)));
  } catch {
    return null;
  }
}

const listeningState = '0A';

/** A server that runs or has run has a database, so a start creates none. */
async function embedded(config: Config, isRestart: boolean): Promise<Finding | Finding[]> {
  if (isRestart || hasServed()) assertDatabaseIn(config.dataDir);
  if (!existsSync(join(config.dataDir, 'database'))) {
    assertUsableFolder(config.dataDir);
    await assertNoOtherDatabase(config);
    return skipped(`embedded, not created yet: \`serve\` or \`migrate\` creates it in ${config.dataDir}`);
  }
  const { url, stop } = await joinCommandDatabase({ ...config, warnings: [] }, 'a check');
  return askDatabase(url, config).finally(stop);
}

async function askOutside(url: string, config: Config): Promise<Finding[]> {
  await assertAddresses(url, config);
  return askDatabase(url, config);
}

async function askDirect(url: string): Promise<Finding[]> {
  await assertNoPooler(url, { sets: false });
  return askDatabase(url);
}

/** `config`: the configuration of a server that would start on it. */
async function askDatabase(url: string, config?: Config): Promise<Finding[]> {
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
      if (version.state === 'empty' && hasServed()) assertCurrentSchema(version);
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
    return [
      ok(`PostgreSQL ${server.split(' ')[0]}, database ${name}, ${schema}, user ${who}${role}`),
      ...(config && version.state === 'current' ? await settingWarnings(client, config) : []),
    ];
  } finally {
    await client.end();
  }
}

/** Settings that this database makes useless, or that don't fit it. */
async function settingWarnings(client: pg.Client, config: Config): Promise<Finding[]> {
  const queries = drizzle(client);
  const zone = await zoneWarning(queries, config.companyTimeZone);
  const isIgnored = config.firstAdmin !== undefined && (await hasPeople(queries));
  const ignored = 'ADMIN_EMAIL and ADMIN_PASSWORD are ignored, because this database has people. Remove both';
  return [...(zone === null ? [] : [warning(zone)]), ...(isIgnored ? [warning(ignored)] : [])];
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
  return openFileStore({ dataDir, url: filesUrl, creates: false });
}

async function storage(config: Config): Promise<Finding[]> {
  const { dataDir, filesUrl } = config;
  assertUsableFolder(dataDir);
  const files = await filesOf(config);
  const folder = join(dataDir, 'files');
  if (!files) return [skipped(`folder ${folder}, not created yet: the first start creates it`)];
  await probeFileStore(files).catch((error) => {
    throw filesUrl ? error : folderFailure(dataDir, error);
  });
  const where = filesUrl ? `bucket ${new URL(filesUrl).hostname}` : `folder ${folder}`;
  const unused = `${folder} isn’t used, because FILES_URL is set. Once the bucket has its files, you can delete it`;
  return [ok(`${where}: wrote, read and removed a file`), ...(filesUrl && existsSync(folder) ? [warning(unused)] : [])];
}

async function disk({ dataDir }: Config, leastMegabytes?: number): Promise<Finding[]> {
  if (!existsSync(dataDir)) return [skipped(`folder ${dataDir}, not created yet`)];
  const reason = await fullSoon(dataDir, leastMegabytes);
  const left = oldDrafts(dataDir);
  return [
    reason ? { state: 'failed', says: `The disk of ${dataDir} ${reason}` } : ok(`${dataDir} has enough free space`),
    ...(left.length > 0 ? [warning(`Left by a killed program, you can delete: ${left.join(', ')}`)] : []),
  ];
}

/** Drafts of files that are written in one step; a day later, no program has them. */
function oldDrafts(dataDir: string): string[] {
  const dayAgo = Temporal.Now.instant().subtract({ hours: 24 }).epochMilliseconds;
  const isOld = (path: string) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? dayAgo) < dayAgo;
  const drafts = readdirSync(dataDir).filter((name) => /\.draft-\d+$/.test(name));
  return drafts.map((name) => join(dataDir, name)).filter(isOld);
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
