// What a change of roles would do to its people, with a mark that proves to the save that it was reviewed.
import { createHash } from 'node:crypto';
import { heldPermissions, type Viewer, type ViewerChange } from '#core/access/access.ts';
import { type ChangedGroup, type PageCount, pageDifference } from '#core/access/page-difference.ts';
import type { Permission } from '#core/access/permissions.ts';
import {
  addedPermissions,
  holderRefusal,
  ownRightRefusal,
  planRoleEdits,
  type Role,
  type RoleEdit,
  type RoleStep,
} from '#core/access/role-changes.ts';
import { isRefusal, type Refusal } from '#core/base/refusals.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { groupMapping } from '../single-sign-on/group-roles.service.ts';
import { type Holder, holdersOf } from './holders.ts';

export type RoleDifferenceStep = {
  readonly id: string;
  readonly name: string;
  /** The current name, if it is renamed. */
  readonly renamedFrom: string | null;
  readonly given: readonly Permission[];
  readonly taken: readonly Permission[];
  /** People with the role and an enabled account. */
  readonly people: number;
};

type ChangedPerson = { readonly id: string; readonly displayName: string };
export type RoleDifference = {
  readonly roles: readonly RoleDifferenceStep[];
  readonly pages: readonly PageCount[];
  readonly groups: readonly (Omit<ChangedGroup, 'ids'> & { readonly people: readonly ChangedPerson[] })[];
  readonly seen: string;
  /** Everyone with one of the roles and an enabled account. */
  readonly people: readonly ViewerChange[];
};

/** An allowed change: what it does to each role, and its effect. */
export type PlannedEdits = { readonly steps: readonly RoleStep[]; readonly difference: RoleDifference };

const viewerOf = ({ id, role, approverIds, grants }: Holder, permissions: readonly Permission[]): Viewer => ({
  id,
  role,
  approverIds,
  permissions: heldPermissions(role, [...permissions, ...grants]),
});

function stepOf({ before, after }: RoleStep, holders: readonly Holder[]): RoleDifferenceStep {
  return {
    id: before.id,
    name: after.name,
    renamedFrom: before.name === after.name ? null : before.name,
    given: addedPermissions(before.permissions, after.permissions),
    taken: addedPermissions(after.permissions, before.permissions),
    people: holders.filter(({ role }) => role === before.name).length,
  };
}

/** Everything the difference depends on: the roles' versions and every person's id. */
function seenMark(steps: readonly RoleStep[], roles: RoleDifference['roles'], groups: readonly ChangedGroup[]): string {
  const versions = steps.map(({ before, after }) => [before.id, before.version, after.permissions]);
  const text = JSON.stringify([versions, roles, groups.map((group) => ({ ...group, ids: group.ids.toSorted() }))]);
  return createHash('sha256').update(text).digest('hex');
}

/** Asks the core whether the edits are allowed, and counts their effect on the current people. */
export async function planWithDifference(
  { viewer, config }: RequestContext,
  queries: Queries,
  roles: readonly Role[],
  edits: readonly RoleEdit[],
): Promise<PlannedEdits | Refusal> {
  const steps = planRoleEdits(viewer, roles, edits, await groupMapping(queries, config));
  if (isRefusal(steps)) return steps;
  const stepOfRole = new Map(steps.map((step) => [step.before.name, step]));
  const holders = (await holdersOf(queries, [...stepOfRole.keys()])).filter(({ disabled }) => !disabled);
  const people = holders.map((holder) => {
    const { before, after } = stepOfRole.get(holder.role) as RoleStep;
    return { before: viewerOf(holder, before.permissions), after: viewerOf(holder, after.permissions) };
  });
  const own = people.find(({ before }) => before.id === viewer.id);
  const refusal = (own && ownRightRefusal(own.before, own.after)) ?? holderRefusal(viewer, people);
  if (refusal) return refusal;
  const { groups, pages } = pageDifference(people);
  const nameOf = new Map(holders.map(({ id, displayName }) => [id, displayName]));
  const changed = steps.map((step) => stepOf(step, holders));
  return {
    steps,
    difference: {
      roles: changed,
      pages,
      groups: groups.map(({ ids, ...group }) => ({
        ...group,
        people: ids.map((id) => ({ id, displayName: nameOf.get(id) ?? '' })),
      })),
      seen: seenMark(steps, changed, groups),
      people,
    },
  };
}
