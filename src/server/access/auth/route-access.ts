// Every route declares who can call it, `public` included, and is checked before its body is read. A route
// without a declaration stops the start.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type CallAccess, callRefusal } from '#core/access/call-access.ts';
import { personHeader, viewingHeader } from '#core/access/viewing.ts';
import { refuse } from '#core/base/refusals.ts';
import type { Services, SignedInPerson } from '#server/platform/context.ts';
import { beginPersonTurn, inAddressTurn, inPersonTurn } from '#server/platform/graphql/person-turns.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { addressBucket } from '#server/platform/http/address-bucket.ts';
import { afterReply } from '#server/platform/http/after-reply.ts';
import { bearerToken, readSession, readViewer, type SessionAtStep, sessionOf } from '#server/platform/viewer.ts';
import { assertOnlyLooks, isViewing, readViewing, type Viewing } from '../viewing/viewing.service.ts';
import { SessionUses } from './sessions.service.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access: CallAccess;
    /** Where the route reads its credentials; by default they are the token in the header. */
    credentials?: 'form' | 'link' | 'file';
    /**
     * Whose turn the handler waits for, because it asks the database: by default its person's, or a
     * stranger's address's. A function names a link's person without asking the database, or returns null.
     * `own`: the handler takes turns itself. `none`: it never asks the database.
     */
    turn?: 'own' | 'none' | ((request: FastifyRequest) => LinkPerson | null);
  }
  interface FastifyRequest {
    /** Set on every route that isn't public. */
    viewer: SignedInPerson | null;
    /** Set while the signed-in person views as someone else. */
    viewing: Viewing | null;
    /** Set instead of the viewer on sign-in routes. */
    step: SessionAtStep | null;
    /** Whether the request opened a socket. */
    ws: boolean;
  }
  interface FastifyInstance {
    /** The access of each route, such as "POST /graphql"; read by the permission matrix. */
    routeAccess: Map<string, CallAccess>;
    /** Whose turn each route waits for. */
    routeTurns: Map<string, FastifyContextConfig['turn']>;
  }
}

function assertMayCall(viewer: SignedInPerson, access: CallAccess): void {
  const code = callRefusal(viewer, access);
  if (code !== null) throw new RefusalError(refuse(code));
}

/** The person whose link is used, and what identifies it among their links. */
export type LinkPerson = { readonly id: string; readonly link: string };

type Requested = Pick<FastifyRequest, 'headers'>;

/** The person behind the token, if they can make the call and it comes from their page. */
export async function authorize(
  services: Services,
  token: string | null,
  access: CallAccess,
  request: Requested,
): Promise<SignedInPerson> {
  const viewer = await readViewer(services, token);
  assertOfPage(viewer, request);
  assertMayCall(viewer, access);
  return viewer;
}

/** Throws if the page belongs to someone else than the session: it would act as that person. */
function assertOfPage(viewer: { readonly id: string }, { headers }: Requested): void {
  const person = headers[personHeader];
  if (person !== undefined && person !== viewer.id) throw new RefusalError(refuse('OTHER_PERSON'));
}

/** The same while viewing as someone else: checks whether the signed-in person can make the call. */
async function authorizeViewing(services: Services, request: FastifyRequest, access: CallAccess): Promise<void> {
  const impersonator = await readViewer(services, bearerToken(request.headers.authorization));
  const { config } = services;
  const asking = { viewer: impersonator, session: sessionOf(request), config };
  const read = () => readViewing(services, impersonator, request.headers[viewingHeader]);
  const { viewing, reader } = await inPersonTurn(asking, 'light', read);
  assertMayCall(reader, access);
  Object.assign(request, { viewer: reader, viewing });
}

/** A slower body may have been held back until permissions were removed. */
const slowBodyMs = 100;

async function authorizeCall(services: Services, request: FastifyRequest, access: CallAccess): Promise<void> {
  const token = bearerToken(request.headers.authorization);
  if (access === 'signingIn') {
    request.step = await readSession(services, token);
    assertOfPage(request.step.person, request);
  } else if (isViewing(request)) await authorizeViewing(services, request, access);
  else request.viewer = await authorize(services, token, access, request);
}

