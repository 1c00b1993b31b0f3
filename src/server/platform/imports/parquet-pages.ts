// The values of a Parquet column's pages, with the levels that say where rows and lists begin. Rows are made
// of a few values at a time: those of a nested page take twenty times the memory of its values.
import type { SchemaTree } from 'hyparquet';
import { assembleLists } from 'hyparquet/src/assemble.js';
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js';

type Values = ArrayLike<unknown>;
type Levels = ArrayLike<number> | undefined;

const sliceOf = (values: Values, start: number, end?: number): unknown[] =>
  Array.prototype.slice.call(values, start, end);

export class ParquetPages {
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
