// Every route says who may call it, `public` included, and is checked before its body is read. A route that does not say stops the start.
import type { FastifyInstance } from 'fastify';
import { type CallAccess, callRefusal } from '#core/call-access.ts';
import { refuse } from '#core/refusals.ts';
import type { Services, SignedInPerson } from '../context.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { bearerToken, readViewer } from '../viewer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access: CallAccess;
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    viewer: SignedInPerson | null;
    /** Set on the request that a socket came from. */
    readonly ws?: boolean;
  }
  interface FastifyInstance {
    /** What each route asks for, as "POST /graphql"; read by the permission matrix. */
    routeAccess: Map<string, CallAccess>;
  }
}

export function registerAccess(app: FastifyInstance, services: Services): void {
  const routeAccess = new Map<string, CallAccess>();
  app.decorate('routeAccess', routeAccess);
  app.decorateRequest('viewer', null);
  app.addHook('onRoute', ({ method, url, config }) => {
    const access = config?.access;
    if (access === undefined)
      throw new Error(`${String(method)} ${url} does not say who may call it: declare config.access`);
    for (const verb of [method].flat()) routeAccess.set(`${verb} ${url}`, access);
  });
  // After every onRequest hook, which tell sockets apart, and before the body is read.
  app.addHook('preParsing', async (request) => {
    const access = request.routeOptions.config?.access ?? 'public';
    // A socket says who it is in its first message.
    if (access === 'public' || request.ws) return;
    const viewer = await readViewer(services, bearerToken(request.headers.authorization));
    const code = callRefusal(viewer, access);
    if (code !== null) throw new RefusalError(refuse(code));
    request.viewer = viewer;
  });
}
