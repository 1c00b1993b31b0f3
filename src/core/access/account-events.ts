// Decides what an account's log contains: sign-ins, and changes to its ways in. Used by the server to record
// them, and by the web for their texts.
import { deviceWords } from './devices.ts';

/** How a person signed in. */
export const signInMethods = {
  password: 'password',
  passkey: 'passkey',
  'password+totp': 'password and authenticator app',
  'password+passkey': 'password and passkey',
  'password+recovery': 'password and recovery code',
  singleSignOn: 'company sign-in',
  link: 'one-time link',
} as const satisfies Record<string, string>;
export type SignInMethod = keyof typeof signInMethods;

export const isSignInMethod = (text: string | null): text is SignInMethod =>
  text !== null && Object.hasOwn(signInMethods, text);

/** Events of an account in use. */
export const kindsOfUse = [
  'signedIn',
  'signedInNewDevice',
  'passwordChanged',
  'passwordReset',
  'passwordReplaced',
  'identityConnected',
  'identityRemoved',
  'passkeyAdded',
  'passkeyRemoved',
  'authenticatorAdded',
] as const satisfies readonly AccountEventKind[];

/** What a session can do: everything, or only finish signing in. */
export const sessionLevels = ['full', 'needsSecondFactor', 'needsEnrollment'] as const;
export type SessionLevel = (typeof sessionLevels)[number];

/** Details of an event: a name, a previous address, a number. Never a secret. */
export type AccountEventDetail = Readonly<Record<string, string | number | readonly string[]>>;

type Words = (detail: AccountEventDetail) => string;

type Kind = {
  /** The text in the owner's log. */
  readonly words: Words;
  /** The notification in the inbox and by mail; null if the account's ways in don't change. */
  readonly notice: Words | null;
};

const text = (detail: AccountEventDetail, key: string): string => String(detail[key] ?? '');
const quoted = (detail: AccountEventDetail): string => (detail.name === undefined ? '' : ` “${text(detail, 'name')}”`);

const logged = (words: string | Words): Kind => ({
  words: typeof words === 'string' ? () => words : words,
  notice: null,
});
const notified = (words: string | Words, notice: string | Words): Kind => ({
  ...logged(words),
  notice: typeof notice === 'string' ? () => notice : notice,
});

