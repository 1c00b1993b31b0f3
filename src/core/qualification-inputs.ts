// Decides the shape of requirements and evidence as they come in.
// Asked by the server's queries and mutations and by the page's forms.
import * as z from 'zod/mini';
import { storable } from './inputs.ts';
import { limits } from './limits.ts';
import { qualificationStates, requirementKindKeys } from './qualifications.ts';
import { type Refusal, refuse } from './refusals.ts';

export const qualificationLimits = {
  title: 120,
  note: 2_000,
  months: 600,
  /** Of one role. */
  requirements: 100,
  /** Of one person for one requirement. */
  evidence: 100,
} as const;

const id = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'is not an id'));
const version = z.int().check(z.positive('must be 1 or more'));
const role = z
  .string()
  .check(z.minLength(1, 'must not be blank'), z.maxLength(200, 'is longer than 200 characters'), storable);
const title = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'must not be blank'),
    z.maxLength(qualificationLimits.title, `is longer than ${qualificationLimits.title} characters`),
    storable,
  );
const note = z
  .string()
  .check(
    z.trim(),
    z.maxLength(qualificationLimits.note, `is longer than ${qualificationLimits.note} characters`),
    storable,
  );
const validMonths = z
  .int()
  .check(
    z.positive('must be 1 or more'),
    z.maximum(qualificationLimits.months, `must be ${qualificationLimits.months} or less`),
  );

/** A day of the calendar that there is, from 1900 on. */
const day = z
  .string()
  .check(
    z.refine<string>(
      (text) => /^(19|20|21)\d{2}-\d{2}-\d{2}$/.test(text) && isDay(text),
      'is not a day like 2026-11-18',
    ),
  );

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text;
  } catch {
    return false;
  }
}

export const idInput = z.strictObject({ id });
const requirement = { kind: z.enum(requirementKindKeys), title, validMonths: z.optional(validMonths) };
export const addRequirementInput = z.strictObject({ role, ...requirement });
export const updateRequirementInput = z.strictObject({ id, version, ...requirement });
const evidence = { note: z.optional(note), day, goodUntil: z.optional(day) };
export const recordEvidenceInput = z.strictObject({ requirementId: id, personId: id, ...evidence });
export const updateEvidenceInput = z.strictObject({ id, version, ...evidence });

export const qualifiedPeopleInput = z.strictObject({
  role,
  everyone: z.optional(z.boolean()),
  personId: z.optional(id),
  state: z.optional(z.enum(qualificationStates)),
  search: z.optional(z.string().check(z.maxLength(200, 'is longer than 200 characters'), storable)),
  limit: z.optional(
    z.int().check(z.minimum(1, 'must be 1 or more'), z.maximum(limits.page, `must be ${limits.page} or less`)),
  ),
  offset: z.optional(z.int().check(z.nonnegative('must not be negative'))),
});
export const evidenceOfPersonInput = z.strictObject({ role, personId: id });

/** Evidence of a day that is still to come shows nothing yet, and what ends before it begins never held. */
export function evidenceRefusal(
  evidence: { readonly day: string; readonly goodUntil?: string | undefined },
  today: Temporal.PlainDate,
): Refusal | null {
  if (evidence.day > today.toString()) return refuse('BAD_INPUT', 'day must not lie in the future', { field: 'day' });
  if (evidence.goodUntil !== undefined && evidence.goodUntil < evidence.day)
    return refuse('BAD_INPUT', 'goodUntil must not lie before the day', { field: 'goodUntil' });
  return null;
}
