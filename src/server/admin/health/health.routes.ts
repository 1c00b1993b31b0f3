// Health checks for load balancers and operators: is the process alive, and can it do its work?
import { statfs } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/platform/context.ts';
import { isMigratedQuery, isNeverMigrated } from '#server/platform/db/migrate.ts';
import { placeReason } from '#server/platform/installation/files-place.ts';

const config = { access: 'public' } as const;
const answerMs = 2_000;
const notMigrated = 'is not migrated to this version';
const smallestFreeBytes = 100 * 1024 * 1024;
const largestSkewMs = 30_000;

type Checked = Pick<Services, 'database' | 'clock' | 'config' | 'files' | 'log'>;

export const readyChecks = {
  database: databaseReason,
  disk: diskReason,
  clock: clockReason,
  files: placeReason,
} as const;

/** Why the server isn't ready, by check; empty when it is. */
export async function reasonsNotReady(services: Checked): Promise<Record<string, string>> {
  const asked = Object.entries(readyChecks).map(async ([name, check]) => [name, await check(services)] as const);
  const reasons = await Promise.all(asked);
  return Object.fromEntries(reasons.filter((entry): entry is [string, string] => entry[1] !== null));
}

const migratedQuery = isMigratedQuery();

async function databaseReason({ database, log }: Checked): Promise<string | null> {
  const asked = database.pool.query<{ migrated: boolean }>(migratedQuery);
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, answerMs, 'late').unref());
  try {
    const answer = await Promise.race([asked, late]);
    if (answer === 'late') return 'does not answer in time';
    return answer.rows[0]?.migrated ? null : notMigrated;
  } catch (error) {
    if (isNeverMigrated(error)) return notMigrated;
    log.warn({ err: error }, 'the database does not answer');
    return 'cannot be reached';
  }
}

async function diskReason({ config: { dataDir } }: Checked): Promise<string | null> {
  const volume = await statfs(dataDir).catch(() => null);
  if (volume === null) return 'the data folder cannot be read';
  return volume.bavail * volume.bsize < smallestFreeBytes ? 'is almost full' : null;
}

/**
 * The database's clock counts (D4). A large difference means one clock is wrong, and log times won't match.
 */
async function clockReason({ clock }: Checked): Promise<string | null> {
  const { skewMs = 0 } = clock as { skewMs?: number };
  if (Math.abs(skewMs) <= largestSkewMs) return null;
  return `is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'behind' : 'ahead of'} the database`;
}

/** `stopping` is aborted when the server was told to stop: load balancers then stop sending requests. */
export function registerHealth(app: FastifyInstance, services: Services, stopping: AbortSignal): void {
  app.get('/healthz', { config, logLevel: 'warn' }, async () => ({ ok: true }));
  app.get('/readyz', { config, logLevel: 'warn' }, async (_request, reply) => {
    const reasons = stopping.aborted ? { server: 'is stopping' } : await reasonsNotReady(services);
    const ready = Object.keys(reasons).length === 0;
    return reply.code(ready ? 200 : 503).send({ ready, ...(ready ? {} : { reasons }) });
  });
}
