import { Select, TextInput } from '@mantine/core';
import { countWords, listWords, plural } from '#core/base/formats.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import type { ChosenFile } from './chosen-file.ts';
import type { Preview } from './import-calls.ts';
import { ReasonTable } from './import-reasons.tsx';
import classes from './import-wizard.module.css';
import { LeaveOutRules } from './leave-out-rules.tsx';
import { type DraftField, fieldsOf, identity, type MappingDraft, mappingOf, previewOf } from './mapping-draft.ts';
import { changeKind, columnsOf, type RuleForm, type RuleKind, ruleKinds } from './rule-form.ts';
import { RuleInputs } from './rule-inputs.tsx';
import { usePreview } from './use-preview.ts';

type Props = {
  readonly draft: MappingDraft;
  readonly chosen: ChosenFile;
  readonly columns: readonly string[];
  readonly onChange: (draft: MappingDraft) => void;
};

/** Our fields on the left, their source, and the first rows' values. */
export function MappingStep({ draft, chosen, columns, onChange }: Props) {
  const said = mappingOf(draft);
  const preview = usePreview(draft.dataset, chosen, previewOf(draft));
  const { data } = preview;
  const faults = 'faults' in said ? said.faults : [data?.mappingFault ?? null].filter((fault) => fault !== null);
  const rowFaults = rowFaultsOf(draft, data?.mapped ?? []);
  return (
    <Panel title="2. The columns" note={`first rows of ${chosen.file.name}`}>
      <FileFacts draft={draft} onChange={onChange} />
      <ul className={classes.fields}>
        {fieldsOf(draft.dataset).map((field) => (
          <FieldRow
            key={field.name}
            field={field}
            form={draft.fields[field.name] ?? { kind: 'none' }}
            columns={columns}
            preview={data}
            fault={rowFaults.get(field.name)}
            onChange={(form) => onChange({ ...draft, fields: { ...draft.fields, [field.name]: form } })}
          />
        ))}
      </ul>
      <LeaveOutRules
        rules={draft.leaveOut}
        columns={columns}
        values={data?.values ?? {}}
        onChange={(leaveOut) => onChange({ ...draft, leaveOut })}
      />
      {draft.dataset === 'orders' && (hasRefundWarning(data) || draft.isRefundedInFull) && (
        <label className={classes.check}>
          <input
            type="checkbox"
            checked={draft.isRefundedInFull}
            onChange={(event) => onChange({ ...draft, isRefundedInFull: event.currentTarget.checked })}
          />{' '}
          Count refunded rows without an amount as refunded in full
        </label>
      )}
      {/* Below the form: above it, they would move what is being edited. */}
      {faults.map((fault) => (
        <PanelError key={fault} sentence={fault} />
      ))}
      {data && data.missingColumns.length > 0 && (
        <PanelError sentence={`The file has no column ${data.missingColumns.join(', ')}.`} />
      )}
      {preview.isError && <PanelError sentence={preview.error.message} requestId={preview.error.requestId} />}
      {data && data.reasons.length > 0 && (
        <>
          <p className={classes.quiet}>
            What the import would do with the first {plural(data.sampleRows, 'row')} besides importing{' '}
            {data.sampleRows === 1 ? 'it' : 'them'}:
          </p>
          <ReasonTable reasons={data.reasons} />
        </>
      )}
      {rowFaults.has(elsewhere) && <PanelError sentence={rowFaults.get(elsewhere) ?? ''} />}
    </Panel>
  );
}

function FileFacts({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  const text = (key: 'source' | 'zone' | 'encoding') => ({
    value: draft[key],
    onChange: (event: { currentTarget: HTMLInputElement }) => onChange({ ...draft, [key]: event.currentTarget.value }),
  });
  return (
    <div className={classes.choices}>
      <TextInput label="Source" description="Rows with the same source and id replace each other" {...text('source')} />
      <TextInput label="Time zone" description="For times without one" placeholder="Company time" {...text('zone')} />
      <TextInput
        label="Encoding"
        description="If characters look wrong"
        placeholder="Detected automatically"
        {...text('encoding')}
      />
    </div>
  );
}

const hasRefundWarning = (data: Preview | undefined) => data?.reasons.some(({ kind }) => kind === 'warning') === true;

/** For errors about a column that no form shows: a rule in JSON. */
const elsewhere = '';

/** The first error of each field. The import names the file's column if it can, else the field. */
function rowFaultsOf(draft: MappingDraft, mapped: Preview['mapped']): Map<string, string> {
  const found = new Map<string, string>();
  const fields = Object.entries(draft.fields);
  for (const { line, faults = [] } of mapped)
    for (const { column, reason } of faults) {
      const [name] = fields.find(([field, form]) => field === column || columnsOf(form).includes(column)) ?? [
        elsewhere,
      ];
      const text = name === elsewhere ? `Line ${line}, ${column}: ${reason}` : `Line ${line}: ${reason}`;
      if (!found.has(name)) found.set(name, text);
    }
  return found;
}

type FieldRowProps = {
  readonly field: DraftField;
  readonly form: RuleForm;
  readonly columns: readonly string[];
  readonly preview: Preview | undefined;
  /** The first error in its values. */
  readonly fault: string | undefined;
  readonly onChange: (form: RuleForm) => void;
};

const kinds = Object.entries(ruleKinds).map(([value, label]) => ({ value, label }));
const shownRows = 3;

function FieldRow({ field, form, columns, preview, fault, onChange }: FieldRowProps) {
  const shapes = 'column' in form ? (preview?.dates[form.column] ?? []) : [];
  const choose = (kind: RuleKind) => {
    const next = changeKind(form, kind);
    // The formats that the file has, instead of one to be replaced.
    const found = next.kind === 'date' ? (preview?.dates[next.column] ?? []) : [];
    onChange(
      found.length > 0 && next.kind === 'date'
        ? { ...next, format: found.map(({ format }) => format).join(' | ') }
        : next,
    );
  };
  return (
    <li className={classes.field}>
      <div>
        {field.title}
        {field.isNeeded && <span className={classes.quiet}> required</span>}
      </div>
      <Select
        aria-label={`${field.title} comes from`}
        data={kinds}
        value={form.kind}
        allowDeselect={false}
        onChange={(kind) => kind && choose(kind as RuleKind)}
      />
      <div className={classes.inputs}>
        <RuleInputs
          title={field.title}
          form={form}
          columns={columns}
          values={preview?.values ?? {}}
          choices={field.choices ?? []}
          onChange={onChange}
        />
      </div>
      <div className={classes.values}>
        {valuesOf(field.name, preview?.mapped ?? []).map(({ line, text }) => (
          <span key={line}>{text}</span>
        ))}
        {shapes.length > 1 && <span>{severalFormats(shapes)}</span>}
        {fault !== undefined && <span className={classes.fault}>{fault}</span>}
      </div>
    </li>
  );
}

/** Rows of the other format would be refused, or read with day and month swapped. */
function severalFormats(shapes: Preview['dates'][string]): string {
  const named = shapes.map(({ format, count, example }) => `${plural(count, 'row')} like ${example} (${format})`);
  return `This column has ${countWords(shapes.length)} kinds of dates: ${listWords(named)}.`;
}

function valuesOf(name: string, mapped: Preview['mapped']): { line: number; text: string }[] {
  return mapped
    .map(({ line, externalId, values }) => ({ line, value: name === identity ? externalId : values?.[name] }))
    .filter(({ value }) => value !== undefined && value !== null)
    .slice(0, shownRows)
    .map(({ line, value }) => ({ line, text: String(value) }));
}
