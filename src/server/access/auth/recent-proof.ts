// Before changing the ways into an account, the person proves again who they are: a stolen token alone can't
// create access that outlives it.
import { sql } from 'drizzle-orm';
import { heldPermissions, type Viewer } from '#core/access/access.ts';
import { isRecentProof } from '#core/access/account-events.ts';
import { gainsAddress } from '#core/base/addresses.ts';
import { type Refusal, refuse } from '#core/base/refusals.ts';
import { type Actor, type AuditEntry, recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext, Services, SignedInPerson } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { tokenHash } from '#server/platform/viewer.ts';
import { recordAccountEvent } from './account-events.service.ts';
import { provePassword } from './auth.service.ts';
import { lockOwner, readProof, type StoredProof, saveProof } from './auth.store.ts';
import type { Caller } from './caller.ts';
import { assertMayGuess, type Guesser } from './guess-limits.ts';
import { renewToken } from './sessions.service.ts';
import { inTurn, personLane } from './turns.ts';

type Proving = Pick<RequestContext, 'clock' | 'session'> & {
  readonly viewer?: Viewer | { readonly id: string } | null;
};

/**
 * Throws CONFIRM_IDENTITY if the session's last proof is older than ten minutes. Called before long work; the
 * write then asserts it again.
 */
export function requireRecentProof({ database, ...proving }: Proving & Pick<Services, 'database'>): Promise<void> {
  return assertProof(database.drizzle, proving);
}

/** Throws if there is nothing to change. */
type Look = () => Promise<void>;

/**
 * The same within the change's transaction: a session that has ended since can't change anything, nor can a
 * `viewer` with rights that have changed. `look` comes before the lock.
 */
export function assertRecentProof(queries: Queries, proving: Proving, look?: Look): Promise<void> {
  return assertLocked(queries, proving, look);
}

/**
 * The same if a change brings an address into texts that people trust without asking who wrote them: a stolen
 * token must not lead them elsewhere.
 */
export async function assertProofOfAddresses(
  queries: Queries,
  proving: Proving,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  if (gainsAddress(before, after)) await assertRecentProof(queries, proving);
}

/** A call that is refused anyway takes no lock, so it never makes the session's owner wait. */
async function assertLocked(queries: Queries, proving: Proving, look?: Look, needed?: 'factor'): Promise<void> {
  await assertProof(queries, proving, needed);
  await look?.();
  if (!proving.session) return;
  await lockOwner(queries, proving.session);
  await assertProof(queries, proving, needed);
}

export type LastProof = Pick<StoredProof, 'at' | 'isConfirmed'>;

/** When the session's person last proved who they are. Null: it has ended. */
export async function lastProof(queries: Queries, { clock, session }: Proving): Promise<LastProof | null> {
  return (session && (await readProof(queries, session, clock.now().toString()))) ?? null;
}

/** The same where a command can act too: it has no session. */
export async function assertProofOfRequest(
  queries: Queries,
  { session, ...proving }: Pick<Proving, 'clock' | 'viewer'> & { readonly session?: Buffer | null | undefined },
): Promise<void> {
  if (session !== undefined) await assertRecentProof(queries, { ...proving, session });
}

/**
 * Before changing second factors: a person with a factor must prove it, because the password may be stolen
 * too.
 */
export function requireFactorProof({ database, ...proving }: Proving & Pick<Services, 'database'>): Promise<void> {
  return assertProof(database.drizzle, proving, 'factor');
}

/** The same within the change's transaction. */
export function assertFactorProof(queries: Queries, proving: Proving, look?: Look): Promise<void> {
  return assertLocked(queries, proving, look, 'factor');
}

/** For a change that waited: throws if the session has ended since, or its person's rights have changed. */
export async function assertSameCaller(queries: Queries, proving: Proving): Promise<void> {
  // A service token is checked again before each row.
  if (proving.session) await readSameCaller(queries, proving);
}

async function readSameCaller(queries: Queries, { clock, session, viewer }: Proving): Promise<StoredProof> {
  const proof = session && (await readProof(queries, session, clock.now().toString()));
  if (!proof) throw new RefusalError(refuse('NOT_SIGNED_IN'));
  const held = heldPermissions(proof.role, proof.stored);
  if (viewer && 'permissions' in viewer && (viewer.role !== proof.role || viewer.permissions.join() !== held.join()))
    throw new RefusalError(refuse('CONFLICT', 'Your permissions just changed. Reload the page'));
  return proof;
}

async function assertProof(queries: Queries, proving: Proving, needed?: 'factor'): Promise<void> {
  const proof = await readSameCaller(queries, proving);
  const isRecent = isRecentAt(proving.clock.now());
  if (needed === 'factor' && proof.hasFactor) {
    if (!isRecent(proof.factorAt)) throw new RefusalError(refuse('CONFIRM_WITH_FACTOR'));
  } else if (!isRecent(proof.at)) throw new RefusalError(refuse('CONFIRM_IDENTITY'));
}

export type HourlyLimit = {
  /** Far more than a person needs, and too few to fill the log. */
  readonly mostPerHour?: number;
  /** How many of them need no recent proof: a stolen token must not use them all up. */
  readonly unproven?: number;
  /** Another action that counts as this one. */
  readonly countedWith?: string;
};

type Repeating = Actor & Proving & { readonly viewer: { readonly id: string } };

/** Of meetings, tools or evidence in an hour: most companies have only a few. */
export const unprovenRemovals = 2;

