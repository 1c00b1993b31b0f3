// Decides which pages exist: path, title, layout and who may enter.
// Asked by the router, the navigation, the server's status codes and redirects, and the tests' list of pages.
import type { Permission } from './permissions.ts';
import { productsOfRoute } from './products.ts';

/**
 * Who may enter a page.
 * - `guest`: only who is not signed in; a signed-in visitor is sent home.
 * - `public`: everybody.
 * - `signedIn`: every signed-in person, whatever they hold.
 * - `adminOnly`: a signed-in person who is no admin is logged out (spec 6).
 * - `permission`: the permission of spec 6; `approver` asks for "approved by manager" as well.
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
  /** Where the page really lives: entering leads there. */
  readonly landsAt?: string;
};

const needs = (permission: Permission): Guard => ({ kind: 'permission', permission });
const needsApproved = (permission: Permission): Guard => ({ kind: 'permission', permission, approver: true });

/** The routes of spec 2, in its order and the account page, which it doesn’t name. No path has parameters or a trailing slash. */
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
  '/logout': { title: 'Log out', layout: 'navless', guard: { kind: 'public' } },
  '/error': { title: 'Error', layout: 'navless', guard: { kind: 'public' } },
} as const satisfies Record<string, Route>;

export type Path = keyof typeof routes;
export const paths = Object.keys(routes) as Path[];

/** The page that a signed-in person starts from (spec 2: on start the navigation goes to /dashboard). */
export const homePath: Path = '/dashboard';
export const loginPath: Path = '/';
export const logoutPath: Path = '/logout';
export const accountPath: Path = '/account';
export const errorPath: Path = '/error';

/** The order in which a landing page is looked for: that of the permission table (spec 6, D7). */
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

/** A restricted route opens only with a `product` that it knows (spec 2, D6). */
export type RestrictedPath = keyof typeof productsOfRoute;

export function isRestricted(path: Path): path is RestrictedPath {
  return Object.hasOwn(productsOfRoute, path);
}

/** The guard of a path; throws for a path that no table knows, as spec 8 words it. */
export function guardOf(path: string): Guard {
  if (!isPath(path)) throw new Error(`Permissions are not defined for ${path}`);
  return routes[path].guard;
}

/**
 * The address without its trailing slashes, or null when it has none to lose. Only the path is looked at, the query is kept.
 * Leading slashes fold into one, so that the redirect can never name another host (`//evil.com/`); so does white space
 * among them, which browsers leave out when they read an address.
 */
export function withoutTrailingSlash(address: string): string | null {
  const mark = address.indexOf('?');
  const path = mark === -1 ? address : address.slice(0, mark);
  if (path === '/' || !path.endsWith('/')) return null;
  let end = path.length;
  // A pattern for this would look at every run of slashes from each of its slashes.
  while (path[end - 1] === '/') end -= 1;
  const trimmed = `/${path.slice(0, end).replace(/^[\s/\\]+/, '')}`;
  return trimmed + (mark === -1 ? '' : address.slice(mark));
}

/** What RFC 3986 allows in a query; anything else (a backslash, a line break, a fragment) drops the query. */
const queryCharacters = /^[\w\-.~%!$&'()*+,;:@/?=[\]]+$/;

/**
 * The page to return to after signing in, from the `goto` query: a known path other than the navless ones with its query kept,
 * else null (D13). Never an address that could lead to another site.
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
