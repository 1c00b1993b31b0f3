// `/api/auth/…` of second factors: setup, the second step of signing in, and signing in with a passkey.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { codeInput, newPasskeyInput, passkeySignInInput, secondStepInput } from '#core/access/factor-inputs.ts';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import type { Services } from '#server/platform/context.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { bodyOf } from '#server/platform/http/json-bodies.ts';
import { callerOf } from '../auth/caller.ts';
import { removeEndedChallenges } from './challenges.ts';
import { resealSecrets } from './codes.ts';
import * as service from './factors.service.ts';
import { proofOptions, signInOptions } from './passkey-ceremonies.ts';
import { siteOf, siteOrNone } from './passkey-place.ts';
import { finishSignIn, signInWithPasskey } from './second-step.service.ts';
import type { SetUpSession } from './step-sessions.ts';

const cleaningMs = 600_000;
const publicly = { config: { access: 'public' }, bodyLimit: 64 * 1024 } as const;
/** Open to a session that still needs a step; each handler checks its level. */
const whileSigningIn = { config: { access: 'signingIn' }, bodyLimit: 64 * 1024 } as const;

const stepOf = (request: FastifyRequest): SetUpSession => request.step as SetUpSession;

export function registerFactors(app: FastifyInstance, services: Services): void {
  registerSteps(app, services);
  registerSetUp(app, services);
  let isResealed = false;
  const reseal = async () => {
    const lost = await resealSecrets(services);
    isResealed = true;
    if (lost > 0)
      services.log.warn(
        { lost },
        'LINK_SECRET changed without LINK_SECRET_ALSO. These people must set up their authenticator apps again',
      );
  };
  // A database error here must not stop the start: the cleanup runs again later.
  const tidy = async () => {
    try {
      if (!isResealed) await reseal();
      await removeEndedChallenges(services);
    } catch (err) {
      services.log.warn({ err }, 'authenticator apps could not be encrypted again, or ended challenges removed');
    }
  };
  app.addHook('onReady', tidy);
  const timer = setInterval(tidy, cleaningMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Signing in with only a passkey, and the second step after a password. */
function registerSteps(app: FastifyInstance, services: Services): void {
  app.post(
    '/api/auth/passkey-sign-in/options',
    { ...publicly, config: { ...publicly.config, turn: 'none' } },
    (request) => signInOptions(services, siteOf(services, request)),
  );
  app.post('/api/auth/passkey-sign-in', publicly, (request) => {
    const { passkey, device } = orThrow(readInput(passkeySignInInput, bodyOf(request)));
    return signInWithPasskey(services, { ...callerOf(request), device }, { passkey, site: siteOf(services, request) });
  });

  app.post('/api/auth/second-step/options', whileSigningIn, (request) => {
    const { person, session } = stepOf(request);
    return proofOptions(services, siteOf(services, request), { personId: person.id, session });
  });
  app.post('/api/auth/second-step', whileSigningIn, (request) => {
    const { device, ...input } = orThrow(readInput(secondStepInput, bodyOf(request)));
    return finishSignIn(
      services,
      stepOf(request),
      { ...callerOf(request), device },
      { input, site: siteOrNone(services, request) },
    );
  });
}

function registerSetUp(app: FastifyInstance, services: Services): void {
  /** A session that still needs its second factor can't add one instead. */
  const settingUp = (request: FastifyRequest, device?: string): service.SettingUp => {
    const setUp = stepOf(request);
    if (setUp.level === 'needsSecondFactor') throw new RefusalError(refuse('SECOND_FACTOR_NEEDED'));
    const { address, agent, requestId } = callerOf(request);
    return { ...services, address, agent, requestId, device, setUp };
  };

  app.post('/api/auth/passkeys/options', whileSigningIn, (request) =>
    service.beginPasskey(settingUp(request), siteOf(services, request)),
  );
  app.post('/api/auth/passkeys', whileSigningIn, (request) => {
    const { device, ...input } = orThrow(readInput(newPasskeyInput, bodyOf(request)));
    return service.addPasskey(settingUp(request, device), siteOf(services, request), input);
  });
  app.post('/api/auth/authenticator/options', whileSigningIn, (request) =>
    service.beginAuthenticator(settingUp(request)),
  );
  app.post('/api/auth/authenticator', whileSigningIn, (request) => {
    const { code, device } = orThrow(readInput(codeInput, bodyOf(request)));
    return service.addAuthenticator(settingUp(request, device), code);
  });
}
