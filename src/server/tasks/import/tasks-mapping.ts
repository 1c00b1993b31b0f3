// The mapping file for tasks: the source of each field, the notes, files and history.
import * as z from 'zod';
import { columnsRead, rule } from '#server/platform/imports/mapping-rules.ts';

const column = z.string().min(1);
/** The name of a list, or of a list and the lists inside its items. */
const listPath = z.union([column, z.array(column).min(1).max(3)]);
export type ListPath = z.output<typeof listPath>;

const listOf = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.strictObject({ each: listPath, fields: z.strictObject(fields) }).optional();

export const tasksMapping = z.strictObject({
  dataset: z.literal('tasks'),
  /** The source's name; with a row's id it identifies an existing task. */
  source: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lowercase letters, digits and hyphens, up to 40'),
  /** Email of the approver of the import's new people. */
  approver: z.string().optional(),
  fields: z.strictObject({
    id: rule,
    title: rule,
    summary: rule.optional(),
    category: rule.optional(),
    status: rule,
    /** When its status last changed. */
    statusAt: rule.optional(),
    change: rule.optional(),
    /** Why it was denied; only for denied tasks. */
    reason: rule.optional(),
    /** Name of the person whose task it is. */
    owner: rule,
    /** The creator's name; the owner if blank. */
    creator: rule.optional(),
    created: rule,
    /** An instant in the task's week. */
    sprint: rule,
  }),
  notes: listOf({ author: rule, text: rule, at: rule, edited: rule.optional() }),
  attachments: listOf({ author: rule, fileName: rule, at: rule, size: rule.optional(), type: rule.optional() }),
  /** Moves between statuses. Statuses missing from the mapping are skipped. */
  history: listOf({ author: rule, at: rule, from: rule, to: rule, change: rule.optional() }),
});

export type TasksMapping = z.output<typeof tasksMapping>;

/** The columns in the mapping, by the first step of their path. */
export function columnsOfMapping({ fields, notes, attachments, history }: TasksMapping): string[] {
  const rules = Object.values(fields).filter((field) => field !== undefined);
  const lists = [notes, attachments, history].flatMap((list) => (list ? [[list.each].flat()[0]!] : []));
  return [...new Set([...rules.flatMap((one) => columnsRead(one)), ...lists])];
}
