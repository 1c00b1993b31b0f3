// The one composition root: everything that the server is made of is given to `buildApp` and wired here.
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { registerAttachments } from './attachments/attachments.routes.ts';
import { registerAuth } from './auth/auth.routes.ts';
import { registerAccess } from './auth/route-access.ts';
import type { Services } from './context.ts';
import { answerFailure } from './graphql/failures.ts';
import { registerGraphql } from './graphql/graphql-server.ts';
import { registerHealth } from './health/health.routes.ts';
import { type Pages, registerPages } from './pages.ts';
import { registerWebHeaders } from './web-headers.ts';

export type AppParts = Services & { readonly pages: Pages };

/** Seconds in milliseconds; slow senders are cut off after these (E9, T24). */
const timeouts = { headers: 10_000, request: 120_000, idle: 72_000, check: 1_000 };

function bareServer(log: FastifyBaseLogger): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    genReqId: () => randomUUID(),
    // An id from outside could be chosen to mislead whoever reads the log.
    requestIdHeader: false,
    bodyLimit: 256 * 1024,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.idle,
    http: {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.check,
      maxHeaderSize: 16 * 1024,
    },
    forceCloseConnections: 'idle',
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  });
  // JSON is the only body that Fastify itself reads.
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
  });
  app.setErrorHandler(answerFailure);
  return app;
}

export async function buildApp({ pages, ...services }: AppParts): Promise<FastifyInstance> {
  const app = bareServer(services.log);
  registerAccess(app, services);
  await registerWebHeaders(app, services.config);
  registerHealth(app, services);
  registerAuth(app, services);
  registerGraphql(app, services);
  await registerAttachments(app, services);
  await registerPages(app, services, pages);
  return app;
}
