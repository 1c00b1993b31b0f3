// Changing and resetting the password, through a real mail server.
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { guessLanes } from '#core/access/guess-limits.ts';
import { linkByEmail } from '#server/people/account-commands.service.ts';
import { tokenHash } from '#server/platform/viewer.ts';
import { startTestApp, type TestApp, wednesday } from '../../../../test/app.ts';
import { type MailServer, startMailServer } from '../../../../test/mail-server.ts';
import { makeLink } from './account-links.service.ts';
import { countGuess } from './guess-limits.ts';
import { mailsSent, sendPasswordLink } from './password-changes.service.ts';
import { hashPassword } from './passwords.ts';

const password = 'correct horse battery';
const next = 'walnut meadow copper tide';
let mails: MailServer;
let server: TestApp;
let person: string;

beforeAll(async () => {
  mails = await startMailServer();
  server = await startTestApp({
    env: { SMTP_URL: mails.url, MAIL_FROM: 'dashboard@example.test', PUBLIC_URL: 'http://127.0.0.1:9' },
  });
});
afterAll(async () => {
  await server.stop();
  await mails.stop();
});
let count = 0;
let email: string;
beforeEach(async () => {
  server.clock.set(wednesday);
  await server.database.pool.query('truncate sign_in_failures');
  mails.mails.length = 0;
  mails.refuse(null);
  count += 1;
  email = `cat${count}@example.test`;
  person = await server.person({ email, passwordHash: await hashPassword(password) });
});

