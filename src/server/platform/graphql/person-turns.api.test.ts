import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { endSessionsOf } from '#server/access/auth/sessions.service.ts';
import type { SignedInPerson } from '#server/platform/context.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { serverRole } from '#server/platform/db/server-role.ts';
import { tokenHash } from '#server/platform/viewer.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { inPersonTurn } from './person-turns.ts';

const mailed = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'staff@example.test', PUBLIC_URL: 'http://localhost' };
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.stop());

const asking = (id: string, session = 'one') => ({
  viewer: { id } as SignedInPerson,
  config: server.parts.config,
  session: Buffer.from(session),
});

test.each(['light', 'heavy', 'change'] as const)(
  'a session that takes all turns of a kind (%s) keeps no other of the person from theirs',
  async (turn) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const order: string[] = [];
    const flood = Array.from({ length: 300 }, () =>
      inPersonTurn(asking('flooded', 'stolen'), turn, async () => {
        await promise;
        order.push('stolen');
      }),
    );
    const ended = Promise.allSettled(flood);
    const own = (done: Promise<void> | null) =>
      inPersonTurn(asking('flooded', 'own'), turn, async () => {
        await done;
        order.push('own');
      });
    // While the flood blocks, the other session goes through.
    await own(null);
    const later = Array.from({ length: 10 }, () => own(promise));
    resolve();
    await Promise.all([...later, ended]);
    expect(order[0]).toBe('own');
    // From then on they alternate.
    expect(order.lastIndexOf('own')).toBeLessThan(40);
    expect(order.length).toBeLessThan(300);
  },
);

test('more than two hundred reads that wait are told to come back, in words for people', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const eager = asking('eager');
  const asked = Array.from({ length: 204 }, () => inPersonTurn(eager, 'heavy', () => promise));
  const ended = Promise.allSettled(asked);
  await expect(asked.at(-1)).rejects.toMatchObject({
    refusal: { code: 'TOO_MANY_ATTEMPTS', message: expect.stringContaining('Too many requests at once') },
  });
  resolve();
  expect((await ended).filter(({ status }) => status === 'fulfilled')).toHaveLength(203);
});

const stats =
  '{ employees { rework } personTrends { personId } totals { rework } fairClock { p90 } scopeTrends { scope } }';
