// Health checks for load balancers and operators: is the process alive, and can it do its work?
import { access } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { fullSoon } from '#server/platform/config/usable-folder.ts';
import type { Services } from '#server/platform/context.ts';
import { isMigratedQuery, isNeverMigrated } from '#server/platform/db/migrate.ts';
import { filesFound } from '#server/platform/installation/files-place.ts';

const config = { access: 'public', turn: 'own' } as const;
const answerMs = 2_000;
const notMigrated = 'is not migrated to this version';
const largestSkewMs = 30_000;

type Checked = Pick<Services, 'database' | 'clock' | 'config' | 'files' | 'log'>;

/** Without these a server can't work. */
const needs = {
  database: databaseReason,
  data: ({ config }: Checked) =>
    access(config.dataDir).then(
      () => null,
      () => 'the data folder cannot be read',
    ),
  files: async (services: Checked) => (await filesFound(services)).reason,
} as const;
/**
 * An operator should know, but the server works: a load balancer that left it out would take the product
 * down.
 */
const warnings = {
  disk: ({ config }: Checked) => fullSoon(config.dataDir),
  clock: clockReason,
  store: async (services: Checked) => (await filesFound(services)).warning,
} as const;

export const readyChecks = Object.keys({ ...needs, ...warnings });

async function faultsOf(
  checks: Readonly<Record<string, (services: Checked) => Promise<string | null>>>,
  services: Checked,
): Promise<Record<string, string>> {
  const asked = Object.entries(checks).map(async ([name, check]) => [name, await check(services)] as const);
  const reasons = await Promise.all(asked);
  return Object.fromEntries(reasons.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** What is wrong, by check; empty when nothing is. */
export const healthFaults = (services: Checked): Promise<Record<string, string>> =>
  faultsOf({ ...needs, ...warnings }, services);

const migratedQuery = isMigratedQuery();

async function databaseReason({ database, log }: Checked): Promise<string | null> {
  const asked = database.pool.query<{ migrated: boolean }>(migratedQuery);
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, answerMs, 'late').unref());
  try {
    const answer = await Promise.race([asked, late]);
    if (answer === 'late') return 'does not respond in time';
    return answer.rows[0]?.migrated ? null : notMigrated;
  } catch (error) {
    if (isNeverMigrated(error)) return notMigrated;
    log.warn({ err: error }, 'the database does not answer');
    return 'cannot be reached';
  }
}

/**
 * The database's clock counts (D4). A large difference means one clock is wrong, and log times won't match.
 */
async function clockReason({ clock }: Checked): Promise<string | null> {
  const { skewMs = 0 } = clock as { skewMs?: number };
  if (Math.abs(skewMs) <= largestSkewMs) return null;
  return `is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'behind' : 'ahead of'} the database`;
}

const isEmpty = (found: object): boolean => Object.keys(found).length === 0;

/** Callers that come while a check runs share it: anyone can ask any number of times. */
function sharedCheck(services: Checked) {
  const look = async () => ({ reasons: await faultsOf(needs, services), found: await faultsOf(warnings, services) });
  let running: ReturnType<typeof look> | null = null;
  return () => {
    running ??= look().finally(() => {
      running = null;
    });
    return running;
  };
}

/** `stopping` is aborted when the server was told to stop: load balancers then stop sending requests. */
export function registerHealth(app: FastifyInstance, services: Services, stopping: AbortSignal): void {
  const check = sharedCheck(services);
  app.get('/healthz', { config, logLevel: 'warn' }, async () => ({ ok: true }));
  app.get('/readyz', { config, logLevel: 'warn' }, async (_request, reply) => {
    const { found, ...checked } = await check();
    const reasons = stopping.aborted ? { server: 'is stopping' } : checked.reasons;
    const ready = isEmpty(reasons);
    const answer = { ready, ...(ready ? {} : { reasons }), ...(isEmpty(found) ? {} : { warnings: found }) };
    return reply.code(ready ? 200 : 503).send(answer);
  });
}
