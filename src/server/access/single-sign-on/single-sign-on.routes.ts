// `/api/auth/sso/…`: the way to the identity provider and back. Only exists when one is configured.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accountPath, loginPath, readGoto } from '#core/access/routes.ts';
import { endingKey } from '#core/access/sign-in-endings.ts';
import { beginSignInInput, confirmThereInput, takeSessionInput } from '#core/access/single-sign-on.ts';
import { readInput } from '#core/base/inputs.ts';
import type { Config } from '#server/platform/config/config.ts';
import type { Services, SignedInPerson } from '#server/platform/context.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { sessionOf } from '#server/platform/viewer.ts';
import { callerOf } from '../auth/caller.ts';
import { requireRecentProof } from '../auth/recent-proof.ts';
import { openIdentityProvider } from './identity-provider.ts';
import * as service from './single-sign-on.service.ts';

const callbackPath = '/api/auth/sso/callback';
const cleaningMs = 3_600_000;
/** Waits for the provider without a turn. */
const config = { access: 'public', turn: 'own' } as const;

type Oidc = NonNullable<Config['oidc']>;

/**
 * Bound to this host, hidden from scripts, and sent on the return from the provider, which Strict would
 * prevent (T5).
 */
function cookieOf(oidc: Oidc) {
  const secure = oidc.publicUrl.startsWith('https:');
  const name = secure ? '__Host-sign-in' : 'sign-in';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    read(request: FastifyRequest): string | undefined {
      const values = (request.headers.cookie ?? '').split('; ').filter((pair) => pair.startsWith(`${name}=`));
      // With two cookies of the same name, neither can be trusted.
      return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
    },
    set: (reply: FastifyReply, key: string) =>
      reply.header('set-cookie', `${name}=${key}; Max-Age=${service.flowSeconds}; ${attributes}`),
    clear: (reply: FastifyReply) => reply.header('set-cookie', `${name}=; Max-Age=0; ${attributes}`),
  };
}

/** Where the browser continues, with the outcome after the #, which is never sent to a server. */
function wayOn({ ending, goto, ofSession }: service.Returned): string {
  if (ofSession) return `${goto ?? accountPath}#${endingKey}=${ending}`;
  const query = goto === null ? '' : `?goto=${encodeURIComponent(goto)}`;
  return `${loginPath}${query}#${endingKey}=${ending}`;
}

export function registerSingleSignOn(app: FastifyInstance, services: Services): void {
  const { oidc } = services.config;
  if (!oidc) return;
  const provider = openIdentityProvider({ ...oidc, redirectUri: `${oidc.publicUrl}${callbackPath}` });
  const context = { ...services, provider, issuer: new URL(oidc.issuer).href, groupRoles: oidc.groupRoles };
  const cookie = cookieOf(oidc);

  app.post('/api/auth/sso/start', { config, bodyLimit: 16 * 1024 }, async (request, reply) => {
    const { goto, invitation } = orThrow(readInput(beginSignInInput, (request.body ?? {}) as object));
    const { url, key } = await service.begin(context, callerOf(request), {
      goto: readGoto(goto ?? null),
      invitation,
    });
    cookie.set(reply, key);
    return { url };
  });
  app.post('/api/auth/sso/connect', { config: { access: 'signedIn' } }, async (request, reply) => {
    const viewer = request.viewer as SignedInPerson;
    const session = sessionOf(request);
    await requireRecentProof({ ...services, session });
    const { url, key } = await service.begin(context, callerOf(request), { connects: viewer.id, session });
    cookie.set(reply, key);
    return { url };
  });
  app.post(
    '/api/auth/sso/confirm',
    { config: { access: 'signedIn' }, bodyLimit: 16 * 1024 },
    async (request, reply) => {
      const { goto } = orThrow(readInput(confirmThereInput, (request.body ?? {}) as object));
      const { url, key } = await service.begin(context, callerOf(request), {
        goto: readGoto(goto ?? null),
        session: sessionOf(request),
      });
      cookie.set(reply, key);
      return { url };
    },
  );
  app.get(callbackPath, { config }, async (request, reply) => {
    const query = request.url.slice(request.url.indexOf('?') + 1);
    const returned = await service.finishSignOn(context, callerOf(request), query, cookie.read(request));
    if (returned.key === null) cookie.clear(reply);
    else cookie.set(reply, returned.key);
    return reply.redirect(wayOn(returned), 303);
  });
  app.post('/api/auth/sso/session', { config: { access: 'public' }, bodyLimit: 16 * 1024 }, async (request, reply) => {
    const { device } = orThrow(readInput(takeSessionInput, (request.body ?? {}) as object));
    const key = cookie.read(request);
    cookie.clear(reply);
    return service.takeSession(context, { ...callerOf(request), device }, key);
  });

  const timer = setInterval(() => {
    service
      .removeEndedFlows(services)
      .catch((error) => services.log.warn({ err: error }, 'ended sign-ins could not be removed'));
  }, cleaningMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
