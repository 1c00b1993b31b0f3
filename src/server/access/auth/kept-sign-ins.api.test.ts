import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { removeEndedFlows } from '../single-sign-on/single-sign-on.service.ts';
import { removeEnded } from './auth.service.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const countOf = async (table: string) =>
  Number((await app.database.pool.query(`select count(*) as count from ${table}`)).rows[0].count);

it('a session is kept for a day after its end, and no longer', async () => {
  const person = await app.person();
  await app.signIn(person);
  app.clock.advance({ hours: 24 });
  await app.signIn(person);
  await removeEnded(app.parts);
  expect(await countOf('sessions')).toBe(2);
  app.clock.advance({ hours: 1, minutes: 1 });
  await removeEnded(app.parts);
  expect(await countOf('sessions')).toBe(1);
});

it('a wrong sign-in is kept for as long as it counts', async () => {
  await app.call({ method: 'POST', url: '/api/auth/login', payload: { email: 'nobody@example.test', password: 'x' } });
  const kept = await countOf('sign_in_failures');
  app.clock.advance({ hours: 23, minutes: 59 });
  await removeEnded(app.parts);
  expect([kept > 0, await countOf('sign_in_failures')]).toEqual([true, kept]);
  app.clock.advance({ minutes: 2 });
  await removeEnded(app.parts);
  expect(await countOf('sign_in_failures')).toBe(0);
});

it('a sign-in at the provider that nobody went on with goes with its end', async () => {
  await app.database.pool.query(
    "insert into sign_in_flows (key_hash, state, nonce, verifier, address_key, created_at, expires_at) values ('x', 's', 'n', 'v', 'a', $1, $1)",
    [app.clock.now().add({ minutes: 10 }).toString()],
  );
  await removeEndedFlows(app.parts);
  expect(await countOf('sign_in_flows')).toBe(1);
  app.clock.advance({ minutes: 11 });
  await removeEndedFlows(app.parts);
  expect(await countOf('sign_in_flows')).toBe(0);
});
