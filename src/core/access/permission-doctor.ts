// Finds problems with permissions: permissions and roles without effect, people who can't work, approvers who
// can't approve. Used by the role editor's permission doctor.

import * as z from 'zod/mini';
import { listWords, plural } from '../base/formats.ts';
import { id, storable } from '../base/inputs.ts';
import { adminRole, can, canReadProduct, canUseApplication, heldPermissions, isAdmin } from './access.ts';
import { callAccess, callRefusal } from './call-access.ts';
import { isPermission, type Permission, permissionKeys, readPermission, topFivePermission } from './permissions.ts';
import { salesProducts } from './products.ts';

export type StoredRole = { readonly name: string; readonly permissions: readonly string[] };

/** A person to examine; `grants` as stored. Disabled people only count as approvers. */
export type Patient = {
  readonly id: string;
  readonly name: string;
  readonly role: string | null;
  readonly grants: readonly string[];
  readonly approverIds: readonly string[];
  readonly disabled: boolean;
};

/** The kinds of problems, most urgent first, with their titles and fixes. */
export const findingKinds = {
  approverDisabled: {
    title: 'Approver with a disabled account',
    advice: 'Choose another approver for these people. This one can’t sign in',
  },
  approverWithoutPermission: {
    title: 'Approver without permission to approve',
    advice:
      'Approving requires a role and the permissions Dashboard and Approvals. Give this person what’s missing, or choose another approver',
  },
  personWithoutApprover: {
    title: 'Has tasks but no approver',
    advice: 'Choose an approver. Until then, this person can’t open Tasks',
  },
  onlyAdminWithoutApprover: {
    title: 'The only admin has no approver',
    advice: 'Choose an approver, or make someone else an admin. Nobody else can approve this person’s tasks',
  },
  personWithoutRole: {
    title: 'No role',
    advice: 'Give this person a role. Without one, they can open only My account',
  },
  roleWithoutDashboard: {
    title: 'Role without Dashboard',
    advice: 'Add the permission Dashboard. Without it, these people can open only My account',
  },
  tabWithoutNumbers: {
    title: 'Opens a page but not its numbers',
    advice: 'Add the permission to read the numbers, or remove the tab',
  },
  misspeltPermission: {
    title: 'Misspelled permission from another system',
    advice: 'It still works. If it’s in a role, saving the role fixes the spelling',
  },
  unknownPermission: {
    title: 'Permission that does not exist',
    advice: 'It has no effect. If it’s in a role, saving the role removes it',
  },
  permissionWithoutRole: {
    title: 'Permission without a role',
    advice: 'Add it to a role, or grant it directly',
  },
  roleWithoutPeople: { title: 'Unused role', advice: 'Give it to someone, or delete it' },
} as const satisfies Record<string, { title: string; advice: string }>;
export type FindingKind = keyof typeof findingKinds;
export const findingKindKeys = Object.keys(findingKinds) as FindingKind[];

export type Finding = {
  readonly kind: FindingKind;
  /** A permission, a role's name or a person's id. */
  readonly about: { readonly kind: 'permission' | 'role' | 'person'; readonly key: string; readonly name: string };
  /** More detail: how many it affects, or where it is. */
  readonly detail: string;
};

const permissionsOf = (patient: Patient, roles: ReadonlyMap<string, StoredRole>): Permission[] =>
  heldPermissions(patient.role, [...(roles.get(patient.role ?? '')?.permissions ?? []), ...patient.grants]);

const people = (count: number): string => plural(count, 'person', 'people');
const aboutPerson = ({ id, name }: Patient) => ({ kind: 'person', key: id, name }) as const;

/** All problems, ordered by kind. */
export function findings(stored: readonly StoredRole[], patients: readonly Patient[]): Finding[] {
  const roles = new Map(stored.map((role) => [role.name, role]));
  const present = patients.filter(({ disabled }) => !disabled);
  const found = [
    ...approverFindings(roles, patients, present),
    ...personFindings(roles, present),
    ...roleFindings(roles, present),
    ...spellingFindings(stored, present),
    ...unusedFindings(stored, patients, present),
  ];
  return findingKindKeys.flatMap((kind) => found.filter((finding) => finding.kind === kind));
}

function approverFindings(
  roles: ReadonlyMap<string, StoredRole>,
  patients: readonly Patient[],
  present: readonly Patient[],
): Finding[] {
  const load = new Map<string, number>();
  for (const { approverIds } of present) for (const id of approverIds) load.set(id, (load.get(id) ?? 0) + 1);
  return patients.flatMap((patient): Finding[] => {
    const approves = load.get(patient.id) ?? 0;
    if (approves === 0) return [];
    const detail = `Approves ${people(approves)}`;
    if (patient.disabled) return [{ kind: 'approverDisabled', about: aboutPerson(patient), detail }];
    const refusal = callRefusal({ ...patient, permissions: permissionsOf(patient, roles) }, callAccess.decisions);
    return refusal === null ? [] : [{ kind: 'approverWithoutPermission', about: aboutPerson(patient), detail }];
  });
}

