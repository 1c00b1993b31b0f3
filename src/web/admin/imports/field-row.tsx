import { Select } from '@mantine/core';
import type { Preview } from './import-calls.ts';
import classes from './import-wizard.module.css';
import { type DraftField, identity } from './mapping-draft.ts';
import { changeKind, type RuleForm, type RuleKind, ruleKinds } from './rule-form.ts';
import { RuleInputs } from './rule-inputs.tsx';

type Props = {
  readonly field: DraftField;
  readonly form: RuleForm;
  readonly columns: readonly string[];
  readonly mapped: Preview['mapped'];
  /** The first thing that is wrong with its values. */
  readonly fault: string | undefined;
  readonly onChange: (form: RuleForm) => void;
};

const kinds = Object.entries(ruleKinds).map(([value, label]) => ({ value, label }));
const shownRows = 3;

export function FieldRow({ field, form, columns, mapped, fault, onChange }: Props) {
  return (
    <li className={classes.field}>
      <div>
        {field.title}
        {field.isNeeded && <span className={classes.quiet}> needed</span>}
      </div>
      <Select
        aria-label={`${field.title} comes from`}
        data={kinds}
        value={form.kind}
        allowDeselect={false}
        onChange={(kind) => kind && onChange(changeKind(form, kind as RuleKind))}
      />
      <div className={classes.inputs}>
        <RuleInputs title={field.title} form={form} columns={columns} onChange={onChange} />
      </div>
      <div className={classes.values}>
        {valuesOf(field.name, mapped).map(({ line, text }) => (
          <span key={line}>{text}</span>
        ))}
        {fault !== undefined && <span className={classes.fault}>{fault}</span>}
      </div>
    </li>
  );
}

function valuesOf(name: string, mapped: Preview['mapped']): { line: number; text: string }[] {
  return mapped
    .map(({ line, externalId, values }) => ({ line, value: name === identity ? externalId : values?.[name] }))
    .filter(({ value }) => value !== undefined && value !== null)
    .slice(0, shownRows)
    .map(({ line, value }) => ({ line, text: String(value) }));
}
