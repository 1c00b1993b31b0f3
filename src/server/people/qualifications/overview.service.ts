// Who meets the roles' requirements: every role with its counts, and one role's people with each requirement.
import { sql } from 'drizzle-orm';
import { displayName } from '#core/people/people.ts';
import {
  type Evidence,
  overallState,
  type QualificationState,
  qualificationStates,
  type Requirement,
  type Standing,
  standingOf,
} from '#core/people/qualifications.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { pageOf } from '#server/platform/db/pages.ts';
import { todayOf } from './assignment.service.ts';
import { readDemands, readEvidenceFor, requirementsOfRole } from './demands.store.ts';
import * as store from './qualifications.store.ts';

export type QualifiedRole = store.RoleRow & { readonly people: number } & Readonly<Record<QualificationState, number>>;

const pageSize = 50;

const standingsOf = (requirements: readonly Requirement[], evidence: readonly Evidence[], today: Temporal.PlainDate) =>
  requirements.map((requirement) => ({ requirementId: requirement.id, ...standingOf(requirement, evidence, today) }));

/** Every role, its requirements, and how many of its people meet them. */
export async function qualifiedRoles(context: RequestContext): Promise<QualifiedRole[]> {
  const { database, config } = context;
  return database.transaction(
    async (queries) => {
      const roles = await store.readRoles(queries);
      const people = Map.groupBy(await store.readPeople(queries, sql`p.role is not null`), ({ role }) => role);
      const all = await readEvidenceFor(queries, {
        condition: sql`true`,
        personIds: null,
        zone: config.companyTimeZone,
      });
      const evidence = Map.groupBy(all, ({ personId }) => personId);
      const today = todayOf(context);
      return roles.map((role) => {
        const ofThisRole = people.get(role.name) ?? [];
        const states = ofThisRole.map(({ id }) =>
          overallState(standingsOf(role.requirements, evidence.get(id) ?? [], today)),
        );
        const counts = Object.fromEntries(
          qualificationStates.map((state) => [state, states.filter((other) => other === state).length]),
        ) as Record<QualificationState, number>;
        return { ...role, people: ofThisRole.length, ...counts };
      });
    },
    { snapshot: true },
  );
}

export type QualifiedPerson = {
  readonly id: string;
  readonly displayName: string;
  readonly team: string | null;
  readonly role: string | null;
  readonly state: QualificationState;
  readonly standings: readonly (Standing & { readonly requirementId: string })[];
};
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
  readonly state?: QualificationState | undefined;
  readonly search?: string | undefined;
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
};

/** A page of the people of a role, or of everyone, with their state. `total` counts all matches. */
export async function qualifiedPeople(
  context: RequestContext,
  { role, everyone = false, personId, state, search = '', limit = pageSize, after }: PeopleQuery,
): Promise<QualifiedPeople> {
  const { database, config } = context;
  return database.transaction(
    async (queries) => {
      const requirements = await readDemands(queries, role);
      const condition = sql`${everyone ? sql`true` : store.isInRole(role)} and ${store.isCalled(search)}
        and ${personId === undefined ? sql`true` : store.isPerson(personId)}`;
      const rows = await store.readPeople(queries, condition, after);
      const all = await readEvidenceFor(queries, {
        condition: requirementsOfRole(role),
        personIds: everyone && personId === undefined ? null : rows.map(({ id }) => id),
        zone: config.companyTimeZone,
      });
      const evidence = Map.groupBy(all, ({ personId }) => personId);
      const today = todayOf(context);
      const people = rows.map((row): QualifiedPerson & { readonly isAfter: boolean } => {
        const standings = standingsOf(requirements, evidence.get(row.id) ?? [], today);
        const { id, team, role: own, isAfter } = row;
        return {
          id,
          displayName: displayName(row),
          team,
          role: own,
          state: overallState(standings),
          standings,
          isAfter,
        };
      });
      const found = state === undefined ? people : people.filter((person) => person.state === state);
      const { rows: page, next } = pageOf(
        found.filter(({ isAfter }) => isAfter),
        limit,
      );
      return { total: found.length, people: page, next };
    },
    { snapshot: true },
  );
}
