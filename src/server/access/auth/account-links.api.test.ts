import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp, wednesday } from '../../../../test/app.ts';
import { prepareTask } from '../../../../test/task-fixtures.ts';
import { makeLink } from './account-links.service.ts';
import { hashPassword } from './passwords.ts';

const password = 'kettle rover eleven';
let server: TestApp;
let keeperId: string;
let keeper: string;
let person: string;

beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.stop());
let made = 0;
beforeEach(async () => {
  server.clock.set(wednesday);
  made += 1;
  person = await server.person({ email: `new${made}@example.test`, firstName: 'Nora', role: 'Staff' });
  keeperId ??= await server.person({ role: 'Keeper', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
  keeper = await server.signIn(keeperId);
});

const make = async (id = person) =>
  server.gql(keeper, 'mutation ($id: ID!) { makeSignInLink(userId: $id) { kind token expiresAt mailedTo } }', { id });
const tokenFor = async (id = person): Promise<string> => (await make(id)).data.makeSignInLink.token;
const post = (url: string, payload: object) => server.call({ method: 'POST', url, payload });
const use = (token: string, secret = password) => post('/api/auth/password', { token, password: secret });
const login = (email: string, secret: string) => post('/api/auth/login', { email, password: secret });

test('what is no link, ran out or is for a disabled account is refused the same way, and no password is set', async () => {
  const stranger = 'x'.repeat(43);
  const late = await tokenFor();
  server.clock.set('2026-11-25T12:00:01Z');
  keeper = await server.signIn(keeperId);
  const other = await server.person({ email: `off${made}@example.test` });
  const disabled = await tokenFor(other);
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [other]);
  const bodies = new Set<string>();
  for (const token of [stranger, late, disabled]) {
    for (const answer of [await post('/api/auth/link', { token }), await use(token)]) {
      expect(answer.statusCode).toBe(403);
      bodies.add(answer.body);
    }
  }
  expect([...bodies]).toEqual([
    '{"error":{"code":"LINK_EXPIRED","message":"This link has expired or was already used. Ask for a new one"}}',
  ]);
  const { rows } = await server.database.pool.query(
    'select from people where id = any($1) and password_hash is not null',
    [[person, other]],
  );
  expect(rows).toEqual([]);
});

test('an invitation says whose it is, takes a good password once, and the person signs in with it', async () => {
  const { kind, token, expiresAt, mailedTo } = (await make()).data.makeSignInLink;
  expect([kind, mailedTo, expiresAt]).toEqual(['invite', null, '2026-11-25T12:00:00.000Z']);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect((await post('/api/auth/link', { token })).json().link).toEqual({
    kind: 'invite',
    email: `new${made}@example.test`,
    firstName: 'Nora',
    lastName: expect.any(String),
  });
  const weak = await use(token, 'passwordpassword');
  expect([weak.statusCode, weak.json().error.field]).toEqual([400, 'password']);
  expect((await use(token)).statusCode).toBe(200);
  expect((await login(`new${made}@example.test`, password)).statusCode).toBe(200);
  const again = await use(token, 'another kettle entirely');
  expect([again.statusCode, again.json().error.code]).toEqual([403, 'LINK_EXPIRED']);
  expect((await login(`new${made}@example.test`, password)).statusCode).toBe(200);
});

test('of many who use one link at once exactly one sets the password', async () => {
  const token = await tokenFor();
  // As many as one account may have waiting at one address.
  const secrets = Array.from({ length: 10 }, (_, at) => `${password} number ${at}`);
  const answers = await Promise.all(secrets.map((secret) => use(token, secret)));
  const won = secrets.filter((_, at) => answers[at]?.statusCode === 200);
  expect(won).toHaveLength(1);
  expect(answers.filter(({ statusCode }) => statusCode === 403)).toHaveLength(9);
  expect((await login(`new${made}@example.test`, won[0] as string)).statusCode).toBe(200);
});

test('a new link ends the one before; the next one, for who has a password, is a reset and ends every session', async () => {
  const first = await tokenFor();
  const second = await tokenFor();
  expect((await use(first)).statusCode).toBe(403);
  expect((await use(second)).statusCode).toBe(200);
  const session = await server.signIn(person);
  // Once the person uses the account, only an admin sees a link.
  expect((await make()).code).toBe('FORBIDDEN');
  const admin = await server.signIn(await server.person({ role: 'admin' }));
  const again = 'mutation ($id: ID!) { makeSignInLink(userId: $id) { kind token expiresAt } }';
  const reset = (await server.gql(admin, again, { id: person })).data.makeSignInLink;
  expect([reset.kind, reset.expiresAt]).toEqual(['reset', '2026-11-19T12:00:00.000Z']);
  expect((await server.gql(session, '{ __typename }')).status).toBe(200);
  expect((await use(reset.token, 'a different kettle now')).statusCode).toBe(200);
  expect((await server.gql(session, '{ __typename }')).status).toBe(401);
});

test('another email or a disabled account ends the link that went out', async () => {
  const token = await tokenFor();
  const { data } = await server.gql(keeper, 'query ($id: ID!) { managedUser(userId: $id) { version } }', {
    id: person,
  });
  await server.gql(
    keeper,
    'mutation ($id: ID!, $version: String!) { updateUser(userId: $id, version: $version, email: "moved@example.test") { id } }',
    { id: person, version: data.managedUser.version },
  );
  expect((await use(token)).statusCode).toBe(403);
  const disabled = 'mutation ($id: ID!, $to: Boolean!) { setUserDisabled(userId: $id, disabled: $to) { id } }';
  const next = await tokenFor();
  await server.gql(keeper, disabled, { id: person, to: true });
  expect((await make()).code).toBe('CONFLICT');
  await server.gql(keeper, disabled, { id: person, to: false });
  expect((await use(next)).statusCode).toBe(403);
});

test('the token is kept as its hash, and neither it nor the password is in the audit log', async () => {
  const token = await tokenFor();
  await use(token);
  const { rows } = await server.database.pool.query('select row_to_json(a)::text as text, action from audit_log a');
  const text = rows.map((row) => row.text).join('\n');
  expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['personInvited', 'invitationAccepted']));
  expect([text.includes(token), text.includes(password)]).toEqual([false, false]);
  const kept = await server.database.pool.query("select encode(token_hash, 'base64') as hash from account_links");
  expect(JSON.stringify(kept.rows)).not.toContain(token);
});

