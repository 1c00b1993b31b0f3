// Decides what comes of a sign-in through an identity provider: the role that its groups give, and who has no password.
// Asked by the server when somebody comes back from the provider, and before a password is set.
import * as z from 'zod/mini';
import { storable } from '../base/inputs.ts';
import { limits } from '../base/limits.ts';
import { adminRole } from './access.ts';
import { deviceToken, linkToken } from './sign-in-inputs.ts';

export const beginSignInInput = z.strictObject({
  goto: z.optional(z.string().check(z.maxLength(limits.change, 'is too long'), storable)),
  /** The token of an invitation, to be accepted with the account there instead of a password here. */
  invitation: z.optional(linkToken),
});

/** Where somebody goes on who confirms there who they are. */
export const confirmThereInput = z.strictObject({ goto: beginSignInInput.shape.goto });

/** What the browser kept from an earlier sign-in, as at a sign-in with a password. */
export const takeSessionInput = z.strictObject({ device: z.optional(deviceToken) });

/** Groups of the provider and the roles that they give, the strongest first. */
export type GroupRoles = readonly { readonly group: string; readonly role: string }[];

/** `group=Role, other group=admin`; null where a part is no such pair or a group is named twice. */
export function readGroupRoles(text: string): GroupRoles | null {
  const pairs = text.split(',').map((part) => part.split('=').map((word) => word.trim()));
  const groups = new Set(pairs.map(([group]) => group));
  if (groups.size !== pairs.length || pairs.some((pair) => pair.length !== 2 || pair.includes(''))) return null;
  return pairs.map(([group = '', role = '']) => ({ group, role }));
}

export type RoleStanding = {
  readonly role: string | null;
  /** The role that groups gave last; null where they gave none. */
  readonly ofGroups: string | null;
};

export type RoleFacts = {
  readonly mapping: GroupRoles;
  readonly groups: readonly string[];
  /** The roles that there are, besides `admin`. */
  readonly roles: ReadonlySet<string>;
  /** No other admin can sign in. */
  readonly lastAdmin: boolean;
};

/**
 * The role after a sign-in. Without a mapping groups mean nothing. A group without a line gives no role, and `admin` is given by
 * a line that says so only. What groups gave goes when they give it no more; what was given here by hand stays, unless they
 * give another; an admin made by hand stays one, and so does the last.
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

/** The groups of a claim: a list of texts, or one text; whatever else it holds is no group. */
export function groupsOf(claim: unknown): string[] {
  if (typeof claim === 'string') return [claim];
  return Array.isArray(claim) ? claim.filter((group) => typeof group === 'string') : [];
}

/** Why this person has no password to set or to reset, or null: who signs in through the provider alone has none. */
export function hasNoPasswordPath(account: { readonly hasPassword: boolean; readonly connected: boolean }): boolean {
  return account.connected && !account.hasPassword;
}
