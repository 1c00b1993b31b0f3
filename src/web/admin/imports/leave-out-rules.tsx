import { Button, Select, TagsInput, TextInput } from '@mantine/core';
import { importLimits } from '#core/numbers/imports.ts';
import { SearchSelect } from '#web/ui/search-select.tsx';
import type { Preview } from './import-calls.ts';
import classes from './import-wizard.module.css';
import type { LeaveOutForm } from './mapping-draft.ts';

type Props = {
  readonly rules: readonly LeaveOutForm[];
  readonly columns: readonly string[];
  readonly values: Preview['values'];
  readonly onChange: (rules: readonly LeaveOutForm[]) => void;
};

/** Rows that aren't imported on purpose: tests, other shops, drafts. */
export function LeaveOutRules({ rules, columns, values, onChange }: Props) {
  return (
    <section aria-label="Rows to leave out" className={classes.leaveOut}>
      <p className={classes.quiet}>
        Rows to leave out, such as test orders. They’re counted separately from refused rows.
      </p>
      {rules.map((rule, index) => (
        <Rule
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id, and two can be equal while they are typed.
          key={index}
          name={`Leave out ${index + 1}`}
          rule={rule}
          columns={columns}
          values={values}
          onChange={(part) => onChange(rules.map((each, at) => (at === index ? { ...each, ...part } : each)))}
          onRemove={() => onChange(rules.filter((_, at) => at !== index))}
        />
      ))}
      {rules.length < importLimits.leaveOutRules && (
        <Button
          variant="default"
          onClick={() => onChange([...rules, { column: '', which: 'has', values: [], reason: '' }])}
        >
          Leave rows out
        </Button>
      )}
    </section>
  );
}

type RuleProps = Pick<Props, 'columns' | 'values'> & {
  readonly name: string;
  readonly rule: LeaveOutForm;
  readonly onChange: (part: Partial<LeaveOutForm>) => void;
  readonly onRemove: () => void;
};

/** In quotes: the kit hides a label that differs from a chosen value in case only. */
const optionsOf = (found: Preview['values'][string], { values }: LeaveOutForm) =>
  found
    .filter(({ value }) => value !== '' && !values.includes(value))
    .map(({ value }) => ({ value, label: `“${value}”` }));

function Rule({ name, rule, columns, values, onChange, onRemove }: RuleProps) {
  return (
    <div className={classes.field}>
      <SearchSelect
        aria-label={`${name}: column`}
        placeholder="Column"
        data={[...new Set([...columns, ...(rule.column ? [rule.column] : [])])]}
        value={rule.column || null}
        onChange={(column) => onChange({ column: column ?? '', values: [] })}
      />
      <Select
        aria-label={`${name}: which rows`}
        data={[
          { value: 'has', label: 'Has one of' },
          { value: 'lacks', label: 'Has none of' },
          { value: 'below', label: 'Is below 0' },
        ]}
        value={rule.which}
        allowDeselect={false}
        onChange={(which) => onChange({ which: which as LeaveOutForm['which'] })}
      />
      {rule.which === 'below' ? <span /> : <Values {...{ name, rule, values, onChange }} />}
      <div className={classes.pair}>
        <TextInput
          aria-label={`${name}: reason`}
          placeholder="Reason: test orders"
          value={rule.reason}
          onChange={(event) => onChange({ reason: event.currentTarget.value })}
        />
        <Button variant="default" onClick={onRemove}>
          Remove
        </Button>
      </div>
    </div>
  );
}

function Values({ name, rule, values, onChange }: Pick<RuleProps, 'name' | 'rule' | 'values' | 'onChange'>) {
  const filled = rule.values.filter((value) => value !== '');
  const empty = rule.values.includes('') ? [''] : [];
  return (
    <div className={classes.inputs}>
      <TagsInput
        aria-label={`${name}: values`}
        placeholder="Choose or type values"
        data={optionsOf(values[rule.column] ?? [], rule)}
        value={filled}
        // The server compares exactly, and a value may have a comma.
        isDuplicate={(value, chosen) => chosen.includes(value)}
        splitChars={[]}
        onChange={(chosen) => onChange({ values: [...chosen, ...empty] })}
      />
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={empty.length > 0}
          onChange={(event) => onChange({ values: event.currentTarget.checked ? [...filled, ''] : filled })}
        />{' '}
        Blank cells
      </label>
    </div>
  );
}
