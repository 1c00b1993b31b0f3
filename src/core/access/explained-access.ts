// Explains why someone can or can't see a page and its numbers: each check in order, and how to fix a failed
// one. Used by the permission doctor, with the same checks as the guards.

import { type RefusalCode, refusals } from '../base/refusals.ts';
import {
  accessChecks,
  type CheckName,
  can,
  canReadProduct,
  isAdmin,
  permittedProducts,
  type Viewer,
} from './access.ts';
import type { StoredRole } from './permission-doctor.ts';
import { applicationPermission, type Permission, permissions, readPermission } from './permissions.ts';
import { productsOfRoute } from './products.ts';
import { guardOf, isRestricted, type Path } from './routes.ts';

export type ExplainedCheck = {
  readonly name: CheckName | 'data';
  /** `notReached`: after a failed check. */
  readonly outcome: 'passed' | 'failed' | 'notReached';
  /** The requirement and its result. */
  readonly sentence: string;
};

/**
 * What would give the person access. A permission comes from one of the roles named, or as a direct grant.
 */
export type AccessFix =
  | { readonly kind: 'role' }
  | { readonly kind: 'approver' }
  | { readonly kind: 'admin' }
  | { readonly kind: 'permission'; readonly permission: Permission; readonly roles: readonly string[] };

export type Explanation = {
  readonly sees: boolean;
  readonly checks: readonly ExplainedCheck[];
  /** The refusal's text for the person; null if they see the page. */
  readonly message: string | null;
  readonly fixes: readonly AccessFix[];
};

export type Target = { readonly path: Path; readonly product: string | null };

/** The last check is for a tab's numbers (D10): the page opens without it, but empty. */
export function explainAccess(viewer: Viewer, target: Target, roles: readonly StoredRole[]): Explanation {
  const asked: { name: CheckName | 'data'; refusal: RefusalCode | null }[] = [
    ...accessChecks(viewer, target.path, target.product),
  ];
  const data = dataPermission(target);
  if (data !== null && isRestricted(target.path)) {
    const reads = canReadProduct(viewer, target.path, target.product as string);
    asked.push({ name: 'data', refusal: reads ? null : 'FORBIDDEN' });
  }
  const failedAt = asked.findIndex(({ refusal }) => refusal !== null);
  const outcomeOf = (index: number) =>
    failedAt === -1 || index < failedAt ? 'passed' : index === failedAt ? 'failed' : 'notReached';
  const failed = asked[failedAt];
  return {
    sees: failed === undefined,
    checks: asked.map(({ name }, index) => ({
      name,
      outcome: outcomeOf(index),
      sentence: sentenceOf(viewer, target, name),
    })),
    message: failed?.refusal ? refusals[failed.refusal].message : null,
    fixes: failed ? fixesFor(viewer, target, failed.name, roles) : [],
  };
}

function tabOf({ path, product }: Target): { title: string; view: Permission; data: Permission } | null {
  if (!isRestricted(path) || product === null) return null;
  const products: Readonly<Record<string, { title: string; view: Permission; data: Permission }>> =
    productsOfRoute[path];
  return Object.hasOwn(products, product) ? (products[product] ?? null) : null;
}

const dataPermission = (target: Target): Permission | null => tabOf(target)?.data ?? null;

function sentenceOf(viewer: Viewer, target: Target, name: ExplainedCheck['name']): string {
  if (isAdmin(viewer)) return 'An admin passes every check';
  const guard = guardOf(target.path);
  switch (name) {
    case 'application':
      if (guard.kind === 'signedIn') return 'The page requires no role';
      if (viewer.role === null) return 'Has no role. A role is required';
      return standing(viewer, applicationPermission);
    case 'page':
      if (guard.kind === 'adminOnly') return 'Admins only. Anyone else who opens it is signed out';
      if (guard.kind === 'signedIn') return 'Open to everyone signed in';
      return guard.kind === 'permission' ? standing(viewer, guard.permission) : 'Open to everyone';
    case 'query': {
      if (!isRestricted(target.path)) return 'The page has no tabs that need a permission';
      const tab = tabOf(target);
      if (tab) return standing(viewer, tab.view);
      return permittedProducts(viewer, target.path).length > 0
        ? 'At least one tab is permitted'
        : 'No tab is permitted';
    }
    case 'approver':
      if (guard.kind !== 'permission' || !guard.approver) return 'The page requires no approver';
      return viewer.approverIds.length > 0 ? 'Has an approver' : 'Has no approver';
    case 'data': {
      const data = dataPermission(target);
      return data ? standing(viewer, data) : 'The page shows no restricted numbers';
    }
  }
}

const standing = (viewer: Viewer, permission: Permission): string =>
  `${can(viewer, permission) ? 'Has' : 'Doesn’t have'} the permission “${permissions[permission].title}”`;

function fixesFor(
  viewer: Viewer,
  target: Target,
  name: ExplainedCheck['name'],
  roles: readonly StoredRole[],
): AccessFix[] {
  const byPermission = (permission: Permission): AccessFix => ({
    kind: 'permission',
    permission,
    roles: roles
      .filter(({ permissions }) => permissions.some((stored) => readPermission(stored) === permission))
      .map((role) => role.name),
  });
  const guard = guardOf(target.path);
  switch (name) {
    case 'application':
      return [
        ...(viewer.role === null ? [{ kind: 'role' } as const] : []),
        ...lacking(viewer, [applicationPermission]).map(byPermission),
      ];
    case 'page':
      return guard.kind === 'permission' ? [byPermission(guard.permission)] : [{ kind: 'admin' }];
    case 'query': {
      const tab = tabOf(target);
      if (tab) return [byPermission(tab.view)];
      return isRestricted(target.path)
        ? Object.values(productsOfRoute[target.path]).map(({ view }) => byPermission(view))
        : [];
    }
    case 'approver':
      return [{ kind: 'approver' }];
    case 'data': {
      const data = dataPermission(target);
      return data ? [byPermission(data)] : [];
    }
  }
}

const lacking = (viewer: Viewer, wanted: readonly Permission[]): Permission[] =>
  wanted.filter((permission) => !can(viewer, permission));
