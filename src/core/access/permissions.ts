// Decides which permissions exist, with their titles and meanings. Used by the access rules, the role editor,
// the database seed and the API's types.

/** The groups of permissions in the role editor, in order. */
export const permissionGroups = [
  'Pages',
  'Sales',
  'Donations',
  'S.T.A.R.T',
  'S.T.A.R.T stats',
  'Administration',
] as const;
export type PermissionGroup = (typeof permissionGroups)[number];

type Meaning = { readonly group: PermissionGroup; readonly title: string; readonly meaning: string };

/** Every permission of spec 6, spelled as stored. Use these keys instead of repeating the names. */
export const permissions = {
  VIEW_DASHBOARD: { group: 'Pages', title: 'Dashboard', meaning: 'Use this application and open My week' },
  VIEW_AFFILIATE_STATS: {
    group: 'Pages',
    title: 'Affiliate stats',
    meaning: 'Open affiliate stats and see the numbers',
  },
  VIEW_CUSTOMER_SERVICE: {
    group: 'Pages',
    title: 'Customer service',
    meaning: 'Open customer service and see the numbers',
  },
  VIEW_DISTRIBUTIONS: {
    group: 'Pages',
    title: 'Distributions',
    meaning: 'Open distributions and see the numbers',
  },
  VIEW_PRODUCT_PAYMENTS: {
    group: 'Pages',
    title: 'Product payments',
    meaning: 'Open product payments and see the numbers',
  },
  VIEW_TOOLS: { group: 'Pages', title: 'Tools', meaning: 'Open the staff tools' },
  VIEW_SALES: {
    group: 'Sales',
    title: 'Sales',
    meaning: 'Open the sales dashboards of the products permitted below',
  },
  VIEW_CONNECT_SALES: { group: 'Sales', title: 'Connect tab', meaning: 'Open Connect sales' },
  VIEW_GREEN_SALES: { group: 'Sales', title: 'Green tab', meaning: 'Open Green sales' },
  VIEW_CODEX_SALES: { group: 'Sales', title: 'Codex tab', meaning: 'Open Codex sales' },
  VIEW_BGP_SALES: { group: 'Sales', title: 'Arcade tab', meaning: 'Open Arcade sales' },
  READ_BGP: { group: 'Sales', title: 'Connect and Arcade data', meaning: 'See Connect and Arcade numbers' },
  READ_GREEN: { group: 'Sales', title: 'Green data', meaning: 'See Green numbers' },
  READ_CODEX: { group: 'Sales', title: 'Codex data', meaning: 'See Codex numbers' },
  VIEW_DONATIONS: {
    group: 'Donations',
    title: 'Donations',
    meaning: 'Open the donation dashboards of the causes permitted below',
  },
  VIEW_FREE_A_GIRL_DONATIONS: {
    group: 'Donations',
    title: 'Free a Girl',
    meaning: 'Open the donations to Free a Girl',
  },
  VIEW_OPERATION_UNDERGROUND_RAILROAD_DONATIONS: {
    group: 'Donations',
    title: 'Operation Underground Railroad',
    meaning: 'Open the donations to Operation Underground Railroad',
  },
  VIEW_WHO_LIVES_DONATIONS: {
    group: 'Donations',
    title: 'Who Lives',
    meaning: 'Open the donations to Who Lives',
  },
  VIEW_TOP_5: {
    group: 'S.T.A.R.T',
    title: 'S.T.A.R.T',
    meaning: 'Use S.T.A.R.T and plan weekly tasks. You can also give it to individual people in User Management',
  },
  VIEW_TOP_5_APPROVALS: {
    group: 'S.T.A.R.T',
    title: 'Approvals',
    meaning: 'Approve, deny and sign off tasks as someone’s approver',
  },
  VIEW_TOP_5_STATS: {
    group: 'S.T.A.R.T',
    title: 'Stats',
    meaning: 'Open your own stats and those of people whose tasks you approve. The scopes below add teams',
  },
  VIEW_TOP_5_TOOLS: {
    group: 'S.T.A.R.T',
    title: 'Tools group',
    meaning: 'See the S.T.A.R.T tools in the navigation',
  },
  VIEW_TOP_5_GUIDELINES: { group: 'S.T.A.R.T', title: 'Guidelines', meaning: 'Read the guidelines' },
  VIEW_TOP_5_MEETING_SCHEDULE: {
    group: 'S.T.A.R.T',
    title: 'Meeting schedule',
    meaning: 'See the weekly meeting schedule',
  },
  VIEW_TOP_5_BONUS_STRUCTURE: {
    group: 'S.T.A.R.T',
    title: 'Bonus structure',
    meaning: 'See the bonus structure and your own statement',
  },
  VIEW_TOP_5_TIME_TRACKER: {
    group: 'S.T.A.R.T',
    title: 'Time tracker',
    meaning: 'Use the personal performance tracker',
  },
  VIEW_TOP_5_STATS_CONNECT: { group: 'S.T.A.R.T stats', title: 'Connect scope', meaning: 'See Connect stats' },
  VIEW_TOP_5_STATS_ARCADE: { group: 'S.T.A.R.T stats', title: 'Arcade scope', meaning: 'See Arcade stats' },
  VIEW_TOP_5_STATS_CODEX: { group: 'S.T.A.R.T stats', title: 'Codex scope', meaning: 'See Codex stats' },
  VIEW_TOP_5_STATS_GREEN: { group: 'S.T.A.R.T stats', title: 'Green scope', meaning: 'See Green stats' },
  VIEW_TOP_5_STATS_GIVE: { group: 'S.T.A.R.T stats', title: 'Give scope', meaning: 'See Give stats' },
  VIEW_TOP_5_STATS_MANAGEMENT: {
    group: 'S.T.A.R.T stats',
    title: 'Management scope',
    meaning: 'See Management stats',
  },
  VIEW_ROLE_EDITOR: { group: 'Administration', title: 'Role editor', meaning: 'Edit roles and their permissions' },
  USER_MANAGEMENT: {
    group: 'Administration',
    title: 'User management',
    meaning: 'Manage people, their access and their approvers',
  },
} as const satisfies Record<string, Meaning>;