const statsReader = async () =>
  server.signIn(await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_STATS', 'READ_BGP'] }));
const times = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join(' ');

/** How many statements the work sends. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const queries = vi.spyOn(server.database.pool, 'query');
  await work();
  const { length } = queries.mock.calls;
  queries.mockRestore();
  return length;
}

test('the same field with the same arguments is read once a request, whatever its aliases', async () => {
  const token = await statsReader();
  const ask = async (query: string) => expect((await server.gql(token, query)).code).toBeNull();
  const aliases = (field: string) => `{ ${times(4, (index) => `a${index}: ${field}`)} }`;
  for (const field of [`sprintStats ${stats}`, 'sprints(all: true) { id taskIds }']) {
    // The first look of all makes sprints and reads settings.
    await ask(`{ ${field} }`);
    const once = await statementsOf(() => ask(`{ ${field} }`));
    expect(await statementsOf(() => ask(aliases(field)))).toBe(once);
  }
  // Other arguments and other parts are other reads.
  const { data } = await server.gql(token, '{ a: sprints { id } b: sprints { name } c: sprints(all: true) { name } }');
  expect([Object.keys(data.a[0]), Object.keys(data.b[0])]).toEqual([['id'], ['name']]);
});

test('refused queries of one person are parsed one after the other, and other people go first', async () => {
  const [flooding, other] = [await statsReader(), await statsReader()];
  await server.gql(other, '{ sprints { id } }');
  let refused = 0;
  const flood = Array.from({ length: 150 }, async (_, index) => {
    const { code } = await server.gql(flooding, `{ sprints { ${'id '.repeat(400)} nothing${index} } }`);
    expect(code).toBe('BAD_INPUT');
    refused += 1;
  });
  expect((await server.gql(other, '{ sprints { id } }')).code).toBeNull();
  expect(refused).toBeLessThan(75);
  await Promise.all(flood);
});

test('twenty expensive requests of one person at once leave connections free', async () => {
  const { databasePoolSize: poolSize } = server.parts.config;
  const database = openDatabase({ url: server.databaseUrl, role: serverRole, poolSize, log: console });
  const full = await startTestApp({ beside: { ...server, database } });
  const token = await statsReader();
  let most = 0;
  database.pool.on('acquire', () => {
    most = Math.max(most, database.pool.totalCount - database.pool.idleCount);
  });
  const query = `{ ${times(4, (index) => `a${index}: sprintStats ${stats}`)} }`;
  const answers = await Promise.all(Array.from({ length: 20 }, () => full.gql(token, query)));
  await full.stop();
  await database.close();
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => null));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(poolSize);
});

test('what filtered sprints of several people come to leaves connections free', async () => {
  const { pool } = server.database;
  const tokens = await Promise.all(times(3, String).split(' ').map(statsReader));
  const query = pool.query.bind(pool) as (...asked: unknown[]) => Promise<unknown>;
  const running = new Set<object>();
  let most = 0;
  const counted = vi.spyOn(pool, 'query').mockImplementation((async (asked: { text: string }, ...rest: unknown[]) => {
    if (asked.text?.includes('sprint_standings')) running.add(asked);
    most = Math.max(most, running.size);
    return query(asked, ...rest).finally(() => running.delete(asked));
  }) as never);
  const filters = (index: number) => JSON.stringify(Array(index + 1).fill('Blue'));
  const list = `{ ${times(15, (index) => `a${index}: sprints(categoryFilters: ${filters(index)}) { taskIds completionPercentage }`)} }`;
  const answers = await Promise.all(tokens.map((token) => server.gql(token, list)));
  counted.mockRestore();
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => null));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(server.parts.config.databasePoolSize - 2);
});

/** The answers to what waits for the lock, and how many connections it takes until then. */
async function whileLocked<T>(lock: string, most: number, ask: (full: TestApp) => Promise<T>) {
  const { databasePoolSize: poolSize } = server.parts.config;
  const database = openDatabase({ url: server.databaseUrl, role: serverRole, poolSize, log: console });
  const full = await startTestApp({ beside: { ...server, database }, env: mailed });
  const blocker = await server.database.pool.connect();
  await blocker.query('begin');
  await blocker.query(lock);
  const asked = ask(full);
  const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  try {
    await expect.poll(async () => (await server.asOwner(waits)).length).toBe(most);
    // What isn't queued reaches its lock in this time.
    await sleep(300);
    return { used: database.pool.totalCount - database.pool.idleCount, answers: asked };
  } finally {
    await blocker.query('rollback');
    blocker.release();
    await asked;
    await full.stop();
    await database.close();
  }
}

const rowOf = (id: string) => `select from people where id = ${id} for update`;
const forty = <T>(ask: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 40 }, (_, index) => ask(index)));

test('forty changes of one person that wait for a lock leave connections free', async () => {
  const id = await server.person({ role: 'admin' });
  const token = await server.signIn(id);
  const { data } = await server.gql(token, `{ managedUser(userId: "${id}") { version } }`);
  const change = `mutation { updateUser(userId: "${id}", version: "${data.managedUser.version}", firstName: "Ada") { id } }`;
  const { used, answers } = await whileLocked(rowOf(id), 3, (full) => forty(() => full.gql(token, change)));
  expect(used).toBe(3);
  // The first one made all the others stale.
  const refused = (await answers).filter(({ code }) => code !== null);
  expect(refused.map(({ code }) => code)).toEqual(Array.from({ length: 39 }, () => 'CONFLICT'));
});

