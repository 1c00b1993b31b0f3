// `POST /api/auth/login` and `GET /api/auth/user` (spec 7), and the calls of the invitation page.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ConfirmInput, changePasswordInput, confirmInput } from '#core/access/factor-inputs.ts';
import { forgottenInput, linkInput, loginInput, newPasswordInput } from '#core/access/sign-in-inputs.ts';
import { readInput } from '#core/base/inputs.ts';
import { displayName } from '#core/people/people.ts';
import type { Services, SignedInPerson } from '#server/platform/context.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { afterReply } from '#server/platform/http/after-reply.ts';
import { bodyOf } from '#server/platform/http/json-bodies.ts';
import { sessionOf } from '#server/platform/viewer.ts';
import { siteOrNone } from '../factors/passkey-place.ts';
import { confirmWithFactor } from '../factors/second-step.service.ts';
import type { Viewing } from '../viewing/viewing.service.ts';
import { ownerOfLink, setPassword } from './account-links.service.ts';
import { removeEnded, signIn } from './auth.service.ts';
import { callerOf } from './caller.ts';
import { mailsSent, passwordChange, requestPasswordLink, sendPasswordLink } from './password-changes.service.ts';
import { confirmWithPassword, type ProvenWork } from './recent-proof.ts';

const cleaningMs = 3_600_000;

function userOf({ approverIds, topFiveInvisible, delegateOf, delegateIn, ...person }: SignedInPerson): object {
  const standsIn = delegateOf?.length ? { delegateOf, delegateIn } : {};
  return { ...person, ...standsIn, approverId: approverIds, top5Invisible: topFiveInvisible };
}

/** Who views as someone else, and whose permissions apply. */
function viewingAnswer({ kind, impersonator, seen }: Viewing, { permissions }: SignedInPerson): object {
  const as = kind === 'role' ? seen.role : displayName(seen);
  return { kind, as, by: displayName(impersonator), email: impersonator.email, readable: permissions };
}

export function registerAuth(app: FastifyInstance, services: Services): void {
  app.post('/api/auth/login', { config: { access: 'public', turn: 'own' }, bodyLimit: 16 * 1024 }, async (request) => {
    const { device, ...attempt } = orThrow(readInput(loginInput, bodyOf(request)));
    return signIn(services, attempt, { ...callerOf(request), device });
  });
  app.get('/api/auth/user', { config: { access: 'signedIn' } }, async ({ viewer, viewing }) =>
    viewing
      ? { user: userOf(viewing.seen), viewing: viewingAnswer(viewing, viewer as SignedInPerson) }
      : { user: userOf(viewer as SignedInPerson) },
  );

  app.post('/api/auth/confirm', { config: { access: 'signedIn' }, bodyLimit: 64 * 1024 }, async (request) => {
    const token = await confirmed(services, request, orThrow(readInput(confirmInput, bodyOf(request))));
    return { confirmed: true, token };
  });

  app.post('/api/auth/change-password', { config: { access: 'signedIn' }, bodyLimit: 64 * 1024 }, async (request) => {
    const { password, ...proof } = orThrow(readInput(changePasswordInput, bodyOf(request)));
    const changing = {
      ...callerOf(request),
      session: sessionOf(request) as Buffer,
      viewer: request.viewer as SignedInPerson,
    };
    const prepare = passwordChange(services, { ...changing, password, current: proof.current });
    const token = await confirmed(services, request, { password: proof.current, passkey: proof.passkey }, prepare);
    return { changed: true, token };
  });
  registerLinks(app, services);

  const timer = setInterval(() => {
    removeEnded(services).catch((error) => services.log.warn({ err: error }, 'ended sessions could not be removed'));
  }, cleaningMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await mailsSent();
  });
}

/** Confirms who asks, does the work and returns the session's new token. */
async function confirmed(
  services: Services,
  request: FastifyRequest,
  { password, ...input }: ConfirmInput,
  prepare?: () => Promise<ProvenWork>,
): Promise<string> {
  const caller = callerOf(request);
  const viewer = request.viewer as SignedInPerson;
  const session = sessionOf(request) as Buffer;
  if (password !== undefined) return confirmWithPassword(services, { ...caller, session, viewer, password }, prepare);
  const person = { id: viewer.id, email: viewer.email, name: displayName(viewer) };
  const site = siteOrNone(services, request);
  return confirmWithFactor(services, { session, level: 'full', person }, caller, { input, site }, prepare);
}

/** Password links: requesting, inspecting and using them. */
function registerLinks(app: FastifyInstance, services: Services): void {
  app.post('/api/auth/forgot', { config: { access: 'public' }, bodyLimit: 16 * 1024 }, async (request, reply) => {
    const { email } = orThrow(readInput(forgottenInput, bodyOf(request)));
    const caller = callerOf(request);
    const answer = await requestPasswordLink(services, email, caller);
    afterReply(reply, () => sendPasswordLink(services, email, caller));
    return answer;
  });

  // The token is in the body, out of every log.
  app.post('/api/auth/link', { config: { access: 'public' }, bodyLimit: 16 * 1024 }, async (request) => {
    const { token } = orThrow(readInput(linkInput, bodyOf(request)));
    return { link: await ownerOfLink(services, token) };
  });
  app.post(
    '/api/auth/password',
    { config: { access: 'public', turn: 'own' }, bodyLimit: 16 * 1024 },
    async (request) => {
      const input = orThrow(readInput(newPasswordInput, bodyOf(request)));
      return { link: await setPassword(services, input, callerOf(request)) };
    },
  );
}
