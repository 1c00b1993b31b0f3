// The start of a zip archive or workbook, for a preview: a small archive with the first bytes of each part.
// The list of parts is at the end of the file, and each part can be megabytes away.
import { importLimits } from '#core/numbers/imports.ts';

type Part = {
  readonly name: string;
  readonly packedSize: number;
  readonly at: number;
  /** Its entry in the list, without extra fields and comment. */
  readonly entry: Uint8Array<ArrayBuffer>;
};

export type ZipSample = { readonly bytes: Uint8Array<ArrayBuffer>; readonly isWhole: boolean };

const endBytes = 22;
const longestComment = 64 * 1024;
const entryBytes = 46;
const headBytes = 30;
const signs = { head: 0x04034b50, entry: 0x02014b50, end: 0x06054b50 } as const;
const deflated = 8;
/** A part that says so has its long size in an extra field. */
const isLong = 0xffffffff;
const longField = 1;

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const bytesAt = async (file: Blob, at: number, length: number) =>
  new Uint8Array(await file.slice(at, at + length).arrayBuffer());

export const isZip = async (file: Blob): Promise<boolean> => {
  const start = await bytesAt(file, 0, 4);
  return start.length === 4 && viewOf(start).getUint32(0, true) === signs.head;
};

/** Null if the file isn't a whole archive. */
export async function zipSample(file: Blob): Promise<ZipSample | null> {
  const parts = await partsOf(file);
  if (parts === null) return null;
  const files = parts.filter(({ name }) => !/\/$|^__MACOSX\//.test(name));
  const inner = files.length === 1 && /\.xls[xm]$/i.test(files[0]!.name) ? await unpacked(file, files[0]!) : null;
  // A workbook in an archive is an archive too.
  return inner && (await isZip(inner)) ? zipSample(inner) : withStarts(file, parts);
}

async function partsOf(file: Blob): Promise<Part[] | null> {
  const tail = await bytesAt(file, Math.max(0, file.size - endBytes - longestComment), endBytes + longestComment);
  const view = viewOf(tail);
  let at = tail.length - endBytes;
  while (at >= 0 && view.getUint32(at, true) !== signs.end) at -= 1;
  if (at < 0) return null;
  return entriesOf(await bytesAt(file, view.getUint32(at + 16, true), view.getUint32(at + 12, true)));
}

function entriesOf(list: Uint8Array<ArrayBuffer>): Part[] | null {
  const view = viewOf(list);
  const parts: Part[] = [];
  for (let at = 0; at + entryBytes <= list.length; ) {
    if (view.getUint32(at, true) !== signs.entry) return null;
    const [name, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [
      number,
      number,
      number,
    ];
    const extraAt = at + entryBytes + name;
    const [, packedSize, place] = longSizes(
      [24, 20, 42].map((offset) => view.getUint32(at + offset, true)),
      list.subarray(extraAt, extraAt + extra),
    );
    const entry = list.slice(at, extraAt);
    parts.push({
      name: new TextDecoder().decode(entry.subarray(entryBytes)),
      packedSize: packedSize!,
      at: place!,
      entry,
    });
    at = extraAt + extra + comment;
  }
  return parts;
}

/** Some programs write the long form of sizes whatever they are. */
function longSizes(sizes: readonly number[], extra: Uint8Array): number[] {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== longField) continue;
    let next = at + 4;
    return sizes.map((size) => {
      if (size !== isLong || next + 8 > extra.length) return size;
      next += 8;
      return Number(view.getBigUint64(next - 8, true));
    });
  }
  return [...sizes];
}

async function dataOf(file: Blob, { at }: Part, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const head = await bytesAt(file, at, headBytes);
  if (head.length < headBytes) return head;
  const view = viewOf(head);
  return bytesAt(file, at + headBytes + view.getUint16(26, true) + view.getUint16(28, true), length);
}

/** Null if the browser can't; the import can. */
async function unpacked(file: Blob, part: Part): Promise<Blob | null> {
  if (part.packedSize > importLimits.zipInnerFile) return null;
  const data = new Blob([await dataOf(file, part, part.packedSize)]);
  if (viewOf(part.entry).getUint16(10, true) !== deflated) return data;
  try {
    return await new Response(data.stream().pipeThrough(new DecompressionStream('deflate-raw'))).blob();
  } catch {
    return null;
  }
}

/** Needed whole, or from the start to the texts of the first rows. */
const isAboutAll = ({ name }: Part) => /^xl\/((workbook|styles|sharedStrings)[^/]*|_rels\/workbook[^/]*)$/i.test(name);
const isMedia = ({ name }: Part) => /\.(png|jpe?g|gif|emf|wmf|bin|vml)$/i.test(name);

async function withStarts(file: Blob, parts: readonly Part[]): Promise<ZipSample> {
  const share = importLimits.zipSample / 4;
  const others = parts.filter((part) => !isMedia(part) && !isAboutAll(part)).length;
  const each = Math.min(importLimits.sample, Math.floor(share / Math.max(others, 1)));
  const bodies: Uint8Array<ArrayBuffer>[] = [];
  const entries: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  let isWhole = true;
  for (const part of parts) {
    const room = isMedia(part) ? 0 : isAboutAll(part) ? share : each;
    const data = await dataOf(file, part, Math.min(room, part.packedSize));
    isWhole &&= data.length === part.packedSize || isMedia(part);
    const entry = part.entry.slice();
    const view = viewOf(entry);
    view.setUint32(20, data.length, true);
    view.setUint16(30, 0, true);
    view.setUint16(32, 0, true);
    view.setUint32(42, at, true);
    const head = new Uint8Array(headBytes);
    viewOf(head).setUint32(0, signs.head, true);
    bodies.push(head, data);
    entries.push(entry);
    at += head.length + data.length;
  }
  const end = new Uint8Array(endBytes);
  const view = viewOf(end);
  view.setUint32(0, signs.end, true);
  view.setUint16(8, parts.length, true);
  view.setUint16(10, parts.length, true);
  view.setUint32(
    12,
    entries.reduce((sum, entry) => sum + entry.length, 0),
    true,
  );
  view.setUint32(16, at, true);
  return { bytes: new Uint8Array(await new Blob([...bodies, ...entries, end]).arrayBuffer()), isWhole };
}
