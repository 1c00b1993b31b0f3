// Who sends rows: a person who may import, or another system by its token.
import type { FastifyRequest } from 'fastify';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { refuse } from '#core/base/refusals.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { canImport } from '#core/numbers/imports.ts';
import { authorize } from '#server/access/auth/route-access.ts';
import type { Services, SignedInPerson } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { bearerToken, tokenHash } from '#server/platform/viewer.ts';
import { goodServiceToken, type ServiceToken } from './service-tokens.store.ts';

export type Sender =
  | { readonly person: SignedInPerson; readonly serviceToken?: undefined }
  | { readonly person?: undefined; readonly serviceToken: ServiceToken };

/** Whoever may not use the application is told that first, as everywhere (D5). */
export function mustImport(viewer: SignedInPerson): void {
  const code = callRefusal(viewer, callAccess.people) ?? (canImport(viewer) ? null : 'FORBIDDEN');
  if (code !== null) throw new RefusalError(refuse(code));
}

/** A service token reaches its own datasets only; a person who may import, all. */
export function mustReach({ serviceToken }: Sender, dataset: DatasetKey): void {
  if (serviceToken && !serviceToken.datasets.includes(dataset)) throw new RefusalError(refuse('FORBIDDEN'));
}

/** The holder of the request's token, when they may send anything at all. */
export async function readSender(services: Services, request: FastifyRequest): Promise<Sender> {
  const token = bearerToken(request.headers.authorization);
  const { database, clock } = services;
  const now = clock.now().toString();
  const serviceToken = token === null ? null : await goodServiceToken(database.drizzle, tokenHash(token), now);
  if (serviceToken) return { serviceToken };
  const person = await authorize(services, token, callAccess.people);
  mustImport(person);
  return { person };
}
