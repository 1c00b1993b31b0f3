// A notification's stored content. It is read as input: a newer version of the product may have written it.
import * as z from 'zod/mini';
import { day, time } from '../base/inputs.ts';
import { decisionEvents, workFields } from '../tasks/task.ts';
import { bonusComponentKeys } from '../toolbox/bonus.ts';
import { meetingEvents } from '../toolbox/meeting-changes.ts';

const { string, number, boolean, literal, nullable, optional, object } = z;

const taskFields = { taskId: string(), title: string(), by: string() };
export type OfTask = { readonly [Key in keyof typeof taskFields]: string };

const bonusLineFields = {
  by: string(),
  text: string(),
  line: z.enum(bonusComponentKeys),
  sprintId: string(),
  sprint: string(),
};
const days = { firstDay: string(), lastDay: string() };

const weekday = z.int().check(z.minimum(1), z.maximum(7));
const meetingTime = nullable(z.union([object({ day, time }), object({ weekday, time })]));

/** Titles and names are from that moment. */
export const noticeFacts = z.union([
  object({ kind: literal('waiting'), count: number(), upTo: string() }),
  object({ kind: literal('handedOver'), count: number() }),
  object({
    ...{ kind: literal('decided'), event: z.enum([...decisionEvents, 'undone']), ...taskFields },
    change: nullable(string()),
    /** What the approver changed in the task. */
    edited: optional(z.array(z.enum(workFields))),
  }),
  object({ kind: literal('assigned'), ...taskFields }),
  /** The latest of the notes that weren't read. `text` null: it was removed. */
  object({ kind: literal('noted'), count: number(), text: nullable(string()), ...taskFields }),
  /** The same of one author's mentions. */
  object({ kind: literal('mentioned'), count: optional(number()), text: nullable(string()), ...taskFields }),
  object({
    ...{ kind: literal('recap'), sprint: string(), count: number(), text: string() },
    /** The latest of those that weren't read. */
    ...{ personId: string(), person: string() },
  }),
  object({ kind: literal('boundary'), sprint: string(), endAt: string(), open: number(), waiting: number() }),
  object({
    ...{ kind: literal('meeting'), event: z.enum(meetingEvents), meetingId: string(), title: string() },
    ...{ byId: string(), by: string() },
    /** The original day of the date that changed. Null: the whole meeting. */
    day: nullable(day),
    /** When it takes place, as the reader last knew, and now. Null: not at all, or not for the reader. */
    ...{ before: meetingTime, after: meetingTime },
  }),
  object({ kind: literal('asked'), personId: string(), ...bonusLineFields }),
  object({ kind: literal('answered'), ...bonusLineFields }),
  object({
    ...{ kind: literal('roleAsked'), personId: string(), person: string(), byId: string(), by: string() },
    /** Both are missing in older ones, which are about people without a role. */
    ...{ role: optional(string()), roleBefore: optional(nullable(string())) },
  }),
  object({
    ...{ kind: literal('roleAnswered'), personId: string(), person: string() },
    /** The requested role. */
    role: string(),
    /** The role they got; null: the request was declined. */
    given: nullable(string()),
    /** Who declined it; the identity provider, which gives a role, has no id. */
    ...{ byId: string(), by: string() },
  }),
  object({
    kind: literal('approvee'),
    /** The first of them. */
    ...{ personId: string(), person: string() },
    /** Missing in older ones, which are about one person. */
    count: optional(number()),
  }),
  object({
    ...{ kind: literal('delegate'), personId: string(), person: string(), ...days, note: string() },
    /** They no longer are the delegate. Missing in older ones. */
    ended: optional(boolean()),
  }),
  object({
    ...{ kind: literal('absence'), byId: string(), by: string(), ...days, ended: boolean() },
    /** The delegate's id and name. */
    ...{ delegateId: nullable(string()), delegate: nullable(string()) },
  }),
  /** The delegate doesn't decide on all of these days. `gap` follows their name (delegateGapWords). */
  object({ kind: literal('absence'), gap: string(), ...days, delegateId: string(), delegate: string() }),
  object({
    ...{ kind: literal('access'), lines: z.array(string()) },
    /** The lines of a change that would undo it, and the earlier approvers who knew of the person. */
    ...{ back: optional(z.array(string())), knew: optional(z.array(string())) },
  }),
  object({
    kind: literal('accountChanged'),
    event: string(),
    detail: z.record(string(), z.union([string(), number(), z.readonly(z.array(string()))])),
    /** The person who did it; null for the account's owner. */
    by: nullable(string()),
    /** "Firefox on macOS, 192.0.2.7"; null for a command. */
    origin: nullable(string()),
  }),
]);

export type NoticeFacts = z.output<typeof noticeFacts>;
