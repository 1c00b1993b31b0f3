import { Button, CloseButton, Select, Textarea, TextInput } from '@mantine/core';
import { dayWithYear } from '#core/base/day-words.ts';
import { durationUnitNames } from '#core/base/durations.ts';
import { capital, plural } from '#core/base/formats.ts';
import { valueTitle } from '#core/numbers/datasets.ts';
import { SearchMultiSelect, SearchSelect } from '#web/ui/search-select.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import type { DateReading, Preview } from './import-calls.ts';
import classes from './import-wizard.module.css';
import {
  type Calculation,
  columnsOf,
  isCalculation,
  numberingTitle,
  type RuleForm,
  type ValuePair,
  withTime,
} from './rule-form.ts';

type Props<Form extends RuleForm = RuleForm> = {
  /** The field's title, for the inputs' labels. */
  readonly title: string;
  readonly form: Form;
  readonly columns: readonly string[];
  /** Each column's values in the file, if they are few. */
  readonly values: Preview['values'];
  /** The only values that the field can have. */
  readonly choices: readonly string[];
  /** A value of the column in the file. */
  readonly exampleOf: (column: string) => string;
  /** Readings of a date whose day and month can't be told apart. */
  readonly readings?: readonly DateReading[];
  /** The formats of the column's dates, each with an example. */
  readonly shapes?: Preview['dates'][string];
  readonly onChange: (form: RuleForm) => void;
};

/** A rule form's inputs. */
export function RuleInputs(props: Props) {
  const { title, form, columns, choices, exampleOf, onChange } = props;
  if (form.kind === 'none') return null;
  if (form.kind === 'constant')
    return (
      <ValueInput
        label={`${title}: text for all rows`}
        value={form.text}
        choices={choices}
        onChange={(text) => onChange({ ...form, text })}
      />
    );
  if (form.kind === 'json')
    return (
      <Textarea
        aria-label={`${title}: rule as JSON`}
        value={form.text}
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        classNames={{ input: classes.code }}
        onChange={(event) => onChange({ ...form, text: event.currentTarget.value })}
      />
    );
  if (form.kind === 'first' || form.kind === 'multiply' || form.kind === 'together')
    return (
      <>
        <SearchMultiSelect
          aria-label={`${title}: columns, in order`}
          data={withChosen(columns, form.columns)}
          value={[...form.columns]}
          onChange={(chosen) => onChange({ ...form, columns: chosen })}
        />
        {form.kind === 'multiply' && <DecimalSigns {...{ title, form, exampleOf, onChange }} />}
        {form.kind === 'together' && (
          <>
            <TextInput
              label="Separator"
              aria-label={`${title}: separator`}
              value={form.with}
              onChange={(event) => onChange({ ...form, with: event.currentTarget.value })}
            />
            <label className={classes.check}>
              <input
                type="checkbox"
                checked={form.isNumbered}
                onChange={(event) => onChange({ ...form, isNumbered: event.currentTarget.checked })}
              />{' '}
              {numberingTitle}
            </label>
          </>
        )}
      </>
    );
  return <ColumnInputs {...props} form={form} />;
}

type ValueProps = {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly choices: readonly string[];
  readonly onChange: (value: string) => void;
};

