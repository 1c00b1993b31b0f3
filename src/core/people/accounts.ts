// Decides what can be changed about an account, and the resulting state (D11, D38). Used by user management
// for one person, several or a file, and by its page.
import * as z from 'zod/mini';
import { adminRole, heldPermissions, isAdmin, type Viewer } from '../access/access.ts';
import { isScope } from '../access/brands.ts';
import {
  gainedPermissions,
  givingRefusal,
  ownAccessRefusal,
  ownApproverRefusal,
  ownReachRefusal,
} from '../access/holdings.ts';
import { topFiveBound, topFiveSource } from '../access/permission-sources.ts';
import { isPermission, topFivePermission } from '../access/permissions.ts';
import { emailAddress } from '../access/sign-in-inputs.ts';
import { filled, id, line, storable } from '../base/inputs.ts';
import { isRefusal, type Refusal, refuse } from '../base/refusals.ts';
import {
  type ApproverFacts,
  approverChoiceRefusal,
  effectiveApprovers,
  planApprovers,
  type StatsSubject,
  seesStatsOf,
} from './approvers.ts';
import { approverIdList, displayName, erasedRefusal, isErased } from './people.ts';

/** What user management can set. A role is `admin`, a role's name or null; grants are the direct ones. */
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

/** The requested change. `topFive` is the switch between the two lists (spec 3), stored as a direct grant. */
export type AccountChange = { readonly [Field in AccountField]?: AccountFields[Field] | undefined } & {
  readonly topFive?: boolean | undefined;
};

/** What the rules need to know about the company. */
export type AccountFacts = ApproverFacts & {
  /** Each role's permissions as stored, without `admin`. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
  readonly defaultApproverId: string | null;
  /** The teams whose stats someone who is no admin may see. */
  readonly watchedTeams: ReadonlySet<string>;
  /**
   * Why the viewer can't manage this account (`accountControlRefusal`): they can't change its email or enable
   * it.
   */
  readonly control: Refusal | null;
};

export type AccountPlan = {
  readonly kind: 'plan';
  readonly after: AccountFields;
  readonly changed: readonly AccountField[];
};
export type AccountAnswer = AccountPlan | { readonly kind: 'unchanged' } | Refusal;

type Change = keyof AccountChange;
/** Only another admin can change more than an admin's name. */
const guardedOfAdmin: readonly Change[] = [
  'email',
  'role',
  'grants',
  'topFive',
  'disabled',
  'team',
  'approverIds',
  'topFiveInvisible',
];
/** Only admins can change these about themselves: their permissions, and who sees and decides their tasks. */
const guardedOfOneself: readonly Change[] = ['role', 'grants', 'topFive', 'team', 'approverIds', 'topFiveInvisible'];

export function isAccountOfAdmin({ role }: { readonly role: string | null }): boolean {
  return role === adminRole;
}

/** Why the viewer can't change an admin's sign-in, permissions, team, approvers and visibility, or null. */
export function signInRefusal(viewer: Viewer, account: Pick<AccountFields, 'role'>): Refusal | null {
  if (!isAccountOfAdmin(account) || isAdmin(viewer)) return null;
  return refuse('FORBIDDEN', 'Only admins can change an admin’s sign-in and permissions');
}

/** Why the viewer can't close ways into this account, or null: closed again and again, they keep its owner out. */
export function closingRefusal(viewer: Viewer, account: Pick<AccountFields, 'role'> & { readonly id: string }) {
  const refusal = signInRefusal(viewer, account);
  if (refusal || isAdmin(viewer) || !viewer.approverIds.includes(account.id)) return refusal;
  return refuse('FORBIDDEN', 'You can’t sign your approver out or remove their sign-in methods. Ask an admin');
}

/** Who changes accounts; `team` is the one they are in. */
export type AccountChanger = Viewer & { readonly team: string | null };

