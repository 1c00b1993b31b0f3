// Decides how roles change: names, permissions, deletion, and what nobody can do to them (T14, D38). Used by
// the server before it previews or saves a change, and by the role editor.

import * as z from 'zod/mini';
import { plural } from '../base/formats.ts';
import { filledLine, id, pageInput, version } from '../base/inputs.ts';
import { comparableName } from '../base/one-line.ts';
import { type Refusal, refuse } from '../base/refusals.ts';
import { adminRole, can, isAdmin, refusalAt, type Viewer, type ViewerChange } from './access.ts';
import { callAccess, callRefusal } from './call-access.ts';
import { gainedPermissions, givingRefusal, ownApproverRefusal } from './holdings.ts';
import { type Permission, permissionKeys, readPermission } from './permissions.ts';
import type { Path } from './routes.ts';

export type Role = {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly version: number;
};

export type RoleEdit = {
  readonly id: string;
  /** The version that was reviewed. */
  readonly version: number;
  readonly name?: string | undefined;
  readonly permissions?: readonly Permission[] | undefined;
};

/** What the identity provider's groups receive: roles by id, and the names in the configuration. */
export type GroupMapping = {
  readonly groupsOf: ReadonlyMap<string, readonly string[]>;
  readonly names: readonly string[];
};
export const noGroups: GroupMapping = { groupsOf: new Map(), names: [] };

/** One role before and after. */
export type RoleStep = { readonly before: Role; readonly after: Role };

const roleEditorPath: Path = '/role-editor';

/** Whether this person can open the role editor. */
export function editsRoles(viewer: Viewer): boolean {
  return refusalAt(viewer, roleEditorPath) === null;
}

/** Nobody gives a permission through a role that they don't have; an admin has all (T14). */
export function canGive(viewer: Viewer, permission: Permission): boolean {
  return can(viewer, permission);
}

/** The second list without the first, in the order of all permissions. */
export function addedPermissions(before: readonly Permission[], after: readonly Permission[]): Permission[] {
  return permissionKeys.filter((permission) => after.includes(permission) && !before.includes(permission));
}

/** Why a role can't have this name, or null. `others`: the names of all other roles. */
export function roleNameRefusal(name: string, others: readonly string[]): Refusal | null {
  const wanted = comparableName(name);
  const field = { field: 'name' };
  if (wanted === '') return refuse('BAD_INPUT', 'Enter a name for the role', field);
  if (wanted === comparableName(adminRole))
    return refuse('BAD_INPUT', `“${adminRole}” is the role that has every permission. Choose another name`, field);
  const taken = others.find((other) => comparableName(other) === wanted);
  return taken === undefined ? null : refuse('BAD_INPUT', `A role named “${taken}” already exists`, field);
}

/** Groups receive a role by the name in the configuration, so taking that name decides what they get. */
function configuredNameRefusal(viewer: Viewer, name: string, { names }: GroupMapping): Refusal | null {
  const taken = names.find((configured) => comparableName(configured) === comparableName(name));
  if (taken === undefined || isAdmin(viewer)) return null;
  const words = `The company sign-in settings use the name “${taken}”. Choose another, or ask an admin`;
  return refuse('FORBIDDEN', words, { field: 'name' });
}

/**
 * Why the viewer can't change or delete a role that groups receive, or null. The change affects everyone who
 * signs in with the group, so the viewer needs all its permissions before and after.
 */
export function receivedRoleRefusal(
  viewer: Viewer,
  { id, name, permissions: held }: Pick<Role, 'id' | 'name' | 'permissions'>,
  { groupsOf }: GroupMapping,
): Refusal | null {
  const groups = groupsOf.get(id) ?? [];
  const missing = groups.length > 0 ? givingRefusal(viewer, held) : null;
  if (!missing) return null;
  const words = `Company sign-in gives the role “${name}” to ${groups.join(', ')}. Only someone who has all its permissions can change it. Ask an admin`;
  return refuse('FORBIDDEN', words, { field: 'permissions' });
}

/** In the whole company. */
export const mostRoles = 200;

/**
 * Why the viewer can't create this role or copy one into it: copying gives every permission of the original.
 */
