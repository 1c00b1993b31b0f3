import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '#server/access/auth/passwords.ts';
import { endSessionsOf } from '#server/access/auth/sessions.service.ts';
import { changeSetting } from '#server/admin/settings/settings.service.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { layLine } from '../../../../test/line.ts';
import { companyDay, tokenHash } from '../viewer.ts';
import { openLiveChanges } from './live.service.ts';
import { messageLimits } from './socket-guard.ts';

let one: TestApp;
let other: TestApp;
let people: { owner: string; approver: string; stranger: string };
let ownerToken: string;

beforeAll(async () => {
  one = await startTestApp();
  other = await startTestApp({ beside: one });
  for (const { app } of [one, other]) await app.listen({ port: 0, host: '127.0.0.1' });
  const approver = await one.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
  const owner = await one.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], approvers: [approver] });
  const elsewhere = await one.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
  const stranger = await one.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], approvers: [elsewhere] });
  people = { owner, approver, stranger };
  ownerToken = await one.signIn(owner);
  await one.sprint();
});
afterAll(async () => {
  await other.stop();
  await one.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: messages of the protocol, which the expectations check
type Message = any;

class Client {
  readonly heard: Message[] = [];
  pongs = 0;
  closed = false;
  readonly #socket: WebSocket;

  constructor(server: TestApp, protocol = 'graphql-transport-ws') {
    const { port } = server.app.server.address() as { port: number };
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, protocol);
    this.#socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data));
      if (message.type === 'pong') this.pongs += 1;
      else this.heard.push(message);
    };
    this.#socket.onclose = () => {
      this.closed = true;
    };
  }

  say(message: object): Promise<void> {
    return this.sayRaw(JSON.stringify(message));
  }

  async sayRaw(text: string): Promise<void> {
    if (this.#socket.readyState === WebSocket.CONNECTING)
      await new Promise((resolve) => this.#socket.addEventListener('open', resolve));
    this.#socket.send(text);
  }

  async init(token: string): Promise<this> {
    await this.say({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
    await until(() => this.closed || this.heard.some(({ type }) => type === 'connection_ack'));
    return this;
  }

  async subscribe(
    query = 'subscription { taskChanged { taskId userId version event actorId sprintId } }',
    id = 'tasks',
  ): Promise<this> {
    await this.say({ id, type: 'subscribe', payload: { query } });
    // A started subscription sends no confirmation.
    await this.answered();
    return this;
  }

  /**
   * Waits until the server has done what it was sent. It may answer the first ping while it still works on
   * that.
   */
  async answered(): Promise<void> {
    for (let round = 0; round < 2; round += 1) {
      const { pongs } = this;
      await this.say({ type: 'ping' });
      await until(() => this.closed || this.pongs > pongs);
    }
  }

  get changes(): Message[] {
    return this.heard.filter(({ type }) => type === 'next').map(({ payload }) => payload.data.taskChanged);
  }

  close(): void {
    this.#socket.close();
  }
}

async function until(met: () => boolean, longest = 30_000): Promise<void> {
  for (let waited = 0; !met() && waited < longest; waited += 10) await sleep(10);
  expect(met()).toBe(true);
}

async function newTask(server: TestApp): Promise<string> {
  const { data } = await server.gql(
    ownerToken,
    'mutation ($userId: ID!) { createTask(title: "Call back", userId: $userId) { id } }',
    { userId: people.owner },
  );
  return data.createTask.id;
}

test.each([
  ['nothing', undefined],
  ['no token', { authorization: '' }],
  ['an unknown token', { authorization: `Bearer ${'A'.repeat(43)}` }],
  ['another shape', { authorization: ['Bearer'] }],
])('a socket that says who it is with %s is closed', async (_what, payload) => {
  const client = new Client(one);
  await client.say({ type: 'connection_init', payload });
  await until(() => client.closed);
  expect(client.heard.some(({ type }) => type === 'connection_ack')).toBe(false);
});

test.each(['subscribe', 'ping', 'pong', 'complete'])('a socket that begins with %s is closed unheard', async (type) => {
  const client = new Client(one);
  await client.say({ id: 'tasks', type, payload: { query: 'subscription { taskChanged { taskId } }' } });
  await until(() => client.closed);
  expect([client.heard, client.pongs]).toEqual([[], 0]);
});

test.each([
  ['an unknown field', 'subscription { taskChanged { secret } }', 'BAD_INPUT'],
  [
    'too much at once',
    `subscription { taskChanged { ${Array.from({ length: 16 }, (_, index) => `a${index}: taskId`).join(' ')} } }`,
    'QUERY_TOO_LARGE',
  ],
  ['fragments in a circle', 'subscription { ...A } fragment A on Subscription { ...A }', 'BAD_REQUEST'],
])('the limits of a query hold on a socket: %s', async (_what, query, code) => {
  const client = await new Client(one).init(ownerToken);
  await client.subscribe(query);
  await until(() => client.heard.some(({ type }) => type === 'error'));
  expect(client.heard.at(-1).payload[0].extensions.code).toBe(code);
  client.close();
});

test('a tree instead of a query is refused, and so are queries and mutations', async () => {
  const client = await new Client(one).init(ownerToken);
  await client.say({
    id: '1',
    type: 'subscribe',
    payload: {
      query: {
        kind: 'Document',
        definitions: [
          {
            kind: 'OperationDefinition',
            operation: 'subscription',
            selectionSet: { kind: 'SelectionSet', selections: [] },
          },
        ],
      },
    },
  });
  await client.subscribe('{ people { id } }', '2');
  await until(() => client.heard.filter(({ type }) => type === 'error').length === 2);
  client.close();
});

test.each([
  ['no payload', { id: '1', type: 'subscribe' }],
  ['no query', { id: '1', type: 'subscribe', payload: {} }],
  ['a query that is a number', { id: '1', type: 'subscribe', payload: { query: 1 } }],
  ['a query that cannot be read', { id: '1', type: 'subscribe', payload: { query: 'subscription {' } }],
  [
    'an operation that is not there',
    { id: '1', type: 'subscribe', payload: { query: 'subscription A { taskChanged { taskId } }', operationName: 'B' } },
  ],
  ['an unknown type', { id: '1', type: 'nonsense' }],
])('an error on a socket has a code and words of the catalogue: %s', async (_what, message) => {
  const client = await new Client(one).init(ownerToken);
  await client.say(message);
  await until(() => client.heard.some(({ type }) => type === 'error'));
  expect(client.heard.at(-1).payload).toEqual([
    { message: 'This request can’t be read', extensions: { code: 'BAD_REQUEST', statusCode: 400 } },
  ]);
  client.close();
});

test.each([
  ['isn’t JSON', 'x'],
  ['is null', 'null'],
  ['is a list', '[]'],
  ['names another person in an extension', '{"id":"1","type":"subscribe","extensions":[{"type":"connectionInit"}]}'],
  ['says a second time who it is', '{"type":"connection_init","payload":{}}'],
  ['is larger than ours ever are', JSON.stringify({ type: 'ping', payload: 'x'.repeat(messageLimits.bytes) })],
  [
    'has a long query',
    JSON.stringify({ id: '1', type: 'subscribe', payload: { query: `subscription{${'a '.repeat(2_100)}}` } }),
  ],
])('a socket is closed when a message %s', async (_what, text) => {
  const client = await new Client(one).init(ownerToken);
  await client.sayRaw(text);
  await until(() => client.closed);
});

test('a socket that says more than a page ever does is ended, and what comes behind is not looked at', async () => {
  const client = await new Client(one).init(ownerToken);
  for (let count = 1; count < messageLimits.most; count += 1) await client.say({ type: 'ping' });
  await until(() => client.pongs === messageLimits.most - 1);
  expect(client.closed).toBe(false);
  for (let count = 0; count < 20; count += 1) await client.say({ type: 'ping' });
  await until(() => client.closed);
  expect(client.pongs).toBe(messageLimits.most - 1);
});

test('a message in more pieces than one of ours ever has ends its socket', async () => {
  const { port } = one.app.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  const heard: Buffer[] = [];
  socket.on('data', (piece) => heard.push(piece));
  socket.write(
    'GET /graphql HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
  );
  await until(() => Buffer.concat(heard).includes('\r\n\r\n'));
  heard.length = 0;
  // Masked text of one byte, not the last fragment; then its continuation.
  const pieceOf = (opcode: number) => Buffer.from([opcode, 0x81, 0, 0, 0, 0, 0x61]);
  const send = (count: number) => socket.write(Buffer.concat(Array.from({ length: count }, () => pieceOf(0))));
  socket.write(pieceOf(1));
  send(63);
  // A ping of the WebSocket itself, between the pieces: after them, its pong is all there is to hear.
  socket.write(Buffer.from([0x89, 0x80, 0, 0, 0, 0]));
  await until(() => heard.length > 0);
  expect(Buffer.concat(heard)).toEqual(Buffer.from([0x8a, 0]));
  heard.length = 0;
  send(1);
  await until(() => heard.length > 0);
  const tooMuch = 1008;
  expect(Buffer.concat(heard).readUInt16BE(2)).toBe(tooMuch);
  socket.destroy();
});

test('what nobody of ours notifies is a gap, and live changes go on', async () => {
  for (const text of ['no JSON', 'null', '{"topic":"taskChanged","message":{"taskId":"1","userId":"999"}}']) {
    const client = await (await new Client(other).init(await one.signIn(people.approver))).subscribe();
    await one.database.pool.query("select pg_notify('staff_dashboard', $1)", [text]);
    await until(() => client.closed);
  }
  const again = await (await new Client(other).init(ownerToken)).subscribe();
  await newTask(one);
  await until(() => again.changes.length === 1);
  again.close();
});

test('whoever may not see a task hears nothing of it; the owner and the approver hear it on every server', async () => {
  const listeners = await Promise.all(
    [people.owner, people.approver, people.stranger].flatMap((id) =>
      [one, other].map(async (server) => (await new Client(server).init(await one.signIn(id))).subscribe()),
    ),
  );
  const [ownerHere, ownerThere, approverHere, approverThere, ...strangers] = listeners as [
    Client,
    Client,
    Client,
    Client,
    ...Client[],
  ];
  const taskId = await newTask(one);
  await until(() => [ownerHere, ownerThere, approverHere, approverThere].every(({ changes }) => changes.length === 1));
  const change = {
    taskId,
    userId: people.owner,
    version: 1,
    event: 'created',
    actorId: people.owner,
    sprintId: expect.any(String),
  };
  for (const listener of [ownerHere, ownerThere, approverHere, approverThere])
    expect(listener.changes).toEqual([change]);
  // A change of their own, which they hear after it.
  await one.gql(
    await one.signIn(people.stranger),
    'mutation ($userId: ID!) { createTask(title: "My own", userId: $userId) { id } }',
    { userId: people.stranger },
  );
  await until(() => strangers.every(({ changes }) => changes.length > 0));
  for (const stranger of strangers)
    expect(stranger.changes).toEqual([expect.objectContaining({ userId: people.stranger })]);
  for (const listener of listeners) listener.close();
});

test('nothing is told of a change that was rolled back', async () => {
  const client = await (await new Client(one).init(ownerToken)).subscribe();
  const change = {
    taskId: '1',
    sprintId: '1',
    userId: people.owner,
    version: 2,
    actorId: null,
    event: 'edited',
    approverIds: [],
  } as const;
  await expect(
    one.database.transaction(async (queries) => {
      await one.parts.live.publish(queries, 'taskChanged', change);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await one.parts.live.publish(one.database.drizzle, 'taskChanged', { ...change, version: 3 });
  await until(() => client.changes.length > 0);
  expect(client.changes.map(({ version }: Message) => version)).toEqual([3]);
  client.close();
});

test('an approver hears nothing more the moment the person is somebody else’s to approve', async () => {
  const client = await (await new Client(one).init(await one.signIn(people.approver))).subscribe();
  const owner = await (await new Client(one).init(ownerToken)).subscribe();
  await one.database.pool.query(
    "update roles set permissions = '{VIEW_DASHBOARD}' where name = (select role from people where id = $1)",
    [people.approver],
  );
  // Permissions read within the last second are still valid.
  await sleep(1_100);
  await newTask(one);
  // The server sends a change to all who hear it in one go.
  await until(() => owner.changes.length === 1);
  await client.answered();
  expect(client.changes).toEqual([]);
  await one.database.pool.query(
    "update roles set permissions = '{VIEW_DASHBOARD,VIEW_TOP_5_APPROVALS}' where name = (select role from people where id = $1)",
    [people.approver],
  );
  client.close();
  owner.close();
});

test('a socket is closed within seconds when its session ends', async () => {
  const token = await one.signIn(people.owner);
  const client = await (await new Client(other).init(token)).subscribe();
  await one.database.pool.query('delete from sessions where token_hash = $1', [tokenHash(token)]);
  await until(() => client.closed, 7_000);
});

test('after the connection to the database was lost, clients are sent away to read again, and changes are heard again', async () => {
  const client = await (await new Client(other).init(ownerToken)).subscribe();
  await one.asOwner(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'staff-dashboard live' and datname = current_database()",
  );
  await until(() => client.closed);
  const again = await (await new Client(other).init(ownerToken)).subscribe();
  await newTask(one);
  await until(() => again.changes.length === 1);
  again.close();
});

test('a connection to the database that goes silent is given up, and changes are heard again', async () => {
  const url = new URL(one.databaseUrl);
  const { host, port } = Object.fromEntries(url.searchParams);
  const line = await layLine({ path: `${host}/.s.PGSQL.${port}` });
  Object.assign(url, { host: `127.0.0.1:${line.port}`, search: '' });
  const { log } = one.parts;
  const live = await openLiveChanges({ url: url.href, log, heartbeat: { everyMs: 1_000, answerMs: 900 } });
  const heard: string[] = [];
  live.onGap(() => heard.push('gap'));
  live.on('noticesChanged', ({ personIds }) => heard.push(...personIds));
  try {
    line.become('silent');
    await one.parts.live.publish(one.database.drizzle, 'noticesChanged', { personIds: ['7'] });
    // As a firewall that forgot the connection: it lets a new one through.
    setTimeout(() => line.become('good'), 1_900);
    await until(() => heard.includes('gap'));
    await one.parts.live.publish(one.database.drizzle, 'noticesChanged', { personIds: ['8'] });
    await until(() => heard.includes('8'));
    expect(heard).toEqual(['gap', '8']);
  } finally {
    await live.close();
    await line.close();
  }
});

test('a message that does not fit is a gap, after which everybody reads again', async () => {
  let gaps = 0;
  const stop = other.parts.live.onGap(() => gaps++);
  const approverIds = Array.from({ length: 2_000 }, (_, index) => String(index + 1_000));
  await one.parts.live.publish(one.database.drizzle, 'taskChanged', {
    taskId: '1',
    sprintId: '1',
    userId: people.owner,
    version: 2,
    actorId: null,
    event: 'edited',
    approverIds,
  });
  await until(() => gaps === 1);
  stop();
});

test('a setting that one server changes holds on all, and stands in the audit log', async () => {
  const { parts } = one;
  const admin = await one.person({ role: 'admin' });
  const viewer = { id: admin } as never;
  expect(other.parts.settings().taskLimit).toBe(5);
  await changeSetting({ ...parts, viewer, requestId: 'request', address: '127.0.0.1' }, 'taskLimit', 7);
  await until(() => one.parts.settings().taskLimit === 7 && other.parts.settings().taskLimit === 7);
  const { rows } = await one.database.pool.query(
    "select actor_id::text, subject_id, before, after from audit_log where action = 'settingChanged'",
  );
  expect(rows).toEqual([{ actor_id: admin, subject_id: 'taskLimit', before: { value: 5 }, after: { value: 7 } }]);
});

test('whose role was changed, on whatever server, reads again; whoever has another role is left alone', async () => {
  const role = { role: 'Changed role', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] } as const;
  const concerned = await (await new Client(one).init(await one.signIn(await one.person(role)))).subscribe();
  const unconcerned = await (await new Client(one).init(ownerToken)).subscribe();
  // Can't see tasks: the socket stays open, and only its end is received.
  const editor = await one.signIn(await one.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR'] }));
  const editsRoles = await (await new Client(one).init(editor)).subscribe();
  expect([editsRoles.closed, editsRoles.heard.at(-1).type]).toEqual([false, 'error']);
  await other.database.transaction((queries) =>
    other.parts.live.publish(queries, 'rightsChanged', { roles: ['Changed role'], personIds: [] }),
  );
  await until(() => concerned.closed && editsRoles.closed);
  expect(unconcerned.closed).toBe(false);
  await one.database.transaction((queries) =>
    one.parts.live.publish(queries, 'rightsChanged', { roles: [], personIds: [people.owner] }),
  );
  await until(() => unconcerned.closed);
});

test('a confirmation ends the sockets of its session only, and the end of all sessions those of their person', async () => {
  const passwordHash = await hashPassword('correct horse battery');
  const person = await one.person({ role: null, email: 'norole@example.test', passwordHash });
  const [token, kept] = [await one.signIn(person), await one.signIn(person)];
  const admin = await one.signIn(await one.person({ role: 'admin' }));
  const open = async (of: string) => (await new Client(other).init(of)).subscribe();
  const [own, others, admins] = [await open(token), await open(kept), await open(admin)];
  const headers = { authorization: `Bearer ${token}` };
  const payload = { password: 'correct horse battery' };
  const { statusCode } = await one.call({ method: 'POST', url: '/api/auth/confirm', payload, headers });
  expect(statusCode).toBe(200);
  await until(() => own.closed);
  await Promise.all([others.answered(), admins.answered()]);
  expect([others.closed, admins.closed]).toEqual([false, false]);
  await one.database.transaction((queries) => endSessionsOf(queries, one.parts, person));
  await until(() => others.closed);
  await admins.answered();
  expect(admins.closed).toBe(false);
  admins.close();
});

test('one session with many sockets takes none from another of its person', async () => {
  const person = await one.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] });
  const [owner, thief] = [await one.signIn(person), await one.signIn(person)];
  const page = await (await new Client(other).init(owner)).subscribe();
  const many: Client[] = [];
  for (let count = 0; count < 21; count += 1) many.push(await (await new Client(other).init(thief)).subscribe());
  await until(() => many[0]!.closed);
  await page.answered();
  expect(page.closed).toBe(false);
  for (const client of [page, ...many]) client.close();
});

test('a delegate reads again when people come to the absent approver, and when the absent approver’s role loses the permission', async () => {
  await one.database.pool.query(
    "insert into roles (name, permissions) values ('Decider', '{VIEW_DASHBOARD,VIEW_TOP_5_APPROVALS}')",
  );
  const absent = await one.person({ role: 'Decider' });
  const delegate = await one.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
  const day = companyDay(one.parts);
  await one.database.pool.query(
    'insert into absences (person_id, first_day, last_day, delegate_id) values ($1, $2, $2, $3)',
    [...[absent, day, delegate]],
  );
  const open = async () => (await new Client(other).init(await one.signIn(delegate))).subscribe();
  const admin = await one.signIn(await one.person({ role: 'admin' }));
  const first = await open();
  const set = 'mutation ($c: [ApproversChange!]!) { setApprovers(changes: $c) { defaultApproverId } }';
  expect((await one.gql(admin, set, { c: [{ userId: people.stranger, approverIds: [absent] }] })).code).toBeNull();
  await until(() => first.closed, 4_000);
  const second = await open();
  await one.database.pool.query("update roles set permissions = '{VIEW_DASHBOARD}' where name = 'Decider'");
  await until(() => second.closed, 7_000);
});

test('the socket of who is disabled ends with it, on another server too, and none is opened again', async () => {
  const keeper = await one.signIn(
    await one.person({ role: 'Keeper', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] }),
  );
  const gone = await one.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] });
  const token = await one.signIn(gone);
  const sockets = await Promise.all(
    [one, other].map(async (server) => (await new Client(server).init(token)).subscribe()),
  );
  expect(sockets.map(({ closed }) => closed)).toEqual([false, false]);
  const disable = 'mutation ($id: ID!) { setUserDisabled(userId: $id, disabled: true) { id } }';
  expect((await one.gql(keeper, disable, { id: gone })).code).toBeNull();
  await until(() => sockets.every(({ closed }) => closed));
  const again = await new Client(other).init(token);
  await until(() => again.closed);
  expect(again.heard.map(({ type }) => type)).not.toContain('connection_ack');
});