/** The change's result for this person, or why it is refused. */
export function planAccountChange(
  viewer: AccountChanger,
  { id, ...before }: AccountFields & { readonly id: string },
  change: AccountChange,
  facts: AccountFacts,
): AccountAnswer {
  const refusal =
    erasedRefusal(before) ?? mayNot(viewer, id, before, change, facts) ?? notPossible(id, before, change, facts);
  if (refusal) return refusal;
  const { topFive, ...wanted } = change;
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  const after: AccountFields = { ...before, ...given };
  const grants = grantsAfter(after, topFive, facts);
  if (!Array.isArray(grants)) return grants as Refusal;
  const planned = { ...after, grants };
  return reachRefusal(viewer, id, before, planned, facts) ?? planOf(before, planned);
}

/** Why the change would give someone more than the viewer has, or null (T14). */
function reachRefusal(
  viewer: AccountChanger,
  id: string,
  before: AccountFields,
  after: AccountFields,
  facts: AccountFacts,
): Refusal | null {
  if (isAdmin(viewer)) return null;
  const { roles, defaultApproverId, watchedTeams } = facts;
  const holderOf = ({ role, grants }: AccountFields): Viewer => ({
    id,
    role,
    permissions: heldPermissions(role, [...(roles.get(role ?? '') ?? []), ...grants]),
    approverIds: [],
  });
  const isEnabled = before.disabled && !after.disabled;
  const gained = gainedPermissions(isEnabled ? null : holderOf(before), holderOf(after));
  const given = givingRefusal(viewer, gained, before.role === after.role ? 'permissions' : 'role');
  if (given) return given;
  const [had, has] = [before, after].map((fields) => effectiveApprovers(id, fields.approverIds, defaultApproverId));
  const person = { id, role: before.role };
  const choice = approverChoiceRefusal(viewer, person, { before: had ?? [], after: has ?? [] }, facts);
  if (choice) return choice;
  if (id === '') return null;
  const decider = (fields: AccountFields) => (fields.disabled ? null : holderOf(fields));
  const subject = { ...before, id, approverIds: had ?? [] };
  return (
    ownApproverRefusal(viewer, id, decider(before), decider(after)) ??
    watcherRefusal(viewer, subject, after, watchedTeams) ??
    ownTeamRefusal(viewer, before, after)
  );
}

/** A team's result is part of its members' bonus: none of them decides whose tasks count in it. */
function ownTeamRefusal({ team: own }: AccountChanger, before: AccountFields, after: AccountFields): Refusal | null {
  const isMoved = own !== null && before.team !== after.team && [before.team, after.team].includes(own);
  const isShownOrHidden = before.topFiveInvisible !== after.topFiveInvisible;
  // Without a team, everyone's result is theirs.
  const counts = own === null || before.team === own;
  if (!isMoved && !(isShownOrHidden && counts)) return null;
  const words = 'This would change the team result in your own bonus. Ask an admin to do it';
  return refuse('FORBIDDEN', words, { field: isMoved ? 'team' : 'top5Invisible' });
}

/** Stats that the viewer can't see are shown to nobody else by them: it could be their second account. */
function watcherRefusal(
  viewer: Viewer,
  before: StatsSubject,
  { team, topFiveInvisible }: AccountFields,
  watchedTeams: ReadonlySet<string>,
): Refusal | null {
  // The stats of a brand show tasks of its category too, whatever the team.
  const isUnhidden = before.topFiveInvisible && !topFiveInvisible;
  const isMoved = team !== null && team !== before.team && !topFiveInvisible && watchedTeams.has(team);
  if (!(isUnhidden || isMoved) || seesStatsOf(viewer, before)) return null;
  const field = isUnhidden ? 'top5Invisible' : 'team';
  const words = 'This would show others stats that you can’t see. Ask an admin to do it';
  return refuse('FORBIDDEN', words, { field });
}

/** Whether the change can show someone's stats to others. Then the rules must know the watched teams. */
export const mayShowStats = ({ team, topFiveInvisible }: AccountChange): boolean =>
  team != null || topFiveInvisible === false;

