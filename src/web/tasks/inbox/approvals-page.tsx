import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { eventSentence } from '#core/tasks/task.ts';
import { statusRule } from '#core/tasks/task-status.ts';
import { useLive, useReadAgain } from '#web/api/live.ts';
import { useViewer } from '#web/api/viewer.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { ApproveEdited, useApproveEdited } from '../shared/approve-edited.tsx';
import { shortened } from '../shared/mutations.ts';
import { newNoteFieldId } from '../shared/notes.tsx';
import { dropTask, type FullTask, knownTask, mergeTask, readTask, rereadTasks, useSprints } from '../shared/queries.ts';
import { rulesOf } from '../shared/rules.ts';
import { ApprovalActions, useEarlyDenial } from './actions.tsx';
import classes from './approvals-page.module.css';
import { isBeingDecided } from './decisions.ts';
import detailClasses from './detail.module.css';
import { ApprovalDetail } from './detail.tsx';
import { ApprovalsDone, UndoDecided } from './done.tsx';
import { ApprovalsHead, NothingWaits } from './head.tsx';
import { addToInbox, overviewQuery } from './queries.ts';
import { ApprovalsQueue } from './queue.tsx';
import { type Approvals, useApprovals } from './use-approvals.ts';
import { focusRow } from './use-moves.ts';

export default function ApprovalsPage() {
  const narrow = useMediaQuery('(max-width: 900px)', undefined, { getInitialValueInEffect: false }) ?? false;
  const approvals = useApprovals(!narrow);
  useLiveInbox();
  useQueueKeys(approvals);
  const { inbox, tab, selected, items } = approvals;
  const isLoading = !inbox.isLoaded && !inbox.error;
  const isOpening = tab !== 'done' && !inbox.error && (selected !== null || (!narrow && items.length > 0));
  const early = useEarlyDenial(isLoading, isOpening);
  return (
    <>
      <ApprovalsHead approvals={approvals} />
      {inbox.error && !inbox.isLoaded ? (
        <div className={classes.alone}>
          <PanelError
            sentence="Couldn’t load your approvals."
            onRetry={inbox.refetch}
            requestId={inbox.error.requestId}
          />
        </div>
      ) : (
        <Loading loading={!inbox.isLoaded} skeleton={<InboxSkeleton />}>
          <Panes approvals={approvals} narrow={narrow} early={early} />
        </Loading>
      )}
    </>
  );
}

type PanesProps = {
  readonly approvals: Approvals;
  readonly narrow: boolean;
  readonly early: ReturnType<typeof useEarlyDenial>;
};

/** Queue and task side by side; on narrow screens one after the other. */
function Panes({ approvals, narrow, early }: PanesProps) {
  const { tab, count, selected, select, more } = approvals;
  if (tab !== 'done' && count === 0 && !more.hasMore && !selected) {
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
          <Detail approvals={approvals} narrow={narrow} early={early} />
        </div>
      )}
    </div>
  );
}

function useQueueKeys({ move, items, selected, togglePick, sitting }: Approvals): void {
  const scope = 'Approvals';
  const pick = () => {
    const item = items.find(({ task }) => task.id === selected);
    if (item) togglePick(item.task);
  };
  useShortcuts([
    { key: 'j', label: 'Next task', scope, run: () => move(1) },
    { key: 'k', label: 'Previous task', scope, run: () => move(-1) },
    { key: 'x', label: 'Select task', scope, run: pick },
    { key: 'n', label: 'Add a note', scope, writes: true, run: () => document.getElementById(newNoteFieldId)?.focus() },
    { key: 'b', label: 'Show only what’s due, or everything', scope, run: sitting.toggle },
  ]);
}

function Detail({ approvals, narrow, early }: PanesProps) {
  const { tab, items, selected, picks, allPicks, refused, heldBack, holdsBack, select, decide } = approvals;
  const editing = useApproveEdited(selected ?? '');
  const viewer = useViewer();
  const sprints = useSprints();
  if (!selected) {
    return (
      <EmptyState title={tab === 'done' ? 'No decision selected' : 'No task selected'}>
        Select one to see its files, notes and history.
      </EmptyState>
    );
  }
  const at = items.findIndex(({ task }) => task.id === selected);
  const refusal = refused.get(selected);
  const leave = () => focusRow(selected);
  return (
    <ApprovalDetail
      taskId={selected}
      listed={items[at]?.task}
      next={at === -1 ? null : (items[at + 1]?.task.id ?? null)}
      notice={refusal}
      onBack={narrow ? () => select(null, 'pointer') : null}
      onLeave={leave}
      editor={(task) =>
        tab !== 'done' &&
        editing.isOpen &&
        rulesOf(viewer, task, sprints).actions.approveEdited && (
          <ApproveEdited
            task={task}
            onSend={(seen, edit) => decide([seen], 'approve', { edit })}
            onSent={editing.close}
            onLeave={() => {
              editing.close();
              leave();
            }}
          />
        )
      }
      actions={(task) =>
        tab === 'done' ? (
          <UndoDecided taskId={task.id} className={detailClasses.actions} />
        ) : (
          <ApprovalActions
            task={task}
            picks={picks}
            allPicks={allPicks}
            heldBack={heldBack === task.id}
            isChanged={refusal !== undefined}
            holdsBack={holdsBack}
            onDecide={decide}
            editing={editing}
            onLeave={leave}
            {...early}
          />
        )
      }
    />
  );
}

const waits = ({ status, withdrawn }: { status: FullTask['status']; withdrawn: boolean }): boolean =>
  !withdrawn && statusRule(status).approve !== undefined;

/** Live updates: new tasks appear, and tasks decided by others leave with a message. */
function useLiveInbox(): void {
  const client = useQueryClient();
  const viewer = useViewer();
  const overview = useReadAgain(overviewQuery.queryKey);
  useLive(async (change) => {
    if (change === null) return rereadTasks(client);
    const known = knownTask(client, change.taskId);
    // An echo of this page's own change.
    if (known && known.version >= change.version) return;
    // The next read makes up for a failed one, because the person didn't request it.
    const task = await readTask(change.taskId).catch(() => undefined);
    if (task === undefined) return;
    if (task === null) return dropTask(client, change.taskId);
    const waited = known !== null && waits(known);
    mergeTask(client, task);
    if (waited && !waits(task) && change.actorId !== viewer.id && !isBeingDecided(client, task.id)) sayWhoDid(task);
    if (waits(task)) await addToInbox(client, task).catch(() => undefined);
    if (waits(task) || waited) overview();
  });
}

function sayWhoDid(task: FullTask): void {
  const last = task.history.toSorted((a, b) => b.version - a.version)[0];
  if (last) showToast({ message: eventSentence(last.actorName, last.event, `“${shortened(task.title)}”`) });
}

/** The two panes, empty. */
function InboxSkeleton() {
  return (
    <div className={classes.inbox}>
      <div className={classes.list}>
        <SkeletonRows rows={6} />
      </div>
      <div className={classes.detail}>
        <SkeletonRows rows={3} />
      </div>
    </div>
  );
}
