// Metrics for Prometheus. Closed unless METRICS_TOKEN or METRICS_ADDRESS opens them, because they reveal how
// a company works.
import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { refuse } from '#core/base/refusals.ts';
import { chainState } from '#server/platform/audit/seal-audit.ts';
import type { Services } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { hashText } from '#server/platform/hash-text.ts';
import { offerMetrics } from '#server/platform/telemetry/telemetry.ts';
import { settingOf } from '../setting-failures.ts';
import { healthFaults, readyChecks } from './health.routes.ts';

/** The prefix that separates our names from others in Prometheus. */
const prefix = 'staff_dashboard_';

function mayRead(token: string | undefined, authorization: string | undefined): boolean {
  if (token === undefined) return true;
  return timingSafeEqual(hashText(authorization ?? ''), hashText(`Bearer ${token}`));
}

export function registerMetrics(app: FastifyInstance, services: Services): void {
  const register = createRegistry(app, services);
  const { address, token } = services.config.metrics;
  offerMetrics(register);
  if (address !== undefined) listenForMetrics(app, services, register);
  // Without a token it looks like any unknown address.
  app.get('/metrics', { config: { access: 'public', turn: 'own' }, logLevel: 'warn' }, async (request, reply) => {
    const isHere = address === undefined && token !== undefined;
    if (!isHere) throw new RefusalError(refuse('NOT_FOUND'));
    if (!mayRead(token, request.headers.authorization)) throw new RefusalError(refuse('NOT_SIGNED_IN'));
    return reply.type(register.contentType).send(await register.metrics());
  });
}

/** A separate listener from when the server is ready until it closes. */
function listenForMetrics(app: FastifyInstance, { config: { metrics }, log }: Services, register: Registry): void {
  const answer = async ({ method, url, headers }: IncomingMessage, response: ServerResponse) => {
    const status =
      url !== '/metrics' ? 404 : method !== 'GET' ? 405 : mayRead(metrics.token, headers.authorization) ? 200 : 401;
    const body = status === 200 ? await register.metrics() : '';
    response.writeHead(status, { 'content-type': register.contentType }).end(body);
  };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    answer(request, response).catch((error) => {
      log.error({ err: error }, 'metrics could not be collected');
      response.destroy();
    });
  });
  app.addHook('onReady', async () => {
    server.listen(metrics.address);
    await settingOf('METRICS_ADDRESS', once(server, 'listening'));
    log.info({ address: server.address() }, 'metrics are at their own address');
  });
  app.addHook('onClose', async () => {
    server.close();
    server.closeAllConnections();
  });
}

function createRegistry(app: FastifyInstance, services: Services): Registry {
  const { database } = services;
  const register = new Registry();
  collectDefaultMetrics({ register, prefix });
  const seconds = new Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: 'Time from the first byte of a request to the last of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [register],
  });
  new Gauge({
    name: `${prefix}database_connections`,
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
  new Gauge({
    name: `${prefix}http_connections`,
    help: 'Open connections. Each open page has at least one',
    registers: [register],
    async collect() {
      this.set(await promisify(app.server.getConnections.bind(app.server))());
    },
  });
  registerStates(register, services);
  app.addHook('onResponse', async (request, reply) => {
    // The route's pattern: otherwise each typed path would be a series.
    const route = request.routeOptions.url ?? 'unknown';
    const method = methods.has(request.method) ? request.method : 'other';
    seconds.observe({ method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  });
  return register;
}

/** Anyone can send any word as a method. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measured on request. The audit log's value is unknown while the database is unreachable. */
function registerStates(register: Registry, services: Services): void {
  new Gauge({
    name: `${prefix}not_ready`,
    help: '1 if this check of /readyz fails',
    labelNames: ['check'],
    registers: [register],
    async collect() {
      const reasons = await healthFaults(services);
      for (const check of readyChecks) this.set({ check }, check in reasons ? 1 : 0);
    },
  });
  new Gauge({
    name: `${prefix}audit_rows_unsealed`,
    help: 'Audit rows not yet in the chain',
    registers: [register],
    async collect() {
      const state = await chainState(services).catch(() => null);
      this.set(state?.unsealed ?? Number.NaN);
    },
  });
  new Gauge({
    name: `${prefix}audit_oldest_unsealed_seconds`,
    help: 'Age of the oldest audit row not yet in the chain, 0 if none',
    registers: [register],
    async collect() {
      const state = await chainState(services).catch(() => null);
      this.set(state?.oldestUnsealedSeconds ?? Number.NaN);
    },
  });
}
