// Decides who can enter which page, and where everyone else is redirected, in the order of the checks in spec
// 6 (D5). Used by the web's guards and navigation; the API uses `can` and `isAdmin`.

import { type RefusalCode, refusals } from '../base/refusals.ts';
import { applicationPermission, type Permission, permissionKeys, readPermission } from './permissions.ts';
import { productsOfRoute } from './products.ts';
import {
  errorPath,
  guardOf,
  homePath,
  isPath,
  isRestricted,
  landingOrder,
  loginPath,
  logoutPath,
  type Path,
  paths,
  type RestrictedPath,
  routes,
} from './routes.ts';

/** The viewer. `permissions` combines the role's and the direct grants (D11); an admin's list is complete. */
export type Viewer = {
  readonly id: string;
  readonly role: string | null;
  readonly permissions: readonly Permission[];
  readonly approverIds: readonly string[];
  /** The absent approvers this person decides for today (D40). Left out: none. */
  readonly delegateOf?: readonly string[] | undefined;
  /** Those of them who could open these areas themselves. */
  readonly delegateIn?: Readonly<Record<DelegatedArea, readonly string[]>> | undefined;
};

/** The same person before and after a change. */
export type ViewerChange = { readonly before: Viewer; readonly after: Viewer };

/** What an approver sees of their people with another permission than the one to decide. */
export const delegatedAreas = ['stats', 'bonus', 'time'] as const;
export type DelegatedArea = (typeof delegatedAreas)[number];

/** The viewer in an area: a delegate never sees more than the absent approver could (D40). */
export const inArea = <Person extends Viewer>(viewer: Person, area: DelegatedArea): Person => ({
  ...viewer,
  delegateOf: viewer.delegateIn?.[area],
});

export const adminRole = 'admin';

export function isAdmin(viewer: Pick<Viewer, 'role'>): boolean {
  return viewer.role === adminRole;
}

/** A person's permissions: the role's and the direct grants (D9, D11); an admin has all. */
export function heldPermissions(role: string | null, stored: readonly string[]): Permission[] {
  if (role === adminRole) return permissionKeys;
  return [...new Set(stored.map(readPermission))].filter((permission) => permission !== null);
}

/** Whether the viewer has the permission. An admin passes every check (spec 6). */
export function can(viewer: Viewer, permission: Permission): boolean {
  return isAdmin(viewer) || viewer.permissions.includes(permission);
}

/**
 * The first of the four checks: the application permission, and a role (spec 6: non-admins must have one).
 */
export function canUseApplication(viewer: Viewer): boolean {
  return isAdmin(viewer) || (viewer.role !== null && can(viewer, applicationPermission));
}

/**
 * Whether the viewer only uses S.T.A.R.T: VIEW_TOP_5 without USER_MANAGEMENT and nothing outside S.T.A.R.T
 * but the dashboard (D12).
 */
export function isTopFiveOnly(viewer: Viewer): boolean {
  if (isAdmin(viewer) || !can(viewer, 'VIEW_TOP_5')) return false;
  return viewer.permissions.every(
    (permission) => permission === applicationPermission || permission.startsWith('VIEW_TOP_5'),
  );
}

/** "Approved by manager": the viewer has an approver (spec 6). */
export function isApprovedByManager(viewer: Viewer): boolean {
  return isAdmin(viewer) || viewer.approverIds.length > 0;
}

/** The products of a restricted route that the viewer can open, in the navigation's order. */
export function permittedProducts(viewer: Viewer, path: RestrictedPath): string[] {
  return Object.entries(productsOfRoute[path])
    .filter(([, product]) => can(viewer, product.view))
    .map(([key]) => key);
}

/** The product that opens if an address names none: preferably one whose numbers the viewer can read. */
function firstProduct(viewer: Viewer, path: RestrictedPath): string | undefined {
  const permitted = permittedProducts(viewer, path);
  return permitted.find((key) => canReadProduct(viewer, path, key)) ?? permitted[0];
}

/**
 * Whether the viewer can read a product's or cause's numbers: needs both its tab and its data permission
 * (D10).
 */
export function canReadProduct(viewer: Viewer, path: RestrictedPath, key: string): boolean {
  const products: Readonly<Record<string, { view: Permission; data: Permission }>> = productsOfRoute[path];
  const product = Object.hasOwn(products, key) ? products[key] : undefined;
  return product !== undefined && can(viewer, product.view) && can(viewer, product.data);
}

export type CheckName = 'application' | 'page' | 'query' | 'approver';

/** One of the checks of spec 6. `refusal` is null if it passes. */
export type AccessCheck = { readonly name: CheckName; readonly refusal: RefusalCode | null };

/** Every check of this page in the order of spec 6 (D5, D6), reached or not. */
export function accessChecks(viewer: Viewer, path: Path, product?: string | null): AccessCheck[] {
  const guard = guardOf(path);
  const needsApprover = guard.kind === 'permission' && guard.approver === true;
  const failsAt = (name: CheckName, passes: boolean, code: RefusalCode): AccessCheck => ({
    name,
    refusal: passes || isAdmin(viewer) ? null : code,
  });
  return [
    failsAt('application', guard.kind === 'signedIn' || canUseApplication(viewer), 'NO_APPLICATION_PERMISSION'),
    failsAt('page', holdsPage(viewer, path), 'NO_PAGE_PERMISSION'),
    failsAt('query', holdsQuery(viewer, path, product), 'NO_PAGE_PERMISSION'),
    failsAt('approver', !needsApprover || isApprovedByManager(viewer), 'NOT_APPROVED_BY_MANAGER'),
  ];
}

