import { Button } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useAddress } from '#web/shell/address.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { approverColumns } from './approver-columns.tsx';
import type { Management } from './approver-queries.ts';
import classes from './approvers.module.css';
import { ReassignPanel } from './reassign-panel.tsx';

type Props = {
  readonly management: Management;
  readonly words: string;
  readonly search: ReactNode;
  readonly onClear: () => void;
};

/** Approvers with their people and load. */
export function ApproverList({ management, words, search, onClear }: Props) {
  const [address, change] = useAddress('/approvermanagement');
  const { approvers } = management.map;
  const rows = useMemo(
    () =>
      approvers.filter(({ approver, people }) =>
        `${approver.displayName} ${approver.team ?? ''} ${people.map(({ displayName }) => displayName).join(' ')}`
          .toLocaleLowerCase('en')
          .includes(words.trim().toLocaleLowerCase('en')),
      ),
    [approvers, words],
  );
  const open = approvers.find(({ approver }) => approver.id === address.open);
  return (
    <Panel
      title="Approvers"
      note={rows.length === approvers.length ? approvers.length : `${rows.length} of ${approvers.length}`}
      actions={<div className={classes.actions}>{search}</div>}
      flush
    >
      <DataTable
        caption="Approvers, their people and waiting tasks"
        items={rows}
        columns={approverColumns}
        keyOf={({ approver }) => approver.id}
        onOpen={({ approver }) => change({ open: approver.id })}
        openKey={open?.approver.id ?? null}
        sortedBy={{ id: 'waiting', desc: true }}
        unit="approvers"
        empty={<NoApprover words={words} onClear={onClear} />}
      />
      <p className={classes.foot}>Wait times of the last four weeks: median and 9 in 10 within.</p>
      <ReassignPanel row={open} people={management.people} onClose={() => change({ open: null })} />
    </Panel>
  );
}

function NoApprover({ words, onClear }: Pick<Props, 'words' | 'onClear'>) {
  if (words.trim() === '')
    return (
      <EmptyState title="No approvers yet">
        Choose approvers in the list by person, or a default approver above.
      </EmptyState>
    );
  return (
    <EmptyState
      title={`No approver matches “${words}”`}
      action={
        <Button variant="default" onClick={onClear}>
          Show all approvers
        </Button>
      }
    >
      Search covers approvers and their people.
    </EmptyState>
  );
}
