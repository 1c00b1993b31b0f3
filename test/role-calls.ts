// Calls of the role editor for API tests, and names that are a test's own.
import { expect } from 'vitest';
import type { Permission } from '#core/access/permissions.ts';
import type { TestApp } from './app.ts';

export type Edit = { id: string; version: number; name?: string; permissions?: readonly string[] };

const fields = '{ id name permissions version people disabledPeople }';
const differenceFields = `{ seen roles { id name renamedFrom given taken people } pages { address gained lost }
  groups { gained { address } lost { address } landing { from to } shutOut people { id displayName } } }`;

let round = 0;
let known: string | undefined;

/** Another number for each test. */
function roundOfTest(): number {
  const { testPath, currentTestName } = expect.getState();
  const now = `${testPath} ${currentTestName}`;
  if (now !== known) round += 1;
  known = now;
  return round;
}

/** The first error's code and fields. */
export const answer = ({ errors }: { errors?: readonly { message: string; extensions: object }[] }) => ({
  ...errors?.[0]?.extensions,
  message: errors?.[0]?.message,
});

export function roleCalls(server: TestApp, admin: string) {
  const own = (name: string) => `${name} ${roundOfTest()}`;
  const roles = async (token = admin) => (await server.gql(token, `{ roles ${fields} }`)).data.roles;
  const roleOf = async (id: string) => (await roles()).find((role: { id: string }) => role.id === id);
  const named = async (name: string) => (await roles()).find((role: { name: string }) => role.name === name);
  const create = (token: string, name: string, permissions: readonly string[] = ['VIEW_DASHBOARD']) =>
    server.gql(
      token,
      `mutation ($name: String!, $permissions: [String!]!) { createRole(name: $name, permissions: $permissions) ${fields} }`,
      { name, permissions },
    );
  const made = async (name: string, permissions?: readonly Permission[]) =>
    (await create(admin, own(name), permissions)).data.createRole;
  const difference = (token: string, edits: readonly Edit[]) =>
    server.gql(token, `query ($edits: [RoleEdit!]!) { roleDifference(edits: $edits) ${differenceFields} }`, { edits });
  const save = (token: string, edits: readonly Edit[], seen: string) =>
    server.gql(
      token,
      `mutation ($edits: [RoleEdit!]!, $seen: String!) { saveRoles(edits: $edits, seen: $seen) ${fields} }`,
      { edits, seen },
    );
  /** Looks at the difference and saves it. */
  const apply = async (token: string, edits: readonly Edit[]) =>
    save(token, edits, (await difference(token, edits)).data.roleDifference.seen);
  const remove = (token: string, id: string, version: number) =>
    server.gql(token, 'mutation ($id: ID!, $version: Int!) { deleteRole(id: $id, version: $version) }', {
      id,
      version,
    });
  const history = async (id: string) =>
    (
      await server.gql(
        admin,
        'query ($id: ID!) { roleHistory(id: $id) { actorName before { name permissions } after { name permissions } } }',
        { id },
      )
    ).data.roleHistory;
  return { own, roles, roleOf, named, create, made, difference, save, apply, remove, history };
}
