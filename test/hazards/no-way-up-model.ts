// A small company whose access changes by the rules of the core alone, to search every sequence of permitted
// changes (T14).
import { can, heldPermissions, inArea, isAdmin, type Viewer } from '#core/access/access.ts';
import { scopeKeys, scopes } from '#core/access/brands.ts';
import { type CallAccess, callAccess, callRefusal } from '#core/access/call-access.ts';
import { accountControlRefusal, accountReachRefusal, type Holdings, usablePermissions } from '#core/access/holdings.ts';
import type { Permission } from '#core/access/permissions.ts';
import {
  deleteRoleRefusal,
  type GroupMapping,
  holderRefusal,
  newRoleRefusal,
  ownRightRefusal,
  planRoleEdits,
  type Role,
  receivedRoleRefusal,
} from '#core/access/role-changes.ts';
import { viewingRefusal } from '#core/access/viewing.ts';
import { isRefusal, type Refusal } from '#core/base/refusals.ts';
import { delegationsToday, planAbsence } from '#core/people/absences.ts';
import {
  type AccountChange,
  type AccountChanger,
  type AccountFacts,
  type AccountFields,
  emptyAccount,
  planAccountChange,
  planNewAccount,
} from '#core/people/accounts.ts';
import {
  type ApproverChoice,
  approverChoiceRefusal,
  effectiveApprovers,
  planApprovers,
  seesStatsOf,
} from '#core/people/approvers.ts';
import { actsAsApprover, isDecider } from '#core/tasks/task.ts';

export type Company = {
  readonly people: Readonly<Record<string, AccountFields>>;
  readonly roles: readonly Role[];
  readonly defaultApproverId: string | null;
  /** The role that a group of the identity provider gives, by its id. Null: the role was deleted. */
  readonly groupRoleId: string | null;
  /** People who are away today, with their delegates. */
  readonly away: Readonly<Record<string, string>>;
  /** Accounts that the actor or the accomplice could sign in to. */
  readonly controlled: readonly string[];
};

/** What a search tries. `mutation` is a field of the API, or what only a person at the provider does. */
export type Act = {
  readonly mutation: string;
  readonly words: string;
  /** The company afterwards, or why not. */
  readonly run: (company: Company, by: string) => Company | Refusal;
  /** What the server is asked for, where it is a change of an account. */
  readonly asks?: { readonly id: string; readonly change: AccountChange };
};

const configuredNames = ['Support'];
const group = 'helpers';
const permissionsOf = (company: Company, role: string | null): readonly Permission[] =>
  company.roles.find(({ name }) => name === role)?.permissions ?? [];

export function viewerOf(company: Company, id: string): Viewer {
  const viewer = ownViewerOf(company, id);
  const absent = Object.keys(company.away).filter(
    (other) => company.away[other] === id && !company.people[other]?.disabled,
  );
  const delegate = {
    ...viewer,
    disabled: company.people[id]?.disabled ?? true,
    isAway: company.away[id] !== undefined,
  };
  return {
    ...viewer,
    ...delegationsToday(
      delegate,
      absent.map((other) => ownViewerOf(company, other)),
    ),
  };
}

function ownViewerOf(company: Company, id: string): Viewer {
  const { role, grants, approverIds } = company.people[id] ?? emptyAccount;
  return {
    id,
    role,
    permissions: heldPermissions(role, [...permissionsOf(company, role), ...grants]),
    approverIds: effectiveApprovers(id, approverIds, company.defaultApproverId),
  };
}

function holdingsOf(company: Company, id: string): Holdings {
  const approvees = Object.keys(company.people).filter((other) => viewerOf(company, other).approverIds.includes(id));
  const possibleApprovees = Object.keys(company.people).filter(
    (other) => other !== id && viewerOf(company, other).approverIds.some((approver) => company.away[approver] === id),
  );
  // Everyone but the search's new person uses their account and has tasks.
  const isUsed = id !== 'made';
  return { ...viewerOf(company, id), approvees, possibleApprovees, isUsed, hasTasks: isUsed };
}

function candidatesOf(company: Company): Map<string, ApproverChoice> {
  const approvers = new Set(Object.values(company.people).flatMap(({ approverIds }) => approverIds));
  return new Map(
    Object.entries(company.people).map(([id, { disabled }]) => [
      id,
      { ...viewerOf(company, id), displayName: id, disabled, approves: approvers.has(id) },
    ]),
  );
}

/** As delegate: the small company's tasks are never handed over. */
const actsForOf = (company: Company, by: string) =>
  new Map(Object.entries(company.away).flatMap(([absent, to]) => (to === by ? [[absent, 'delegate'] as const] : [])));

function watchedTeamsOf(company: Company): Set<string> {
  const watchers = Object.keys(company.people).map((id) => viewerOf(company, id));
  return new Set(
    scopeKeys.filter((scope) => watchers.some((one) => !isAdmin(one) && can(one, scopes[scope].permission))),
  );
}

const mappingOf = ({ groupRoleId }: Company): GroupMapping => ({
  groupsOf: new Map(groupRoleId === null ? [] : [[groupRoleId, [group]]]),
  names: configuredNames,
});

