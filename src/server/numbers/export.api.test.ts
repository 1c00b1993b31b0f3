import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endSessionsOf } from '#server/access/auth/sessions.service.ts';
import { takeSlot, workLimits } from '#server/platform/db/work-slots.ts';
import { whileAllowed } from '#server/platform/tickets/ticket-download.ts';
import { tokenHash } from '#server/platform/viewer.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { csvCells } from '../../../test/csv-cells.ts';
import { applyBatch } from './batch.store.ts';
import { redeemExportTicket } from './export.service.ts';
import type { NumberRow } from './number-row.ts';

let server: TestApp;
let token: string;

const rows = Array.from(
  { length: 1_203 },
  (_, index): NumberRow => ({
    externalId: String(index),
    values: {
      product: 'connect',
      order_ref: String(Math.floor(index / 3)),
      occurred_at: `2026-11-0${1 + (index % 9)}T12:00:00Z`,
      gross: BigInt(index) * 3_333n,
      refunded: index % 7 === 0 ? 5_000n : null,
      title: index === 0 ? '=HYPERLINK("http://a.test";"x")' : index === 1 ? 'two\nlines, "quoted"' : 'Lamp',
      currency: 'USD',
      status: 'completed',
    },
    labels: {},
    texts: {},
  }),
);

beforeAll(async () => {
  server = await startTestApp();
  token = await server.signIn(
    await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_CONNECT_SALES', 'READ_BGP'] }),
  );
  await server.database.transaction((queries) => applyBatch(queries, 'orders', rows, { zone: 'UTC', source: 'shop' }));
});
afterAll(() => server.stop());

const ticketFor = async (metric: string): Promise<string> => {
  const query = `mutation { exportTicket(dataset: "orders", scope: "connect", metric: "${metric}", from: "2026-11-01", to: "2026-12-01") { url expiresAt } }`;
  return (await server.gql(token, query)).data.exportTicket.url;
};

test.each(['', '?ticket=', '?ticket=short', `?ticket=${'a'.repeat(43)}`, '?ticket=a&ticket=b'])(
  'a download by %j is refused',
  async (query) => {
    const { statusCode, headers } = await server.call({ url: `/api/export${query}` });
    expect([400, 403]).toContain(statusCode);
    expect(headers['content-type']).toMatch('application/json');
  },
);

test('a ticket is good once, for a minute, and a look at the headers does not use it up', async () => {
  const url = await ticketFor('gross');
  expect((await server.call({ method: 'HEAD', url })).statusCode).toBe(404);
  const both = await Promise.all([server.call({ url }), server.call({ url })]);
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
  const late = await ticketFor('gross');
  server.clock.advance({ seconds: 61 });
  expect((await server.call({ url: late })).json()).toMatchObject({ error: { code: 'LINK_EXPIRED' } });
  server.clock.advance({ seconds: -61 });
});

test('an export leaves its dataset, dashboard, days and filters in the audit log, 100 times an hour', async () => {
  const id = await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_CONNECT_SALES', 'READ_BGP'] });
  const reader = await server.signIn(id);
  const values =
    'dataset: "orders", scope: "connect", metric: "gross", from: "2026-11-01", to: "2026-12-01", filters: [{ field: "status", values: ["completed"] }, { field: "customer_ref", values: ["ada", null] }]';
  const ask = () => server.gql(reader, `mutation { exportTicket(${values}) { url } }`);
  expect((await ask()).code).toBeNull();
  const written = "from audit_log where action = 'numbersExported' and actor_id = $1";
  const { rows } = await server.database.pool.query(`select subject_type as type, subject_id as id, after ${written}`, [
    id,
  ]);
  const after = { scope: 'connect', metric: 'gross', from: '2026-11-01', until: '2026-11-30' };
  const filters = ['status: completed', 'customer_ref: 2 values'];
  expect(rows).toEqual([{ type: 'numbers', id: 'orders', after: { ...after, filters } }]);
  await server.database.pool.query(
    `insert into audit_log (at, actor_id, action, subject_type, subject_id)
     select at, actor_id, action, subject_type, subject_id from audit_log, generate_series(1, 99)
     where action = 'numbersExported' and actor_id = $1`,
    [id],
  );
  expect((await ask()).code).toBe('TOO_MANY_ATTEMPTS');
});

test('a ticket that finds no slot free is good again afterwards', async () => {
  const url = await ticketFor('gross');
  const slots = await Promise.all(Array.from({ length: workLimits.export }, () => takeSlot(server.database, 'export')));
  const busy = await server.call({ url });
  expect([busy.statusCode, busy.headers['retry-after']]).toEqual([429, '30']);
  for (const slot of slots) await slot.release();
  expect((await server.call({ url })).statusCode).toBe(200);
});