test.each<[string, object]>([
  ['/api/auth/authenticator/options', {}],
  ['/api/auth/passkeys/options', {}],
  ['/api/auth/confirm', { recoveryCode: 'ABCD-EFGH-JKLM-NPQR' }],
])('forty sign-in calls of one person that wait for a lock leave connections free: %s', async (url, payload) => {
  const id = await server.person({ role: null });
  const token = await server.signIn(id);
  const headers = { authorization: `Bearer ${token}` };
  const { used } = await whileLocked(rowOf(id), 3, (full) =>
    forty(() => full.call({ method: 'POST', url, payload, headers })),
  );
  expect(used).toBe(3);
});

test('what waited for its turn is refused where its session has ended: a file that was sent', async () => {
  const approvers = [await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] })];
  const id = await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], approvers });
  const token = await server.signIn(id);
  await server.sprint();
  const create = `mutation { createTask(userId: "${id}", title: "Task") { id } }`;
  const taskId = (await server.gql(token, create)).data.createTask.id;
  const { promise, resolve } = Promise.withResolvers<void>();
  const own = { ...asking(id), session: tokenHash(token) };
  const part = '--mark\r\ncontent-disposition: form-data; name=';
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=mark' };
  async function* file() {
    yield `${part}"taskId"\r\n\r\n${taskId}\r\n${part}"attachment"; filename="a.txt"\r\n\r\nText`;
    // The sender is known by then; the rest waits for its turn.
    await sleep(500);
    for (let count = 0; count < 3; count += 1) void inPersonTurn(own, 'change', () => promise);
    yield '\r\n--mark--\r\n';
  }
  const upload = server.call({ method: 'POST', url: '/attachment', payload: Readable.from(file()), headers });
  await sleep(1_500);
  await server.database.transaction((queries) => endSessionsOf(queries, server.parts, id));
  resolve();
  expect((await upload).statusCode).toBe(401);
});

test('five files for one task that wait for it leave connections free', async () => {
  const approvers = [await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] })];
  const id = await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], approvers });
  const token = await server.signIn(id);
  await server.sprint();
  const create = `mutation { createTask(userId: "${id}", title: "Task") { id } }`;
  const taskId = (await server.gql(token, create)).data.createTask.id;
  const part = (name: string, value: string) =>
    `--mark\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const fileOf = (index: number) =>
    `--mark\r\ncontent-disposition: form-data; name="attachment"; filename="${index}.txt"\r\n\r\nText ${index}\r\n--mark--\r\n`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=mark' };
  const lock = `select from tasks where id = ${taskId} for update`;
  const { used, answers } = await whileLocked(lock, 3, async (full) => {
    const sent: Promise<number>[] = [];
    // A session may send no more at once, as they arrive on a slow machine.
    for (let index = 0; index < 5; index++) {
      const payload = part('taskId', taskId) + fileOf(index);
      sent.push(
        full.call({ method: 'POST', url: '/attachment', payload, headers }).then(({ statusCode }) => statusCode),
      );
      await sleep(20);
    }
    return Promise.all(sent);
  });
  expect(used).toBe(3);
  expect(await answers).toEqual(Array.from({ length: 5 }, () => 201));
});

test('strangers of one address who ask for passwords, and one person’s imports, leave connections free while they wait', async () => {
  const forgot = (email: string) => ({ method: 'POST', url: '/api/auth/forgot', payload: { email } }) as const;
  const strangers = await whileLocked('lock table sign_in_failures in exclusive mode', 3, (full) =>
    forty((index) => full.call(forgot(`nobody${index}@example.test`))),
  );
  expect(strangers.used).toBe(3);
  const token = await server.signIn(await server.person({ role: 'admin' }));
  const [url, headers] = ['/api/people/import', { authorization: `Bearer ${token}` }];
  const payload = { file: Buffer.from('email\n').toString('base64'), dryRun: true };
  const slots = await whileLocked('lock table work_slots in exclusive mode', 1, (full) =>
    forty(() => full.call({ method: 'POST', url, payload, headers })),
  );
  expect(slots.used).toBe(1);
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
