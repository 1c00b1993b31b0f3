import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useList } from '#web/api/list-query.ts';
import { useAddress } from '#web/shell/address.ts';
import { DataTable, type Order } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { approverColumns } from './approver-columns.tsx';
import { approversQuery } from './approver-queries.ts';
import classes from './approvers.module.css';
import { ReassignPanel } from './reassign-panel.tsx';
import { ShowChanges } from './show-changes.tsx';

type Props = {
  /** How many approvers the whole company has. */
  readonly count: number;
  readonly words: string;
  readonly search: ReactNode;
  readonly onClear: () => void;
};

/** Approvers with their load. */
export function ApproverList({ count, words, search, onClear }: Props) {
  const [address, change] = useAddress('/approvermanagement');
  const [order, setOrder] = useState<Order>({ id: 'waiting', desc: true });
  const { query, items, more } = useList(approversQuery({ search: words, order }));
  return (
    <Panel
      title="Approvers"
      note={more.total === null || more.total === count ? count : `${more.total} of ${count}`}
      actions={
        <div className={classes.actions}>
          <ShowChanges query={query} />
          {search}
        </div>
      }
      flush
    >
      <DataTable
        caption="Approvers, their people and waiting tasks"
        query={query}
        failed="Couldn’t load the approvers."
        items={items}
        more={more}
        columns={approverColumns}
        keyOf={({ approver }) => approver.id}
        onOpen={({ approver }) => change({ open: approver.id })}
        openKey={address.open ?? null}
        order={order}
        onOrder={setOrder}
        unit="approvers"
        empty={<NoApprover words={words} onClear={onClear} />}
      />
      <p className={classes.foot}>
        Wait times from the last four weeks: the median, and the time within which 9 in 10 tasks were decided.
      </p>
      <ReassignPanel approverId={address.open ?? null} onClose={() => change({ open: null }, { replace: true })} />
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
