// Who sends rows: a person who can import, or another system by token.
import type { FastifyRequest } from 'fastify';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { refuse } from '#core/base/refusals.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { importableDatasets } from '#core/numbers/imports.ts';
import { authorize } from '#server/access/auth/route-access.ts';
import { sessionStart, wasSessionEnded } from '#server/access/auth/sessions.service.ts';
import type { Services, SignedInPerson } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { bearerToken, readViewerOfPerson, tokenHash } from '#server/platform/viewer.ts';
import { goodServiceToken, isGoodServiceToken, type ServiceToken } from './service-tokens.store.ts';

export type Sender =
  | {
      readonly person: SignedInPerson;
      /** When the session began that sends it. */
      readonly sessionStart?: string | null;
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
  const now = clock.now().toString();
  const serviceToken = token === null ? null : await goodServiceToken(database.drizzle, tokenHash(token), now);
  if (serviceToken) return { serviceToken };
  const person = await authorize(services, token, callAccess.people);
  mustImport(person);
  return { person, sessionStart: await sessionStart(database.drizzle, tokenHash(token!)) };
}

/** Whether someone ended the session that sends a dry run, which nobody needs any more. */
export async function isAbandoned({ database }: Services, sender: Sender): Promise<boolean> {
  return sender.person && sender.sessionStart
    ? wasSessionEnded(database.drizzle, sender.person.id, sender.sessionStart)
    : false;
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
