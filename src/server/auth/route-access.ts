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
    /** Where the route finds the credentials itself; everywhere else they are the token of the header. */
    credentials?: 'form' | 'link' | 'file';
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    viewer: SignedInPerson | null;
    /** Whether a socket came from the request. */
    ws: boolean;
  }
  interface FastifyInstance {
    /** What each route asks for, as "POST /graphql"; read by the permission matrix. */
    routeAccess: Map<string, CallAccess>;
  }
}

/** The person behind the token, when the call is theirs to make. */
export async function authorize(services: Services, token: string | null, access: CallAccess): Promise<SignedInPerson> {
  const viewer = await readViewer(services, token);
  const code = callRefusal(viewer, access);
  if (code !== null) throw new RefusalError(refuse(code));
  return viewer;
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
    const { access = 'public', credentials } = request.routeOptions.config ?? {};
    // A socket says who it is in its first message.
    if (access === 'public' || credentials || request.ws) return;
    request.viewer = await authorize(services, bearerToken(request.headers.authorization), access);
  });
}
