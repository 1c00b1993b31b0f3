// What a mapping file for tasks says: where each field of a task, its notes, files and history comes from.
import * as z from 'zod';
import { columnsRead, rule } from '#server/platform/imports/mapping-rules.ts';

const listOf = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.strictObject({ each: z.string().min(1), fields: z.strictObject(fields) }).optional();

export const tasksMapping = z.strictObject({
  dataset: z.literal('tasks'),
  /** Names the source; with the id of a row it tells whether a task is there already. */
  source: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens, 40 at most'),
  /** E-mail of the person who approves the tasks of the people that come with the import. */
  approver: z.string().optional(),
  fields: z.strictObject({
    id: rule,
    title: rule,
    summary: rule.optional(),
    category: rule.optional(),
    status: rule,
    /** When it came into its status. */
    statusAt: rule.optional(),
    change: rule.optional(),
    /** Why it was denied; counts for denied tasks only. */
    reason: rule.optional(),
    /** Name of the person whose task it is. */
    owner: rule,
    /** Name of the person who made it; the owner where blank. */
    creator: rule.optional(),
    created: rule,
    /** An instant: the task belongs to the week that it lies in. */
    sprint: rule,
  }),
  notes: listOf({ author: rule, text: rule, at: rule, edited: rule.optional() }),
  attachments: listOf({ author: rule, fileName: rule, at: rule, size: rule.optional(), type: rule.optional() }),
  /** Moves from status to status. Those whose statuses the mapping does not know are left out. */
  history: listOf({ author: rule, at: rule, from: rule, to: rule, change: rule.optional() }),
});

export type TasksMapping = z.output<typeof tasksMapping>;

/** The columns of a row that the mapping names, by the first step of their path. */
export function columnsOfMapping({ fields, notes, attachments, history }: TasksMapping): string[] {
  const rules = Object.values(fields).filter((field) => field !== undefined);
  const lists = [notes, attachments, history].flatMap((list) => (list ? [list.each] : []));
  return [...new Set([...rules.flatMap((one) => columnsRead(one)), ...lists])];
}
