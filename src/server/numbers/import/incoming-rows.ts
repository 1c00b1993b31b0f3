// Receives a request's body into a file: an import reads it several times, and a slow sender must not keep a
// transaction open.
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refuse } from '#core/base/refusals.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';

/** Enough for about ten million rows, without filling a disk at once. */
const largestFile = 2 * 1024 ** 3;

/** `hash`: SHA-256 of the received bytes. */
export type IncomingRows = { readonly path: string; readonly size: number; readonly hash: Buffer };

/** Resolves with the complete file; the caller removes it. */
export async function takeRowsIn(content: Readable, folder: string): Promise<IncomingRows> {
  const path = join(folder, randomUUID());
  let size = 0;
  const hash = createHash('sha256');
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      done(size > largestFile ? new RefusalError(refuse('FILE_TOO_LARGE', undefined, { field: 'file' })) : null, chunk);
    },
  });
  try {
    await pipeline(content, counting, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return { path, size, hash: hash.digest() };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