/** A value of the field: from a list if only some are possible. */
function ValueInput({ label, placeholder, value, choices, onChange }: ValueProps) {
  if (choices.length === 0)
    return (
      <TextInput
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return (
    <SearchSelect
      aria-label={label}
      placeholder={placeholder}
      data={withChosen(choices, [value]).map((choice) => ({ value: choice, label: valueTitle(choice) }))}
      value={value || null}
      clearable
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}

/** A column that the file lacks stays visible, so viewing a saved mapping doesn't change it. */
const withChosen = (columns: readonly string[], chosen: readonly string[]): string[] => [
  ...new Set([...columns, ...chosen.filter((column) => column !== '')]),
];

const decimalSigns = [
  { value: '.', label: '1,234.50' },
  { value: ',', label: '1.234,50' },
] as const;

/** How the numbers of each column are written that is calculated with. */
function DecimalSigns({
  title,
  form,
  exampleOf,
  onChange,
}: Pick<Props<Calculation | DurationForm>, 'title' | 'form' | 'exampleOf' | 'onChange'>) {
  return columnsOf(form)
    .filter((column) => column !== '')
    .map((column) => (
      <div key={column}>
        <span className={classes.quiet}>
          {[`How ${column} is written`, exampleOf(column)].filter(Boolean).join(': ')}
        </span>
        <Segmented
          label={`${title}: decimal sign of ${column}`}
          segments={decimalSigns}
          value={form.decimals?.[column] ?? '.'}
          onChange={(decimal) => onChange({ ...form, decimals: { ...form.decimals, [column]: decimal } })}
        />
      </div>
    ));
}

type ColumnForm = Extract<RuleForm, { readonly column: string }>;

function ColumnInputs(props: Props<ColumnForm>) {
  const { title, form, columns, values, choices, exampleOf, readings = [], shapes = [], onChange } = props;
  return (
    <>
      <SearchSelect
        aria-label={`${title}: column`}
        placeholder="Column"
        data={withChosen(columns, [form.column])}
        value={form.column || null}
        onChange={(column) => onChange({ ...form, column: column ?? '' })}
      />
      {(form.kind === 'column' || form.kind === 'date') && (
        <DateReadings {...{ title, form, readings, exampleOf, onChange }} />
      )}
      {form.kind === 'number' && (
        <Segmented
          label={`${title}: decimal sign`}
          segments={decimalSigns}
          value={form.decimal}
          onChange={(decimal) => onChange({ ...form, decimal })}
        />
      )}
      {form.kind === 'duration' && <DurationUnits {...{ title, form, onChange }} />}
      {(isCalculation(form) || hasDecimals(form)) && <DecimalSigns {...{ title, form, exampleOf, onChange }} />}
      {form.kind === 'date' && <DateInputs {...{ title, form, columns, exampleOf, shapes, onChange }} />}
      {form.kind === 'map' && <MapInputs {...{ title, form, choices, onChange }} found={values[form.column] ?? []} />}
    </>
  );
}

type DurationForm = Extract<RuleForm, { readonly kind: 'duration' }>;

/** Numbers that a machine wrote need no sign, and neither does `2d 4h`. */
const hasDecimals = (form: ColumnForm): form is DurationForm =>
  form.kind === 'duration' && Object.hasOwn(form.decimals ?? {}, form.column);

const units = durationUnitNames.map((unit) => ({ value: unit, label: capital(unit) }));

function DurationUnits({ title, form, onChange }: Pick<Props<DurationForm>, 'title' | 'form' | 'onChange'>) {
  return (
    <Select
      aria-label={`${title}: unit of numbers`}
      placeholder="Unit for plain numbers"
      data={units}
      value={form.unit || null}
      clearable
      onChange={(unit) => onChange({ ...form, unit: unit ?? '' })}
    />
  );
}

type DateForm = Extract<RuleForm, { readonly kind: 'date' }>;
type ReadingsProps = Pick<Required<Props>, 'title' | 'readings' | 'exampleOf' | 'onChange'> & {
  readonly form: DateForm | Extract<RuleForm, { readonly kind: 'column' }>;
};

/** Both readings of a date, to choose the right one. */
function DateReadings({ title, form, readings, exampleOf, onChange }: ReadingsProps) {
  const [first] = readings;
  if (!first) return null;
  const dated: DateForm = form.kind === 'date' ? form : { ...form, kind: 'date', time: '', format: '', zone: '' };
  const formOf = (format: string) =>
    dated.time === '' ? { ...dated, format } : withTime({ ...dated, format }, dated.time, exampleOf(dated.time));
  const chosen = form.kind === 'date' && readings.find(({ format }) => formOf(format).format === form.format);
  return (
    <>
      <span className={classes.quiet}>What does {first.example} mean?</span>
      <Segmented
        label={`${title}: day and month`}
        segments={readings.map(({ format, day }) => ({ value: format, label: dayWithYear(day) }))}
        value={chosen ? chosen.format : ''}
        onChange={(format) => onChange(formOf(format))}
      />
    </>
  );
}

type DateProps = Omit<Props<DateForm>, 'values' | 'choices' | 'shapes'> & Required<Pick<Props, 'shapes'>>;

function DateInputs({ title, form, columns, exampleOf, shapes, onChange }: DateProps) {
  const given = form.format.split('|').map((one) => one.trim());
  const unread =
    form.time === '' ? shapes.filter(({ format }) => format !== form.format && !given.includes(format)) : [];
  const { others = [] } = form;
  return (
    <>
      {others.length === 0 && (
        <SearchSelect
          aria-label={`${title}: column of the time`}
          placeholder="Time or month, if in another column"
          data={withChosen(columns, [form.time])}
          value={form.time || null}
          clearable
          onChange={(time) => onChange(withTime(form, time ?? '', exampleOf(time ?? '')))}
        />
      )}
      {form.time === '' && (
        <SearchMultiSelect
          aria-label={`${title}: columns for rows that leave it blank`}
          placeholder={others.length > 0 ? undefined : 'If blank, use another column'}
          data={withChosen(columns, others).filter((column) => column !== form.column)}
          value={[...others]}
          onChange={(chosen) => onChange({ ...form, others: chosen })}
        />
      )}
      {unread.map(({ format, example }) => (
        <Button key={format} variant="default" onClick={() => onChange({ ...form, format })}>
          Read {example} as {format}
        </Button>
      ))}
      <div className={classes.pair}>
        <TextInput
          aria-label={`${title}: format of the date`}
          placeholder="D/M/YYYY HH:mm"
          value={form.format}
          onChange={(event) => onChange({ ...form, format: event.currentTarget.value })}
        />
        <TextInput
          aria-label={`${title}: time zone`}
          placeholder="Time zone"
          value={form.zone}
          onChange={(event) => onChange({ ...form, zone: event.currentTarget.value })}
        />
      </div>
    </>
  );
}

type MapForm = Extract<RuleForm, { readonly kind: 'map' }>;

type MapProps = Omit<Props<MapForm>, 'columns' | 'values' | 'exampleOf'> & {
  readonly found: Preview['values'][string];
};

/** A value with the same name here needs no choice. */
const sameName = (choices: MapProps['choices'], value: string): string =>
  choices.find((choice) => [choice, valueTitle(choice)].some((name) => name.toLowerCase() === value.toLowerCase())) ??
  '';

function MapInputs({ title, form, found, choices, onChange }: MapProps) {
  const { pairs } = form;
  // Blank cells of a text field stay blank; a field with fixed values may need one for them.
  const missing = found
    .map(({ value }) => value)
    .filter((value) => (value !== '' || choices.length > 0) && !pairs.some(({ from }) => from === value));
  const hasBlank = found.some(({ value }) => value === '');
  const addAll = () => {
    const typed = pairs.filter(({ from, to }) => from !== '' || to !== '');
    // Free text starts unchanged: an empty one would be a blank cell.
    const same = (from: string) => (choices.length === 0 ? from : sameName(choices, from));
    onChange({ ...form, pairs: [...typed, ...missing.map((from) => ({ from, to: same(from) }))] });
  };
  const change = (index: number, part: Partial<ValuePair>) =>
    onChange({ ...form, pairs: pairs.map((pair, at) => (at === index ? { ...pair, ...part } : pair)) });
  return (
    <>
      {missing.length > 0 && (
        <Button variant="default" onClick={addAll}>
          Add {plural(missing.length, 'value')} from the file
        </Button>
      )}
      {pairs.map((pair, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pairs are told apart by their place; while typed, two may be alike.
        <div key={index} className={classes.pair}>
          <TextInput
            aria-label={`${title}: value ${index + 1} in the file`}
            placeholder={hasBlank || pair.to !== '' ? 'Blank cells' : 'Value in the file'}
            value={pair.from}
            onChange={(event) => change(index, { from: event.currentTarget.value })}
          />
          <ValueInput
            label={`${title}: import value ${index + 1} as`}
            placeholder="Import as"
            value={pair.to}
            choices={choices}
            onChange={(to) => change(index, { to })}
          />
          <CloseButton
            aria-label={`${title}: remove value ${index + 1}`}
            onClick={() => onChange({ ...form, pairs: pairs.filter((_pair, at) => at !== index) })}
          />
        </div>
      ))}
      <div className={classes.pair}>
        <Button variant="default" onClick={() => onChange({ ...form, pairs: [...pairs, { from: '', to: '' }] })}>
          Add a value
        </Button>
        <ValueInput
          label={`${title}: all other values become`}
          placeholder="All others"
          value={form.otherwise}
          choices={choices}
          onChange={(otherwise) => onChange({ ...form, otherwise })}
        />
      </div>
    </>
  );
}
