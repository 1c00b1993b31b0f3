// Decides which pages exist: path, title, layout and who can enter. Used by the router, the navigation, the
// server's status codes and redirects, and the tests.
import type { Permission } from './permissions.ts';
import { productsOfRoute } from './products.ts';

/**
 * Who can enter a page.
 * - `guest`: only signed-out visitors; others are sent home.
 * - `public`: everyone.
 * - `signedIn`: every signed-in person.
 * - `adminOnly`: admins; another signed-in person is signed out (spec 6).
 * - `permission`: the permission of spec 6; `approver` also requires "approved by manager".
 */
export type Guard =
  | { readonly kind: 'guest' }
  | { readonly kind: 'public' }
  | { readonly kind: 'signedIn' }
  | { readonly kind: 'adminOnly' }
  | { readonly kind: 'permission'; readonly permission: Permission; readonly approver?: true };

export type Layout = 'default' | 'navless';

export type Route = {
  readonly title: string;
  readonly layout: Layout;
  readonly guard: Guard;
  /** The page's actual address, where entering redirects to. */
  readonly landsAt?: string;
};

const needs = (permission: Permission): Guard => ({ kind: 'permission', permission });
const needsApproved = (permission: Permission): Guard => ({ kind: 'permission', permission, approver: true });

/** The routes of spec 2 in its order, plus the account page. No path has parameters or a trailing slash. */
export const routes = {
  '/': { title: 'Sign in', layout: 'navless', guard: { kind: 'guest' } },
  '/dashboard': { title: 'My week', layout: 'default', guard: needs('VIEW_DASHBOARD') },
  '/sales': { title: 'Sales', layout: 'default', guard: needs('VIEW_SALES') },
  '/donations': { title: 'Donations', layout: 'default', guard: needs('VIEW_DONATIONS') },
  '/affiliate-stats': { title: 'Affiliate Stats', layout: 'default', guard: needs('VIEW_AFFILIATE_STATS') },
  '/customer-service': { title: 'Customer Service', layout: 'default', guard: needs('VIEW_CUSTOMER_SERVICE') },
  '/distributions': { title: 'Distributions', layout: 'default', guard: needs('VIEW_DISTRIBUTIONS') },
  '/product-payments': { title: 'Product Payments', layout: 'default', guard: needs('VIEW_PRODUCT_PAYMENTS') },
  '/tools': { title: 'Tools', layout: 'default', guard: needs('VIEW_TOOLS') },
  '/role-editor': { title: 'Role Editor', layout: 'default', guard: needs('VIEW_ROLE_EDITOR') },
  '/role-qualifications': { title: 'Role Qualifications', layout: 'default', guard: { kind: 'adminOnly' } },
  '/usermanagement': { title: 'User Management', layout: 'default', guard: needs('USER_MANAGEMENT') },
  '/approvermanagement': { title: 'Approver Management', layout: 'default', guard: needs('USER_MANAGEMENT') },
  '/employee-stats': { title: 'Employee Stats', layout: 'default', guard: needs('VIEW_TOP_5_STATS') },
  '/top-5': { title: 'Tasks', layout: 'default', guard: needsApproved('VIEW_TOP_5'), landsAt: '/top-5/tasks' },
  '/top-5/tasks': { title: 'Tasks', layout: 'default', guard: needsApproved('VIEW_TOP_5') },
  '/top-5/approvals': { title: 'Approvals', layout: 'default', guard: needs('VIEW_TOP_5_APPROVALS') },
  '/top-5/stats': { title: 'Stats', layout: 'default', guard: needs('VIEW_TOP_5_STATS') },
  '/top-5/tools/guidelines': { title: 'Top 5 Guidelines', layout: 'default', guard: needs('VIEW_TOP_5_GUIDELINES') },
  '/top-5/tools/schedule': {
    title: 'Weekly Meeting Schedule',
    layout: 'default',
    guard: needs('VIEW_TOP_5_MEETING_SCHEDULE'),
  },
  '/top-5/tools/bonus': {
    title: 'Top 5 Bonus Structure',
    layout: 'default',
    guard: needs('VIEW_TOP_5_BONUS_STRUCTURE'),
  },
  '/top-5/tools/time-tracker': {
    title: 'Personal Performance Tracker',
    layout: 'default',
    guard: needs('VIEW_TOP_5_TIME_TRACKER'),
  },
  '/account': { title: 'My account', layout: 'default', guard: { kind: 'signedIn' } },
  '/logout': { title: 'Sign out', layout: 'navless', guard: { kind: 'public' } },
  '/error': { title: 'Error', layout: 'navless', guard: { kind: 'public' } },
} as const satisfies Record<string, Route>;

