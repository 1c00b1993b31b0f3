// Who meets the roles' requirements: every role with its counts, and one role's people with each requirement.
import { sql } from 'drizzle-orm';
import { nobody } from '#core/access/viewing.ts';
import { displayName } from '#core/people/people.ts';
import {
  type Evidence,
  isLacking,
  openException,
  overallState,
  type QualificationState,
  qualificationStates,
  type Requirement,
  type Standing,
  standingOf,
} from '#core/people/qualifications.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { pageOf } from '#server/platform/db/pages.ts';
import { todayOf } from './assignment.service.ts';
import {
  countStates,
  type Day,
  type EvidenceOfPerson,
  idsInStates,
  type RoleCount,
  readDemands,
  readEvidenceFor,
  requirementsOfRole,
} from './demands.store.ts';
import { type ExceptionRow, readExceptions } from './exceptions.store.ts';
import * as store from './qualifications.store.ts';

export type QualifiedRole = store.RoleRow & {
  readonly people: number;
  /** Of the people who lack something, those by an exception. */
  readonly excepted: number;
} & Readonly<Record<QualificationState, number>>;

const sumOf = (counts: readonly RoleCount[]): number => counts.reduce((sum, { count }) => sum + count, 0);

const pageSize = 50;

const standingsOf = (requirements: readonly Requirement[], evidence: readonly Evidence[], today: Temporal.PlainDate) =>
  requirements.map((requirement) => ({ requirementId: requirement.id, ...standingOf(requirement, evidence, today) }));

const dayOf = (context: RequestContext): Day => ({
  today: todayOf(context).toString(),
  zone: context.config.companyTimeZone,
});

/** Every role, its requirements, and how many of its people meet them. */
export async function qualifiedRoles(context: RequestContext): Promise<QualifiedRole[]> {
  return context.database.transaction(
    async (queries) => {
      const roles = await store.readRoles(queries);
      const counted = Map.groupBy(await countStates(queries, dayOf(context)), ({ role }) => role);
      return roles.map((role) => {
        const counts = counted.get(role.name) ?? [];
        const inState = Object.fromEntries(
          qualificationStates.map((state) => [state, sumOf(counts.filter((one) => one.state === state))]),
        ) as Record<QualificationState, number>;
        return {
          ...role,
          people: sumOf(counts),
          excepted: sumOf(counts.filter(({ excepted }) => excepted)),
          ...inState,
        };
      });
    },
    { snapshot: true },
  );
}

export type QualificationCounts = {
  readonly lacking: number;
  readonly excepted: number;
  readonly expiring: number;
};

/** How many people don't meet their role's requirements, also by an exception, or must renew one soon. */
export async function qualificationCounts(context: RequestContext): Promise<QualificationCounts> {
  const counts = await countStates(context.database.drizzle, dayOf(context));
  return {
    lacking: sumOf(counts.filter((one) => isLacking(one) && !one.excepted)),
    excepted: sumOf(counts.filter(({ excepted }) => excepted)),
    expiring: sumOf(counts.filter(({ state }) => state === 'expiring')),
  };
}

export type OwnRequirement = Requirement & Standing;

/** What the caller's role requires, and their state in it. */
export async function myRequirements(context: RequestContext): Promise<OwnRequirement[]> {
  const {
    database: { drizzle },
    viewer: { id, role },
  } = context;
  // Viewing as a role, nobody has it.
  if (role === null || id === nobody) return [];
  const requirements = await readDemands(drizzle, role);
  if (requirements.length === 0) return [];
  const zone = context.config.companyTimeZone;
  const evidence = await readEvidenceFor(drizzle, { condition: requirementsOfRole(role), personIds: [id], zone });
  const today = todayOf(context);
  return requirements.map((requirement) => ({ ...requirement, ...standingOf(requirement, evidence, today) }));
}

export type QualifiedPerson = {
  readonly id: string;
  readonly displayName: string;
  readonly team: string | null;
  readonly role: string | null;
  readonly state: QualificationState;
  readonly standings: readonly (Standing & { readonly requirementId: string })[];
  /** Why they got the role despite what they lack. */
  readonly exception: RoleGiven | null;
};
export type RoleGiven = Pick<ExceptionRow, 'by' | 'at' | 'reason' | 'requirementIds'>;
export type QualifiedPeople = {
  readonly total: number;
  readonly people: readonly QualifiedPerson[];
  readonly next: string | null;
};

export type PeopleQuery = {
  readonly role: string;
  /** Includes everyone who could take the role, not only its current people. */
  readonly everyone?: boolean | undefined;
  readonly personId?: string | undefined;
  /** Sent by pages of 0.1.0, which don't know `states`. */
  readonly state?: QualificationState | undefined;
  readonly states?: readonly QualificationState[] | undefined;
  /** With `states`: only who has the role by an exception, or only others. */
  readonly excepted?: boolean | undefined;
  readonly search?: string | undefined;
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
};

type Standings = { readonly requirements: readonly Requirement[]; readonly evidence: readonly EvidenceOfPerson[] };

function qualifiedPerson(row: store.PersonRow, { requirements, evidence }: Standings, today: Temporal.PlainDate) {
  const { id, team, role } = row;
  const standings = standingsOf(requirements, evidence, today);
  return { id, displayName: displayName(row), team, role, state: overallState(standings), standings, exception: null };
}

/** Adds why people got the role despite what they lack. Most lack nothing, so their log isn't read. */
async function withExceptions(
  queries: Queries,
  role: string,
  people: readonly QualifiedPerson[],
  zone: string,
): Promise<QualifiedPerson[]> {
  const lacking = people.filter((person) => person.role === role && isLacking(person)).map(({ id }) => id);
  if (lacking.length === 0) return [...people];
  const rows = await readExceptions(queries, lacking, { condition: requirementsOfRole(role), zone });
  const exceptions = new Map(rows.map(({ personId, ...exception }) => [personId, exception]));
  return people.map((person) => {
    const exception = exceptions.get(person.id);
    return exception ? { ...person, exception: openException(person.standings, exception) } : person;
  });
}

/** A page of the people of a role, or of everyone, with their state. `total` counts all matches. */
export async function qualifiedPeople(
  context: RequestContext,
  {
    role,
    everyone = false,
    personId,
    state,
    states = state && [state],
    excepted,
    search = '',
    limit = pageSize,
    after,
  }: PeopleQuery,
): Promise<QualifiedPeople> {
  const day = dayOf(context);
  return context.database.transaction(
    async (queries) => {
      const requirements = await readDemands(queries, role);
      const condition = sql`${everyone ? sql`true` : store.isInRole(role)} and ${store.isCalled(search)}
        and ${personId === undefined ? sql`true` : store.isPerson(personId)}
        and ${states === undefined ? sql`true` : sql`p.id in ${idsInStates(role, { states, excepted }, day)}`}`;
      const { rows, next } = pageOf(await store.readPeople(queries, condition, { after, limit: limit + 1 }), limit);
      const evidence = Map.groupBy(
        await readEvidenceFor(queries, {
          condition: requirementsOfRole(role),
          personIds: rows.map(({ id }) => id),
          zone: day.zone,
        }),
        (one) => one.personId,
      );
      const today = todayOf(context);
      const people = rows.map((row) =>
        qualifiedPerson(row, { requirements, evidence: evidence.get(row.id) ?? [] }, today),
      );
      const total = await store.countPeople(queries, condition);
      return { total, people: await withExceptions(queries, role, people, day.zone), next };
    },
    { snapshot: true },
  );
}
