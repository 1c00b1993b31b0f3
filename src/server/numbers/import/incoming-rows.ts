// Takes the body of a request into a file: an import reads it more than once, and a slow sender holds no transaction open.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refuse } from '#core/base/refusals.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';

/** Enough for some ten million rows, and less than fills a disk at once. */
const largestFile = 2 * 1024 ** 3;

export type IncomingRows = { readonly path: string; readonly size: number };

/** Resolves with the complete file; the caller removes it. */
export async function takeRowsIn(content: Readable, folder: string): Promise<IncomingRows> {
  const path = join(folder, randomUUID());
  let size = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(size > largestFile ? new RefusalError(refuse('FILE_TOO_LARGE', undefined, { field: 'file' })) : null, chunk);
    },
  });
  try {
    await pipeline(content, counting, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return { path, size };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