function personFindings(roles: ReadonlyMap<string, StoredRole>, present: readonly Patient[]): Finding[] {
  const admins = present.filter(isAdmin);
  return present.flatMap((patient): Finding[] => {
    if (isAdmin(patient)) {
      return admins.length === 1 && patient.approverIds.length === 0
        ? [{ kind: 'onlyAdminWithoutApprover', about: aboutPerson(patient), detail: `Role ${patient.role}` }]
        : [];
    }
    const held = permissionsOf(patient, roles);
    if (patient.role === null)
      return [{ kind: 'personWithoutRole', about: aboutPerson(patient), detail: grantedOf(held) }];
    if (!held.includes(topFivePermission) || patient.approverIds.length > 0) return [];
    return [{ kind: 'personWithoutApprover', about: aboutPerson(patient), detail: `Role ${patient.role}` }];
  });
}

const grantedOf = (held: readonly Permission[]): string =>
  held.length === 0 ? 'No direct permissions' : `${plural(held.length, 'direct permission')}, no effect without a role`;

/** Roles that don't let their people do what they are for. A direct grant can make up for it. */
function roleFindings(roles: ReadonlyMap<string, StoredRole>, present: readonly Patient[]): Finding[] {
  const holders = Map.groupBy(
    present.filter((patient) => !isAdmin(patient)),
    ({ role }) => role ?? '',
  );
  return [...roles.values()].flatMap(({ name }): Finding[] => {
    const viewers = (holders.get(name) ?? []).map((patient) => ({
      ...patient,
      permissions: permissionsOf(patient, roles),
    }));
    const about = { kind: 'role', key: name, name } as const;
    const kept = viewers.filter((viewer) => !canUseApplication(viewer)).length;
    const unread = Object.entries(salesProducts).filter(([key, { view }]) =>
      viewers.some((viewer) => can(viewer, view) && !canReadProduct(viewer, '/sales', key)),
    );
    const titles = unread.map(([, { title }]) => title);
    return [
      ...(kept > 0 ? [{ kind: 'roleWithoutDashboard', about, detail: people(kept) } as const] : []),
      ...(titles.length > 0 ? [{ kind: 'tabWithoutNumbers', about, detail: listWords(titles) } as const] : []),
    ];
  });
}

/** Misspelled names that came from outside (D9). */
function spellingFindings(stored: readonly StoredRole[], present: readonly Patient[]): Finding[] {
  const places = [
    ...stored.map(({ name, permissions }) => ({
      about: { kind: 'role', key: name, name } as const,
      names: permissions,
    })),
    ...present.map((patient) => ({ about: aboutPerson(patient), names: patient.grants })),
  ];
  return places.flatMap(({ about, names }) =>
    [...new Set(names)]
      .filter((name) => !isPermission(name))
      .map((name): Finding => {
        const meant = readPermission(name);
        return meant === null
          ? { kind: 'unknownPermission', about, detail: name }
          : { kind: 'misspeltPermission', about, detail: `${name}, treated as ${meant}` };
      }),
  );
}

function unusedFindings(
  stored: readonly StoredRole[],
  patients: readonly Patient[],
  present: readonly Patient[],
): Finding[] {
  const inRoles = new Set(stored.flatMap(({ permissions }) => permissions.map(readPermission)));
  const granted = (permission: Permission) =>
    present.filter(({ grants }) => grants.some((name) => readPermission(name) === permission)).length;
  const permissions = permissionKeys
    // What people are given one by one is in use: the switch of user management gives it so.
    .filter((permission) => !inRoles.has(permission) && granted(permission) === 0)
    .map((permission): Finding => {
      const about = { kind: 'permission', key: permission, name: permission } as const;
      return { kind: 'permissionWithoutRole', about, detail: 'Only admins have it' };
    });
  const used = new Set(present.map(({ role }) => role));
  const roles = stored
    .filter(({ name }) => name !== adminRole && !used.has(name))
    .map(({ name, permissions: held }): Finding => {
      // Such a role can't be deleted before they have another.
      const kept = patients.filter(({ role }) => role === name).length;
      const by = kept > 0 ? `, and ${plural(kept, 'disabled account has', 'disabled accounts have')} it` : '';
      const detail = plural(held.length, 'permission') + by;
      return { kind: 'roleWithoutPeople', about: { kind: 'role', key: name, name }, detail };
    });
  return [...permissions, ...roles];
}

const word = z.string().check(z.maxLength(200, 'is longer than 200 characters'), storable);

export const findPeopleInput = z.strictObject({ search: z.optional(word), id: z.optional(id) });
export const explainInput = z.strictObject({ personId: id, path: word, product: z.optional(word) });
