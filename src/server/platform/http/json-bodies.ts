// Reads the bodies of calls like Fastify reads JSON, but joins chunks as they arrive instead of keeping them
// all.
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { refuse } from '#core/base/refusals.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { JoinedPieces } from './joined-pieces.ts';

/** The whole body. Reads and drops what exceeds the limit, because the caller has to receive the answer. */
function wholeBody(payload: FastifyRequest['raw'], limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const pieces = new JoinedPieces(limit);
  const take = (piece: Buffer) => {
    if (pieces.add(piece)) return;
    payload.off('data', take);
    reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  };
  if (Number(payload.headers['content-length']) > limit) reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  else payload.on('data', take);
  payload.once('end', () => resolve(pieces.take())).once('error', reject);
  return promise;
}

export function readJsonBodies(app: FastifyInstance): void {
  // JSON is the only body that is read whole.
  app.removeAllContentTypeParsers();
  // Rejects `__proto__` and `constructor.prototype`.
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', (request, payload, done) => {
    wholeBody(payload, request.routeOptions.bodyLimit).then((body) => parse(request, body.toString(), done), done);
  });
}

/** The body of a call that takes an object. */
export function bodyOf({ body }: FastifyRequest): object {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new RefusalError(refuse('BAD_INPUT', 'The body must be an object'));
  return body;
}
