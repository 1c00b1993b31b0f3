import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { paths } from '#core/access/routes.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';

let server: TestApp;
let unbuilt: TestApp;
const folder = mkdtempSync(join(tmpdir(), 'web-'));

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<title>app</title>');
  writeFileSync(join(folder, 'index.html.br'), 'compressed app');
  writeFileSync(join(folder, 'login.html'), '<title>login</title>');
  writeFileSync(join(folder, 'theme.js'), 'theme');
  writeFileSync(join(folder, 'assets', 'main-abc.js'), 'script');
  writeFileSync(join(folder, 'assets', 'main-abc.js.gz'), 'gzipped script');
  writeFileSync(join(folder, '..', 'secret.txt'), 'secret');
  server = await startTestApp({
    parts: { pages: { folder, demo: true } },
    env: {
      APP_NAME: 'Acme',
      TOP5_SERVER_URL: 'https://api.example.test/base/',
      METABASE_SITE_URL: 'https://charts.example.test',
      METABASE_SECRET_KEY: 'secret-of-charts',
    },
  });
  unbuilt = await startTestApp({ beside: server, parts: { pages: { folder: join(folder, 'nothing'), demo: false } } });
});
afterAll(async () => {
  await unbuilt.stop();
  await server.stop();
  rmSync(folder, { recursive: true });
});

test('the demo company isn’t served through a proxy unless DEMO=1 says so', async () => {
  const proxied = {
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-host': 'staff.example.com',
    'x-forwarded-proto': 'https',
    'x-real-ip': '203.0.113.7',
    'cf-connecting-ip': '203.0.113.7',
    'true-client-ip': '203.0.113.7',
    forwarded: 'for=203.0.113.7',
    via: '1.1 proxy',
  };
  for (const [name, value] of Object.entries(proxied)) {
    const { statusCode, body } = await server.call({ url: '/api/auth/login', headers: { [name]: value } });
    expect([name, statusCode, body]).toEqual([name, 403, expect.stringContaining('set DEMO=1')]);
  }
  expect((await unbuilt.call({ url: '/healthz', headers: { 'x-forwarded-for': '203.0.113.7' } })).statusCode).toBe(200);
  const asked = await startTestApp({ beside: server, parts: { pages: { folder, demo: true } }, env: { DEMO: '1' } });
  onTestFinished(() => asked.stop());
  expect((await asked.call({ url: '/healthz', headers: { 'x-forwarded-for': '203.0.113.7' } })).statusCode).toBe(200);
});

test.each([
  '/unknown',
  '/Dashboard',
  '/SALES',
  '/sales;a=b',
  '/sales%2Fconnect',
  '//sales',
  '/top-5/tools',
  '/index.html',
  '/login.html',
  '/sales/connect',
  '/.env',
  '/%2e%2e/secret.txt',
  '/assets',
  '/100%',
  '/NOPE/%E0%A4%A?a=%',
])('an unknown address is a 404 with the page that says so: %s', async (url) => {
  const response = await server.call({ url });
  expect([response.statusCode, response.body]).toEqual([404, '<title>app</title>']);
});

test.each(paths)('a page of the table is a 200: %s', async (url) => {
  for (const method of ['GET', 'HEAD'] as const) {
    const response = await server.call({ method, url: `${url}?product=connect&a=/` });
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    if (method === 'GET') expect(response.body).toBe(url === '/' ? '<title>login</title>' : '<title>app</title>');
  }
});

test.each([
  ['/sales/', '/sales'],
  ['/sales///', '/sales'],
  ['/sales/?product=connect&x=/', '/sales?product=connect&x=/'],
  ['/unknown/', '/unknown'],
  ['//evil.example/', '/evil.example'],
  ['/sales/?//evil.example/', '/sales?//evil.example/'],
])('a trailing slash is removed by a redirect that stays here: %s', async (url, location) => {
  for (const method of ['GET', 'HEAD'] as const) {
    const response = await server.call({ method, url });
    expect([response.statusCode, response.headers.location]).toEqual([308, location]);
    expect(new URL(location, 'http://here.example').host).toBe('here.example');
  }
});

