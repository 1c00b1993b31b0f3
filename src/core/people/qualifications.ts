// Decides whether a person meets a role's requirements: each one's state, what is missing, and whether
// assigning needs a reason. Used by the page of role qualifications and when assigning roles.
import * as z from 'zod/mini';
import { listWords, plural } from '../base/formats.ts';
import { filledLine, id, pageAfterInput, storable } from '../base/inputs.ts';
import { type Refusal, refuse } from '../base/refusals.ts';

export const requirementKinds = {
  guideline: { title: 'Guideline read', meaning: 'Met by confirming the current guidelines' },
  training: { title: 'Training', meaning: 'A course or training completed' },
  years: { title: 'Experience', meaning: 'Years of experience' },
  recommendation: { title: 'Recommendation', meaning: 'A recommendation from someone' },
} as const;
export type RequirementKind = keyof typeof requirementKinds;
export const requirementKindKeys = Object.keys(requirementKinds) as RequirementKind[];

/** A role's requirement. */
export type Requirement = {
  readonly id: string;
  readonly kind: RequirementKind;
  readonly title: string;
  /** How long evidence is valid; null forever. */
  readonly validMonths: number | null;
};

/** Evidence that a person meets a requirement. Days are ISO dates in the company's calendar. */
export type Evidence = {
  readonly requirementId: string;
  readonly day: string;
  /** The last valid day, if the requirement doesn't decide it. */
  readonly goodUntil: string | null;
};

export const qualificationStates = ['missing', 'expired', 'expiring', 'met'] as const;
export type QualificationState = (typeof qualificationStates)[number];

/** Evidence that ends within this many days should be renewed. */
export const expiringDays = 30;

/**
 * The evidence's last valid day, or null if it doesn't expire. A recorded day overrides the requirement's
 * term.
 */
export function lastGoodDay({ validMonths }: Pick<Requirement, 'validMonths'>, evidence: Evidence): string | null {
  if (evidence.goodUntil !== null) return evidence.goodUntil;
  if (validMonths === null) return null;
  return Temporal.PlainDate.from(evidence.day).add({ months: validMonths }).toString();
}

export type Standing = {
  readonly state: QualificationState;
  /** From the longest-lasting evidence; null if it doesn't expire, or there is none. */
  readonly goodUntil: string | null;
};

/** A person's state for one requirement, by the longest-lasting evidence. */
export function standingOf(
  requirement: Requirement,
  evidence: readonly Evidence[],
  today: Temporal.PlainDate,
): Standing {
  const ends = evidence
    .filter(({ requirementId, day }) => requirementId === requirement.id && day <= today.toString())
    .map((one) => lastGoodDay(requirement, one));
  if (ends.length === 0) return { state: 'missing', goodUntil: null };
  if (ends.includes(null)) return { state: 'met', goodUntil: null };
  const goodUntil = (ends as string[]).sort().at(-1) as string;
  return { state: stateUntil(Temporal.PlainDate.from(goodUntil), today), goodUntil };
}

function stateUntil(lastDay: Temporal.PlainDate, today: Temporal.PlainDate): QualificationState {
  const { days } = today.until(lastDay, { largestUnit: 'days' });
  if (days < 0) return 'expired';
  return days <= expiringDays ? 'expiring' : 'met';
}

/** The worst state of the role's requirements; a role without any has none. */
export function overallState(standings: readonly Standing[]): QualificationState {
  return qualificationStates.find((state) => standings.some((standing) => standing.state === state)) ?? 'met';
}

/** Evidence that is about to expire still counts. */
export const lackingStates: readonly QualificationState[] = ['missing', 'expired'];
export const isLacking = ({ state }: Pick<Standing, 'state'>): boolean => lackingStates.includes(state);

/** How a list of people is narrowed down. `lacking`: missing or expired; `excepted`: that by an exception. */
export type QualificationFilter = QualificationState | 'lacking' | 'excepted';

type StandingOf = Pick<Standing, 'state'> & { readonly requirementId: string };

/** That someone got their role without these requirements, for a reason. */
export type RoleException = { readonly requirementIds: readonly string[] };

/** The exception for what the person lacks now: evidence may have come since. */
export function openException<Exception extends RoleException>(
  standings: readonly StandingOf[],
  exception: Exception,
): Exception | null {
  const lacking = standings.filter(isLacking).map(({ requirementId }) => requirementId);
  const requirementIds = exception.requirementIds.filter((id) => lacking.includes(id));
  return requirementIds.length === 0 ? null : { ...exception, requirementIds };
}

/** Whether the exception names everything that the person lacks: the rest lapsed, or is required since. */
export function isExcepted(standings: readonly StandingOf[], exception: RoleException | null): boolean {
  const lacking = standings.filter(isLacking);
  return lacking.length > 0 && lacking.every(({ requirementId }) => exception?.requirementIds.includes(requirementId));
}

export type RoleDemands = { readonly name: string; readonly requirements: readonly Requirement[] };
export type Candidate = { readonly evidence: readonly Evidence[] };

