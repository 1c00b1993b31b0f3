import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tokenHash } from '#server/platform/viewer.ts';
import { startTestApp, type TestApp, wednesday } from '../../../../test/app.ts';
import { hashPassword } from './passwords.ts';
import { requireRecentProof } from './recent-proof.ts';

const password = 'correct horse battery';
let server: TestApp;
let person: string;

beforeAll(async () => {
  server = await startTestApp();
  person = await server.person({ email: 'cat@example.test', passwordHash: await hashPassword(password) });
});
afterAll(() => server.stop());
beforeEach(async () => {
  server.clock.set(wednesday);
  await server.database.pool.query('truncate sign_in_failures');
});

const confirm = (token: string | null, secret: string) =>
  server.call({
    method: 'POST',
    url: '/api/auth/confirm',
    payload: { password: secret },
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
const codeAfter = async (token: string): Promise<string | undefined> => {
  const { database, clock } = server.parts;
  return requireRecentProof({ database, clock, session: tokenHash(token) }).then(
    () => undefined,
    ({ refusal }) => refusal.code,
  );
};
const later = (minutes: number) => server.clock.set(server.clock.now().add({ minutes }));

test('a wrong password confirms nothing, nor does the right one without a session', async () => {
  const token = await server.signIn(person);
  later(11);
  const wrong = await confirm(token, 'wrong');
  expect([wrong.statusCode, wrong.json().error.code]).toEqual([403, 'WRONG_PROOF']);
  expect(await codeAfter(token)).toBe('CONFIRM_IDENTITY');
  expect((await confirm(null, password)).statusCode).toBe(401);
});

test('a session is proof enough for ten minutes, and again for ten after its person confirmed', async () => {
  const token = await server.signIn(person);
  later(9);
  expect(await codeAfter(token)).toBeUndefined();
  later(1);
  expect(await codeAfter(token)).toBe('CONFIRM_IDENTITY');
  const { token: renewed, ...answer } = (await confirm(token, password)).json();
  expect(answer).toEqual({ confirmed: true });
  later(9);
  expect(await codeAfter(renewed)).toBeUndefined();
  later(1);
  expect(await codeAfter(renewed)).toBe('CONFIRM_IDENTITY');
});

test('a copy of the token is worth nothing once its owner confirmed', async () => {
  const stolen = await server.signIn(person);
  later(11);
  const { token } = (await confirm(stolen, password)).json();
  const statusOf = async (bearer: string) =>
    (await server.call({ url: '/api/auth/user', headers: { authorization: `Bearer ${bearer}` } })).statusCode;
  expect([await statusOf(stolen), await statusOf(token)]).toEqual([401, 200]);
  expect(await codeAfter(stolen)).toBe('NOT_SIGNED_IN');
  expect((await confirm(stolen, password)).statusCode).toBe(401);
});

test('of two confirmations at once with one token, one continues the session and the other is asked to sign in', async () => {
  const token = await server.signIn(person);
  const answers = await Promise.all([confirm(token, password), confirm(token, password)]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
  const kept = answers.find(({ statusCode }) => statusCode === 200)?.json().token;
  expect(await codeAfter(kept)).toBeUndefined();
});

test('a session that has ended proves nothing', async () => {
  const token = await server.signIn(person);
  later(60);
  expect(await codeAfter(token)).toBe('NOT_SIGNED_IN');
});

test('wrong passwords make the session wait: a stolen token guesses no faster than a sign-in', async () => {
  const token = await server.signIn(person);
  for (let count = 0; count < 5; count++) await confirm(token, 'wrong');
  const refused = await confirm(token, password);
  expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
});

test('one person’s confirmation says nothing for another session of theirs', async () => {
  const [one, other] = [await server.signIn(person), await server.signIn(person)];
  later(11);
  const { token } = (await confirm(one, password)).json();
  expect(await codeAfter(token)).toBeUndefined();
  expect(await codeAfter(other)).toBe('CONFIRM_IDENTITY');
});

test('the log of the account has the confirmation and the failure, with where they came from', async () => {
  await server.database.pool.query('delete from account_events');
  const token = await server.signIn(person);
  await confirm(token, 'wrong');
  await confirm(token, password);
  const { rows } = await server.database.pool.query('select kind, address, actor_id from account_events order by id');
  expect(rows).toEqual([
    { kind: 'confirmFailed', address: '127.0.0.1', actor_id: null },
    { kind: 'confirmed', address: '127.0.0.1', actor_id: null },
  ]);
});

test('a confirmation is logged once while its proof lasts, however often it is repeated', async () => {
  await server.database.pool.query('delete from account_events');
  let token = await server.signIn(person);
  const again = async () => {
    token = (await confirm(token, password)).json().token;
  };
  const logged = async () => {
    const { rows } = await server.database.pool.query(
      `select (select count(*)::int from audit_log where action = 'identityConfirmed' and actor_id = $1) as audit,
        (select count(*)::int from account_events where kind = 'confirmed') as events`,
      [person],
    );
    return rows[0];
  };
  const { audit } = await logged();
  later(1);
  for (const _ of [1, 2, 3]) await again();
  expect(await logged()).toEqual({ audit: audit + 1, events: 1 });
  later(11);
  await again();
  expect(await logged()).toEqual({ audit: audit + 2, events: 2 });
});

test('an account with many sessions keeps nobody else from confirming or signing in at a known browser', async () => {
  const sessions = await Promise.all(Array.from({ length: 40 }, () => server.signIn(person)));
  const other = await server.person({ email: 'bert@example.test', passwordHash: await hashPassword(password) });
  const signIn = (device: string) =>
    server.call({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: 'bert@example.test', password, device },
    });
  const { device } = (await signIn('')).json();
  const bert = await server.signIn(other);
  let flooded = 0;
  const flood = sessions.map(async (token) => {
    const { statusCode } = await confirm(token, password);
    flooded += 1;
    return statusCode;
  });
  const answers = await Promise.all([confirm(bert, password), signIn(device)]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(flooded).toBeLessThan(20);
  expect(await Promise.all(flood)).toEqual(sessions.map(() => 200));
});
