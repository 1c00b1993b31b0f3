// What whoever runs the server asks it: does the process live, can it do its work, how much of it.
import { statfs } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { chainState } from '../audit/seal-audit.ts';
import type { Services } from '../context.ts';
import { isMigratedQuery, isNeverMigrated } from '../db/migrate.ts';

const config = { access: 'public' } as const;
const answerMs = 2_000;
const notMigrated = 'is not migrated to this version';
const smallestFreeBytes = 100 * 1024 * 1024;
const largestSkewMs = 30_000;

type Checked = Pick<Services, 'database' | 'clock' | 'config' | 'log'>;

const checks = { database: databaseReason, disk: diskReason, clock: clockReason } as const;

/** Why the server cannot do its work now, by what is asked; empty when it can. */
export async function reasonsNotReady(services: Checked): Promise<Record<string, string>> {
  const asked = Object.entries(checks).map(async ([name, check]) => [name, await check(services)] as const);
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

/** The database's clock counts (D4); one that far from ours is wrong somewhere, and log lines will not match. */
async function clockReason({ clock }: Checked): Promise<string | null> {
  const { skewMs = 0 } = clock as { skewMs?: number };
  if (Math.abs(skewMs) <= largestSkewMs) return null;
  return `is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'behind' : 'ahead of'} the database`;
}

/** `stopping` is aborted when the server was told to stop: whoever spreads requests over several sends it no more. */
export function registerHealth(app: FastifyInstance, services: Services, stopping: AbortSignal): void {
  app.get('/healthz', { config, logLevel: 'warn' }, async () => ({ ok: true }));
  app.get('/readyz', { config, logLevel: 'warn' }, async (_request, reply) => {
    const reasons = stopping.aborted ? { server: 'is stopping' } : await reasonsNotReady(services);
    const ready = Object.keys(reasons).length === 0;
    return reply.code(ready ? 200 : 503).send({ ready, ...(ready ? {} : { reasons }) });
  });
  registerMetrics(app, services);
}

function registerMetrics(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const register = new Registry();
  collectDefaultMetrics({ register });
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [register],
  });
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool',
    labelNames: ['state'],
    registers: [register],
    collect() {
      const { idle, used, waitedFor } = database.connections();
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'used' }, used);
      this.set({ state: 'waited for' }, waitedFor);
    },
  });
  registerStates(register, services);
  app.addHook('onResponse', async (request, reply) => {
    // The route's pattern, as what people type would make a series each.
    const route = request.routeOptions.url ?? 'unknown';
    seconds.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  });
  app.get('/metrics', { config, logLevel: 'warn' }, async (_request, reply) =>
    reply.type(register.contentType).send(await register.metrics()),
  );
}

/** What is asked when somebody looks; nothing is known of the log while the database cannot be reached. */
function registerStates(register: Registry, services: Services): void {
  new Gauge({
    name: 'not_ready',
    help: 'Whether this check says that the server cannot do its work',
    labelNames: ['check'],
    registers: [register],
    async collect() {
      const reasons = await reasonsNotReady(services);
      for (const check of Object.keys(checks)) this.set({ check }, check in reasons ? 1 : 0);
    },
  });
  new Gauge({
    name: 'audit_rows_unsealed',
    help: 'Rows of the audit log that are not in its chain yet',
    registers: [register],
    async collect() {
      const state = await chainState(services).catch(() => null);
      this.set(state?.unsealed ?? Number.NaN);
    },
  });
}
