import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import Fastify, { type FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { refuse } from '#core/base/refusals.ts';
import { freshDatabase } from '../../../../test/database.ts';
import { answerFailure, failureOf, logFailure } from './failures.ts';
import { RefusalError } from './refusal-error.ts';

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

describe('a statement that was refused by the database itself', () => {
  const failed = (code: string) => failureOf(new Error('Failed query', { cause: { code } }));
  it('is no unreachable database', () => {
    const [slow, collided, unreachable] = [failed('57014'), failed('40001'), failed('57P01')];
    expect([slow.refusal.code, collided.refusal.code, unreachable.refusal.code]).toEqual([
      'TOO_SLOW',
      'UNAVAILABLE',
      'UNAVAILABLE',
    ]);
    expect([slow, collided, unreachable].map(({ refusal }) => refusal.message.includes('reach'))).toEqual([
      false,
      false,
      true,
    ]);
    expect([slow, collided, unreachable].map(({ statusCode }) => statusCode)).toEqual([503, 503, 503]);
  });

  it('took too long in a transaction too', async () => {
    const fresh = await freshDatabase();
    const sleeping = fresh.database.transaction((queries) =>
      queries
        .execute(sql`select set_config('statement_timeout', '50', true)`)
        .then(() => queries.execute(sql`select pg_sleep(2)`)),
    );
    const error = await sleeping.catch((reason: unknown) => reason);
    await fresh.drop();
    expect(failureOf(error).refusal.code).toBe('TOO_SLOW');
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

  it('is none while the answer is sent either', () => {
    const left = Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
    expect(failureOf(left).statusCode).toBe(400);
  });
});

it('logs refusals as warnings, and only failures as errors', () => {
  const logged: string[] = [];
  const at = (level: string) => () => logged.push(level);
  const log = { info: at('info'), warn: at('warn'), error: at('error') } as unknown as FastifyRequest['log'];
  for (const error of [
    new RefusalError(refuse('UNAVAILABLE')),
    new Error('broken'),
    new RefusalError(refuse('FORBIDDEN')),
  ])
    logFailure(log, failureOf(error), error);
  expect(logged).toEqual(['warn', 'error', 'info']);
});
