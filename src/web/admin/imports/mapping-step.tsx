import { Button, Select, TextInput } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { countWords, listWords, plural } from '#core/base/formats.ts';
import { datasetOf, fieldHint } from '#core/numbers/datasets.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchMultiSelect, SearchSelect } from '#web/ui/search-select.tsx';
import type { ChosenFile } from './chosen-file.ts';
import {
  BlankTexts,
  Choice,
  FieldChoices,
  FieldDoubts,
  FirstValues,
  OfFirstRows,
  Problems,
  readingWords,
  rowFaultsOf,
  withBlank,
} from './first-rows.tsx';
import { exampleOf, factsOf, type Preview } from './import-calls.ts';
import type { Reason } from './import-reasons.tsx';
import classes from './import-wizard.module.css';
import { LeaveOutRules } from './leave-out-rules.tsx';
import {
  type DraftField,
  type FillForm,
  factsFor,
  fieldsOf,
  type MappingDraft,
  mappingOf,
  mayBe,
  previewOf,
  withField,
} from './mapping-draft.ts';
import { changeKind, columnsOf, type RuleForm, type RuleKind, ruleKinds, ruleOf, withFormat } from './rule-form.ts';
import { RuleInputs } from './rule-inputs.tsx';
import { usePreview } from './use-preview.ts';

type Props = {
  readonly draft: MappingDraft;
  readonly chosen: ChosenFile;
  readonly columns: readonly string[];
  /** What the last run says of rows beyond the first ones. */
  readonly ran: readonly Reason[];
  readonly onChange: (draft: MappingDraft) => void;
};

/** Our fields on the left, their source, and the first rows' values. */
export function MappingStep({ draft, chosen, columns, ran, onChange }: Props) {
  const preview = usePreview(draft.dataset, chosen, previewOf(draft));
  const { data, isCurrent } = preview;
  const rowFaults = rowFaultsOf(data?.mapped ?? []);
  return (
    <Panel
      title="2. Columns"
      note={<span role="status">{isCurrent ? `first rows of ${chosen.file.name}` : readingWords}</span>}
    >
      <FileFacts draft={draft} isText={data?.format !== 'parquet' && !data?.workbook} onChange={onChange} />
      <ul className={classes.fields}>
        {fieldsOf(draft.dataset).map((field) => (
          <FieldRow
            key={field.name}
            field={field}
            hint={fieldHint(draft.dataset, field.name)}
            form={draft.fields[field.name] ?? { kind: 'none' }}
            columns={columns}
            preview={data}
            isCurrent={isCurrent}
            ran={ran}
            fault={rowFaults.get(field.name)}
            others={fieldsOf(draft.dataset).flatMap(({ name }) =>
              name === field.name ? [] : columnsOf(draft.fields[name] ?? { kind: 'none' }),
            )}
            isGuessed={draft.guessed.includes(field.name)}
            isEmptied={draft.emptyIfWrong.includes(field.name)}
            ofDraft={(own, reasons) => (
              <FieldChoices {...{ draft, field, preview: data, columns: own, reasons, onChange }} />
            )}
            onBlank={(texts) => onChange(withBlank(draft, texts))}
            onEmptied={(isOn) => onChange(withEmptied(draft, field.name, isOn))}
            onChange={(form) => onChange(withField(draft, field.name, form))}
          />
        ))}
      </ul>
      {(hasOrders(draft) || draft.fill.columns.length > 0) && (
        <FillDown
          fill={draft.fill}
          columns={columns}
          suggested={data?.fill ?? null}
          onChange={(fill) => onChange({ ...draft, fill })}
        />
      )}
      <BlankTexts draft={draft} onChange={onChange} />
      <LeaveOutRules
        rules={draft.leaveOut}
        columns={columns}
        values={data?.values ?? {}}
        onChange={(leaveOut) => onChange({ ...draft, leaveOut })}
      />
      {draft.dataset === 'orders' && (hasRefundWarning(data) || draft.isRefundedInFull) && (
        <RefundedInFull draft={draft} onChange={onChange} />
      )}
      {/* Below the form: above it, they would move what is being edited. */}
      <MappingFaults draft={draft} preview={preview} />
    </Panel>
  );
}

type FaultsProps = { readonly draft: MappingDraft; readonly preview: ReturnType<typeof usePreview> };

function MappingFaults({ draft, preview: { data, isCurrent, error, refetch } }: FaultsProps) {
  const said = mappingOf(draft);
  return (
    <>
      {'faults' in said && said.faults.map((fault) => <PanelError key={fault} sentence={fault} />)}
      {error && <PanelError sentence={error.message} onRetry={() => void refetch()} requestId={error.requestId} />}
      {data && (
        <OfFirstRows isCurrent={isCurrent}>
          <Problems draft={draft} preview={data} isFinished={'mapping' in said} />
        </OfFirstRows>
      )}
    </>
  );
}

