// What the role editor reads and sends.

import { queryOptions } from '@tanstack/react-query';
import { knownPermissions, type RoleEdit } from '#core/access/role-changes.ts';
import { compareNames } from '#core/base/formats.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { questionMs, request } from '#web/api/request.ts';

const rolesDocument = graphql(`
  query Roles {
    roles {
      id
      name
      permissions
      version
      people
      disabledPeople
    }
  }
`);

const holdersDocument = graphql(`
  query RoleHolders($id: ID!) {
    roleHolders(id: $id) {
      id
      displayName
      disabled
    }
  }
`);

const historyDocument = graphql(`
  query RoleHistory($id: ID!) {
    roleHistory(id: $id, limit: 100) {
      id
      at
      actorName
      before {
        name
        permissions
      }
      after {
        name
        permissions
      }
    }
  }
`);

const differenceDocument = graphql(`
  query RoleDifference($edits: [RoleEdit!]!) {
    roleDifference(edits: $edits) {
      seen
      roles {
        id
        name
        renamedFrom
        given
        taken
        people
      }
      pages {
        address
        title
        gained
        lost
      }
      groups {
        gained {
          address
          title
        }
        lost {
          address
          title
        }
        landing {
          from
          to
        }
        shutOut
        people {
          id
          displayName
        }
      }
    }
  }
`);

// Apart: a server of an older version, during an upgrade, doesn't know it.
const leftDocument = graphql(`
  query RoleDifferenceLeft($edits: [RoleEdit!]!) {
    roleDifference(edits: $edits) {
      leftWithoutApprover
    }
  }
`);

const createDocument = graphql(`
  mutation CreateRole($name: String!, $permissions: [String!]!) {
    createRole(name: $name, permissions: $permissions) {
      id
      name
    }
  }
`);

const saveDocument = graphql(`
  mutation SaveRoles($edits: [RoleEdit!]!, $seen: String!) {
    saveRoles(edits: $edits, seen: $seen) {
      id
    }
  }
`);

const deleteDocument = graphql(`
  mutation DeleteRole($id: ID!, $version: Int!) {
    deleteRole(id: $id, version: $version)
  }
`);

type Listed = ResultOf<typeof rolesDocument>['roles'][number];
export type ListedRole = Omit<Listed, 'permissions'> & Required<Pick<RoleEdit, 'permissions'>>;
export type Difference = ResultOf<typeof differenceDocument>['roleDifference'];
export type DifferenceGroup = Difference['groups'][number];
export type RoleEvent = ResultOf<typeof historyDocument>['roleHistory'][number];

export const rolesKey = ['roles'] as const;

export const rolesQuery = queryOptions({
  queryKey: [...rolesKey, 'list'],
  queryFn: ({ signal }) => request(rolesDocument, {}, { signal }),
  select: ({ roles }) =>
    roles
      .map((role) => ({ ...role, permissions: knownPermissions(role.permissions) }))
      .sort((a, b) => compareNames(a.name, b.name)),
});

export const holdersQuery = (id: string) =>
  queryOptions({
    queryKey: [...rolesKey, 'holders', id],
    queryFn: ({ signal }) => request(holdersDocument, { id }, { signal }),
    select: ({ roleHolders }) => roleHolders,
  });

export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: [...rolesKey, 'history', id],
    queryFn: ({ signal }) => request(historyDocument, { id }, { signal }),
    select: ({ roleHistory }) => roleHistory,
  });

/** Mutable copies for the call. */
const sent = (edits: readonly RoleEdit[]) =>
  edits.map(({ id, version, name = null, permissions }) => ({
    id,
    version,
    name,
    permissions: permissions ? [...permissions] : null,
  }));

/** Never cached, because it is for reviewing the current state. */
export const differenceQuery = (edits: readonly RoleEdit[]) =>
  queryOptions({
    queryKey: [...rolesKey, 'difference', edits],
    queryFn: async ({ signal }) =>
      (await request(differenceDocument, { edits: sent(edits) }, { signal })).roleDifference,
    gcTime: 0,
    retry: false,
  });

export const leftQuery = (edits: readonly RoleEdit[], enabled: boolean) =>
  queryOptions({
    queryKey: [...rolesKey, 'left', edits],
    queryFn: async ({ signal }) =>
      (await request(leftDocument, { edits: sent(edits) }, { signal, answerMs: questionMs })).roleDifference
        .leftWithoutApprover,
    enabled,
    gcTime: 0,
    retry: false,
  });

export const createRole = async (role: { name: string; permissions: readonly string[] }) =>
  (await request(createDocument, { name: role.name, permissions: [...role.permissions] })).createRole;

export const saveRoles = ({ edits, seen }: { edits: readonly RoleEdit[]; seen: string }) =>
  request(saveDocument, { edits: sent(edits), seen });

export const deleteRole = ({ id, version }: { id: string; version: number }) =>
  request(deleteDocument, { id, version });
