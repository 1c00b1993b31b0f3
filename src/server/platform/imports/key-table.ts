// Maps many keys to numbers with a few bytes per key: what an import remembers about every row.
import { hash } from 'node:crypto';

/** 96 bits of a hash represent a key; no file is large enough for a collision. */
const wordsPerMark = 3;
/** The load factor at which the table doubles; beyond it, lookups get slow. */
const fullest = 0.7;

export class KeyTable {
  #slots = 1024;
  #marks = new Uint32Array(this.#slots * wordsPerMark);
  /** 0 marks an empty slot, so it isn't a valid value. */
  #values = new Uint32Array(this.#slots);
  #tags = new Uint32Array(this.#slots);
  #size = 0;

  /** How often the key came, including this time. */
  count(key: string): number {
    const slot = this.#slotOf(markOf(key));
    this.#values[slot]! += 1;
    return this.#values[slot]!;
  }

  /** Stores the value and tag if the key has none, and returns null; else returns the earlier ones. */
  keepFirst(key: string, value: number, tag = 0): { readonly value: number; readonly tag: number } | null {
    const slot = this.#slotOf(markOf(key));
    const earlier = this.#values[slot]!;
    if (earlier !== 0) return { value: earlier, tag: this.#tags[slot]! };
    this.#values[slot] = value;
    this.#tags[slot] = tag;
    return null;
  }

  has(key: string): boolean {
    return this.#values[this.#find(markOf(key))] !== 0;
  }

  /** The key's slot, allocated if needed. The caller sets its value. */
  #slotOf(mark: Uint32Array): number {
    const slot = this.#find(mark);
    if (this.#values[slot] !== 0) return slot;
    this.#size += 1;
    if (this.#size > this.#slots * fullest) this.#grow();
    return this.#take(mark);
  }

  #find(mark: Uint32Array): number {
    let slot = mark[0]! & (this.#slots - 1);
    while (this.#values[slot] !== 0 && !this.#holds(slot, mark)) slot = (slot + 1) & (this.#slots - 1);
    return slot;
  }

  #take(mark: Uint32Array): number {
    const slot = this.#find(mark);
    this.#marks.set(mark, slot * wordsPerMark);
    return slot;
  }

  #holds(slot: number, mark: Uint32Array): boolean {
    const at = slot * wordsPerMark;
    return this.#marks[at] === mark[0] && this.#marks[at + 1] === mark[1] && this.#marks[at + 2] === mark[2];
  }

  #grow(): void {
    const [marks, values, tags] = [this.#marks, this.#values, this.#tags];
    this.#slots *= 2;
    this.#marks = new Uint32Array(this.#slots * wordsPerMark);
    this.#values = new Uint32Array(this.#slots);
    this.#tags = new Uint32Array(this.#slots);
    for (const [slot, value] of values.entries()) {
      if (value === 0) continue;
      const at = slot * wordsPerMark;
      const place = this.#take(marks.subarray(at, at + wordsPerMark));
      this.#values[place] = value;
      this.#tags[place] = tags[slot]!;
    }
  }
}

function markOf(key: string): Uint32Array {
  const bytes = hash('sha1', key, 'buffer');
  return new Uint32Array([bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)]);
}
