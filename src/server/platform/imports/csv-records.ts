import { countWords } from '#core/base/formats.ts';
// Parses CSV records from chunks of text (RFC 4180 and its common variants). A custom parser, because an
// import reports each bad record with its line and text, and a stray quote costs only its own line.

export type CsvForm = { readonly delimiter: string; readonly quote: string };

export type CsvRecord = {
  /** The record's first line; a quoted cell can span several. */
  readonly line: number;
  readonly text: string;
  readonly cells: readonly string[];
  readonly fault?: string;
};

export const unclosedQuote = 'has an unclosed quote';

/** A record's boundaries: `end` before its line break, `next` after it. */
type Scanned = { readonly cells: string[]; readonly end: number; readonly next: number; readonly fault?: string };

/** A longer record means an unclosed quote, or no CSV at all. */
export const longestRecord = 1024 * 1024;
export const mostColumns = 1_000;
/** Enough of a broken record to find it in the file. */
const shownOfBroken = 10_000;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;

export class CsvRecords {
  readonly #delimiter: number;
  readonly #quote: number;
  #text = '';
  #line = 1;
  /**
   * An incomplete record is only scanned again when the text has doubled, so each character is read few
   * times.
   */
  #enough = 0;
  /** The rest of an overlong line is dropped as it comes. */
  #isSkipping = false;

  constructor({ delimiter, quote }: CsvForm) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#quote = quote.charCodeAt(0);
  }

  /** The records completed by this piece; with the last piece, all that is left. Skips blank lines. */
  *take(piece: string, isLast: boolean): Generator<CsvRecord> {
    this.#text += this.#isSkipping ? this.#fromLineBreak(piece) : piece;
    if (!isLast && this.#text.length < this.#enough) return;
    let at = 0;
    while (at < this.#text.length) {
      const scanned = this.#scan(at, isLast) ?? this.#tooLong(at);
      if (scanned === null) break;
      const { cells, end, next, fault } = scanned;
      const line = this.#line;
      const text = this.#text.slice(at, fault === undefined ? end : Math.min(end, at + shownOfBroken));
      this.#line += lineBreaksIn(this.#text, at, next);
      at = next;
      if (text.trim() !== '') yield fault === undefined ? { line, text, cells } : { line, text, cells, fault };
    }
    this.#text = this.#text.slice(at);
    this.#enough = Math.min(2 * this.#text.length, longestRecord + 1);
  }

  #fromLineBreak(piece: string): string {
    const at = piece.search(/[\r\n]/);
    if (at === -1) return '';
    this.#isSkipping = false;
    return piece.slice(at);
  }

  /** Null when more text is needed to find the record's end. */
  #scan(start: number, isLast: boolean): Scanned | null {
    const text = this.#text;
    const cells: string[] = [];
    for (let at = start; ; ) {
      let from = at;
      while (text.charCodeAt(from) === space) from += 1;
      const isQuoted = text.charCodeAt(from) === this.#quote;
      const quotedEnd = isQuoted ? this.#quotedEnd(from, isLast) : at;
      if (quotedEnd === null) return isLast ? this.#lineAlone(start, unclosedQuote, true) : null;
      at = this.#plainEnd(quotedEnd);
      if (isQuoted && text.slice(quotedEnd, at).trim() !== '')
        return this.#lineAlone(start, 'continues after a closing quote', isLast);
      if (cells.length === mostColumns)
        return this.#lineAlone(start, `has more than ${countWords(mostColumns)} columns`, isLast);
      cells.push(isQuoted ? this.#unquoted(from, quotedEnd) : text.slice(from, at).trim());
      if (at === text.length) return isLast ? { cells, end: at, next: at } : null;
      if (text.charCodeAt(at) === this.#delimiter) {
        at += 1;
        continue;
      }
      const next = this.#behindLineBreak(at, isLast);
      return next === null ? null : { cells, end: at, next };
    }
  }

  /** The position after the closing quote; null if it isn't certain yet. */
  #quotedEnd(open: number, isLast: boolean): number | null {
    const text = this.#text;
    const quote = String.fromCharCode(this.#quote);
    for (let at = text.indexOf(quote, open + 1); at !== -1; at = text.indexOf(quote, at + 2)) {
      if (at + 1 === text.length) return isLast ? at + 1 : null;
      if (text.charCodeAt(at + 1) !== this.#quote) return at + 1;
    }
    return null;
  }

  #unquoted(open: number, end: number): string {
    const quote = String.fromCharCode(this.#quote);
    const inner = this.#text.slice(open + 1, end - 1);
    return inner.includes(quote) ? inner.replaceAll(quote + quote, quote) : inner;
  }

  /** The next delimiter or line break, else the end of the text. */
  #plainEnd(from: number): number {
    const text = this.#text;
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === this.#delimiter || code === lineFeed || code === carriageReturn) return at;
    }
    return text.length;
  }

  /** Null after a final carriage return: a line feed may follow. */
  #behindLineBreak(at: number, isLast: boolean): number | null {
    if (this.#text.charCodeAt(at) === lineFeed) return at + 1;
    if (at + 1 === this.#text.length && !isLast) return null;
    return this.#text.charCodeAt(at + 1) === lineFeed ? at + 2 : at + 1;
  }

  /** The first line of a faulty record; the following lines are read normally. */
  #lineAlone(start: number, fault: string, isLast: boolean): Scanned | null {
    const text = this.#text;
    let end = start;
    while (end < text.length && text.charCodeAt(end) !== lineFeed && text.charCodeAt(end) !== carriageReturn) end += 1;
    if (end === text.length) return isLast ? { cells: [], end, next: end, fault } : null;
    const next = this.#behindLineBreak(end, isLast);
    return next === null ? null : { cells: [], end, next, fault };
  }

  #tooLong(start: number): Scanned | null {
    if (this.#text.length - start <= longestRecord) return null;
    const fault = 'is longer than 1 MB, or has an unclosed quote';
    const alone = this.#lineAlone(start, fault, false);
    if (alone !== null) return alone;
    this.#isSkipping = true;
    return { cells: [], end: this.#text.length, next: this.#text.length, fault };
  }
}

function lineBreaksIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || (code === carriageReturn && text.charCodeAt(at + 1) !== lineFeed)) count += 1;
  }
  return count;
}
