import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';

let server: TestApp;
let token: string;

beforeAll(async () => {
  server = await startTestApp();
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  token = await server.signIn(await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] }));
});
afterAll(() => server.stop());

const upgrade = (method: string, path: string, protocol = 'websocket') =>
  `${method} ${path} HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`;

/** A caller that never closes its side: the server has to. */
function ask(...requests: string[]): { socket: Socket; answer: () => string; ended: Promise<boolean> } {
  const { port } = server.app.server.address() as { port: number };
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.on('data', (piece) => {
    text += piece.toString('latin1');
  });
  socket.on('error', () => {});
  socket.write(requests.join(''));
  const ended = new Promise<boolean>((resolve) => {
    socket.once('close', () => resolve(true)).once('end', () => resolve(true));
  });
  return { socket, answer: () => text, ended: Promise.race([ended, sleep(13_000, false)]) };
}

/** How many connections still count toward the server's limit, after closed ones had time to end. */
async function stillOpen(): Promise<number> {
  let open = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 50 && open > 0; tries++) {
    open = await new Promise<number>((resolve) =>
      server.app.server.getConnections((_error, count) => resolve(count ?? 0)),
    );
    if (open > 0) await sleep(20);
  }
  return open;
}

test('no route but the subscriptions takes an upgrade: each answers 400 and ends the socket', async () => {
  const routes = [...server.app.routeAccess.keys(), 'GET /nowhere', 'GET /graphql/', 'GET /graphqlx']
    .map((route) => route.split(' ') as [string, string])
    .filter(([method, path]) => !(method === 'GET' && path === '/graphql'));
  expect(routes.length).toBeGreaterThan(20);
  const callers = routes.map(([method, path]) => ask(upgrade(method, path.replaceAll(/[:*]/g, 'x'))));
  expect(await Promise.all(callers.map(({ ended }) => ended))).toEqual(routes.map(() => true));
  for (const { answer } of callers) expect(answer()).toMatch(/^HTTP\/1\.1 400 /);
  expect(await stillOpen()).toBe(0);
  for (const { socket } of callers) socket.destroy();
});

/** One masked text message. */
function message(content: object): Buffer {
  const text = Buffer.from(JSON.stringify(content));
  const length = text.length < 126 ? [0x80 | text.length] : [0x80 | 126, text.length >> 8, text.length & 0xff];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), text]);
}

const init = () => message({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
const subscribe = () =>
  message({ id: '1', type: 'subscribe', payload: { query: 'subscription { taskChanged { taskId } }' } });

async function until(met: () => boolean): Promise<void> {
  for (let waited = 0; !met() && waited < 10_000; waited += 10) await sleep(10);
  expect(met()).toBe(true);
}

test('a socket without a subscription is ended in time, whatever it said before', { timeout: 60_000 }, async () => {
  const silent = ask(upgrade('GET', '/graphql'));
  // The upgrade comes while the first answer is still being computed.
  const behind = ask('GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n', upgrade('GET', '/graphql'));
  const signedIn = ask(upgrade('GET', '/graphql'));
  const listening = ask(upgrade('GET', '/graphql'));
  for (const { socket, answer } of [signedIn, listening]) {
    await until(() => answer().includes('101 Switching'));
    socket.write(init());
    await until(() => answer().includes('connection_ack'));
  }
  listening.socket.write(subscribe());
  const ended = await Promise.all([silent, behind, signedIn, listening].map((caller) => caller.ended));
  expect(ended).toEqual([true, true, true, false]);
  for (const caller of [silent, behind, signedIn, listening]) caller.socket.destroy();
  expect(await stillOpen()).toBe(0);
});

test('a client that offers HTTP/2 is answered in HTTP/1.1, and its connection serves the next call', async () => {
  const { socket, answer } = ask(upgrade('GET', '/healthz', 'h2c'));
  await until(() => answer().startsWith('HTTP/1.1 200'));
  socket.write('GET /readyz HTTP/1.1\r\nHost: here\r\n\r\n');
  await until(() => answer().split('HTTP/1.1 ').length === 3);
  socket.destroy();
});

test('one person’s twenty-first socket ends the first, also when that one subscribes only afterwards', async () => {
  const callers = [];
  for (let count = 0; count < 21; count++) {
    const caller = ask(upgrade('GET', '/graphql'));
    await until(() => caller.answer().includes('101 Switching'));
    caller.socket.write(init());
    await until(() => caller.answer().includes('connection_ack'));
    callers.push(caller);
  }
  const [first] = callers as [(typeof callers)[number]];
  first.socket.write(subscribe());
  // The server closes the socket (opcode 8) as soon as it subscribes.
  await until(() => first.answer().endsWith('\x88\x00') || first.answer().endsWith('\x88\x02\x03\xe8'));
  for (const { socket } of callers) socket.destroy();
});
