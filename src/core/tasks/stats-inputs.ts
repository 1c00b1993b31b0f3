// What the stats can be asked for: a sprint, a scope, and pages of employees. Used by the API.
import * as z from 'zod/mini';
import { scopeKeys } from '../access/brands.ts';
import { id, pageAfterInput, text } from '../base/inputs.ts';
import { limits } from '../base/limits.ts';
import { usersInput } from '../people/people-lists.ts';

export const sprintStatsInput = z.strictObject({
  sprintId: z.optional(id),
  scope: z.optional(z.enum(scopeKeys)),
});

/** The columns that order employees; by last name without one. */
export const employeeOrders = ['employee', 'tasks', 'completed', 'signedOff', 'firstPass', 'rework', 'waited'] as const;

export const employeesInput = z.strictObject({
  search: z.optional(text(limits.search)),
  sort: z.optional(z.enum(employeeOrders)),
  desc: z.optional(z.boolean()),
});
export type EmployeesChoice = z.output<typeof employeesInput>;
export const employeePageInput = z.strictObject({ ...employeesInput.shape, ...pageAfterInput.shape });
/** `userId`: only this person. */
export const issuesInput = z.strictObject({ userId: z.optional(id), ...usersInput.shape });
