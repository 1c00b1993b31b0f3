import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { answerFailure } from './failures.ts';

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