function factsOf(company: Company, by: string, id: string | null, { email }: AccountChange = {}): AccountFacts {
  const rule = email === undefined ? accountControlRefusal : accountReachRefusal;
  return {
    roles: new Map(company.roles.map(({ name, permissions }) => [name, permissions])),
    candidates: candidatesOf(company),
    actsFor: actsForOf(company, by),
    defaultApproverId: company.defaultApproverId,
    watchedTeams: watchedTeamsOf(company),
    control: id === null ? null : rule(holdingsOf(company, by), holdingsOf(company, id)),
  };
}

export const changerOf = (company: Company, id: string): AccountChanger => ({
  ...viewerOf(company, id),
  team: company.people[id]?.team ?? null,
});

const withPerson = (company: Company, id: string, fields: AccountFields): Company => ({
  ...company,
  people: { ...company.people, [id]: fields },
});

const withControl = (company: Company, id: string): Company =>
  company.controlled.includes(id) ? company : { ...company, controlled: [...company.controlled, id].sort() };

/** Refused before the rule is asked, as the API does. */
const guarded =
  (access: CallAccess, run: Act['run']): Act['run'] =>
  (company, by) => {
    const code = callRefusal(viewerOf(company, by), access);
    return code === null ? run(company, by) : { kind: 'refusal', code, message: code };
  };

export function changeAccount(mutation: string, id: string, words: string, change: AccountChange): Act {
  const run = guarded(callAccess.people, (company, by) => {
    const before = company.people[id];
    if (!before) return { kind: 'refusal', code: 'NOT_FOUND', message: 'gone' };
    const plan = planAccountChange(changerOf(company, by), { ...before, id }, change, factsOf(company, by, id, change));
    if (isRefusal(plan) || plan.kind === 'unchanged') return isRefusal(plan) ? plan : company;
    const changed = withPerson(company, id, plan.after);
    // The person who chooses the mailbox gets every link that goes there.
    return plan.changed.includes('email') ? withControl(changed, id) : changed;
  });
  return { mutation, words: `${words} of ${id}`, run, asks: { id, change } };
}

export function makeAccount(role: string | null, more: AccountChange = {}): Act {
  const run = guarded(callAccess.people, (company, by) => {
    if (company.people.made) return { kind: 'refusal', code: 'BAD_INPUT', message: 'taken' };
    const change = { email: 'made@example.test', role, ...more };
    const plan = planNewAccount(changerOf(company, by), change, factsOf(company, by, null));
    if (isRefusal(plan) || plan.kind === 'unchanged') return isRefusal(plan) ? plan : company;
    return withControl(withPerson(company, 'made', plan.after), 'made');
  });
  return { mutation: 'createUser', words: `a new account with ${role} ${JSON.stringify(more)}`, run };
}

export function showLink(id: string): Act {
  const run = guarded(callAccess.people, (company, by) => {
    if (!company.people[id] || company.people[id].disabled)
      return { kind: 'refusal', code: 'CONFLICT', message: 'disabled' };
    return accountReachRefusal(holdingsOf(company, by), holdingsOf(company, id)) ?? withControl(company, id);
  });
  return { mutation: 'makeSignInLink', words: `a link for ${id}`, run };
}

export function chooseApprovers(id: string, approverIds: readonly string[]): Act {
  const run = guarded(callAccess.people, (company, by) => {
    const person = company.people[id];
    if (!person) return { kind: 'refusal', code: 'NOT_FOUND', message: 'gone' };
    const candidates = candidatesOf(company);
    const plan = planApprovers({ id, displayName: id, ownApproverIds: person.approverIds }, approverIds, candidates);
    if (isRefusal(plan) || plan.kind === 'unchanged') return isRefusal(plan) ? plan : company;
    const [before, after] = [person.approverIds, approverIds].map((ids) =>
      effectiveApprovers(id, ids, company.defaultApproverId),
    ) as [string[], string[]];
    const refusal = approverChoiceRefusal(
      viewerOf(company, by),
      { id, role: person.role },
      { before, after },
      { candidates, actsFor: actsForOf(company, by) },
    );
    return refusal ?? withPerson(company, id, { ...person, approverIds });
  });
  return { mutation: 'setApprovers', words: `approvers ${approverIds} for ${id}`, run };
}

export function goAway(id: string, delegateId: string): Act {
  const today = '2026-11-18';
  const run = guarded('application', (company, by) => {
    const person = company.people[id];
    const candidate = company.people[delegateId];
    const absent = person && !person.disabled ? { ...viewerOf(company, id), displayName: id, planned: [] } : null;
    const delegate = candidate
      ? { ...viewerOf(company, delegateId), displayName: delegateId, disabled: candidate.disabled }
      : null;
    const plan = planAbsence(
      viewerOf(company, by),
      absent,
      { firstDay: today, lastDay: today, delegateId },
      delegate,
      today,
    );
    if (isRefusal(plan)) return plan;
    return { ...company, away: { ...company.away, [id]: delegateId } };
  });
  return { mutation: 'saveAbsence', words: `${delegateId} as delegate of ${id}`, run };
}

