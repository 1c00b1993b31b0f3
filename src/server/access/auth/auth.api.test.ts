import { Readable } from 'node:stream';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { permissionKeys } from '#core/access/permissions.ts';
import { startTestApp, type TestApp, wednesday } from '../../../../test/app.ts';
import { hashPassword, isOutdated } from './passwords.ts';

const password = 'correct horse battery';
let server: TestApp;
let admin: string;
let staff: string;

beforeAll(async () => {
  server = await startTestApp();
  const passwordHash = await hashPassword(password);
  admin = await server.person({ email: 'Admin@example.test', role: 'admin', passwordHash });
  staff = await server.person({
    email: 'staff@example.test',
    permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'],
    approvers: [admin],
    team: 'green',
    passwordHash,
  });
  await server.person({ email: 'nopassword@example.test' });
  await server.person({ email: 'disabled@example.test', passwordHash });
  await server.database.pool.query("update people set disabled_at = now() where email = 'disabled@example.test'");
});
afterAll(() => server.stop());
beforeEach(async () => {
  server.clock.set(wednesday);
  await server.database.pool.query('truncate sign_in_failures, known_devices');
});

const login = (email: unknown, secret: unknown, remoteAddress = '127.0.0.1', more: object = {}) =>
  server.call({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email, password: secret, ...more } as object,
    remoteAddress,
  });
const user = (token: string) => server.call({ url: '/api/auth/user', headers: { authorization: `Bearer ${token}` } });

test.each(['nobody@example.test', 'nopassword@example.test', 'disabled@example.test', 'staff@example.test'])(
  'a sign-in that is refused tells nothing about the account: %s',
  async (email) => {
    const response = await login(email, email === 'disabled@example.test' ? password : 'wrong');
    expect(response.statusCode).toBe(401);
    expect(response.body).toBe('{"error":{"code":"WRONG_CREDENTIALS","message":"Wrong email or password"}}');
    expect(response.headers['retry-after']).toBeUndefined();
  },
);

test('a right sign-in answers the token, which is sent afterwards as Bearer (spec 7)', async () => {
  const { statusCode, body } = await login('STAFF@example.test', password);
  expect(statusCode).toBe(200);
  const { token } = JSON.parse(body);
  expect(token).toMatch(/^[\w-]{43}$/);
  const answer = await user(token);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.json()).toEqual({
    user: {
      id: staff,
      email: 'staff@example.test',
      firstName: 'Person',
      lastName: expect.any(String),
      role: expect.any(String),
      team: 'green',
      permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'],
      approverId: [admin],
      top5Invisible: false,
    },
  });
});

test("an admin's list of permissions is complete, and a person without role may ask who they are", async () => {
  const answer = await user(await server.signIn(admin));
  expect(answer.json().user.permissions).toEqual(permissionKeys);
  const nobody = await server.person({ role: null });
  expect((await user(await server.signIn(nobody))).json().user).toMatchObject({
    id: nobody,
    role: null,
    permissions: [],
  });
});

test('a page that shows someone else acts for nobody: tabs share the session', async () => {
  const authorization = `Bearer ${await server.signIn(staff)}`;
  const calls = [
    { url: '/api/auth/user' },
    { method: 'POST', url: '/graphql', payload: { query: '{ sprints { id } }' } },
    { method: 'POST', url: '/api/auth/authenticator/options', payload: {} },
    { method: 'POST', url: '/api/auth/confirm', payload: { password } },
  ] as const;
  for (const call of calls)
    for (const [person, status] of [
      [admin, 412],
      ['x', 412],
      [staff, 200],
    ] as const) {
      const { statusCode } = await server.call({ ...call, headers: { authorization, 'x-person': person } });
      expect([call.url, person, statusCode]).toEqual([call.url, person, status]);
    }
});

test('right sign-ins do not count', async () => {
  for (let attempt = 0; attempt < 12; attempt++)
    expect((await login('staff@example.test', password)).statusCode).toBe(200);
});

test.each([
  [{ email: 'staff@example.test' }, 'password'],
  [{ email: ['staff@example.test'], password }, 'email'],
  [{ email: 'staff@example.test', password: 12345678 }, 'password'],
  [{ email: 'staff@example.test', password: '' }, 'password'],
  [{ email: 'staff@example.test', password: 'x'.repeat(1001) }, 'password'],
  [{ email: 'staff\u0000@example.test', password }, 'email'],
  [{ email: 'staff@example.test', password, role: 'admin' }, 'role'],
  [{ email: { $ne: '' }, password }, 'email'],
])('a body of another shape is refused and names the field: %j', async (payload, field) => {
  const { statusCode, body } = await server.call({ method: 'POST', url: '/api/auth/login', payload });
  expect([statusCode, JSON.parse(body).error]).toEqual([
    400,
    { code: 'BAD_INPUT', field, message: expect.any(String) },
  ]);
});

