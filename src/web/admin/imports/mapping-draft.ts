// A mapping being edited: a form for every field of the dataset, and the file's format.
import {
  canBeDuration,
  type DatasetKey,
  datasetOf,
  type FieldType,
  fieldTitle,
  isOftenRate,
  isReference,
} from '#core/numbers/datasets.ts';
import {
  addedWords,
  durationWordsOf,
  isNamedAsId,
  isUtc,
  lineAmounts,
  orderOfLines,
  plainWord,
  withoutUnits,
  wordsOf,
} from './column-words.ts';
import {
  type ColumnFacts,
  changeKind,
  columnsOf,
  decimalsIn,
  formOf,
  formOfColumn,
  isCalculation,
  isDurationColumn,
  noFacts,
  type RuleForm,
  type RuleKind,
  ruleOf,
} from './rule-form.ts';

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
  /** A workbook's sheet; empty means its first. */
  readonly sheet: string;
  readonly fields: Readonly<Record<string, RuleForm>>;
  /** Fields with a column that is only named similarly, until someone chooses. */
  readonly guessed: readonly string[];
  readonly leaveOut: readonly LeaveOutForm[];
  readonly fill: FillForm;
  /** Optional fields whose wrong cells are left empty. */
  readonly emptyIfWrong: readonly string[];
  /** Refunded orders without an amount count as refunded in full. */
  readonly isRefundedInFull: boolean;
  /** Settings without a form (labels, quote, missing), kept as saved. */
  readonly rest: Readonly<Record<string, unknown>>;
};

/** Columns whose blank cells have the value of the row before with the same value in `by`. */
export type FillForm = { readonly by: string; readonly columns: readonly string[] };

export type LeaveOutForm = {
  readonly column: string;
  /** Rows that have one of the values, or none of them, or a number below 0. An empty text is an empty cell. */
  readonly which: 'has' | 'lacks' | 'below';
  readonly values: readonly string[];
  readonly reason: string;
};

export type DraftField = {
  readonly name: string;
  readonly title: string;
  readonly isNeeded: boolean;
  readonly type: FieldType;
  /** The only values that the field can have. */
  readonly choices?: readonly string[];
  /** The title of the row's date, if a duration after it can give the field. */
  readonly after?: string;
  /** The title of the row's order, if an order's amount can give the field. */
  readonly per?: string;
};

/** The form's rows: the identity first, then in the dataset's order. */
export function fieldsOf(dataset: DatasetKey): DraftField[] {
  const { fields, datedBy } = datasetOf(dataset);
  const own = Object.entries(fields).map(([name, { title, type, required = false }]) => ({
    ...{ name, title, type, isNeeded: required },
    ...(type === 'flag' ? { choices: ['yes', 'no'] } : typeof type !== 'string' && { choices: type }),
    ...(canBeDuration(dataset, name) && { after: fieldTitle(dataset, datedBy) }),
    ...(dataset === 'orders' && type === 'money' && { per: fields.order_ref!.title }),
  }));
  return [{ name: identity, title: fieldTitle(dataset, identity), type: 'text', isNeeded: true }, ...own];
}

/** A calculated amount can't be counted once per order as well. */
export const mayBe = (kind: RuleKind, { after, per }: DraftField, form: RuleForm): boolean =>
  (kind !== 'duration' || after !== undefined) &&
  (kind !== 'once' || form.kind === kind || (per !== undefined && !isCalculation(form)));

/** A source's name from a file name: `Orders March.csv.gz` gives `orders-march`. */
export function sourceOf(fileName: string): string {
  const name = fileName.toLowerCase().replace(/\.(csv|tsv|txt|ndjson|jsonl|json|gz|xlsx|xlsm|zip)\b/g, '');
  return (
    name
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 40)
      .replace(/-+$/, '') || 'file'
  );
}

const exactly = ({ name, title }: DraftField): readonly string[] =>
  name === identity ? ['id', 'externalid'] : [plainWord(name), plainWord(title)];

/** The name with a word of its type before or behind it: `Order ID`, `First response time`. */
function nearly({ name, title, type }: DraftField): string[] {
  const words = addedWords[isReference(name) ? 'reference' : String(type)] ?? [];
  return [plainWord(name), plainWord(title)].flatMap((own) => words.flatMap((word) => [own + word, word + own]));
}

