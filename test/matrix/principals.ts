// All kinds of callers: nobody at all, credentials that are no good, and one person under every set of
// permissions that the rules could tell apart.
import { type Permission, permissionKeys } from '#core/access/permissions.ts';

/** The person the specification's table is asked about. Null: nobody is signed in. */
export type Held = {
  readonly admin: boolean;
  readonly hasRole: boolean;
  readonly permissions: ReadonlySet<string>;
  readonly approved: boolean;
};

export type Principal = {
  readonly name: string;
  readonly role: string | null;
  /** The role's, and those given directly. */
  readonly permissions: readonly Permission[];
  readonly grants?: readonly Permission[];
  /** The permission by which it is told from its neighbours; all of them where every cell is worth a try. */
  readonly tells?: Permission | 'all';
  readonly approved?: boolean;
  readonly invisible?: boolean;
};

export const subjectRole = 'Subject';
const application: Permission = 'VIEW_DASHBOARD';

const person = (name: string, permissions: readonly Permission[], more: Partial<Principal> = {}): Principal => ({
  name,
  role: subjectRole,
  permissions,
  ...more,
});

const others = permissionKeys.filter((permission) => permission !== application);
const areaOfTopFive = permissionKeys.filter((permission) => permission.startsWith('VIEW_TOP_5'));

export const principals: readonly Principal[] = [
  person('no role, everything given directly', [], { role: null, grants: permissionKeys }),
  person('a role without a permission', []),
  ...permissionKeys.map((one) => person(`only ${one}`, [one])),
  ...others.map((one) => person(`the application and ${one}`, [application, one], { tells: one })),
  ...permissionKeys.map((one) =>
    person(
      `everything but ${one}`,
      permissionKeys.filter((permission) => permission !== one),
      { tells: one },
    ),
  ),
  person('everything', permissionKeys, { tells: 'all' }),
  person('everything, given directly', [], { grants: permissionKeys }),
  person('everything, without an approver', permissionKeys, { approved: false, tells: 'all' }),
  person('everything, invisible', permissionKeys, { invisible: true }),
  person('top-5 only', [application, ...areaOfTopFive], { tells: 'all' }),
  person('an admin', [], { role: 'admin', tells: 'all' }),
  person('an admin without an approver', [], { role: 'admin', approved: false }),
];

export function heldBy({ role, permissions, grants = [], approved = true }: Principal): Held {
  return {
    admin: role === 'admin',
    hasRole: role !== null,
    permissions: new Set<string>([...permissions, ...grants]),
    approved,
  };
}