const post = (url: string, payload: object, token?: string) =>
  server.call({
    method: 'POST',
    url,
    payload,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
const forgot = async (address: string) => {
  const response = await post('/api/auth/forgot', { email: address });
  await mailsSent();
  return response;
};
const linkIn = (text = ''): string =>
  /#(?:reset|invite)=([\w-]{43})/.exec(text.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[1] ?? '';
const linksOf = async () =>
  (await server.database.pool.query('select 1 from account_links where person_id = $1', [person])).rowCount;
const signIn = async (secret: string) => (await post('/api/auth/login', { email, password: secret })).statusCode;

test('the answer is the same for an address that nobody has, a disabled account and one without password', async () => {
  const disabled = `disabled${count}@example.test`;
  await server.person({ email: disabled, passwordHash: 'x' });
  await server.database.pool.query('update people set disabled_at = now() where email = $1', [disabled]);
  const provided = await server.person({ email: `provided${count}@example.test` });
  await server.database.pool.query(
    `insert into identities (issuer, subject, person_id, connected_at) values ('https://id.test/', $1, $2, now())`,
    [`s${count}`, provided],
  );
  const answers = [];
  for (const address of [email, `nobody${count}@example.test`, disabled, `provided${count}@example.test`]) {
    const { statusCode, body } = await forgot(address);
    answers.push([statusCode, body]);
  }
  expect(new Set(answers.map(String))).toEqual(new Set(['200,{"mails":true}']));
  expect(mails.mails.map(({ to }) => to[0])).toEqual([email, `provided${count}@example.test`]);
  // People who sign in with the provider are told so, without a link.
  expect(linkIn(mails.mails[1]?.text)).toBe('');
});

test('a forgotten password: the link in the mail sets a new one, once, and ends every session', async () => {
  const session = await server.signIn(person);
  expect((await forgot(email.toUpperCase())).json()).toEqual({ mails: true });
  const token = linkIn(mails.mails[0]?.text);
  expect((await post('/api/auth/password', { token, password: next })).statusCode).toBe(200);
  expect(await signIn(next)).toBe(200);
  expect(await signIn(password)).toBe(401);
  const user = await server.call({ url: '/api/auth/user', headers: { authorization: `Bearer ${session}` } });
  expect(user.statusCode).toBe(401);
  const again = await post('/api/auth/password', { token, password: 'another meadow copper tide' });
  expect([again.statusCode, again.json().error.code]).toEqual([403, 'LINK_EXPIRED']);
});

test('an account without a password keeps its invitation, and is mailed no link', async () => {
  const invited = `invited${count}@example.test`;
  const id = await server.person({ email: invited });
  const { token } = await makeLink(server.database.drizzle, server.clock, id, 'invite');
  expect((await forgot(invited)).json()).toEqual({ mails: true });
  expect(mails.mails.map(({ to, text }) => [to[0], linkIn(text)])).toEqual([[invited, '']]);
  expect(mails.mails[0]?.text).toContain('ask an admin for a new one');
  server.clock.set(server.clock.now().add({ hours: 24 }));
  expect((await post('/api/auth/link', { token })).statusCode).toBe(200);
  expect((await post('/api/auth/password', { token, password: next })).statusCode).toBe(200);
});

test('a stranger’s “Forgot password?” leaves a link that somebody handed over usable', async () => {
  const keeper = await server.person({ role: 'admin' });
  const operator = { ...server.parts, requestId: 'test', address: 'command', viewer: null };
  const { drizzle } = server.database;
  const handOver = [
    () => makeLink(drizzle, server.clock, person, 'reset', { shownTo: keeper }),
    () => linkByEmail(operator, email),
  ];
  for (const make of handOver) {
    mails.mails.length = 0;
    const { token } = await make();
    await forgot(email);
    expect(mails.mails.map(({ text }) => linkIn(text))).toEqual(['']);
    expect(mails.mails[0]?.text).toContain('You already have a one-time link to set your password.');
    expect((await post('/api/auth/link', { token })).statusCode).toBe(200);
  }
  // An expired link locks nobody out.
  server.clock.set(server.clock.now().add({ hours: 24 }));
  mails.mails.length = 0;
  await forgot(email);
  expect((await post('/api/auth/link', { token: linkIn(mails.mails[0]?.text) })).statusCode).toBe(200);
});

test('a link that an operator prints is told to the person', async () => {
  await linkByEmail({ ...server.parts, requestId: 'test', address: 'command', viewer: null }, email);
  const { rows } = await server.database.pool.query(
    `select facts->>'event' as event from notices where person_id = $1`,
    [person],
  );
  expect(rows).toEqual([{ event: 'linkCreated' }]);
});

test('somebody who signs in with a passkey alone is told so', async () => {
  const id = await server.person({ email: 'passkey@example.test' });
  await server.database.pool.query(
    `insert into passkeys (person_id, credential_id, public_key, counter, transports, name, device_type, backed_up, aaguid, created_at)
     values ($1, 'x', 'x', 0, '{}', 'Laptop', 'singleDevice', false, '', now())`,
    [id],
  );
  await forgot('passkey@example.test');
  expect(mails.mails[0]?.text).toContain('Your account has no password. Sign in with your passkey.');
});

test('the answer to a forgotten password comes before anybody is looked up, and what waits is bounded', async () => {
  const unknown = `nobody${count}@example.test`;
  const answers = () =>
    Promise.all(
      [email, unknown].map(async (address) => (await post('/api/auth/forgot', { email: address })).statusCode),
    );
  const holder = new pg.Client(server.databaseUrl);
  await holder.connect();
  await holder.query('begin; lock table people in access exclusive mode');
  try {
    expect(await answers()).toEqual([200, 200]);
    expect(mails.mails).toEqual([]);
    const caller = { address: '127.0.0.1', agent: undefined, requestId: 'test' };
    for (let waiting = 0; waiting < 510; waiting++) sendPasswordLink(server.parts, unknown, caller);
    expect(await answers()).toEqual([429, 429]);
  } finally {
    await holder.end();
  }
  await mailsSent();
  expect(mails.mails.map(({ to }) => to[0])).toEqual([email]);
});

test('the link of a forgotten password expires after an hour, and a newer one ends it', async () => {
  await forgot(email);
  await forgot(email);
  const [first, second] = mails.mails.map(({ text }) => linkIn(text));
  expect((await post('/api/auth/link', { token: first })).json().error.code).toBe('LINK_EXPIRED');
  expect((await post('/api/auth/link', { token: second })).statusCode).toBe(200);
  server.clock.set(server.clock.now().add({ minutes: 60 }));
  expect((await post('/api/auth/link', { token: second })).json().error.code).toBe('LINK_EXPIRED');
});

test('a mailbox that is full leaves no link behind, and the next request sends one', async () => {
  mails.refuse({ at: 'recipient', code: 552, text: 'Mailbox full' });
  expect((await forgot(email)).json()).toEqual({ mails: true });
  expect(await linksOf()).toBe(0);
  mails.refuse(null);
  await forgot(email);
  expect(mails.mails).toHaveLength(1);
  expect(await linksOf()).toBe(1);
});

test('an address that asked for many accounts delays nobody who signed in from it before, except for their own', async () => {
  await post('/api/auth/login', { email, password, device: '' });
  for (let index = 0; index < guessLanes.address.free; index += 1)
    await countGuess(server.parts, {
      purpose: 'forgotten',
      account: `made-up${index}@example.test`,
      address: '127.0.0.1',
    });
  expect((await forgot(`nobody${count}@example.test`)).statusCode).toBe(429);
  for (let asked = 0; asked < guessLanes.own.free; asked += 1) expect((await forgot(email)).statusCode).toBe(200);
  expect((await forgot(email)).statusCode).toBe(429);
});

test('asking again and again makes the next request wait, for known and unknown addresses alike', async () => {
  const statuses = async (address: string) => {
    const list = [];
    for (let asked = 0; asked < 8; asked++) list.push((await forgot(address)).statusCode);
    return list;
  };
  const known = await statuses(email);
  expect(known).toContain(429);
  expect(await statuses(`nobody-else${count}@example.test`)).toEqual(known);
  expect(mails.mails.length).toBe(known.filter((status) => status === 200).length);
});

test('without a mail server the answer says so, and no link is made', async () => {
  const plain = await startTestApp({ beside: server });
  const response = await plain.call({ method: 'POST', url: '/api/auth/forgot', payload: { email } });
  expect(response.json()).toEqual({ mails: false });
  expect(await linksOf()).toBe(0);
  await plain.stop();
});

test('a session that was just confirmed changes no password without the current one', async () => {
  const { token } = (await post('/api/auth/confirm', { password }, await server.signIn(person))).json();
  const codes = [];
  for (const proof of [{}, { current: 'wrong' }, { current: password, passkey: {} }]) {
    const { statusCode, ...answer } = await post('/api/auth/change-password', { password: next, ...proof }, token);
    codes.push([statusCode, answer.json().error.code]);
  }
  expect(codes).toEqual([
    [400, 'BAD_INPUT'],
    [403, 'WRONG_PROOF'],
    [400, 'BAD_INPUT'],
  ]);
  expect(await signIn(password)).toBe(200);
});

test('a stolen token that asks for new passwords keeps its owner out of nothing', async () => {
  const { device } = (await post('/api/auth/login', { email, password, device: '' })).json();
  const [stolen, own] = [await server.signIn(person), await server.signIn(person)];
  const guess = () => post('/api/auth/change-password', { password: next, current: 'a wrong one' }, stolen);
  const guesses = Array.from({ length: 20 }, guess);
  const owners = [
    post('/api/auth/login', { email, password, device }),
    post('/api/auth/confirm', { password }, own),
  ].map(async (answer) => (await answer).statusCode);
  expect(await Promise.all(owners)).toEqual([200, 200]);
  const statuses = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(10);
  expect(new Set(statuses)).toEqual(new Set([403, 429]));
});

test('a changed password ends the other sessions and an open link; the one that asked goes on with a new token', async () => {
  const [own, other] = [await server.signIn(person), await server.signIn(person)];
  await forgot(email);
  const weak = { password: 'password12345678', current: password };
  expect((await post('/api/auth/change-password', weak, own)).statusCode).toBe(400);
  const same = (await post('/api/auth/change-password', { password, current: password }, own)).json();
  expect(same.error.message).toBe('This is your current password. Choose a different one');
  const changed = (await post('/api/auth/change-password', { password: next, current: password }, own)).json();
  expect(changed).toEqual({ changed: true, token: expect.stringMatching(/^[\w-]{43}$/) });
  const statusOf = async (token: string) =>
    (await server.call({ url: '/api/auth/user', headers: { authorization: `Bearer ${token}` } })).statusCode;
  // The requesting token may be the copied one.
  expect([await statusOf(changed.token), await statusOf(own), await statusOf(other)]).toEqual([200, 401, 401]);
  expect(await linksOf()).toBe(0);
  expect([await signIn(password), await signIn(next)]).toEqual([401, 200]);
  const { rows } = await server.database.pool.query(
    `select facts->>'event' as event, mail_at is not null as mailed from notices where person_id = $1`,
    [person],
  );
  expect(rows).toEqual([{ event: 'passwordChanged', mailed: true }]);
});

test('a new email address is told to the one before', async () => {
  const admin = await server.signIn(await server.person({ role: 'admin' }));
  const { data } = await server.gql(admin, 'query ($id: ID!) { managedUser(userId: $id) { version } }', { id: person });
  await server.gql(
    admin,
    'mutation ($id: ID!, $v: String!, $e: String) { updateUser(userId: $id, version: $v, email: $e) { id } }',
    { id: person, v: data.managedUser.version, e: `new${count}@example.test` },
  );
  const { rows } = await server.database.pool.query(
    'select m.to_address from notice_mails m join notices n on n.mail_id = m.id where n.person_id = $1',
    [person],
  );
  expect(rows).toEqual([{ to_address: email }]);
});

test('a session that is ended while it changes the password changes nothing', async () => {
  const [stolen, own] = [await server.signIn(person), await server.signIn(person)];
  const client = await server.database.pool.connect();
  await client.query('begin');
  await client.query('select from people where id = $1 for update', [person]);
  const changing = post('/api/auth/change-password', { password: next, current: password }, stolen);
  const isWaiting = async () =>
    (await server.asOwner("select from pg_stat_activity where wait_event_type = 'Lock' and query like '%from people%'"))
      .length > 0;
  while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 5));
  await client.query('delete from sessions where person_id = $1 and token_hash = $2', [person, tokenHash(stolen)]);
  await client.query('commit');
  client.release();
  expect((await changing).statusCode).toBe(401);
  expect((await post('/api/auth/login', { email, password })).statusCode).toBe(200);
  expect((await server.gql(own, '{ myAccount { password { set } } }')).code).toBeNull();
});