/** Of meetings, tools or goals in an hour: an edit can empty what it doesn't remove. */
export const unprovenEdits = 5;

/** Audits a change that a person can repeat without end, if `assertOwnChanges` allows another one. */
export async function recordOwnChange(
  queries: Queries,
  actor: Repeating,
  entry: AuditEntry,
  limit?: HourlyLimit,
): Promise<void> {
  await assertOwnChanges(queries, actor, entry.action, limit);
  await recordAudit(queries, actor, entry);
}

/** Throws after too many audited changes of a kind in an hour, or without a recent proof after `unproven`. */
export async function assertOwnChanges(
  queries: Queries,
  { clock, session, viewer: { id } }: Repeating,
  action: string,
  { mostPerHour = 100, unproven = mostPerHour / 2, countedWith = action }: HourlyLimit = {},
): Promise<void> {
  const since = clock.now().subtract({ hours: 1 }).toString();
  await queries.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`own changes ${id}`}, 0))`);
  // The ids of an hour, because an index has the ids of each person and none has their times.
  const { rows } = await queries.execute<{ count: number }>(sql`
    select count(*)::int as count from audit_log
    where actor_id = ${id}::bigint and action in (${action}, ${countedWith}) and at > ${since}::timestamptz
      and id > coalesce((select id from audit_log where at < ${since}::timestamptz order by at desc limit 1), 0)`);
  const { count } = rows[0]!;
  if (count >= mostPerHour)
    throw new RefusalError(
      refuse('TOO_MANY_ATTEMPTS', `You did this ${mostPerHour} times within an hour. Try again later`),
      { retryAfter: 3_600 },
    );
  if (count >= unproven) await assertProof(queries, { clock, session });
}

const isRecentAt = (now: Temporal.Instant) => (at: string | null) =>
  at !== null && isRecentProof(Temporal.Instant.from(at), now);

/** Whether the session's person confirmed who they are, by a factor if asked, and that proof still lasts. */
async function isProven(
  queries: Queries,
  { clock }: Pick<Services, 'clock'>,
  { session, withFactor }: { readonly session: Buffer; readonly withFactor: boolean },
): Promise<boolean> {
  const proof = await readProof(queries, session, clock.now().toString());
  const isRecent = isRecentAt(clock.now());
  return proof?.isConfirmed === true && isRecent(proof.at) && (!withFactor || isRecent(proof.factorAt));
}

type Renewal = {
  readonly session: Buffer;
  readonly viewer: { readonly id: string };
  readonly how: string;
  /** Whether one of our second factors was used. */
  readonly withFactor?: boolean;
};

/** What is done with the proof, in its transaction. It also renews the session's token. */
export type ProvenWork = (queries: Queries) => Promise<{ readonly token: string }>;

/**
 * Renews a session's proof and its token: a copy of the old token proves nothing. `how` is for the logs.
 * `settle` uses up the proof in the same transaction, so an ended session spends nothing. Its refusal is
 * thrown after the commit, to keep what it wrote.
 */
export async function renewProof(
  services: Services,
  renewal: Caller & Renewal,
  settle: (queries: Queries) => Promise<Refusal | null> = async () => null,
  work?: ProvenWork,
): Promise<string> {
  const outcome = await services.database.transaction(async (queries) => {
    await lockOwner(queries, renewal.session);
    return (await settle(queries)) ?? saveRenewal(queries, services, renewal, work);
  });
  if (typeof outcome !== 'string') throw new RefusalError(outcome);
  return outcome;
}

/** The same in a transaction that already proved the person. */
export async function saveRenewal(
  queries: Queries,
  services: Services,
  { session, viewer, how, withFactor = false, ...caller }: Caller & Renewal,
  work?: ProvenWork,
): Promise<string> {
  // Once while a proof lasts: repeated without end, it would fill both logs.
  if (work || !(await isProven(queries, services, { session, withFactor }))) {
    const actor = { ...services, ...caller, viewer };
    const entry = { action: 'identityConfirmed', subjectType: 'person', subjectId: viewer.id, after: { how } };
    await recordAudit(queries, actor, entry);
    await recordAccountEvent(queries, actor, { personId: viewer.id, kind: 'confirmed', detail: { how } });
  }
  const { token } = await (work?.(queries) ?? renewToken(queries, services, viewer.id, session));
  // After the work, because the proof covers its events too: see `lastProof`.
  const at = services.clock.now().toString();
  if (!(await saveProof(queries, tokenHash(token), { at, withFactor })))
    throw new RefusalError(refuse('NOT_SIGNED_IN'));
  return token;
}

/**
 * Wrong passwords delay the session like a sign-in: a stolen token can't guess faster. `prepare` follows the
 * proof, because it hashes.
 */
export async function confirmWithPassword(
  services: Services,
  { session, viewer, password, ...caller }: Caller & { session: Buffer; viewer: SignedInPerson; password: string },
  prepare?: () => Promise<ProvenWork>,
): Promise<string> {
  const guesser: Guesser = { purpose: 'confirm', account: viewer.id, address: caller.address, trusted: session };
  await assertMayGuess(services, guesser);
  return inTurn(
    async () => {
      const { settle } = await provePassword(services, { email: viewer.email, password }, guesser, caller, {
        action: 'confirmFailed',
        refusal: 'WRONG_PROOF',
      });
      const proven = async (queries: Queries) => {
        await settle(queries);
        return null;
      };
      const work = await prepare?.();
      return renewProof(services, { ...caller, session, viewer, how: 'password' }, proven, work);
    },
    personLane(viewer.email, session),
  );
}
