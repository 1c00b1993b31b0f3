import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { endSlowReader } from './slow-reader.ts';

const pace = { windowMs: 500, bytes: 200_000 };
let server: Server | undefined;
let client: Socket | undefined;
afterEach(() => {
  client?.destroy();
  server?.close();
});

/** Sends a request and returns whether it is ended within two seconds while `read` consumes the answer. */
async function isEnded(lines: AsyncIterable<string>, read: (client: Socket) => void): Promise<boolean> {
  let ended = false;
  server = createServer((_request, response) => {
    response.once('close', () => {
      ended = !response.writableEnded;
    });
    Readable.from(endSlowReader(response, lines, pace))
      .on('error', () => {})
      .pipe(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  read(client);
  await sleep(2_000);
  return ended;
}

async function* endless(waitMs = 0): AsyncGenerator<string> {
  for (;;) {
    yield 'x'.repeat(waitMs > 0 ? 100 : 10_000);
    if (waitMs > 0) await sleep(waitMs);
  }
}

test('a reader that takes a few bytes at a time is ended, and gives its slot back', async () => {
  const drip = (socket: Socket) => {
    socket.pause();
    const timer = setInterval(() => socket.read(10), 50);
    socket.once('close', () => clearInterval(timer));
  };
  expect(await isEnded(endless(), drip)).toBe(true);
});

test('a reader that keeps up with lines that come slowly is let be', async () => {
  expect(await isEnded(endless(50), (socket) => socket.resume())).toBe(false);
});

test('a reader above the pace is let be, however large the parts are', async () => {
  async function* largeParts(): AsyncGenerator<string> {
    for (;;) yield 'x'.repeat(2_000_000);
  }
  // No socket buffers: 1.2 MB a second against 400 KB, and the answer waits at every check.
  const response = new PassThrough({ highWaterMark: 16_384 });
  const parts = Readable.from(endSlowReader(response, largeParts(), pace)).on('error', () => {});
  parts.pipe(response);
  for (let look = 0; look < 40; look++) {
    response.read(60_000);
    response.read();
    await sleep(50);
  }
  expect(response.destroyed).toBe(false);
  response.destroy();
});

test('nothing is read for someone who has left before', async () => {
  const response = new PassThrough().destroy();
  await once(response, 'close');
  expect(await endSlowReader(response, ['a line'], pace).next()).toMatchObject({ done: true });
});
