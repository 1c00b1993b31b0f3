// Rows of a JSON file: the objects of its list, or of the one list of objects in its object. Cuts the bytes
// into the list's items without parsing them, so only one item is in memory at a time.
import { JoinedPieces } from '../http/joined-pieces.ts';
import { reasonColumn, textIn } from './correctable-rows.ts';
import { ImportError } from './import-error.ts';
import { longestLine, readLine } from './ndjson-rows.ts';
import type { JsonNumbers, SourceRow } from './source-row.ts';

type Item = { readonly line: number; readonly content: Buffer | null };
type JsonFile = { readonly name: string; readonly numbers: JsonNumbers; readonly isSample: boolean };

const codeOf = (sign: string) => sign.charCodeAt(0);
const newline = codeOf('\n');
const space = codeOf(' ');
const quote = codeOf('"');
const backslash = codeOf('\\');
const comma = codeOf(',');
const colon = codeOf(':');
const brace = { open: codeOf('{'), close: codeOf('}') } as const;
const bracket = { open: codeOf('['), close: codeOf(']') } as const;
/** How many property names, and how much of each, are kept to recognize a file. */
const most = { names: 1_000, nameBytes: 500 } as const;

export async function* jsonRows({ name, numbers, isSample }: JsonFile, bytes: AsyncIterable<Buffer>) {
  const longest = longestLine[numbers];
  const list = new JsonList(longest);
  let found = false;
  const rowOf = ({ line, content }: Item): SourceRow => {
    found = true;
    const row = readLine(content, line, numbers, longest);
    return { ...row, text: row.text.replace(/[\r\n]+[ \t]*/g, ' ') };
  };
  for await (const chunk of bytes) {
    for (const item of list.take(chunk)) yield rowOf(item);
    if (list.fault) throw new ImportError(`${name} ${list.fault}`, { isInMiddle: true });
  }
  if (list.isEnded) {
    if (!found) throw new ImportError(`${name} has no rows`);
    return;
  }
  if (!isSample) throw new ImportError(`${name} is cut off: its JSON ends in the middle. ${rowsRead}`);
  for (const item of list.rest()) yield rowOf(item);
  if (!found)
    throw new ImportError(
      `${name} has too much text before its first row for a preview. Make the mapping with a shortened copy, then import this file by HTTP or npm run import`,
    );
}

const rowsRead = 'Only the rows before that were read';
const noList =
  'can’t be imported. It looks like a JSON object without a list of objects. Use a list of objects, JSON lines (NDJSON), CSV or Excel (.xlsx)';

/** Finds the items; what is between and inside them is only checked as far as needed for that. */
export class JsonList {
  /** Why the file can't be read further. */
  fault: string | null = null;
  isEnded = false;
  /** Property names of the top-level object. */
  readonly names: string[] = [];
  /** The property with the rows; empty if they are the top-level list. */
  #rowsName: string | null = null;
  #isInRows = false;
  /** In a property's list, before its first item. */
  #isListNew = false;
  #hasEmptyList = false;
  /** The signs that close the top-level value and the property in it; deeper ones are only counted. */
  readonly #closers: number[] = [];
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #line = 1;
  #itemLine: number | null = null;
  #isTooLong = false;
  readonly #item: JoinedPieces;
  readonly #name = Buffer.alloc(most.nameBytes);
  #nameLength = 0;

  constructor(longest: number) {
    this.#item = new JoinedPieces(longest);
  }

  /** Whether a list of objects was found. */
  get hasRows(): boolean {
    return this.#rowsName !== null;
  }

  get isBetweenRows(): boolean {
    return this.#isInRows && this.#itemLine === null;
  }

  /** Whether the text that it took ends with a comma between values. */
  isAtComma(text: string): boolean {
    return !this.isEnded && !this.#isText && text.trimEnd().endsWith(',');
  }

