// Applies the rules of a mapping to a row. Rules come from people, so a server evaluates them in the thread
// that reads the file.
import { identityBefore } from './correctable-rows.ts';
import { find, type Reading } from './find-value.ts';
import { KeyTable } from './key-table.ts';
import { type EvaluatedRow, type OccurrenceRule, occurrencesIn, type Row, type Rule } from './mapping-rules.ts';

export type RuleSet = {
  readonly rules: readonly Rule[];
  /** For dates without a zone. */
  readonly zone: string;
  /** Texts that mean "no value": `?`, `#N/A`. */
  readonly missing: readonly string[];
};

export class RuleEvaluator {
  readonly #rules: readonly Rule[];
  readonly #counting: readonly (readonly [OccurrenceRule, KeyTable])[];
  readonly #occurrences = new Map<OccurrenceRule, number>();
  readonly #reading: Reading;

  constructor({ rules, zone, missing }: RuleSet) {
    this.#rules = rules;
    this.#counting = rules.flatMap(occurrencesIn).map((rule) => [rule, new KeyTable()] as const);
    this.#reading = {
      zone,
      missing: new Set(missing),
      occurrence: (rule) => this.#occurrences.get(rule) ?? 0,
    };
  }

  /**
   * Call it for every row of the file in order: rejected rows count too, so other rows keep their ids when
   * they are corrected.
   */
  evaluate(row: Row): EvaluatedRow {
    const { numbers: before } = identityBefore(row);
    const numbers = this.#counting.map(([rule, table], index) => {
      const values = rule.occurrence.map((part) => find(part, row, this.#reading).value);
      const counted = table.count(JSON.stringify(values));
      const number = before[index] ?? counted;
      this.#occurrences.set(rule, number);
      return number;
    });
    return { found: this.#rules.map((rule) => find(rule, row, this.#reading)), numbers };
  }
}