function RefundedInFull({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  return (
    <Choice
      isOn={draft.isRefundedInFull}
      onChange={() => onChange({ ...draft, isRefundedInFull: !draft.isRefundedInFull })}
    >
      If a refunded row has no refunded amount, treat it as fully refunded (net 0)
    </Choice>
  );
}

const hasOrders = ({ dataset }: MappingDraft): boolean => datasetOf(dataset).fields.order_ref !== undefined;

type FillProps = {
  readonly fill: FillForm;
  readonly columns: readonly string[];
  readonly suggested: FillForm | null;
  readonly onChange: (fill: FillForm) => void;
};

/** Exports of orders leave columns blank on an order's later lines. */
function FillDown({ fill, columns, suggested, onChange }: FillProps) {
  return (
    <section aria-label="Columns to fill down" className={classes.leaveOut}>
      <p className={classes.quiet}>Fill blank cells from the row above, within the same order</p>
      <div className={classes.pair}>
        <SearchMultiSelect
          aria-label="Columns to fill down"
          placeholder={fill.columns.length > 0 ? undefined : 'No columns'}
          data={[...new Set([...columns, ...fill.columns])]}
          value={[...fill.columns]}
          onChange={(chosen) => onChange({ ...fill, columns: chosen })}
        />
        <SearchSelect
          aria-label="Order column"
          placeholder="Order column"
          data={[...new Set([...columns, ...(fill.by ? [fill.by] : [])])]}
          value={fill.by || null}
          clearable
          onChange={(by) => onChange({ ...fill, by: by ?? '' })}
        />
      </div>
      {suggested && (
        <div className={classes.way}>
          <p className={classes.words}>Filled only on an order’s first line: {listWords(suggested.columns)}.</p>
          <Button
            variant="default"
            onClick={() =>
              onChange({ by: suggested.by, columns: [...new Set([...fill.columns, ...suggested.columns])] })
            }
          >
            Fill down
          </Button>
        </div>
      )}
    </section>
  );
}

const withEmptied = ({ emptyIfWrong, ...draft }: MappingDraft, name: string, isOn: boolean): MappingDraft => ({
  ...draft,
  emptyIfWrong: [...emptyIfWrong.filter((other) => other !== name), ...(isOn ? [name] : [])],
});

type FactsProps = Pick<Props, 'draft' | 'onChange'> & { readonly isText: boolean };

function FileFacts({ draft, isText, onChange }: FactsProps) {
  const text = (key: 'source' | 'zone' | 'encoding') => ({
    value: draft[key],
    onChange: (event: { currentTarget: HTMLInputElement }) => onChange({ ...draft, [key]: event.currentTarget.value }),
  });
  return (
    <div className={classes.choices}>
      <TextInput label="Source" description="Rows with the same source and ID replace each other" {...text('source')} />
      <TextInput label="Time zone" description="For times without one" placeholder="Company time" {...text('zone')} />
      {isText && (
        <TextInput
          label="Encoding"
          description="If characters look wrong"
          placeholder="Detected automatically"
          {...text('encoding')}
        />
      )}
    </div>
  );
}

const hasRefundWarning = (data: Preview | undefined) =>
  data?.reasons.some(({ reason }) => reason.startsWith('is blank although the status is refunded')) === true;

type FieldRowProps = {
  readonly field: DraftField;
  readonly hint: string | null;
  readonly form: RuleForm;
  readonly columns: readonly string[];
  readonly preview: Preview | undefined;
  /** The preview is this mapping's. */
  readonly isCurrent: boolean;
  readonly ran: readonly Reason[];
  /** The first error in its values. */
  readonly fault: string | undefined;
  /** The columns of the other fields. */
  readonly others: readonly string[];
  readonly isGuessed: boolean;
  /** Its wrong cells are left empty. */
  readonly isEmptied: boolean;
  /** The choices to round, divide or lowercase its values, for its own columns and why rows are refused. */
  readonly ofDraft: (columns: readonly string[], reasons: readonly Reason[]) => ReactNode;
  /** Treats the texts as blank cells in every column. */
  readonly onBlank: (texts: readonly string[]) => void;
  readonly onEmptied: (isEmptied: boolean) => void;
  readonly onChange: (form: RuleForm) => void;
};

const kinds = Object.entries(ruleKinds).map(([value, label]) => ({ value, label }));

/** Looking at another kind loses nothing: a kind that is chosen again has its form for the same column. */
function useEarlierForms() {
  const left = useRef<Partial<Record<RuleKind, RuleForm>>>({});
  return (form: RuleForm, kind: RuleKind): RuleForm | null => {
    left.current[form.kind] = form;
    const before = left.current[kind];
    // JSON shows the rule that is left.
    if (!before || kind === 'json') return null;
    const [was] = columnsOf(before);
    const [column] = columnsOf(form);
    return !was || !column || was === column ? before : null;
  };
}

const isDated = ({ type }: DraftField): boolean => type === 'instant' || type === 'day';

function FieldRow(props: FieldRowProps) {
  const { field, hint, form, columns, preview, isCurrent, ran, fault, others, isEmptied, onEmptied, onChange } = props;
  const shapes = 'column' in form ? (preview?.dates[form.column] ?? []) : [];
  const readings = isDated(field) && 'column' in form ? (preview?.unclearDates[form.column] ?? []) : [];
  // A column of several fields may be wrong for another one only.
  const ownColumns = columnsOf(form).filter((column) => !others.includes(column));
  const isWrong = fault !== undefined || isRefusing(ownColumns, [...(preview?.reasons ?? []), ...ran]);
  const recallForm = useEarlierForms();
  const change = (next: RuleForm) => onChange(withFormat(next, form, factsFor(field, factsOf(preview)), field.type));
  return (
    <li className={classes.field}>
      <div>
        {field.title}
        {field.isNeeded && <span className={classes.quiet}> required</span>}
        {hint !== null && <p className={classes.quiet}>{hint}</p>}
      </div>
      <Select
        aria-label={`${field.title} comes from`}
        data={kinds.filter(({ value }) => mayBe(value as RuleKind, field, form))}
        value={form.kind}
        allowDeselect={false}
        onChange={(kind) => {
          if (kind === null || kind === form.kind) return;
          const before = recallForm(form, kind as RuleKind);
          return before ? onChange(before) : change(changeKind(form, kind as RuleKind));
        }}
      />
      <div className={classes.inputs}>
        <RuleInputs
          title={field.title}
          form={form}
          columns={columns}
          values={withRefused(preview?.values ?? {}, form, ran)}
          choices={field.choices ?? []}
          exampleOf={(column) => exampleOf(preview, column)}
          readings={readings}
          shapes={shapes}
          onChange={change}
        />
      </div>
      <div className={classes.values}>
        <FirstValues field={field} form={form} preview={preview} />
        {props.isGuessed && <span className={classes.quiet}>Guessed from the column’s name</span>}
        <FieldNotes field={field} form={form} />
        <OfFirstRows isCurrent={isCurrent}>
          <FieldDoubts field={field} form={form} preview={preview} onBlank={props.onBlank} />
          {shapes.length > 1 && <span>{severalFormats(shapes)}</span>}
          {fault !== undefined && <span className={classes.fault}>{fault}</span>}
        </OfFirstRows>
        {props.ofDraft(ownColumns, [...(preview?.reasons ?? []), ...ran])}
        {!field.isNeeded && (isEmptied || (isWrong && !isAllWrong(ownColumns, preview))) && (
          <Choice isOn={isEmptied} onChange={() => onEmptied(!isEmptied)}>
            Import invalid {field.title} values as blank
          </Choice>
        )}
      </div>
    </li>
  );
}

type SaidProps = Pick<FieldRowProps, 'field' | 'form' | 'preview'>;

function FieldNotes({ field, form }: Pick<SaidProps, 'field' | 'form'>) {
  const said = ruleOf(form);
  return (
    <>
      {form.kind === 'duration' && <span className={classes.quiet}>Counted from {field.after}</span>}
      {form.kind === 'once' && (
        <span className={classes.quiet}>
          Counted on each order’s first line, so keep all lines of an order in one file
        </span>
      )}
      {said && 'fault' in said && <span className={classes.fault}>{`This ${said.fault}`}</span>}
    </>
  );
}

/** The columns' values with those that only a run has read. */
function withRefused(values: Preview['values'], form: RuleForm, ran: readonly Reason[]): Preview['values'] {
  if (form.kind !== 'map') return values;
  const found = values[form.column] ?? [];
  const wrong = ran.filter(({ column }) => column === form.column).flatMap((reason) => reason.values);
  const more = [...new Set(wrong)].filter((value) => !found.some((one) => one.value === value.trim()));
  return { ...values, [form.column]: [...found, ...more.map((value) => ({ value, count: 1 }))] };
}

const isRefusing = (columns: readonly string[], reasons: readonly Reason[]): boolean =>
  reasons.some(({ kind, column }) => kind === 'refused' && columns.includes(column));

/** The rule is wrong for such a column: leaving its cells empty would empty the field. */
function isAllWrong(columns: readonly string[], preview: Preview | undefined): boolean {
  if (!preview) return false;
  const refused = preview.reasons.filter((reason) => isRefusing(columns, [reason]));
  return refused.reduce((sum, { count }) => sum + count, 0) >= preview.sampleRows;
}

/** Rows of the other format would be refused, or read with day and month swapped. */
function severalFormats(shapes: Preview['dates'][string]): string {
  const named = shapes.map(({ format, count, example }) => `${plural(count, 'row')} like ${example} (${format})`);
  return `This column has ${countWords(shapes.length)} date formats: ${listWords(named)}.`;
}