test('with a mail server the link goes to the person and to nobody else; one that fails shows it instead', async () => {
  const sent: { to: string; subject: string; text: string }[] = [];
  let isUp = true;
  const send = async (mail: (typeof sent)[number]) => {
    if (!isUp) throw new Error('550 no');
    sent.push(mail);
  };
  const mailing = await startTestApp({
    beside: server,
    env: { PUBLIC_URL: 'https://staff.example.test' },
    parts: { mail: { configured: true, send } },
  });
  const query = 'mutation ($id: ID!) { makeSignInLink(userId: $id) { token mailedTo mailFailed } }';
  const { data } = await mailing.gql(keeper, query, { id: person });
  const email = `new${made}@example.test`;
  expect(data.makeSignInLink).toEqual({ token: null, mailedTo: email, mailFailed: false });
  expect(sent).toMatchObject([{ to: email, subject: expect.stringContaining('Your invitation to') }]);
  expect(sent[0]?.text).toMatch(/^Hello .+,\n\n.+ invited you to Staff dashboard\./);
  const token = /https:\/\/staff\.example\.test\/#invite=([\w-]{43})$/m.exec(sent[0]?.text ?? '')?.[1] as string;
  // Strangers aren't sent to an address by a name.
  await server.database.pool.query("update people set last_name = 'Win at https://evil.example' where id = $1", [
    person,
  ]);
  await mailing.gql(keeper, query, { id: person });
  expect(sent[1]?.text).toMatch(/^You’ve been invited to Staff dashboard\./);
  isUp = false;
  const failed = (await mailing.gql(keeper, query, { id: person })).data.makeSignInLink;
  expect([failed.mailedTo, failed.mailFailed]).toEqual([null, true]);
  expect((await use(token)).statusCode).toBe(403);
  expect((await use(failed.token)).statusCode).toBe(200);
  await mailing.stop();
});

test('a first invitation brings no notice about a link; a link for somebody who was here before does', async () => {
  const told = () =>
    server.asOwner<{ event: string }>(
      "select facts->>'event' as event from notices where person_id = $1 and kind = 'accountChanged' order by id",
      [person],
    );
  await use(await tokenFor());
  expect(await told()).toEqual([]);
  await login(`new${made}@example.test`, password);
  const admin = await server.signIn(await server.person({ role: 'admin' }));
  await server.gql(admin, 'mutation ($id: ID!) { makeSignInLink(userId: $id) { token } }', { id: person });
  expect(await told()).toEqual([{ event: 'linkCreated' }]);
});

