// Opens the server's parts in order, and closes them in reverse.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { assertAddresses, isWrongBucket, settingLine, settingOf } from '#server/admin/setting-failures.ts';
import { demoAccounts } from '#server/demo/demo-accounts.ts';
import { startKeepingNotices } from '#server/notifications/keep-notices.ts';
import { zoneWarning } from '#server/numbers/batch.service.ts';
import { startDeletingOldNumbers } from '#server/numbers/import/retention.service.ts';
import { startSealing } from '#server/platform/audit/seal-audit.ts';
import { BackgroundWork } from '#server/platform/background-work.ts';
import { type Config, everyAddress } from '#server/platform/config/config.ts';
import { assertUsableFolder, fullSoon } from '#server/platform/config/usable-folder.ts';
import { databaseClock } from '#server/platform/db/clock.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { startEmbedded } from '#server/platform/db/embedded.ts';
import { assertDatabaseIn } from '#server/platform/db/join-database.ts';
import { linkSecretFile, loadOrCreateSecret } from '#server/platform/db/kept-secret.ts';
import { assertCurrentSchema, migrate, schemaVersionAt } from '#server/platform/db/migrate.ts';
import { openReader, readerOf } from '#server/platform/db/reader.ts';
import { assertNoOtherDatabase, checkFilesPlace } from '#server/platform/installation/files-place.ts';
import { checkInstallation } from '#server/platform/installation/installation.service.ts';
import { openLiveChanges } from '#server/platform/live/live.service.ts';
import { openMailer } from '#server/platform/mail/mailer.ts';
import { programVersion } from '#server/platform/program.ts';
import { loadSettings } from '#server/platform/settings/settings.service.ts';
import { type FileStore, openFileStore, probeFileStore } from '#server/platform/storage/files.ts';
import { startTelemetry } from '#server/platform/telemetry/telemetry.ts';
import { startKeepingSprints } from '#server/tasks/sprints/keep-sprints.ts';
import { ensureSprints, sprintCalendar } from '#server/tasks/sprints/sprints.service.ts';
import { type AppParts, buildApp } from './app.ts';
import { connectAreas } from './connect-areas.ts';
import { loadFirstPeople } from './first-people.ts';
import { assertOwnDatabase } from './own-database.ts';
import { reservePort } from './reserve-port.ts';

export type RunningServer = {
  /** The lines for the operator. */
  readonly greeting: readonly string[];
  /** Keeps answering for this long, so load balancers notice that it stops. */
  stop(drainSeconds?: number): Promise<void>;
};

const gentleMs = 5_000;

type Step = () => Promise<unknown> | unknown;
const closing = async (close: Step): Promise<unknown> => close();

export type StartOptions = {
  /** False: a database that needs a migration stops the start. */
  readonly migrates?: boolean;
  /** False: a database that is missing or empty stops the start. */
  readonly creates?: boolean;
  /** Aborted when the server should stop during its start, which then throws the reason. */
  readonly signal?: AbortSignal;
};

export async function startServer(
  config: Config,
  log: FastifyBaseLogger,
  options: StartOptions = {},
): Promise<RunningServer> {
  const opened: Step[] = [];
  const stopping = new AbortController();
  const stop = async (drainSeconds = 0) => {
    stopping.abort();
    if (drainSeconds > 0) await sleep(drainSeconds * 1_000);
    // A failure doesn't keep the others open.
    const failures: unknown[] = [];
    for (const close of opened.reverse()) await closing(close).catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    connectAreas();
    assertUsableFolder(config.dataDir);
    const releasePort = await settingOf('HOST', reservePort(config));
    opened.push(releasePort, await startTelemetry(config.telemetry, log));
    const notes: string[] = [];
    const opening: Opening = {
      ...options,
      config,
      log,
      onStop: (close) => opened.push(close),
      note: (...lines) => notes.push(...lines),
    };
    const background = new BackgroundWork(stopping.signal);
    const parts = { ...(await openParts(opening)), stopping: stopping.signal, background };
    // Before the database closes.
    opened.push(() => background.ended());
    await ensureSprints(parts.database, parts.clock.now(), sprintCalendar(parts));
    // Before the jobs, which could take the last connections to the database.
    notes.push(...(await zoneWarnings(parts)));
    const app = await buildApp(parts);
    const sprints = startKeepingSprints(parts);
    opened.push(() => sprints.stop());
    const notices = startKeepingNotices(parts);
    opened.push(() => notices.stop());
    const retention = startDeletingOldNumbers(parts);
    opened.push(() => retention.stop());
    const sealing = startSealing(parts);
    opened.push(() => sealing.stop());
    opened.push(() => closeGently(app));
    options.signal?.throwIfAborted();
    await releasePort();
    const address = await settingOf('HOST', app.listen({ port: config.port, host: config.host }));
    notes.push(...(await diskWarnings(config)));
    return { greeting: [...notes, ...greeting(config, address, parts.pages.demo)], stop };
  } catch (error) {
    await stop().catch((err) => log.warn({ err }, 'not everything could be closed after a start that failed'));
    throw error;
  }
}

/** Running requests are answered; idle or slow connections don't delay the end. */
async function closeGently(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), gentleMs);
  await app.close().finally(() => clearTimeout(timer));
}

type Opening = StartOptions & {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  readonly onStop: (close: Step) => void;
  /** Prints lines for the operator. */
  readonly note: (...lines: readonly string[]) => void;
};