test.each([
  ['{', 'application/json', 400],
  ['', 'application/json', 400],
  ['[]', 'application/json', 400],
  ['"text"', 'application/json', 400],
  ['{"__proto__":{"email":"a"},"email":"a","password":"b"}', 'application/json', 400],
  ['email=staff&password=b', 'application/x-www-form-urlencoded', 415],
  ['{"email":"a","password":"b"}', 'text/plain', 415],
  ['{"email":"a","password":"b"}', 'application/json garbage', 415],
])('a body that cannot be read never reaches the sign-in: %s as %s', async (payload, type, status) => {
  const response = await server.call({
    method: 'POST',
    url: '/api/auth/login',
    payload,
    headers: { 'content-type': type },
  });
  expect(response.statusCode).toBe(status);
  expect(Object.keys(response.json())).toEqual(['error']);
  expect(response.body).not.toMatch(/stack|SyntaxError|Unexpected|FST_/);
});

test.each([
  ['nothing', {}],
  ['a cookie', { cookie: 'internal-dash-auth=TOKEN; internal-dash-token=TOKEN' }],
  ['another scheme', { authorization: 'Basic TOKEN' }],
  ['the bare token', { authorization: 'TOKEN' }],
  ['an unknown token', { authorization: `Bearer ${'A'.repeat(43)}` }],
  ['a token with more behind it', { authorization: 'Bearer TOKEN TOKEN' }],
])('only the token in the header authenticates, not %s', async (_what, headers) => {
  const token = await server.signIn(staff);
  const sent = Object.fromEntries(
    Object.entries(headers as Record<string, string>).map(([name, value]) => [name, value.replaceAll('TOKEN', token)]),
  );
  for (const request of [
    { url: '/api/auth/user' },
    { method: 'POST' as const, url: '/graphql', payload: { query: '{ people { id } }' } },
  ]) {
    const response = await server.call({ ...request, headers: sent });
    expect([request.url, response.statusCode]).toEqual([request.url, 401]);
    expect(response.body).toContain('NOT_SIGNED_IN');
  }
});

test('a session ends after an hour', async () => {
  const token = await server.signIn(staff);
  server.clock.advance({ minutes: 59, seconds: 59 });
  expect((await user(token)).statusCode).toBe(200);
  server.clock.advance({ seconds: 1 });
  expect((await user(token)).statusCode).toBe(401);
});

test('a disabled account is out with the next request; a changed role counts with it', async () => {
  const person = await server.person({ permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'], role: 'Keepers' });
  const token = await server.signIn(person);
  const lists = '{ getLoggedUsers { id } }';
  expect((await server.gql(token, lists)).code).toBeNull();
  await server.database.pool.query("update roles set permissions = '{VIEW_DASHBOARD}' where name = 'Keepers'");
  expect((await server.gql(token, lists)).code).toBe('FORBIDDEN');
  await server.database.pool.query("update roles set permissions = '{USER_MANAGEMENT}' where name = 'Keepers'");
  expect(await server.gql(token, lists)).toMatchObject({
    code: 'NO_APPLICATION_PERMISSION',
    errors: [{ message: "You don't have permission for this application" }],
  });
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [person]);
  expect((await server.gql(token, lists)).status).toBe(401);
});

test('sign-ins stand in the audit log, wrong ones too, and no secret does', async () => {
  await login('staff@example.test', 'wrong-secret-canary');
  const { token } = (await login('staff@example.test', password)).json();
  const { rows } = await server.database.pool.query(
    'select action, actor_id::text, subject_id, request_id, address from audit_log order by id desc limit 2',
  );
  expect(rows).toEqual([
    { action: 'signedIn', actor_id: staff, subject_id: staff, request_id: expect.any(String), address: '127.0.0.1' },
    { action: 'signInFailed', actor_id: null, subject_id: staff, request_id: expect.any(String), address: '127.0.0.1' },
  ]);
  const everything = await server.database.pool.query(
    'select (select json_agg(a) from audit_log a)::text || (select json_agg(s) from sessions s)::text as text',
  );
  expect(everything.rows[0].text).not.toContain('canary');
  expect(everything.rows[0].text).not.toContain(token);
});

test('a password hashed with parameters of the past is hashed anew at sign-in', async () => {
  const old = await hash(password, { memoryCost: 8192, timeCost: 1 });
  const id = await server.person({ email: 'old@example.test', passwordHash: old });
  expect((await login('old@example.test', password)).statusCode).toBe(200);
  const { rows } = await server.database.pool.query('select password_hash from people where id = $1', [id]);
  expect([isOutdated(old), isOutdated(rows[0].password_hash)]).toEqual([true, false]);
  expect((await login('old@example.test', password)).statusCode).toBe(200);
});

test('a database that is down is said with 503 and Retry-After, never with 500', async () => {
  const token = await server.signIn(staff);
  const refused = async () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  };
  const query = vi.spyOn(server.database.pool, 'query').mockImplementation(refused as never);
  try {
    for (const request of [
      { url: '/api/auth/user' },
      { method: 'POST' as const, url: '/graphql', payload: { query: '{ people { id } }' } },
    ]) {
      const response = await server.call({ ...request, headers: { authorization: `Bearer ${token}` } });
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2']);
      expect(response.body).toContain('UNAVAILABLE');
      expect(response.body).not.toContain('ECONNREFUSED');
    }
  } finally {
    query.mockRestore();
  }
});

