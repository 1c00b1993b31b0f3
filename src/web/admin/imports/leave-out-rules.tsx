import { Button, TagsInput, TextInput } from '@mantine/core';
import { importLimits } from '#core/numbers/imports.ts';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
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
  const change = (index: number, part: Partial<LeaveOutForm>) =>
    onChange(rules.map((rule, at) => (at === index ? { ...rule, ...part } : rule)));
  return (
    <section aria-label="Rows to leave out" className={classes.leaveOut}>
      <p className={classes.quiet}>Rows to leave out, such as test orders. They are counted apart from refused rows.</p>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules are told apart by their place; while typed, two may be alike.
        <div key={index} className={classes.field}>
          <SearchSelect
            aria-label={`Leave out ${index + 1}: column`}
            placeholder="Column"
            data={[...new Set([...columns, ...(rule.column ? [rule.column] : [])])]}
            value={rule.column || null}
            onChange={(column) => change(index, { column: column ?? '', values: [] })}
          />
          <Segmented
            label={`Leave out ${index + 1}: which rows`}
            segments={[
              { value: 'has', label: 'Has one of' },
              { value: 'lacks', label: 'Has none of' },
            ]}
            value={rule.which}
            onChange={(which) => change(index, { which })}
          />
          <div className={classes.inputs}>
            <TagsInput
              aria-label={`Leave out ${index + 1}: values`}
              placeholder="Choose or type values"
              data={(values[rule.column] ?? []).map(({ value }) => value).filter((value) => value !== '')}
              value={rule.values.filter((value) => value !== '')}
              onChange={(chosen) => change(index, { values: [...chosen, ...(rule.values.includes('') ? [''] : [])] })}
            />
            <label className={classes.check}>
              <input
                type="checkbox"
                checked={rule.values.includes('')}
                onChange={(event) => {
                  const filled = rule.values.filter((value) => value !== '');
                  change(index, { values: event.currentTarget.checked ? [...filled, ''] : filled });
                }}
              />{' '}
              Empty cells
            </label>
          </div>
          <div className={classes.pair}>
            <TextInput
              aria-label={`Leave out ${index + 1}: reason`}
              placeholder="Reason: test orders"
              value={rule.reason}
              onChange={(event) => change(index, { reason: event.currentTarget.value })}
            />
            <Button variant="default" onClick={() => onChange(rules.filter((_, at) => at !== index))}>
              Remove
            </Button>
          </div>
        </div>
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