export function makeRole(name: string, permissions: readonly Permission[]): Act {
  const run = guarded(callAccess.roles, (company, by) => {
    const names = company.roles.map((role) => role.name);
    const refusal = newRoleRefusal(viewerOf(company, by), names, { name, permissions }, mappingOf(company));
    return refusal ?? { ...company, roles: [...company.roles, { id: name, name, permissions, version: 1 }] };
  });
  return { mutation: 'createRole', words: `role ${name} with ${permissions}`, run };
}

export function editRole(
  id: string,
  words: string,
  edit: (role: Role) => Partial<Pick<Role, 'name' | 'permissions'>>,
): Act {
  const run = guarded(callAccess.roles, (company, by) => {
    const role = company.roles.find((each) => each.id === id);
    if (!role) return { kind: 'refusal', code: 'CONFLICT', message: 'gone' };
    const viewer = viewerOf(company, by);
    const steps = planRoleEdits(
      viewer,
      company.roles,
      [{ id, version: role.version, ...edit(role) }],
      mappingOf(company),
    );
    if (isRefusal(steps) || steps.length === 0) return isRefusal(steps) ? steps : company;
    const after = { ...steps[0]!.after, version: 1 };
    const changed: Company = {
      ...company,
      roles: company.roles.map((each) => (each.id === id ? after : each)),
      people: Object.fromEntries(
        Object.entries(company.people).map(([key, fields]) => [
          key,
          fields.role === role.name ? { ...fields, role: after.name } : fields,
        ]),
      ),
    };
    const holders = Object.keys(company.people)
      .filter((key) => company.people[key]!.role === role.name && !company.people[key]!.disabled)
      .map((key) => ({ before: viewerOf(company, key), after: { ...viewerOf(changed, key), role: role.name } }));
    const own = holders.find(({ before }) => before.id === by);
    return (own && ownRightRefusal(own.before, own.after)) ?? holderRefusal(viewer, holders) ?? changed;
  });
  return { mutation: 'saveRoles', words: `${words} in ${id}`, run };
}

export function removeRole(id: string): Act {
  const run = guarded(callAccess.roles, (company, by) => {
    const role = company.roles.find((each) => each.id === id);
    const holders = Object.keys(company.people).filter((key) => company.people[key]!.role === role?.name);
    const refusal =
      deleteRoleRefusal(role, { id, version: 1 }, holders) ??
      (role && receivedRoleRefusal(viewerOf(company, by), role, mappingOf(company)));
    if (refusal) return refusal;
    const groupRoleId = company.groupRoleId === id ? null : company.groupRoleId;
    return { ...company, groupRoleId, roles: company.roles.filter((each) => each.id !== id) };
  });
  return { mutation: 'deleteRole', words: `no role ${id}`, run };
}

/**
 * Viewing as a person shows what they see: it counts as control of the account. A role is limited to what the
 * viewer holds.
 */
export function viewAs(id: string): Act {
  const run: Act['run'] = (company, by) => viewingRefusal(viewerOf(company, by), 'person') ?? withControl(company, id);
  return { mutation: 'startViewing', words: `a look as ${id}`, run };
}

/** The accomplice signs in through the provider and gets the role of the group. */
export function signInWithGroup(id: string): Act {
  const run: Act['run'] = (company, by) => {
    const role = company.roles.find((each) => each.id === company.groupRoleId);
    const person = company.people[id];
    if (by !== id || !role || !person) return { kind: 'refusal', code: 'FORBIDDEN', message: 'no group' };
    return withPerson(company, id, { ...person, role: role.name });
  };
  return { mutation: 'a sign-in with a group', words: `${id} signs in with the group`, run };
}

export type Reach = { readonly permissions: ReadonlySet<string>; readonly tasks: ReadonlySet<string> };

/**
 * Everything that controlling these accounts opens: permissions, and the first people whose tasks or stats
 * they see.
 */
export function reachOf(company: Company, first: readonly string[]): Reach {
  const permissions = new Set<string>();
  const tasks = new Set<string>();
  for (const id of company.controlled) {
    const account = company.people[id];
    if (!account || account.disabled) continue;
    const viewer = viewerOf(company, id);
    for (const permission of usablePermissions(viewer)) permissions.add(permission);
    if (usablePermissions(viewer).length === 0) continue;
    if (can(viewer, 'VIEW_TOP_5') && first.includes(id)) tasks.add(`tasks of ${id}`);
    for (const other of first) {
      const { team, topFiveInvisible } = company.people[other]!;
      const { approverIds } = viewerOf(company, other);
      if (other === id) continue;
      if (isDecider(viewer, { id: other, approverIds })) tasks.add(`tasks of ${other}`);
      const standsIn = can(viewer, 'VIEW_TOP_5_STATS') && actsAsApprover(inArea(viewer, 'stats'), { approverIds });
      if (standsIn || seesStatsOf(viewer, { id: other, team, topFiveInvisible, approverIds }))
        tasks.add(`stats of ${other}`);
    }
  }
  return { permissions, tasks };
}

export const keyOf = (company: Company): string => JSON.stringify(company);
