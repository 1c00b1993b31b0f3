import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '#server/schema.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { leastQuery } from '../../../../test/least-query.ts';

let server: TestApp;
let ids: Record<'admin' | 'editor' | 'staff' | 'boss', string>;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestApp();
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  const admin = await server.person({ role: 'admin', firstName: 'Ada', lastName: 'Admin' });
  const editor = await server.person({
    role: 'Editor',
    permissions: ['VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR', 'VIEW_TOOLS'],
  });
  const boss = await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
  const staff = await server.person({
    role: 'Sales',
    firstName: 'Cat',
    lastName: 'Crew',
    permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_SALES', 'VIEW_CONNECT_SALES', 'READ_BGP', 'USER_MANAGEMENT'],
    approvers: [boss],
  });
  ids = { admin, editor, staff, boss };
  for (const [name, id] of Object.entries(ids)) tokens[name] = await server.signIn(id);
  await server.sprint();
});
afterAll(() => server.stop());

const start = async (who: string, what: { personId?: string; role?: string }) =>
  server.gql(
    tokens[who] as string,
    'mutation ($personId: ID, $role: String) { startViewing(personId: $personId, role: $role) { id name endsAt } }',
    what,
  );
const viewingAs = async (who: string, what: { personId?: string; role?: string }): Promise<string> => {
  const { data, code } = await start(who, what);
  expect(code).toBeNull();
  return data.startViewing.id;
};

// biome-ignore lint/suspicious/noExplicitAny: what a test reads from an answer, its expectations check
type Json = any;

async function ask(
  who: string,
  viewing: string,
  query: string,
): Promise<{ status: number; code: string | null; data: Json }> {
  const response = await server.call({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: `Bearer ${tokens[who]}`, 'x-viewing': viewing },
    payload: { query },
  });
  const body = response.json();
  return { status: response.statusCode, code: body.errors?.[0]?.extensions.code ?? null, data: body.data };
}
/** The server's answer to a socket request. */
async function socketStatus(headers: Record<string, string>): Promise<number | undefined> {
  const { port } = server.app.server.address() as { port: number };
  const asked = request({
    port,
    path: '/graphql',
    headers: {
      ...headers,
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-protocol': 'graphql-transport-ws',
    },
  }).end();
  const [response] = (await Promise.race([once(asked, 'response'), once(asked, 'upgrade')])) as [IncomingMessage];
  asked.destroy();
  return response.statusCode;
}

const me = async (who: string, viewing: string) => {
  const headers = { authorization: `Bearer ${tokens[who]}`, 'x-viewing': viewing };
  return server.call({ url: '/api/auth/user', headers });
};

describe('who may not', () => {
  test('only an admin views as a person, and a holder of the role editor as a role', async () => {
    expect((await start('staff', { role: 'Editor' })).code).toBe('FORBIDDEN');
    expect((await start('staff', { personId: ids.editor })).code).toBe('FORBIDDEN');
    expect((await start('editor', { personId: ids.staff })).code).toBe('FORBIDDEN');
    expect((await start('editor', { personId: ids.admin })).code).toBe('FORBIDDEN');
  });
  test('nobody views as the admin role, as a role or person that is not there, or as both', async () => {
    for (const who of ['editor', 'admin'])
      for (const role of ['admin', 'Admin', 'No such role', ''])
        expect([role, (await start(who, { role })).code]).toEqual([role, 'NOT_FOUND']);
    expect((await start('admin', { personId: '999999' })).code).toBe('NOT_FOUND');
    expect((await start('admin', {})).code).toBe('BAD_INPUT');
    expect((await start('admin', { personId: ids.staff, role: 'Sales' })).code).toBe('BAD_INPUT');
  });
  test('a look cannot be taken over, made up, or go on without a session', async () => {
    const viewing = await viewingAs('admin', { personId: ids.staff });
    for (const who of ['editor', 'staff', 'boss']) {
      expect([who, (await ask(who, viewing, '{ users { getLoggedUsers { id } } }')).code]).toEqual([
        who,
        'VIEWING_ENDED',
      ]);
      expect((await me(who, viewing)).statusCode).toBe(410);
    }
    for (const made of ['999999', '0', '-1', 'x', `${viewing} or 1=1`, `person:${ids.staff}`, ''])
      expect([made, (await ask('admin', made, '{ __typename }')).code]).toEqual([made, 'VIEWING_ENDED']);
    const response = await server.call({ url: '/api/auth/user', headers: { 'x-viewing': viewing } });
    expect(response.statusCode).toBe(401);
  });
});

