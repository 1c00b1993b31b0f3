import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { answerFailure, failureOf } from './failures.ts';

describe('a file that fails before its first byte', () => {
  it('is answered as a failure, and not as the file that was announced', async () => {
    const app = Fastify();
    app.setErrorHandler(answerFailure);
    const broken = () =>
      new Readable({
        read() {
          this.destroy(new Error('select secret'));
        },
      });
    app.get('/file', (_request, reply) =>
      reply.type('text/csv').header('content-disposition', 'attachment; filename="a.csv"').send(broken()),
    );
    const { statusCode, headers, body } = await app.inject('/file');
    expect([statusCode, headers['content-type'], headers['content-disposition']]).toEqual([
      500,
      'application/json; charset=utf-8',
      undefined,
    ]);
    expect(JSON.parse(body)).toEqual({ error: { code: 'INTERNAL', message: 'Something went wrong' } });
  });
});

describe('a caller who hangs up in the middle of a body', () => {
  it('is no failure of ours, and no word about the database goes to the log', async () => {
    const failures: (number | undefined)[] = [];
    const app = Fastify();
    const seen = new Promise<void>((resolve) => {
      app.setErrorHandler((error, request, reply) => {
        failures.push(failureOf(error).statusCode);
        resolve();
        return answerFailure(error, request, reply);
      });
    });
    app.post('/', async () => 'read');
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      'POST / HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n{"half":',
    );
    await once(socket, 'data');
    socket.destroy();
    await seen;
    await app.close();
    expect(failures).toEqual([400]);
  });
});
