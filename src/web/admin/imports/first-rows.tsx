// What the server says of a mapping, from the file's first rows.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { countryName, isCountryCode } from '#core/base/countries.ts';
import { dayWithYear, instantWithYear } from '#core/base/day-words.ts';
import { listWords, plural } from '#core/base/formats.ts';
import { valueTitle } from '#core/numbers/datasets.ts';
import { lowercaseChoice, negativesChoice, notWholeReason } from '#core/numbers/imports.ts';
import { config } from '#web/api/config.ts';
import { PanelError } from '#web/ui/panel-error.tsx';
import type { Preview } from './import-calls.ts';
import { type Reason, ReasonTable } from './import-reasons.tsx';
import classes from './import-wizard.module.css';
import { type DraftField, fieldsOf, identity, type MappingDraft } from './mapping-draft.ts';
import { columnsOf, type RuleForm, ruleOf } from './rule-form.ts';

export const readingWords = 'Reading the first rows…';

type OfFirstRowsProps = { readonly isCurrent: boolean; readonly children: ReactNode };

/** What was said of the mapping before keeps its place, so nothing jumps, but can't be taken for this one's. */
export function OfFirstRows({ isCurrent, children }: OfFirstRowsProps) {
  return (
    <div className={classes.ofFirstRows} data-current={isCurrent}>
      <div>{children}</div>
      {!isCurrent && <span aria-hidden="true">{readingWords}</span>}
    </div>
  );
}

/** Doubts about finished fields: nothing gives the others yet. */
export const doubtsOf = (preview: Preview | undefined, forms: MappingDraft['fields']): Preview['doubts'] =>
  preview?.doubts.filter(({ field }) => {
    const said = forms[field] && ruleOf(forms[field]);
    return !(said && 'fault' in said);
  }) ?? [];

type DoubtsProps = {
  readonly field: DraftField;
  readonly form: RuleForm;
  readonly preview: Preview | undefined;
  readonly onBlank: (texts: readonly string[]) => void;
};

/** What looks wrong about a field's values. */
export function FieldDoubts({ field, form, preview, onBlank }: DoubtsProps) {
  const doubts = doubtsOf(preview, { [field.name]: form }).filter((doubt) => doubt.field === field.name);
  return doubts.map(({ reason, missing = [] }) => (
    <span key={reason} className={classes.fault}>
      {reason}
      {missing.length > 0 && (
        <Button
          variant="default"
          aria-label={`${field.title}: treat as blank in every column`}
          onClick={() => onBlank(missing)}
        >
          Treat as blank in every column
        </Button>
      )}
    </span>
  ));
}

type ValuesProps = Pick<DoubtsProps, 'field' | 'form' | 'preview'>;

/** A field's first values. */
export function FirstValues({ field, form, preview }: ValuesProps) {
  return valuesOf(field, form, preview?.mapped ?? []).map(({ line, text, lack }) => (
    <span key={line} className={text === null ? classes.quiet : undefined}>
      {text ?? lack}
    </span>
  ));
}

const shownRows = 3;

/** The server gives a day where the file has no time. */
function shownValue(value: unknown, { name, type, choices }: DraftField): string {
  const text = String(value);
  if (type === 'flag') return value === true ? 'Yes' : 'No';
  if (choices) return valueTitle(text);
  if (name === 'country' && isCountryCode(text)) return `${text}: ${countryName(text) ?? 'not a country code'}`;
  if (type !== 'instant') return text;
  return /^\d{4}-\d\d-\d\d$/.test(text)
    ? dayWithYear(text)
    : `${instantWithYear(text, config().companyTimeZone)} (${config().companyTimeZone})`;
}

type ShownValue = { readonly line: number; readonly text: string | null; readonly lack: 'blank' | 'refused' };

/** Values of the same rows for every field, so a blank cell shows. */
function valuesOf(field: DraftField, form: RuleForm, mapped: Preview['mapped']): ShownValue[] {
  const shown = mapped
    .filter(({ leftOut }) => !leftOut)
    .slice(0, shownRows)
    .map(({ line, externalId, values, faults = [] }): ShownValue => {
      const value = (field.name === identity ? externalId : values?.[field.name]) ?? null;
      const lack = faults.some((fault) => fault.field === field.name) ? 'refused' : 'blank';
      return { line, text: value === null ? null : shownValue(value, field), lack };
    });
  const said = ruleOf(form);
  const hasRule = said !== null && 'rule' in said;
  return hasRule || shown.some(({ text }) => text !== null) ? shown : [];
}

const blankTexts = ({ rest: { missing } }: MappingDraft): readonly string[] =>
  Array.isArray(missing) ? missing.map(String) : [];

/** The texts are blank cells in every column. */
export const withBlank = ({ rest, ...draft }: MappingDraft, texts: readonly string[]): MappingDraft => ({
  ...draft,
  rest: { ...rest, missing: [...new Set([...blankTexts({ ...draft, rest }), ...texts])] },
});

type BlankProps = { readonly draft: MappingDraft; readonly onChange: (draft: MappingDraft) => void };

export function BlankTexts({ draft, onChange }: BlankProps) {
  const texts = blankTexts(draft);
  if (texts.length === 0) return null;
  const { missing: _texts, ...rest } = draft.rest;
  return (
    <div className={classes.way}>
      <p className={classes.words}>Treated as blank: {listWords(texts)}</p>
      <Button variant="default" onClick={() => onChange({ ...draft, rest })}>
        Import as values
      </Button>
    </div>
  );
}

type ChoiceProps = { readonly isOn: boolean; readonly onChange: () => void; readonly children: ReactNode };

