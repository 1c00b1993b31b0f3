// Decides the result of a sign-in through an identity provider: the role from groups, and who has no
// password. Used by the server on the return from the provider, and before a password is set.
import * as z from 'zod/mini';
import { storable } from '../base/inputs.ts';
import { limits } from '../base/limits.ts';
import { adminRole } from './access.ts';
import { deviceToken, linkToken } from './sign-in-inputs.ts';

export const beginSignInInput = z.strictObject({
  goto: z.optional(z.string().check(z.maxLength(limits.change, 'is too long'), storable)),
  /** An invitation's token, to accept it with the provider's account instead of a password. */
  invitation: z.optional(linkToken),
});

/** Where the person continues after confirming their identity there. */
export const confirmThereInput = z.strictObject({ goto: beginSignInInput.shape.goto });

/** The browser's token from an earlier sign-in, as with a password. */
export const takeSessionInput = z.strictObject({ device: z.optional(deviceToken) });

/** The provider's groups with their roles, the strongest first. */
export type GroupRoles = readonly { readonly group: string; readonly role: string }[];

/** Parses `group=Role, other group=admin`; null for an invalid pair or a repeated group. */
export function readGroupRoles(text: string): GroupRoles | null {
  const pairs = text.split(',').map((part) => part.split('=').map((word) => word.trim()));
  const groups = new Set(pairs.map(([group]) => group));
  if (groups.size !== pairs.length || pairs.some((pair) => pair.length !== 2 || pair.includes(''))) return null;
  return pairs.map(([group = '', role = '']) => ({ group, role }));
}

export type RoleStanding = {
  readonly role: string | null;
  /** The last role from groups; null if none. */
  readonly ofGroups: string | null;
};

export type RoleFacts = {
  readonly mapping: GroupRoles;
  readonly groups: readonly string[];
  /** The existing roles besides `admin`. */
  readonly roles: ReadonlySet<string>;
  /** No other admin can sign in. */
  readonly lastAdmin: boolean;
};

/**
 * The role after a sign-in. Without a mapping groups mean nothing. A group without a line gives no role, and
 * only an explicit line gives `admin`. A role from groups ends when they no longer give it; one set here
 * stays unless they give another. An admin set here stays one, and so does the last.
 */
export function planGroupRole(standing: RoleStanding, { mapping, groups, roles, lastAdmin }: RoleFacts): RoleStanding {
  const { role, ofGroups } = standing;
  if (mapping.length === 0) return standing;
  const given =
    mapping.find((line) => groups.includes(line.group) && (line.role === adminRole || roles.has(line.role)))?.role ??
    null;
  const byHand = role !== null && role !== ofGroups;
  if (role === adminRole && given !== adminRole && (byHand || lastAdmin)) return standing;
  if (given !== null) return { role: given, ofGroups: byHand && role === given ? null : given };
  return byHand ? { role, ofGroups: null } : { role: null, ofGroups: null };
}

/** The groups in a claim: a list of texts, or one text; other values are ignored. */
export function groupsOf(claim: unknown): string[] {
  if (typeof claim === 'string') return [claim];
  return Array.isArray(claim) ? claim.filter((group) => typeof group === 'string') : [];
}

/** Whether this person has no password to set or reset: people who only use the provider have none. */
export function hasNoPasswordPath(account: { readonly hasPassword: boolean; readonly connected: boolean }): boolean {
  return account.connected && !account.hasPassword;
}
