// Finds values that differ only in capitals: a customer or channel would be counted as two.
import { plural } from '#core/base/formats.ts';
import { datasetOf, fieldTitle } from '#core/numbers/datasets.ts';
import { lowercaseChoice } from '#core/numbers/imports.ts';
import type { Row } from '#server/platform/imports/mapping-rules.ts';
import type { NumberRow } from '../number-row.ts';
import type { CountedDoubt } from './mapping-doubts.ts';
import { canBeLowercase, type NumbersMapping } from './numbers-mapping.ts';

/** Different values of a field that are remembered, and their length: a file can have millions. */
const most = { values: 100_000, characters: 100 } as const;

/** Add the rows of a file, or its first ones. */
export class CapitalsDoubts {
  readonly #dataset: NumbersMapping['dataset'];
  readonly #isPreview: boolean;
  readonly #fields: readonly { readonly field: string; readonly isPerson: boolean; readonly found: Spellings }[];

  constructor({ dataset, fields: rules }: Pick<NumbersMapping, 'dataset' | 'fields'>, isPreview: boolean) {
    this.#dataset = dataset;
    this.#isPreview = isPreview;
    const { fields, person } = datasetOf(dataset);
    // Ids of orders are often random, so capitals tell them apart.
    const named = Object.keys(fields).filter((field) => fields[field]!.dimension || field === person?.field);
    this.#fields = named
      .filter((field) => rules[field] !== undefined && canBeLowercase(dataset, field))
      .map((field) => ({ field, isPerson: field === person?.field, found: new Spellings() }));
  }

  add(_row: Row, { values }: Pick<NumberRow, 'values'>): void {
    for (const { field, found } of this.#fields) {
      const text = values[field];
      if (typeof text === 'string' && text.length <= most.characters) found.note(text);
    }
  }

  get warnings(): CountedDoubt[] {
    return this.#fields
      .filter(({ found }) => found.differing > 0)
      .map(({ field, isPerson, found: { differing: count, example, isFull } }) => {
        const column = fieldTitle(this.#dataset, field);
        // A person's reference must not end up in the list of imports.
        const named = this.#isPreview || !isPerson ? `, such as ${example.join(' and ')}` : '';
        const values = `${isFull ? 'at least ' : ''}${plural(count, 'value')} in different capitals${named}`;
        const reason = `has ${values}, so ${count === 1 ? 'it' : 'each'} counts several times. If they’re the same, check “${lowercaseChoice(column)}”`;
        return { field, column, count, reason };
      });
  }
}

class Spellings {
  /** The first spelling by its lowercase. */
  readonly #first = new Map<string, string>();
  readonly #differing = new Set<string>();
  example: readonly string[] = [];

  get differing(): number {
    return this.#differing.size;
  }

  get isFull(): boolean {
    return this.#first.size >= most.values;
  }

  note(text: string): void {
    const lower = text.toLowerCase();
    const first = this.#first.get(lower);
    if (first === text) return;
    if (first !== undefined) {
      if (this.#differing.size === 0) this.example = [first, text];
      this.#differing.add(lower);
    } else if (!this.isFull && lower !== text.toUpperCase()) this.#first.set(lower, text);
  }
}
