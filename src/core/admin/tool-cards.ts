// Decides what a staff tool's card contains, who sees it and who maintains it. Used by the server, the tools
// page and the card's form.
import * as z from 'zod/mini';
import { can, isAdmin, type Viewer } from '../access/access.ts';
import { isPermission, type Permission } from '../access/permissions.ts';
import { filledLine, id, line } from '../base/inputs.ts';

/** Set by hand: the server never requests an address that someone typed. */
export const toolHealths = { works: 'Working', trouble: 'Having issues', down: 'Down' } as const;
export type ToolHealth = keyof typeof toolHealths;
export const toolHealthKeys = Object.keys(toolHealths) as [ToolHealth, ...ToolHealth[]];

export const toolCardLimits = {
  title: 100,
  group: 60,
  description: 300,
  link: 2_000,
  note: 300,
  /** In the whole company. */
  cards: 300,
} as const;

const version = z.int().check(z.positive('must be 1 or more'));

/** A web address without scripts, files, user name or password. */
export function isToolLink(link: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(link)) return false;
  const match = /^https?:\/\/([^/?#]+)/i.exec(link);
  return match !== null && !match[1]!.includes('@') && URL_HOST.test(match[1]!);
}

/** "payroll.acme.test" as a person types it, with the scheme. Anything else stays, and may be refused. */
const withScheme = (link: string): string =>
  /^[^\s:/?#]+\.[^\s:/?#]+(?=[:/?#]|$)/.test(link) ? `https://${link}` : link;

/** A name, an IPv4 address or a bracketed IPv6 address, with or without a port. */
const URL_HOST = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/iu;

const card = {
  title: filledLine(toolCardLimits.title),
  group: filledLine(toolCardLimits.group),
  description: line(toolCardLimits.description),
  link: z.pipe(
    z.pipe(filledLine(toolCardLimits.link), z.transform(withScheme)),
    z.string().check(z.refine<string>(isToolLink, 'must be an address such as https://payroll.example.com')),
  ),
  /** Empty: nobody. */
  ownerId: z.union([z.literal(''), id], 'must be an ID'),
  /** Empty: everyone with access to the tools. */
  permission: z.string().check(z.refine<string>((name) => name === '' || isPermission(name), 'is not a permission')),
};
export const createToolCardInput = z.strictObject({
  ...card,
  description: z.optional(card.description),
  ownerId: z.optional(card.ownerId),
  permission: z.optional(card.permission),
});
export const updateToolCardInput = z.strictObject({
  id,
  version: z.optional(version),
  title: z.optional(card.title),
  group: z.optional(card.group),
  description: z.optional(card.description),
  link: z.optional(card.link),
  ownerId: z.optional(card.ownerId),
  permission: z.optional(card.permission),
});
export const toolHealthInput = z.strictObject({
  id,
  version: z.optional(version),
  health: z.enum(toolHealthKeys),
  note: z.optional(line(toolCardLimits.note)),
});
export const toolCardIdInput = z.strictObject({ id, version: z.optional(version) });
export const moveToolCardInput = z.strictObject({ id, by: z.union([z.literal(1), z.literal(-1)], 'must be 1 or -1') });

export function canEditToolCards(viewer: Viewer): boolean {
  return isAdmin(viewer);
}

export function canSeeToolCard(viewer: Viewer, permission: Permission | string | null): boolean {
  if (permission === null) return true;
  // A permission unknown to this version shows the card to admins only.
  return isPermission(permission) ? can(viewer, permission) : isAdmin(viewer);
}

/** The group's order after a card moved, or null if it is already at the edge. */
export function movedOrder(ids: readonly string[], id: string, by: 1 | -1): string[] | null {
  const from = ids.indexOf(id);
  const to = from + by;
  if (from === -1 || to < 0 || to >= ids.length) return null;
  const order = [...ids];
  order.splice(to, 0, ...order.splice(from, 1));
  return order;
}
