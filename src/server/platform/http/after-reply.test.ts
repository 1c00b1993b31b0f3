import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { afterReply } from './after-reply.ts';

/**
 * The events at a server that got a request, in order; with `hangsUp`, the caller leaves before the work was
 * registered.
 */
async function happened(hangsUp: boolean): Promise<string[]> {
  const events: string[] = [];
  const app = fastify();
  const done = Promise.withResolvers<void>();
  app.get('/', async (request, reply) => {
    if (hangsUp) {
      caller.destroy();
      await once(request.raw.socket, 'close');
    }
    afterReply(reply, () => {
      events.push('work');
      done.resolve();
    });
    events.push('answer');
    return {};
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const caller = connect((app.server.address() as { port: number }).port, '127.0.0.1');
  caller.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await done.promise;
  caller.destroy();
  await app.close();
  return events;
}

it('runs when the answer has left', async () => {
  expect(await happened(false)).toEqual(['answer', 'work']);
});

it('runs at once when the caller has left before', async () => {
  expect(await happened(true)).toEqual(['work', 'answer']);
});
