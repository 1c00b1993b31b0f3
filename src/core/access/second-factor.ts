// Decides who needs a second factor, what a sign-in still needs, and which address passkeys belong to. Used
// by the server at every sign-in and for every session, and by the web.
import { adminRole } from './access.ts';
import type { SessionLevel, SignInMethod } from './account-events.ts';

/** The operator's options for REQUIRE_SECOND_FACTOR. */
export const secondFactorChoices = ['nobody', 'admins', 'everyone'] as const;
export type SecondFactorChoice = (typeof secondFactorChoices)[number];

/** `severalAdmins` is a production server's default without mail: admins, as soon as there are two. */
export type SecondFactorPolicy = SecondFactorChoice | 'severalAdmins';

/**
 * A production server requires it from admins once someone could help after a lost phone: a mailbox, or a
 * second admin.
 */
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

/** What a session can do after the password was right. */
export function levelAfterPassword({ enrolled, required }: { enrolled: boolean; required: boolean }): SessionLevel {
  if (enrolled) return 'needsSecondFactor';
  return required ? 'needsEnrollment' : 'full';
}

/** Methods with two factors, or where the identity provider decides how many it requires. */
const strongMethods: ReadonlySet<string> = new Set<SignInMethod>([
  'passkey',
  'password+passkey',
  'password+totp',
  'password+recovery',
  'singleSignOn',
]);

/** Whether a sign-in used a second factor set up here. */
export const showsFactor = (method: SignInMethod): boolean => method !== 'singleSignOn' && strongMethods.has(method);

/**
 * Whether a session opens the product. A full session with one factor stops working when the policy requires
 * two.
 */
export function opensProduct(
  session: { readonly level: string; readonly method: string | null },
  policy: SecondFactorPolicy,
  person: PolicySubject,
): boolean {
  if (session.level !== 'full') return false;
  const isStrong = session.method !== null && strongMethods.has(session.method);
  return isStrong || !needsSecondFactor(policy, person);
}

/** A person's second factors. Recovery codes only replace a lost one. */
export type Factors = {
  readonly passkeys: number;
  readonly authenticator: boolean;
  readonly recoveryCodesLeft: number;
};

export const isEnrolled = ({ passkeys, authenticator }: Factors): boolean => passkeys > 0 || authenticator;

/** The options for a second step, best first. */
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

/** The time limit for the second step, or for setting up the first factor. */
export const stepMinutes = 10;
/** The time limit for a passkey's answer. */
export const challengeMinutes = 5;
/** More than anyone has; all are sent to the browser at each second step. */
export const mostPasskeys = 20;
export const longestPasskeyName = 60;

/** By then the person has heard of it: with a copied session, a thief could add one and lock its owner out. */
const provesPasswordAfterHours = 24;
/** Whether a passkey that was added at `createdAt` proves who sets a new password. */
export const provesNewPassword = (createdAt: string, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(Temporal.Instant.from(createdAt).add({ hours: provesPasswordAfterHours }), now) <= 0;

/** The site of the passkeys: browsers bind each one to it. */
export type PasskeySite = { readonly id: string; readonly origin: string };

type Address = { readonly protocol: string; readonly hostname: string; readonly origin: string };

/** The parts of an address; the core has no URL class. */
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

/** The site of the public address; without one, of `localhost`. Null if browsers allow no passkeys there. */
export function passkeySite(publicUrl: string | undefined, opened: string | undefined): PasskeySite | null {
  const address = readAddress(publicUrl ?? opened);
  if (address === null || isIpAddress(address.hostname)) return null;
  const { protocol, hostname, origin } = address;
  if (publicUrl === undefined && !isLocal(hostname)) return null;
  return protocol === 'https' || isLocal(hostname) ? { id: hostname, origin } : null;
}

/** Why passkeys don't work here, and how to fix it. */
export function passkeysUnavailable(publicUrl: string | undefined, opened: string | undefined): string {
  if (publicUrl === undefined && isIpAddress(readAddress(opened)?.hostname ?? ''))
    return 'Passkeys need a host name. Open this page at localhost instead of an IP address';
  return publicUrl === undefined
    ? 'Passkeys aren’t set up on this server. Ask an admin (PUBLIC_URL is missing)'
    : 'Passkeys need an HTTPS address with a host name. Ask an admin (PUBLIC_URL)';
}