describe('nothing changes while viewing as somebody else', () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}).map(
    (field) => [field.name, leastQuery('mutation', field)] as const,
  );
  let viewing: string;
  beforeAll(async () => {
    viewing = await viewingAs('admin', { personId: ids.staff });
  });
  test.each(mutations)('%s is refused', async (name, query) => {
    const { code, data } = await ask('admin', viewing, query);
    expect([name, code, Object.values(data ?? {}).filter((value) => value !== null)]).toEqual([name, 'VIEWING_AS', []]);
  });
  test('every REST call that writes is refused, and every socket', async () => {
    const writes = [...server.app.routeAccess]
      .filter(([name, access]) => access !== 'public' && !/^(GET|HEAD|OPTIONS) /.test(name) && name !== 'POST /graphql')
      .map(([name]) => name.split(' ') as ['POST', string]);
    expect(writes.map(([, url]) => url)).toEqual(expect.arrayContaining(['/attachment', '/api/import/:dataset']));
    for (const [method, url] of writes) {
      const response = await server.call({
        method,
        url: url.replace(/:\w+/g, '1'),
        headers: { authorization: `Bearer ${tokens.admin}`, 'x-viewing': viewing },
      });
      expect([url, response.statusCode, response.json().error.code]).toEqual([url, 403, 'VIEWING_AS']);
    }
    expect(await socketStatus({ 'x-viewing': viewing })).toBe(403);
    expect(await socketStatus({})).toBe(101);
  });
  test('a task stays as it is', async () => {
    await ask('admin', viewing, `mutation { createTask(title: "Not mine", userId: "${ids.staff}") { id } }`);
    expect((await server.database.pool.query('select 1 from tasks')).rowCount).toBe(0);
  });
});

describe('as a person', () => {
  test('an admin reads what that person reads, and no more', async () => {
    const viewing = await viewingAs('admin', { personId: ids.staff });
    const body = (await me('admin', viewing)).json();
    expect(body.user).toMatchObject({ id: ids.staff, role: 'Sales', approverId: [ids.boss] });
    expect(body.viewing).toMatchObject({ kind: 'person', as: 'Cat Crew', by: 'Ada Admin' });
    expect((await ask('admin', viewing, '{ serviceTokens { id } }')).code).toBe('FORBIDDEN');
    expect((await ask('admin', viewing, '{ inbox { id } }')).code).toBe('FORBIDDEN');
    expect((await ask('admin', viewing, '{ users { getPermittedUsers { id } } }')).code).toBeNull();
  });
  test('what only the person sees stays closed, to an admin too', async () => {
    const viewing = await viewingAs('admin', { personId: ids.staff });
    for (const query of ['{ timeWeek(monday: "2026-11-16") { __typename } }', '{ myTimer { __typename } }'])
      expect([query, (await ask('admin', viewing, query)).code]).toEqual([query, 'OWN_EYES_ONLY']);
  });
  test('what is taken from the person is gone at the next call', async () => {
    const viewing = await viewingAs('admin', { personId: ids.boss });
    expect((await ask('admin', viewing, '{ inbox { id } }')).code).toBeNull();
    await server.database.pool.query('update people set disabled_at = now() where id = $1', [ids.boss]);
    expect((await ask('admin', viewing, '{ inbox { id } }')).code).toBe('VIEWING_ENDED');
    await server.database.pool.query('update people set disabled_at = null where id = $1', [ids.boss]);
  });
  test('an admin who is one no more sees nothing at the next call', async () => {
    const passing = await server.person({ role: 'admin' });
    tokens.passing = await server.signIn(passing);
    const viewing = await viewingAs('passing', { personId: ids.staff });
    await server.database.pool.query("update people set role = 'Sales' where id = $1", [passing]);
    expect((await ask('passing', viewing, '{ users { getLoggedUsers { id } } }')).code).toBe('FORBIDDEN');
  });
});

test('links to files are made for who looks, so that they carry the own rights and end with them', async () => {
  const { rows } = await server.database.pool.query<{ id: string }>(
    `insert into tasks (owner_id, sprint_id, title, category, created_by)
     select $1, id, 'With a file', 'All Brands', $1 from sprints limit 1 returning id::text`,
    [ids.staff],
  );
  await server.database.pool.query(
    `insert into task_attachments (task_id, author_name, file_name, mime, size, storage_key)
     values ($1, 'Cat', 'a.txt', 'text/plain', 4, 'aa/aa')`,
    [rows[0]?.id],
  );
  const { data } = await ask(
    'admin',
    await viewingAs('admin', { personId: ids.staff }),
    '{ getTasks { attachments { url } } }',
  );
  expect(data.getTasks[0].attachments[0].url).toContain(`?person=${ids.admin}&`);
});

