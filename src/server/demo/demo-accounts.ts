// The demo accounts, one for each way the product can look.
import { adminRole } from '#core/access/access.ts';
import type { Scope } from '#core/access/brands.ts';
import {
  applicationPermission,
  type Permission,
  permissionKeys,
  starterRoles,
  topFivePermission,
} from '#core/access/permissions.ts';

const startingWith = (...prefixes: string[]) =>
  permissionKeys.filter((permission) => prefixes.some((prefix) => permission.startsWith(prefix)));

const salesAndDonations = permissionKeys.filter((permission) => /_SALES$|_DONATIONS$|^READ_/.test(permission));

/** The demo company's roles. */
export const demoRoles = {
  Staff: starterRoles.Staff,
  Approver: [...starterRoles['Team lead'], 'VIEW_TOP_5_STATS_CONNECT', 'VIEW_TOP_5_STATS_GREEN'],
  'Team lead': starterRoles['Team lead'],
  Sales: [applicationPermission, ...salesAndDonations],
  Support: [
    applicationPermission,
    ...startingWith('VIEW_AFFILIATE_STATS', 'VIEW_CUSTOMER_SERVICE', 'VIEW_DISTRIBUTIONS', 'VIEW_PRODUCT_PAYMENTS'),
    'VIEW_TOOLS',
  ],
  People: starterRoles.People,
} as const satisfies Record<string, readonly Permission[]>;

export type DemoRole = keyof typeof demoRoles | typeof adminRole;

export type DemoAccount = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: DemoRole | null;
  readonly team: Scope | null;
  /** Permissions in addition to the role's. */
  readonly grants: readonly Permission[];
  /** Email of this person's approver. */
  readonly approver: string | null;
  /** What a visitor can do with the account, in one line for the login page. */
  readonly can: string;
};

/** In the order of the access matrix and the login page. */
export const demoAccounts = [
  {
    email: 'admin@demo.test',
    firstName: 'Ingrid',
    lastName: 'Solheim',
    role: adminRole,
    team: 'management',
    grants: [],
    approver: null,
    can: 'Everything: all pages, roles and people. Approves the approvers’ tasks',
  },
  {
    email: 'approver@demo.test',
    firstName: 'Marcus',
    lastName: 'Adeyemi',
    role: 'Approver',
    team: 'connect',
    grants: [topFivePermission],
    approver: 'admin@demo.test',
    can: 'Approves eight people’s tasks, plans their own, sees Connect and Green stats',
  },
  {
    email: 'staff@demo.test',
    firstName: 'Lena',
    lastName: 'Hoffmann',
    role: 'Staff',
    team: 'connect',
    grants: [topFivePermission, 'VIEW_TOP_5_STATS', 'VIEW_TOOLS'],
    approver: 'approver@demo.test',
    can: 'Plans weekly tasks, sees their own stats and the staff tools',
  },
  {
    email: 'top5@demo.test',
    firstName: 'Tomás',
    lastName: 'Pereira',
    role: 'Staff',
    team: 'green',
    grants: [topFivePermission],
    approver: 'approver@demo.test',
    can: 'Plans weekly tasks and sees only S.T.A.R.T',
  },
  {
    email: 'sales@demo.test',
    firstName: 'Priya',
    lastName: 'Raman',
    role: 'Sales',
    team: 'connect',
    grants: [],
    approver: null,
    can: 'Sees all sales and donations, has no tasks',
  },
  {
    email: 'support@demo.test',
    firstName: 'Yusuf',
    lastName: 'Demir',
    role: 'Support',
    team: 'codex',
    grants: [],
    approver: null,
    can: 'Sees affiliate stats, customer service, distributions and product payments, uses the staff tools',
  },
  {
    email: 'people@demo.test',
    firstName: 'Grace',
    lastName: 'Whitfield',
    role: 'People',
    team: 'management',
    grants: [topFivePermission],
    approver: 'admin@demo.test',
    can: 'Hires staff, manages people, approvers and roles, plans weekly tasks',
  },
  {
    email: 'norole@demo.test',
    firstName: 'Oskar',
    lastName: 'Lindqvist',
    role: null,
    team: null,
    grants: [],
    approver: null,
    can: 'No role yet, so only My account opens',
  },
  {
    email: 'noapprover@demo.test',
    firstName: 'Chloe',
    lastName: 'Nakamura',
    role: 'Staff',
    team: 'arcade',
    grants: [topFivePermission],
    approver: null,
    can: 'Has no approver yet, so can’t open tasks',
  },
] as const satisfies readonly DemoAccount[];
