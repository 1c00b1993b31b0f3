// Decides who needs a second factor, what a sign-in still has to ask, and which address passkeys belong to.
// Asked by the server at every sign-in and for every session, and by the web for what it offers.
import { adminRole } from './access.ts';
import type { SessionLevel, SignInMethod } from './account-events.ts';

/** What an operator may choose with REQUIRE_SECOND_FACTOR. */
export const secondFactorChoices = ['nobody', 'admins', 'everyone'] as const;
export type SecondFactorChoice = (typeof secondFactorChoices)[number];

/** `severalAdmins` is the default of a production server without mail: admins, as soon as there are two of them. */
export type SecondFactorPolicy = SecondFactorChoice | 'severalAdmins';

/** A server in production asks its admins, once somebody could help one who lost the phone: a mailbox, or a second admin. */
export function defaultPolicy(server: { production: boolean; mail: boolean }): SecondFactorPolicy {
  if (!server.production) return 'nobody';
  return server.mail ? 'admins' : 'severalAdmins';
}

export type PolicySubject = {
  readonly role: string | null;
  /** Whether another admin can sign in. */
  readonly otherAdmin: boolean;
};

export function needsSecondFactor(policy: SecondFactorPolicy, { role, otherAdmin }: PolicySubject): boolean {
  if (policy === 'everyone') return true;
  if (policy === 'nobody' || role !== adminRole) return false;
  return policy === 'admins' || otherAdmin;
}

/** What a session may do after the password was right. */
export function levelAfterPassword({ enrolled, required }: { enrolled: boolean; required: boolean }): SessionLevel {
  if (enrolled) return 'needsSecondFactor';
  return required ? 'needsEnrollment' : 'full';
}

/** Two factors were shown, or the identity provider decided how many it wants. */
const strongMethods: ReadonlySet<string> = new Set<SignInMethod>([
  'passkey',
  'password+passkey',
  'password+totp',
  'password+recovery',
  'singleSignOn',
]);

/** Whether a sign-in showed a second factor that the person set up here. */
export const showsFactor = (method: SignInMethod): boolean => method !== 'singleSignOn' && strongMethods.has(method);

/** Whether a session opens the product. A full session of one factor stops as soon as the policy asks for two. */
export function opensProduct(
  session: { readonly level: string; readonly method: string | null },
  policy: SecondFactorPolicy,
  person: PolicySubject,
): boolean {
  if (session.level !== 'full') return false;
  const isStrong = session.method !== null && strongMethods.has(session.method);
  return isStrong || !needsSecondFactor(policy, person);
}

/** The second factors a person has. Recovery codes only stand in for a lost one. */
export type Factors = {
  readonly passkeys: number;
  readonly authenticator: boolean;
  readonly recoveryCodesLeft: number;
};

export const isEnrolled = ({ passkeys, authenticator }: Factors): boolean => passkeys > 0 || authenticator;

/** The ways of a second step, best first. */
export const secondSteps = ['passkey', 'code', 'recoveryCode'] as const;
export type SecondStep = (typeof secondSteps)[number];

export function secondStepsFor({ passkeys, authenticator, recoveryCodesLeft }: Factors): SecondStep[] {
  const has: Record<SecondStep, boolean> = {
    passkey: passkeys > 0,
    code: authenticator,
    recoveryCode: recoveryCodesLeft > 0,
  };
  return secondSteps.filter((step) => has[step]);
}

/** How long the second step, or setting up the first factor, may take. */
export const stepMinutes = 10;
/** How long a passkey may take to answer. */
export const challengeMinutes = 5;
/** More than anyone carries; they're all sent to the browser at each second step. */
export const mostPasskeys = 20;
export const longestPasskeyName = 60;

/** Where passkeys are made and used: browsers bind each one to this site. */
export type PasskeySite = { readonly id: string; readonly origin: string };

type Address = { readonly protocol: string; readonly hostname: string; readonly origin: string };

/** The parts of an address as browsers write them. The core has no URL of its own. */
function readAddress(address: string | undefined): Address | null {
  const [, protocol, hostname, port] =
    /^(https?):\/\/(\[[\da-f:.]+\]|[\w.-]+)(?::(\d+))?(?:[/?#]|$)/i.exec(address ?? '') ?? [];
  if (protocol === undefined || hostname === undefined) return null;
  const usual = protocol.toLowerCase() === 'https' ? '443' : '80';
  const host = hostname.toLowerCase() + (port === undefined || port === usual ? '' : `:${port}`);
  return {
    protocol: protocol.toLowerCase(),
    hostname: hostname.toLowerCase(),
    origin: `${protocol.toLowerCase()}://${host}`,
  };
}

const isIpAddress = (hostname: string): boolean => /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
const isLocal = (hostname: string): boolean => hostname === 'localhost' || hostname.endsWith('.localhost');

/** The site of the public address; without one, of `localhost` as it was opened. Null: browsers allow no passkeys there. */
export function passkeySite(publicUrl: string | undefined, opened: string | undefined): PasskeySite | null {
  const address = readAddress(publicUrl ?? opened);
  if (address === null || isIpAddress(address.hostname)) return null;
  const { protocol, hostname, origin } = address;
  if (publicUrl === undefined && !isLocal(hostname)) return null;
  return protocol === 'https' || isLocal(hostname) ? { id: hostname, origin } : null;
}

/** Why no passkey can be made or used here, with the way out. */
export function passkeysUnavailable(publicUrl: string | undefined, opened: string | undefined): string {
  if (publicUrl === undefined && isIpAddress(readAddress(opened)?.hostname ?? ''))
    return 'Passkeys need a host name. Open this page as localhost instead of an IP address';
  return publicUrl === undefined
    ? 'Passkeys need PUBLIC_URL. Ask the operator to set it to the address of this page'
    : 'Passkeys need HTTPS and a host name. Ask the operator to set PUBLIC_URL to such an address';
}
