// `POST /api/auth/login` and `GET /api/auth/user` (spec 7), and what the page behind an invitation asks.
import type { FastifyInstance } from 'fastify';
import { confirmInput } from '#core/access/factor-inputs.ts';
import {
  changePasswordInput,
  forgottenInput,
  linkInput,
  loginInput,
  newPasswordInput,
} from '#core/access/sign-in-inputs.ts';
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
import { changePassword, mailsSent, requestPasswordLink, sendPasswordLink } from './password-changes.service.ts';
import { confirmWithPassword } from './recent-proof.ts';

const cleaningMs = 3_600_000;

function userOf({ approverIds, topFiveInvisible, ...person }: SignedInPerson): object {
  return { ...person, approverId: approverIds, top5Invisible: topFiveInvisible };
}

/** Who looks, as whom, and which permissions hold for what is read meanwhile. */
function lookOf({ kind, impersonator, seen }: Viewing, { permissions }: SignedInPerson): object {
  const as = kind === 'role' ? seen.role : displayName(seen);
  return { kind, as, by: displayName(impersonator), email: impersonator.email, readable: permissions };
}

export function registerAuth(app: FastifyInstance, services: Services): void {
  app.post('/api/auth/login', { config: { access: 'public' }, bodyLimit: 16 * 1024 }, async (request) => {
    const { device, ...attempt } = orThrow(readInput(loginInput, bodyOf(request)));
    return signIn(services, attempt, { ...callerOf(request), device });
  });
  app.get('/api/auth/user', { config: { access: 'signedIn' } }, async ({ viewer, viewing }) =>
    viewing
      ? { user: userOf(viewing.seen), viewing: lookOf(viewing, viewer as SignedInPerson) }
      : { user: userOf(viewer as SignedInPerson) },
  );

  app.post('/api/auth/confirm', { config: { access: 'signedIn' }, bodyLimit: 64 * 1024 }, async (request) => {
    const { password, ...input } = orThrow(readInput(confirmInput, bodyOf(request)));
    const caller = callerOf(request);
    const viewer = request.viewer as SignedInPerson;
    const session = sessionOf(request) as Buffer;
    if (password !== undefined) await confirmWithPassword(services, { ...caller, session, viewer, password });
    else {
      const person = { id: viewer.id, email: viewer.email, name: displayName(viewer) };
      const site = siteOrNone(services, request);
      await confirmWithFactor(services, { session, level: 'full', person }, caller, { input, site });
    }
    return { confirmed: true };
  });

  app.post('/api/auth/change-password', { config: { access: 'signedIn' }, bodyLimit: 16 * 1024 }, async (request) => {
    const { password } = orThrow(readInput(changePasswordInput, bodyOf(request)));
    const token = await changePassword(services, {
      ...callerOf(request),
      session: sessionOf(request) as Buffer,
      viewer: request.viewer as SignedInPerson,
      password,
    });
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

/** Links to set a password: asked for, looked at and used. */
function registerLinks(app: FastifyInstance, services: Services): void {
  app.post('/api/auth/forgot', { config: { access: 'public' }, bodyLimit: 16 * 1024 }, async (request, reply) => {
    const { email } = orThrow(readInput(forgottenInput, bodyOf(request)));
    const caller = callerOf(request);
    const answer = await requestPasswordLink(services, email, caller);
    afterReply(reply, () => sendPasswordLink(services, email, caller));
    return answer;
  });

  // The token in the body, where no log has it.
  app.post('/api/auth/link', { config: { access: 'public' }, bodyLimit: 16 * 1024 }, async (request) => {
    const { token } = orThrow(readInput(linkInput, bodyOf(request)));
    return { link: await ownerOfLink(services, token) };
  });
  app.post('/api/auth/password', { config: { access: 'public' }, bodyLimit: 16 * 1024 }, async (request) => {
    const input = orThrow(readInput(newPasswordInput, bodyOf(request)));
    return { link: await setPassword(services, input, callerOf(request)) };
  });
}
