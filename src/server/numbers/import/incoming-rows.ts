// Receives a request's body into a file: an import reads it several times, and a slow sender must not keep a
// transaction open.
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refuse } from '#core/base/refusals.ts';
import { importLimits, tooLargeFile } from '#core/numbers/imports.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { slowestPace } from '#server/platform/http/slow-reader.ts';

/** `hash`: SHA-256 of the file's bytes. `head`: what came before them. */
export type IncomingRows = {
  readonly path: string;
  readonly size: number;
  readonly hash: Buffer;
  readonly head: string;
};

const tooLarge = () => new RefusalError(refuse('FILE_TOO_LARGE', `The file ${tooLargeFile}`, { field: 'file' }));

/** Before any of it is received, if its sender says how long it is. */
export function assertSize(contentLength: string | undefined, headBytes: number): void {
  if (Number(contentLength ?? 0) - headBytes > importLimits.file) throw tooLarge();
}

const tooSlow = () => new RefusalError(refuse('BAD_REQUEST', 'Upload too slow. Try again'));

type Intake = { readonly headBytes?: number; readonly pace?: typeof slowestPace; readonly signal?: AbortSignal };

/**
 * Resolves with the complete file; the caller removes it. Ends slow senders, because each takes a slot. With
 * the signal it ends with its reason, and the sender can still be answered.
 */
export async function takeRowsIn(
  content: Readable,
  folder: string,
  { headBytes = 0, pace = slowestPace, signal }: Intake = {},
): Promise<IncomingRows> {
  const path = join(folder, randomUUID());
  let [size, before] = [0, 0];
  const timer = setInterval(() => {
    if (size - before < pace.bytes) content.destroy(tooSlow());
    before = size;
  }, pace.windowMs).unref();
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let headLeft = headBytes;
  const counting = new Transform({
    transform(received: Buffer, _encoding, done) {
      const ofHead = received.subarray(0, headLeft);
      const chunk = received.subarray(ofHead.length);
      if (ofHead.length > 0) head.push(ofHead);
      headLeft -= ofHead.length;
      size += chunk.length;
      hash.update(chunk);
      done(size > importLimits.file ? tooLarge() : null, chunk);
    },
  });
  // Its own error would cut the connection.
  const onAbort = () => counting.destroy(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  try {
    await pipeline(content, counting, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return { path, size, hash: hash.digest(), head: Buffer.concat(head).toString() };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