  *take(chunk: Buffer): Generator<Item> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (byte === newline) this.#line += 1;
      if (this.#isText) this.#takeText(byte);
      else if (byte > space) {
        const isAmongRows = this.#isInRows && this.#depth === this.#closers.length;
        if (isAmongRows && (byte === comma || byte === bracket.close)) {
          this.#keep(chunk.subarray(start, at));
          yield* this.rest();
        } else if (this.#isInRows && this.#itemLine === null) {
          this.#itemLine = this.#line;
          start = at;
        }
        this.#takeSign(byte);
        if (this.fault !== null) return;
        // The first object of a property's list showed that these are the rows.
        if (this.#isInRows && this.#itemLine === null && byte === brace.open) {
          this.#itemLine = this.#line;
          start = at;
        }
      }
    }
    this.#keep(chunk.subarray(start));
  }

  /** The item so far; none if only blanks came since the last one. */
  *rest(): Generator<Item> {
    if (this.#itemLine === null) return;
    const content = this.#item.take();
    yield { line: this.#itemLine, content: this.#isTooLong ? null : content };
    this.#itemLine = null;
    this.#isTooLong = false;
  }

  #keep(piece: Buffer): void {
    if (this.#itemLine !== null && !this.#isTooLong) this.#isTooLong = !this.#item.add(piece);
  }

  #takeText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isText = false;
    if (this.#isText && this.#depth === 1 && this.#nameLength < most.nameBytes) {
      this.#name[this.#nameLength] = byte;
      this.#nameLength += 1;
    }
  }

  #takeSign(byte: number): void {
    if (this.isEnded) {
      this.fault = `is damaged: something follows the end of its JSON on line ${this.#line}. ${rowsRead}`;
      return;
    }
    const isFirst = this.#isListNew;
    this.#isListNew = false;
    if (isFirst && byte === brace.open) this.#beginRows(this.#nameText);
    else if (isFirst && byte === bracket.close) this.#hasEmptyList = true;
    if (byte === brace.open || byte === bracket.open) this.#open(byte);
    else if (byte === brace.close || byte === bracket.close) this.#close(byte);
    else if (byte === quote) {
      this.#isText = true;
      if (this.#depth === 1) this.#nameLength = 0;
    } else if (byte === colon && this.#depth === 1 && this.names.length < most.names) this.names.push(this.#nameText);
  }

  get #nameText(): string {
    const written = this.#name.toString('utf8', 0, this.#nameLength);
    return textIn(`"${written}"`) ?? written;
  }

  #beginRows(name: string): void {
    if (this.#rowsName !== null)
      this.fault = `has two lists of objects, ${JSON.stringify(this.#rowsName)} and ${JSON.stringify(name)}. Delete the one you don’t want to import. ${rowsRead}`;
    this.#rowsName = name;
    this.#isInRows = true;
  }

  #open(byte: number): void {
    this.#depth += 1;
    const isList = byte === bracket.open;
    if (this.#isInRows || this.#depth > 2) return;
    this.#closers[this.#depth - 1] = isList ? bracket.close : brace.close;
    if (isList && this.#depth === 1) this.#beginRows('');
    this.#isListNew = isList && this.#depth === 2;
  }

  #close(byte: number): void {
    const isKnown = this.#depth <= this.#closers.length;
    if (isKnown && this.#closers.pop() !== byte) {
      this.fault = `is damaged: its JSON has ${JSON.stringify(String.fromCharCode(byte))} in the wrong place on line ${this.#line}. ${rowsRead}`;
      return;
    }
    if (isKnown) this.#isInRows = false;
    this.#depth -= 1;
    this.isEnded = this.#depth === 0;
    if (this.isEnded && !this.hasRows && !this.#hasEmptyList) this.fault = noList;
  }
}

/** Its first line is open at its end. One that ends with a brace, with or without a comma, may be a broken row. */
const spreadObject = /^\{(?:[^\r\n]*(?:[{[]|[^}\s]\s*,))?\s*[\r\n]/;

/**
 * Whether a text that starts with a brace is one JSON object with a list of rows. JSON lines have their first
 * row's end before a line break, so only a file of one line can be both. Then the columns that the mapping
 * wants decide: those of a row, or of the objects in its list.
 */
export function isJsonObject(text: string, wanted: readonly string[]): boolean {
  if (spreadObject.test(text)) return true;
  const [first = ''] = text.split(/[\r\n]/, 1);
  const list = new JsonList(longestLine.texts);
  const [item] = [...list.take(Buffer.from(first))];
  const next = text.slice(first.length).trimStart();
  if (next !== '')
    return list.isAtComma(first) && (next.startsWith('"') || (list.isBetweenRows && next.startsWith('{')));
  if (!list.hasRows || list.names.includes(reasonColumn)) return false;
  const row = item ? readLine(item.content, 1, 'texts', longestLine.texts).row : null;
  const among = (names: readonly string[]) =>
    wanted.filter((column) => names.includes(column) || names.includes(column.split('.', 1)[0]!)).length;
  const own = among(list.names);
  // Two lists: either can have the rows, so the reader refuses the file.
  if (list.fault !== null) return own === 0 && wanted.length > 0;
  return own === 0 || own < among(Object.keys(row ?? {}));
}
