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

/** Larger bodies have their objects, lists and items counted: parsed, each takes ten times more memory. */
const countedFrom = 64 * 1024;
export const mostParts = 100_000;
const [brace, bracket, comma] = Buffer.from('{[,');

/** The body. Throws if it has too many; those in texts count too. */
function withFewParts(body: Buffer): Buffer {
  if (body.length <= countedFrom) return body;
  let parts = 0;
  // Not its iterator, which takes eight times as long.
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === brace || byte === bracket || byte === comma) parts += 1;
  }
  if (parts > mostParts) throw new RefusalError(refuse('BODY_TOO_LARGE'));
  return body;
}

export function readJsonBodies(app: FastifyInstance): void {
  // JSON is the only body that is read whole.
  app.removeAllContentTypeParsers();
  // Rejects `__proto__` and `constructor.prototype`.
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', (request, payload, done) => {
    wholeBody(payload, request.routeOptions.bodyLimit)
      .then(withFewParts)
      .then((body) => parse(request, body.toString(), done), done);
  });
}

/** The body of a call that takes an object. */
export function bodyOf({ body }: FastifyRequest): object {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new RefusalError(refuse('BAD_INPUT', 'The body must be an object'));
  return body;
}
