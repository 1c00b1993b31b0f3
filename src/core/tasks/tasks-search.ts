// The search parameters of the tasks, the approvals and the stats. Used by the web's router and by links to
// these pages.
import * as z from 'zod/mini';
import { categories, scopeKeys } from '../access/brands.ts';
import { id } from '../base/inputs.ts';
import { everyPageSearch, on, searchSchema } from '../base/search.ts';

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

/** My week's: opens the close-out of the week. */
export const weekSearch = z.extend(everyPageSearch, searchSchema({ close: on }).shape);

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
  /** Opens how the task repeats. */
  repeat: on,
});

export const approvalsTabs = { approve: 'To approve', 'sign-off': 'To sign off', done: 'Done' } as const;
export type ApprovalsTab = keyof typeof approvalsTabs;

export const approvalsSearch = searchSchema({
  tab: z.enum(Object.keys(approvalsTabs) as ApprovalsTab[]),
  task: id,
  group: z.literal('person'),
  /** Only what is due before the sprint ends. */
  due: on,
});

export const statsSearch = searchSchema({ sprint: id, scope: z.enum(scopeKeys) });