export type Permission = keyof typeof permissions;
export const permissionKeys = Object.keys(permissions) as Permission[];

/** The application permission, which all others require (spec 6). */
export const applicationPermission: Permission = 'VIEW_DASHBOARD';

/** The permission of the top-5 list: adding a person gives it, removing takes it (spec 3). */
export const topFivePermission: Permission = 'VIEW_TOP_5';

export function isPermission(text: string): text is Permission {
  return Object.hasOwn(permissions, text);
}

/**
 * Reads a permission from outside; the misspelled key of spec 6 means the intended one (D9). Null if unknown.
 */
export function readPermission(text: string): Permission | null {
  if (text === 'IEW_WHO_LIVES_DONATIONS') return 'VIEW_WHO_LIVES_DONATIONS';
  return isPermission(text) ? text : null;
}

const staffPermissions = [
  applicationPermission,
  'VIEW_TOP_5_TOOLS',
  'VIEW_TOP_5_GUIDELINES',
  'VIEW_TOP_5_MEETING_SCHEDULE',
  'VIEW_TOP_5_BONUS_STRUCTURE',
  'VIEW_TOP_5_TIME_TRACKER',
] as const;

/**
 * What a company without roles can start with. VIEW_TOP_5 is granted directly instead, so user management's
 * switch can remove it (D11).
 */
export const starterRoles = {
  Staff: staffPermissions,
  'Team lead': [...staffPermissions, 'VIEW_TOP_5_APPROVALS', 'VIEW_TOP_5_STATS'],
  // Nobody gives what they don't have, so people who hire staff use what staff use.
  People: [...staffPermissions, 'USER_MANAGEMENT', 'VIEW_ROLE_EDITOR'],
} as const satisfies Record<string, readonly Permission[]>;
