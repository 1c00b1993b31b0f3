// A mapping being edited: a form for every field of the dataset, and the file's format.
import { type DatasetKey, datasetOf, type FieldType } from '#core/numbers/datasets.ts';
import { formOf, type RuleForm, ruleOf } from './rule-form.ts';

/** Identifies a row permanently, so importing it again updates it. */
export const identity = 'external_id';

export type MappingDraft = {
  readonly dataset: DatasetKey;
  readonly source: string;
  /** For dates without a zone; empty means the company's. */
  readonly zone: string;
  /** Detected from the file if empty. */
  readonly encoding: string;
  readonly delimiter: string;
  readonly fields: Readonly<Record<string, RuleForm>>;
  readonly leaveOut: readonly LeaveOutForm[];
  /** Refunded orders without an amount count as refunded in full. */
  readonly isRefundedInFull: boolean;
  /** Settings without a form (labels, quote, missing), kept as saved. */
  readonly rest: Readonly<Record<string, unknown>>;
};

export type LeaveOutForm = {
  readonly column: string;
  /** Rows that have one of the values, or none of them. An empty text is an empty cell. */
  readonly which: 'has' | 'lacks';
  readonly values: readonly string[];
  readonly reason: string;
};

export type DraftField = {
  readonly name: string;
  readonly title: string;
  readonly isNeeded: boolean;
  /** The only values that the field can have. */
  readonly choices?: readonly string[];
};

/** The form's rows: the identity first, then in the dataset's order. */
export function fieldsOf(dataset: DatasetKey): DraftField[] {
  const fields = Object.entries(datasetOf(dataset).fields);
  const own = fields.map(([name, { title, type, required = false }]) => ({
    ...{ name, title, isNeeded: required },
    ...(typeof type !== 'string' && { choices: type }),
  }));
  return [{ name: identity, title: 'Id in the source', isNeeded: true }, ...own];
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** A source's name from a file name: `Orders March.csv.gz` gives `orders-march`. */
export function sourceOf(fileName: string): string {
  const name = fileName.toLowerCase().replace(/\.(csv|tsv|txt|ndjson|jsonl|json|gz)\b/g, '');
  return (
    name
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 40)
      .replace(/-+$/, '') || 'file'
  );
}

/** A column named like the field, or containing its name; each column is used for one field only. */
function matched(fields: readonly DraftField[], columns: readonly string[]): Record<string, RuleForm> {
  const free = new Set(columns);
  const found: Record<string, RuleForm> = {};
  const tests = [
    (column: string, wanted: string) => column === wanted,
    (column: string, wanted: string) => wanted.length > 3 && column.includes(wanted),
  ];
  for (const test of tests)
    for (const { name, title } of fields) {
      if (found[name]) continue;
      const wanted = name === identity ? ['id', 'externalid'] : [plain(name), plain(title)];
      const column = [...free].find((one) => wanted.some((word) => test(plain(one), word)));
      if (column === undefined) continue;
      free.delete(column);
      found[name] = { kind: 'column', column };
    }
  return found;
}

/** A new mapping with the obvious columns filled in. */
export function newDraft(dataset: DatasetKey, source: string, columns: readonly string[]): MappingDraft {
  const fields = fieldsOf(dataset);
  const blank = Object.fromEntries(fields.map(({ name }): [string, RuleForm] => [name, { kind: 'none' }]));
  const none = { zone: '', encoding: '', delimiter: '', leaveOut: [], isRefundedInFull: false };
  return { dataset, source, ...none, fields: { ...blank, ...matched(fields, columns) }, rest: {} };
}

type LeaveOutRule = { column: string; has?: string[]; lacks?: string[]; reason: string };

