// What comes in pieces, joined into one buffer as it comes. Kept as an object each until the last is there, pieces of one byte would cost
// a thousand times what they hold: a body of 256 KB made the server grow by half a gigabyte.

export class JoinedPieces {
  readonly #most: number;
  #space = Buffer.alloc(0);
  #length = 0;

  /** Holds so many bytes and no more. */
  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#length;
  }

  /** False where the piece has no room any more: nothing of it is kept then. */
  add(piece: Uint8Array): boolean {
    const length = this.#length + piece.byteLength;
    if (length > this.#most) return false;
    if (length > this.#space.length) this.#grow(length);
    this.#space.set(piece, this.#length);
    this.#length = length;
    return true;
  }

  /** Everything so far, which belongs to the caller; what is added from now on is joined anew. */
  take(): Buffer {
    const joined = this.#space.subarray(0, this.#length);
    this.#space = Buffer.alloc(0);
    this.#length = 0;
    return joined;
  }

  /** To twice its size at least, so that each byte is copied twice on average, however small the pieces are. */
  #grow(needed: number): void {
    const space = Buffer.allocUnsafe(Math.max(needed, Math.min(2 * this.#space.length, this.#most)));
    space.set(this.#space.subarray(0, this.#length));
    this.#space = space;
  }
}
