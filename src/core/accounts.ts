// Decides what may be changed about the account of a person, and what a change comes to (D11, D38).
// Asked by user management, for one person, for several at once and for a file of people, and by its page.
import { adminRole, heldPermissions, isAdmin, type Viewer } from './access.ts';
import { planApprovers } from './approvers.ts';
import { isScope } from './brands.ts';
import { displayName } from './people.ts';
import { isPermission, type Permission, topFivePermission } from './permissions.ts';
import { isRefusal, type Refusal, refuse } from './refusals.ts';

/** What user management can set. A role is `admin`, the name of one or null; grants are the direct ones. */
export type AccountFields = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: string | null;
  readonly team: string | null;
  readonly approverIds: readonly string[];
  readonly topFiveInvisible: boolean;
  readonly grants: readonly string[];
  readonly disabled: boolean;
};
export type AccountField = keyof AccountFields;

/** What is wanted. `topFive` is the switch between the two lists (spec 3): it comes to a direct grant. */
export type AccountChange = { readonly [Field in AccountField]?: AccountFields[Field] | undefined } & {
  readonly topFive?: boolean | undefined;
};

/** What the rules have to know of the company. */
export type AccountFacts = {
  /** The permissions of each role as stored; `admin` is not among them. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
  /** Of the approvers wanted, those that are there. */
  readonly candidates: ReadonlyMap<string, { readonly displayName: string; readonly disabled: boolean }>;
};

export type AccountPlan = {
  readonly kind: 'plan';
  readonly after: AccountFields;
  readonly changed: readonly AccountField[];
};
export type AccountAnswer = AccountPlan | { readonly kind: 'unchanged' } | Refusal;

/** Where a permission comes from. */
export type PermissionSource = 'admin' | 'role' | 'direct';

/** What opens or closes the account of an admin: only another admin may touch it, or user management would be a way to become one. */
const guarded: readonly (keyof AccountChange)[] = ['email', 'role', 'grants', 'topFive', 'disabled'];

export function isAccountOfAdmin({ role }: { readonly role: string | null }): boolean {
  return role === adminRole;
}

/** Why the viewer may not let this person sign in another way: a password, an invitation, the end of sessions. */
export function signInRefusal(viewer: Viewer, account: Pick<AccountFields, 'role'>): Refusal | null {
  if (!isAccountOfAdmin(account) || isAdmin(viewer)) return null;
  return refuse('FORBIDDEN', 'Only an admin may change how an admin signs in, and what an admin may do');
}

/** Every permission that the person holds, with where it comes from, in the order of the list (D11). */
export function permissionSources(
  role: string | null,
  ofRole: readonly string[],
  grants: readonly string[],
): { permission: Permission; sources: PermissionSource[] }[] {
  const byRole = heldPermissions(null, ofRole);
  const direct = heldPermissions(null, grants);
  return heldPermissions(role, [...ofRole, ...grants]).map((permission) => ({
    permission,
    sources: [
      ...(role === adminRole ? (['admin'] as const) : []),
      ...(role !== null && role !== adminRole && byRole.includes(permission) ? (['role'] as const) : []),
      ...(direct.includes(permission) ? (['direct'] as const) : []),
    ],
  }));
}

/** Where the top-5 permission comes from; without one the person is in the list of logged users (spec 3). */
export function topFiveSource(
  role: string | null,
  { ofRole, granted }: { readonly ofRole: boolean; readonly granted: boolean },
): PermissionSource | null {
  if (role === adminRole) return 'admin';
  if (role !== null && ofRole) return 'role';
  return granted ? 'direct' : null;
}

/** Why the switch cannot take the top-5 permission away, or null. */
export function topFiveBound(source: PermissionSource | null, role: string | null): string | null {
  if (source === 'admin') return 'An admin holds every permission. Give another role first';
  if (source === 'role') return `Top 5 comes with the role ${role}. Give another role, or take it out of the role`;
  return null;
}