/** A request line that no client library would send. */
async function raw(line: string): Promise<string> {
  const { port } = server.app.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  socket.write(`${line}\r\nHost: here.example\r\nConnection: close\r\n\r\n`);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

/** Spellings of the same address that proxies, routers and guards have read differently. */
const spellings: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/.${path}`,
  (path) => `/%2e${path}`,
  (path) => `/a/..${path}`,
  (path) => path.replace(/^\//, '/%2F'),
  (path) => path.replaceAll('/', '%2f'),
  (path) => path.toUpperCase(),
  (path) => `${path};a=b`,
  (path) => `${path}%00`,
  (path) => `${path}%20`,
  (path) => `${path}.`,
  (path) => `${path}%3F`,
  (path) => `${path}\\`,
];

test('another spelling of an address is not there, or leads to where its right one is: no call is open by it', async () => {
  const calls = [...server.app.routeAccess].flatMap(([call, access]) => {
    const [method, path = ''] = call.split(' ');
    return method === 'GET' && access !== 'public' && !path.includes(':') && !path.includes('*') ? [path] : [];
  });
  expect(calls).toContain('/api/auth/user');
  if (!server.app.server.listening) await server.app.listen({ port: 0, host: '127.0.0.1' });
  for (const path of [...calls, ...paths.filter((page) => page !== '/')]) {
    for (const spelled of spellings.map((spell) => spell(path)).filter((spelling) => spelling !== path)) {
      const [head = ''] = (await raw(`GET ${spelled} HTTP/1.1`)).split('\r\n\r\n');
      // Only the route itself answers 401, so it has recognized the address.
      expect(head, spelled).toMatch(
        calls.includes(path) ? /^HTTP\/1\.1 (308|400|401|404) / : /^HTTP\/1\.1 (308|400|404) /,
      );
      expect(head, spelled).not.toMatch(/^location: *(https?:|\/\/|\\)/im);
    }
  }
});

test.each([
  'GET http://evil.example/dashboard/ HTTP/1.1',
  'GET \\\\evil.example/ HTTP/1.1',
  'GET /\\evil.example/ HTTP/1.1',
  'GET //evil.example/%2e%2e/ HTTP/1.1',
  'GET /%zz HTTP/1.1',
  'GET /a%0d%0aSet-Cookie:x=y/ HTTP/1.1',
  'GET /../../secret.txt HTTP/1.1',
  'GET /assets/..%2f..%2fsecret.txt HTTP/1.1',
  'GET /assets/../../secret.txt HTTP/1.1',
])('no spelling of an address leads elsewhere: %s', async (line) => {
  if (!server.app.server.listening) await server.app.listen({ port: 0, host: '127.0.0.1' });
  const answer = await raw(line);
  expect(answer).toMatch(/^HTTP\/1\.1 (308|400|403|404) /);
  expect(answer).not.toMatch(/^(set-cookie|location: *(https?:|\/\/|\\))/im);
  expect(answer).not.toContain('\r\n\r\nsecret');
});

test('files with a hash in their name are kept for ever, compressed where the browser takes it', async () => {
  const asset = await server.call({ url: '/assets/main-abc.js', headers: { 'accept-encoding': 'gzip' } });
  expect([asset.statusCode, asset.body, asset.headers['content-encoding']]).toEqual([200, 'gzipped script', 'gzip']);
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await server.call({ url: '/assets/main-abc.js' })).body).toBe('script');
  const page = await server.call({ url: '/dashboard', headers: { 'accept-encoding': 'gzip, br' } });
  expect([page.body, page.headers['content-encoding']]).toEqual(['compressed app', 'br']);
  expect((await server.call({ url: '/theme.js' })).headers['cache-control']).toBe('no-cache');
});

test('a missing file is a 404 that no browser keeps', async () => {
  const response = await server.call({ url: '/assets/main-old.js' });
  expect([response.statusCode, response.headers['cache-control']]).toEqual([404, 'no-store']);
  expect(response.json().error.code).toBe('NOT_FOUND');
});

test.each(['/api/unknown', '/attachments', '/api/auth/login'])(
  'an unknown call is answered as a call: %s',
  async (url) => {
    const response = await server.call({ url });
    expect([response.statusCode, response.json().error.code]).toEqual([404, 'NOT_FOUND']);
  },
);

test('the address that many people type leads to the sign-in page, with the wanted page', async () => {
  for (const [url, to] of [
    ['/login', '/'],
    ['/login?goto=%2Fsales', '/?goto=%2Fsales'],
  ] as const) {
    const { statusCode, headers } = await server.call({ url });
    expect([url, statusCode, headers.location]).toEqual([url, 302, to]);
  }
});

test.each(['/dashboard', '/unknown', '/config.json', '/api/auth/user', '/assets/none.js'])(
  'every answer carries the headers that keep a browser safe: %s',
  async (url) => {
    const { headers } = await server.call({ url });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data: blob:;font-src 'self';manifest-src 'self';connect-src 'self' https://api.example.test wss://api.example.test;frame-src https://charts.example.test;form-action 'self';frame-ancestors 'none';base-uri 'none';object-src 'none';require-trusted-types-for 'script';trusted-types 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    });
  },
);

test('a request id from outside is not taken over', async () => {
  const { headers } = await server.call({ url: '/healthz', headers: { 'x-request-id': 'chosen' } });
  expect(headers['x-request-id']).not.toBe('chosen');
});

test('the configuration of the web names no secret, and the demo accounts only with demo data', async () => {
  const config = (await server.call({ url: '/config.json' })).json();
  expect(config).toMatchObject({
    appName: 'Acme',
    appEnv: 'development',
    demo: true,
    companyTimeZone: 'UTC',
    dashboardServerUrl: '',
    top5ServerUrl: 'https://api.example.test/base',
    timeTracker: false,
    holidayClose: false,
    demoPassword: 'top-5-demo',
  });
  expect(config.demoAccounts).toContainEqual(
    expect.objectContaining({
      email: 'admin@demo.test',
      role: 'admin',
      name: expect.any(String),
      can: expect.any(String),
    }),
  );
  expect(JSON.stringify(config)).not.toContain('secret');
  const without = (await unbuilt.call({ url: '/config.json' })).json();
  expect(Object.keys(without)).not.toContain('demoPassword');
  expect(without.demo).toBe(false);
});

test('without a built web the server says how to build it', async () => {
  const response = await unbuilt.call({ url: '/dashboard' });
  expect([response.statusCode, response.headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8']);
  expect(response.body).toContain('npm run build');
});

test('pages load while the database is down', async () => {
  const query = vi
    .spyOn(server.database.pool, 'query')
    .mockRejectedValue(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }) as never);
  try {
    expect((await server.call({ url: '/dashboard' })).statusCode).toBe(200);
    const ready = await server.call({ url: '/readyz' });
    expect([ready.statusCode, ready.json()]).toEqual([
      503,
      { ready: false, reasons: { database: 'cannot be reached' } },
    ]);
    expect((await server.call({ url: '/healthz' })).statusCode).toBe(200);
  } finally {
    query.mockRestore();
  }
});

test('a server is not ready while the database lacks its newest migration, and is when a newer server has migrated it', async () => {
  const shift = (by: number) =>
    server.asOwner('update drizzle.__drizzle_migrations set created_at = created_at + $1', [by]);
  const states = [];
  for (const by of [-1, 2, -1]) {
    await shift(by);
    states.push((await server.call({ url: '/readyz' })).json());
  }
  const ready = { ready: true };
  expect(states).toEqual([{ ready: false, reasons: { database: 'is not migrated to this version' } }, ready, ready]);
});

test('the server says whether it is ready', async () => {
  expect((await server.call({ url: '/readyz' })).json()).toEqual({ ready: true });
});

test('every route says who may call it', () => {
  const { routeAccess } = server.app;
  expect(routeAccess.get('POST /graphql')).toBe('signedIn');
  expect(routeAccess.get('POST /attachment')).toEqual(['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS']);
  expect(() => server.app.get('/undeclared', async () => 'open')).toThrow();
});
