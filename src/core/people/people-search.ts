// The search parameters of users, approvers and role qualifications. Used by the web's router and by links to
// these pages.
import * as z from 'zod/mini';
import { id } from '../base/inputs.ts';
import { on, searchSchema } from '../base/search.ts';
import type { QualificationFilter } from './qualifications.ts';

/** Filters for people without a role, team or approver. */
export const nobody = '-';

export const userStates = ['active', 'invited', 'noPassword', 'disabled'] as const;
/** The specification's two lists: people with and without the top-5 permission (spec 3). */
export const userLists = ['permitted', 'logged'] as const;
export type UserList = (typeof userLists)[number];
/** Besides by name. */
export const userOrders = ['email', 'role', 'team', 'state'] as const;

export const usersSearch = searchSchema({
  /** Everyone by default. */
  list: z.enum(userLists),
  q: z.string(),
  role: z.string(),
  team: z.string(),
  state: z.enum(userStates),
  approver: z.literal(nobody),
  /** The admins are asked to give them a role. */
  asked: on,
  /** Away today. */
  away: on,
  /** Back from time away this week. */
  back: on,
  /** By name by default. */
  sort: z.enum(userOrders),
  desc: on,
  /** The person whose account is open. */
  person: id,
  /** Opens the dialog for a new person. */
  new: on,
});
export type UsersSearch = z.output<typeof usersSearch>;

export const approverFilters = ['undecided', 'none', 'circle', 'waiting'] as const;

export const approversSearch = searchSchema({
  view: z.literal('approvers'),
  show: z.enum(approverFilters),
  open: id,
});

export type ApproversSearch = z.output<typeof approversSearch>;

const qualificationFilters = [
  'lacking',
  'excepted',
  'missing',
  'expired',
  'expiring',
  'met',
] as const satisfies readonly QualificationFilter[];

export const qualificationsSearch = searchSchema({
  role: z.string(),
  who: z.literal('everyone'),
  /** `lacking`: missing or expired; `excepted`: that by an exception. */
  state: z.enum(qualificationFilters),
  search: z.string(),
  person: id,
});