function holdsPage(viewer: Viewer, path: Path): boolean {
  const guard = guardOf(path);
  return guard.kind === 'permission' ? can(viewer, guard.permission) : guard.kind !== 'adminOnly';
}

function holdsQuery(viewer: Viewer, path: Path, product?: string | null): boolean {
  if (!isRestricted(path)) return true;
  const permitted = permittedProducts(viewer, path);
  const known = product != null && Object.hasOwn(productsOfRoute[path], product);
  return known ? permitted.includes(product) : permitted.length > 0;
}

/** The first check that fails for the viewer on this page, or null. */
export function refusalAt(viewer: Viewer, path: Path, product?: string | null): RefusalCode | null {
  return accessChecks(viewer, path, product).find(({ refusal }) => refusal !== null)?.refusal ?? null;
}

/** The first page of the permission table that the viewer can enter, with its query, or null. */
export function firstPermittedPage(viewer: Viewer): string | null {
  const path = landingOrder.find((candidate) => refusalAt(viewer, candidate) === null);
  if (path === undefined) return null;
  return isRestricted(path) ? `${path}?product=${firstProduct(viewer, path)}` : path;
}

/** The landing choice from permissions: the first route they allow, otherwise /logout (spec 2, D7). */
export function landing(viewer: Viewer): string {
  return firstPermittedPage(viewer) ?? logoutPath;
}

export type Entry =
  | { readonly kind: 'enter' }
  /** `refused`: why the wanted page doesn't open. */
  | { readonly kind: 'redirect'; readonly to: string; readonly refused?: RefusalCode }
  /**
   * The message is stored and shown on /error. With `inPlace` it is shown here, because the viewer has no
   * other page (D7).
   */
  | { readonly kind: 'refuse'; readonly code: RefusalCode; readonly inPlace: boolean }
  | { readonly kind: 'logout' }
  | { readonly kind: 'notFound' };

export type Visit = {
  readonly path: string;
  /** The query without the question mark; kept for `goto`. */
  readonly search: string;
  readonly product: string | null;
  /** The previous path inside the application. */
  readonly from?: string;
};

/** The result of opening an address. `viewer` is null when nobody is signed in. */
export function enter(viewer: Viewer | null, visit: Visit): Entry {
  const { path } = visit;
  if (!isPath(path)) return { kind: 'notFound' };
  const guard = guardOf(path);
  if (guard.kind === 'public') return { kind: 'enter' };
  if (guard.kind === 'guest') return viewer ? { kind: 'redirect', to: homePath } : { kind: 'enter' };
  if (!viewer) return { kind: 'redirect', to: loginPage(path + (visit.search ? `?${visit.search}` : '')) };
  const code = refusalAt(viewer, path, visit.product);
  if (code !== null) return refused(viewer, visit, code);
  const to = movedOn(viewer, path, visit);
  return to === null ? { kind: 'enter' } : { kind: 'redirect', to };
}

/**
 * The sign-in page that leads on to the wanted page. Half of a surrogate pair can't be encoded and would
 * throw.
 */
export const loginPage = (wanted: string): string => `${loginPath}?goto=${encodeURIComponent(wanted.toWellFormed())}`;

function refused(viewer: Viewer, { path, from }: Visit, code: RefusalCode): Entry {
  if (isPath(path) && routes[path].guard.kind === 'adminOnly' && code === 'NO_PAGE_PERMISSION')
    return { kind: 'logout' };
  const permitted = firstPermittedPage(viewer);
  // This page is their home even if it is refused: a reload must not redirect them.
  if (path === homePath && permitted === null) return { kind: 'refuse', code, inPlace: true };
  if (from !== loginPath) return { kind: 'refuse', code, inPlace: false };
  return permitted === null ? { kind: 'redirect', to: homePath } : { kind: 'redirect', to: permitted, refused: code };
}

/** Redirects from a page that moved, or a restricted one without a known product (D6). */
function movedOn(viewer: Viewer, path: Path, { product, search }: Visit): string | null {
  const route = routes[path];
  if ('landsAt' in route) return route.landsAt;
  if (!isRestricted(path)) return null;
  const known = product !== null && Object.hasOwn(productsOfRoute[path], product);
  if (known) return null;
  const rest = search.split('&').filter((part) => part !== '' && !part.startsWith('product='));
  return [`${path}?product=${firstProduct(viewer, path)}`, ...rest].join('&');
}

/** The refusal's text on the error page (spec 6). */
export function refusalMessage(code: RefusalCode): string {
  return refusals[code].message;
}

/** Every page the viewer can enter: for the role editor's comparison and the access matrix. */
export function permittedPages(viewer: Viewer): Path[] {
  return paths.filter(
    (path) =>
      path !== errorPath &&
      routes[path].guard.kind !== 'guest' &&
      (routes[path].guard.kind === 'public' || refusalAt(viewer, path) === null),
  );
}