/** A saved mapping as a form. */
export function draftOf(dataset: DatasetKey, text: string): MappingDraft {
  const {
    source,
    zone,
    encoding,
    delimiter,
    currency,
    fields,
    leaveOut = [],
    refunds,
    dataset: _same,
    ...rest
  } = JSON.parse(text) as Record<string, unknown> & { fields: Record<string, unknown>; leaveOut?: LeaveOutRule[] };
  const currencyField = datasetOf(dataset).currency;
  // A currency for all rows is a rule like any other.
  const forAll =
    currencyField !== null && typeof currency === 'string' ? { [currencyField]: { constant: currency } } : {};
  const rules = { ...forAll, ...fields };
  const forms = fieldsOf(dataset).map(({ name }): [string, RuleForm] => [name, formOf(rules[name])]);
  const word = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    dataset,
    source: word(source),
    zone: word(zone),
    encoding: word(encoding),
    delimiter: word(delimiter),
    fields: Object.fromEntries(forms),
    leaveOut: leaveOut.map(({ column, has, lacks, reason }) => ({
      ...{ column, reason, which: has ? 'has' : 'lacks', values: has ?? lacks ?? [] },
    })),
    isRefundedInFull: refunds === 'full',
    rest,
  };
}

export type Mapping = Readonly<Record<string, unknown>>;

type ValidPart = { readonly mapping: Mapping; readonly faults: readonly string[] };

/** The draft's mapping without its invalid parts, which are named. */
function validPart(draft: MappingDraft): ValidPart {
  const { dataset, source, zone, encoding, delimiter, leaveOut, isRefundedInFull, rest } = draft;
  const fields: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const { name, title } of fieldsOf(dataset)) {
    const said = ruleOf(draft.fields[name] ?? { kind: 'none' });
    if (said === null) continue;
    if ('fault' in said) faults.push(`${title} ${said.fault}`);
    else fields[name] = said.rule;
  }
  const isWhole = ({ column, values, reason }: LeaveOutForm) => column !== '' && values.length > 0 && reason !== '';
  if (!leaveOut.every(isWhole)) faults.push('Rows to leave out need a column, values and a reason');
  const rules = leaveOut
    .filter(isWhole)
    .map(({ column, which, values, reason }) => ({ column, [which]: values, reason }));
  const given = Object.fromEntries(Object.entries({ zone, encoding, delimiter }).filter(([, value]) => value !== ''));
  const chosen = {
    ...(isRefundedInFull && { refunds: 'full' }),
    ...(rules.length > 0 && { leaveOut: rules }),
  };
  return { mapping: { dataset, source, ...given, ...rest, ...chosen, fields }, faults };
}

/** The draft's mapping, or its invalid fields. */
export function mappingOf(draft: MappingDraft): { readonly mapping: Mapping } | { readonly faults: readonly string[] } {
  const { mapping, faults } = validPart(draft);
  return faults.length > 0 ? { faults } : { mapping };
}

/** What a preview shows of a draft: one invalid field hides only itself. */
export const previewOf = (draft: MappingDraft): Mapping => validPart(draft).mapping;

const samples: Readonly<Record<string, readonly string[]>> = {
  text: ['A-1', 'B-2'],
  longText: ['A note', 'Another note'],
  instant: ['2026-01-30 09:30', '2026-01-31 14:05'],
  day: ['2026-01-30', '2026-01-31'],
  money: ['12.50', '1299.00'],
  whole: ['1', '2'],
  flag: ['yes', 'no'],
  score: ['5', '4'],
};

function valuesOf(name: string, type: FieldType): readonly string[] {
  if (name === 'currency') return ['USD', 'USD'];
  if (name === 'country') return ['US', 'DE'];
  return typeof type === 'string' ? samples[type]! : [type[0]!, type[0]!];
}

/** Two rows with every field, under names that the wizard recognizes. */
export function sampleFile(dataset: DatasetKey): { head: string[]; rows: string[][] } {
  const { fields } = datasetOf(dataset);
  const all = fieldsOf(dataset);
  const columns = all.map(({ name }) => (name === identity ? ['1', '2'] : valuesOf(name, fields[name]!.type)));
  return {
    head: all.map(({ name }) => (name === identity ? 'id' : name)),
    rows: [0, 1].map((row) => columns.map((values) => values[row]!)),
  };
}