async function openParts(opening: Opening): Promise<Omit<AppParts, 'stopping' | 'background'>> {
  const { config, log, onStop, migrates = true, creates = true, signal } = opening;
  const url = config.databaseUrl ?? (await embeddedUrl(opening));
  signal?.throwIfAborted();
  const { dataDir, databaseDirectUrl: directUrl = url, databaseReplicaUrl, databasePoolSize: poolSize } = config;
  const throughPooler = config.databaseDirectUrl !== undefined;
  const store = { dataDir, url: config.filesUrl };
  const found = await openFileStore({ ...store, creates: false });
  if (config.databaseUrl) await assertAddresses(config.databaseUrl, config);
  // Before the migration: a refused server leaves another installation's database alone.
  const version = await settingOf(
    'database',
    // Without a migration, the file store is checked later, because an unavailable one answers slowly.
    schemaVersionAt(directUrl, (client, { state }) =>
      assertOwnDatabase(client, config, state === 'current' ? null : found),
    ),
  );
  if (!migrates || (!creates && version.state === 'empty')) assertCurrentSchema(version);
  // The place was accepted just now. Servers that start at once share it: trying it mustn't make and remove it.
  if (version.state !== 'current') await openFileStore(store);
  if (config.filesUrl || version.state !== 'current')
    opening.note(...(await tryFileStore(found, version.state !== 'current', log)));
  const { role } = await settingOf('database', migrate({ url: directUrl, log }));
  signal?.throwIfAborted();
  const database = openDatabase({ url, role, poolSize, throughPooler, log });
  onStop(() => database.close());
  const reader = databaseReplicaUrl
    ? openReader({ url: databaseReplicaUrl, poolSize, throughPooler, database, log })
    : readerOf(database);
  onStop(() => reader.close());
  // The first use of this connection; the direct one has been used before.
  const clock = await (config.databaseUrl
    ? settingOf('DATABASE_URL', databaseClock(database, log))
    : databaseClock(database, log));
  onStop(() => clock.stop());
  // Before the first person and folder: a refused server leaves a new database and a wrong place empty.
  await checkFilesPlace({ database, files: found, config });
  const files = await openFileStore(store);
  const people = await loadFirstPeople({ config, database, clock, log });
  opening.note(...people.notes);
  // Last: a refused start must not be recorded.
  const linkSecret = config.linkSecret ?? loadOrCreateSecret(linkSecretFile(dataDir));
  await checkInstallation(database, { ...config, linkSecret });
  const live = await openLiveChanges({ url: directUrl, log });
  onStop(() => live.close());
  const settings = await loadSettings({ database, live, log });
  onStop(() => settings.stop());
  return {
    config: { ...config, linkSecret },
    database,
    reader,
    clock,
    live,
    mail: openMailer(config),
    files,
    settings: settings.current,
    log,
    pages: { demo: people.demo },
  };
}

/** Without a migration a server starts even if the file store is down, but not if its address is wrong. */
async function tryFileStore(files: FileStore, isNeeded: boolean, log: FastifyBaseLogger): Promise<string[]> {
  try {
    await probeFileStore(files);
    return [];
  } catch (error) {
    if (isNeeded || isWrongBucket(error)) throw error;
    log.info({ err: error }, 'file storage is unreachable');
    const what = settingLine(error) ?? 'The bucket of FILES_URL doesn’t respond. Check it, or fix FILES_URL.';
    return [`Warning: ${what} Until then, attached files can’t be opened or added. Everything else works.`];
  }
}

/** A database that is short of connections for a moment must not stop a start for a warning. */
async function zoneWarnings({
  database,
  config,
  log,
}: Pick<AppParts, 'database' | 'config' | 'log'>): Promise<string[]> {
  const warning = await zoneWarning(database.drizzle, config.companyTimeZone).catch((err) => {
    log.warn({ err }, 'the time zone of the numbers could not be read');
    return null;
  });
  return warning === null ? [] : [`Warning: ${warning}`];
}

async function diskWarnings({ dataDir }: Config): Promise<string[]> {
  const reason = await fullSoon(dataDir);
  return reason ? [`Warning: the disk of ${dataDir} ${reason}. Free some space, or saving will fail.`] : [];
}

async function embeddedUrl({ config, creates = true, log, onStop, note }: Opening): Promise<string> {
  const { dataDir } = config;
  if (creates) await assertNoOtherDatabase(config);
  else assertDatabaseIn(dataDir);
  const embedded = await startEmbedded({ dataDir, log });
  onStop(() => embedded.stop());
  note(...embedded.notes);
  return embedded.url;
}

/** What is in the data folder, if anything is. */
function placeLines({ dataDir, databaseUrl, filesUrl }: Config): string[] {
  if (!databaseUrl) return [`Data is in ${realpathSync(dataDir)}.`, ''];
  return filesUrl ? [] : [`Files are in ${join(realpathSync(dataDir), 'files')}.`, ''];
}

function greeting(config: Config, address: string, demo: boolean): string[] {
  const name = `${config.appName} ${programVersion()}`;
  const where = everyAddress.includes(config.host)
    ? `${name} is at ${address} and at every other address of this machine`
    : `${name} is at ${address}`;
  const lines = [...placeLines(config), where, ''];
  if (!demo) return lines;
  return [
    ...lines,
    `Demo accounts, all with the password ${config.demoPassword}:`,
    ...demoAccounts.map(({ email, can }) => `  ${email.padEnd(24)} ${can}`),
    '',
  ];
}
