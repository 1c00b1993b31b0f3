// Opens everything that the server stands on, in order, and closes it in the reverse one.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { isAdmin } from '#core/access.ts';
import { type AppParts, buildApp } from './app.ts';
import { startSealing } from './audit/seal-audit.ts';
import type { Config } from './config.ts';
import { databaseClock } from './db/clock.ts';
import { openDatabase } from './db/database.ts';
import { startEmbedded } from './db/embedded.ts';
import { keptSecret } from './db/kept-secret.ts';
import { migrate } from './db/migrate.ts';
import { openReader, readerOf } from './db/reader.ts';
import { demoAccounts } from './demo/demo-accounts.ts';
import { seedDemo } from './demo/seed.ts';
import { openLiveChanges } from './live/live.service.ts';
import { openMailer } from './mail/mailer.ts';
import { startKeepingNotices } from './notices/keep-notices.ts';
import { openFileStore } from './outside/files.ts';
import { ensureFirstAdmin, personExists } from './people/people.service.ts';
import { loadSettings } from './settings/settings.service.ts';
import { startKeepingSprints } from './sprints/keep-sprints.ts';

export type RunningServer = {
  /** What whoever started it wants to read. */
  readonly greeting: readonly string[];
  /** Goes on answering for so long, so that whoever spreads requests over several servers sees that it stops. */
  stop(drainSeconds?: number): Promise<void>;
};

const gentleMs = 5_000;

type Step = () => Promise<unknown> | unknown;

export async function startServer(config: Config, log: FastifyBaseLogger): Promise<RunningServer> {
  const opened: Step[] = [];
  const stopping = new AbortController();
  const stop = async (drainSeconds = 0) => {
    stopping.abort();
    if (drainSeconds > 0) await sleep(drainSeconds * 1_000);
    for (const close of opened.reverse()) await close();
  };
  try {
    const parts = { ...(await openParts(config, log, (close) => opened.push(close))), stopping: stopping.signal };
    const sprints = await startKeepingSprints(parts);
    opened.push(() => sprints.stop());
    // Before the jobs begin, as it asks the database: where there are hardly connections enough, it would not get one beside them.
    const app = await buildApp(parts);
    const notices = startKeepingNotices(parts);
    opened.push(() => notices.stop());
    const sealing = startSealing(parts);
    opened.push(() => sealing.stop());
    opened.push(() => closeGently(app));
    const address = await app.listen({ port: config.port, host: config.host });
    return { greeting: greeting(config, address, parts.pages.demo), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Requests that are under way are answered; connections that only stay open, or send too slowly, do not hold the end up. */
async function closeGently(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), gentleMs);
  await app.close().finally(() => clearTimeout(timer));
}

async function openParts(
  config: Config,
  log: FastifyBaseLogger,
  onStop: (close: Step) => void,
): Promise<Omit<AppParts, 'stopping'>> {
  const { dataDir } = config;
  const url = config.databaseUrl ?? (await embeddedUrl(dataDir, log, onStop));
  const { databaseDirectUrl: directUrl = url } = config;
  const throughPooler = config.databaseDirectUrl !== undefined;
  const { role } = await migrate({ url: directUrl, log });
  const database = openDatabase({ url, role, throughPooler, log });
  onStop(() => database.close());
  const { databaseReplicaUrl } = config;
  const reader = databaseReplicaUrl
    ? openReader({ url: databaseReplicaUrl, throughPooler, database, log })
    : readerOf(database);
  onStop(() => reader.close());
  const clock = await databaseClock(database, log);
  onStop(() => clock.stop());
  const demo = await loadPeople({ config, database, clock, log });
  const live = await openLiveChanges({ url: directUrl, log });
  onStop(() => live.close());
  const linkSecret = config.linkSecret ?? keptSecret(join(dataDir, 'link-secret'));
  const files = await openFileStore({ dataDir, url: config.filesUrl });
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
    pages: { demo },
  };
}

async function embeddedUrl(dataDir: string, log: FastifyBaseLogger, onStop: (close: Step) => void): Promise<string> {
  const embedded = await startEmbedded({ dataDir, log });
  onStop(() => embedded.stop());
  return embedded.url;
}

/** Fills an empty database, and tells whether the demo company is in it. */
async function loadPeople({
  config,
  database,
  clock,
  log,
}: { config: Config } & Pick<AppParts, 'database' | 'clock' | 'log'>): Promise<boolean> {
  const now = clock.now();
  if (config.demo) await seedDemo(database, { now, zone: config.companyTimeZone, password: config.demoPassword, log });
  else if (config.firstAdmin) await ensureFirstAdmin(database, config.firstAdmin, now);
  const demoAdmin = demoAccounts.find(isAdmin);
  return config.demo && demoAdmin !== undefined && (await personExists(database.drizzle, demoAdmin.email));
}

function greeting(config: Config, address: string, demo: boolean): string[] {
  const lines = [...(config.dataDirNote ? [config.dataDirNote] : []), '', `${config.appName} is at ${address}`, ''];
  if (!demo) return lines;
  return [
    ...lines,
    `Demo accounts, all with the password ${config.demoPassword}:`,
    ...demoAccounts.map(({ email, can }) => `  ${email.padEnd(24)} ${can}`),
    '',
  ];
}
