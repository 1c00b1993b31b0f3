// What the addresses of the tasks, the approvals and the stats may say.
// Asked by the web's router and by whatever links to these pages.
import * as z from 'zod/mini';
import { categories, scopeKeys } from '../access/brands.ts';
import { id } from '../base/inputs.ts';
import { on, searchSchema } from '../base/search.ts';

/** Sprints by their place beside the current one; any other is named by its id. */
export const sprintChoices = ['previous', 'current', 'next'] as const;
export type SprintChoice = (typeof sprintChoices)[number];

/** Several brands with commas between them; unknown ones are left out, the others come in their own order. */
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
  /** Without it, as a board. */
  view: z.literal('list'),
  task: id,
  /** The page before asks for a new task. */
  new: on,
});

const approvalsTabs = ['approve', 'sign-off', 'done'] as const;
export type ApprovalsTab = (typeof approvalsTabs)[number];

export const approvalsSearch = searchSchema({
  tab: z.enum(approvalsTabs),
  task: id,
  group: z.literal('person'),
});

export const statsSearch = searchSchema({ sprint: id, scope: z.enum(scopeKeys) });
