import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { hashPassword } from './auth/passwords.ts';
import { createLog } from './log.ts';

const canary = 'canary-of-the-log-1234567890';
const lines: string[] = [];
let server: TestApp;

beforeAll(async () => {
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  server = await startTestApp({ parts: { log: createLog({ level: 'trace' }, destination) } });
  await server.person({ email: 'staff@example.test', passwordHash: await hashPassword(canary) });
});
afterAll(() => server.stop());

test('no secret stands in the log, whatever is sent and however it fails', async () => {
  const login = (payload: object | string) =>
    server.call({ method: 'POST', url: '/api/auth/login', payload, headers: { 'content-type': 'application/json' } });
  const { token } = (await login({ email: 'staff@example.test', password: canary })).json();
  await login({ email: 'staff@example.test', password: `wrong ${canary}` });
  await login({ email: 'staff@example.test', password: [canary] });
  await login(`{"password":"${canary}"`);
  const authorization = `Bearer ${token}`;
  await server.call({ url: '/api/auth/user', headers: { authorization, cookie: `internal-dash-token=${canary}` } });
  await server.call({
    method: 'POST',
    url: '/graphql',
    headers: { authorization },
    payload: { query: `{ people(token: "${canary}") { id } }` },
  });
  await server.call({ url: `/attachment/1?person=1&expires=1&signature=${canary}` });
  for (const secret of [canary, `${canary}${'x'.repeat(43 - canary.length)}`])
    await server.call({ url: `/api/calendar/${secret}.ics` });
  await server.call({
    method: 'POST',
    url: '/attachment',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: `--x\r\nContent-Disposition: form-data; name="authorization"\r\n\r\n${canary}\r\n--x--\r\n`,
  });
  server.parts.log.warn(
    { headers: { authorization, cookie: canary }, password: canary, token, body: { password: canary, token } },
    'something',
  );
  expect(lines.length).toBeGreaterThan(8);
  expect(lines.join('')).not.toContain(canary);
  expect(lines.join('')).not.toContain(token);
});

test('every line is one line of JSON with the id that the answer carried', async () => {
  lines.length = 0;
  const { headers } = await server.call({ url: '/dashboard', headers: { 'user-agent': 'a\\r\\n{"level":50}' } });
  const own = lines.map((line) => JSON.parse(line)).filter(({ reqId }) => reqId === headers['x-request-id']);
  expect(own).toMatchObject([{ req: { method: 'GET', url: '/dashboard' }, msg: 'answered' }]);
  expect(lines.every((line) => line.trimEnd().split('\n').length === 1)).toBe(true);
});
