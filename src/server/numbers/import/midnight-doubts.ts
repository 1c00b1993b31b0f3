// Finds files that write days as times at midnight: numbers by hour would count all rows at 0:00.
import { countWords } from '#core/base/formats.ts';
import { datasetOf, hasHours } from '#core/numbers/datasets.ts';
import { find } from '#server/platform/imports/find-value.ts';
import { columnsRead, type Row } from '#server/platform/imports/mapping-rules.ts';
import type { NumberRow } from '../number-row.ts';
import type { CountedDoubt } from './mapping-doubts.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

/** Fewer rows say too little. */
const fewestRows = 20;
const midnight = /[\sT](0?0:00(:00(\.0+)?)?|12:00(:00)?\s*a\.?m\.?)\b/i;

/** Add the rows of a file, or its first ones. */
export class MidnightDoubts {
  readonly #field: string;
  readonly #column: string | undefined;
  #isOff: boolean;
  #count = 0;

  constructor({ dataset, fields }: Pick<NumbersMapping, 'dataset' | 'fields'>) {
    const { datedBy } = datasetOf(dataset);
    const rule = fields[datedBy];
    this.#field = datedBy;
    const columns = rule === undefined ? [] : columnsRead(rule);
    this.#column = columns[0];
    this.#isOff = columns.length !== 1 || !hasHours(datasetOf(dataset));
  }

  add(row: Row, { isDayOnly }: Pick<NumberRow, 'isDayOnly'>): void {
    if (this.#isOff || isDayOnly) return;
    this.#isOff = !midnight.test(String(find(this.#column!, row).value));
    this.#count += 1;
  }

  get warnings(): CountedDoubt[] {
    const [column, count] = [this.#column, this.#count];
    if (this.#isOff || column === undefined || count < fewestRows) return [];
    const reason = `has the time 0:00 in all ${countWords(count)} rows with a time. If these are days without times, charts by hour will be wrong`;
    return [{ field: this.#field, column, reason, count }];
  }
}
