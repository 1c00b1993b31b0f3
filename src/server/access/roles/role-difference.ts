// What a change of roles would do to the people who have them, and a mark by which saving knows that this was looked at.
import { createHash } from 'node:crypto';
import { heldPermissions, type Viewer } from '#core/access/access.ts';
import { type ChangedGroup, type PageCount, pageDifference } from '#core/access/page-difference.ts';
import type { Permission } from '#core/access/permissions.ts';
import {
  addedPermissions,
  holderGainRefusal,
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
  /** The name it has now, where it gets another. */
  readonly renamedFrom: string | null;
  readonly given: readonly Permission[];
  readonly taken: readonly Permission[];
  /** People who have the role and whose accounts are not disabled. */
  readonly people: number;
};

type ChangedPerson = { readonly id: string; readonly displayName: string };
export type RoleDifference = {
  readonly roles: readonly RoleDifferenceStep[];
  readonly pages: readonly PageCount[];
  readonly groups: readonly (Omit<ChangedGroup, 'ids'> & { readonly people: readonly ChangedPerson[] })[];
  readonly seen: string;
};

/** A change that may be made: what it does, role by role, and what it means. */
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

/** Everything that the difference says and stands on: the versions of the roles and every person by id. */
function seenMark(steps: readonly RoleStep[], roles: RoleDifference['roles'], groups: readonly ChangedGroup[]): string {
  const versions = steps.map(({ before, after }) => [before.id, before.version, after.permissions]);
  const text = JSON.stringify([versions, roles, groups.map((group) => ({ ...group, ids: group.ids.toSorted() }))]);
  return createHash('sha256').update(text).digest('hex');
}

/** Asks the core whether the edits may be made, and counts what they mean for the people as they are now. */
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
  const refusal = (own && ownRightRefusal(own.before, own.after)) ?? holderGainRefusal(viewer, people);
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
    },
  };
}
