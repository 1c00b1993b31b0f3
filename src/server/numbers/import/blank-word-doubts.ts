// Finds cells with a word for a blank, such as NULL: they would be a donor or campaign of that name.
import { listWords, plural } from '#core/base/formats.ts';
import { type DatasetKey, datasetOf, type FieldType } from '#core/numbers/datasets.ts';
import { find } from '#server/platform/imports/find-value.ts';
import { columnsRead, partsOf, type Row, type Rule } from '#server/platform/imports/mapping-rules.ts';
import type { Given, Mapped } from './mapping-doubts.ts';

const longest = 9;
const blankWord =
  /^(?:none|null|nil|nan|n\/a|na|#n\/a|#null!|undefined|\\n|\((?:none|null|blank|empty)\)|<null>|-{1,3}|[–—?])$/i;

export const isBlankWord = (text: string): boolean => text.length <= longest && blankWord.test(text);

/** R writes it for a blank, and it is Namibia's code. */
const isNamibia = (text: string): boolean => text.toUpperCase() === 'NA';

const isTextType = (type: FieldType): boolean => type === 'text' || type === 'longText';

type Column = {
  readonly field: string;
  readonly title: string;
  readonly column: string;
  /** Any text is imported; other types refuse the word. */
  readonly isText: boolean;
  /** A blank cell would refuse its row. */
  readonly isRequired: boolean;
  readonly isCountry: boolean;
  /** Texts that a rule gives another meaning. */
  readonly replaced: ReadonlySet<string>;
  readonly counts: Map<string, number>;
  line: number;
};

/** Texts that a rule compares with or replaces. */
function textsIn(rule: Rule): readonly string[] {
  if (typeof rule === 'string') return [];
  const own = 'map' in rule ? Object.keys(rule.map) : [];
  const compared = 'when' in rule ? rule.when.flatMap(({ equals = [], in: list = [] }) => [equals, list].flat()) : [];
  return [...own, ...compared, ...partsOf(rule).flatMap(textsIn)];
}

export class BlankWordDoubts {
  readonly #columns: readonly Column[];
  readonly #missing: ReadonlySet<string>;
  /** Texts that the mapping names: as blank cells, they would no longer be what it looks for. */
  readonly #named: ReadonlySet<string>;
  readonly #hasCountry: boolean;

  constructor(
    dataset: DatasetKey,
    given: readonly Given[],
    { fields, missing = [], leaveOut = [], labels = {} }: Mapped,
  ) {
    const columns = new Map<string, Column>();
    const { fields: types } = datasetOf(dataset);
    const requiredTexts = given.filter(({ field }) => types[field]!.required && isTextType(types[field]!.type));
    const needed = new Set(requiredTexts.flatMap(({ rule }) => columnsRead(rule)));
    const countries = new Set(fields.country === undefined ? [] : columnsRead(fields.country));
    for (const { field, rule } of given) {
      const { title, type, required = false } = types[field]!;
      const isText = isTextType(type);
      // A blank cell would be refused too, and fixed values have a rule of their own.
      if (typeof type !== 'string' || (required && !isText)) continue;
      const map = typeof rule === 'object' && 'map' in rule ? rule : undefined;
      // “All others” replaces every word.
      if (map?.default !== undefined) continue;
      const replaced = new Set(Object.keys(map?.map ?? {}));
      for (const column of columnsRead(rule)) {
        const is = { isText, isRequired: needed.has(column), isCountry: countries.has(column) };
        const one = { field, title, column, ...is, replaced, counts: new Map<string, number>(), line: 0 };
        if (!columns.has(column)) columns.set(column, one);
      }
    }
    this.#columns = [...columns.values()];
    this.#missing = new Set(missing);
    this.#named = new Set([
      ...[...Object.values(fields), ...Object.values(labels)].filter((rule) => rule !== undefined).flatMap(textsIn),
      ...leaveOut.flatMap(({ has = [], lacks = [] }) => [...has, ...lacks]),
    ]);
    this.#hasCountry = countries.size > 0;
  }

  take(line: number, row: Row): void {
    for (const one of this.#columns) {
      const { value } = find(one.column, row);
      const text = typeof value === 'string' ? value.trim() : '';
      if (!isBlankWord(text)) continue;
      if (this.#missing.has(text) || one.replaced.has(text) || (one.isCountry && isNamibia(text))) continue;
      one.line ||= line;
      one.counts.set(text, (one.counts.get(text) ?? 0) + 1);
    }
  }

  /** A text is blank in every column or in none, so it is offered only if no column and no rule needs it. */
  #canBeBlank({ isRequired, counts }: Column): boolean {
    const needed = this.#columns.filter((one) => one.isRequired);
    const isNeeded = (text: string) =>
      this.#named.has(text) ||
      (this.#hasCountry && isNamibia(text)) ||
      needed.some((column) => column.counts.has(text));
    return !isRequired && ![...counts.keys()].some(isNeeded);
  }

  /** Of texts, which are imported, or of other fields, which refuse the word. */
  of(kind: 'texts' | 'others') {
    return this.#columns
      .filter(({ counts, isText }) => counts.size > 0 && isText === (kind === 'texts'))
      .map((one) => {
        const { field, title, column, isText, counts, line } = one;
        const texts = [...counts.keys()];
        const named = listWords([...counts].map(([text, count]) => `“${text}” in ${plural(count, 'row')}`));
        const [they, mean, them] = texts.length === 1 ? ['it', 'means', 'it'] : ['they', 'mean', 'them'];
        const canBeBlank = this.#canBeBlank(one);
        const otherwise = isText
          ? `choose “Replace values”, or change ${them} in the file`
          : `choose “Import invalid ${title} values as blank”`;
        const remedy = canBeBlank ? `treat ${them} as blank in every column` : otherwise;
        return {
          ...{ field, column, line, value: texts[0]! },
          ...(canBeBlank && { missing: texts }),
          count: [...counts.values()].reduce((sum, count) => sum + count, 0),
          reason: `has ${named}. If ${they} ${mean} no value, ${remedy}`,
        };
      });
  }
}
