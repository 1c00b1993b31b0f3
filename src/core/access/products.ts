// Decides which products and causes have a dashboard, with its number and permissions. Used by the routes,
// the navigation, the numbers and the embed.
import type { Permission } from './permissions.ts';

type Dashboard = {
  readonly title: string;
  /** Number of the dashboard in the external analytics tool (spec 7). */
  readonly resource: number;
  /** Opens the tab. */
  readonly view: Permission;
  /** Reads its numbers (spec 6, data access per product). */
  readonly data: Permission;
};

export const salesProducts = {
  connect: { title: 'Connect', resource: 15, view: 'VIEW_CONNECT_SALES', data: 'READ_BGP' },
  green: { title: 'Green', resource: 16, view: 'VIEW_GREEN_SALES', data: 'READ_GREEN' },
  codex: { title: 'Codex', resource: 17, view: 'VIEW_CODEX_SALES', data: 'READ_CODEX' },
  bgp: { title: 'Arcade', resource: 18, view: 'VIEW_BGP_SALES', data: 'READ_BGP' },
} as const satisfies Record<string, Dashboard>;

export const causes = {
  'free-a-girl': {
    title: 'Free a Girl',
    resource: 20,
    view: 'VIEW_FREE_A_GIRL_DONATIONS',
    data: 'VIEW_FREE_A_GIRL_DONATIONS',
  },
  'operation-underground-railroad': {
    title: 'Operation Underground Railroad',
    resource: 20,
    view: 'VIEW_OPERATION_UNDERGROUND_RAILROAD_DONATIONS',
    data: 'VIEW_OPERATION_UNDERGROUND_RAILROAD_DONATIONS',
  },
  'who-lives': { title: 'Who Lives', resource: 20, view: 'VIEW_WHO_LIVES_DONATIONS', data: 'VIEW_WHO_LIVES_DONATIONS' },
} as const satisfies Record<string, Dashboard>;

export type SalesProduct = keyof typeof salesProducts;
export type Cause = keyof typeof causes;
export type ProductKey = SalesProduct | Cause;

/** The products of a route's `product` query, in the navigation's order. */
export const productsOfRoute = { '/sales': salesProducts, '/donations': causes } as const;
