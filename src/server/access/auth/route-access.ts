// Every route says who may call it, `public` included, and is checked before its body is read. A route that does not say stops the start.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type CallAccess, callRefusal } from '#core/access/call-access.ts';
import { viewingHeader } from '#core/access/viewing.ts';
import { refuse } from '#core/base/refusals.ts';
import type { Services, SignedInPerson } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { bearerToken, readSession, readViewer, type SessionAtStep, sessionOf } from '#server/platform/viewer.ts';
import { assertOnlyLooks, isViewing, readViewing, type Viewing } from '../viewing/viewing.service.ts';
import { SessionUses } from './sessions.service.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access: CallAccess;
    /** Where the route finds the credentials itself; everywhere else they are the token of the header. */
    credentials?: 'form' | 'link' | 'file';
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    viewer: SignedInPerson | null;
    /** Set while the viewer is somebody else than who asks. */
    viewing: Viewing | null;
    /** Set instead of the viewer on routes of signing in. */
    step: SessionAtStep | null;
    /** Whether a socket came from the request. */
    ws: boolean;
  }
  interface FastifyInstance {
    /** What each route asks for, as "POST /graphql"; read by the permission matrix. */
    routeAccess: Map<string, CallAccess>;
  }
}

function assertMayCall(viewer: SignedInPerson, access: CallAccess): void {
  const code = callRefusal(viewer, access);
  if (code !== null) throw new RefusalError(refuse(code));
}

/** The person behind the token, when the call is theirs to make. */
export async function authorize(services: Services, token: string | null, access: CallAccess): Promise<SignedInPerson> {
  const viewer = await readViewer(services, token);
  assertMayCall(viewer, access);
  return viewer;
}

/** The same for a call that looks as somebody else: what is asked is whether the call is theirs. */
async function authorizeLook(services: Services, request: FastifyRequest, access: CallAccess): Promise<void> {
  const impersonator = await readViewer(services, bearerToken(request.headers.authorization));
  const { viewing, reader } = await readViewing(services, impersonator, request.headers[viewingHeader]);
  assertMayCall(reader, access);
  Object.assign(request, { viewer: reader, viewing });
}

/** A body that took longer may have been held back until rights were taken away. */
const slowBodyMs = 100;

async function authorizeCall(services: Services, request: FastifyRequest, access: CallAccess): Promise<void> {
  if (access === 'signingIn') request.step = await readSession(services, bearerToken(request.headers.authorization));
  else if (isViewing(request)) await authorizeLook(services, request, access);
  else request.viewer = await authorize(services, bearerToken(request.headers.authorization), access);
}

export function registerAccess(app: FastifyInstance, services: Services): void {
  const routeAccess = new Map<string, CallAccess>();
  const uses = new SessionUses(services);
  const authorizedAt = new WeakMap<FastifyRequest, number>();
  app.addHook('onClose', () => uses.close());
  app.decorate('routeAccess', routeAccess);
  app.decorateRequest('viewer', null);
  app.decorateRequest('viewing', null);
  app.decorateRequest('step', null);
  app.addHook('onRoute', ({ method, url, config }) => {
    const access = config?.access;
    if (access === undefined)
      throw new Error(`${String(method)} ${url} does not say who may call it: declare config.access`);
    for (const verb of [method].flat()) routeAccess.set(`${verb} ${url}`, access);
  });
  // After every onRequest hook, which tell sockets apart, and before the body is read.
  app.addHook('preParsing', async (request) => {
    const { access = 'public', credentials } = request.routeOptions.config ?? {};
    if (access === 'public') return;
    if (isViewing(request)) assertOnlyLooks(request);
    // A socket says who it is in its first message.
    if (credentials || request.ws) return;
    await authorizeCall(services, request, access);
    authorizedAt.set(request, performance.now());
    const session = sessionOf(request);
    if (session) uses.note(session);
  });
  app.addHook('preHandler', async (request) => {
    const at = authorizedAt.get(request);
    if (at === undefined || performance.now() - at < slowBodyMs) return;
    await authorizeCall(services, request, request.routeOptions.config.access);
  });
}
