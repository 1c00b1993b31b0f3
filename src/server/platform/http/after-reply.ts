// What follows an answer: once it has left, or its caller has.
import type { FastifyReply } from 'fastify';

/** Runs `work` then; at once where the caller hung up while the answer was made: there is no `close` to come. */
export function afterReply({ raw }: FastifyReply, work: () => void): void {
  if (raw.destroyed) work();
  else raw.once('close', work);
}
