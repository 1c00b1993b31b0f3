// Browsers that signed in before. Each keeps a random token, so wrong passwords from elsewhere never delay
// it. The token gives no access: it is sent along with the password.
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { hashText } from '#server/platform/hash-text.ts';
import { randomToken } from '#server/platform/random-token.ts';
import type { Caller } from './caller.ts';
import { addressKeyOf } from './guess-limits.ts';
import * as store from './known-devices.store.ts';

/** Beyond this many, the device unused for longest is forgotten. */
export const mostKnownDevices = 20;
const forgottenAfterHours = 400 * 24;

type Browser = Pick<Caller, 'address' | 'device'>;
export type KnownCaller = {
  readonly trusted: Buffer | undefined;
  readonly addressKnown: boolean;
  /**
   * The claimed email as the database compares it: JavaScript keeps “İ” apart from “i”, so each spelling
   * would have its own count of guesses.
   */
  readonly email: string;
};

/** What is known about a caller who claims this account, in the terms of guess-limits.ts. */
export async function recognize(queries: Queries, email: string, { address, device }: Browser): Promise<KnownCaller> {
  const tokenHash = hashText(device ?? '');
  const { known, ...rest } = await store.readKnown(queries, email, tokenHash, addressKeyOf(address));
  return { trusted: known ? tokenHash : undefined, ...rest };
}

/** Identifies a browser in the account log by a hash of its token. */
export const browserOf = (device: string): string => hashText(`browser ${device}`).toString('hex');

/** Whether the browser has a token of this person. Undefined if there is nothing to compare. */
export async function isKnownDevice(
  queries: Queries,
  personId: string,
  device: string | undefined,
): Promise<boolean | undefined> {
  return device === undefined ? undefined : store.readKnownOf(queries, personId, hashText(device));
}

/**
 * Remembers the browser after a sign-in and returns its token. A caller without `device`, such as a script,
 * gets none.
 */
export async function rememberDevice(
  queries: Queries,
  { clock }: Pick<Services, 'clock'>,
  personId: string,
  { address, device }: Browser,
): Promise<string | undefined> {
  if (device === undefined) return undefined;
  // Accepts any token made here, because another person's token can come from the same browser.
  const token = device !== '' && (await store.isKnown(queries, hashText(device))) ? device : randomToken();
  await store.saveDevice(queries, {
    tokenHash: hashText(token),
    personId,
    addressKey: addressKeyOf(address),
    at: clock.now().toString(),
  });
  await store.keepNewestDevices(queries, personId, mostKnownDevices);
  return token;
}

/** Forgets all of a person's browsers except the one with this token: a thief's must not stay trusted. */
export const forgetDevices = (queries: Queries, personId: string, except?: string): Promise<void> =>
  store.deleteDevices(queries, personId, except ? hashText(except) : null);

/** Forgets all of a person's browsers except the session's. */
export const forgetOtherDevices = store.deleteOtherDevices;

export async function removeUnusedDevices({ database, clock }: Services): Promise<void> {
  await store.deleteUnusedDevices(database.drizzle, clock.now().subtract({ hours: forgottenAfterHours }).toString());
}