test('a link for someone who holds more than its maker goes to their mailbox only, or needs an admin', async () => {
  const query = 'mutation ($id: ID!) { makeSignInLink(userId: $id) { token mailedTo mailFailed } }';
  const seller = await server.person({ email: `s${made}@example.test`, permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] });
  const lead = await server.person({ email: `l${made}@example.test`, role: 'Staff' });
  await server.person({ approvers: [lead] });
  for (const id of [seller, lead]) expect((await make(id)).code).toBe('FORBIDDEN');
  expect((await make(seller)).errors?.[0]?.message).toContain('permissions that you don’t: Sales');
  const admin = await server.signIn(await server.person({ role: 'admin' }));
  expect((await server.gql(admin, query, { id: seller })).data.makeSignInLink.token).toMatch(/^[\w-]{43}$/);

  const sent: { to: string }[] = [];
  let isUp = true;
  const send = async (mail: { to: string }) => {
    if (!isUp) throw new Error('550 no');
    sent.push(mail);
  };
  const mailing = await startTestApp({
    beside: server,
    env: { PUBLIC_URL: 'https://staff.example.test' },
    parts: { mail: { configured: true, send } },
  });
  const mailed = (await mailing.gql(keeper, query, { id: seller })).data.makeSignInLink;
  expect([mailed.token, sent.map(({ to }) => to)]).toEqual([null, [`s${made}@example.test`]]);
  isUp = false;
  const failed = (await mailing.gql(keeper, query, { id: seller })).data.makeSignInLink;
  expect(failed).toEqual({ token: null, mailedTo: null, mailFailed: true });
  await mailing.stop();
});

test('a link that replaced one whose mail failed is shown to nobody', async () => {
  const query = 'mutation ($id: ID!) { makeSignInLink(userId: $id) { token mailFailed } }';
  let newer = '';
  const send = async () => {
    newer = (await makeLink(server.database.drizzle, server.clock, person, 'invite')).token;
    throw new Error('550 no');
  };
  const mailing = await startTestApp({
    beside: server,
    env: { PUBLIC_URL: 'https://staff.example.test' },
    parts: { mail: { configured: true, send } },
  });
  const { data } = await mailing.gql(keeper, query, { id: person });
  expect(data.makeSignInLink).toEqual({ token: null, mailFailed: true });
  const { rows } = await server.database.pool.query('select shown_to from account_links where person_id = $1', [
    person,
  ]);
  expect(rows).toEqual([{ shown_to: null }]);
  expect((await use(newer)).statusCode).toBe(200);
  await mailing.stop();
});

test('an account gets ten links in an hour', async () => {
  for (let made = 0; made < 10; made += 1) expect((await make()).data.makeSignInLink.token).not.toBeNull();
  expect((await make()).code).toBe('TOO_MANY_ATTEMPTS');
  server.clock.advance({ minutes: 61 });
  keeper = await server.signIn(keeperId);
  expect((await make()).data.makeSignInLink.token).not.toBeNull();
});

test('a link that a manager saw stops working once the account opens more than they hold', async () => {
  const [shown, invited] = [await tokenFor(), await tokenFor()];
  await server.database.pool.query(`update people set grants = '{VIEW_SALES}' where id = $1`, [person]);
  for (const token of [shown, invited]) expect((await use(token)).statusCode).toBe(403);
  const admin = await server.signIn(await server.person({ role: 'admin' }));
  const query = 'mutation ($id: ID!) { makeSignInLink(userId: $id) { token } }';
  const { token } = (await server.gql(admin, query, { id: person })).data.makeSignInLink;
  expect((await use(token)).statusCode).toBe(200);
});

const opens = async (token: string) => (await post('/api/auth/link', { token })).statusCode === 200;
const ownPassword = 'walnut harbor sixteen';
/** Another user manager, who signs in with a password. */
const otherKeeper = async (email: string) => {
  const id = await server.person({ email, role: 'Keeper', passwordHash: await hashPassword(ownPassword) });
  const token = (await login(email, ownPassword)).json().token as string;
  const link = 'mutation ($id: ID!) { makeSignInLink(userId: $id) { token } }';
  const seen = async () => (await server.gql(token, link, { id: person })).data.makeSignInLink.token as string;
  return { id, token, seen };
};