/** A new account is a change of an empty one. */
export function planNewAccount(viewer: AccountChanger, change: AccountChange, facts: AccountFacts): AccountAnswer {
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

function mayNot(
  viewer: Viewer,
  id: string,
  before: AccountFields,
  change: AccountChange,
  { control, roles }: AccountFacts,
): Refusal | null {
  if (change.disabled === true && id === viewer.id)
    return refuse('FORBIDDEN', 'You can’t disable your own account. Ask someone else with access to User Management');
  if (id === viewer.id && change.email !== undefined && differs(before, 'email', change, roles))
    return { ...ownReachRefusal(viewer), field: 'email' };
  if (isAdmin(viewer)) return null;
  if (change.role === adminRole && before.role !== adminRole)
    return refuse('FORBIDDEN', 'Only admins can make someone an admin', { field: 'role' });
  const touches = (fields: readonly Change[]) =>
    fields.find((field) => change[field] !== undefined && differs(before, field, change, roles));
  if (isAccountOfAdmin(before) && touches(guardedOfAdmin)) return signInRefusal(viewer, before);
  const own = id === viewer.id ? touches(guardedOfOneself) : undefined;
  const refusal = own === undefined ? null : ownAccessRefusal(viewer, id);
  if (refusal && own) return { ...refusal, field: inputFields[own] ?? own };
  if (!control) return null;
  if (before.disabled && change.disabled === false) return control;
  return touches(['email']) ? { ...control, field: 'email' } : null;
}

/** The API's name of a field, if it differs. */
const inputFields: { readonly [Field in Change]?: string } = {
  grants: 'permissions',
  topFive: 'top5',
  approverIds: 'approverId',
  topFiveInvisible: 'top5Invisible',
};

function differs(before: AccountFields, field: Change, change: AccountChange, roles: AccountFacts['roles']): boolean {
  if (field === 'topFive') return change.topFive !== (topFiveOf(before, roles) !== null);
  return !same(before[field], change[field]);
}

function notPossible(
  id: string,
  before: AccountFields,
  { email, role, team, approverIds, grants }: AccountChange,
  { roles, candidates }: AccountFacts,
): Refusal | null {
  if (email !== undefined && isErased({ email }))
    return refuse('BAD_INPUT', 'Use another email address: this domain is reserved for erased accounts', {
      field: 'email',
    });
  // A deleted role or former team can stay; it can't be newly chosen.
  if (role != null && role !== before.role && role !== adminRole && !roles.has(role))
    return refuse('BAD_INPUT', `There is no role “${role}”`, { field: 'role' });
  if (team != null && team !== before.team && !isScope(team))
    return refuse('BAD_INPUT', `There is no team “${team}”`, { field: 'team' });
  const unknown = grants?.find((grant) => !isPermission(grant) && !before.grants.includes(grant));
  if (unknown !== undefined)
    return refuse('BAD_INPUT', `There is no permission “${unknown}”`, { field: 'permissions' });
  if (approverIds === undefined) return null;
  const person = { id, displayName: displayName(before), ownApproverIds: before.approverIds };
  const approvers = planApprovers(person, approverIds, candidates);
  return isRefusal(approvers) ? { ...approvers, field: 'approverId' } : null;
}

export function topFiveOf({ role, grants }: AccountFields, roles: AccountFacts['roles']) {
  const ofRole = roles.get(role ?? '')?.includes(topFivePermission) ?? false;
  return topFiveSource(role, { ofRole, granted: grants.includes(topFivePermission) });
}

/** The direct grants after the switch, or unchanged. */
function grantsAfter(
  after: AccountFields,
  topFive: boolean | undefined,
  { roles }: AccountFacts,
): readonly string[] | Refusal {
  const source = topFiveOf(after, roles);
  if (topFive === undefined || topFive === (source !== null)) return after.grants;
  if (topFive) return [...after.grants, topFivePermission];
  const bound = topFiveBound(source, after.role);
  return bound === null
    ? after.grants.filter((grant) => grant !== topFivePermission)
    : refuse('BAD_INPUT', bound, { field: 'top5' });
}

const sorted = (list: readonly string[]) => JSON.stringify([...list].sort());

/** Lists are compared as sets. */
function same(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other) ? sorted(one) === sorted(other) : one === other;
}

function planOf(before: AccountFields, after: AccountFields): AccountAnswer {
  const fields = Object.keys(emptyAccount) as AccountField[];
  const changed = fields.filter((field) => !same(before[field], after[field]));
  return changed.length === 0 ? { kind: 'unchanged' } : { kind: 'plan', after, changed };
}

