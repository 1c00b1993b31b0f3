// Decides which permissions exist, what they are called and what they mean.
// Asked by the access rules, the role editor, the database seed and the API's types.

/** The areas that the role editor groups permissions by, in its order. */
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

/** Every permission of spec 6, spelt as stored. The keys are the one home of these names. */
export const permissions = {
  VIEW_DASHBOARD: { group: 'Pages', title: 'Dashboard', meaning: 'May use this application and open the dashboard' },
  VIEW_AFFILIATE_STATS: {
    group: 'Pages',
    title: 'Affiliate stats',
    meaning: 'May open affiliate stats and read their numbers',
  },
  VIEW_CUSTOMER_SERVICE: {
    group: 'Pages',
    title: 'Customer service',
    meaning: 'May open customer service and read its numbers',
  },
  VIEW_DISTRIBUTIONS: {
    group: 'Pages',
    title: 'Distributions',
    meaning: 'May open distributions and read their numbers',
  },
  VIEW_PRODUCT_PAYMENTS: {
    group: 'Pages',
    title: 'Product payments',
    meaning: 'May open product payments and read their numbers',
  },
  VIEW_TOOLS: { group: 'Pages', title: 'Tools', meaning: 'May open the staff tools' },
  VIEW_SALES: {
    group: 'Sales',
    title: 'Sales',
    meaning: 'May open the sales dashboards of the products permitted below',
  },
  VIEW_CONNECT_SALES: { group: 'Sales', title: 'Connect tab', meaning: 'May open the sales of Connect' },
  VIEW_GREEN_SALES: { group: 'Sales', title: 'Green tab', meaning: 'May open the sales of Green' },
  VIEW_CODEX_SALES: { group: 'Sales', title: 'Codex tab', meaning: 'May open the sales of Codex' },
  VIEW_BGP_SALES: { group: 'Sales', title: 'Arcade tab', meaning: 'May open the sales of Arcade' },
  READ_BGP: { group: 'Sales', title: 'Connect and Arcade data', meaning: 'May read the numbers of Connect and Arcade' },
  READ_GREEN: { group: 'Sales', title: 'Green data', meaning: 'May read the numbers of Green' },
  READ_CODEX: { group: 'Sales', title: 'Codex data', meaning: 'May read the numbers of Codex' },
  VIEW_DONATIONS: {
    group: 'Donations',
    title: 'Donations',
    meaning: 'May open the donation dashboards of the causes permitted below',
  },
  VIEW_FREE_A_GIRL_DONATIONS: {
    group: 'Donations',
    title: 'Free a Girl',
    meaning: 'May open and read the donations to Free a Girl',
  },
  VIEW_OPERATION_UNDERGROUND_RAILROAD_DONATIONS: {
    group: 'Donations',
    title: 'Operation Underground Railroad',
    meaning: 'May open and read the donations to Operation Underground Railroad',
  },
  VIEW_WHO_LIVES_DONATIONS: {
    group: 'Donations',
    title: 'Who Lives',
    meaning: 'May open and read the donations to Who Lives',
  },
  VIEW_TOP_5: { group: 'S.T.A.R.T', title: 'Tasks', meaning: 'Keeps weekly tasks in S.T.A.R.T' },
  VIEW_TOP_5_APPROVALS: {
    group: 'S.T.A.R.T',
    title: 'Approvals',
    meaning: 'May approve, deny and sign off the tasks of the people this person approves',
  },
  VIEW_TOP_5_STATS: {
    group: 'S.T.A.R.T',
    title: 'Stats',
    meaning: 'May open the stats; without a scope below only of oneself and the people one approves',
  },
  VIEW_TOP_5_TOOLS: {
    group: 'S.T.A.R.T',
    title: 'Tools group',
    meaning: 'Sees the group of S.T.A.R.T tools in the navigation',
  },
  VIEW_TOP_5_GUIDELINES: { group: 'S.T.A.R.T', title: 'Guidelines', meaning: 'May read the guidelines' },
  VIEW_TOP_5_MEETING_SCHEDULE: {
    group: 'S.T.A.R.T',
    title: 'Meeting schedule',
    meaning: 'May read the weekly meeting schedule',
  },
  VIEW_TOP_5_BONUS_STRUCTURE: {
    group: 'S.T.A.R.T',
    title: 'Bonus structure',
    meaning: 'May read the bonus structure and the own statement',
  },
  VIEW_TOP_5_TIME_TRACKER: {
    group: 'S.T.A.R.T',
    title: 'Time tracker',
    meaning: 'May open the personal performance tracker',
  },
  VIEW_TOP_5_STATS_CONNECT: { group: 'S.T.A.R.T stats', title: 'Connect scope', meaning: 'Sees the stats of Connect' },
  VIEW_TOP_5_STATS_ARCADE: { group: 'S.T.A.R.T stats', title: 'Arcade scope', meaning: 'Sees the stats of Arcade' },
  VIEW_TOP_5_STATS_CODEX: { group: 'S.T.A.R.T stats', title: 'Codex scope', meaning: 'Sees the stats of Codex' },
  VIEW_TOP_5_STATS_GREEN: { group: 'S.T.A.R.T stats', title: 'Green scope', meaning: 'Sees the stats of Green' },
  VIEW_TOP_5_STATS_GIVE: { group: 'S.T.A.R.T stats', title: 'Give scope', meaning: 'Sees the stats of Give' },
  VIEW_TOP_5_STATS_MANAGEMENT: {
    group: 'S.T.A.R.T stats',
    title: 'Management scope',
    meaning: 'Sees the stats of Management',
  },
  VIEW_ROLE_EDITOR: { group: 'Administration', title: 'Role editor', meaning: 'May edit roles and what they permit' },
  USER_MANAGEMENT: {
    group: 'Administration',
    title: 'User management',
    meaning: 'May manage people, their access and their approvers',
  },
} as const satisfies Record<string, Meaning>;

export type Permission = keyof typeof permissions;
export const permissionKeys = Object.keys(permissions) as Permission[];

/** The application permission that everything else stands on (spec 6). */
export const applicationPermission: Permission = 'VIEW_DASHBOARD';

/** The permission that adding a person to top-5 gives and removing takes (spec 3). */
export const topFivePermission: Permission = 'VIEW_TOP_5';

export function isPermission(text: string): text is Permission {
  return Object.hasOwn(permissions, text);
}

/** Reads a permission that comes from outside; the misspelt key of spec 6 means the intended one (D9). Unknown: null. */
export function readPermission(text: string): Permission | null {
  if (text === 'IEW_WHO_LIVES_DONATIONS') return 'VIEW_WHO_LIVES_DONATIONS';
  return isPermission(text) ? text : null;
}
