import { useMediaQuery } from '@mantine/hooks';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { Loading } from '#web/ui/skeleton.tsx';
import { ApprovalActions } from './actions.tsx';
import classes from './approvals-page.module.css';
import detailClasses from './detail.module.css';
import { ApprovalDetail } from './detail.tsx';
import { ApprovalsDone, UndoDecided } from './done.tsx';
import { ApprovalsHead, NothingWaits } from './head.tsx';
import { useLiveInbox } from './live.ts';
import { ApprovalsQueue, focusRow } from './queue.tsx';
import { InboxSkeleton } from './skeleton.tsx';
import { type Approvals, useApprovals } from './use-approvals.ts';

export default function ApprovalsPage() {
  const narrow = useMediaQuery('(max-width: 900px)', undefined, { getInitialValueInEffect: false }) ?? false;
  const approvals = useApprovals(!narrow);
  useLiveInbox();
  useQueueKeys(approvals);
  const { inbox } = approvals;
  return (
    <>
      <ApprovalsHead approvals={approvals} />
      {inbox.isError && !inbox.data ? (
        <div className={classes.alone}>
          <PanelError
            sentence="What waits for you could not be loaded."
            onRetry={() => void inbox.refetch()}
            requestId={inbox.error.requestId}
          />
        </div>
      ) : (
        <Loading loading={!inbox.data} skeleton={<InboxSkeleton />}>
          <Panes approvals={approvals} narrow={narrow} />
        </Loading>
      )}
    </>
  );
}

type PanesProps = { readonly approvals: Approvals; readonly narrow: boolean };

/** Queue and task side by side; on a narrow screen the one, then the other. */
function Panes({ approvals, narrow }: PanesProps) {
  const { tab, items, selected, select } = approvals;
  if (tab !== 'done' && items.length === 0 && !selected) {
    return (
      <div className={classes.alone}>
        <NothingWaits approvals={approvals} />
      </div>
    );
  }
  return (
    <div className={classes.inbox}>
      {!(narrow && selected) && (
        <div className={classes.list}>
          {tab === 'done' ? (
            <ApprovalsDone selected={selected} onSelect={(id) => select(id, 'pointer')} />
          ) : (
            <ApprovalsQueue approvals={approvals} tab={tab} />
          )}
        </div>
      )}
      {!(narrow && !selected) && (
        <div className={classes.detail}>
          <Detail approvals={approvals} narrow={narrow} />
        </div>
      )}
    </div>
  );
}

function useQueueKeys({ move, items, selected, togglePick }: Approvals): void {
  const scope = 'Approvals';
  const pick = () => {
    if (selected && items.some(({ task }) => task.id === selected)) togglePick(selected);
  };
  useShortcuts([
    { key: 'j', label: 'Next task', scope, run: () => move(1) },
    { key: 'k', label: 'Previous task', scope, run: () => move(-1) },
    { key: 'x', label: 'Select, to approve or sign off several in one call', scope, run: pick },
  ]);
}

function Detail({ approvals, narrow }: PanesProps) {
  const { tab, items, selected, picks, refused, select, decide } = approvals;
  if (!selected) {
    return (
      <EmptyState title={tab === 'done' ? 'Choose a decision' : 'Choose a task'}>
        It opens here with its files, notes and history.
      </EmptyState>
    );
  }
  const at = items.findIndex(({ task }) => task.id === selected);
  const refusal = refused.get(selected);
  return (
    <ApprovalDetail
      key={selected}
      taskId={selected}
      listed={items[at]?.task}
      next={at === -1 ? null : (items[at + 1]?.task.id ?? null)}
      notice={refusal}
      onBack={narrow ? () => select(null, 'pointer') : null}
      onLeave={() => focusRow(selected)}
      actions={(task) =>
        tab === 'done' ? (
          <UndoDecided taskId={task.id} className={detailClasses.actions} />
        ) : (
          <ApprovalActions
            task={task}
            picked={picks.length}
            onDecide={(decision, reason) => decide([task], decision, reason)}
            onApprovePicked={() => void decide(picks, 'approve').catch(() => undefined)}
            onLeave={() => focusRow(selected)}
          />
        )
      }
    />
  );
}
