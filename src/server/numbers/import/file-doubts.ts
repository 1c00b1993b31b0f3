// Finds columns whose values can be imported but probably mean something else. Reads all rows, because one row
// says too little.
import { countWords, listWords } from '#core/base/formats.ts';
import { type DatasetKey, datasetOf, fieldTitle, isReference, valueTitle } from '#core/numbers/datasets.ts';
import { metricsLackingField } from '#core/numbers/metric-value.ts';
import { find, isBlank } from '#server/platform/imports/find-value.ts';
import { columnsRead, numberColumns, type Row, type Rule } from '#server/platform/imports/mapping-rules.ts';
import { type DecimalSign, otherSign, signOfThousands } from '#server/platform/imports/number-shapes.ts';
import { BlankWordDoubts } from './blank-word-doubts.ts';
import {
  doubtsOfAll,
  lineFields,
  type Mapped,
  type OfWholeOrder,
  summedFields,
  wholeOrderMarks,
} from './mapping-doubts.ts';

/** `count` rows of the column; the line and value are the first one's. */
type FileDoubt = {
  readonly column: string;
  readonly reason: string;
  readonly count: number;
  readonly line: number;
  readonly value: string;
};
/** `missing`: texts that may mean a blank cell. */
type FieldDoubt = FileDoubt & Partial<OfWholeOrder> & { readonly field: string; readonly missing?: readonly string[] };
/** A column that is filled only on the first line of each order, which `by` names. */
export type BlankLater = FileDoubt & { readonly by: string };

/** Fewer rows say too little. */
const fewestRows = 3;
/** Shares of the rows that could differ. */
const nearlyAll = 0.95;
const most = 0.5;

class Tally {
  checked = 0;
  count = 0;
  line = 0;
  value = '';

  note(isOdd: boolean, line: number, value: string): void {
    this.checked += 1;
    if (!isOdd) return;
    if (this.count === 0) [this.line, this.value] = [line, value];
    this.count += 1;
  }

  isDoubtful(share = nearlyAll): boolean {
    return this.count >= fewestRows && this.count >= this.checked * share;
  }
}

/** `before`: of the order's first line. `first`: of the first order that repeats it. */
type Repeated = {
  readonly field: string;
  readonly column: string;
  /** So it can be counted once per order instead. */
  readonly isPlain: boolean;
  readonly tally: Tally;
  before: string;
  first: string;
  differs: boolean;
};

type Amount = {
  readonly field: string;
  readonly column: string;
  readonly decimal: DecimalSign;
  readonly tally: Tally;
  readonly reasonOf: typeof thousandsReason;
};

type Wanted = {
  readonly field: string;
  readonly columns: readonly string[];
  readonly metrics: readonly string[];
  readonly tally: Tally;
};

/** Counts of the values that a replacement’s “All others” covers. A blank cell is an empty text. */
type Others = {
  readonly field: string;
  readonly rule: Extract<Rule, { map: unknown }>;
  readonly tally: Tally;
  readonly counts: Map<string, number>;
};
type OtherValues = FileDoubt & { readonly values: readonly string[] };

/** More are only counted. */
const mostOthers = 1_000;
const othersNamed = 8;

export class FileDoubts {
  readonly #amounts: readonly Amount[];
  /** The column of the order, if it is one. */
  readonly #by: string | null;
  readonly #texts: readonly { readonly column: string; readonly tally: Tally }[];
  /** Columns of fields without which a row is left out of numbers. */
  readonly #wanted: readonly Wanted[];
  readonly #others: readonly Others[];
  readonly #titles: (field: string) => string;
  readonly #marksOf: (field: string) => OfWholeOrder;
  /** What orders are divided by. */
  readonly #parts: readonly string[];
  readonly #lineAmounts: readonly Amount[];
  readonly #repeated: readonly Repeated[];
  /** About the mapping and so about every row. */
  readonly #ofAll: ReturnType<typeof doubtsOfAll>;
  readonly #blankWords: BlankWordDoubts;
  #rows = 0;
  #firstLine = 0;
  #order = '';
  /** Columns that the order's first line fills, amounts with more than zero. */
  #filled: ReadonlySet<string> = new Set();

