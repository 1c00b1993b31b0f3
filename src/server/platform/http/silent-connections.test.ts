import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endSilentConnections } from './silent-connections.ts';

const silenceMs = 100;
const app = Fastify({ connectionTimeout: silenceMs });
let port: number;
let large: ServerResponse | undefined;
beforeAll(async () => {
  endSilentConnections(app, silenceMs);
  app.post('/slow', async () => {
    await sleep(8 * silenceMs);
    return 'done';
  });
  app.get('/large', async (_request, { raw }) => {
    large = raw;
    return 'x'.repeat(50_000_000);
  });
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => app.close());

test('a caller gets an answer that takes longer than the silence', async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/slow`, { method: 'POST' });
  expect(await answer.text()).toBe('done');
});

test('a caller that stops sending is disconnected', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /slow HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{');
  socket.resume();
  socket.on('error', () => {});
  await once(socket, 'close');
});

test('a caller that stops reading is disconnected', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const connected = once(app.server, 'connection');
  socket.write('GET /large HTTP/1.1\r\nHost: here\r\n\r\n');
  const [at] = await connected;
  await once(at, 'close');
  expect(large?.writableFinished).toBe(false);
  socket.destroy();
});