test('links that someone saw end with their sessions: after a new password, signing out everywhere and disabling', async () => {
  const admin = await server.signIn(await server.person({ role: 'admin' }));
  const post = (url: string, token: string, payload: object) =>
    server.call({ method: 'POST', url, payload, headers: { authorization: `Bearer ${token}` } });
  const ends: ((maker: { id: string; token: string }) => Promise<unknown>)[] = [
    ({ token }) =>
      post('/api/auth/change-password', token, { current: ownPassword, password: 'another walnut harbor' }),
    ({ token }) => server.gql(token, 'mutation { signOutEverywhere(also: ["links"]) { token } }'),
    ({ id }) => server.gql(admin, 'mutation ($id: ID!) { endUserSessions(userId: $id) }', { id }),
    ({ id }) =>
      server.gql(admin, 'mutation ($id: ID!) { setUserDisabled(userId: $id, disabled: true) { id } }', { id }),
  ];
  for (const [at, end] of ends.entries()) {
    const maker = await otherKeeper(`maker${at}@links.test`);
    const token = await maker.seen();
    expect(await opens(token)).toBe(true);
    await end(maker);
    expect([at, await opens(token), (await use(token)).statusCode]).toEqual([at, false, 403]);
    await server.gql(admin, 'mutation ($id: ID!) { setUserDisabled(userId: $id, disabled: false) { id } }', maker);
    expect([at, await opens(token)]).toEqual([at, false]);
  }
});

test('nobody sees a link for themselves or changes their own address: a copied session would set a password', async () => {
  const admin = await server.person({ role: 'admin' });
  const { id, token } = await otherKeeper('own@links.test');
  for (const [own, session] of [
    [id, token],
    [admin, await server.signIn(admin)],
  ] as const) {
    const link = await server.gql(session, 'mutation ($id: ID!) { makeSignInLink(userId: $id) { token } }', {
      id: own,
    });
    expect(link.errors?.[0]?.message).toContain('in My account');
    const { data } = await server.gql(session, 'query ($id: ID!) { managedUser(userId: $id) { version } }', {
      id: own,
    });
    const change =
      'mutation ($id: ID!, $version: String!) { updateUser(userId: $id, version: $version, email: "t@t.test") { id } }';
    const changed = await server.gql(session, change, { id: own, version: data.managedUser.version });
    expect([changed.code, changed.errors?.[0]?.extensions.field]).toEqual(['FORBIDDEN', 'email']);
  }
});

test('a manager who uses S.T.A.R.T hands the link to a new hire who gets it too, until the account has tasks', async () => {
  const hr = await server.person({ role: 'HR', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT', 'VIEW_TOP_5'] });
  keeper = await server.signIn(hr);
  const hire = 'mutation { createUser(email: "hire@example.test", role: "HR", top5: true) { id } }';
  const { id } = (await server.gql(keeper, hire)).data.createUser;
  const token = await tokenFor(id);
  expect((await post('/api/auth/link', { token })).statusCode).toBe(200);
  await prepareTask(server.database, { ownerId: id, sprintId: await server.sprint() });
  expect((await use(token)).statusCode).toBe(403);
  expect((await make(id)).errors?.[0]?.message).toContain('tasks that you can’t see');
});

test('an account stays one that somebody uses when its way in is taken away', async () => {
  const used = await server.person({ email: `used${made}@example.test` });
  await server.database.pool.query(
    "insert into identities (issuer, subject, person_id, connected_at) values ('https://id.example.test', $1, $2, now())",
    [`subject ${used}`, used],
  );
  const { waysIn } = (
    await server.gql(keeper, 'query ($id: ID!) { managedUser(userId: $id) { waysIn { identities { id } } } }', {
      id: used,
    })
  ).data.managedUser;
  const remove =
    'mutation ($id: ID!, $way: ID!) { removeWayIn(userId: $id, kind: "identity", id: $way) { reachRefusal } }';
  const { data } = await server.gql(keeper, remove, { id: used, way: waysIn.identities[0].id });
  expect(data.removeWayIn.reachRefusal).toContain('only an admin');
  expect((await make(used)).code).toBe('FORBIDDEN');
});