/** The role's requirements that this person doesn't meet, or no longer. */
export function missingFor(role: RoleDemands, person: Candidate, today: Temporal.PlainDate): Requirement[] {
  return role.requirements.filter((requirement) => isLacking(standingOf(requirement, person.evidence, today)));
}

export type Assignment = { readonly missing: readonly Requirement[]; readonly reason: string | null };

/** Assigning a role to someone who doesn't meet it needs a reason, which goes into the audit log. */
export function planAssignment(
  role: RoleDemands,
  person: Candidate,
  reason: string | null | undefined,
  today: Temporal.PlainDate,
): Assignment | Refusal {
  const missing = missingFor(role, person, today);
  if (missing.length === 0) return { missing, reason: null };
  const given = reason?.trim() ?? '';
  return given === ''
    ? refuse('REASON_NEEDED', reasonNeeded(role.name, missing), { field: 'reason' })
    : { missing, reason: given };
}

function reasonNeeded(role: string, missing: readonly Requirement[]): string {
  const titles = missing.map(({ title }) => `“${title}”`).join(', ');
  return `The role ${role} requires ${titles}, which this person doesn’t have. Enter a reason to give the role anyway`;
}

export const qualificationLimits = {
  title: 120,
  note: 2_000,
  months: 600,
  /** One role's. */
  requirements: 100,
  /** One person's, for one requirement. */
  evidence: 100,
  /** People whose evidence one call records or withdraws. */
  people: 100,
} as const;

const version = z.int().check(z.positive('must be 1 or more'));
const role = z
  .string()
  .check(z.minLength(1, 'must not be blank'), z.maxLength(200, 'is longer than 200 characters'), storable);
const title = filledLine(qualificationLimits.title);
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

/** An existing calendar day from 1900 on. */
const day = z
  .string()
  .check(
    z.refine<string>(
      (text) => /^(19|20|21)\d{2}-\d{2}-\d{2}$/.test(text) && isDay(text),
      'must be a date like 2026-11-18',
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
const severalIds = z.pipe(
  z
    .array(id)
    .check(
      z.minLength(1, 'must not be blank'),
      z.maxLength(qualificationLimits.people, `has more than ${qualificationLimits.people} people`),
    ),
  z.transform((ids: string[]) => [...new Set(ids)]),
);
export const recordEvidenceForPeopleInput = z.strictObject({ requirementId: id, personIds: severalIds, ...evidence });
export const withdrawEvidenceOfPeopleInput = z.strictObject({ ids: severalIds });
export const updateEvidenceInput = z.strictObject({ id, version, ...evidence });

export const qualifiedPeopleInput = z.strictObject({
  role,
  everyone: z.optional(z.boolean()),
  personId: z.optional(id),
  state: z.optional(z.enum(qualificationStates)),
  states: z.optional(z.array(z.enum(qualificationStates))),
  excepted: z.optional(z.boolean()),
  search: z.optional(z.string().check(z.maxLength(200, 'is longer than 200 characters'), storable)),
  ...pageAfterInput.shape,
});
export const evidenceOfPersonInput = z.strictObject({ role, personId: id });

/** Refuses evidence from the future, and evidence that ends before it starts. */
export function evidenceRefusal(
  evidence: { readonly day: string; readonly goodUntil?: string | undefined },
  today: Temporal.PlainDate,
): Refusal | null {
  if (evidence.day > today.toString())
    return refuse('BAD_INPUT', 'The day can’t be in the future. Choose today or earlier', { field: 'day' });
  if (evidence.goodUntil !== undefined && evidence.goodUntil < evidence.day)
    return refuse('BAD_INPUT', 'Evidence can’t expire before the day it was completed. Choose that day or later', {
      field: 'goodUntil',
    });
  return null;
}

/** Someone to record evidence for. `records`: theirs for this requirement. */
export type EvidencePerson = {
  readonly displayName: string;
  readonly disabled: boolean;
  readonly records: number;
};

const mostRefused = 5;

function refusedNames(people: readonly EvidencePerson[]): string {
  const names = people.slice(0, mostRefused).map(({ displayName }) => displayName);
  const rest = people.length - names.length;
  return listWords(rest > 0 ? [...names, plural(rest, 'other')] : names);
}

/** Evidence is recorded for all of these people or for nobody: names the ones who stand in the way. */
export function evidencePeopleRefusal(people: readonly EvidencePerson[], field: string): Refusal | null {
  const disabled = people.filter((person) => person.disabled);
  if (disabled.length > 0) {
    const are = disabled.length === 1 ? 'has a disabled account' : 'have disabled accounts';
    return refuse('BAD_INPUT', `${refusedNames(disabled)} ${are}. Nothing was recorded`, { field });
  }
  const full = people.filter(({ records }) => records >= qualificationLimits.evidence);
  if (full.length === 0) return null;
  const already = `${refusedNames(full)} already ${full.length === 1 ? 'has' : 'have'} ${qualificationLimits.evidence}`;
  return refuse(
    'BAD_INPUT',
    `${already} pieces of evidence for this requirement. Nothing was recorded. Edit or withdraw one`,
    {
      field,
    },
  );
}