  constructor(dataset: DatasetKey, mapping: Mapped) {
    const { fields, fill, divide = [] } = mapping;
    this.#marksOf = (field) => wholeOrderMarks(field, mapping);
    const given = Object.entries(datasetOf(dataset).fields).flatMap(([field, { type }]) => {
      const rule = fields[field];
      return rule === undefined ? [] : [{ field, rule, isNumber: type === 'money' || type === 'whole' }];
    });
    this.#titles = (field) => fieldTitle(dataset, field);
    this.#others = given.flatMap(({ field, rule }) => {
      // A person's reference must not end up in the list of imports.
      const hasOthers = typeof rule === 'object' && 'map' in rule && rule.default !== undefined && !isReference(field);
      return hasOthers ? [{ field, rule, tally: new Tally(), counts: new Map() }] : [];
    });
    const lacking = metricsLackingField(dataset);
    this.#wanted = given.flatMap(({ field, rule }) => {
      // The date that a duration is counted from is never blank.
      const own = typeof rule === 'object' && 'duration' in rule ? rule.duration : rule;
      const [columns, metrics] = [columnsRead(own), lacking.get(field)];
      const isWanted = metrics !== undefined && columns.length > 0 && !datasetOf(dataset).fields[field]!.sparse;
      return isWanted ? [{ field, columns, metrics, tally: new Tally() }] : [];
    });
    const amounts = given.filter(({ isNumber }) => isNumber);
    this.#amounts = [
      ...amounts.flatMap(({ field, rule }) =>
        numberColumns(rule).map(([column, decimal]) => ({
          ...{ field, column, decimal, tally: new Tally() },
          reasonOf: thousandsReason,
        })),
      ),
      ...given.flatMap(({ field, rule }) =>
        typeof rule === 'object' && 'duration' in rule ? durationSigns(field, rule.duration) : [],
      ),
    ];
    const [by, ...more] = fields.order_ref === undefined ? [] : columnsRead(fields.order_ref);
    this.#by = by !== undefined && more.length === 0 ? by : null;
    const texts = given.filter(({ isNumber }) => !isNumber).flatMap(({ rule }) => columnsRead(rule));
    const left = [...new Set(texts)].filter((column) => column !== by && !fill?.columns.includes(column));
    this.#texts = left.map((column) => ({ column, tally: new Tally() }));
    this.#parts = ['title', 'sku'].filter((field) => fields[field] !== undefined);
    this.#lineAmounts = this.#amounts
      .filter(({ field }) => lineFields.includes(field) && !divide.some((one) => one === field))
      .filter(({ column }) => !fill?.columns.includes(column))
      .map((amount) => ({ ...amount, tally: new Tally() }));
    // A price that is multiplied by a quantity is the line's.
    this.#repeated = amounts.flatMap(({ field, rule }) => {
      const [column, ...others] = summedFields.includes(field) ? columnsRead(rule) : [];
      if (column === undefined || others.length > 0) return [];
      const isPlain = typeof rule === 'string' || 'number' in rule;
      return [{ field, column, isPlain, tally: new Tally(), before: '', first: '', differs: false }];
    });
    this.#blankWords = new BlankWordDoubts(dataset, given, mapping);
    this.#ofAll = doubtsOfAll(dataset, mapping, given);
  }

  /** Call it for every row in the file's order, except those that an import leaves out or refuses. */
  take(line: number, row: Row): void {
    this.#rows += 1;
    this.#firstLine ||= line;
    this.#blankWords.take(line, row);
    for (const { column, decimal, tally } of this.#amounts) {
      const { value } = find(column, row);
      if (typeof value === 'string' && value.includes(decimal))
        tally.note(signOfThousands(value) === decimal, line, value.trim());
    }
    for (const { columns, tally } of this.#wanted)
      tally.note(
        columns.every((column) => isBlank(find(column, row).value)),
        line,
        '',
      );
    for (const others of this.#others) takeOther(others, line, row);
    if (this.#by !== null) this.#takeLine(line, row, String(find(this.#by, row).value ?? '').trim());
  }

  #takeLine(line: number, row: Row, order: string): void {
    const isFilled = (column: string) => !isBlank(find(column, row).value);
    if (order !== '' && order === this.#order) {
      for (const { column, tally } of this.#texts)
        if (this.#filled.has(column)) tally.note(!isFilled(column), line, '');
      for (const { column, tally } of this.#lineAmounts)
        if (this.#filled.has(column)) tally.note(!isFilled(column), line, '');
      for (const one of this.#repeated) noteRepeated(one, line, textIn(row, one.column));
      return;
    }
    this.#order = order;
    for (const one of this.#repeated) one.before = textIn(row, one.column);
    const isMoreThanZero = (column: string) => /[1-9]/.test(String(find(column, row).value ?? ''));
    this.#filled = new Set([
      ...this.#texts.map(({ column }) => column).filter(isFilled),
      ...this.#lineAmounts.map(({ column }) => column).filter(isMoreThanZero),
    ]);
  }

  get ofFields(): FieldDoubt[] {
    const { thousands, mostlyBlank, onFirstLine, onEachLine } = this;
    const ofAll = this.#rows === 0 ? [] : this.#ofAll;
    return [
      ...thousands,
      ...mostlyBlank,
      ...onFirstLine,
      ...onEachLine,
      ...this.#blankWords.of('texts'),
      ...ofAll.map((doubt) => ({ ...doubt, count: this.#rows, line: this.#firstLine, value: '' })),
    ];
  }

  /** In one sentence each. */
  get ofPreview() {
    const all: FieldDoubt[] = [...this.ofFields, ...this.#blankWords.of('others')];
    return all.map(({ field, column, reason, missing, canDivide }) => ({
      ...{ field, reason: `${column} ${reason}` },
      ...(missing && { missing }),
      ...(canDivide && { canDivide }),
    }));
  }

  /** Amounts of whole orders, which the order's other lines and their titles lack. */
  get onFirstLine(): FieldDoubt[] {
    if (this.#by === null || this.#parts.length === 0) return [];
    return this.#lineAmounts
      .filter(({ tally }) => tally.isDoubtful())
      .map(({ field, column, tally: { count, line, value } }) => ({
        ...{ field, column, count, line, value, ...this.#marksOf(field) },
        reason: `is filled only on an order’s first line, so numbers by ${listWords(this.#parts.map(this.#titles))} will be wrong. Totals are correct`,
      }));
  }

  /** Amounts of whole orders that each line repeats, so totals count them several times. */
  get onEachLine(): FieldDoubt[] {
    return this.#repeated
      .filter(({ tally, differs }) => differs && tally.isDoubtful())
      .map(({ field, column, isPlain, tally: { count, line, value } }) => ({
        ...{ field, column, count, line, value },
        reason: repeatedReason(isPlain),
      }));
  }

  /** Amounts that are probably read 1,000 times too small. */
  get thousands(): FieldDoubt[] {
    return this.#amounts
      .filter(({ tally }) => tally.isDoubtful())
      .map(({ field, column, decimal, reasonOf, tally: { count, line, value } }) => ({
        ...{ field, column, count, line, value },
        reason: reasonOf(decimal, value),
      }));
  }

  /** Columns that most rows leave blank, although numbers need them. */
  get mostlyBlank(): FieldDoubt[] {
    return this.#wanted
      .filter(({ tally }) => tally.isDoubtful(most))
      .map(({ field, columns, metrics, tally: { checked, count, line } }) => ({
        ...{ field, column: columns[0]!, count, line, value: '' },
        reason: `is blank in ${countWords(count)} of ${countWords(checked)} rows, but ${listWords(metrics)} ${metrics.length === 1 ? 'needs' : 'need'} it`,
      }));
  }

  /** Values that nobody chose a replacement for, such as those beyond the first rows. */
  get others(): OtherValues[] {
    return this.#others
      .filter(({ tally }) => tally.count > 0)
      .map(({ field, rule, tally: { count, line, value }, counts }) => ({
        ...{ column: columnsRead(rule.value)[0] ?? this.#titles(field), count, line, value },
        reason: othersReason(rule.default!, counts),
        values: [...counts.keys()],
      }));
  }

  get blankLater(): BlankLater[] {
    const by = this.#by;
    if (by === null) return [];
    return this.#texts
      .filter(({ tally }) => tally.isDoubtful())
      .map(({ column, tally: { count, line, value } }) => ({
        ...{ by, column, count, line, value },
        reason: blankReason,
      }));
  }
}

function takeOther({ rule, tally, counts }: Others, line: number, row: Row): void {
  const { value } = find(rule.value, row);
  const text = isBlank(value) ? '' : String(value).trim();
  const isOther = ![text, String(value)].some((key) => Object.hasOwn(rule.map, key));
  tally.note(isOther, line, text);
  if (isOther && (counts.has(text) || counts.size < mostOthers)) counts.set(text, (counts.get(text) ?? 0) + 1);
}

function othersReason(to: string, counts: ReadonlyMap<string, number>): string {
  const named = [...counts].toSorted(([, one], [, other]) => other - one);
  const shown = named.slice(0, othersNamed).map(([value, count]) => `${value || 'blank'} (${countWords(count)})`);
  const left = named.length - shown.length;
  const all = left > 0 ? [...shown, `${countWords(left)} more values`] : shown;
  return `has values that “All others” changes to ${valueTitle(to) || 'blank'}: ${listWords(all)}`;
}

const textIn = (row: Row, column: string): string => String(find(column, row).value ?? '').trim();

/** Zeros add nothing. If all orders have the same amount, it is probably the price of a ticket. */
function noteRepeated(one: Repeated, line: number, text: string): void {
  if (!/[1-9]/.test(one.before) && !/[1-9]/.test(text)) return;
  one.tally.note(text === one.before, line, text);
  if (text !== one.before) return;
  one.first ||= text;
  one.differs ||= text !== one.first;
}

const repeatedReason = (isPlain: boolean): string =>
  `is the same on every line of an order. If it’s the order’s amount, totals count it several times. Choose ${isPlain ? '“Once per order” or ' : ''}a column with the line’s amount`;

const blankReason = 'is filled only on an order’s first line. Fill it down so the other lines have it too';

function thousandsReason(decimal: DecimalSign, value: string): string {
  const signs = decimal === '.' ? 'dots' : 'commas';
  const read = value.replace(/[^\d.,]/g, '').split(decimal)[0];
  const wanted = otherSign(decimal) === ',' ? '1.234,50' : '1,234.50';
  return `has three digits after its ${signs}: ${value} is read as ${read}. If the ${signs} separate thousands, choose “A number as text” with ${wanted}`;
}

/** Durations can have either sign: hours are often written with three decimals. */
function durationSigns(field: string, rule: Rule): Amount[] {
  // Without a chosen sign, commas that could separate thousands are refused.
  const isChosen = typeof rule === 'object';
  return numberColumns(rule).flatMap(([column, decimal]) =>
    [decimal, ...(isChosen ? [otherSign(decimal)] : [])].map((sign) => ({
      ...{ field, column, decimal: sign, tally: new Tally() },
      reasonOf: (_sign: DecimalSign, value: string) =>
        durationReason(value, sign, { isDecimal: sign === decimal, isChosen }),
    })),
  );
}

function durationReason(
  value: string,
  sign: DecimalSign,
  { isDecimal, isChosen }: Record<'isDecimal' | 'isChosen', boolean>,
) {
  const signs = sign === '.' ? 'dots' : 'commas';
  const [read, other] = isDecimal ? ['decimals', 'thousands'] : ['thousands', 'decimals'];
  const wanted = (isDecimal ? otherSign(sign) : sign) === ',' ? '1.234,50' : '1,234.50';
  const remedy = isChosen ? `choose ${wanted}` : `write ${value.replace(sign, '')} in the file`;
  return `has three digits after its ${signs}, which are read as ${read}: ${value}. If they are ${other}, ${remedy}`;
}