const inOtherWords = ({ name }: DraftField): readonly string[] => wordsOf(name);

const asDuration = ({ name, after }: DraftField): readonly string[] =>
  after === undefined ? [] : durationWordsOf(name);

/** A date of the row is no duration after itself. */
export const factsFor = ({ after }: DraftField, facts: ColumnFacts): ColumnFacts =>
  after === undefined ? { ...facts, durations: {} } : facts;

type Guesses = { readonly fields: Record<string, RuleForm>; readonly guessed: string[] };

/** A column named like the field, nearly so, or in other words; each column is used for one field only. */
function matched(
  fields: readonly DraftField[],
  columns: readonly string[],
  { unique, facts = noFacts }: FileFacts,
): Guesses {
  const free = new Set(columns);
  const found: Record<string, RuleForm> = {};
  const guessed: string[] = [];
  const hasCountry = fields.some(({ name }) => name === 'country');
  const canGive = ({ name, type }: DraftField, column: string, namesOf: typeof exactly) => {
    if (name === identity) return unique?.includes(column) !== false;
    // Beside a country, a state is a part of it.
    if (name === 'status' && plainWord(column) === 'state' && hasCountry) return false;
    if (isOftenRate(name) && facts.numbers[column]?.isRate) return false;
    if (namesOf === asDuration) return isDurationColumn(column, facts);
    const isDate = type === 'instant' || type === 'day';
    // Data is a date in some languages.
    return namesOf !== inOtherWords || !isDate || facts === noFacts || facts.dates[column] !== undefined;
  };
  for (const namesOf of [exactly, nearly, inOtherWords, asDuration])
    for (const field of fields) {
      if (found[field.name]) continue;
      const nameOf = namesOf === asDuration ? withoutUnits : plainWord;
      const column = namesOf(field)
        .map((wanted) => [...free].find((one) => nameOf(one) === wanted && canGive(field, one, namesOf)))
        .find((one) => one !== undefined);
      if (column === undefined) continue;
      free.delete(column);
      found[field.name] = formOfColumn(column, field.type, factsFor(field, facts));
      if (namesOf !== exactly) guessed.push(field.name);
    }
  if (fields.some(({ name }) => name === 'dated_at')) datePayout(found, guessed);
  const order = fields.some(({ name }) => name === 'order_ref') && !found.order_ref && shopOrder(columns, free);
  if (order) {
    found.order_ref = { kind: 'column', column: order };
    guessed.push('order_ref');
  }
  // A total beside a discount can be after it.
  const isOpen = !found.gross || (guessed.includes('gross') && found.discount !== undefined);
  const amount = fields.some(({ name }) => name === 'gross') && isOpen && lineAmountOf(columns, facts);
  if (amount) {
    found.gross = amount;
    guessed.push('gross');
  }
  // In a file with one line an order, the order's id is the row's too.
  const named = found.order_ref && columnsOf(found.order_ref)[0];
  const id = unique?.find((column) => (free.has(column) || column === named) && isNamedAsId(column));
  if (found[identity] || id === undefined) return { fields: found, guessed };
  return { fields: { ...found, [identity]: { kind: 'column', column: id } }, guessed: [identity, ...guessed] };
}

/** A payout counts on the day it was paid; a date in other words can be when it was entered. */
function datePayout(found: Record<string, RuleForm>, guessed: string[]): void {
  const { paid_at, due_at, dated_at } = found;
  const isOther = paid_at !== undefined && guessed.includes('dated_at');
  const paid = paid_at ?? due_at;
  if (!paid || paid.kind === 'duration' || (dated_at && !isOther)) return;
  found.dated_at = paid;
  if (!isOther) guessed.push('dated_at');
}

function shopOrder(columns: readonly string[], free: ReadonlySet<string>): string | undefined {
  const hasLines = columns.some((column) => plainWord(column) === orderOfLines.line);
  return hasLines ? [...free].find((column) => plainWord(column) === orderOfLines.order) : undefined;
}

/** A line's price times its quantity. */
function lineAmountOf(columns: readonly string[], facts: ColumnFacts): RuleForm | null {
  const named = (name: string) => columns.find((column) => plainWord(column) === name);
  for (const names of lineAmounts) {
    const found = names.map(named).filter((column) => column !== undefined);
    if (found.length === names.length) return { kind: 'multiply', columns: found, decimals: decimalsIn(found, facts) };
  }
  return null;
}

