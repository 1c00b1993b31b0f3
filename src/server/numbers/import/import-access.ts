// Who sends rows: a person who can import, or another system by token.
import type { FastifyRequest } from 'fastify';
import { isRecentProof } from '#core/access/account-events.ts';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { refuse } from '#core/base/refusals.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { importableDatasets } from '#core/numbers/imports.ts';
import { lastProof } from '#server/access/auth/recent-proof.ts';
import { authorize } from '#server/access/auth/route-access.ts';
import type { Services, SignedInPerson } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { bearerToken, readLinkHolder, readViewerOfPerson, sessionIdOf, tokenHash } from '#server/platform/viewer.ts';
import { goodServiceToken, isGoodServiceToken, type ServiceToken } from './service-tokens.store.ts';

export type Sender =
  | {
      readonly person: SignedInPerson;
      /** The session that sends it. */
      readonly session?: { readonly id: string; readonly at: Temporal.Instant };
      readonly serviceToken?: undefined;
    }
  | { readonly person?: undefined; readonly serviceToken: ServiceToken };

/** The person's datasets. Checks access to the application first, as everywhere (D5). */
export function mustImport(viewer: SignedInPerson): readonly DatasetKey[] {
  const datasets = importableDatasets(viewer);
  if (datasets.length > 0) return datasets;
  throw new RefusalError(refuse(callRefusal(viewer, callAccess.people) ?? 'FORBIDDEN'));
}

export function mustImportTo(viewer: SignedInPerson, dataset: DatasetKey): void {
  mustReach({ person: viewer }, dataset);
}

/** A service token reaches the datasets it was created for, a person those they can import. */
export function mustReach({ person, serviceToken }: Sender, dataset: DatasetKey): void {
  const datasets = person ? mustImport(person) : serviceToken.datasets;
  if (!datasets.includes(dataset)) throw new RefusalError(refuse('FORBIDDEN'));
}

/** The holder of the request's token, if they can send anything. */
export async function readSender(services: Services, request: FastifyRequest): Promise<Sender> {
  const token = bearerToken(request.headers.authorization);
  const { database, clock } = services;
  const at = clock.now();
  const serviceToken = token === null ? null : await goodServiceToken(database.drizzle, tokenHash(token), `${at}`);
  if (serviceToken) return { serviceToken };
  const person = await authorize(services, token, callAccess.people, request);
  mustImport(person);
  return { person, session: { id: sessionIdOf(tokenHash(token!)), at } };
}

/** Whether the sender is a person whose session proved lately who they are. */
export async function hasRecentProof(
  { database, clock }: Services,
  { headers }: FastifyRequest,
  { person }: Sender,
): Promise<boolean> {
  const token = person ? bearerToken(headers.authorization) : null;
  const proof = token === null ? null : await lastProof(database.drizzle, { clock, session: tokenHash(token) });
  return proof !== null && isRecentProof(Temporal.Instant.from(proof.at), clock.now());
}

/**
 * Whether the session that sends a file or a dry run was ended, or has another token: a thief may have used a
 * copy of the old one. A session whose hour is over isn't ended.
 */
export async function isSessionEnded(services: Services, sender: Sender): Promise<boolean> {
  if (!sender.person || !sender.session) return false;
  const { id, at } = sender.session;
  return (await readLinkHolder(services, { personId: sender.person.id, sessionId: id }, at)) === null;
}

/** Whether a running import's sender can still send rows. The session that started it may have ended. */
export async function mayStillSend(
  services: Services,
  { person, serviceToken }: Sender,
  dataset: DatasetKey,
): Promise<boolean> {
  const { database, clock } = services;
  if (serviceToken) return isGoodServiceToken(database.drizzle, serviceToken.id, clock.now().toString());
  const now = await readViewerOfPerson(services, person.id);
  return now !== null && importableDatasets(now).includes(dataset);
}