/** What the change comes to for this person, or why it is not made. */
export function planAccountChange(
  viewer: Viewer,
  { id, ...before }: AccountFields & { readonly id: string },
  change: AccountChange,
  facts: AccountFacts,
): AccountAnswer {
  const refusal = mayNot(viewer, id, before, change) ?? notPossible(id, before, change, facts);
  if (refusal) return refusal;
  const { topFive, ...wanted } = change;
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  const after: AccountFields = { ...before, ...given };
  const grants = grantsAfter(after, topFive, facts);
  if (!Array.isArray(grants)) return grants as Refusal;
  return planOf(before, { ...after, grants });
}

/** A new account is a change of an empty one. */
export function planNewAccount(viewer: Viewer, change: AccountChange, facts: AccountFacts): AccountAnswer {
  return planAccountChange(viewer, { id: '', ...emptyAccount }, change, facts);
}

export const emptyAccount: AccountFields = {
  email: '',
  firstName: '',
  lastName: '',
  role: null,
  team: null,
  approverIds: [],
  topFiveInvisible: false,
  grants: [],
  disabled: false,
};

function mayNot(viewer: Viewer, id: string, before: AccountFields, change: AccountChange): Refusal | null {
  if (change.disabled === true && id === viewer.id)
    return refuse('FORBIDDEN', 'You cannot disable your own account. Ask somebody else who manages users');
  if (isAdmin(viewer)) return null;
  if (change.role === adminRole && before.role !== adminRole)
    return refuse('FORBIDDEN', 'Only an admin makes admins', { field: 'role' });
  const touched = guarded.some((field) => change[field] !== undefined && differs(before, field, change));
  return touched ? signInRefusal(viewer, before) : null;
}

function differs(before: AccountFields, field: keyof AccountChange, change: AccountChange): boolean {
  if (field === 'topFive') return change.topFive === false;
  return !same(before[field], change[field]);
}

function notPossible(
  id: string,
  before: AccountFields,
  { role, team, approverIds, grants }: AccountChange,
  { roles, candidates }: AccountFacts,
): Refusal | null {
  // A role that is gone or a team of another time may stay; it cannot be chosen anew.
  if (role != null && role !== before.role && role !== adminRole && !roles.has(role))
    return refuse('BAD_INPUT', `There is no role "${role}"`, { field: 'role' });
  if (team != null && team !== before.team && !isScope(team))
    return refuse('BAD_INPUT', `There is no team "${team}"`, { field: 'team' });
  const unknown = grants?.find((grant) => !isPermission(grant) && !before.grants.includes(grant));
  if (unknown !== undefined)
    return refuse('BAD_INPUT', `There is no permission "${unknown}"`, { field: 'permissions' });
  if (approverIds === undefined) return null;
  const person = { id, displayName: displayName(before), ownApproverIds: before.approverIds };
  const approvers = planApprovers(person, approverIds, candidates);
  return isRefusal(approvers) ? { ...approvers, field: 'approverId' } : null;
}

/** The direct grants after the switch was moved; as they are without a move. */
function grantsAfter(
  after: AccountFields,
  topFive: boolean | undefined,
  { roles }: AccountFacts,
): readonly string[] | Refusal {
  const granted = after.grants.includes(topFivePermission);
  const ofRole = roles.get(after.role ?? '')?.includes(topFivePermission) ?? false;
  const source = topFiveSource(after.role, { ofRole, granted });
  if (topFive === undefined || topFive === (source !== null)) return after.grants;
  if (topFive) return [...after.grants, topFivePermission];
  const bound = topFiveBound(source, after.role);
  return bound === null
    ? after.grants.filter((grant) => grant !== topFivePermission)
    : refuse('BAD_INPUT', bound, { field: 'top5' });
}

const sorted = (list: readonly string[]) => JSON.stringify([...list].sort());

/** Lists are sets here: their order means nothing. */
function same(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other) ? sorted(one) === sorted(other) : one === other;
}

function planOf(before: AccountFields, after: AccountFields): AccountAnswer {
  const fields = Object.keys(emptyAccount) as AccountField[];
  const changed = fields.filter((field) => !same(before[field], after[field]));
  return changed.length === 0 ? { kind: 'unchanged' } : { kind: 'plan', after, changed };
}