test('one person holds two exports at once, and the audit log has slots of its own', async () => {
  const {
    rows: [me],
  } = await server.database.pool.query('select person_id::text as id from sessions limit 1');
  // An export releases its slot just after its answer.
  await expect.poll(async () => (await server.database.pool.query('select from work_slots')).rowCount).toBe(0);
  const own = await Promise.all([1, 2].map(() => takeSlot(server.database, 'export', me.id)));
  const url = await ticketFor('gross');
  const busy = await server.call({ url });
  expect([busy.statusCode, busy.json().error.message]).toEqual([
    429,
    'Your other exports are running. Try again when one is done',
  ]);
  const others = await Promise.all(
    Array.from({ length: workLimits.export - own.length }, (_, index) =>
      takeSlot(server.database, 'export', `other ${index}`),
    ),
  );
  const admin = await server.signIn(await server.person({ role: 'admin' }));
  const { data } = await server.gql(admin, 'mutation { createAuditTicket }');
  expect((await server.call({ url: data.createAuditTicket })).statusCode).toBe(200);
  for (const slot of [...own, ...others]) await slot.release();
  expect((await server.call({ url })).statusCode).toBe(200);
});

test('any server redeems what another gave out', async () => {
  const other = await startTestApp({ beside: server });
  expect((await other.call({ url: await ticketFor('lines') })).statusCode).toBe(200);
  await other.stop();
});

test('the file holds every row, its cells are safe, and it adds up to the number', async () => {
  const { body, headers } = await server.call({ url: await ticketFor('net_sales') });
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename=orders-connect-net_sales-2026-11-01-2026-11-30.csv',
    'cache-control': 'no-store',
  });
  const [head, ...lines] = csvCells(body.slice(1));
  expect(body[0]).toBe('\uFEFF');
  expect(lines).toHaveLength(rows.length);
  const column = (name: string) => lines.map((line) => line[head!.indexOf(name)]!);
  expect(
    column('title')
      .filter((title) => title !== 'Lamp')
      .sort(),
  ).toEqual([`'=HYPERLINK("http://a.test";"x")`, 'two\nlines, "quoted"']);
  const { data } = await server.gql(
    token,
    '{ numbers(dataset: "orders", scope: "connect", metrics: ["net_sales", "refunds"], from: "2026-11-01", to: "2026-12-01") { totals } }',
  );
  const sum = (name: string) =>
    column(name).reduce((total, text) => total + Math.round(Number(text) * 10_000), 0) / 10_000;
  expect([sum('adds to net_sales'), sum('adds to refunds')]).toEqual(data.numbers.totals.map(Number));
  expect(column('gross')).toContain('0.3333');
});

test('no ticket and no running export outlives its session, whichever way that ends', async () => {
  const person = await server.person({ role: 'admin' });
  const query = `mutation { exportTicket(dataset: "orders", scope: "connect", metric: "gross", from: "2026-11-01", to: "2026-12-01") { url } }`;
  const { pool } = server.database;
  const end = (ending: { id?: string }) =>
    server.database.transaction((queries) => endSessionsOf(queries, server.parts, person, ending));
  const endings: Record<string, (session: Buffer) => Promise<unknown>> = {
    'ended alone': (session) => end({ id: createHash('sha256').update(session).digest('hex') }),
    'ended with all others': () => end({}),
    'deleted as the oldest': (session) => pool.query('delete from sessions where token_hash = $1', [session]),
  };
  const outcomes: Record<string, unknown> = {};
  for (const [how, endIt] of Object.entries(endings)) {
    const own = await server.signIn(person);
    const urls = await Promise.all([1, 2].map(async () => (await server.gql(own, query)).data.exportTicket.url));
    const running = whileAllowed(server.parts, await redeemExportTicket(server.parts, urls[0].split('=')[1]));
    expect((await running.next()).done).toBe(false);
    await endIt(tokenHash(own));
    const stopped = await running.next().catch((error) => error.refusal.code);
    outcomes[how] = [stopped, (await server.call({ url: urls[1] })).json().error?.code];
  }
  const over = ['NOT_SIGNED_IN', 'LINK_EXPIRED'];
  expect(outcomes).toEqual(Object.fromEntries(Object.keys(endings).map((how) => [how, over])));
});

test('a running export goes on when the hour of its session is over', async () => {
  const url = await ticketFor('gross');
  const running = whileAllowed(server.parts, await redeemExportTicket(server.parts, url.split('=')[1]!));
  expect((await running.next()).done).toBe(false);
  server.clock.advance({ hours: 2 });
  expect((await running.next()).done).toBe(false);
  server.clock.advance({ hours: -2 });
});

test('an export ends where its reader may not have it any more', async () => {
  const person = await server.person({
    permissions: ['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_CONNECT_SALES', 'READ_BGP'],
  });
  const query = `mutation { exportTicket(dataset: "orders", scope: "connect", metric: "gross", from: "2026-11-01", to: "2026-12-01") { url } }`;
  const { url } = (await server.gql(await server.signIn(person), query)).data.exportTicket;
  const parts = whileAllowed(server.parts, await redeemExportTicket(server.parts, url.split('=')[1]));
  expect((await parts.next()).done).toBe(false);
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [person]);
  await expect(parts.next()).rejects.toMatchObject({ refusal: { code: 'NOT_SIGNED_IN' } });
});
