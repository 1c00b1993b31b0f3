// The permission doctor: finds problems with permissions, and explains why a person can't see a page.
import { heldPermissions } from '#core/access/access.ts';
import { type Explanation, explainAccess } from '#core/access/explained-access.ts';
import { type Finding, findings } from '#core/access/permission-doctor.ts';
import { isPath, isRestricted, routes } from '#core/access/routes.ts';
import { refuse } from '#core/base/refusals.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import * as store from './doctor.store.ts';

const mostPeople = 20;

export function permissionFindings({ database }: RequestContext): Promise<Finding[]> {
  return database.transaction(
    async (queries) => findings(await store.readRoles(queries), await store.readPatients(queries)),
    { snapshot: true },
  );
}

export function peopleToExplain({ database }: RequestContext, wanted: store.Wanted): Promise<store.FoundPerson[]> {
  return store.findPeople(database.drizzle, wanted, mostPeople);
}

type Question = { readonly personId: string; readonly path: string; readonly product?: string | undefined };

export async function explainedAccess(
  { database }: RequestContext,
  { personId, path, product }: Question,
): Promise<Explanation> {
  if (!isPath(path) || routes[path].layout === 'navless')
    throw new RefusalError(refuse('BAD_INPUT', 'path is not a page', { field: 'path' }));
  const target = { path, product: isRestricted(path) ? (product ?? null) : null };
  return database.transaction(
    async (queries) => {
      const patient = await store.readPatient(queries, personId);
      if (!patient) throw new RefusalError(refuse('NOT_FOUND', 'Person not found', { field: 'personId' }));
      const roles = await store.readRoles(queries);
      const ofRole = roles.find(({ name }) => name === patient.role)?.permissions ?? [];
      const { id, role, approverIds } = patient;
      const permissions = heldPermissions(role, [...ofRole, ...patient.grants]);
      return explainAccess({ id, role, approverIds, permissions }, target, roles);
    },
    { snapshot: true },
  );
}
