import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { inNumberTurn } from './number-turns.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.stop());

test('more than two hundred questions that wait are told to come back, in words for people', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = Array.from({ length: 204 }, () => inNumberTurn('eager', () => promise));
  const ended = Promise.allSettled(asked);
  await expect(asked.at(-1)).rejects.toMatchObject({
    refusal: { code: 'TOO_MANY_ATTEMPTS', message: expect.stringContaining('too many numbers at once') },
  });
  resolve();
  expect((await ended).filter(({ status }) => status === 'fulfilled')).toHaveLength(203);
});

test('one person’s numbers are read three at a time, in order, and another person’s beside them', async () => {
  const { reader } = server.parts;
  const read = reader.read.bind(reader);
  let running = 0;
  let most = 0;
  (reader as { read: typeof reader.read }).read = async (work) => {
    running += 1;
    most = Math.max(most, running);
    await sleep(10);
    return read(work).finally(() => {
      running -= 1;
    });
  };
  const asking = async () =>
    server.signIn(
      await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_CONNECT_SALES', 'READ_BGP'] }),
    );
  const number =
    'numbers(dataset: "orders", scope: "connect", metrics: ["gross"], from: "2026-11-01", to: "2026-12-01") { totals }';
  const query = (day: number) =>
    `{ ${Array.from({ length: 8 }, (_, index) => `n${index}: ${number.replace('11-01', `11-${10 + day}`)}`).join(' ')} }`;
  const ask = (token: string) => Array.from({ length: 6 }, (_, day) => server.gql(token, query(day)));
  const [one, other] = [await asking(), await asking()];
  const own = await Promise.all(ask(one));
  expect(own.map(({ code }) => code)).toEqual(own.map(() => null));
  expect(most).toBeLessThanOrEqual(3);
  await Promise.all([...ask(one), ...ask(other)]);
  expect(most).toBeGreaterThan(3);
  expect(most).toBeLessThanOrEqual(6);
});
