// Tells work that takes long when nobody waits for its answer any more.
import type { FastifyReply } from 'fastify';
import { afterReply } from './after-reply.ts';

/** Aborted when the caller goes away before the whole answer was sent. */
export function signalOfCaller(reply: FastifyReply): AbortSignal {
  const closing = new AbortController();
  afterReply(reply, () => {
    if (!reply.raw.writableFinished) closing.abort();
  });
  return closing.signal;
}
