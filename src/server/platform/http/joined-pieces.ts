// Joins chunks into one buffer as they arrive. Stored as separate objects, one-byte chunks take a thousand
// times their size: a body of 256 KB made the server grow by half a gigabyte.

export class JoinedPieces {
  readonly #most: number;
  #space = Buffer.alloc(0);
  #length = 0;

  /** Accepts at most this many bytes. */
  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#length;
  }

  /** False if the piece doesn't fit; then none of it is kept. */
  add(piece: Uint8Array): boolean {
    const length = this.#length + piece.byteLength;
    if (length > this.#most) return false;
    if (length > this.#space.length) this.#grow(length);
    this.#space.set(piece, this.#length);
    this.#length = length;
    return true;
  }

  /** Up to this many bytes of the start. */
  first(count: number): Uint8Array {
    return this.#space.subarray(0, Math.min(count, this.#length));
  }

  /** Everything so far, which now belongs to the caller. Later pieces go into a new buffer. */
  take(): Buffer {
    const joined = this.#space.subarray(0, this.#length);
    this.#space = Buffer.alloc(0);
    this.#length = 0;
    return joined;
  }

  /** At least doubles the size, so each byte is copied twice on average. */
  #grow(needed: number): void {
    const space = Buffer.allocUnsafe(Math.max(needed, Math.min(2 * this.#space.length, this.#most)));
    space.set(this.#space.subarray(0, this.#length));
    this.#space = space;
  }
}
