// The one composition root: everything that the server is made of is given to `buildApp` and wired here.
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
import { registerExport } from '#server/numbers/export.routes.ts';
import { registerImport } from '#server/numbers/import/import.routes.ts';
import { keepEnvironmentDefault } from '#server/people/approvers.service.ts';
import { registerPeopleImport } from '#server/people/people-import.routes.ts';
import type { Config } from '#server/platform/config/config.ts';
import type { Services } from '#server/platform/context.ts';
import { answerFailure } from '#server/platform/graphql/failures.ts';
import { registerGraphql } from '#server/platform/graphql/graphql-server.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { readJsonBodies } from '#server/platform/http/json-bodies.ts';
import { warnOfUntrustedProxy } from '#server/platform/http/untrusted-proxy.ts';
import { registerWebHeaders } from '#server/platform/http/web-headers.ts';
import { registerKeyCleaning } from '#server/platform/idempotency/idempotency.service.ts';
import { observeRequests } from '#server/platform/telemetry/observe-requests.ts';
import { registerAttachments } from '#server/tasks/attachments/attachments.routes.ts';
import { registerCalendar } from '#server/toolbox/schedule/calendar.routes.ts';
import { connectAreas } from './connect-areas.ts';
import { type Pages, registerPages } from './pages.ts';
import { schema } from './schema.ts';

export type AppParts = Services & {
  readonly pages: Pages;
  /** Aborted when the server is told to stop. */
  readonly stopping: AbortSignal;
};

/** In milliseconds; whoever sends more slowly is cut off. Only uploads may take as long as `upload`. */
const timeouts = { headers: 10_000, body: 15_000, upload: 120_000, silence: 16_000, idle: 72_000, check: 1_000 };
const mostSockets = 2_000;

function bareServer(log: FastifyBaseLogger, { trustedProxies }: Config): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    // What a caller writes into X-Forwarded-For itself is believed of nobody else.
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: () => randomUUID(),
    // An id from outside could be chosen to mislead whoever reads the log.
    requestIdHeader: false,
    // One line a request instead of two, written when it is answered.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 256 * 1024,
    requestTimeout: timeouts.upload,
    // For who asks and does not read: no answer takes that long to be made. Node looks twice before it ends one that is half sent.
    connectionTimeout: timeouts.silence,
    keepAliveTimeout: timeouts.idle,
    http: {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.upload,
      connectionsCheckingInterval: timeouts.check,
      maxHeaderSize: 16 * 1024,
      // Clients that offer HTTP/2, as Java's do by default, are answered in HTTP/1.1. Node 20 doesn't ask and refuses them.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    forceCloseConnections: 'idle',
    // Who has a connection open still may ask while the server stops, and is answered.
    return503OnClosing: false,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  });
  app.server.maxConnections = mostSockets;
  readJsonBodies(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
  });
  observeRequests(app);
  app.setErrorHandler(answerFailure);
  return app;
}

const jsonType = /^application\/json(\s*;\s*charset="?utf-8"?)?$/i;
const formType = /^multipart\/form-data\s*;/i;

/** Bodies are JSON, or the form of an upload, and say so exactly, whatever parsers a plugin brings: spellings of the type have opened gaps before. */
function assertContentType(app: FastifyInstance): void {
  app.addHook('preParsing', async (request) => {
    const { credentials } = request.routeOptions.config ?? {};
    // The body is a file as it is: its type says nothing that is relied on.
    if (credentials === 'file') return;
    const type = request.headers['content-type'];
    const right = credentials === 'form' ? formType : jsonType;
    if (type !== undefined && !right.test(type)) throw new RefusalError(refuse('MEDIA_TYPE_NOT_SUPPORTED'));
  });
}

/** The limit of the HTTP server itself is the one for uploads: it cannot know the route. */
function cutOffSlowBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async (request) => {
    const { raw } = request;
    const { credentials } = request.routeOptions.config ?? {};
    if (raw.complete || credentials === 'form' || credentials === 'file') return;
    const timer = setTimeout(() => raw.complete || raw.destroy(), timeouts.body).unref();
    raw.once('close', () => clearTimeout(timer));
  });
}

/** A server that stops answers, and tells each caller to come back on another connection: to another server. */
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
  registerPeopleImport(app, services);
  await registerPages(app, services, pages);
  return app;
}
