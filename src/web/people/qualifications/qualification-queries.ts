// What the page of role qualifications reads and changes. Every key starts with `['qualifications']`, because
// one change can affect every count.
import { queryOptions } from '@tanstack/react-query';
import { lackingStates, type QualificationFilter, type RequirementKind } from '#core/people/qualifications.ts';
import { graphql, type ResultOf, type VariablesOf } from '#web/api/graphql.ts';
import { listQuery } from '#web/api/list-query.ts';
import { orWithoutNewFields, request } from '#web/api/request.ts';

const roleFields = graphql(`
  fragment QualifiedRoleFields on QualifiedRole @_unmask {
    name
    people
    missing
    expired
    expiring
    met
    requirements {
      id
      kind
      title
      validMonths
      version
    }
  }
`);

const rolesDocument = graphql(
  `
    query QualifiedRoles {
      qualifiedRoles {
        ...QualifiedRoleFields
        excepted
      }
    }
  `,
  [roleFields],
);

const olderRolesDocument = graphql(
  `
    query OlderQualifiedRoles {
      qualifiedRoles {
        ...QualifiedRoleFields
      }
    }
  `,
  [roleFields],
);

const peopleFields = graphql(`
  fragment QualifiedPeopleFields on QualifiedPeople @_unmask {
    total
    next
    people {
      id
      displayName
      team
      role
      state
      standings {
        requirementId
        state
        goodUntil
      }
    }
  }
`);

const peopleDocument = graphql(
  `
    query QualifiedPeople(
      $role: String!, $everyone: Boolean, $personId: ID, $states: [QualificationState!], $excepted: Boolean,
      $search: String, $after: ID
    ) {
      qualifiedPeople(
        role: $role, everyone: $everyone, personId: $personId, states: $states, excepted: $excepted, search: $search,
        after: $after
      ) {
        ...QualifiedPeopleFields
        people { id exception { by at reason requirementIds } }
      }
    }
  `,
  [peopleFields],
);

const olderPeopleDocument = graphql(
  `
    query OlderQualifiedPeople(
      $role: String!, $everyone: Boolean, $personId: ID, $state: QualificationState, $search: String, $after: ID
    ) {
      qualifiedPeople(
        role: $role, everyone: $everyone, personId: $personId, state: $state, search: $search, after: $after
      ) {
        ...QualifiedPeopleFields
      }
    }
  `,
  [peopleFields],
);

const evidenceDocument = graphql(`
  query RoleEvidence($role: String!, $personId: ID!) {
    roleEvidence(role: $role, personId: $personId) {
      id
      requirementId
      note
      day
      goodUntil
      version
      recordedAt
      recordedBy
    }
  }
`);

export type QualifiedRole = ResultOf<typeof rolesDocument>['qualifiedRoles'][number];
export type Requirement = QualifiedRole['requirements'][number];
type PeoplePage = ResultOf<typeof peopleDocument>['qualifiedPeople'];
export type QualifiedPerson = PeoplePage['people'][number];
export type Exception = NonNullable<QualifiedPerson['exception']>;
export type Evidence = ResultOf<typeof evidenceDocument>['roleEvidence'][number];

async function readOlderRoles(signal: AbortSignal) {
  const { qualifiedRoles } = await request(olderRolesDocument, {}, { signal });
  return { qualifiedRoles: qualifiedRoles.map((role) => ({ ...role, excepted: 0 })) };
}

export const rolesQuery = queryOptions({
  queryKey: ['qualifications', 'roles'],
  queryFn: async ({ signal }) => {
    const read = orWithoutNewFields(request(rolesDocument, {}, { signal }), () => readOlderRoles(signal));
    return (await read).qualifiedRoles;
  },
});

export type PeopleChoice = {
  readonly role: string;
  readonly everyone: boolean;
  readonly state: QualificationFilter | null;
  readonly search: string;
};

/** “Not met” leaves out who has the role by an exception, because an admin has decided about them. */
const filterOf = (filter: QualificationFilter) =>
  filter === 'lacking' || filter === 'excepted'
    ? { states: [...lackingStates], excepted: filter === 'excepted' }
    : { states: [filter] };

type PeopleVariables = VariablesOf<typeof peopleDocument>;

async function readPeople(choice: PeopleVariables, signal: AbortSignal): Promise<PeoplePage> {
  const answer = request(peopleDocument, choice, { signal });
  // An older server, during an upgrade, finds the states one at a time.
  const isOfSeveral = (choice.states?.length ?? 0) > 1;
  const read = isOfSeveral ? answer : orWithoutNewFields(answer, () => readOlderPeople(choice, signal));
  return (await read).qualifiedPeople;
}

async function readOlderPeople({ states, ...choice }: PeopleVariables, signal: AbortSignal) {
  const { qualifiedPeople } = await request(olderPeopleDocument, { ...choice, state: states?.[0] }, { signal });
  const people = qualifiedPeople.people.map((person) => ({ ...person, exception: null }));
  return { qualifiedPeople: { ...qualifiedPeople, people } };
}

export const peopleQuery = ({ state, ...choice }: PeopleChoice) =>
  listQuery({
    queryKey: ['qualifications', 'people', state, choice],
    staleTime: 30_000,
    read: async (after, signal) => {
      const filter = state ? filterOf(state) : {};
      const { people, ...rest } = await readPeople({ ...choice, ...filter, after }, signal);
      return { ...rest, rows: people };
    },
  });

