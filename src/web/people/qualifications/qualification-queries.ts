// What the page of role qualifications reads and changes. Every key begins with `['qualifications']`: one change may move every count.
import { queryOptions } from '@tanstack/react-query';
import type { QualificationState, RequirementKind } from '#core/people/qualifications.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { queryClient } from '#web/api/query-client.ts';
import { request } from '#web/api/request.ts';
import { showError } from '#web/ui/toasts.tsx';

const rolesDocument = graphql(`
  query QualifiedRoles {
    qualifiedRoles {
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
  }
`);

const peopleDocument = graphql(`
  query QualifiedPeople($role: String!, $everyone: Boolean, $state: QualificationState, $search: String, $limit: Int, $offset: Int) {
    qualifiedPeople(role: $role, everyone: $everyone, state: $state, search: $search, limit: $limit, offset: $offset) {
      total
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
  }
`);

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
export type QualifiedPerson = ResultOf<typeof peopleDocument>['qualifiedPeople']['people'][number];
export type Evidence = ResultOf<typeof evidenceDocument>['roleEvidence'][number];

export const rolesQuery = queryOptions({
  queryKey: ['qualifications', 'roles'],
  queryFn: ({ signal }) => request(rolesDocument, {}, { signal }),
  select: ({ qualifiedRoles }) => qualifiedRoles,
});

export const pageSize = 50;

export type PeopleChoice = {
  readonly role: string;
  readonly everyone: boolean;
  readonly state: QualificationState | null;
  readonly search: string;
  readonly page: number;
};

export const peopleQuery = ({ page, ...choice }: PeopleChoice) =>
  queryOptions({
    queryKey: ['qualifications', 'people', { ...choice, page }],
    queryFn: ({ signal }) =>
      request(peopleDocument, { ...choice, limit: pageSize, offset: page * pageSize }, { signal }),
    select: ({ qualifiedPeople }) => qualifiedPeople,
    placeholderData: (before) => before,
  });

export const evidenceQuery = (role: string, personId: string) =>
  queryOptions({
    queryKey: ['qualifications', 'evidence', role, personId],
    queryFn: ({ signal }) => request(evidenceDocument, { role, personId }, { signal }),
    select: ({ roleEvidence }) => roleEvidence,
  });

const personDocument = graphql(`
  query QualifiedPerson($role: String!, $personId: ID!) {
    qualifiedPeople(role: $role, everyone: true, personId: $personId) {
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
  }
`);

export const personQuery = (role: string, personId: string) =>
  queryOptions({
    queryKey: ['qualifications', 'person', role, personId],
    queryFn: ({ signal }) => request(personDocument, { role, personId }, { signal }),
    select: ({ qualifiedPeople }) => qualifiedPeople.people[0] ?? null,
  });

/** For the Undo of a toast: what cannot be taken back says so. */
export function undo(taking: () => Promise<unknown>): () => void {
  return () => void taking().catch((error: Error) => showError(error.message));
}

const readAgain = () => queryClient.invalidateQueries({ queryKey: ['qualifications'] });

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
  const { addRequirement: added } = await request(addDocument, { role, ...content });
  await readAgain();
  return added;
}

export async function updateRequirement(id: string, version: number, content: RequirementContent) {
  const { updateRequirement: updated } = await request(updateDocument, { id, version, ...content });
  await readAgain();
  return updated;
}

export async function setRequirementWithdrawn(id: string, withdrawn: boolean): Promise<void> {
  await (withdrawn ? request(withdrawDocument, { id }) : request(restoreDocument, { id }));
  await readAgain();
}

const recordDocument = graphql(`
  mutation RecordEvidence($requirementId: ID!, $personId: ID!, $note: String, $day: String!, $goodUntil: String) {
    recordEvidence(requirementId: $requirementId, personId: $personId, note: $note, day: $day, goodUntil: $goodUntil) {
      id
      version
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
  const { recordEvidence: recorded } = await request(recordDocument, { requirementId, personId, ...content });
  await readAgain();
  return recorded;
}

export async function updateEvidence(id: string, version: number, content: EvidenceContent) {
  const { updateEvidence: updated } = await request(updateEvidenceDocument, { id, version, ...content });
  await readAgain();
  return updated;
}

export async function setEvidenceWithdrawn(id: string, withdrawn: boolean): Promise<void> {
  await (withdrawn ? request(withdrawEvidenceDocument, { id }) : request(restoreEvidenceDocument, { id }));
  await readAgain();
}
