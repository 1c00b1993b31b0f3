// Who gets a signed dashboard, and what its signature contains (D10, D30).
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Permission } from '#core/access/permissions.ts';
import { causes, salesProducts } from '#core/access/products.ts';
import type { DashboardsSetting } from '#core/admin/settings.ts';
import { settingsOf } from '#server/platform/settings/settings.service.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';

const secret = '8a0c6e2f4b1d3957a0c6e2f4b1d39578a0c6e2f4b1d3957a0c6e2f4b1d395700';
const key = new TextEncoder().encode(secret);
const resources = [...Object.keys(salesProducts), ...Object.keys(causes)];
const allOfMetabase = Object.fromEntries(resources.map((resource) => [resource, 'metabase'])) as DashboardsSetting;

let healthy = true;
let asked = 0;
let metabase: Server;
let app: TestApp;

function startApp(env: Record<string, string>, dashboards: DashboardsSetting): Promise<TestApp> {
  return startTestApp({ env, parts: { settings: () => settingsOf([{ key: 'dashboards', value: dashboards }]) } });
}

beforeAll(async () => {
  metabase = createServer((_request, response) => {
    asked += 1;
    response.writeHead(healthy ? 200 : 503).end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => metabase.once('listening', resolve));
  app = await startApp({ METABASE_SITE_URL: siteUrl(), METABASE_SECRET_KEY: secret }, allOfMetabase);
});
afterAll(async () => {
  await app.stop();
  metabase.close();
});

const siteUrl = (): string => `http://127.0.0.1:${(metabase.address() as AddressInfo).port}`;
const query = 'query ($resource: String!) { dashboardEmbed(resource: $resource) { kind state url expiresAt goodFor } }';

async function tokenOf(permissions: readonly Permission[]): Promise<string> {
  return app.signIn(await app.person({ permissions: ['VIEW_DASHBOARD', ...permissions] }));
}

async function embedOf(token: string, resource: string) {
  const { data, code } = await app.gql(token, query, { resource });
  return { code, embed: data?.dashboardEmbed };
}

const jwtOf = (url: string): string => url.split('/').at(-1) as string;

it('no dashboard is signed for whoever is not signed in or may not use the application', async () => {
  expect((await app.gql(null, query, { resource: 'connect' })).status).toBe(401);
  const nobody = await app.signIn(await app.person({ role: null }));
  expect((await embedOf(nobody, 'connect')).code).toBe('NO_APPLICATION_PERMISSION');
});

it('for every subset of the sales permissions a token comes if and only if view and data permission are both there', async () => {
  const seven = [...new Set(Object.values(salesProducts).flatMap(({ view, data }) => [view, data]))];
  expect(seven).toHaveLength(7);
  for (let bits = 0; bits < 2 ** seven.length; bits += 1) {
    const held = seven.filter((_, index) => (bits >> index) & 1);
    const token = await tokenOf(['VIEW_SALES', ...held]);
    for (const [product, { view, data, resource }] of Object.entries(salesProducts)) {
      const { code, embed } = await embedOf(token, product);
      const may = held.includes(view) && held.includes(data);
      expect([product, held, code]).toEqual([product, held, may ? null : 'FORBIDDEN']);
      if (may)
        expect(decodeJwt(jwtOf(embed.url))).toMatchObject({ resource: { dashboard: resource }, params: { product } });
      else expect(embed).toBeUndefined();
    }
  }
});

it('each cause needs its own permission, and one dashboard serves the three with the cause locked', async () => {
  for (const [cause, { view }] of Object.entries(causes)) {
    const token = await tokenOf(['VIEW_DONATIONS', view]);
    for (const other of Object.keys(causes)) {
      const { code, embed } = await embedOf(token, other);
      expect([other, code]).toEqual([other, other === cause ? null : 'FORBIDDEN']);
      if (other === cause)
        expect(decodeJwt(jwtOf(embed.url))).toMatchObject({ resource: { dashboard: 20 }, params: { cause } });
    }
  }
});

describe('the signature', () => {
  it('is HS256 with the configured secret, good for ten minutes, and holds nothing but the number and what is locked', async () => {
    const { embed } = await embedOf(await tokenOf(['VIEW_SALES', 'VIEW_BGP_SALES', 'READ_BGP']), 'bgp');
    expect(embed.url.startsWith(`${siteUrl()}/embed/dashboard/`)).toBe(true);
    const now = app.clock.now();
    const { payload, protectedHeader } = await jwtVerify(jwtOf(embed.url), key, {
      algorithms: ['HS256'],
      currentDate: new Date(now.epochMilliseconds),
    });
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT' });
    const exp = Math.floor(now.epochMilliseconds / 1_000) + 600;
    expect(payload).toEqual({ resource: { dashboard: 18 }, params: { product: 'bgp' }, exp });
    expect(embed).toMatchObject({ kind: 'metabase', state: 'ready', goodFor: 600 });
    expect(Date.parse(embed.expiresAt)).toBe(exp * 1_000);
  });

  it('cannot be asked for by a number, a name of every object, or another spelling', async () => {
    const token = await app.signIn(await app.person({ role: 'admin' }));
    for (const resource of ['15', '20', '__proto__', 'constructor', 'CONNECT', 'connect ', 'arcade', ''])
      expect([resource, (await embedOf(token, resource)).code]).toEqual([resource, 'BAD_INPUT']);
    const number = await app.gql(token, '{ dashboardEmbed(resource: 15) { url } }');
    expect([number.status, number.data]).toEqual([400, null]);
    for (const more of ['dashboard: 16', 'params: { product: "green" }']) {
      const { status } = await app.gql(token, `{ dashboardEmbed(resource: "connect", ${more}) { url } }`);
      expect(status).toBe(400);
    }
  });
});

describe('what is shown instead', () => {
  const admin = async (other: TestApp): Promise<string> => other.signIn(await other.person({ role: 'admin' }));
  const stateOf = async (other: TestApp, resource = 'connect') =>
    (await other.gql(await admin(other), query, { resource })).data.dashboardEmbed;
  const without = { url: null, expiresAt: null, goodFor: null };

  it('is told apart: tiles by choice, not configured, not reachable', async () => {
    const unset = await startApp({}, { connect: 'metabase' });
    expect(await stateOf(unset)).toEqual({ kind: 'metabase', state: 'notConfigured', ...without });
    expect(await stateOf(unset, 'green')).toEqual({ kind: 'builtin', state: 'ready', ...without });
    await unset.stop();
    healthy = false;
    const down = await startApp({ METABASE_SITE_URL: siteUrl(), METABASE_SECRET_KEY: secret }, { connect: 'metabase' });
    asked = 0;
    expect(await stateOf(down)).toEqual({ kind: 'metabase', state: 'notReachable', ...without });
    expect(await stateOf(down)).toMatchObject({ state: 'notReachable' });
    expect(asked).toBe(1);
    await down.stop();
    healthy = true;
  });
});