const noFill: FillForm = { by: '', columns: [] };

/** `unique`: columns whose values all differ. */
type FileFacts = { readonly sheet?: string; readonly unique?: readonly string[]; readonly facts?: ColumnFacts };

/** A new mapping with the obvious columns filled in. */
export function newDraft(
  dataset: DatasetKey,
  source: string,
  columns: readonly string[],
  file: FileFacts = {},
): MappingDraft {
  const fields = fieldsOf(dataset);
  const blank = Object.fromEntries(fields.map(({ name }): [string, RuleForm] => [name, { kind: 'none' }]));
  const none = {
    ...{ encoding: '', delimiter: '' },
    sheet: file.sheet ?? '',
    leaveOut: [],
    fill: noFill,
    emptyIfWrong: [],
    isRefundedInFull: false,
  };
  const found = matched(fields, columns, file);
  const forms = withRowFacts(dataset, { ...blank, ...found.fields });
  return { dataset, source, ...none, zone: zoneOf(dataset, forms), fields: forms, guessed: found.guessed, rest: {} };
}

type Forms = MappingDraft['fields'];

/** UTC if all columns of times say so in their names; empty means the company's. */
function zoneOf(dataset: DatasetKey, forms: Forms): string {
  const dated = fieldsOf(dataset).filter(({ type }) => type === 'instant' || type === 'day');
  const columns = dated.flatMap(({ name }) => columnsOf(forms[name]!));
  return columns.length > 0 && columns.every(isUtc) ? 'UTC' : '';
}

/** Durations are counted from what the row's date is now, and amounts once for what its order is now. */
function withRowFacts(dataset: DatasetKey, forms: Forms): Forms {
  const ruleFor = (name: string): unknown => {
    const said = ruleOf(forms[name] ?? { kind: 'none' });
    return said && 'rule' in said ? said.rule : undefined;
  };
  const [after, per] = [ruleFor(datasetOf(dataset).datedBy), ruleFor('order_ref')];
  const withFact = (form: RuleForm): RuleForm => {
    if (form.kind === 'duration') return { ...form, after };
    return form.kind === 'once' ? { ...form, per } : form;
  };
  return Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, withFact(form)]));
}

/** A saved duration after something else than the row's date, or an amount once for something else, stays JSON. */
function savedForm({ after, per }: DraftField, rule: unknown, dated: unknown, order: unknown): RuleForm {
  const form = formOf(rule);
  const isOther = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  if (form.kind === 'duration' && (after === undefined || isOther(form.after, dated))) return changeKind(form, 'json');
  if (form.kind === 'once' && (per === undefined || isOther(form.per, order))) return changeKind(form, 'json');
  return form;
}

type LeaveOutRule = { column: string; has?: string[]; lacks?: string[]; below?: 0; reason: string };

/** A saved mapping as a form. */
export function draftOf(dataset: DatasetKey, text: string): MappingDraft {
  const {
    source,
    zone,
    encoding,
    delimiter,
    sheet,
    currency,
    fields,
    leaveOut = [],
    fill = noFill,
    emptyIfWrong = [],
    refunds,
    dataset: _same,
    ...rest
  } = JSON.parse(text) as Record<string, unknown> & {
    fields: Record<string, unknown>;
    leaveOut?: LeaveOutRule[];
    fill?: FillForm;
    emptyIfWrong?: string[];
  };
  const currencyField = datasetOf(dataset).currency;
  // A currency for all rows is a rule like any other.
  const forAll =
    currencyField !== null && typeof currency === 'string' ? { [currencyField]: { constant: currency } } : {};
  const rules = { ...forAll, ...fields };
  const dated = rules[datasetOf(dataset).datedBy];
  const forms = fieldsOf(dataset).map((field): [string, RuleForm] => [
    field.name,
    savedForm(field, rules[field.name], dated, rules.order_ref),
  ]);
  const word = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    dataset,
    source: word(source),
    zone: word(zone),
    encoding: word(encoding),
    delimiter: word(delimiter),
    sheet: word(sheet),
    fields: Object.fromEntries(forms),
    guessed: [],
    leaveOut: leaveOut.map(({ column, has, lacks, reason }) => ({
      ...{ column, reason, which: has ? 'has' : lacks ? 'lacks' : 'below', values: has ?? lacks ?? [] },
    })),
    fill,
    emptyIfWrong,
    isRefundedInFull: refunds === 'full',
    rest,
  };
}