describe('as a role', () => {
  test('who is no admin follows the navigation of the role and reads nothing that is closed to themselves', async () => {
    const viewing = await viewingAs('editor', { role: 'Sales' });
    const { user, viewing: look } = (await me('editor', viewing)).json();
    expect(user).toMatchObject({
      id: '0',
      role: 'Sales',
      permissions: expect.arrayContaining(['VIEW_SALES', 'USER_MANAGEMENT']),
    });
    expect(look).toEqual({
      kind: 'role',
      as: 'Sales',
      by: expect.any(String),
      email: expect.any(String),
      readable: ['VIEW_DASHBOARD'],
    });
    for (const query of [
      '{ users { getLoggedUsers { id } } }',
      '{ getTasks { id } }',
      '{ numbers(dataset: "orders", scope: "connect", from: "2026-11-01", to: "2026-11-02", metrics: ["net"]) { totals } }',
    ])
      expect([query, (await ask('editor', viewing, query)).code]).toEqual([query, 'FORBIDDEN']);
  });
  test('and not what is open to themselves but closed to the role', async () => {
    const viewing = await viewingAs('editor', { role: 'Sales' });
    expect((await ask('editor', viewing, '{ importMappings { name } }')).code).not.toBeNull();
    expect((await me('editor', viewing)).json().viewing.readable).not.toContain('VIEW_TOOLS');
  });
  test('an admin reads what the role reads, of nobody in particular', async () => {
    const viewing = await viewingAs('admin', { role: 'Sales' });
    const { data, code } = await ask(
      'admin',
      viewing,
      '{ getTasks { id } myWeek { __typename } users { getPermittedUsers { id } } }',
    );
    expect([code, data.getTasks]).toEqual([null, []]);
    expect(data.users.getPermittedUsers.length).toBeGreaterThan(0);
  });
  test('not what the role requires: nobody in particular could meet it', async () => {
    const add = 'mutation { addRequirement(role: "Sales", kind: training, title: "Prices") { id } }';
    expect((await server.gql(tokens.admin as string, add)).code).toBeNull();
    const query = '{ myRequirements { title } }';
    const as = async (who: string, what: object) => (await ask(who, await viewingAs(who, what), query)).data;
    expect(await as('admin', { personId: ids.staff })).toEqual({ myRequirements: [{ title: 'Prices' }] });
    expect(await as('admin', { role: 'Sales' })).toEqual({ myRequirements: [] });
    expect(await as('editor', { role: 'Sales' })).toEqual({ myRequirements: [] });
  });
});

describe('what is kept', () => {
  test('the audit log names who looked, as whom, and when it stopped', async () => {
    const viewing = await viewingAs('admin', { personId: ids.staff });
    expect(
      (await server.gql(tokens.editor as string, `mutation { stopViewing(id: "${viewing}") }`)).data.stopViewing,
    ).toBe(false);
    expect(
      (await server.gql(tokens.admin as string, `mutation { stopViewing(id: "${viewing}") }`)).data.stopViewing,
    ).toBe(true);
    expect(
      (await server.gql(tokens.admin as string, `mutation { stopViewing(id: "${viewing}") }`)).data.stopViewing,
    ).toBe(false);
    expect((await ask('admin', viewing, '{ __typename }')).code).toBe('VIEWING_ENDED');
    const { rows } = await server.database.pool.query(
      'select actor_id::text as actor, action, subject_type as type, subject_id as subject, after from audit_log order by id desc limit 2',
    );
    expect(rows.reverse()).toMatchObject([
      { actor: ids.admin, action: 'viewingStarted', type: 'person', subject: ids.staff, after: { name: 'Cat Crew' } },
      { actor: ids.admin, action: 'viewingStopped', type: 'person', subject: ids.staff },
    ]);
  });
  test('a look ends by itself after an hour', async () => {
    const viewing = await viewingAs('admin', { role: 'Sales' });
    server.clock.set('2026-11-18T12:59:59Z');
    expect((await ask('admin', viewing, '{ __typename }')).code).toBeNull();
    server.clock.set('2026-11-18T13:00:00Z');
    tokens.admin = await server.signIn(ids.admin);
    expect((await ask('admin', viewing, '{ __typename }')).code).toBe('VIEWING_ENDED');
  });
  test('nobody fills the log by starting again and again', async () => {
    tokens.editor = await server.signIn(ids.editor);
    for (let started = 0; started < 100; started++) await viewingAs('editor', { role: 'Sales' });
    expect((await start('editor', { role: 'Sales' })).code).toBe('TOO_MANY_ATTEMPTS');
  });
});
