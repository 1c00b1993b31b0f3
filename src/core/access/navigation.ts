// Decides what the navigation offers: the tree of spec 2 with its labels, order and permissions (D34). Used
// by the drawer, the palette and the role editor's preview.
import { can, canUseApplication, type Viewer } from './access.ts';
import type { Permission } from './permissions.ts';
import { causes, type ProductKey, salesProducts } from './products.ts';
import { guardOf, isPath } from './routes.ts';

/** Icon names; the web draws one for each. */
export type IconName =
  | 'sales'
  | 'donations'
  | 'affiliate'
  | 'start'
  | 'tools'
  | 'service'
  | 'roles'
  | 'distributions'
  | 'payments'
  | 'people'
  | 'approvers'
  | 'logout';

/** An entry as spec 2 describes it. */
export type NavigationEntry = {
  readonly key: string;
  readonly title: string;
  readonly icon?: IconName;
  /** Selecting the entry goes to the parent's path with `product` set to the key. */
  readonly queryParam?: true;
  /** Its dashboard in the external analytics tool. */
  readonly resource?: { readonly number: number; readonly type: 'dashboard' };
  /** A group that only opens and closes. Its permission is here, because it has no route. */
  readonly group?: { readonly permission: Permission };
  /** Shown after the title while the setting `timeTracker` is off (D33). */
  readonly comingSoon?: true;
  readonly children?: readonly NavigationEntry[];
};

type Dashboards = Readonly<
  Record<string, { readonly title: string; readonly resource: number; readonly view: Permission }>
>;

const productEntries = (products: Dashboards): NavigationEntry[] =>
  Object.entries(products).map(([key, { title, resource }]) => ({
    key,
    title,
    queryParam: true,
    resource: { number: resource, type: 'dashboard' },
  }));

export const navigation: readonly NavigationEntry[] = [
  { key: 'sales', title: 'Sales', icon: 'sales', children: productEntries(salesProducts) },
  { key: 'donations', title: 'Donations', icon: 'donations', children: productEntries(causes) },
  { key: 'affiliateStats', title: 'Affiliate Stats', icon: 'affiliate' },
  {
    key: 'top-5',
    title: 'S.T.A.R.T',
    icon: 'start',
    children: [
      { key: 'tasks', title: 'Tasks' },
      { key: 'approvals', title: 'Approvals' },
      { key: 'stats', title: 'Stats' },
      {
        key: 'tools',
        title: 'Tools',
        group: { permission: 'VIEW_TOP_5_TOOLS' },
        children: [
          { key: 'guidelines', title: 'Top 5 Guidelines' },
          { key: 'schedule', title: 'Weekly Meeting Schedule' },
          { key: 'bonus', title: 'Top 5 Bonus Structure' },
          { key: 'timeTracker', title: 'Personal Performance Tracker', comingSoon: true },
        ],
      },
    ],
  },
  { key: 'tools', title: 'Tools', icon: 'tools' },
  { key: 'customerService', title: 'Customer Service', icon: 'service' },
  { key: 'roleEditor', title: 'Role Editor', icon: 'roles' },
  { key: 'distributions', title: 'Distributions', icon: 'distributions' },
  { key: 'productPayments', title: 'Product Payments', icon: 'payments' },
  { key: 'usermanagement', title: 'User Management', icon: 'people' },
  { key: 'approvermanagement', title: 'Approver Management', icon: 'approvers' },
  { key: 'logout', title: 'Logout', icon: 'logout' },
];

/**
 * An entry this viewer sees. `to` is null for one that only opens and closes. `product` is set for entries
 * chosen by query.
 */
export type VisibleEntry = {
  readonly key: string;
  readonly title: string;
  readonly icon: IconName | null;
  readonly to: string | null;
  readonly path: string;
  readonly product: string | null;
  readonly comingSoon: boolean;
  readonly children: readonly VisibleEntry[];
};

const kebabCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function isPermitted(viewer: Viewer, entry: NavigationEntry, path: string): boolean {
  if (entry.group) return can(viewer, entry.group.permission);
  const guard = guardOf(path);
  const opens = guard.kind !== 'permission' || (canUseApplication(viewer) && can(viewer, guard.permission));
  return opens && (!entry.queryParam || can(viewer, { ...salesProducts, ...causes }[entry.key as ProductKey].view));
}

function visibleEntry(viewer: Viewer, entry: NavigationEntry, parent: string): VisibleEntry[] {
  const path = entry.queryParam ? parent : `${parent}/${kebabCase(entry.key)}`;
  const children = (entry.children ?? []).flatMap((child) => visibleEntry(viewer, child, path));
  const permitted = isPermitted(viewer, entry, path);
  const isShown = entry.group ? permitted : entry.children !== undefined || permitted;
  if (!isShown || (entry.children && children.length === 0)) return [];
  const address = entry.queryParam ? `${path}?product=${entry.key}` : isPath(path) ? path : null;
  return [
    {
      key: entry.key,
      title: entry.title,
      icon: entry.icon ?? null,
      to: permitted ? address : null,
      path,
      product: entry.queryParam ? entry.key : null,
      comingSoon: entry.comingSoon ?? false,
      children,
    },
  ];
}

/**
 * The tree without entries whose permission is missing and without empty parents (spec 2). A page that can't
 * be entered stays as a group without a link while one of its children is permitted (D34).
 */
export function navigationFor(viewer: Viewer): VisibleEntry[] {
  return navigation.flatMap((entry) => visibleEntry(viewer, entry, ''));
}
