// Reads the members of a zip archive: a file in a zip, or the parts of a workbook.
import { pipeline, Transform } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { ImportError } from './import-error.ts';
import type { OpenedFile } from './unpacked-bytes.ts';

export type ZipMember = {
  readonly name: string;
  readonly packedSize: number;
  readonly open: () => Promise<OpenedFile>;
};

export type ZipArchive = { readonly members: readonly ZipMember[]; readonly close: () => void };

/** A workbook has some dozens. */
const mostMembers = 10_000;
const stored = 0;
const deflated = 8;

/** `name`: the file's, for people. */
export async function openZip(source: string | Buffer, name: string): Promise<ZipArchive> {
  // Sizes are checked as the bytes come.
  const options = { autoClose: false, validateEntrySizes: false };
  const reading = typeof source === 'string' ? openPromise(source, options) : fromBufferPromise(source, options);
  const zip = await reading.catch((error: Error) => {
    throw damaged(name, error);
  });
  try {
    const members: ZipMember[] = [];
    for await (const entry of zip.eachEntry()) {
      members.push(memberOf(zip, entry, name));
      if (members.length > mostMembers) throw new ImportError(`${name} has too many parts to be read`);
    }
    return { members, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error instanceof ImportError ? error : damaged(name, error as Error);
  }
}

const damaged = (name: string, error: Error) =>
  new ImportError(`${name} is damaged or cut off: its zip archive cannot be read (${error.message})`);

function memberOf(zip: ZipFile, entry: Entry, name: string): ZipMember {
  const { fileName, compressedSize, compressionMethod } = entry;
  const open = async (): Promise<OpenedFile> => {
    if (entry.isEncrypted())
      throw new ImportError(`${name} is protected by a password. Save it without one, or as CSV`);
    if (compressionMethod !== stored && compressionMethod !== deflated)
      throw new ImportError(`${name} uses a compression that isn’t supported. Unpack it first`);
    const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false }).catch((error: Error) => {
      throw damaged(name, error);
    });
    let bytesRead = 0;
    const counting = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytesRead += chunk.length;
        done(null, chunk);
      },
    });
    const check = checking(entry, name);
    // The first of them to end destroys the others; the reader gets the error.
    if (compressionMethod === stored) pipeline(packed, counting, check, () => {});
    else pipeline(packed, counting, createInflateRaw(), check, () => {});
    return { stream: check, bytesRead: () => bytesRead };
  };
  return { name: fileName, packedSize: compressedSize, open };
}

/** Fails at the end if the bytes aren't those that were packed. */
function checking({ crc32: wanted, uncompressedSize }: Entry, name: string): Transform {
  let [sum, size] = [0, 0];
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum);
      size += chunk.length;
      done(null, chunk);
    },
    flush(done) {
      const isSame = sum === wanted && size === uncompressedSize;
      done(isSame ? null : new ImportError(`${name} is damaged: its checksum or size doesn’t match`));
    },
  });
}

/** What other programs add to an archive by themselves. */
const isNoise = (name: string) =>
  name.endsWith('/') || /^__MACOSX\//.test(name) || /(^|\/)(\.[^/]*|Thumbs\.db|desktop\.ini)$/i.test(name);
const namesShown = 3;

/** The only file of an archive. */
export function onlyFile({ members }: ZipArchive, name: string): ZipMember {
  const files = members.filter((member) => !isNoise(member.name));
  if (files.length === 1) return files[0]!;
  if (files.length === 0) throw new ImportError(`${name} is an empty zip archive`);
  const shown = files.slice(0, namesShown).map((file) => file.name.slice(-60));
  const more = files.length > namesShown ? ' and others' : '';
  throw new ImportError(`${name} has ${files.length} files: ${shown.join(', ')}${more}. Import them one at a time`);
}