test('rights that are taken away while a body is on its way are gone when it has come', async () => {
  const id = await server.person({ role: 'admin' });
  const other = await server.person({ permissions: ['VIEW_DASHBOARD'] });
  const token = await server.signIn(id);
  const payload = JSON.stringify({ query: `mutation { setTop5(userId: ${other}, on: true) { id } }` });
  for (const [change, code] of [
    [`update people set role = (select role from people where id = ${other}) where id = ${id}`, 'FORBIDDEN'],
    [`update people set disabled_at = now() where id = ${id}`, 'ACCOUNT_DISABLED'],
  ] as const) {
    const held = async function* () {
      yield Buffer.from(payload.slice(0, 1));
      await server.database.pool.query(change);
      await new Promise((resolve) => setTimeout(resolve, 200));
      yield Buffer.from(payload.slice(1));
    };
    const response = await server.call({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: Readable.from(held()),
    });
    expect(response.body).toContain(code);
    await server.database.pool.query('update people set role = $2, disabled_at = null where id = $1', [id, 'admin']);
  }
});

test.each([
  [{}, '10.0.0.9'],
  [{ TRUSTED_PROXIES: '192.0.2.0/24, loopback' }, '10.0.0.9'],
  [{ TRUSTED_PROXIES: '10.0.0.0/8' }, '203.0.113.7'],
])('with %o the address of a caller is %s, whatever it writes into X-Forwarded-For itself', async (env, address) => {
  const behind = await startTestApp({ beside: server, env: env as Record<string, string> });
  await behind.call({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: 'staff@example.test', password: 'wrong' },
    remoteAddress: '10.0.0.9',
    headers: { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' },
  });
  const { rows } = await server.database.pool.query('select address from audit_log order by id desc limit 1');
  expect(rows).toEqual([{ address }]);
  await behind.stop();
});

test('a person keeps their newest two hundred sessions, and unfinished sign-ins end none of them', async () => {
  const id = await server.person({ email: 'often@example.test', passwordHash: await hashPassword(password) });
  const oldest = await server.signIn(id);
  const now = server.clock.now().toString();
  const addSessions = (count: number, level: string) =>
    server.database.pool.query(
      `insert into sessions (token_hash, person_id, created_at, expires_at, level)
        select sha256((random()::text || i)::bytea), $1, $2::timestamptz + i * interval '1 second', $2::timestamptz + interval '1 hour', $3
        from generate_series(1, $4::int) i`,
      [id, now, level, count],
    );
  await addSessions(250, 'needsSecondFactor');
  await addSessions(198, 'full');
  server.clock.set(server.clock.now().add({ minutes: 5 }));
  await login('often@example.test', password);
  expect((await user(oldest)).statusCode).toBe(200);
  const newest = (await login('often@example.test', password)).json().token;
  expect((await user(oldest)).statusCode).toBe(401);
  expect((await user(newest)).statusCode).toBe(200);
  const { rows } = await server.database.pool.query(
    'select count(*)::int from sessions where person_id = $1 group by level order by 1',
    [id],
  );
  expect(rows).toEqual([{ count: 200 }, { count: 250 }]);
});
