// Ends connections whose client sends or reads nothing. A server that works on an answer keeps them.
import type { FastifyInstance } from 'fastify';

/** `silenceMs` is the server's `connectionTimeout`, after which Node asks here. */
export function endSilentConnections(app: FastifyInstance, silenceMs: number): void {
  app.addHook('onRequest', async ({ raw: request }, { raw: answer }) => {
    answer.on('timeout', () => {
      const { socket } = request;
      const isWorking = request.complete && socket.writableLength === 0;
      // Node doesn't ask again by itself.
      if (isWorking) socket.setTimeout(silenceMs);
      else socket.destroy();
    });
  });
}