export const userLimits = {
  name: 100,
  reason: 1_000,
  approvers: 20,
  /** People of a page of the directory, unless the caller wants another number. */
  page: 50,
  /** People of one answer of the specification's lists, which have no pages of their own. */
  everyone: 1_000,
  /** People that a field offers at once. */
  choice: 50,
  /** People changed by one call. */
  bulk: 500,
  /** Bytes of a file of people: several thousand rows. */
  file: 2_000_000,
} as const;

const name = line(userLimits.name);
/** Empty: none (D36). */
const orNone = z.pipe(
  z.string().check(z.trim(), z.maxLength(userLimits.name, `is longer than ${userLimits.name} characters`), storable),
  z.transform((value: string) => (value === '' ? null : value)),
);
const approvers = z.pipe(
  z.array(id).check(z.maxLength(userLimits.approvers, `has more than ${userLimits.approvers} people`)),
  z.transform((ids: string[]) => approverIdList(ids)),
);
const grants = z.array(z.string().check(storable)).check(z.maxLength(100, 'has too many'));
const reason = filled(userLimits.reason);
/** The account's version as it was read, to detect concurrent changes. */
const version = z.string().check(z.regex(/^[0-9a-f]{32}$/, 'is not a version'));
/** The role's version as it was read (`roleMark`). */
const roleVersion = z.optional(z.string().check(z.regex(/^\d{1,19}\.\d{1,10}$/, 'is not a version')));

const fields = {
  email: z.optional(emailAddress),
  firstName: z.optional(name),
  lastName: z.optional(name),
  role: z.optional(orNone),
  roleVersion,
  team: z.optional(orNone),
  approverId: z.optional(approvers),
  top5Invisible: z.optional(z.boolean()),
  top5: z.optional(z.boolean()),
};

export const createUserInput = z.strictObject({
  ...fields,
  email: emailAddress,
  reason: z.optional(reason),
});
export const updateUserInput = z.strictObject({
  ...fields,
  userId: id,
  version,
  permissions: z.optional(grants),
  reason: z.optional(reason),
});
export const userIdInput = z.strictObject({ userId: id });
const bulk = [
  z.minLength(1, 'must not be empty'),
  z.maxLength(userLimits.bulk, `has more than ${userLimits.bulk} people`),
] as const;
/** One account, or several together. */
export const accountTiesInput = z
  .strictObject({ userId: z.optional(id), userIds: z.optional(z.array(id).check(...bulk)) })
  .check(z.refine(({ userId, userIds }) => !userId !== !userIds, 'Give userId or userIds'));
/** The same role, direct permissions or both for all of them. */
export const leftWithoutApproverInput = z.strictObject({
  userIds: z.array(id).check(...bulk),
  role: z.optional(orNone),
  permissions: z.optional(grants),
});
export const askForRoleInput = z.strictObject({ userId: id, role: filled(userLimits.name) });
export const setTopFiveInput = z.strictObject({ userId: id, on: z.boolean() });
export const setDisabledInput = z.strictObject({ userId: id, disabled: z.boolean() });
export const endSessionsInput = z.strictObject({
  userId: id,
  sessionId: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/, 'is not a session'))),
});
export const changeUsersInput = z.strictObject({
  users: z.array(z.strictObject({ userId: id, version: z.optional(version) })).check(...bulk),
  role: z.optional(orNone),
  roleVersion,
  team: z.optional(orNone),
  approverId: z.optional(approvers),
  top5: z.optional(z.boolean()),
  disabled: z.optional(z.boolean()),
  reason: z.optional(reason),
});

export const importPeopleInput = z.strictObject({
  /** Base64. */
  file: z.base64().check(z.maxLength(Math.ceil(userLimits.file / 3) * 4, 'is larger than 2 MB')),
  dryRun: z.boolean(),
});

export type RoleOfPerson = z.output<typeof askForRoleInput>;
export type CreateUser = z.output<typeof createUserInput>;
export type UpdateUser = z.output<typeof updateUserInput>;
export type LeftWithoutApprover = z.output<typeof leftWithoutApproverInput>;
export type ChangeUsers = z.output<typeof changeUsersInput>;