export const evidenceQuery = (role: string, personId: string) =>
  queryOptions({
    queryKey: ['qualifications', 'evidence', role, personId],
    queryFn: ({ signal }) => request(evidenceDocument, { role, personId }, { signal }),
    select: ({ roleEvidence }) => roleEvidence,
  });

export const personQuery = (role: string, personId: string) =>
  queryOptions({
    queryKey: ['qualifications', 'person', role, personId],
    queryFn: ({ signal }) => readPeople({ role, personId, everyone: true }, signal),
    select: ({ people }) => people[0] ?? null,
  });

/** What every change touches. */
export const qualificationKeys = [['qualifications']];

const addDocument = graphql(`
  mutation AddRequirement($role: String!, $kind: RequirementKind!, $title: String!, $validMonths: Int) {
    addRequirement(role: $role, kind: $kind, title: $title, validMonths: $validMonths) {
      id
      version
    }
  }
`);
const updateDocument = graphql(`
  mutation UpdateRequirement($id: ID!, $version: Int!, $kind: RequirementKind!, $title: String!, $validMonths: Int) {
    updateRequirement(id: $id, version: $version, kind: $kind, title: $title, validMonths: $validMonths) {
      id
      version
    }
  }
`);
const withdrawDocument = graphql(`
  mutation WithdrawRequirement($id: ID!) {
    withdrawRequirement(id: $id) {
      id
    }
  }
`);
const restoreDocument = graphql(`
  mutation RestoreRequirement($id: ID!) {
    restoreRequirement(id: $id) {
      id
    }
  }
`);

export type RequirementContent = {
  readonly kind: RequirementKind;
  readonly title: string;
  readonly validMonths?: number | undefined;
};

export async function addRequirement(role: string, content: RequirementContent) {
  return (await request(addDocument, { role, ...content })).addRequirement;
}

export async function updateRequirement(id: string, version: number, content: RequirementContent) {
  return (await request(updateDocument, { id, version, ...content })).updateRequirement;
}

export async function setRequirementWithdrawn(id: string, withdrawn: boolean): Promise<void> {
  await (withdrawn ? request(withdrawDocument, { id }) : request(restoreDocument, { id }));
}

const recordDocument = graphql(`
  mutation RecordEvidence($requirementId: ID!, $personId: ID!, $note: String, $day: String!, $goodUntil: String) {
    recordEvidence(requirementId: $requirementId, personId: $personId, note: $note, day: $day, goodUntil: $goodUntil) {
      id
      version
    }
  }
`);
const recordForPeopleDocument = graphql(`
  mutation RecordEvidenceForPeople(
    $requirementId: ID!, $personIds: [ID!]!, $note: String, $day: String!, $goodUntil: String
  ) {
    recordEvidenceForPeople(
      requirementId: $requirementId, personIds: $personIds, note: $note, day: $day, goodUntil: $goodUntil
    ) {
      id
    }
  }
`);
const withdrawOfPeopleDocument = graphql(`
  mutation WithdrawEvidenceOfPeople($ids: [ID!]!) {
    withdrawEvidenceOfPeople(ids: $ids) {
      id
    }
  }
`);
const updateEvidenceDocument = graphql(`
  mutation UpdateEvidence($id: ID!, $version: Int!, $note: String, $day: String!, $goodUntil: String) {
    updateEvidence(id: $id, version: $version, note: $note, day: $day, goodUntil: $goodUntil) {
      id
      version
    }
  }
`);
const withdrawEvidenceDocument = graphql(`
  mutation WithdrawEvidence($id: ID!) {
    withdrawEvidence(id: $id) {
      id
    }
  }
`);
const restoreEvidenceDocument = graphql(`
  mutation RestoreEvidence($id: ID!) {
    restoreEvidence(id: $id) {
      id
    }
  }
`);

export type EvidenceContent = {
  readonly note: string;
  readonly day: string;
  readonly goodUntil?: string | undefined;
};

export async function recordEvidence(requirementId: string, personId: string, content: EvidenceContent) {
  return (await request(recordDocument, { requirementId, personId, ...content })).recordEvidence;
}

/** Returns the ids of the evidence, which `withdrawEvidenceOfPeople` takes. */
export async function recordEvidenceForPeople(
  requirementId: string,
  personIds: readonly string[],
  content: EvidenceContent,
): Promise<string[]> {
  const variables = { requirementId, personIds: [...personIds], ...content };
  return (await request(recordForPeopleDocument, variables)).recordEvidenceForPeople.map(({ id }) => id);
}

export async function withdrawEvidenceOfPeople(ids: readonly string[]): Promise<void> {
  await request(withdrawOfPeopleDocument, { ids: [...ids] });
}

export async function updateEvidence(id: string, version: number, content: EvidenceContent) {
  return (await request(updateEvidenceDocument, { id, version, ...content })).updateEvidence;
}

export async function setEvidenceWithdrawn(id: string, withdrawn: boolean): Promise<void> {
  await (withdrawn ? request(withdrawEvidenceDocument, { id }) : request(restoreEvidenceDocument, { id }));
}
