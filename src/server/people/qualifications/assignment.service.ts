// Whether a person can be given a role now, checked in the transaction that sets it.
import { type Assignment, missingFor, planAssignment, type Requirement } from '#core/people/qualifications.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { readDemands, readEvidenceFor, requirementsOfRole } from './demands.store.ts';

type Asking = Pick<RequestContext, 'clock'> & { readonly config: Pick<RequestContext['config'], 'companyTimeZone'> };

/** The day on the company's calendar. */
export function todayOf({ clock, config }: Asking): Temporal.PlainDate {
  return clock.now().toZonedDateTimeISO(config.companyTimeZone).toPlainDate();
}

/**
 * The requirements each person lacks for the role; people who lack none are left out. For previews of several
 * assignments.
 */
export async function missingOfPeople(
  queries: Queries,
  context: Asking,
  { role, personIds }: { readonly role: string; readonly personIds: readonly string[] },
): Promise<Map<string, Requirement[]>> {
  const requirements = await readDemands(queries, role);
  if (requirements.length === 0 || personIds.length === 0) return new Map();
  const zone = context.config.companyTimeZone;
  const all = await readEvidenceFor(queries, { condition: requirementsOfRole(role), personIds, zone });
  const evidence = Map.groupBy(all, ({ personId }) => personId);
  const today = todayOf(context);
  const missing = personIds.map((id): [string, Requirement[]] => [
    id,
    missingFor({ name: role, requirements }, { evidence: evidence.get(id) ?? [] }, today),
  ]);
  return new Map(missing.filter(([, lacking]) => lacking.length > 0));
}

/**
 * Throws REASON_NEEDED (field `reason`) when the person lacks requirements and no reason is given. The result
 * belongs in the assignment's audit entry, as `after: { role, ...assignmentAudit(assignment) }`. No role has
 * no requirements.
 */
export async function assertQualified(
  queries: Queries,
  context: Asking,
  {
    personId,
    role,
    reason,
  }: { readonly personId: string; readonly role: string | null; readonly reason?: string | null | undefined },
): Promise<Assignment> {
  if (role === null) return { missing: [], reason: null };
  const demands = { name: role, requirements: await readDemands(queries, role) };
  if (demands.requirements.length === 0) return { missing: [], reason: null };
  const evidence = await readEvidenceFor(queries, {
    condition: requirementsOfRole(role),
    personIds: [personId],
    zone: context.config.companyTimeZone,
  });
  return orThrow(planAssignment(demands, { evidence }, reason, todayOf(context)));
}

/**
 * The part of an audit entry that says why someone got a role without its requirements. Empty if they meet
 * all.
 */
export function assignmentAudit({ missing, reason }: Assignment): Record<string, unknown> {
  return missing.length === 0 ? {} : { lacking: missing.map(({ title }) => title), reason };
}
