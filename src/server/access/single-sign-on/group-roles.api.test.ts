// Groups of the identity provider give roles by id: renaming a role doesn't change what a group gives (T14).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { completeSignIn } from './complete-sign-in.ts';
import { bindGroupRoles } from './group-roles.service.ts';

let before: TestApp;
let server: TestApp;
let editor: string;
let admin: string;
let member: string;

const issuer = 'https://id.example.test/';
const env = {
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: 'client',
  OIDC_CLIENT_SECRET: 'a secret of the client',
  PUBLIC_URL: 'https://staff.example.test',
  OIDC_GROUP_ROLES: 'editors=Support,later=Crew',
};

beforeAll(async () => {
  before = await startTestApp();
  await before.person({ role: 'Support', permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS'] });
  server = await startTestApp({ beside: before, env });
  await server.person({ role: 'Sales', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] });
  editor = await server.person({ role: 'Editors', permissions: ['VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR'] });
  admin = await server.person({ role: 'admin' });
  member = await server.person({ role: null });
  await server.database.pool.query('insert into identities values ($1, $2, $3, null, now())', [issuer, 'm', member]);
});
afterAll(async () => {
  await server.stop();
  await before.stop();
});

/** Signs the member in with these groups; returns the resulting role. */
async function signInWith(groups: string[]): Promise<string | null> {
  const groupRoles = server.parts.config.oidc?.groupRoles ?? [];
  const context = { ...server.parts, provider: null as never, issuer, groupRoles };
  const caller = { address: '127.0.0.1', agent: undefined, requestId: 'test' };
  const { rows } = await server.database.pool.query(
    `select p.role, i.of_groups as "ofGroups" from people p join identities i on i.person_id = p.id where p.id = $1`,
    [member],
  );
  const person = { id: member, disabled: false, ...rows[0] };
  await server.database.transaction((queries) =>
    completeSignIn(queries, context, caller, person, { issuer, subject: 'm', groups } as never),
  );
  const after = await server.database.pool.query('select role from people where id = $1', [member]);
  return after.rows[0].role;
}

const rolesOf = async (who: string) => {
  const token = await server.signIn(who);
  const { data } = await server.gql(token, '{ roles { id name version permissions } }');
  const byName = new Map(data.roles.map((role: { name: string }) => [role.name, role]));
  return { token, byName: byName as Map<string, { id: string; version: number; permissions: string[] }> };
};

async function rename(who: string, from: string, to: string): Promise<string | null> {
  const { token, byName } = await rolesOf(who);
  const { id, version } = byName.get(from)!;
  const edits = [{ id, version, name: to }];
  const looked = await server.gql(token, 'query ($e: [RoleEdit!]!) { roleDifference(edits: $e) { seen } }', {
    e: edits,
  });
  if (looked.code !== null) return looked.code;
  const save = 'mutation ($e: [RoleEdit!]!, $s: String!) { saveRoles(edits: $e, seen: $s) { id } }';
  return (await server.gql(token, save, { e: edits, s: looked.data.roleDifference.seen })).code;
}

async function remove(who: string, name: string): Promise<string | null> {
  const { token, byName } = await rolesOf(who);
  const { id, version } = byName.get(name)!;
  const mutation = 'mutation ($id: ID!, $version: Int!) { deleteRole(id: $id, version: $version) }';
  return (await server.gql(token, mutation, { id, version })).code;
}

async function create(who: string, name: string): Promise<string | null> {
  const { token } = await rolesOf(who);
  const mutation = 'mutation ($name: String!) { createRole(name: $name, permissions: ["VIEW_DASHBOARD"]) { id } }';
  return (await server.gql(token, mutation, { name })).code;
}

test('a role editor cannot rename, swap or take the name of a role that a group receives', async () => {
  expect(await rename(editor, 'Support', 'Support old')).toBe('FORBIDDEN');
  expect(await rename(editor, 'Sales', 'Crew')).toBe('FORBIDDEN');
  expect([await create(editor, 'crew'), await create(editor, 'Other')]).toEqual(['FORBIDDEN', null]);
  expect(await signInWith(['editors'])).toBe('Support');
  expect(await signInWith([])).toBeNull();
});

test('a group keeps its role through renames, also when another role gets its name, and loses it with the group', async () => {
  expect(await signInWith(['editors'])).toBe('Support');
  expect(await rename(admin, 'Support', 'Helpdesk')).toBeNull();
  expect(await rename(admin, 'Sales', 'Support')).toBeNull();
  expect(await signInWith(['editors'])).toBe('Helpdesk');
  expect(await signInWith([])).toBeNull();
});

test('a group whose role was deleted gives none, whatever role has the name by then', async () => {
  await server.database.pool.query("update people set role = null where role = 'Helpdesk'");
  expect(await remove(editor, 'Helpdesk')).toBe('FORBIDDEN');
  expect(await remove(admin, 'Helpdesk')).toBeNull();
  expect(await signInWith(['editors'])).toBeNull();
  await bindGroupRoles(server.parts);
  expect(await signInWith(['editors'])).toBeNull();
});

test('a name without a role is bound when an admin makes the role, and the audit log has it', async () => {
  expect(await signInWith(['later'])).toBeNull();
  expect(await create(admin, 'Crew')).toBeNull();
  expect(await signInWith(['later'])).toBe('Crew');
  const { rows } = await server.database.pool.query(
    "select subject_id as group, after ->> 'role' as role from audit_log where action = 'groupRoleBound' order by id",
  );
  expect(rows).toEqual([
    { group: 'editors', role: 'Support' },
    { group: 'later', role: 'Crew' },
  ]);
});

test('a warning names the group and the role that doesn’t exist', async () => {
  const warned: string[] = [];
  const log = { info() {}, warn: (_: object, words: string) => void warned.push(words) };
  const config = { ...server.parts.config };
  config.oidc = { ...config.oidc!, groupRoles: [{ group: 'sellers', role: 'Salse' }] };
  await bindGroupRoles({ ...server.parts, config, log: log as never });
  expect(warned).toEqual([expect.stringMatching(/OIDC_GROUP_ROLES.*“Salse”.*“sellers”/)]);
});