/** Requests to GET read only. Others write, and can wait for a locked row. */
const turnOf = ({ method }: FastifyRequest) => (method === 'GET' || method === 'HEAD' ? 'light' : 'change');

/** What to call once a response begins. */
const sending = new WeakMap<FastifyRequest, () => void>();

/**
 * Requests take turns before they take a connection: those of one person, or of a stranger's address, leave
 * connections to everyone else.
 */
function takeTurns({ config }: Services, route: RouteOptions): void {
  const { handler, url, config: { turn } = {} } = route;
  if (turn === 'own' || turn === 'none') return;
  const inTurn = (request: FastifyRequest, work: () => Promise<unknown>) => {
    const viewer = request.step?.person ?? request.viewing?.impersonator ?? request.viewer;
    if (viewer) return inPersonTurn({ viewer, session: sessionOf(request), config }, turnOf(request), work);
    const person = turn?.(request);
    if (!person) return inAddressTurn(addressBucket(request.ip), url, work);
    return inPersonTurn({ viewer: person, session: Buffer.from(person.link), config }, turnOf(request), work);
  };
  route.handler = async function (request, reply) {
    const { promise: sends, resolve } = Promise.withResolvers<void>();
    sending.set(request, resolve);
    let answer: Promise<unknown> | undefined;
    const work = async () => {
      answer = (async () => handler.call(this, request, reply))();
      // The answer of a download lasts until its reader has all of it.
      await Promise.race([answer, sends]);
    };
    await inTurn(request, work);
    return answer;
  };
}

/** Bytes. The web's queries are shorter. */
const longBody = 8 * 1024;

/** Many long bodies of one person at once would fill the memory, so they take turns before they are read. */
async function awaitBodyTurn({ config }: Services, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const person = request.step?.person ?? request.viewer;
  const { 'content-length': length, 'content-type': type, 'transfer-encoding': encoding } = request.headers;
  const isLong = length === undefined ? encoding !== undefined : Number(length) > longBody;
  // Other types aren't kept in memory.
  if (!person || !isLong || !type?.toLowerCase().includes('json')) return;
  const asking = { viewer: person, impersonator: request.viewing?.impersonator, session: sessionOf(request), config };
  const end = await beginPersonTurn(asking, 'body').catch((error) => {
    // Its body isn't read, so a slow one would stay.
    reply.header('connection', 'close');
    throw error;
  });
  afterReply(reply, end);
}

export function registerAccess(app: FastifyInstance, services: Services): void {
  const routeAccess = new Map<string, CallAccess>();
  const routeTurns: FastifyInstance['routeTurns'] = new Map();
  const uses = new SessionUses(services);
  const authorizedAt = new WeakMap<FastifyRequest, number>();
  app.addHook('onClose', () => uses.close());
  app.decorate('routeAccess', routeAccess);
  app.decorate('routeTurns', routeTurns);
  app.decorateRequest('viewer', null);
  app.decorateRequest('viewing', null);
  app.decorateRequest('step', null);
  app.addHook('onRoute', (route) => {
    const { method, url, config } = route;
    const access = config?.access;
    if (access === undefined)
      throw new Error(`${String(method)} ${url} does not say who may call it: declare config.access`);
    for (const verb of [method].flat()) {
      routeAccess.set(`${verb} ${url}`, access);
      routeTurns.set(`${verb} ${url}`, config?.turn);
    }
    takeTurns(services, route);
  });
  app.addHook('onSend', async (request) => sending.get(request)?.());
  // After every onRequest hook, which detect sockets, and before the body is read.
  app.addHook('preParsing', async (request, reply) => {
    const { access = 'public', credentials } = request.routeOptions.config ?? {};
    if (access === 'public') return;
    if (isViewing(request)) assertOnlyLooks(request);
    // A socket authenticates in its first message.
    if (credentials || request.ws) return;
    await authorizeCall(services, request, access);
    authorizedAt.set(request, performance.now());
    const session = sessionOf(request);
    if (session) uses.note(session);
    await awaitBodyTurn(services, request, reply);
  });
  app.addHook('preHandler', async (request) => {
    const at = authorizedAt.get(request);
    if (at === undefined || performance.now() - at < slowBodyMs) return;
    await authorizeCall(services, request, request.routeOptions.config.access);
  });
}
