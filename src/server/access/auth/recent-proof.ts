// Before anything that changes how an account is reached, the person proves again who they are: a stolen token alone opens no
// way that outlives it.
import { isRecentProof } from '#core/access/account-events.ts';
import { type Refusal, refuse } from '#core/base/refusals.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext, Services, SignedInPerson } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { recordAccountEvent } from './account-events.service.ts';
import { provePassword } from './auth.service.ts';
import { lockOwner, readProof, saveProof } from './auth.store.ts';
import type { Caller } from './caller.ts';
import { assertMayGuess, type Guesser } from './guess-limits.ts';
import { inTurn } from './turns.ts';

type Proving = Pick<RequestContext, 'clock' | 'session'>;

/**
 * Throws CONFIRM_IDENTITY where the session's last proof is older than ten minutes. Before work that takes long; what is then
 * written asserts it once more.
 */
export function requireRecentProof({ database, ...proving }: Proving & Pick<Services, 'database'>): Promise<void> {
  return assertProof(database.drizzle, proving);
}

/** The same within the transaction of the change: a session that was ended since the request came changes nothing. */
export async function assertRecentProof(queries: Queries, proving: Proving): Promise<void> {
  if (proving.session) await lockOwner(queries, proving.session);
  await assertProof(queries, proving);
}

/** The same where a command may act too: it comes without a session. */
export async function assertProofOfRequest(
  queries: Queries,
  { clock, session }: Pick<Proving, 'clock'> & { readonly session?: Buffer | null | undefined },
): Promise<void> {
  if (session !== undefined) await assertRecentProof(queries, { clock, session });
}

/** Before a change of second factors: a person who has one proves it with one, because the password may be stolen too. */
export function requireFactorProof({ database, ...proving }: Proving & Pick<Services, 'database'>): Promise<void> {
  return assertProof(database.drizzle, proving, 'factor');
}

/** The same within the transaction of the change. */
export async function assertFactorProof(queries: Queries, proving: Proving): Promise<void> {
  if (proving.session) await lockOwner(queries, proving.session);
  await assertProof(queries, proving, 'factor');
}

async function assertProof(queries: Queries, { clock, session }: Proving, needed?: 'factor'): Promise<void> {
  const now = clock.now();
  const proof = session && (await readProof(queries, session, now.toString()));
  if (!proof) throw new RefusalError(refuse('NOT_SIGNED_IN'));
  const isRecent = (at: string | null) => at !== null && isRecentProof(Temporal.Instant.from(at), now);
  if (needed === 'factor' && proof.hasFactor) {
    if (!isRecent(proof.factorAt)) throw new RefusalError(refuse('CONFIRM_WITH_FACTOR'));
  } else if (!isRecent(proof.at)) throw new RefusalError(refuse('CONFIRM_IDENTITY'));
}

type Renewal = {
  readonly session: Buffer;
  readonly viewer: { readonly id: string };
  readonly how: string;
  /** The proof was made with a second factor of ours. */
  readonly withFactor?: boolean;
};

/**
 * Renews the proof of a session. `how` is for the logs. `settle` uses the proof up in the same transaction, so a session that
 * ended spends nothing. Its refusal is thrown after the commit, which keeps what it wrote.
 */
export async function renewProof(
  services: Services,
  { session, viewer, how, withFactor = false, ...caller }: Caller & Renewal,
  settle: (queries: Queries) => Promise<Refusal | null> = async () => null,
): Promise<void> {
  const { database, clock } = services;
  const actor = { ...services, ...caller, viewer };
  const refusal = await database.transaction(async (queries) => {
    await lockOwner(queries, session);
    const found = await settle(queries);
    if (found !== null) return found;
    if (!(await saveProof(queries, session, { at: clock.now().toString(), withFactor })))
      throw new RefusalError(refuse('NOT_SIGNED_IN'));
    await recordAudit(queries, actor, {
      action: 'identityConfirmed',
      subjectType: 'person',
      subjectId: viewer.id,
      after: { how },
    });
    await recordAccountEvent(queries, actor, { personId: viewer.id, kind: 'confirmed', detail: { how } });
    return null;
  });
  if (refusal !== null) throw new RefusalError(refusal);
}

/** Wrong passwords make the session wait as a browser that signs in does: a stolen token guesses no faster. */
export async function confirmWithPassword(
  services: Services,
  { session, viewer, password, ...caller }: Caller & { session: Buffer; viewer: SignedInPerson; password: string },
): Promise<void> {
  const guesser: Guesser = { purpose: 'confirm', account: viewer.id, address: caller.address, trusted: session };
  await assertMayGuess(services, guesser);
  await inTurn(
    async () => {
      const { settle } = await provePassword(services, { email: viewer.email, password }, guesser, caller, {
        action: 'confirmFailed',
        refusal: 'WRONG_PROOF',
      });
      await renewProof(services, { ...caller, session, viewer, how: 'password' }, async (queries) => {
        await settle(queries);
        return null;
      });
    },
    { by: viewer.email.toLowerCase(), known: true },
  );
}
