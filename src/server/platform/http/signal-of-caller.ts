// Tells long-running work to stop once its caller has disconnected.
import type { FastifyReply } from 'fastify';
import { refuse } from '#core/base/refusals.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { afterReply } from './after-reply.ts';

/**
 * Aborted when the caller leaves before the whole answer was sent. Its reason is a refusal, because a caller
 * who left is no failure.
 */
export function signalOfCaller(reply: FastifyReply): AbortSignal {
  const closing = new AbortController();
  afterReply(reply, () => {
    if (!reply.raw.writableFinished)
      closing.abort(new RefusalError(refuse('BAD_REQUEST', 'The connection was closed')));
  });
  return closing.signal;
}
