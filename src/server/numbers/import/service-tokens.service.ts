// Tokens that other systems send rows with: made by an admin for named datasets, shown once, good until revoked.
import { randomBytes } from 'node:crypto';
import { serviceTokenInput } from '#core/imports.ts';
import { readInput } from '#core/inputs.ts';
import { refuse } from '#core/refusals.ts';
import { recordAudit } from '../../audit/audit.service.ts';
import type { RequestContext } from '../../context.ts';
import { orThrow, RefusalError } from '../../graphql/refusal-error.ts';
import { tokenHash } from '../../viewer.ts';
import * as store from './service-tokens.store.ts';

export type NewServiceToken = { readonly token: string; readonly serviceToken: store.ServiceToken };

export async function createServiceToken(context: RequestContext, args: object): Promise<NewServiceToken> {
  const { name, datasets } = orThrow(readInput(serviceTokenInput, args));
  const token = randomBytes(32).toString('base64url');
  const serviceToken = await context.database.transaction(async (queries) => {
    const made = await store.insertServiceToken(queries, {
      name,
      datasets,
      hash: tokenHash(token),
      createdBy: context.viewer.id,
      createdAt: context.clock.now().toString(),
    });
    await record(queries, context, 'serviceTokenCreated', made);
    return made;
  });
  return { token, serviceToken };
}

export async function revokeServiceToken(context: RequestContext, id: string): Promise<store.ServiceToken> {
  return context.database.transaction(async (queries) => {
    const isId = /^[1-9]\d{0,17}$/.test(id);
    const revoked = isId ? await store.revokeServiceToken(queries, id, context.clock.now().toString()) : null;
    if (!revoked) throw new RefusalError(refuse('NOT_FOUND'));
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
