// Tells work that takes long when nobody waits for its answer any more.
import type { FastifyReply } from 'fastify';

/** Aborted when the caller goes away before the whole answer was sent. */
export function signalOfCaller({ raw }: FastifyReply): AbortSignal {
  const closing = new AbortController();
  raw.once('close', () => raw.writableFinished || closing.abort());
  return closing.signal;
}