export type Path = keyof typeof routes;
export const paths = Object.keys(routes) as Path[];

/** The start page of a signed-in person (spec 2: on start the navigation goes to /dashboard). */
export const homePath: Path = '/dashboard';
export const loginPath: Path = '/';
export const logoutPath: Path = '/logout';
export const accountPath: Path = '/account';
export const errorPath: Path = '/error';

/** The order in which a landing page is chosen: the permission table's (spec 6, D7). */
export const landingOrder: readonly Path[] = [
  '/sales',
  '/affiliate-stats',
  '/top-5',
  '/top-5/tasks',
  '/top-5/approvals',
  '/top-5/stats',
  '/top-5/tools/guidelines',
  '/top-5/tools/schedule',
  '/top-5/tools/bonus',
  '/top-5/tools/time-tracker',
  '/donations',
  '/customer-service',
  '/dashboard',
  '/role-editor',
  '/distributions',
  '/product-payments',
  '/tools',
  '/usermanagement',
  '/approvermanagement',
];

/** Exact and case-sensitive: `/Sales` and `/sales/` are not `/sales` (spec 2). */
export function isPath(text: string): text is Path {
  return Object.hasOwn(routes, text);
}

/** A restricted route only opens with a known `product` (spec 2, D6). */
export type RestrictedPath = keyof typeof productsOfRoute;

export function isRestricted(path: Path): path is RestrictedPath {
  return Object.hasOwn(productsOfRoute, path);
}

/** A path's guard; throws for an unknown path with the message of spec 8. */
export function guardOf(path: string): Guard {
  if (!isPath(path)) throw new Error(`Permissions are not defined for ${path}`);
  return routes[path].guard;
}

/**
 * The address without trailing slashes, or null if it has none. Keeps the query. Collapses leading slashes,
 * so the redirect can never name another host (`//evil.com/`), including white space among them, which
 * browsers drop.
 */
export function withoutTrailingSlash(address: string): string | null {
  const mark = address.indexOf('?');
  const path = mark === -1 ? address : address.slice(0, mark);
  if (path === '/' || !path.endsWith('/')) return null;
  let end = path.length;
  // A regular expression would take quadratic time for long runs of slashes.
  while (path[end - 1] === '/') end -= 1;
  const trimmed = `/${path.slice(0, end).replace(/^[\s/\\]+/, '')}`;
  return trimmed + (mark === -1 ? '' : address.slice(mark));
}

/**
 * The characters RFC 3986 allows in a query; anything else (a backslash, a line break, a fragment) drops the
 * query.
 */
const queryCharacters = /^[\w\-.~%!$&'()*+,;:@/?=[\]]+$/;

/**
 * The page after sign-in, from the `goto` query: a known path with navigation, with its query, else null
 * (D13). Never an address of another site.
 */
export function readGoto(text: string | null | undefined): string | null {
  if (!text) return null;
  const mark = text.indexOf('?');
  const path = mark === -1 ? text : text.slice(0, mark);
  if (!isPath(path) || routes[path].layout === 'navless') return null;
  if (mark === -1) return path;
  const query = text.slice(mark + 1);
  return queryCharacters.test(query) ? `${path}?${query}` : path;
}