/** How many of the file's columns a saved mapping uses; 0 if the file lacks one of them. */
export function columnsUsed(dataset: DatasetKey, mapping: string, columns: readonly string[]): number {
  const { fields, leaveOut, fill } = draftOf(dataset, mapping);
  const others = [...leaveOut.map(({ column }) => column), ...(fill.by ? [fill.by] : []), ...fill.columns];
  const used = new Set([...Object.values(fields).flatMap(columnsOf), ...others]);
  return [...used].every((column) => columns.includes(column)) ? used.size : 0;
}

export function withField(draft: MappingDraft, name: string, form: RuleForm): MappingDraft {
  const fields = withRowFacts(draft.dataset, { ...draft.fields, [name]: form });
  const zone = draft.zone === '' && columnsOf(form).some(isUtc) ? zoneOf(draft.dataset, fields) : draft.zone;
  return { ...draft, fields, zone, guessed: draft.guessed.filter((guessed) => guessed !== name) };
}

export type Mapping = Readonly<Record<string, unknown>>;

/** The draft's mapping without its invalid parts, which are named. */
function validPart(draft: MappingDraft): { readonly mapping: Mapping; readonly faults: readonly string[] } {
  const { dataset, source, zone, encoding, delimiter, sheet, leaveOut, fill, emptyIfWrong, isRefundedInFull, rest } =
    draft;
  const fields: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const { name, title } of fieldsOf(dataset)) {
    const said = ruleOf(draft.fields[name] ?? { kind: 'none' });
    if (said === null) continue;
    if ('fault' in said) faults.push(`${title} ${said.fault}`);
    else fields[name] = said.rule;
  }
  const isWhole = (rule: LeaveOutForm) => rule.column && rule.reason && (rule.which === 'below' || rule.values.length);
  if (!leaveOut.every(isWhole)) faults.push('Rows to leave out need a column, values and a reason');
  const isFilling = fill.columns.length > 0;
  if (isFilling && fill.by === '') faults.push('Choose the order column for the columns to fill down');
  const rules = leaveOut
    .filter(isWhole)
    .map(({ column, which, values, reason }) => ({ column, [which]: which === 'below' ? 0 : values, reason }));
  const given = Object.fromEntries(
    Object.entries({ zone, encoding, delimiter, sheet }).filter(([, value]) => value !== ''),
  );
  const chosen = {
    ...(isRefundedInFull && { refunds: 'full' }),
    ...(emptyIfWrong.length > 0 && { emptyIfWrong }),
    ...(rules.length > 0 && { leaveOut: rules }),
    ...(isFilling && fill.by !== '' && { fill }),
  };
  return { mapping: { dataset, source, ...given, ...rest, ...chosen, fields }, faults };
}

/** What is missing for an import, in one sentence. */
function missingOf(draft: MappingDraft): string[] {
  const missing = fieldsOf(draft.dataset).filter(
    ({ name, isNeeded }) => isNeeded && ruleOf(draft.fields[name] ?? { kind: 'none' }) === null,
  );
  const titles = missing.map(({ title }) => title);
  return missing.length > 0 ? [`Choose a column or a value for: ${titles.join(', ')}`] : [];
}

/** The draft's mapping, or its missing and invalid fields. */
export function mappingOf(draft: MappingDraft): { readonly mapping: Mapping } | { readonly faults: readonly string[] } {
  const { mapping, faults: invalid } = validPart(draft);
  const faults = [...missingOf(draft), ...invalid];
  return faults.length > 0 ? { faults } : { mapping };
}

/** How a draft reads the file; null if everything is detected. */
export function formatOf({ encoding, delimiter, rest }: Pick<MappingDraft, 'encoding' | 'delimiter' | 'rest'>) {
  const given = Object.entries({ encoding, delimiter, quote: rest.quote ?? '' }).filter(([, value]) => value !== '');
  return given.length === 0 ? null : Object.fromEntries(given);
}

/** What a preview shows of a draft: one invalid field hides only itself. */
export const previewOf = (draft: MappingDraft): Mapping => validPart(draft).mapping;
