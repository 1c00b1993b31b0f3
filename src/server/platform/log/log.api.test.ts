import { Writable } from 'node:stream';
import { GraphQLError } from 'graphql';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { refuse } from '#core/base/refusals.ts';
import { hashPassword } from '#server/access/auth/passwords.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { mostLogged } from '../http/quiet-refusals.ts';
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
  const typed = [{ password: canary }, [canary], 'x'];
  for (const name of typed)
    await server.call({
      method: 'POST',
      url: '/graphql',
      headers: { authorization },
      payload: {
        query: 'query ($name: String!) { mentionable(taskId: "1", name: $name) { id } }',
        variables: { name },
      },
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

test('a flood of refused requests writes a few lines, and says so, while others are logged', async () => {
  lines.length = 0;
  server.parts.log.level = 'info';
  onTestFinished(() => {
    server.parts.log.level = 'trace';
  });
  const [url, remoteAddress] = ['/api/import/report', '192.0.2.1'];
  const ask = (from: string) => server.call({ url, query: { ticket: 'x'.repeat(43) }, remoteAddress: from });
  for (let index = 0; index < 100; index += 1) expect((await ask(remoteAddress)).statusCode).toBe(403);
  await ask('192.0.2.2');
  const logged = lines.map((line) => JSON.parse(line));
  const of = (address: string) => logged.filter(({ msg, req }) => msg === 'answered' && req.address === address);
  expect([of(remoteAddress).length, of('192.0.2.2').length]).toEqual([mostLogged, 1]);
  const floods = logged.filter(({ msg }) => msg.startsWith('many refused requests'));
  expect(floods).toMatchObject([{ level: 40, req: { address: remoteAddress, url } }]);
  expect(logged).toHaveLength(2 * (mostLogged + 1) + 1);
});

test('a line of a request says who asked, for which operation, how long it took, and which trace it belongs to', async () => {
  const id = await server.person({ role: 'admin' });
  const authorization = `Bearer ${await server.signIn(id)}`;
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const answered = async (query: string, more: object = {}) => {
    lines.length = 0;
    const headers = { authorization, traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    await server.call({ method: 'POST', url: '/graphql', headers, payload: { query, ...more } });
    return lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'answered');
  };
  expect(await answered('query Week { myWeek { tasks { id } } }')).toMatchObject({
    req: { method: 'POST', url: '/graphql' },
    status: expect.any(Number),
    milliseconds: expect.any(Number),
    operation: 'query Week',
    person: id,
    trace,
  });
  expect(await answered('{ myWeek { tasks { id } } }')).toMatchObject({ operation: 'query myWeek' });
  const long = await answered(`query ${'x'.repeat(300)} { myWeek { tasks { id } } }`);
  expect(long.operation).toBe(`query ${'x'.repeat(64)}`);
  for (const operationName of ['a b', 'x"}', 'é', 'y'.repeat(65), 7])
    expect(await answered('{ nothing }', { operationName })).toMatchObject({ operation: 'POST /graphql' });
});

test('a redirected address that no route has is named by its method', async () => {
  lines.length = 0;
  await server.call({ url: '/nowhere/' });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ operation: 'GET unknown', status: 308 });
});

test('a request of nobody has no person, and a trace id that is none is not written', async () => {
  lines.length = 0;
  await server.call({ url: '/dashboard', headers: { traceparent: '00-"}-x' } });
  const [line] = lines.map((text) => JSON.parse(text));
  expect(line).toMatchObject({ operation: 'GET /dashboard' });
  expect(line).not.toHaveProperty('person');
  expect(line).not.toHaveProperty('trace');
});

test('a refusal that a library reports as an error is none, and a failure is', () => {
  lines.length = 0;
  const { log } = server.parts;
  const refused = new RefusalError(refuse('FORBIDDEN'));
  log.error(refused);
  log.error([new GraphQLError('no', { originalError: refused })]);
  expect(lines).toEqual([]);
  log.error(new RefusalError(refuse('UNAVAILABLE')));
  log.error([new GraphQLError('broken')]);
  expect(lines).toHaveLength(2);
});
