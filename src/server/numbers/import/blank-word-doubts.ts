// Finds cells that say in a word that they're blank, such as NULL: they would be a donor or campaign of that name.
import { countWords, listWords } from '#core/base/formats.ts';
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
  /** Texts that a rule gives another meaning. */
  readonly replaced: ReadonlySet<string>;
  readonly counts: Map<string, number>;
  line: number;
};

export class BlankWordDoubts {
  readonly #columns: readonly Column[];
  readonly #missing: ReadonlySet<string>;
  readonly #hasCountry: boolean;

  constructor(given: readonly Given[], { missing = [] }: Mapped) {
    const columns = new Map<string, Column>();
    for (const { field, rule } of given)
      for (const column of columnsRead(rule)) {
        const replaced = new Set(typeof rule === 'object' && 'map' in rule ? Object.keys(rule.map) : []);
        if (!columns.has(column)) columns.set(column, { field, column, replaced, counts: new Map(), line: 0 });
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

  get ofFields() {
    return this.#columns
      .filter(({ counts }) => counts.size > 0)
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