/** Every kind of event. Add new ones here. */
export const accountEventKinds = {
  signedIn: logged('Signed in'),
  signedInNewDevice: notified('Signed in on a new device', (d) => `New sign-in to your account: ${text(d, 'device')}`),
  signInFailed: logged('Sign-in failed'),
  confirmed: logged('Confirmed your identity'),
  confirmFailed: logged('Failed to confirm your identity'),
  passwordChanged: notified('Changed the password', 'Your password was changed'),
  passwordReset: notified('Set a new password', 'Your password was changed with a one-time link'),
  passwordReplaced: notified(
    'A server command set a new password',
    'A server command set a new password for your account',
  ),
  passwordRequested: logged('Asked for a link to set a new password'),
  linkCreated: notified('Created a one-time link to set a password', 'A link to set your password was created'),
  invited: logged('Created an invitation'),
  linkRevoked: notified('Revoked the one-time link to set a password', 'The link to set your password was revoked'),
  emailChanged: notified(
    (d) => `Changed the email address from ${text(d, 'from')} to ${text(d, 'to')}`,
    (d) => `Your email address was changed from ${text(d, 'from')} to ${text(d, 'to')}`,
  ),
  identityConnected: notified(
    (d) => `Linked the company sign-in at ${text(d, 'issuer')}`,
    (d) => `The company sign-in at ${text(d, 'issuer')} was linked to your account`,
  ),
  identityRemoved: notified(
    (d) => `Unlinked the company sign-in at ${text(d, 'issuer')}`,
    (d) => `The company sign-in at ${text(d, 'issuer')} was unlinked from your account`,
  ),
  passkeyAdded: notified(
    (d) => `Added the passkey${quoted(d)}`,
    (d) => `The passkey${quoted(d)} was added`,
  ),
  passkeyRenamed: logged((d) => `Renamed a passkey to${quoted(d)}`),
  passkeyRemoved: notified(
    (d) => `Removed the passkey${quoted(d)}`,
    (d) => `The passkey${quoted(d)} was removed`,
  ),
  authenticatorAdded: notified('Added an authenticator app', 'An authenticator app was added'),
  authenticatorRemoved: notified('Removed the authenticator app', 'Your authenticator app was removed'),
  recoveryCodesCreated: notified('Created new recovery codes', 'New recovery codes were created'),
  recoveryCodesRemoved: notified('Removed the recovery codes', 'Your recovery codes were removed'),
  recoveryCodeUsed: notified(
    (d) => `Used a recovery code, ${text(d, 'left')} left`,
    (d) => `One of your recovery codes was used. ${text(d, 'left')} left`,
  ),
  feedCreated: notified(
    (d) => `Created the calendar feed${quoted(d)}`,
    (d) => `The calendar feed${quoted(d)} was created`,
  ),
  feedRevoked: notified(
    (d) => `Revoked the calendar feed${quoted(d)}`,
    (d) => `The calendar feed${quoted(d)} was revoked`,
  ),
  tokenCreated: notified(
    (d) => `Created the service token${quoted(d)}`,
    (d) => `The service token${quoted(d)} was created`,
  ),
  tokenRevoked: notified(
    (d) => `Revoked the service token${quoted(d)}`,
    (d) => `The service token${quoted(d)} was revoked`,
  ),
  sessionEnded: notified('Signed out another session', 'One of your sessions was signed out'),
  signedOutEverywhere: notified('Signed out everywhere', 'Your account was signed out everywhere'),
  noticesTurnedOff: logged((d) => `Turned off notifications for${quoted(d)}`),
  quietHoursSet: logged((d) => `Set quiet hours from ${text(d, 'from')} to ${text(d, 'to')}`),
  disabled: logged('Disabled the account'),
  enabled: notified('Enabled the account', 'Your account was enabled again'),
} as const satisfies Record<string, Kind>;
export type AccountEventKind = keyof typeof accountEventKinds;

/** One line of the log; null for a kind from a later version. */
export function accountEventWords(kind: string, detail: AccountEventDetail): string | null {
  return Object.hasOwn(accountEventKinds, kind)
    ? (accountEventKinds[kind as AccountEventKind] as Kind).words(detail)
    : null;
}

/** The notification's text, or null; also for an event that only a newer version knows. */
export function accountNoticeWords(event: string, detail: AccountEventDetail): string | null {
  const kinds: Readonly<Record<string, Kind>> = accountEventKinds;
  return Object.hasOwn(kinds, event) ? (kinds[event]?.notice?.(detail) ?? null) : null;
}

/** How long people are asked whether a sign-in on a new device was theirs. */
export const newDeviceAskedDays = 30;

/** A browser without any information, so it never counts as a known device. */
export const unknownDevice = deviceWords(null);

/**
 * Whether a sign-in is reported as one on a new device. `hasKnownToken`, whether the browser had an earlier
 * sign-in's token, decides if it is defined. Otherwise the device's description decides, and an account's
 * first sign-in isn't reported.
 */
export function isNewDevice(device: string, earlier: readonly string[], hasKnownToken?: boolean): boolean {
  if (hasKnownToken !== undefined) return !hasKnownToken;
  const known = earlier.filter((one) => one !== unknownDevice);
  return known.length > 0 && !known.includes(device);
}

/** How long the log is kept, in days, like the audit log. */
export const accountEventsKeptDays = 400;

/**
 * How long a proof of identity (password, passkey, company sign-in) is enough to change the account's ways
 * in.
 */
export const recentProofMinutes = 10;

/** Whether the proof is recent enough. */
export function isRecentProof(verifiedAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(verifiedAt.add({ minutes: recentProofMinutes }), now) > 0;
}

/** Where a session or sign-in came from: browser, system and address. */
export function originWords(agent: string | null, address: string | null): string {
  return address === null ? deviceWords(agent) : `${deviceWords(agent)}, ${address}`;
}
