// Tokens that other systems send rows with: made by an admin for named datasets, shown once, good until revoked.
import { randomBytes } from 'node:crypto';
import { serviceTokenInput } from '#core/imports.ts';
import { readInput } from '#core/inputs.ts';
import { refuse } from '#core/refusals.ts';
import { recordAudit } from '../../audit/audit.service.ts';
import type { RequestContext } from '../../context.ts';
import { orThrow, RefusalError } from '../../graphql/refusal-error.ts';
import { callKey, madeBefore, rememberMade } from '../../idempotency/idempotency.service.ts';
import { tokenHash } from '../../viewer.ts';
import * as store from './service-tokens.store.ts';

export type NewServiceToken = { readonly token: string; readonly serviceToken: store.ServiceToken };

/** Sent again with the same key it gives another token in the place of the one whose answer was lost: nobody has kept that one. */
export async function createServiceToken(context: RequestContext, args: object): Promise<NewServiceToken> {
  const { name, datasets } = orThrow(readInput(serviceTokenInput, args));
  const call = callKey(context, 'createServiceToken', { name, datasets });
  const token = randomBytes(32).toString('base64url');
  const hash = tokenHash(token);
  const serviceToken = await context.database.transaction(async (queries) => {
    const before = await madeBefore(queries, context, call);
    const made =
      before === null
        ? await store.insertServiceToken(queries, {
            name,
            datasets,
            hash,
            createdBy: context.viewer.id,
            createdAt: context.clock.now().toString(),
          })
        : await store.replaceUnusedToken(queries, before, hash);
    if (!made) throw new RefusalError(refuse('CONFLICT', 'This token was made already, and used or revoked since'));
    if (before === null) await rememberMade(queries, context, call, made.id);
    await record(queries, context, 'serviceTokenCreated', made);
    return made;
  });
  return { token, serviceToken };
}

export async function revokeServiceToken(context: RequestContext, id: string): Promise<store.ServiceToken> {
  return context.database.transaction(async (queries) => {
    const isId = /^[1-9]\d{0,17}$/.test(id);
    const revoked = isId ? await store.revokeServiceToken(queries, id, context.clock.now().toString()) : null;
    if (!revoked) throw new RefusalError(refuse('NOT_FOUND', 'There is no such token, or it was revoked already'));
    await record(queries, context, 'serviceTokenRevoked', revoked);
    return revoked;
  });
}

function record(
  queries: Parameters<typeof recordAudit>[0],
  context: RequestContext,
  action: string,
  { id, name, datasets }: store.ServiceToken,
): Promise<string> {
  return recordAudit(queries, context, {
    action,
    subjectType: 'serviceToken',
    subjectId: id,
    after: { name, datasets },
  });
}
