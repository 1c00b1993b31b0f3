// The building blocks of inputs, and how they are parsed (spec 5). Each topic has its own shapes. Used by the
// server's mutations and the web's forms.
import * as z from 'zod/mini';
import { limits } from './limits.ts';
import { oneLine } from './one-line.ts';
import { type Refusal, refuse } from './refusals.ts';
import { withoutEmpty } from './without-empty.ts';

/** PostgreSQL can't store NUL, and half of a surrogate pair isn't text. */
export const storable = z.refine<string>(
  (value) => !value.includes('\0') && value.isWellFormed(),
  'contains a character that can’t be stored',
);

/** What is cleaned can get shorter, but a far longer text isn't cleaned first: that would stop a server. */
const mostTimesLonger = 10;

const cleaned = (longest: number) =>
  z
    .string()
    .check(
      z.maxLength(longest * mostTimesLonger, { error: `is longer than ${longest} characters`, abort: true }),
      storable,
    );

/** Screens show no control characters but line breaks and tabs, and each takes six bytes of an answer. */
const withoutControls = z.overwrite<string>((value) =>
  value.replace(/[\v\f\u0085]/g, '\n').replace(/[^\P{Cc}\n\r\t]/gu, ''),
);

const atMost = (longest: number) => z.maxLength(longest, `is longer than ${longest} characters`);

export const text = (longest: number) => cleaned(longest).check(withoutControls, atMost(longest));
export const filled = (longest: number) =>
  cleaned(longest).check(withoutControls, z.trim(), z.minLength(1, 'must not be blank'), atMost(longest));

/** A text of one line. Pasted line breaks, tabs and hidden characters are left out. */
export const line = (longest: number) => cleaned(longest).check(z.overwrite(oneLine), atMost(longest));
export const filledLine = (longest: number) => line(longest).check(z.minLength(1, 'must not be blank'));

/** Ids are positive integers as text, like the database's. */
export const id = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'must be an ID'));
export const day = z.string().check(
  z.regex(/^\d{4}-\d\d-\d\d$/, 'must be a date like 2026-01-31'),
  z.refine<string>((text) => {
    try {
      return Temporal.PlainDate.from(text).toString() === text;
    } catch {
      return false;
    }
  }, 'must be a date like 2026-01-31'),
);
/** Of the day, as a time field gives it. */
export const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 09:30'));
export const index = z.int().check(z.nonnegative('must not be negative'));
export const version = z.int().check(z.positive('must be 1 or more'));

const pageSize = z
  .int()
  .check(z.minimum(1, 'must be 1 or more'), z.maximum(limits.page, `must be ${limits.page} or less`));

/** A page of a list: `limit` rows after `offset`. New lists take `pageAfterInput`. */
export const pageInput = z.strictObject({ limit: z.optional(pageSize), offset: z.optional(index) });

/** A page of a list: `limit` rows after the last id of the previous page. */
export const pageAfterInput = z.strictObject({ limit: z.optional(pageSize), after: z.optional(id) });
export type PageAfter = z.output<typeof pageAfterInput>;

/** Also drops nulls in a list's items: a decision with `version: null` has no version. */
const withoutEmptyInside = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((item) =>
        typeof item === 'object' && item !== null && !Array.isArray(item) ? withoutEmpty(item) : item,
      )
    : value;

/** The parsed input, or the refusal for the first invalid field. Null values count as missing. */
export function readInput<Schema extends z.ZodMiniType>(schema: Schema, values: object): z.output<Schema> | Refusal {
  const result = parse(schema, values);
  return result.success ? result.data : refusalOf(result.error.issues[0]);
}

export type InputSchema = z.ZodMiniType;

/** Every refusal of an input, in the schema's order. A form shows each at its field. */
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

/** "a string", "an object" */
export const typeWords = (expected: string): string => `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`;

function reasonOf(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'is invalid';
  if (issue.code === 'unrecognized_keys') return 'isn’t a known field';
  if (issue.code === 'invalid_type') return `must be ${typeWords(issue.expected)}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  return issue.message;
}
