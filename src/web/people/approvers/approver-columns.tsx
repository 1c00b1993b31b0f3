import type { ReactNode } from 'react';
import { isScope, scopes } from '#core/access/brands.ts';
import { type ApproverOfMap, type PersonOfMap, waitingOf } from '#core/people/approver-map.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import type { DataColumn } from '#web/ui/data-table.tsx';
import { ApproverChips, warningWords } from './approver-chips.tsx';
import type { Managed } from './approver-queries.ts';
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
      </span>
    </span>
  );
}

export const personColumns: readonly DataColumn<PersonOfMap<Managed>>[] = [
  {
    id: 'person',
    title: 'Person',
    sortBy: ({ person }) => person.displayName,
    cell: ({ person }) => <Name person={person} />,
  },
  { id: 'team', title: 'Team', sortBy: ({ person }) => person.team, cell: ({ person }) => teamTitle(person.team) },
  {
    id: 'approvers',
    title: 'Approvers',
    sortBy: ({ approvers }) => approvers.map(({ displayName }) => displayName).join(' ') || null,
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
    sortBy: ({ person }) => waitingOf(person),
    cell: ({ person }) => <Said words="waiting">{waitingOf(person) || none}</Said>,
    phone: 'value',
  },
];

export const approverColumns: readonly DataColumn<ApproverOfMap<Managed>>[] = [
  {
    id: 'approver',
    title: 'Approver',
    sortBy: ({ approver }) => approver.displayName,
    cell: ({ approver }) => <Name person={approver} />,
  },
  {
    id: 'people',
    title: 'People',
    numeric: true,
    sortBy: ({ people }) => people.length,
    cell: ({ people }) => people.length,
  },
  {
    id: 'waiting',
    title: 'Waiting',
    numeric: true,
    sortBy: waitingOf,
    cell: (row) => <Said words="waiting">{waitingOf(row) || none}</Said>,
    phone: 'value',
  },
  {
    id: 'median',
    title: 'Median wait',
    numeric: true,
    sortBy: ({ approver }) => approver.medianWaited,
    cell: ({ approver }) => <Said words="median wait">{waitWords(approver.medianWaited)}</Said>,
    phone: 'change',
  },
  {
    id: 'p90',
    title: '9 in 10 within',
    numeric: true,
    sortBy: ({ approver }) => approver.p90Waited,
    cell: ({ approver }) => waitWords(approver.p90Waited),
  },
  {
    id: 'warning',
    title: 'Needs attention',
    sortBy: ({ warning }) => (warning ? warningWords[warning] : null),
    cell: ({ warning }) => warning && <span className={classes.warning}>{warningWords[warning]}</span>,
    phone: 'below',
  },
];
