// Decides what is wrong with who may what: permissions and roles that lead nowhere, people who cannot work, approvers who cannot approve.
// Asked by the permission doctor of the role editor.
import * as z from 'zod/mini';
import { id, storable } from '../base/inputs.ts';
import { adminRole, heldPermissions, isAdmin } from './access.ts';
import { callAccess } from './call-access.ts';
import { isPermission, type Permission, permissionKeys, readPermission, topFivePermission } from './permissions.ts';

export type StoredRole = { readonly name: string; readonly permissions: readonly string[] };

/** A person as the doctor looks at them; `grants` as stored. Disabled people are looked at as approvers only. */
export type Patient = {
  readonly id: string;
  readonly name: string;
  readonly role: string | null;
  readonly grants: readonly string[];
  readonly approverIds: readonly string[];
  readonly disabled: boolean;
};

/** What can be wrong, the most pressing first: what to call it, and what to do about it. */
export const findingKinds = {
  approverDisabled: {
    title: 'Approver with a disabled account',
    advice: 'Choose another approver for these people. Nobody can approve their tasks',
  },
  approverWithoutPermission: {
    title: 'Approver without permission to approve',
    advice: 'Give this person the Approvals permission, or choose another approver',
  },
  personWithoutApprover: {
    title: 'Has tasks but no approver',
    advice: 'Choose an approver. The Tasks page stays closed until then',
  },
  personWithoutRole: { title: 'No role', advice: 'Give this person a role. Without one, no page opens' },
  misspeltPermission: {
    title: 'Misspelled permission from another system',
    advice: 'It works as the intended permission. Saving the role corrects the spelling',
  },
  unknownPermission: {
    title: 'Permission that does not exist',
    advice: 'It has no effect. Saving the role or the person removes it',
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
  /** What more there is to say: how many it concerns, or where it stands. */
  readonly detail: string;
};

const permissionsOf = (patient: Patient, roles: ReadonlyMap<string, StoredRole>): Permission[] =>
  heldPermissions(patient.role, [...(roles.get(patient.role ?? '')?.permissions ?? []), ...patient.grants]);

const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`);
const ofPerson = ({ id, name }: Patient) => ({ kind: 'person', key: id, name }) as const;

/** Everything that is wrong, by kind in their order. */
export function findings(stored: readonly StoredRole[], patients: readonly Patient[]): Finding[] {
  const roles = new Map(stored.map((role) => [role.name, role]));
  const present = patients.filter(({ disabled }) => !disabled);
  const found = [
    ...approverFindings(roles, patients, present),
    ...personFindings(roles, present),
    ...spellingFindings(stored, present),
    ...unusedFindings(stored, present),
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
    if (patient.disabled) return [{ kind: 'approverDisabled', about: ofPerson(patient), detail }];
    const may = callAccess.decisions.every((permission) => permissionsOf(patient, roles).includes(permission));
    return may && (isAdmin(patient) || patient.role !== null)
      ? []
      : [{ kind: 'approverWithoutPermission', about: ofPerson(patient), detail }];
  });
}

function personFindings(roles: ReadonlyMap<string, StoredRole>, present: readonly Patient[]): Finding[] {
  return present.flatMap((patient): Finding[] => {
    if (isAdmin(patient)) return [];
    const held = permissionsOf(patient, roles);
    if (patient.role === null)
      return [{ kind: 'personWithoutRole', about: ofPerson(patient), detail: grantedOf(held) }];
    if (!held.includes(topFivePermission) || patient.approverIds.length > 0) return [];
    return [{ kind: 'personWithoutApprover', about: ofPerson(patient), detail: `Role ${patient.role}` }];
  });
}

const grantedOf = (held: readonly Permission[]): string =>
  held.length === 0 ? 'No direct grants' : `${held.length} granted directly, without effect`;

/** Names that arrived from outside as nobody here would write them (D9). */
function spellingFindings(stored: readonly StoredRole[], present: readonly Patient[]): Finding[] {
  const places = [
    ...stored.map(({ name, permissions }) => ({
      about: { kind: 'role', key: name, name } as const,
      names: permissions,
    })),
    ...present.map((patient) => ({ about: ofPerson(patient), names: patient.grants })),
  ];
  return places.flatMap(({ about, names }) =>
    [...new Set(names)]
      .filter((name) => !isPermission(name))
      .map((name): Finding => {
        const meant = readPermission(name);
        return meant === null
          ? { kind: 'unknownPermission', about, detail: name }
          : { kind: 'misspeltPermission', about, detail: `${name}, read as ${meant}` };
      }),
  );
}

function unusedFindings(stored: readonly StoredRole[], present: readonly Patient[]): Finding[] {
  const inRoles = new Set(stored.flatMap(({ permissions }) => permissions.map(readPermission)));
  const granted = (permission: Permission) =>
    present.filter(({ grants }) => grants.some((name) => readPermission(name) === permission)).length;
  const permissions = permissionKeys
    .filter((permission) => !inRoles.has(permission))
    .map((permission): Finding => {
      const count = granted(permission);
      const detail = count === 0 ? 'Only admins have it' : `Granted directly to ${people(count)}`;
      return {
        kind: 'permissionWithoutRole',
        about: { kind: 'permission', key: permission, name: permission },
        detail,
      };
    });
  const used = new Set(present.map(({ role }) => role));
  const roles = stored
    .filter(({ name }) => name !== adminRole && !used.has(name))
    .map(({ name, permissions: held }): Finding => {
      const detail = held.length === 1 ? '1 permission' : `${held.length} permissions`;
      return { kind: 'roleWithoutPeople', about: { kind: 'role', key: name, name }, detail };
    });
  return [...permissions, ...roles];
}

const word = z.string().check(z.maxLength(200, 'is longer than 200 characters'), storable);

export const findPeopleInput = z.strictObject({ search: z.optional(word) });
export const explainInput = z.strictObject({ personId: id, path: word, product: z.optional(word) });
