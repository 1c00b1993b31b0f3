// What the lists of people can be asked for: pages, filters and orders. Used by the API.
import * as z from 'zod/mini';
import { countWords } from '../base/formats.ts';
import { id, pageAfterInput, text } from '../base/inputs.ts';
import { limits } from '../base/limits.ts';
import { type Refusal, refuse } from '../base/refusals.ts';
import { userLimits } from './accounts.ts';
import { userLists, userOrders, userStates } from './people-search.ts';

/** A list of the specification without a limit is whole or refused: a part of it could pass for everyone. */
export const tooManyPeople: Refusal = refuse(
  'QUERY_TOO_LARGE',
  `There are more than ${countWords(userLimits.everyone)} people. Read them in pages, with limit and after`,
);

const find = z.optional(text(limits.search));
/** An empty role or team: those without one. */
const directoryFilters = {
  find,
  list: z.optional(z.enum(userLists)),
  role: z.optional(text(userLimits.name)),
  team: z.optional(text(userLimits.name)),
  state: z.optional(z.enum(userStates)),
  withoutApprover: z.optional(z.boolean()),
  roleRequested: z.optional(z.boolean()),
  awayNow: z.optional(z.boolean()),
  backThisWeek: z.optional(z.boolean()),
  sort: z.optional(z.enum(userOrders)),
  desc: z.optional(z.boolean()),
};
export const directoryInput = z.strictObject({ ...directoryFilters, ...pageAfterInput.shape });
export const peopleExportInput = z.strictObject(directoryFilters);
export const usersInput = z.strictObject({
  limit: z.optional(
    z
      .int()
      .check(
        z.minimum(1, 'must be 1 or more'),
        z.maximum(userLimits.everyone, `must be ${userLimits.everyone} or less`),
      ),
  ),
  after: z.optional(id),
});
export const peopleToChooseInput = z.strictObject({
  find,
  disabled: z.optional(z.boolean()),
  ids: z.optional(z.array(id).check(z.maxLength(limits.page, `has more than ${limits.page} ids`))),
});
/** The people one decides for; with `find`, as many as a field offers. */
export const decidedPeopleInput = z.strictObject({ ...usersInput.shape, find, ids: peopleToChooseInput.shape.ids });
export type Directory = z.output<typeof directoryInput>;
export type PeopleExport = z.output<typeof peopleExportInput>;
export type UsersPage = z.output<typeof usersInput>;
export type DecidedPeople = z.output<typeof decidedPeopleInput>;
export type PeopleToChoose = z.output<typeof peopleToChooseInput>;
