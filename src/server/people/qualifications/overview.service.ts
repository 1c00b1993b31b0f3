// Who has what the roles ask for: every role with its counts, and the people of one role with each of its requirements.
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
import { todayOf } from './assignment.service.ts';
import { ofRole, readDemands, readEvidenceFor } from './demands.store.ts';
import * as store from './qualifications.store.ts';

export type QualifiedRole = store.RoleRow & { readonly people: number } & Readonly<Record<QualificationState, number>>;

const pageOf = 50;

const standingsOf = (requirements: readonly Requirement[], evidence: readonly Evidence[], today: Temporal.PlainDate) =>
  requirements.map((requirement) => ({ requirementId: requirement.id, ...standingOf(requirement, evidence, today) }));

/** Every role, what it asks for, and how many of its people stand where. */
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
export type QualifiedPeople = { readonly total: number; readonly people: readonly QualifiedPerson[] };

export type PeopleQuery = {
  readonly role: string;
  /** Whoever could take the role on, and not only those who have it. */
  readonly everyone?: boolean | undefined;
  readonly personId?: string | undefined;
  readonly state?: QualificationState | undefined;
  readonly search?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
};

/** A page of the people of a role, or of everybody, with where each stands. `total` counts all that match. */
export async function qualifiedPeople(
  context: RequestContext,
  { role, everyone = false, personId, state, search = '', limit = pageOf, offset = 0 }: PeopleQuery,
): Promise<QualifiedPeople> {
  const { database, config } = context;
  return database.transaction(
    async (queries) => {
      const requirements = await readDemands(queries, role);
      const condition = sql`${everyone ? sql`true` : store.isInRole(role)} and ${store.isCalled(search)}
        and ${personId === undefined ? sql`true` : store.isPerson(personId)}`;
      const rows = await store.readPeople(queries, condition);
      const all = await readEvidenceFor(queries, {
        condition: ofRole(role),
        personIds: everyone && personId === undefined ? null : rows.map(({ id }) => id),
        zone: config.companyTimeZone,
      });
      const evidence = Map.groupBy(all, ({ personId }) => personId);
      const today = todayOf(context);
      const people = rows.map((row): QualifiedPerson => {
        const standings = standingsOf(requirements, evidence.get(row.id) ?? [], today);
        const { id, team, role: own } = row;
        return { id, displayName: displayName(row), team, role: own, state: overallState(standings), standings };
      });
      const found = state === undefined ? people : people.filter((person) => person.state === state);
      return { total: found.length, people: found.slice(offset, offset + limit) };
    },
    { snapshot: true },
  );
}
