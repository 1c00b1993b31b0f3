// Wrong passwords, from one place and from many, alongside the right person (security review, row 7).
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { guessLanes, mostGuesses, secondsToWait } from '#core/access/guess-limits.ts';
import { createLog } from '#server/platform/log/log.ts';
import { startTestApp, type TestApp, wednesday } from '../../../../test/app.ts';
import { assertMayGuess, countGuess } from './guess-limits.ts';
import { mostKnownDevices } from './known-devices.ts';
import { hashPassword } from './passwords.ts';

const password = 'correct horse battery';
const email = 'ada@example.test';
const { own, account, address } = guessLanes;
let server: TestApp;
let second: TestApp;
let ada: string;

beforeAll(async () => {
  server = await startTestApp();
  second = await startTestApp({ beside: server });
  const passwordHash = await hashPassword(password);
  ada = await server.person({ email, passwordHash });
  await server.person({ email: 'ben@example.test', passwordHash });
});
afterAll(async () => {
  await second.stop();
  await server.stop();
});
beforeEach(async () => {
  server.clock.set(wednesday);
  await server.database.pool.query('truncate sign_in_failures, known_devices');
});

type Login = { email?: string; password?: string; from?: string; device?: string; at?: TestApp };
const login = ({ from = '192.0.2.1', at = server, ...body }: Login) =>
  at.call({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email, password, ...body },
    remoteAddress: from,
  });
const wrong = (more: Login = {}) => login({ password: 'wrong', ...more });
const status = async (asked: ReturnType<typeof login>) => (await asked).statusCode;

/** Adds wrong guesses without the cost of a hash each. */
async function guessWrong(times: number, guess: { email?: string; from: (index: number) => string }): Promise<void> {
  for (let index = 0; index < times; index += 1)
    await countGuess(server.parts, {
      purpose: 'password',
      account: guess.email ?? email,
      address: guess.from(index),
    }).catch(() => {});
}

test('spellings that the database takes for one email share their guesses', async () => {
  const ivi = 'ivi@example.test';
  await server.person({ email: ivi, passwordHash: await hashPassword(password) });
  expect(await status(login({ email: 'İVI@example.test' }))).toBe(200);
  for (let attempt = 0; attempt < own.free; attempt += 1) expect(await status(wrong({ email: ivi }))).toBe(401);
  for (const other of ['İvi@example.test', 'ivİ@example.test', 'IVI@example.test'])
    expect(await status(login({ email: other }))).toBe(429);
});

test('after five wrong passwords the next waits, a little longer each time, and is told how long', async () => {
  for (let attempt = 0; attempt < own.free; attempt += 1) expect(await status(wrong())).toBe(401);
  for (const seconds of [5, 10, 20, 40]) {
    const barred = await login({});
    expect([barred.statusCode, barred.headers['retry-after']]).toEqual([429, String(seconds)]);
    expect(barred.json().error).toEqual({
      code: 'TOO_MANY_ATTEMPTS',
      message: `Too many attempts. Try again in ${seconds} seconds`,
    });
    server.clock.advance({ seconds });
    expect(await status(wrong())).toBe(401);
  }
  server.clock.advance({ seconds: 80 });
  expect(await status(login({}))).toBe(200);
  expect(await status(wrong())).toBe(401);
  expect(await status(login({}))).toBe(200);
});

test('wrong passwords from elsewhere never keep the right person out', async () => {
  await guessWrong(own.free + 5, { from: () => '198.51.100.7' });
  expect(await status(wrong({ from: '198.51.100.7' }))).toBe(429);
  expect(await status(login({ from: '192.0.2.1' }))).toBe(200);
});

test('a browser that signed in before never waits for what strangers guess, wherever they and it are', async () => {
  const { device } = (await login({ device: '' })).json();
  expect(device).toMatch(/^[\w-]{43}$/);
  await guessWrong(account.free + 1, { from: (index) => `203.0.113.${index}` });
  await guessWrong(own.free + 1, { from: () => '198.51.100.7' });
  expect(await status(login({ from: '198.51.100.7' }))).toBe(429);
  expect(await status(login({ from: '198.51.100.8' }))).toBe(429);
  for (const from of ['198.51.100.7', '198.51.100.8'])
    expect((await login({ from, device })).json()).toMatchObject({ device });
});

test('an address the person signed in from before does not wait for what strangers guess elsewhere', async () => {
  await login({ device: '', from: '192.0.2.44' });
  await guessWrong(account.free + 1, { from: (index) => `203.0.113.${index}` });
  expect(await status(login({ from: '192.0.2.45' }))).toBe(429);
  expect(await status(login({ from: '192.0.2.44' }))).toBe(200);
});

test('a known browser has its own allowance, for its own person only', async () => {
  const { device } = (await login({ device: '' })).json();
  for (let attempt = 0; attempt < own.free; attempt += 1) expect(await status(wrong({ device }))).toBe(401);
  expect(await status(login({ device }))).toBe(429);
  expect(await status(login({}))).toBe(200);
  await guessWrong(own.free, { email: 'ben@example.test', from: () => '192.0.2.1' });
  expect(await status(login({ email: 'ben@example.test', device }))).toBe(429);
  expect(await status(login({ email: 'ben@example.test', device, from: '192.0.2.9' }))).toBe(200);
});

