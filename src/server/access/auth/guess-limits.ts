// Counts wrong guesses of passwords and codes in the database, for all servers, and delays the next guess
// (D14).
import { guessLanes, type LaneName, secondsToWait, waitInWords, wrongGuessHours } from '#core/access/guess-limits.ts';
import { refuse } from '#core/base/refusals.ts';
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { hashText } from '#server/platform/hash-text.ts';
import { addressBucket } from '#server/platform/http/address-bucket.ts';
import * as store from './guess-limits.store.ts';

/**
 * Each purpose has its own count: a right password doesn't excuse wrong codes. A forgotten-password request
 * guesses nothing, but each costs a mail.
 */
export type GuessPurpose =
  | 'password'
  | 'code'
  | 'recovery'
  | 'confirm'
  | 'confirmCode'
  | 'confirmRecovery'
  | 'forgotten';

export type Guesser = {
  readonly purpose: GuessPurpose;
  /** The target of the guess: an email as typed, or a person's id. */
  readonly account: string;
  readonly address: string;
  /**
   * Something only the person's browser has, such as a known device's or session's hash. Its guesses are
   * counted separately, so wrong guesses from elsewhere never delay it.
   */
  readonly trusted?: Buffer | undefined;
  /**
   * The person signed in from this address before: wrong guesses from elsewhere, or at other accounts, don't
   * count against it.
   */
  readonly addressKnown?: boolean | undefined;
};

/** The bucket as a database key, because the database must not store addresses. */
export const addressKeyOf = (address: string): Buffer => hashText(`address:${addressBucket(address)}`);

type CountedLane = { readonly lane: LaneName; readonly key: Buffer };

/** Hashes only: the table has neither addresses nor emails as typed. */
const keyOf = (...parts: readonly string[]): Buffer => hashText(JSON.stringify(parts));

function lanesOf({ purpose, account, address, trusted, addressKnown }: Guesser): readonly CountedLane[] {
  const who = account.toLowerCase();
  // Only someone with the password can guess codes at sign-in. Of each count about 105 codes a day are
  // checked, and three in a million are right. So all other places share a count, and all known addresses
  // share one too: together one thief guesses right in four years. A known browser's count needs its token.
  if (purpose === 'code') {
    const known = trusted ? ['browser', trusted.toString('hex')] : addressKnown ? ['known addresses'] : [];
    return [{ lane: 'own', key: keyOf(purpose, who, ...known) }];
  }
  if (trusted) {
    const own = { lane: 'own', key: keyOf(purpose, who, 'browser', trusted.toString('hex')) } as const;
    // A session can request a new token, so guesses at one person also share a count.
    return purpose === 'confirm' || purpose === 'confirmCode'
      ? [own, { lane: 'account', key: keyOf(purpose, who) }]
      : [own];
  }
  const bucket = addressBucket(address);
  if (purpose === 'recovery') return [{ lane: 'own', key: keyOf(purpose, who, 'address', bucket) }];
  const own = { lane: 'own', key: keyOf(purpose, who, 'address', bucket) } as const;
  if (addressKnown) return [own];
  return [
    own,
    { lane: 'address', key: keyOf(purpose, 'address', bucket) },
    { lane: 'account', key: keyOf(purpose, who) },
  ];
}

async function assertAllowed(queries: Queries, lanes: readonly CountedLane[], now: Temporal.Instant): Promise<void> {
  const since = now.subtract({ hours: wrongGuessHours }).toString();
  const counts = await store.countWrongGuesses(
    queries,
    lanes.map(({ key }) => key),
    since,
  );
  const waits = lanes.map(({ lane, key }) => {
    const counted = counts.find((count) => count.key.equals(key));
    if (!counted) return 0;
    const next = Temporal.Instant.from(counted.lastAt).add({ seconds: secondsToWait(guessLanes[lane], counted.wrong) });
    return next.since(now).total('seconds');
  });
  const retryAfter = Math.ceil(Math.max(...waits));
  if (retryAfter > 0)
    throw new RefusalError(refuse('TOO_MANY_ATTEMPTS', `Too many attempts. Try again in ${waitInWords(retryAfter)}`), {
      retryAfter,
    });
}

/** Throws TOO_MANY_ATTEMPTS while a guess has to wait. Cheap, so call it before expensive work. */
export async function assertMayGuess({ database, clock }: Services, guesser: Guesser): Promise<void> {
  await assertAllowed(database.drizzle, lanesOf(guesser), clock.now());
}

export type CountedGuess = {
  /** The guess was right: forgets it and the earlier wrong ones from this browser or address. */
  readonly right: (queries: Queries) => Promise<void>;
};

/**
 * Counts a guess as wrong before checking it, so parallel guesses can't exceed the limit. Throws
 * TOO_MANY_ATTEMPTS while a guess has to wait.
 */
export async function countGuess({ database, clock }: Services, guesser: Guesser): Promise<CountedGuess> {
  const lanes = lanesOf(guesser);
  const now = clock.now();
  const ids = await database.transaction(async (queries) => {
    await store.lockLanes(
      queries,
      lanes.map(({ key }) => key),
    );
    await assertAllowed(queries, lanes, now);
    return store.insertWrongGuesses(
      queries,
      lanes.map(({ key }) => key),
      now.toString(),
    );
  });
  const own = lanes.filter(({ lane }) => lane === 'own').map(({ key }) => key);
  return { right: (queries) => store.forgetWrongGuesses(queries, ids, own) };
}

export async function removeOldGuesses({ database, clock }: Services): Promise<void> {
  await store.deleteWrongGuesses(database.drizzle, clock.now().subtract({ hours: wrongGuessHours }).toString());
}
