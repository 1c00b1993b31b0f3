// Runs work after an answer was sent or its caller left.
import type { FastifyReply } from 'fastify';

/** Runs `work` immediately if the caller already hung up, because `close` won't come again. */
export function afterReply({ raw }: FastifyReply, work: () => void): void {
  if (raw.destroyed) work();
  else raw.once('close', work);
}
