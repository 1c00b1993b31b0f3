// The composition root: `buildApp` receives all parts of the server and wires them.
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { refuse } from '#core/base/refusals.ts';
import { registerAuth } from '#server/access/auth/auth.routes.ts';
import { registerAccess } from '#server/access/auth/route-access.ts';
import { registerFactors } from '#server/access/factors/factors.routes.ts';
import { bindGroupRoles } from '#server/access/single-sign-on/group-roles.service.ts';
import { registerSingleSignOn } from '#server/access/single-sign-on/single-sign-on.routes.ts';
import { registerAuditExport } from '#server/admin/audit/audit.routes.ts';
import { registerHealth } from '#server/admin/health/health.routes.ts';
import { registerMetrics } from '#server/admin/health/metrics.routes.ts';
import { keepDemoLocal } from '#server/demo/demo-guard.ts';
import { registerExport } from '#server/numbers/export.routes.ts';
import { registerImport } from '#server/numbers/import/import.routes.ts';
import { keepEnvironmentDefault } from '#server/people/approvers.service.ts';
import { registerPeopleExport } from '#server/people/people-export.routes.ts';
import { registerPeopleImport } from '#server/people/people-import.routes.ts';
import type { Config } from '#server/platform/config/config.ts';
import type { Services } from '#server/platform/context.ts';
import { answerFailure } from '#server/platform/graphql/failures.ts';
import { registerGraphql } from '#server/platform/graphql/graphql-server.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { readJsonBodies } from '#server/platform/http/json-bodies.ts';
import { endSilentConnections } from '#server/platform/http/silent-connections.ts';
import { warnOfUntrustedProxy } from '#server/platform/http/untrusted-proxy.ts';
import { registerWebHeaders } from '#server/platform/http/web-headers.ts';
import { registerKeyCleaning } from '#server/platform/idempotency/idempotency.service.ts';
import { observeRequests } from '#server/platform/telemetry/observe-requests.ts';
import { registerAttachments } from '#server/tasks/attachments/attachments.routes.ts';
import { registerBonusExport } from '#server/toolbox/bonus/bonus-export.routes.ts';
import { registerCalendar } from '#server/toolbox/schedule/calendar.routes.ts';
import { connectAreas } from './connect-areas.ts';
import { type Pages, registerPages } from './pages.ts';
import { schema } from './schema.ts';

export type AppParts = Services & {
  readonly pages: Pages;
  /** Aborted when the server should stop. */
  readonly stopping: AbortSignal;
};

/** In milliseconds; slower senders are disconnected. Only uploads can take as long as `upload`. */
const timeouts = { headers: 10_000, body: 15_000, upload: 120_000, silence: 16_000, idle: 72_000, check: 1_000 };
/** Each open page holds one for live changes, about 60 KB, and some more for a while. */
const mostConnections = 10_000;
const droppedEveryMs = 60_000;

/** Connections beyond the limit are closed at once, which only the log can tell. */
function limitConnections(app: FastifyInstance): void {
  app.server.maxConnections = mostConnections;
  let dropped = 0;
  let quietUntil = 0;
  app.server.on('drop', () => {
    dropped += 1;
    if (performance.now() < quietUntil) return;
    app.log.warn({ dropped, mostConnections }, 'connections are refused: too many are open. Add a server');
    quietUntil = performance.now() + droppedEveryMs;
  });
}

/** Escapes a path with a broken percent sign, for it to be answered like any other unknown address. */
function readablePath(url: string): string {
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

function bareServer(log: FastifyBaseLogger, { trustedProxies }: Config): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    // X-Forwarded-For is only trusted from these proxies.
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    rewriteUrl: ({ url = '/' }) => readablePath(url),
    genReqId: () => randomUUID(),
    // A client could choose a request id to mislead readers of the log.
    requestIdHeader: false,
    // One log line per request instead of two, written when it is answered.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 256 * 1024,
    requestTimeout: timeouts.upload,
    // Disconnects clients that stop sending or reading. Node checks twice before it ends a half-sent answer.
    connectionTimeout: timeouts.silence,
    keepAliveTimeout: timeouts.idle,
    http: {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.upload,
      connectionsCheckingInterval: timeouts.check,
      maxHeaderSize: 16 * 1024,
      // Clients that offer HTTP/2, such as Java's by default, get HTTP/1.1. Node 20 doesn't ask and refuses
      // them.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    forceCloseConnections: 'idle',
    // Open connections can still send requests while the server stops.
    return503OnClosing: false,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  });
  limitConnections(app);
  readJsonBodies(app);
  endSilentConnections(app, timeouts.silence);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
  });
  observeRequests(app);
  app.setErrorHandler(answerFailure);
  return app;
}

const jsonType = /^application\/json(\s*;\s*charset="?utf-8"?)?$/i;
const formType = /^multipart\/form-data\s*;/i;

/**
 * Bodies are JSON, or an upload's form, with an exact content type, whatever parsers a plugin adds: unusual
 * spellings have opened gaps before.
 */
function assertContentType(app: FastifyInstance): void {
  app.addHook('preParsing', async (request) => {
    const { credentials } = request.routeOptions.config ?? {};
    // The body is a plain file, whose type doesn't matter.
    if (credentials === 'file') return;
    const type = request.headers['content-type'];
    const right = credentials === 'form' ? formType : jsonType;
    if (type !== undefined && !right.test(type)) throw new RefusalError(refuse('MEDIA_TYPE_NOT_SUPPORTED'));
  });
}

/** The HTTP server's own limit is the one for uploads, because it doesn't know the route. */
function cutOffSlowBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async (request) => {
    const { raw } = request;
    const { credentials } = request.routeOptions.config ?? {};
    if (raw.complete || credentials === 'form' || credentials === 'file') return;
    const timer = setTimeout(() => raw.complete || raw.destroy(), timeouts.body).unref();
    raw.once('close', () => clearTimeout(timer));
  });
}

/** A stopping server answers and closes connections, and callers reconnect to another server. */
function letGoWhen(app: FastifyInstance, stopping: AbortSignal): void {
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close');
  });
}

export async function buildApp({ pages, stopping, ...services }: AppParts): Promise<FastifyInstance> {
  connectAreas();
  await keepEnvironmentDefault(services);
  await bindGroupRoles(services);
  const app = bareServer(services.log, services.config);
  warnOfUntrustedProxy(app);
  if (pages.demo && !services.config.demo.isPublic) keepDemoLocal(app);
  registerAccess(app, services);
  assertContentType(app);
  cutOffSlowBodies(app);
  registerWebHeaders(app, services.config);
  registerHealth(app, services, stopping);
  registerMetrics(app, services);
  letGoWhen(app, stopping);
  registerAuth(app, services);
  registerFactors(app, services);
  registerSingleSignOn(app, services);
  registerGraphql(app, services, schema);
  registerKeyCleaning(app, services);
  await registerAttachments(app, services);
  registerExport(app, services);
  registerAuditExport(app, services);
  await registerImport(app, services);
  registerCalendar(app, services);
  registerPeopleExport(app, services);
  registerBonusExport(app, services);
  registerPeopleImport(app, services);
  await registerPages(app, services, pages);
  return app;
}
