// The texts that a workbook's cells share, as bytes outside the heap: as strings, half a million of them take
// several times as much.
const pageBytes = 4 * 1024 * 1024;
const prefix = 4;

export class SharedTexts {
  readonly #mostBytes: number;
  readonly #pages: Buffer[] = [];
  /** Where each text begins, its length first. */
  readonly #places: number[] = [];
  #end = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** False if there is no room. */
  add(text: string): boolean {
    const length = Buffer.byteLength(text);
    const needed = length + prefix;
    if (needed > pageBytes) return false;
    // A text lies on one page.
    if ((this.#end % pageBytes) + needed > pageBytes) this.#end = Math.ceil(this.#end / pageBytes) * pageBytes;
    if (this.#end + needed > this.#mostBytes) return false;
    const page = Math.floor(this.#end / pageBytes);
    this.#pages[page] ??= Buffer.allocUnsafe(pageBytes);
    const at = this.#end % pageBytes;
    this.#pages[page].writeUInt32LE(length, at);
    this.#pages[page].write(text, at + prefix);
    this.#places.push(this.#end);
    this.#end += needed;
    return true;
  }

  /** Undefined if there are fewer. */
  get(index: number): string | undefined {
    const place = this.#places[index];
    if (place === undefined) return undefined;
    const page = this.#pages[Math.floor(place / pageBytes)]!;
    const at = place % pageBytes;
    return page.toString('utf8', at + prefix, at + prefix + page.readUInt32LE(at));
  }
}
