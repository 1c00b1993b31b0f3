import { afterEach, expect, test } from 'vitest';
import { createLog } from '#server/platform/log/log.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';

const token = '0123456789abcdef0123456789abcdef';
let app: TestApp;
afterEach(() => app.stop());

const statusOf = async (headers = {}) => (await app.call({ url: '/metrics', headers })).statusCode;

test('metrics are closed unless a setting opens them', async () => {
  app = await startTestApp();
  expect(await statusOf()).toBe(404);
  expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(404);
});

test('METRICS_TOKEN opens them to whoever sends it, and to nobody else', async () => {
  app = await startTestApp({ env: { METRICS_TOKEN: token } });
  expect(await statusOf()).toBe(401);
  expect(await statusOf({ authorization: 'Bearer 0123456789abcdef0123456789abcdeX' })).toBe(401);
  expect(await statusOf({ authorization: `Bearer ${await app.signIn(await app.person({ role: 'admin' }))}` })).toBe(
    401,
  );
  const { statusCode, headers, body } = await app.call({
    url: '/metrics',
    headers: { authorization: `Bearer ${token}` },
  });
  expect([statusCode, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
  expect(body).toContain('staff_dashboard_http_request_duration_seconds_bucket');
  expect(body).toMatch(/^staff_dashboard_http_connections \d+$/m);
});

/** The address in the log. */
async function startWithAddress(env: Record<string, string>): Promise<string> {
  const lines: { address?: { port: number } }[] = [];
  const log = createLog({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  app = await startTestApp({ env: { METRICS_ADDRESS: '127.0.0.1:0', ...env }, parts: { log } });
  return `http://127.0.0.1:${lines.find(({ address }) => address)?.address?.port}`;
}

test('METRICS_ADDRESS serves them at an address of their own, and nowhere else', async () => {
  const url = await startWithAddress({});
  expect(await statusOf()).toBe(404);
  const answer = await fetch(`${url}/metrics`);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('staff_dashboard_not_ready')]);
  for (const path of ['/', '/graphql', '/config.json', '/metrics/x'])
    expect((await fetch(url + path)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
});

test('METRICS_ADDRESS with METRICS_TOKEN wants both', async () => {
  const url = await startWithAddress({ METRICS_TOKEN: token });
  expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(404);
  expect((await fetch(`${url}/metrics`)).status).toBe(401);
  expect((await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
});

test('no label grows with what people send', async () => {
  app = await startTestApp({ env: { METRICS_TOKEN: token } });
  const read = async () => (await app.call({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).body;
  for (let id = 1; id < 60; id += 1) {
    await app.call({ url: `/nothing-here-${id}` });
    await app.call({ url: `/attachment/${id}` });
  }
  const routes = new Set([...(await read()).matchAll(/route="([^"]*)"/g)].map(([, route]) => route));
  expect([...routes].sort()).toEqual(['/attachment/:id', 'unknown']);
});
