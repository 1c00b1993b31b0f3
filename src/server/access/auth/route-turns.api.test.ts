import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tokenHash } from '#server/platform/viewer.ts';
import { linkFor } from '#server/tasks/attachments/file-links.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { prepareTasks } from '../../../../test/task-fixtures.ts';

// The provider is asked without a turn, and doesn't answer.
const env = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'staff@example.test',
  PUBLIC_URL: 'http://localhost:3000',
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'client',
  OIDC_CLIENT_SECRET: 'a secret of the client',
};
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ env });
});
afterAll(() => server.stop());

const secret = () => randomBytes(32).toString('base64url');
const count = 40;
const all = <T>(ask: (index: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, at) => ask(at)));

/** The most connections that the work uses and waits for at once. */
async function mostConnections(work: () => Promise<unknown>): Promise<number> {
  const { pool } = server.database;
  let most = 0;
  const note = () => {
    most = Math.max(most, pool.totalCount - pool.idleCount + pool.waitingCount);
  };
  pool.on('acquire', note);
  await work();
  pool.off('acquire', note);
  return most;
}

/** What a stranger can send for a route to look something up. */
const bodies: Readonly<Record<string, (index: number) => object>> = {
  'POST /api/auth/login': (index) => ({ email: `nobody${index}@example.test`, password: 'not the password of it' }),
  'POST /api/auth/forgot': (index) => ({ email: `nobody${index}@example.test` }),
  'POST /api/auth/link': () => ({ token: secret() }),
  'POST /api/auth/password': () => ({ token: secret(), password: 'a password that is long enough' }),
  'POST /api/auth/sso/start': () => ({ invitation: secret() }),
};

const addressOf = (path: string): string =>
  `${path.replace(':token', secret()).replace(':dataset', 'orders').replace(':id', '1').replace('*', 'x.js')}${
    /export|report/.test(path) ? `?ticket=${secret()}` : ''
  }`;

test('a stranger’s requests leave connections to everyone else, whatever the route', async () => {
  const used: [string, number][] = [];
  for (const route of server.app.routeAccess.keys()) {
    const [method = '', path = ''] = route.split(' ');
    const flood = () =>
      all((index) =>
        server.call({
          method: method as 'GET',
          url: addressOf(path),
          headers: { authorization: `Bearer ${secret()}`, cookie: `sign-in=${secret()}` },
          ...(method === 'POST' && path !== '/attachment' ? { payload: bodies[route]?.(index) ?? {} } : {}),
        }),
      );
    used.push([route, await mostConnections(flood)]);
  }
  // With a look-up of tokens that waits for two more.
  expect(used.filter(([, most]) => most > 5)).toEqual([]);
  const asking = used.filter(([, most]) => most > 0).map(([route]) => route);
  expect(asking).toEqual(
    expect.arrayContaining(['GET /api/calendar/:token.ics', 'GET /api/auth/user', ...Object.keys(bodies)]),
  );
});

test('routes without a turn ask the database nothing', async () => {
  const queries = vi.spyOn(server.database.pool, 'query');
  const without = [...server.app.routeTurns].filter(([, turn]) => turn === 'none').map(([route]) => route);
  expect(without).toContain('GET /config.json');
  for (const route of without) {
    const [method = '', path = ''] = route.split(' ');
    await server.call({ method: method as 'GET', url: addressOf(path), ...(method === 'POST' ? { payload: {} } : {}) });
    expect([route, queries.mock.calls.length]).toEqual([route, 0]);
  }
  queries.mockRestore();
});

/** Each takes turns in its own code. */
test('these routes take turns themselves', () => {
  const own = [...server.app.routeTurns].filter(([, turn]) => turn === 'own').map(([route]) => route);
  expect(own.toSorted()).toEqual([
    'GET /api/auth/sso/callback',
    'GET /graphql',
    'GET /healthz',
    'GET /metrics',
    'GET /readyz',
    'HEAD /api/auth/sso/callback',
    'HEAD /graphql',
    'HEAD /healthz',
    'HEAD /metrics',
    'HEAD /readyz',
    'POST /api/auth/login',
    'POST /api/auth/password',
    'POST /api/auth/sso/start',
    'POST /api/import/:dataset',
    'POST /api/import/:dataset/preview',
    'POST /api/people/import',
    'POST /attachment',
    'POST /graphql',
  ]);
});

test('the person of a link or a calendar has their own turns', async () => {
  const id = await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_MEETING_SCHEDULE'] });
  const token = await server.signIn(id);
  const sprintId = await server.sprint();
  const [taskId] = await prepareTasks(server.database, 1, { ownerId: id, sprintId, title: 'Task' });
  const { rows } = await server.database.pool.query(
    `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size, storage_key)
     values ($1, $2, 'Ada', 'a.txt', 'text/plain', 1, 'ab/none') returning id::text`,
    [taskId, id],
  );
  const viewer = { id } as never;
  const link = linkFor({ ...server.parts, viewer, impersonator: undefined, session: tokenHash(token) }, rows[0]);
  const feed = await server.gql(token, 'mutation { createCalendarFeed { path } }');
  const calendar: string = feed.data.createCalendarFeed.path;
  expect((await server.call({ url: calendar })).statusCode).toBe(200);
  const statuses = async (url: string) =>
    new Set((await all(() => server.call({ url }))).map(({ statusCode }) => statusCode));
  for (const [url, status] of [
    [link, 404],
    [calendar, 200],
  ] as const) {
    const most = await mostConnections(async () => expect([...(await statuses(url))]).toEqual([status]));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThan(7);
  }
  expect((await server.call({ url: link })).json()).toMatchObject({ error: { code: 'FILE_LOST' } });
  // A link that wasn't made here is refused without asking.
  const queries = vi.spyOn(server.database.pool, 'query');
  expect([...(await statuses(link.replace(/signature=.*/, 'signature=x')))]).toEqual([403]);
  expect(queries.mock.calls).toEqual([]);
  queries.mockRestore();
});
