import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { countWords, listWords, plural } from '#core/base/formats.ts';
import { userLimits } from '#core/people/accounts.ts';
import { type ImportWarning, peopleHeader } from '#core/people/people-import.ts';
import { fileChangedError, isUnanswered, readApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { withConfirmation } from '#web/api/confirm.ts';
import { useMutation } from '#web/api/mutation.ts';
import { send } from '#web/api/send.ts';
import { saveCsv } from '#web/charts/save-csv.ts';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { Dialog, DialogActions, useIsHeld } from '#web/ui/dialog.tsx';
import { FileField } from '#web/ui/file-field.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import type { UserPreview } from './bulk-calls.ts';
import { changeWords } from './bulk-rows.tsx';
import classes from './import-dialog.module.css';
import { Inviting } from './invite-people.tsx';
import { states } from './users-choice.ts';
import { aboutPeople, type User } from './users-queries.ts';

type Row = {
  readonly line: number;
  readonly email: string;
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'refused';
  readonly reason: string | null;
  readonly changes: UserPreview['changes'];
  readonly roleAsked: string | null;
};
type Report = {
  readonly rows: readonly Row[];
  readonly unused: readonly string[];
  readonly withoutTopFive: number;
  /** A server of an older version, during an upgrade, says neither. */
  readonly warnings?: readonly ImportWarning[];
  readonly uninvited?: readonly Pick<User, 'id' | 'displayName' | 'email'>[];
};

async function sendFile(file: File, dryRun: boolean): Promise<Report> {
  const bytes = new Uint8Array(
    await file.arrayBuffer().catch(() => {
      throw fileChangedError();
    }),
  );
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  const response = await send(`${config().top5ServerUrl}/api/people/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ file: btoa(text), dryRun }),
  });
  const answer = (await response.json().catch(() => null)) as (Report & { error?: object }) | null;
  if (!response.ok || !answer?.rows) throw readApiError(answer?.error ?? {}, response);
  return answer;
}

/** Imports people from a CSV or Excel file, after a preview. */
export function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} title="Import people" onClose={onClose} width={680}>
      {opened && <Content onClose={onClose} />}
    </Dialog>
  );
}

const changing: ReadonlySet<Row['outcome']> = new Set(['created', 'changed']);

type ContentProps = { readonly onClose: () => void };

function Content({ onClose }: ContentProps) {
  const isHeld = useIsHeld();
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  // The answer about a file chosen before comes too late.
  const current = useRef<File | null>(null);
  // An import that fails leaves the preview, to try again.
  const [shown, setShown] = useState<{ readonly chosen: File; readonly report: Report; isDone: boolean } | null>(null);
  const run = useMutation({
    mutationFn: ({ chosen, dryRun }: { chosen: File; dryRun: boolean }) =>
      withConfirmation(() => sendFile(chosen, dryRun), 'importPeople'),
    onSuccess: (report, { chosen, dryRun }) => {
      if (chosen === current.current) setShown({ chosen, report, isDone: !dryRun });
    },
    // Each row is saved by itself, also before a failure.
    onSettled: (_report, _error, { dryRun }) => void (!dryRun && client.invalidateQueries(aboutPeople)),
    meta: { quiet: true },
  });
  const choose = (chosen: File) => {
    current.current = chosen;
    setFile(chosen);
    setShown(null);
    if (chosen.size <= userLimits.file) run.mutate({ chosen, dryRun: true });
    else run.reset();
  };
  const isImporting = run.isPending && !run.variables.dryRun;
  const { report, isDone } = shown?.chosen === file && shown ? shown : { report: null, isDone: false };
  const mayBeSaved = run.isError && !run.variables.dryRun && isUnanswered(run.error);
  // A company sign-in lets people in without an invitation.
  const invitees = config().singleSignOn ? [] : (report?.uninvited ?? []);
  const changes = report?.rows.filter(({ outcome, roleAsked }) => changing.has(outcome) || roleAsked).length ?? 0;
  return (
    <>
      <Columns />
      <FileField label="CSV or Excel file" accept=".csv,.xlsx,text/csv,text/plain" disabled={isHeld} onFile={choose} />
      {file && file.size > userLimits.file && <PanelError sentence="The file is larger than 2 MB. Split it." />}
      {run.isPending && !isImporting && <p role="status">Reading the file…</p>}
      {run.isError && <PanelError sentence={run.error.message} requestId={run.error.requestId} />}
      {report && (
        <ReportView
          report={report}
          state={isImporting ? 'importing' : isDone ? 'done' : mayBeSaved ? 'unknown' : 'planned'}
        />
      )}
      {report && (isDone || (changes === 0 && invitees.length > 0)) ? (
        <Ending invitees={invitees} onClose={onClose} />
      ) : (
        <DialogActions
          primary={changes === 1 ? 'Import one person' : `Import ${countWords(changes)} people`}
          disabled={!report || changes === 0}
          busy={isImporting}
          onPrimary={() => file && run.mutate({ chosen: file, dryRun: false })}
        />
      )}
    </>
  );
}

/** What the file can have, and a template. */
function Columns() {
  return (
    <p className={classes.sentence}>
      A CSV or Excel file with the columns {listWords(peopleHeader)}. Only {peopleHeader[0]} is required. Empty cells
      change nothing. List approvers by email. S.T.A.R.T is yes or no. A reason lets someone have a role whose
      requirements they don’t meet.{' '}
      <button type="button" className={classes.link} onClick={() => saveCsv('people', peopleHeader, [])}>
        Download a template
      </button>
    </p>
  );
}

type EndingProps = ContentProps & { readonly invitees: Required<Report>['uninvited'] };

/** Done, or inviting those who can't sign in: new people, and those of an earlier import. */
function Ending({ invitees, onClose }: EndingProps) {
  if (invitees.length === 0) return <DialogActions primary="Done" onPrimary={onClose} cancel={null} />;
  return (
    <Inviting invitees={invitees} cancel="Not now" onDone={onClose}>
      <p className={classes.note}>
        {plural(invitees.length, 'person', 'people')} in this file can’t sign in until you invite them. Later, find them
        under “{states.noPassword}”.
      </p>
    </Inviting>
  );
}

const planned: Record<Row['outcome'], string> = {
  created: 'new',
  changed: 'will change',
  unchanged: 'unchanged',
  refused: 'refused',
};
const happened: Record<Row['outcome'], string> = {
  created: 'added',
  changed: 'changed',
  unchanged: 'unchanged',
  refused: 'refused',
};

/** A new person’s fields were all empty before. */
function detailWords({ outcome, changes, reason }: Row): string {
  const fields =
    outcome === 'created' ? changes.map(({ field, after }) => `${field}: ${after}`).join('; ') : changeWords(changes);
  return [fields, reason].filter(Boolean).join('. ');
}

const columnsOf = (isDone: boolean): DataColumn<Row>[] => [
  { id: 'line', title: 'Line', cell: ({ line }) => line, numeric: true, phone: 'line' },
  { id: 'email', title: 'Email', cell: ({ email }) => email || 'No email', phone: 'name' },
  {
    id: 'outcome',
    title: 'Outcome',
    cell: ({ outcome }) => (isDone ? happened : planned)[outcome],
    phone: 'value',
  },
  { id: 'details', title: 'Details', cell: detailWords, phone: 'below' },
];
/** Rows that need attention come first. */
const rank = { refused: 0, created: 1, changed: 2, unchanged: 3 } as const;

/** " 3 roles requested from the admins: Sales, Tools." */
function requestedWords(rows: readonly Row[], isDone: boolean): string {
  const roles = rows.flatMap(({ roleAsked }) => roleAsked ?? []);
  if (roles.length === 0) return '';
  const names = [...new Set(roles)].join(', ');
  return ` ${plural(roles.length, 'role')} ${isDone ? 'requested' : 'to request'} from the admins: ${names}.`;
}

/** New people whose rows say nothing about S.T.A.R.T. The form for one person has it on. */
const withoutTopFiveWords = (count: number, isDone: boolean): string =>
  `${plural(count, 'new person', 'new people')} ${isDone ? (count === 1 ? 'doesn’t' : 'don’t') : 'won’t'} use S.T.A.R.T. To change that, import yes in a column “S.T.A.R.T”.`;

/** One sentence for all rows with the same warning. */
function warningWords({ kind, people, names }: ImportWarning, isDone: boolean): string {
  const rest = people - names.length;
  const named = `${names.join(', ')}${rest > 0 && kind !== 'cannotApprove' ? ` and ${rest} more` : ''}`;
  const [all, added] = [plural(people, 'person', 'people'), plural(people, 'new person', 'new people')];
  const [get, use] = people === 1 ? [isDone ? 'has' : 'gets', 'uses'] : [isDone ? 'have' : 'get', 'use'];
  switch (kind) {
    case 'cannotApprove':
      return `${all} ${get} an approver without access to Approvals, who can’t approve: ${named}.`;
    case 'noAccess':
      return `${added} can open only My account, because they have no role, a role without access, or one that needs an admin’s OK: ${named}.`;
    case 'withoutApprover':
      return `${added} ${use} S.T.A.R.T without an approver and can’t open Tasks until they get one: ${named}.`;
    case 'byDefault':
      return `${added} ${use} S.T.A.R.T without an approver, so the default approver decides on their tasks: ${named}.`;
    case 'disabled':
      return `${plural(people, 'account')} ${people === 1 ? 'is' : 'are'} disabled and ${people === 1 ? 'stays' : 'stay'} disabled: ${named}. To enable an account, open the person in User Management and go to Sign-in.`;
  }
}

const unusedWords = (columns: readonly string[]): string =>
  columns.length === 1
    ? `1 column isn’t imported: ${columns[0]}. The template lists the columns that are.`
    : `${countWords(columns.length)} columns aren’t imported: ${columns.join(', ')}. The template lists the columns that are.`;

/** `unknown`: the answer to an import was lost. */
type State = 'planned' | 'importing' | 'unknown' | 'done';
type ReportProps = { readonly report: Report; readonly state: State };

function ReportView({ report: { rows, unused, withoutTopFive, warnings = [] }, state }: ReportProps) {
  const isDone = state === 'done';
  const count = (outcome: Row['outcome']) => countWords(rows.filter((row) => row.outcome === outcome).length);
  const told = rows
    .filter(({ outcome, reason }) => outcome !== 'unchanged' || reason !== null)
    .toSorted((a, b) => rank[a.outcome] - rank[b.outcome] || a.line - b.line);
  return (
    <div className={classes.report}>
      <p role="status">
        {state === 'importing' && 'Importing…'}
        {state === 'unknown' && 'The import may be incomplete. Import again: nobody is added twice.'}
        {(state === 'planned' || isDone) && (
          <>
            {isDone ? 'Imported' : 'Nothing saved yet'}: {count('created')} {isDone ? 'added' : 'to add'},{' '}
            {count('changed')} {isDone ? 'changed' : 'to change'}, {count('unchanged')} unchanged, {count('refused')}{' '}
            refused.{requestedWords(rows, isDone)}
          </>
        )}
      </p>
      {withoutTopFive > 0 && <p className={classes.note}>{withoutTopFiveWords(withoutTopFive, isDone)}</p>}
      {warnings.map((warning) => (
        <p key={warning.kind} className={classes.note}>
          {warningWords(warning, isDone)}
        </p>
      ))}
      {unused.length > 0 && (
        <p role="alert" className={classes.unused}>
          {unusedWords(unused)}
        </p>
      )}
      {told.length > 0 && (
        <div className={classes.rows}>
          <DataTable caption="File rows" items={told} columns={columnsOf(isDone)} keyOf={({ line }) => String(line)} />
        </div>
      )}
    </div>
  );
}
