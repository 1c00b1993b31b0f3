// Checks a browser's passkey answers by the rules of WebAuthn. A refusal is one sentence and changes nothing.
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { COSEALG, decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import type { PasskeyAssertion, PasskeyRegistration } from '#core/access/factor-inputs.ts';
import { challengeMinutes, type PasskeySite } from '#core/access/second-factor.ts';
import { type Refusal, refuse } from '#core/base/refusals.ts';
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import {
  type Asked,
  isOpenSignIn,
  makeChallenge,
  makeSignInChallenge,
  spendChallenge,
  spendSignIn,
} from './challenges.ts';
import * as store from './factors.store.ts';

type Serving = Pick<Services, 'database' | 'clock'>;

const over = 'That took too long or was already used. Try again';

const timeout = challengeMinutes * 60_000;
const algorithms = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

const refused = (message?: string): RefusalError => new RefusalError(refuse('PASSKEY_REFUSED', message));

const described = ({ credentialId, transports }: store.PasskeyRow) => ({
  id: credentialId.toString('base64url'),
  transports,
});

export type Owner = { readonly id: string; readonly email: string; readonly name: string };

export async function registrationOptions(
  services: Serving & Pick<Services, 'config'>,
  site: PasskeySite,
  owner: Owner,
  session: Buffer,
) {
  const kept = await store.readPasskeys(services.database.drizzle, owner.id);
  const challenge = await makeChallenge(services, 'newPasskey', { personId: owner.id, session });
  return generateRegistrationOptions({
    rpName: services.config.appName,
    rpID: site.id,
    userName: owner.email,
    userDisplayName: owner.name,
    // Identifies the account to the browser without revealing the person.
    userID: new Uint8Array(Buffer.from(owner.id)),
    challenge: new Uint8Array(challenge),
    timeout,
    attestationType: 'none',
    excludeCredentials: kept.map(described),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: algorithms,
  });
}

/** On the login page nobody is known yet, so the passkey must verify its user: it counts as both factors. */
export async function signInOptions(services: Pick<Services, 'config' | 'clock'>, site: PasskeySite) {
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: new Uint8Array(makeSignInChallenge(services)),
    timeout,
    userVerification: 'required',
  });
}

/** For a known person: any of their passkeys. */
export async function proofOptions(services: Serving, site: PasskeySite, asked: Asked) {
  const kept = await store.readPasskeys(services.database.drizzle, asked.personId);
  const challenge = await makeChallenge(services, 'passkeyProof', asked);
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: new Uint8Array(challenge),
    timeout,
    allowCredentials: kept.map(described),
    userVerification: 'preferred',
  });
}

/** The challenge the browser answered, if it is open. */
async function readAnswered(
  site: PasskeySite,
  { clientDataJSON }: { clientDataJSON: string },
  isOpen: (challenge: string) => Promise<boolean> | boolean,
): Promise<string> {
  const data = readClientData(clientDataJSON);
  if (data === null) throw refused();
  const open = await isOpen(data.challenge);
  if (data.origin !== site.origin)
    throw refused(`This passkey belongs to another address. Open ${site.origin} and try again`);
  if (!open) throw refused(over);
  return data.challenge;
}

function readClientData(text: string): { challenge: string; origin: string } | null {
  try {
    const { challenge, origin } = decodeClientDataJSON(text);
    return typeof challenge === 'string' && typeof origin === 'string' ? { challenge, origin } : null;
  } catch {
    return null;
  }
}

export type VerifiedPasskey = Omit<store.NewPasskey, 'personId' | 'name' | 'createdAt'>;

export async function verifyRegistration(
  services: Serving,
  site: PasskeySite,
  response: PasskeyRegistration,
  session: Buffer,
): Promise<VerifiedPasskey> {
  const expectedChallenge = await readAnswered(site, response.response, (challenge) =>
    spendChallenge(services, 'newPasskey', challenge, session),
  );
  const verified = await verifyRegistrationResponse({
    response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null);
  if (!verified?.verified) throw refused();
  const { aaguid, credential, credentialDeviceType, credentialBackedUp } = verified.registrationInfo;
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: BigInt(credential.counter),
    transports: response.response.transports ?? [],
    deviceType: credentialDeviceType,
    backedUp: credentialBackedUp,
    aaguid,
  };
}

export type ProvenPasskey = Pick<store.LockedPasskey, 'personId' | 'name' | 'createdAt' | 'disabled'>;

export type Proving = {
  readonly site: PasskeySite;
  readonly response: PasskeyAssertion;
  /** Null on the login page, where the passkey alone signs in. */
  readonly session: Buffer | null;
};

/**
 * Uses up a session's challenge immediately and returns a check for the transaction: it says whose passkey
 * answered and saves its counter, or returns a refusal. The login page's challenge is used up in that check.
 */
export async function readAssertion(
  services: Serving & Pick<Services, 'config'>,
  { site, response, session }: Proving,
): Promise<(queries: Queries) => Promise<ProvenPasskey | Refusal>> {
  const expectedChallenge = await readAnswered(site, response.response, (challenge) =>
    session === null ? isOpenSignIn(services, challenge) : spendChallenge(services, 'passkeyProof', challenge, session),
  );
  return async (queries) => {
    const passkey = await store.lockPasskey(queries, Buffer.from(response.id, 'base64url'));
    if (!passkey) {
      const unknown = refused('This passkey isn’t registered here, or was removed. Sign in another way');
      // A rejected transaction records nothing, here and below: strangers could fill the audit log.
      if (session === null) throw unknown;
      return unknown.refusal;
    }
    const { userHandle } = response.response;
    const isTheirs = !userHandle || Buffer.from(userHandle, 'base64url').toString() === passkey.personId;
    const verified = await verifyAuthenticationResponse({
      response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      // The counter is checked below, after the signature.
      credential: { id: response.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
      requireUserVerification: session === null,
    }).catch(() => null);
    if (!verified?.verified || !isTheirs) {
      if (session === null) throw refused();
      return refuse('PASSKEY_REFUSED');
    }
    if (session === null && !(await spendSignIn(services, queries, expectedChallenge)))
      return refuse('PASSKEY_REFUSED', over);
    const { newCounter, credentialBackedUp } = verified.authenticationInfo;
    const counter = Number(passkey.counter);
    if ((newCounter > 0 || counter > 0) && newCounter <= counter)
      return refuse(
        'PASSKEY_REFUSED',
        'This passkey may have been copied. Sign in another way, then remove it and add it again',
      );
    await store.savePasskeyUse(queries, passkey.id, {
      counter: newCounter,
      backedUp: credentialBackedUp,
      at: services.clock.now().toString(),
    });
    return passkey;
  };
}