test('a token nobody was given is no known browser and is not kept', async () => {
  await guessWrong(own.free, { from: () => '192.0.2.1' });
  const invented = 'x'.repeat(43);
  expect(await status(login({ device: invented }))).toBe(429);
  const { device } = (await login({ device: invented, from: '192.0.2.2' })).json();
  expect(device).not.toBe(invented);
  expect((await login({ device: 'short' })).json().error).toMatchObject({ code: 'BAD_INPUT', field: 'device' });
});

test('a person has twenty known browsers at most, and a script that asks for none keeps none', async () => {
  const devices: string[] = [];
  for (let index = 0; index < mostKnownDevices + 2; index += 1) {
    server.clock.advance({ minutes: 1 });
    devices.push((await login({ device: '' })).json().device);
  }
  expect(Object.keys((await login({})).json())).toEqual(['token']);
  const { rows } = await server.database.pool.query('select token_hash from known_devices where person_id = $1', [ada]);
  expect(rows).toHaveLength(mostKnownDevices);
  expect(JSON.stringify(rows)).not.toContain(devices.at(-1));
});

test('of thirty guesses at once on two servers as many are looked at as of guesses one by one', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => wrong({ at: index % 2 === 0 ? server : second })),
  );
  expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(own.free);
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(30 - own.free);
});

test('of a thousand guesses within an hour, half of them from one address each, a bounded number is looked at', async () => {
  const looked = { one: 0, many: 0 };
  const hosts = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  const guessed = async (index: number) => {
    const from = index % 2 ? '192.0.2.1' : hosts(index);
    const guess = { purpose: 'password', account: email, address: from } as const;
    try {
      await assertMayGuess(server.parts, guess);
      await countGuess(server.parts, guess);
      looked[index % 2 ? 'one' : 'many'] += 1;
    } catch (error) {
      expect(error).toMatchObject({ refusal: { code: 'TOO_MANY_ATTEMPTS' } });
    }
  };
  for (let index = 0; index < 1_000; index += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, more) => guessed(index + more)));
    server.clock.advance({ minutes: 3 });
  }
  expect(looked.one + looked.many).toBeLessThanOrEqual(mostGuesses(account, 1));
  expect(looked.one).toBeLessThanOrEqual(mostGuesses(own, 1));
  expect(looked.many).toBeGreaterThan(0);
  const { rows } = await server.database.pool.query('select count(*)::int as rows from sign_in_failures');
  expect(rows[0].rows).toBe(3 * (looked.one + looked.many));
});

test('one address that tries many accounts waits, an IPv6 network as a whole, and nobody else does', async () => {
  for (let index = 0; index < address.free; index += 1)
    await countGuess(server.parts, {
      purpose: 'password',
      account: `nobody${index}@example.test`,
      address: `2001:db8:1:2::${index}`,
    });
  const barred = await login({ from: '2001:db8:1:2:ffff::9' });
  expect([barred.statusCode, barred.headers['retry-after']]).toEqual([429, String(address.firstSeconds)]);
  expect(await status(login({ from: '2001:db8:1:3::1' }))).toBe(200);
});

test('an address that tried many accounts delays nobody who signed in from it before, and guesses at them wait', async () => {
  const from = '192.0.2.44';
  await login({ device: '', from });
  for (let index = 0; index < address.free; index += 1)
    await countGuess(server.parts, { purpose: 'password', account: `nobody${index}@example.test`, address: from });
  expect(await status(login({ email: 'ben@example.test', from }))).toBe(429);
  expect(await status(login({ from }))).toBe(200);
  for (let attempt = 0; attempt < own.free; attempt += 1) expect(await status(wrong({ from }))).toBe(401);
  expect(await status(login({ from }))).toBe(429);
});

test('a right password forgives wrong ones from its own place only, and wrong codes are counted by themselves', async () => {
  await guessWrong(own.free, { from: () => '198.51.100.7' });
  expect(await status(login({}))).toBe(200);
  expect(await status(login({ from: '198.51.100.7' }))).toBe(429);
  const code = { purpose: 'code', account: ada, address: '198.51.100.7' } as const;
  for (let index = 0; index < own.free; index += 1) await countGuess(server.parts, code);
  await expect(countGuess(server.parts, code)).rejects.toMatchObject({
    refusal: { code: 'TOO_MANY_ATTEMPTS' },
    retryAfter: secondsToWait(own, own.free),
  });
  expect(await status(login({}))).toBe(200);
});

test('a proxy that TRUSTED_PROXIES does not name is said in the log, once a minute at most', async () => {
  let text = '';
  const into = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const lines = () => text.split('\n').filter((line) => line.includes('X-Forwarded-For arrives from'));
  const parts = { log: createLog({}, into) };
  const headers = { 'x-forwarded-for': '198.51.100.1' };
  for (const [env, said] of [
    [{}, 1],
    [{ TRUSTED_PROXIES: '10.0.0.0/8' }, 1],
    [{ TRUSTED_PROXIES: '192.0.2.9' }, 0],
  ] as const) {
    text = '';
    const behind = await startTestApp({ beside: server, env, parts });
    for (let index = 0; index < 3; index += 1)
      await behind.call({ url: '/readyz', remoteAddress: '192.0.2.9', headers });
    await behind.call({ url: '/readyz', remoteAddress: '192.0.2.9' });
    // A request from the proxy itself, such as its health check.
    const own = { 'x-forwarded-for': '192.0.2.9' };
    await behind.call({ url: '/readyz', remoteAddress: '192.0.2.9', headers: own });
    expect(lines()).toHaveLength(said);
    await behind.stop();
  }
});
