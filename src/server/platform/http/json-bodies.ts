// How the bodies of calls are read: as Fastify reads JSON, but joined as they come, where it keeps every chunk until the last.
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { refuse } from '#core/base/refusals.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { JoinedPieces } from './joined-pieces.ts';

/** All of the body. What comes after the limit is read and dropped, so that the caller may hear the answer. */
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
  // A `__proto__` or `constructor.prototype` in it is an error.
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
