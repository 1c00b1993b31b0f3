// The bytes of a file, plain or unpacked, within limits.
import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { JoinedPieces } from '../http/joined-pieces.ts';
import { ImportError } from './import-error.ts';

/** `bytesRead`: as they are in the file, before they are unpacked. */
export type OpenedFile = { readonly stream: Readable; readonly bytesRead: () => number };

/** Limits of unpacked files: a larger size or ratio is an attack on memory and time. */
const unpackedLimits = { bytes: 8 * 1024 ** 3, ratio: 200, ratioCountsFrom: 10 * 1024 ** 2 } as const;

export function openBytes(file: string, isGzip: boolean): OpenedFile {
  const input = createReadStream(file);
  // The first of the two to end destroys the other; the reader gets the error.
  const stream = isGzip ? pipeline(input, createGunzip(), () => {}) : input;
  return { stream, bytesRead: () => input.bytesRead };
}

export async function* withinLimits(name: string, { stream, bytesRead }: OpenedFile): AsyncGenerator<Buffer> {
  let unpacked = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    unpacked += chunk.length;
    assertUnpackedSize(name, unpacked, bytesRead());
    yield chunk;
  }
}

export function assertUnpackedSize(name: string, unpacked: number, packed: number): void {
  const { bytes, ratio, ratioCountsFrom } = unpackedLimits;
  if (unpacked > bytes || (unpacked > ratioCountsFrom && unpacked > ratio * packed))
    throw new ImportError(
      `${name} unpacks to more than ${ratio} times its size, or to more than ${bytes / 1024 ** 3} GB. Only the rows before that were read`,
    );
}

/** Imports the data before the damage in a broken file, and reports the damage. */
export async function* untilBroken(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch {}
}

/** All the bytes; null if there are more than `most`. */
export async function allBytes(bytes: AsyncIterable<Buffer>, most: number): Promise<Buffer | null> {
  const pieces = new JoinedPieces(most);
  for await (const chunk of bytes) if (!pieces.add(chunk)) return null;
  return pieces.take();
}

/** Why reading a file ended before its end. */
export function brokenFile(name: string, error: NodeJS.ErrnoException): Error {
  if (error.code === 'Z_BUF_ERROR')
    return new ImportError(
      `${name} is cut off: its compressed data ends in the middle. Only the rows before that were read`,
    );
  if (error.code?.startsWith('Z_'))
    return new ImportError(
      `${name} is damaged: its compressed data can’t be read further (${error.message}). Only the rows before that were read`,
    );
  return error.code ? new ImportError(`${name} cannot be read: ${error.message}`) : error;
}

export async function* orBroken<Item>(name: string, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw brokenFile(name, error as NodeJS.ErrnoException);
  }
}
