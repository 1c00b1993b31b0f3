// Recovery codes are shown once. This browser remembers that the person hasn't confirmed saving them; it
// never stores the codes.
import { ApiError, isUnanswered } from './api-error.ts';
import { ownPrefix, personPrefix } from './session.ts';
import { readStored, writeStored } from './stored.ts';

const name = 'codes-unconfirmed';

/** At sign-in it isn't known yet whose they are: the next person who signs in here. */
const placesOf = () => [ownPrefix() + name, personPrefix + name];

/** `signingIn`: shown on the sign-in page, where the last person may be someone else. */
export const markCodesShown = (signingIn = false): void =>
  writeStored('local', (signingIn ? personPrefix : ownPrefix()) + name, 'yes');

/** The same for codes that were made but never arrived: a call that may bring some got no answer. */
export async function orMarkLost<Answer>(call: Promise<Answer>, signingIn = false): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError && isUnanswered(error)) markCodesShown(signingIn);
    throw error;
  }
}

export function confirmCodesSaved(): void {
  for (const place of placesOf()) writeStored('local', place, null);
}

export const areCodesUnconfirmed = (): boolean => placesOf().some((place) => readStored('local', place) !== null);