export const Choice = ({ isOn, onChange, children }: ChoiceProps) => (
  <label className={classes.check}>
    <input type="checkbox" checked={isOn} onChange={onChange} /> {children}
  </label>
);

type RoundProps = BlankProps & {
  readonly field: DraftField;
  /** The columns that no other field has. */
  readonly columns: readonly string[];
  readonly reasons: readonly Reason[];
};

/** Sources count parts of conversions, and weigh quantities: such rows are refused, or rounded on purpose. */
function RoundCounts({ draft, field: { name, title, type }, columns, reasons, onChange }: RoundProps) {
  const isRefused = reasons.some(
    ({ kind, column, reason }) => kind === 'refused' && columns.includes(column) && reason.startsWith(notWholeReason),
  );
  if (type !== 'whole') return null;
  return (
    <FieldInList {...{ draft, list: 'round', name, isOffered: isRefused, onChange }}>
      Round {title} to whole numbers
    </FieldInList>
  );
}

type DivideProps = BlankProps & Pick<DoubtsProps, 'field' | 'preview'>;

/** Sources give an order's discount or refund once, which would count only at its first line's title. */
function DivideAmount({ draft, field: { name, title }, preview, onChange }: DivideProps) {
  const isOffered = preview?.doubts.some(({ field, canDivide }) => field === name && canDivide) === true;
  return (
    <FieldInList {...{ draft, list: 'divide', name, isOffered, onChange }}>
      Divide {title} among the order’s lines, by gross sales
    </FieldInList>
  );
}

type NegativesProps = DivideProps & Pick<RoundProps, 'reasons'>;

/** Sources write refunds as negative sales. */
function NegativeRefunds({ draft, field: { name }, preview, reasons, onChange }: NegativesProps) {
  const { negatives, ...rest } = draft.rest;
  const said = [...(preview?.doubts ?? []), ...reasons].some(({ reason }) => reason.includes(negativesChoice));
  if (draft.dataset !== 'orders' || name !== 'gross' || !(said || negatives)) return null;
  const next = negatives ? rest : { ...rest, negatives: 'refunds' };
  return (
    <Choice isOn={negatives !== undefined} onChange={() => onChange({ ...draft, rest: next })}>
      {negativesChoice}
    </Choice>
  );
}

/** People type a name in capitals one day, and not the next. */
function Lowercase({ draft, field: { name, title }, preview, reasons, onChange }: NegativesProps) {
  const words = lowercaseChoice(title);
  const isOffered = [...(preview?.doubts ?? []), ...reasons].some(({ reason }) => reason.includes(`“${words}”`));
  return <FieldInList {...{ draft, list: 'lowercase', name, isOffered, onChange }}>{words}</FieldInList>;
}

type ListProps = BlankProps & {
  readonly list: 'round' | 'divide' | 'lowercase';
  readonly name: string;
  readonly isOffered: boolean;
  readonly children: ReactNode;
};

/** Adds the field to a list of the mapping, or takes it out again. */
function FieldInList({ draft, list, name, isOffered, onChange, children }: ListProps) {
  const { [list]: given, ...rest } = draft.rest;
  const listed = Array.isArray(given) ? given.map(String) : [];
  const isOn = listed.includes(name);
  if (!(isOn || isOffered)) return null;
  const next = isOn ? listed.filter((other) => other !== name) : [...listed, name];
  const changed = { ...rest, ...(next.length > 0 && { [list]: next }) };
  return (
    <Choice isOn={isOn} onChange={() => onChange({ ...draft, rest: changed })}>
      {children}
    </Choice>
  );
}

export function FieldChoices(props: RoundProps & DivideProps) {
  return (
    <>
      <RoundCounts {...props} />
      <DivideAmount {...props} />
      <NegativeRefunds {...props} />
      <Lowercase {...props} />
    </>
  );
}

/** For errors about no field: a label. */
const elsewhere = '';

/** The first error of each field. */
export function rowFaultsOf(mapped: Preview['mapped']): Map<string, string> {
  const found = new Map<string, string>();
  for (const { line, faults = [] } of mapped)
    for (const { field = elsewhere, column, reason } of faults) {
      const text = field === elsewhere && column ? `Line ${line}, ${column}: ${reason}` : `Line ${line}: ${reason}`;
      if (!found.has(field)) found.set(field, text);
    }
  return found;
}

type ProblemsProps = {
  readonly draft: MappingDraft;
  readonly preview: Preview;
  /** Each required field has a rule. */
  readonly isFinished: boolean;
};

/** Those of no single field. */
export function Problems({ draft, preview, isFinished }: ProblemsProps) {
  const { mappingFault, missingColumns, mapped, reasons } = preview;
  const fault = rowFaultsOf(mapped).get(elsewhere);
  return (
    <>
      {isFinished && mappingFault !== null && <PanelError sentence={mappingFault} />}
      {missingColumns.map((column) => (
        <PanelError key={column} sentence={missingWords(draft, column)} />
      ))}
      {reasons.length > 0 && <SampleReasons {...preview} />}
      {fault !== undefined && <PanelError sentence={fault} />}
    </>
  );
}

function missingWords({ dataset, fields }: MappingDraft, column: string): string {
  const readers = fieldsOf(dataset).filter(({ name }) => columnsOf(fields[name] ?? { kind: 'none' }).includes(column));
  const titles = listWords(readers.map(({ title }) => title));
  return `${titles === '' ? '' : `${titles}: `}The file has no column “${column}”.`;
}

function SampleReasons({ reasons, sampleRows }: Pick<Preview, 'reasons' | 'sampleRows'>) {
  return (
    <>
      <p className={classes.quiet}>Problems in the first {plural(sampleRows, 'row')}:</p>
      <ReasonTable reasons={reasons} isImported={false} />
    </>
  );
}
