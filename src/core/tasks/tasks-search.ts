// The search parameters of the tasks, the approvals and the stats. Used by the web's router and by links to
// these pages.
import * as z from 'zod/mini';
import { categories, scopeKeys } from '../access/brands.ts';
import { id } from '../base/inputs.ts';
import { on, searchSchema } from '../base/search.ts';

/** Sprints relative to the current one; any other is named by its id. */
export const sprintChoices = ['previous', 'current', 'next'] as const;
export type SprintChoice = (typeof sprintChoices)[number];

/** Comma-separated brands; unknown ones are dropped, and the rest are sorted. */
const brands = z.pipe(
  z.transform((named: unknown) => {
    const words = Array.isArray(named) ? named : String(named).split(',');
    return categories.filter((category) => words.includes(category));
  }),
  z.array(z.enum(categories)),
);

export const tasksSearch = searchSchema({
  person: id,
  sprint: z.union([z.enum(sprintChoices), id]),
  brand: brands,
  /** As a board by default. */
  view: z.literal('list'),
  task: id,
  /** Opens the new-task dialog. */
  new: on,
  /** The page before asks to edit and resend the open task. */
  resend: on,
});

const approvalsTabs = ['approve', 'sign-off', 'done'] as const;
export type ApprovalsTab = (typeof approvalsTabs)[number];

export const approvalsSearch = searchSchema({
  tab: z.enum(approvalsTabs),
  task: id,
  group: z.literal('person'),
});

export const statsSearch = searchSchema({ sprint: id, scope: z.enum(scopeKeys) });
