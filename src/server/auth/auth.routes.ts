// `POST /api/auth/login` and `GET /api/auth/user` (spec 7), and what the page behind an invitation asks.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { loginInput, readInput } from '#core/inputs.ts';
import { displayName } from '#core/people.ts';
import { refuse } from '#core/refusals.ts';
import { linkInput, newPasswordInput } from '#core/user-inputs.ts';
import type { Services, SignedInPerson } from '../context.ts';
import { orThrow, RefusalError } from '../graphql/refusal-error.ts';
import type { Viewing } from '../viewing/viewing.service.ts';
import { ownerOfLink, setPassword } from './account-links.service.ts';
import { removeEnded, signIn } from './auth.service.ts';

const cleaningMs = 3_600_000;

function bodyOf(request: FastifyRequest): object {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new RefusalError(refuse('BAD_INPUT', 'The body must be an object'));
  return body;
}

function userOf({ approverIds, topFiveInvisible, ...person }: SignedInPerson): object {
  return { ...person, approverId: approverIds, top5Invisible: topFiveInvisible };
}

/** Who looks, as whom, and which permissions hold for what is read meanwhile. */
function lookOf({ kind, looker, seen }: Viewing, { permissions }: SignedInPerson): object {
  const as = kind === 'role' ? seen.role : displayName(seen);
  return { kind, as, by: displayName(looker), email: looker.email, readable: permissions };
}

export function registerAuth(app: FastifyInstance, services: Services): void {
  app.post('/api/auth/login', { config: { access: 'public' }, bodyLimit: 16 * 1024 }, async (request) => {
    const input = orThrow(readInput(loginInput, bodyOf(request)));
    return {
      token: await signIn(services, input, {
        address: request.ip,
        agent: request.headers['user-agent'],
        requestId: request.id,
      }),
    };
  });
  app.get('/api/auth/user', { config: { access: 'signedIn' } }, async ({ viewer, viewing }) =>
    viewing
      ? { user: userOf(viewing.seen), viewing: lookOf(viewing, viewer as SignedInPerson) }
      : { user: userOf(viewer as SignedInPerson) },
  );

  // The token in the body, where no log has it.
  app.post('/api/auth/link', { config: { access: 'public' }, bodyLimit: 16 * 1024 }, async (request) => {
    const { token } = orThrow(readInput(linkInput, bodyOf(request)));
    return { link: await ownerOfLink(services, token) };
  });
  app.post('/api/auth/password', { config: { access: 'public' }, bodyLimit: 16 * 1024 }, async (request) => {
    const input = orThrow(readInput(newPasswordInput, bodyOf(request)));
    return { link: await setPassword(services, input, { requestId: request.id, address: request.ip }) };
  });

  const timer = setInterval(() => {
    removeEnded(services).catch((error) => services.log.warn({ err: error }, 'ended sessions could not be removed'));
  }, cleaningMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
