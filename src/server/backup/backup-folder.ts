// The folder of a backup: what is written into it is hashed on the way, sealed if wished, and synced; what is read is checked first.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import type { Stored } from './manifest.ts';

export const manifestName = 'manifest.json';

/** Turns what is stored into what lies on the disk, or back. */
export type Sealing = { readonly suffix: '' | '.age'; through(content: Readable): Promise<Readable> };

export const unsealed: Sealing = { suffix: '', through: async (content) => content };

/** Whoever has the key of the recipient reads it, and nobody else: the server that makes backups cannot. */
export function sealedFor(recipient: string): Sealing {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return { suffix: '.age', through: async (content) => fromWeb(await encrypter.encrypt(toWeb(content))) };
}

export function openedWith(identity: string): Sealing {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return { suffix: '.age', through: async (content) => fromWeb(await decrypter.decrypt(toWeb(content))) };
}

// Node's own types of web streams and those of the web's library name the same thing twice.
const toWeb = (content: Readable) => Readable.toWeb(content) as unknown as globalThis.ReadableStream<Uint8Array>;
const fromWeb = (content: globalThis.ReadableStream<Uint8Array>) =>
  Readable.fromWeb(content as unknown as ReadableStream<Uint8Array>);

/** `name` is without the suffix of the sealing. */
export async function store(folder: string, name: string, content: Readable, sealing: Sealing): Promise<Stored> {
  const file = `${name}${sealing.suffix}`;
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    await sealing.through(content),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { file, bytes, sha256: hash.digest('hex') };
}

/** The content through a transform, which ends as the content does: also with its failure. */
export function passed(content: Readable, transform: Transform): Readable {
  content.on('error', (error) => transform.destroy(error));
  return content.pipe(transform);
}

/** What was stored, as it was given. */
export async function readStored(folder: string, { file }: Pick<Stored, 'file'>, sealing: Sealing): Promise<Readable> {
  return sealing.through(createReadStream(join(folder, file)));
}

/** Null, or what is wrong with the file, in words. */
export async function faultOf(folder: string, { file, bytes, sha256 }: Stored): Promise<string | null> {
  const hash = createHash('sha256');
  let found = 0;
  try {
    for await (const chunk of createReadStream(join(folder, file))) {
      hash.update(chunk);
      found += chunk.length;
    }
  } catch (error) {
    return `${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`;
  }
  if (found !== bytes) return `${file} has ${found} bytes instead of ${bytes}`;
  return hash.digest('hex') === sha256 ? null : `${file} was changed: its SHA-256 is another one`;
}