export function newRoleRefusal(
  viewer: Viewer,
  names: readonly string[],
  role: { readonly name: string; readonly permissions: readonly Permission[] },
  mapping: GroupMapping,
): Refusal | null {
  if (names.length >= mostRoles) return refuse('BAD_INPUT', `There can be up to ${mostRoles} roles. Delete one first`);
  return (
    roleNameRefusal(role.name, names) ??
    configuredNameRefusal(viewer, role.name, mapping) ??
    givingRefusal(viewer, role.permissions)
  );
}

function staleRefusal(role: Role | undefined, { id, version }: Pick<RoleEdit, 'id' | 'version'>): Refusal | null {
  if (!role) return refuse('CONFLICT', 'Someone deleted this role', { changed: [id] });
  if (role.version === version) return null;
  return refuse('CONFLICT', `Someone changed the role “${role.name}”. Review it again`, { changed: [id] });
}

/**
 * All edits together, or the first refusal; unchanged edits are dropped. A name counts as taken while another
 * role has it, even one being renamed in the same step.
 */
export function planRoleEdits(
  viewer: Viewer,
  roles: readonly Role[],
  edits: readonly RoleEdit[],
  mapping: GroupMapping,
): readonly RoleStep[] | Refusal {
  const steps: RoleStep[] = [];
  for (const edit of edits) {
    const before = roles.find(({ id }) => id === edit.id);
    const stale = staleRefusal(before, edit);
    if (stale || !before) return stale ?? refuse('CONFLICT');
    if (steps.some((step) => step.before.id === edit.id))
      return refuse('BAD_INPUT', `The role “${before.name}” is in the changes twice`, { field: 'edits' });
    const after = { ...before, name: edit.name ?? before.name, permissions: edit.permissions ?? before.permissions };
    const others = [...roles, ...steps.map((step) => step.after)].filter(({ id }) => id !== edit.id);
    const otherNames = others.map(({ name }) => name);
    const refusal =
      (after.name === before.name ? null : renameRefusal(viewer, before, after.name, otherNames, mapping)) ??
      givingRefusal(viewer, addedPermissions(before.permissions, after.permissions));
    if (refusal) return refusal;
    if (before.name === after.name && !changesPermissions({ before, after })) continue;
    const received = receivedRoleRefusal(viewer, before, mapping);
    if (received) return received;
    steps.push({ before, after: { ...after, version: before.version + 1 } });
  }
  return steps;
}

/** Why the viewer can't rename the role, or null: people are given roles by name, so it decides what they get. */
export function renameRefusal(
  viewer: Viewer,
  role: Pick<Role, 'name' | 'permissions'>,
  name: string,
  others: readonly string[],
  mapping: GroupMapping,
): Refusal | null {
  const refusal = roleNameRefusal(name, others) ?? configuredNameRefusal(viewer, name, mapping);
  if (refusal || !givingRefusal(viewer, role.permissions)) return refusal;
  const words = `Only someone who has all permissions of “${role.name}” can rename it. Ask an admin`;
  return refuse('FORBIDDEN', words, { field: 'name' });
}

/** Identifies a role and its state, for who chooses it by name. */
export const roleMark = ({ id, version }: Pick<Role, 'id' | 'version'>): string => `${id}.${version}`;

/** Why a role that was `seen` isn't given, or null: another one may have its name by now. */
export function givenRoleRefusal(name: string, current: string | null, seen: string): Refusal | null {
  if (current === seen) return null;
  return refuse('CONFLICT', `Someone changed the role “${name}”. Review it, then save again`, { field: 'role' });
}

/** Whether the role gives more or less than before. */
function changesPermissions({ before, after }: RoleStep): boolean {
  return (
    addedPermissions(before.permissions, after.permissions).length > 0 ||
    addedPermissions(after.permissions, before.permissions).length > 0
  );
}

/**
 * Why the change would give the role's people more than the viewer has, because old grants may become
 * effective, or keep the viewer's approver from deciding.
 */
export function holderRefusal(viewer: Viewer, people: readonly ViewerChange[]): Refusal | null {
  for (const { before, after } of people) {
    const refusal =
      givingRefusal(viewer, gainedPermissions(before, after)) ?? ownApproverRefusal(viewer, before.id, before, after);
    if (refusal) return refusal;
  }
  return null;
}

