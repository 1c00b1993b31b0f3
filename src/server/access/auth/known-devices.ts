// Browsers that signed in before. Each keeps a random token, so wrong passwords from elsewhere never make it wait. The token
// opens nothing: it is sent in the body of a sign-in, beside the password.
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { hashText } from '#server/platform/hash-text.ts';
import { randomToken } from '#server/platform/random-token.ts';
import type { Caller } from './caller.ts';
import { addressKeyOf } from './guess-limits.ts';
import * as store from './known-devices.store.ts';

/** A person's devices beyond these are forgotten, the one unused for longest first. */
export const mostKnownDevices = 20;
const forgottenAfterHours = 400 * 24;

type Browser = Pick<Caller, 'address' | 'device'>;
export type KnownCaller = { readonly trusted: Buffer | undefined; readonly addressKnown: boolean };

/** What is known of a caller who says they are this account, in the terms of guess-limits.ts. */
export async function recognize(queries: Queries, email: string, { address, device }: Browser): Promise<KnownCaller> {
  const tokenHash = hashText(device ?? '');
  const { known, addressKnown } = await store.readKnown(queries, email, tokenHash, addressKeyOf(address));
  return { trusted: known ? tokenHash : undefined, addressKnown };
}

/** Names a browser by its token in the log of an account, and opens nothing. */
export const browserOf = (device: string): string => hashText(`browser ${device}`).toString('hex');

/** Whether the browser kept a token of this person. Undefined where nothing can be compared: it keeps none, or nobody's did. */
export async function isKnownDevice(
  queries: Queries,
  personId: string,
  device: string | undefined,
): Promise<boolean | undefined> {
  return device === undefined ? undefined : store.readKnownOf(queries, personId, hashText(device));
}

/**
 * Remembers the browser for the person, after a right sign-in, and gives the token to keep. A caller that sent no `device` at
 * all, like a script, keeps none.
 */
export async function rememberDevice(
  queries: Queries,
  { clock }: Pick<Services, 'clock'>,
  personId: string,
  { address, device }: Browser,
): Promise<string | undefined> {
  if (device === undefined) return undefined;
  // Only tokens made here are taken: one of another person's browser is this same browser.
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

/** Forgets every browser of a person but the one with this token: a thief's must not stay trusted. */
export const forgetDevices = (queries: Queries, personId: string, except?: string): Promise<void> =>
  store.deleteDevices(queries, personId, except ? hashText(except) : null);

/** Forgets every browser of a person but that of the session. */
export const forgetOtherDevices = store.deleteOtherDevices;

export async function removeUnusedDevices({ database, clock }: Services): Promise<void> {
  await store.deleteUnusedDevices(database.drizzle, clock.now().subtract({ hours: forgottenAfterHours }).toString());
}
