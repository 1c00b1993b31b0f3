// Long bodies wait for their person's turn before they are read, and refused ones aren't read (T47).
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { someone, staff } from '../../../../test/task-fixtures.ts';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
  await server.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.stop());

type Sender = { readonly socket: Socket; answer(): string };

/** Announces `length` bytes and sends what there is of them. */
function begin(path: string, token: string, length: number, body = ''): Sender {
  const { port } = server.app.server.address() as { port: number };
  const socket = connect({ port, host: '127.0.0.1' });
  let text = '';
  socket.on('data', (piece) => {
    text += piece.toString('latin1');
  });
  socket.on('error', () => {});
  const headers = ['Host: here', `Authorization: Bearer ${token}`, 'Content-Type: application/json'];
  socket.write(`POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\nContent-Length: ${length}\r\n\r\n${body}`);
  return { socket, answer: () => text };
}

async function until(met: () => boolean): Promise<void> {
  for (let waited = 0; !met() && waited < 10_000; waited += 20) await sleep(20);
  expect(met()).toBe(true);
}

const question = JSON.stringify({ query: '{ myAccount { sessions { id } } }', variables: { a: 'a'.repeat(20_000) } });

test('a session reads three long bodies at once, keeps its other sessions from none, and short ones don’t wait', async () => {
  const { id, token } = await someone(server, { permissions: staff });
  const other = await server.signIn(id);
  const ask = (by: string, text = question) => begin('/graphql', by, text.length, text);
  // Three of them have the turns of the session, and the others wait.
  const halves = Array.from({ length: 10 }, () => begin('/graphql', token, question.length, question.slice(0, 100)));
  const short = ask(token, '{"query":"{ myAccount { sessions { id } } }"}');
  await until(() => short.answer().includes('HTTP/1.1 200'));
  const last = ask(token);
  const others = ask(other);
  await until(() => others.answer().includes('HTTP/1.1 200'));
  expect(last.answer()).toBe('');
  for (const { socket } of halves) socket.destroy();
  await until(() => last.answer().includes('HTTP/1.1 200'));
  for (const { socket } of [short, last, others]) socket.destroy();
});

test('a preview that its sender may not have is refused before its body comes', async () => {
  const { token } = await someone(server, { permissions: [...staff, 'USER_MANAGEMENT'] });
  const sent = begin('/api/import/orders/preview', token, 15_000_000, '{"mapping":');
  await until(() => sent.answer().includes('HTTP/1.1 403'));
  sent.socket.destroy();
});
