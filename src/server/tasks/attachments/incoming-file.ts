// Receives an upload into a file while counting, hashing and checking it. On any failure nothing remains.
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TextDecoder } from 'node:util';
import { refuse } from '#core/base/refusals.ts';
import { fileKindOf, safeFileName } from '#core/tasks/files.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { JoinedPieces } from '#server/platform/http/joined-pieces.ts';
import { acceptedType, headBytes } from './content-type.ts';

/** A received file whose type isn't checked yet. */
export type ReceivedFile = {
  readonly path: string;
  readonly fileName: string;
  readonly size: number;
  readonly sha256: Buffer;
  readonly head: Buffer;
  /** Only of texts; others have another encoding. */
  readonly isUtf8: boolean;
};

export type IncomingFile = Omit<ReceivedFile, 'head' | 'isUtf8'> & { readonly mime: string };

const notAllowed = (message?: string) =>
  new RefusalError(refuse('FILE_TYPE_NOT_ALLOWED', message, { field: 'attachment' }));
const mismatch = () =>
  notAllowed('The file’s content doesn’t match its extension. Fix the extension, or save the file in that format');

/** Passes bytes on, up to the limit; validates text on the way: no encoding but UTF-16 has NUL in it. */
class Inspection extends Transform {
  size = 0;
  /** The first bytes. */
  readonly head = new JoinedPieces(headBytes);
  readonly hash = createHash('sha256');
  isUtf8: boolean;
  readonly #limit: number;
  readonly #isText: boolean;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #hasNul = false;

  constructor(limit: number, isText: boolean) {
    super();
    this.#limit = limit;
    this.#isText = isText;
    this.isUtf8 = isText;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    done(this.#faultOf(chunk), chunk);
  }

  override _flush(done: TransformCallback): void {
    if (this.isUtf8) this.isUtf8 = this.#decodes();
    done(this.#hasNul && !this.#isUtf16() ? mismatch() : null);
  }

  #faultOf(chunk: Buffer): Error | null {
    this.size += chunk.length;
    if (this.size > this.#limit) return new RefusalError(refuse('FILE_TOO_LARGE', undefined, { field: 'attachment' }));
    this.head.add(chunk.subarray(0, headBytes - this.head.length));
    this.hash.update(chunk);
    if (!this.#isText) return null;
    if (this.isUtf8) this.isUtf8 = this.#decodes(chunk);
    this.#hasNul ||= chunk.includes(0);
    return this.#hasNul && this.size > 1 && !this.#isUtf16() ? mismatch() : null;
  }

  #decodes(chunk?: Buffer): boolean {
    try {
      if (chunk) this.#decoder.decode(chunk, { stream: true });
      else this.#decoder.decode();
      return true;
    } catch {
      return false;
    }
  }

  #isUtf16(): boolean {
    const [first, second] = this.head.first(2);
    return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  }
}

/** Resolves with the complete file in `folder`; the caller moves or removes it. `limit` is in bytes. */
export async function takeIn(
  content: Readable,
  name: string,
  { folder, limit }: { folder: string; limit: number },
): Promise<ReceivedFile> {
  const fileName = safeFileName(name);
  const kind = fileKindOf(fileName);
  if (kind === null) throw notAllowed();
  const path = join(folder, randomUUID());
  const inspection = new Inspection(limit, kind.check === 'text');
  try {
    await pipeline(content, inspection, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    if (inspection.size === 0)
      throw new RefusalError(refuse('BAD_INPUT', 'The file is empty', { field: 'attachment' }));
    const { size, head, hash, isUtf8 } = inspection;
    return { path, fileName, size, sha256: hash.digest(), head: head.take(), isUtf8 };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Checks the file's type, which costs more than receiving it: only for a person who can upload it. */
export async function inspect({ head, isUtf8, ...file }: ReceivedFile): Promise<IncomingFile> {
  const mime = await acceptedType(file.fileName, head, isUtf8);
  if (mime === null) throw mismatch();
  return { ...file, mime };
}
