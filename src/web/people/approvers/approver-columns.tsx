import type { ReactNode } from 'react';
import { isScope, scopes } from '#core/access/brands.ts';
import { awayWords } from '#core/people/absences.ts';
import { waitingOf } from '#core/people/approver-map.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import type { DataColumn } from '#web/ui/data-table.tsx';
import { warningText } from '../shared/approver-picker.tsx';
import type { ApproverRow, Managed, PersonRow } from '../shared/approver-queries.ts';
import classes from './approvers.module.css';

const none = '–';
const teamTitle = (team: string | null) => (team !== null && isScope(team) ? scopes[team].title : (team ?? none));
const secondsOfHour = 3_600;

/** How many hours others waited, or a dash without decisions. */
function waitWords(seconds: number | null): string {
  if (seconds === null) return none;
  const hours = seconds / secondsOfHour;
  return `${hours < 10 ? hours.toFixed(1) : Math.round(hours)} h`;
}

/** Phones hide the headers, so the number needs its own label. */
function Said({ words, children }: { words: string; children: ReactNode }) {
  return (
    <>
      {children}
      <span className={classes.said}> {words}</span>
    </>
  );
}

function Name({ person }: { person: Managed }) {
  return (
    <span className={classes.name}>
      <Avatar name={person.displayName} />
      <span>
        {person.displayName}
        {person.disabled && <span className={classes.note}> disabled</span>}
        {person.away && <span className={classes.note}> {awayWords(person.away)}</span>}
      </span>
    </span>
  );
}

/** A person's approvers, each with its problems as text. */
function ApproverChips({ approvers, byDefault, unapproved }: PersonRow) {
  if (approvers.length === 0)
    return <span className={unapproved ? classes.nobody : classes.note}>{unapproved ? 'Nobody' : 'None needed'}</span>;
  return (
    <span className={classes.chips}>
      {approvers.map(({ id, displayName, warning }) => (
        <span key={id} className={classes.chip} data-warning={warning ?? undefined}>
          {displayName}
          {byDefault && <span className={classes.note}> default</span>}
          {warning && <span className={classes.note}> {warning === 'disabled' ? 'disabled' : 'can’t approve'}</span>}
        </span>
      ))}
    </span>
  );
}

/** The server sorts. */
const outside = () => null;

export const personColumns: readonly DataColumn<PersonRow>[] = [
  {
    id: 'person',
    title: 'Person',
    sortBy: outside,
    cell: ({ person }) => <Name person={person} />,
  },
  { id: 'team', title: 'Team', sortBy: outside, cell: ({ person }) => teamTitle(person.team) },
  {
    id: 'approvers',
    title: 'Approvers',
    sortBy: outside,
    cell: (row) => (
      <>
        <ApproverChips {...row} />
        {row.circle.length > 0 && <span className={classes.note}> approve each other</span>}
      </>
    ),
    phone: 'below',
  },
  {
    id: 'waiting',
    title: 'Waiting',
    numeric: true,
    sortBy: outside,
    cell: ({ person }) => <Said words="waiting">{waitingOf(person) || none}</Said>,
    phone: 'value',
  },
];

export const approverColumns: readonly DataColumn<ApproverRow>[] = [
  {
    id: 'approver',
    title: 'Approver',
    sortBy: outside,
    cell: ({ approver }) => <Name person={approver} />,
  },
  {
    id: 'people',
    title: 'People',
    numeric: true,
    sortBy: outside,
    cell: ({ people }) => people,
  },
  {
    id: 'waiting',
    title: 'Waiting',
    numeric: true,
    sortBy: outside,
    cell: (row) => <Said words="waiting">{waitingOf(row) || none}</Said>,
    phone: 'value',
  },
  {
    id: 'median',
    title: 'Median wait',
    numeric: true,
    sortBy: outside,
    cell: ({ medianWaited }) => <Said words="median wait">{waitWords(medianWaited)}</Said>,
    phone: 'change',
  },
  {
    id: 'p90',
    title: '9 in 10 within',
    numeric: true,
    sortBy: outside,
    cell: ({ p90Waited }) => waitWords(p90Waited),
  },
  {
    id: 'warning',
    title: 'Needs attention',
    sortBy: outside,
    cell: ({ approver: { warning } }) => warning && <span className={classes.warning}>{warningText(warning)}</span>,
    phone: 'below',
  },
];
