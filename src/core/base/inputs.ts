// What inputs are made of, and how they are read (spec 5). The shape of each stands with its topic.
// Asked by the server's mutations and the web's forms, which both parse with it.
import * as z from 'zod/mini';
import { limits } from './limits.ts';
import { type Refusal, refuse } from './refusals.ts';
import { withoutEmpty } from './without-empty.ts';

/** PostgreSQL cannot store NUL, and half of a surrogate pair is no text. */
export const storable = z.refine<string>(
  (value) => !value.includes('\0') && value.isWellFormed(),
  'contains a character that cannot be stored',
);

export const text = (longest: number) =>
  z.string().check(z.maxLength(longest, `is longer than ${longest} characters`), storable);
export const filled = (longest: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'must not be blank'),
      z.maxLength(longest, `is longer than ${longest} characters`),
      storable,
    );

/** Ids are positive whole numbers as text, as the database makes them. */
export const id = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'is not an id'));
export const day = z.string().check(
  z.regex(/^\d{4}-\d\d-\d\d$/, 'is not a day like 2026-01-31'),
  z.refine<string>((text) => {
    try {
      return Temporal.PlainDate.from(text).toString() === text;
    } catch {
      return false;
    }
  }, 'is not a day like 2026-01-31'),
);
export const index = z.int().check(z.nonnegative('must not be negative'));
export const version = z.int().check(z.positive('must be 1 or more'));

/** Part of a list: so many rows behind the first so many. */
export const pageInput = z.strictObject({
  limit: z.optional(
    z.int().check(z.minimum(1, 'must be 1 or more'), z.maximum(limits.page, `must be ${limits.page} or less`)),
  ),
  offset: z.optional(index),
});

/** The same for the items of a list: a decision with `version: null` carries no version. */
const withoutEmptyInside = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((item) =>
        typeof item === 'object' && item !== null && !Array.isArray(item) ? withoutEmpty(item) : item,
      )
    : value;

/** The parsed input, or the refusal that names the first field at fault. Null values count as left out. */
export function readInput<Schema extends z.ZodMiniType>(schema: Schema, values: object): z.output<Schema> | Refusal {
  const result = parse(schema, values);
  return result.success ? result.data : refusalOf(result.error.issues[0]);
}

export type InputSchema = z.ZodMiniType;

/** Every refusal that an input meets, in the order of the schema. A form shows each at its field. */
export function inputRefusals(schema: InputSchema, values: object): readonly Refusal[] {
  const result = parse(schema, values);
  return result.success ? [] : result.error.issues.map(refusalOf);
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, values: object) {
  const filledIn = Object.fromEntries(
    Object.entries(withoutEmpty(values)).map(([key, value]) => [key, withoutEmptyInside(value)]),
  );
  return z.safeParse(schema, filledIn);
}

function refusalOf(issue: z.core.$ZodIssue | undefined): Refusal {
  const field = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])].join(
    '.',
  );
  return refuse('BAD_INPUT', field ? `${field} ${reasonOf(issue)}` : reasonOf(issue), field ? { field } : {});
}

function reasonOf(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'is not right';
  if (issue.code === 'unrecognized_keys') return 'is not known here';
  if (issue.code === 'invalid_type') return `must be given as ${issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  return issue.message;
}
