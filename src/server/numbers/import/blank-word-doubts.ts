// Finds cells with a word for a blank, such as NULL: they would be a donor or campaign of that name.
import { countWords, listWords } from '#core/base/formats.ts';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import { find } from '#server/platform/imports/find-value.ts';
import { columnsRead, type Row } from '#server/platform/imports/mapping-rules.ts';
import type { Given, Mapped } from './mapping-doubts.ts';

const longest = 9;
const blankWord =
  /^(?:none|null|nil|nan|n\/a|na|#n\/a|#null!|undefined|\\n|\((?:none|null|blank|empty)\)|<null>|-{1,3}|[–—?])$/i;
/** R writes it for a blank, and it is Namibia's code. */
const isNamibia = (text: string): boolean => text.toUpperCase() === 'NA';

type Column = {
  readonly field: string;
  readonly column: string;
  /** Any text is imported; other types refuse the word. */
  readonly isText: boolean;
  /** Texts that a rule gives another meaning. */
  readonly replaced: ReadonlySet<string>;
  readonly counts: Map<string, number>;
  line: number;
};

export class BlankWordDoubts {
  readonly #columns: readonly Column[];
  readonly #missing: ReadonlySet<string>;
  readonly #hasCountry: boolean;

  constructor(dataset: DatasetKey, given: readonly Given[], { missing = [] }: Mapped) {
    const columns = new Map<string, Column>();
    for (const { field, rule } of given) {
      const { type, required = false } = datasetOf(dataset).fields[field]!;
      const isText = type === 'text' || type === 'longText';
      // A blank cell would be refused too, and fixed values have a rule of their own.
      if (typeof type !== 'string' || (required && !isText)) continue;
      for (const column of columnsRead(rule)) {
        const replaced = new Set(typeof rule === 'object' && 'map' in rule ? Object.keys(rule.map) : []);
        if (!columns.has(column)) columns.set(column, { field, column, isText, replaced, counts: new Map(), line: 0 });
      }
    }
    this.#columns = [...columns.values()];
    this.#missing = new Set(missing);
    this.#hasCountry = given.some(({ field }) => field === 'country');
  }

  take(line: number, row: Row): void {
    for (const one of this.#columns) {
      const { value } = find(one.column, row);
      if (typeof value !== 'string' || value.length > longest + 2) continue;
      const text = value.trim();
      if (!blankWord.test(text) || this.#missing.has(text) || one.replaced.has(text)) continue;
      if (this.#hasCountry && isNamibia(text)) continue;
      one.line ||= line;
      one.counts.set(text, (one.counts.get(text) ?? 0) + 1);
    }
  }

  /** Of texts, which are imported, or of other fields, which refuse the word. */
  of(kind: 'texts' | 'others') {
    return this.#columns
      .filter(({ counts, isText }) => counts.size > 0 && isText === (kind === 'texts'))
      .map(({ field, column, counts, line }) => {
        const missing = [...counts.keys()];
        const rows = (count: number) => `${countWords(count)} ${count === 1 ? 'row' : 'rows'}`;
        const named = listWords([...counts].map(([text, count]) => `“${text}” in ${rows(count)}`));
        const [means, it] = missing.length === 1 ? ['means', 'it'] : ['mean', 'them'];
        return {
          ...{ field, column, line, missing, value: missing[0]! },
          count: [...counts.values()].reduce((sum, count) => sum + count, 0),
          reason: `has ${named}. If ${missing.length === 1 ? 'it' : 'they'} ${means} nothing, treat ${it} as blank`,
        };
      });
  }
}
