import { Button, Textarea, TextInput } from '@mantine/core';
import { plural } from '#core/base/formats.ts';
import { SearchMultiSelect, SearchSelect } from '#web/ui/search-select.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import type { Preview } from './import-calls.ts';
import classes from './import-wizard.module.css';
import type { RuleForm, ValuePair } from './rule-form.ts';

type Props<Form extends RuleForm = RuleForm> = {
  /** The field's title, for the inputs' labels. */
  readonly title: string;
  readonly form: Form;
  readonly columns: readonly string[];
  /** Each column's values in the file, if they are few. */
  readonly values: Preview['values'];
  /** The only values that the field can have. */
  readonly choices: readonly string[];
  readonly onChange: (form: RuleForm) => void;
};

/** A rule form's inputs. */
export function RuleInputs({ title, form, columns, values, choices, onChange }: Props) {
  if (form.kind === 'none') return null;
  if (form.kind === 'constant')
    return (
      <TextInput
        aria-label={`${title}: text for all rows`}
        value={form.text}
        onChange={(event) => onChange({ ...form, text: event.currentTarget.value })}
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
        {form.kind === 'together' && (
          <label className={classes.check}>
            <input
              type="checkbox"
              checked={form.isNumbered}
              onChange={(event) => onChange({ ...form, isNumbered: event.currentTarget.checked })}
            />{' '}
            Number rows with the same values: 1, 2, 3
          </label>
        )}
      </>
    );
  return <ColumnInputs {...{ title, form, columns, values, choices, onChange }} />;
}

/** A column that the file lacks stays visible, so viewing a saved mapping doesn't change it. */
const withChosen = (columns: readonly string[], chosen: readonly string[]): string[] => [
  ...new Set([...columns, ...chosen.filter((column) => column !== '')]),
];

type ColumnForm = Extract<RuleForm, { readonly column: string }>;

function ColumnInputs({ title, form, columns, values, choices, onChange }: Props<ColumnForm>) {
  return (
    <>
      <SearchSelect
        aria-label={`${title}: column`}
        placeholder="Column"
        data={withChosen(columns, [form.column])}
        value={form.column || null}
        onChange={(column) => onChange({ ...form, column: column ?? '' })}
      />
      {form.kind === 'number' && (
        <Segmented
          label={`${title}: decimal sign`}
          segments={[
            { value: '.', label: '1,234.50' },
            { value: ',', label: '1.234,50' },
          ]}
          value={form.decimal}
          onChange={(decimal) => onChange({ ...form, decimal })}
        />
      )}
      {form.kind === 'date' && (
        <div className={classes.pair}>
          <TextInput
            aria-label={`${title}: format of the date`}
            placeholder="D/M/YYYY HH:mm"
            value={form.format}
            onChange={(event) => onChange({ ...form, format: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`${title}: zone`}
            placeholder="Zone"
            value={form.zone}
            onChange={(event) => onChange({ ...form, zone: event.currentTarget.value })}
          />
        </div>
      )}
      {form.kind === 'map' && <MapInputs {...{ title, form, choices, onChange }} found={values[form.column] ?? []} />}
    </>
  );
}

type MapForm = Extract<RuleForm, { readonly kind: 'map' }>;

type MapProps = Omit<Props<MapForm>, 'columns' | 'values'> & { readonly found: Preview['values'][string] };

function MapInputs({ title, form, found, choices, onChange }: MapProps) {
  const { pairs } = form;
  const missing = found
    .map(({ value }) => value)
    .filter((value) => value !== '' && !pairs.some(({ from }) => from === value));
  const addAll = () => {
    // A value that is the same here needs no typing.
    const same = (value: string) => choices.find((choice) => choice === value.toLowerCase()) ?? '';
    const typed = pairs.filter(({ from, to }) => from !== '' || to !== '');
    onChange({ ...form, pairs: [...typed, ...missing.map((from) => ({ from, to: same(from) }))] });
  };
  const change = (index: number, part: Partial<ValuePair>) =>
    onChange({ ...form, pairs: pairs.map((pair, at) => (at === index ? { ...pair, ...part } : pair)) });
  return (
    <>
      {choices.length > 0 && <p className={classes.quiet}>Possible here: {choices.join(', ')}</p>}
      {missing.length > 0 && (
        <Button variant="default" onClick={addAll}>
          Add {plural(missing.length, 'value')} of the file
        </Button>
      )}
      {pairs.map((pair, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pairs are told apart by their place; while typed, two may be alike.
        <div key={index} className={classes.pair}>
          <TextInput
            aria-label={`${title}: value ${index + 1} in the file`}
            placeholder="In the file"
            value={pair.from}
            onChange={(event) => change(index, { from: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`${title}: value ${index + 1} here`}
            placeholder="Here"
            value={pair.to}
            onChange={(event) => change(index, { to: event.currentTarget.value })}
          />
        </div>
      ))}
      <div className={classes.pair}>
        <Button variant="default" onClick={() => onChange({ ...form, pairs: [...pairs, { from: '', to: '' }] })}>
          Add a value
        </Button>
        <TextInput
          aria-label={`${title}: all other values become`}
          placeholder="All others"
          value={form.otherwise}
          onChange={(event) => onChange({ ...form, otherwise: event.currentTarget.value })}
        />
      </div>
    </>
  );
}
