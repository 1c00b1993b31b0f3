// Tokens for other systems that send rows: created by an admin for named datasets, shown once, and valid
// until they expire, are revoked, or their owner is no longer an admin.
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { defaultTokenDays, serviceTokenInput } from '#core/numbers/imports.ts';
import { type EventActor, recordAccountEvent } from '#server/access/auth/account-events.service.ts';
import { assertRecentProof } from '#server/access/auth/recent-proof.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import { randomToken } from '#server/platform/random-token.ts';
import { tokenHash } from '#server/platform/viewer.ts';
import * as store from './service-tokens.store.ts';

export type NewServiceToken = { readonly token: string; readonly serviceToken: store.ServiceToken };

/** A repeated call with the same key replaces the token whose answer was lost, because nobody has it. */
export async function createServiceToken(context: RequestContext, args: object): Promise<NewServiceToken> {
  const { name, datasets, days = defaultTokenDays } = orThrow(readInput(serviceTokenInput, args));
  const call = callKey(context, 'createServiceToken', { name, datasets, days });
  const token = randomToken();
  const hash = tokenHash(token);
  const serviceToken = await context.database.transaction(async (queries) => {
    await assertRecentProof(queries, context);
    const before = await findReplay(queries, context, call);
    const made =
      before === null
        ? await store.insertServiceToken(queries, {
            name,
            datasets,
            hash,
            createdBy: context.viewer.id,
            createdAt: context.clock.now().toString(),
            expiresAt: context.clock
              .now()
              .add({ hours: 24 * days })
              .toString(),
          })
        : await store.replaceUnusedToken(queries, before, hash);
    if (!made) {
      const reason = 'This token was already created, and has since been used or revoked. Create another one';
      throw new RefusalError(refuse('CONFLICT', reason));
    }
    if (before === null) await recordResult(queries, context, call, made.id);
    await record(queries, context, 'serviceTokenCreated', made);
    await tell(queries, context, 'tokenCreated', made);
    return made;
  });
  return { token, serviceToken };
}

/** Another admin's needs a proof: what it imports every night would stop. */
export async function revokeServiceToken(context: RequestContext, id: string): Promise<store.ServiceToken> {
  return context.database.transaction(async (queries) => {
    const isId = /^[1-9]\d{0,17}$/.test(id);
    const ownTokens = await store.listServiceTokens(queries, context.viewer.id);
    if (!ownTokens.some((own) => own.id === id)) await assertRecentProof(queries, context);
    const now = context.clock.now().toString();
    const [revoked] = isId ? await store.revokeServiceTokens(queries, { id }, now) : [];
    if (!revoked) throw new RefusalError(refuse('NOT_FOUND', 'Token not found or already revoked'));
    await record(queries, context, 'serviceTokenRevoked', revoked);
    await tell(queries, context, 'tokenRevoked', revoked);
    return revoked;
  });
}

/** Revokes one or all of the person's tokens; returns the active ones among them. */
export async function revokeTokensOf(
  queries: Queries,
  actor: EventActor,
  personId: string,
  id?: string,
): Promise<store.ServiceToken[]> {
  const revoked = await store.revokeServiceTokens(queries, { id, personId }, actor.clock.now().toString());
  for (const token of revoked) {
    await record(queries, actor, 'serviceTokenRevoked', token);
    await tell(queries, actor, 'tokenRevoked', token);
  }
  return revoked;
}

/** A person's active tokens. */
export async function tokensOf(
  queries: Queries,
  personId: string,
  now: Temporal.Instant,
): Promise<store.ServiceToken[]> {
  const tokens = await store.listServiceTokens(queries, personId);
  return tokens.filter(
    ({ revokedAt, expiresAt }) =>
      revokedAt === null && Temporal.Instant.compare(Temporal.Instant.from(expiresAt), now) > 0,
  );
}

function tell(
  queries: Queries,
  actor: EventActor,
  kind: 'tokenCreated' | 'tokenRevoked',
  { name, createdBy }: store.ServiceToken,
): Promise<void> {
  return recordAccountEvent(queries, actor, { personId: createdBy, kind, detail: { name } });
}

function record(
  queries: Queries,
  actor: EventActor,
  action: string,
  { id, name, datasets, expiresAt }: store.ServiceToken,
): Promise<string> {
  return recordAudit(queries, actor, {
    action,
    subjectType: 'serviceToken',
    subjectId: id,
    after: { name, datasets, expiresAt },
  });
}