/** Nobody locks themselves out of the role editor: compares the viewer before and after. */
export function ownRightRefusal(before: Viewer, after: Viewer): Refusal | null {
  if (!editsRoles(before) || editsRoles(after)) return null;
  return refuse('FORBIDDEN', 'This would remove your own access to the Role Editor. Ask someone else who edits roles', {
    field: 'permissions',
  });
}

export type GivingChange = {
  readonly role: string;
  readonly given: readonly string[];
  readonly lost: readonly string[];
};

/** Which roles each role that manages people can give after the changes, and which no longer. */
export function givingChanges(steps: readonly RoleStep[]): GivingChange[] {
  const holderOf = ({ name, permissions }: Role): Viewer => ({ id: '', role: name, permissions, approverIds: [] });
  const manages = (role: Role): boolean => callRefusal(holderOf(role), callAccess.people) === null;
  const gives = (role: Role, other: Role): boolean => givingRefusal(holderOf(role), other.permissions) === null;
  return steps
    .filter(({ before, after }) => manages(before) && manages(after))
    .map(({ before, after }) => {
      const changed = steps.filter((other) => gives(before, other.before) !== gives(after, other.after));
      const [given, lost] = [true, false].map((now) => changed.filter((other) => gives(after, other.after) === now));
      const names = (list: readonly RoleStep[] = []) => list.map((step) => step.after.name);
      return { role: after.name, given: names(given), lost: names(lost) };
    })
    .filter(({ given, lost }) => given.length + lost.length > 0);
}

const namedHolders = 10;

/**
 * Why the role can't be deleted, or null. `holders`: the names of everyone with it, including disabled
 * accounts.
 */
export function deleteRoleRefusal(
  role: Role | undefined,
  looked: Pick<RoleEdit, 'id' | 'version'>,
  holders: readonly string[],
): Refusal | null {
  const stale = staleRefusal(role, looked);
  if (stale || holders.length === 0) return stale;
  const more = holders.length - namedHolders;
  const names = holders.slice(0, namedHolders).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const have = plural(holders.length, 'person has', 'people have');
  return refuse('STILL_USED', `${have} this role: ${names}. Give them another role first`);
}

export const roleLimits = { name: 60, edits: 200, permissions: 200 } as const;

/** What `filledLine` keeps and no one sees: private, unassigned, and controls that join hieroglyphs. */
const unseen = /[\p{Co}\p{Cn}\u{13430}-\u{1343f}]/u;

const name = filledLine(roleLimits.name).check(
  z.refine<string>((text) => !unseen.test(text), 'contains an invisible character'),
);

/** Corrects the misspelling of spec 6 (D9). In the list's order, without duplicates. */
const permissions = z.pipe(
  z
    .array(z.string().check(z.refine<string>((text) => readPermission(text) !== null, 'is not a permission')))
    .check(z.maxLength(roleLimits.permissions, `has more than ${roleLimits.permissions} permissions`)),
  z.transform((keys: string[]) => knownPermissions(keys)),
);

/** The known permissions among these texts, in the list's order, without duplicates. */
export function knownPermissions(texts: readonly string[]): Permission[] {
  const read = new Set(texts.map(readPermission));
  return permissionKeys.filter((permission) => read.has(permission));
}

const edit = z.strictObject({ id, version, name: z.optional(name), permissions: z.optional(permissions) });
const edits = z
  .array(edit)
  .check(z.minLength(1, 'must not be empty'), z.maxLength(roleLimits.edits, `has more than ${roleLimits.edits} roles`));

export const roleNameInput = z.strictObject({ name });
export const createRoleInput = z.strictObject({ name, permissions });
export const roleDifferenceInput = z.strictObject({ edits });
export const saveRolesInput = z.strictObject({
  edits,
  /** The difference that was reviewed. */
  seen: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'doesn’t match the changes you reviewed')),
});
export const deleteRoleInput = z.strictObject({ id, version });
export const roleIdInput = z.strictObject({ id });
export const roleHistoryInput = z.strictObject({ id, ...pageInput.shape });
