// Reads a column of a Parquet row group page by page, each within limits that are checked before it is
// unpacked.
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { ColumnMetaData, Encoding, PageHeader, SchemaTree } from 'hyparquet';
import { assembleLists } from 'hyparquet/src/assemble.js';
import { parquetHeader, readPage } from 'hyparquet/src/column.js';
import { convert, convertWithDictionary, DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { decompressPage, readDataPage, readDataPageV2 } from 'hyparquet/src/datapage.js';
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js';
import { ImportError } from './import-error.ts';
import { converterOf, notText, withoutMeaning } from './parquet-values.ts';
import { assertUnpackedSize } from './unpacked-bytes.ts';

// The values of a Parquet column's pages, with the levels that say where rows and lists begin. Rows are made
// of a few values at a time: those of a nested page take twenty times the memory of its values.

type Values = ArrayLike<unknown>;
type Levels = ArrayLike<number> | undefined;

const sliceOf = (values: Values, start: number, end?: number): unknown[] =>
  Array.prototype.slice.call(values, start, end);

class ParquetPages {
  readonly #path: SchemaTree[];
  /** The definition level of values that aren't null. */
  readonly #full: number;
  /** Rows have lists, and can go on in the next page. */
  readonly hasLists: boolean;
  #definitions = new Uint8Array();
  #repetitions = new Uint8Array();
  #values: Values = [];
  /** What was taken. */
  #next = { level: 0, value: 0 };
  /** That begin in what wasn't taken. */
  rows = 0;

  constructor(path: readonly SchemaTree[]) {
    this.#path = [...path];
    this.#full = getMaxDefinitionLevel(this.#path);
    this.hasLists = getMaxRepetitionLevel(this.#path) > 0;
  }

  /** Values and nulls that weren't taken. */
  get left(): number {
    return this.#repetitions.length - this.#next.level;
  }

  /** Without levels, all `count` values are there, or each is a row. */
  add(count: number, definitions: Levels, repetitions: Levels, values: Values): void {
    const defined = definitions?.length ? new Uint8Array(definitions) : new Uint8Array(count).fill(this.#full);
    const repeated = repetitions?.length ? new Uint8Array(repetitions) : new Uint8Array(count);
    if (defined.length !== count || repeated.length !== count) throw new Error('a page lacks values');
    const { level, value } = this.#next;
    this.#values = this.left === 0 ? values : [...sliceOf(this.#values, value), ...sliceOf(values, 0)];
    this.#definitions = joined(this.#definitions.subarray(level), defined);
    this.#repetitions = joined(this.#repetitions.subarray(level), repeated);
    this.#next = { level: 0, value: 0 };
    for (const one of repeated) if (one === 0) this.rows += 1;
  }

  take(rows: number, convert: (value: unknown) => unknown): unknown[] {
    const { level, value } = this.#next;
    let [end, left, filled] = [level, rows, 0];
    for (; end < this.#repetitions.length; end += 1) {
      if (this.#repetitions[end] === 0) left -= 1;
      if (left < 0) break;
      if (this.#definitions[end] === this.#full) filled += 1;
    }
    const values = sliceOf(this.#values, value, value + filled).map(convert);
    if (values.length < filled) throw new Error('a value is missing');
    this.#next = { level: end, value: value + filled };
    this.rows -= rows;
    const levels = (all: Uint8Array) => Array.from(all.subarray(level, end));
    return assembleLists([], levels(this.#definitions), levels(this.#repetitions), values, this.#path) as unknown[];
  }
}

function joined(start: Uint8Array, end: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (start.length === 0) return end;
  const all = new Uint8Array(start.length + end.length);
  all.set(start);
  all.set(end, start.length);
  return all;
}

/** A file that is read at any place. */
export type PlacedBytes = {
  readonly size: number;
  readonly read: (at: number, length: number) => Promise<Buffer>;
  readonly close: () => Promise<void>;
};

/**
 * `held`: about the memory of all columns' current pages. The sizes count over the whole file. `hasBroken`:
 * some bytes weren't text.
 */
export type PageBudget = { held: number; unpacked: number; packed: number; hasBroken: boolean };

const mostHeld = 128 * 1024 * 1024;
/** What a value takes besides its bytes: as text, as the library gives texts, and as a dictionary's code. */
const valueBytes = 24;
const textBytes = 128;
const codeBytes = 8;
/** Where rows and lists begin. */
const levelBytes = 2;

const windowBytes = 128 * 1024;
/** A page's header quotes its least and greatest text. */
const longestHeader = 4 * 1024 * 1024;

type Unpack = (packed: Uint8Array, size: number) => Uint8Array;
const bounded =
  (unpack: (packed: Uint8Array, options: { maxOutputLength: number }) => Buffer): Unpack =>
  (packed, size) =>
    unpack(packed, { maxOutputLength: Math.max(size, 1) });
const unpackers: Readonly<Record<string, Unpack>> = {
  GZIP: bounded(gunzipSync),
  BROTLI: bounded(brotliDecompressSync),
  ZSTD: bounded(zstdDecompressSync),
};
const codecs = ['UNCOMPRESSED', 'SNAPPY', ...Object.keys(unpackers)];
/** Times of 96 bits are kept as nanoseconds. */
const parsers = { ...DEFAULT_PARSERS, timestampFromNanoseconds: (nanoseconds: bigint) => nanoseconds as never };

export class ParquetColumn {
  readonly #name: string;
  readonly #bytes: PlacedBytes;
  readonly #budget: PageBudget;
  readonly #schemaPath: readonly SchemaTree[];
  readonly #meta: ColumnMetaData;
  readonly #convert: (value: never) => unknown;
  /** Stored as bytes. */
  readonly #isText: boolean;
  #at: number;
  readonly #end: number;
  #window: Buffer = Buffer.alloc(0);
  #windowAt = 0;
  #dictionary: unknown[] | undefined;
  /** Memory for the dictionary and for the current page. */
  #costs = { dictionary: 0, page: 0 };
  readonly #pages: ParquetPages;

  constructor(
    name: string,
    bytes: PlacedBytes,
    budget: PageBudget,
    meta: ColumnMetaData,
    schemaPath: readonly SchemaTree[],
  ) {
    [this.#name, this.#bytes, this.#budget, this.#meta, this.#schemaPath] = [name, bytes, budget, meta, schemaPath];
    if (!codecs.includes(meta.codec))
      throw new ImportError(
        `${name} is compressed with ${meta.codec ?? 'an unknown codec'}, which isn’t supported. Write it with Snappy, gzip, Brotli or Zstandard`,
      );
    this.#convert = converterOf(schemaPath.at(-1)!.element, () => {
      budget.hasBroken = true;
    });
    this.#isText = /BYTE_ARRAY$/.test(schemaPath.at(-1)!.element.type!);
    this.#pages = new ParquetPages(schemaPath);
    // Zero means there is none, and some programs leave it out.
    const start = meta.dictionary_page_offset || meta.data_page_offset;
    this.#at = Number(start);
    this.#end = Number(start + meta.total_compressed_size);
    if (this.#at < 4 || this.#end < this.#at || this.#end > bytes.size)
      throw new Error('a column lies outside the file');
  }

  /** How many whole rows were read and not taken yet. Of lists, the last can go on in the next page. */
  get rows(): number {
    const isOpen = this.#pages.hasLists && this.#at < this.#end;
    return Math.max(0, this.#pages.rows - (isOpen ? 1 : 0));
  }

  take(count: number): unknown[] {
    return this.#pages.take(count, this.#converted);
  }

  release(): void {
    this.#spend('dictionary', 0);
    this.#spend('page', 0);
  }

  /** Reads on until a row is there. */
  async fill(): Promise<void> {
    while (this.rows === 0) {
      if (this.#at >= this.#end) throw new Error('a column has fewer rows than its row group');
      const header = await this.#header();
      const { compressed_page_size: packed, uncompressed_page_size: size } = header;
      const count = valuesIn(header);
      if (!(packed >= 0 && size >= 0 && count >= 0 && this.#at + packed <= this.#end))
        throw new Error('a page lies outside its column');
      const unpack = this.#unpacking(header, size, count);
      this.#budget.unpacked += Math.max(size, count);
      this.#budget.packed += packed;
      assertUnpackedSize(this.#name, this.#budget.unpacked, this.#budget.packed);
      const page = await this.#read(packed);
      if (count > 0) unpack(page);
    }
  }

  /** Spends the page's memory first. Texts take most of it while they are unpacked. */
  #unpacking(header: PageHeader, size: number, count: number): (page: Buffer) => void {
    const later = size + count * valueBytes;
    const atFirst = this.#isText ? size + count * textBytes : later;
    if (header.type === 'DICTIONARY_PAGE') {
      this.#spend('dictionary', atFirst);
      this.#dictionary = [];
      return (page) => {
        this.#dictionary = Array.from(this.#dictionaryIn(page, header), this.#converted);
        this.#spend('dictionary', later);
      };
    }
    if (header.type !== 'DATA_PAGE' && header.type !== 'DATA_PAGE_V2') return () => {};
    const { encoding } = (header.data_page_header_v2 ?? header.data_page_header)!;
    const isCoded = encoding.endsWith('_DICTIONARY');
    // Only empty columns have codes without a dictionary.
    if (isCoded) this.#dictionary ??= [];
    // A row's list can begin in one page and end in the next.
    const levels = (count + this.#pages.left) * levelBytes + this.#pages.left * valueBytes;
    this.#spend('page', levels + (isCoded ? size + count * codeBytes : atFirst));
    return (page) => {
      this.#addPage(page, header, encoding, count);
      if (!isCoded) this.#spend('page', levels + later);
    };
  }

  #addPage(page: Buffer, header: PageHeader, encoding: Encoding, count: number): void {
    const decoder = this.#decoder;
    const { data_page_header: v1, uncompressed_page_size: size } = header;
    const { definitionLevels, repetitionLevels, dataPage } = v1
      ? readDataPage(decompressPage(page, size, this.#meta.codec, unpackers), v1, decoder)
      : readDataPageV2(page, header, decoder);
    const values = convertWithDictionary(dataPage, this.#dictionary as never, encoding, decoder);
    const isPlainText = this.#isText && !encoding.endsWith('_DICTIONARY');
    this.#pages.add(
      count,
      definitionLevels,
      repetitionLevels,
      isPlainText ? Array.from(values, this.#converted) : values,
    );
  }

  #dictionaryIn(page: Buffer, header: PageHeader): ArrayLike<unknown> {
    const reader = { view: new DataView(page.buffer, page.byteOffset, page.byteLength), offset: 0 };
    const { data = [] } = readPage(reader, header, this.#decoder, undefined, undefined, 0);
    return convert(data, this.#decoder);
  }

  get #decoder() {
    const element = this.#schemaPath.at(-1)!.element;
    return {
      ...this.#meta,
      pathInSchema: this.#meta.path_in_schema,
      schemaPath: [...this.#schemaPath],
      element: withoutMeaning(element),
      type: element.type!,
      compressors: unpackers,
      utf8: false,
      parsers,
    };
  }

  /** Texts were converted before. */
  readonly #converted = (value: unknown): unknown => {
    if (value === null || typeof value === 'string' || value === notText) return value;
    if (value === undefined) throw new Error('a value is missing');
    return this.#convert(value as never);
  };

  #spend(what: 'dictionary' | 'page', bytes: number): void {
    this.#budget.held += bytes - this.#costs[what];
    this.#costs[what] = bytes;
    if (this.#budget.held > mostHeld)
      throw new ImportError(
        `${this.#name} has row groups that are too large to read. Write it with smaller row groups`,
      );
  }

  async #header(): Promise<PageHeader> {
    for (const length of [windowBytes, longestHeader]) {
      const known = this.#window.subarray(this.#at - this.#windowAt);
      const isIn = this.#at >= this.#windowAt && known.length > 0;
      const room = Math.min(length, this.#end - this.#at);
      try {
        if (!isIn || length === longestHeader) {
          this.#window = await this.#bytes.read(this.#at, room);
          this.#windowAt = this.#at;
        }
        const bytes = this.#window.subarray(this.#at - this.#windowAt);
        const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
        const header = parquetHeader(reader);
        this.#at += reader.offset;
        return header;
      } catch (error) {
        if (length === longestHeader) throw error;
      }
    }
    throw new Error('a page has no header');
  }

  async #read(length: number): Promise<Buffer> {
    const start = this.#at - this.#windowAt;
    const isIn = start + length <= this.#window.length;
    const page = isIn ? this.#window.subarray(start, start + length) : await this.#bytes.read(this.#at, length);
    this.#at += length;
    return page;
  }
}

function valuesIn({ data_page_header_v2: v2, data_page_header: v1, dictionary_page_header: dictionary }: PageHeader) {
  return (v2 ?? v1 ?? dictionary)?.num_values ?? 0;
}
