import { SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { config } from '#web/api/config.ts';
import { usePageTitle } from '#web/page-title.ts';
import { formatInstant } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { ApprovalActions } from './approvals-actions.tsx';
import detailClasses from './approvals-detail.module.css';
import { ApprovalDetail, detailHeadingId } from './approvals-detail.tsx';
import { ApprovalsDone, UndoDecided } from './approvals-done.tsx';
import { type Approvals, useApprovals } from './approvals-inbox.ts';
import { useLiveInbox } from './approvals-live.ts';
import { type ApprovalsTab, waitingTabKeys, waitingTabs } from './approvals-order.ts';
import classes from './approvals-page.module.css';
import { ApprovalsQueue } from './approvals-queue.tsx';
import { useSprints } from './task-queries.ts';

export default function ApprovalsPage() {
  const narrow = useMediaQuery('(max-width: 900px)', undefined, { getInitialValueInEffect: false });
  const approvals = useApprovals(!narrow);
  useLiveInbox();
  useQueueKeys(approvals);
  const { tab, counts, chooseTab, selected, inbox } = approvals;
  const showsList = !narrow || !selected;
  const showsDetail = !narrow || selected;
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={<Sentence approvals={approvals} />}
        actions={<Tabs tab={tab} counts={counts} onChoose={chooseTab} />}
      />
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
          {isClear(approvals) ? (
            <div className={classes.alone}>
              <NothingWaits approvals={approvals} />
            </div>
          ) : (
            <div className={classes.inbox}>
              {showsList && (
                <div className={classes.list}>
                  {tab === 'done' ? (
                    <ApprovalsDone selected={selected} onSelect={(id) => approvals.select(id, 'pointer')} />
                  ) : (
                    <ApprovalsQueue approvals={approvals} tab={tab} />
                  )}
                </div>
              )}
              {showsDetail && (
                <div className={classes.detail}>
                  <Detail approvals={approvals} narrow={narrow ?? false} />
                </div>
              )}
            </div>
          )}
        </Loading>
      )}
    </>
  );
}

/** Nothing in this tab, and no task opened by its address. */
const isClear = ({ tab, items, selected }: Approvals): boolean => tab !== 'done' && items.length === 0 && !selected;

function useQueueKeys({ move, items, selected, togglePick, select, followFocus }: Approvals): void {
  const scope = 'Approvals';
  useShortcuts([
    { key: 'j', label: 'Next task', scope, run: () => move(1) },
    { key: 'k', label: 'Previous task', scope, run: () => move(-1) },
    {
      key: 'x',
      label: 'Select for one call',
      scope,
      run: () => items.some(({ task }) => task.id === selected) && selected && togglePick(selected),
    },
    { key: 'Enter', label: 'Read the task', scope, run: () => document.getElementById(detailHeadingId)?.focus() },
    {
      key: 'Escape',
      label: 'Back to the queue',
      scope,
      run: () => {
        followFocus.current = true;
        select(selected, 'key');
      },
    },
  ]);
}

function Sentence({ approvals: { inbox, everything } }: { approvals: Approvals }) {
  const current = useSprints().find((sprint) => sprint.current);
  if (!inbox.data) return null;
  const people = new Set(everything.map(({ task }) => task.userId)).size;
  const overdue = everything.filter((each) => each.overdue).length;
  if (everything.length === 0) return 'Nothing waits for you.';
  const tasks =
    everything.length === 1
      ? '1 task from 1 person needs'
      : `${everything.length} tasks from ${people} ${people === 1 ? 'person' : 'people'} need`;
  const before = current ? ` you before ${formatInstant(current.endDate, config().companyTimeZone)}` : ' you';
  return `${tasks}${before}${overdue > 0 ? `; ${overdue} overdue` : ''}`;
}

type TabsProps = {
  readonly tab: ApprovalsTab;
  readonly counts: Approvals['counts'];
  readonly onChoose: (tab: ApprovalsTab) => void;
};

function Tabs({ tab, counts, onChoose }: TabsProps) {
  const data = [
    ...waitingTabKeys.map((key) => ({ value: key, label: `${waitingTabs[key].title} ${counts[key]}` })),
    { value: 'done', label: 'Done' },
  ];
  return (
    <SegmentedControl
      aria-label="Which tasks"
      data={data}
      value={tab}
      onChange={(value) => onChoose(value as ApprovalsTab)}
    />
  );
}

function NothingWaits({ approvals: { everything, counts } }: { approvals: Approvals }) {
  const current = useSprints().find((sprint) => sprint.current);
  if (everything.length > 0) {
    const other = waitingTabKeys.find((key) => counts[key] > 0);
    return (
      <EmptyState title="Nothing waits here">{other && `${waitingTabs[other].title}: ${counts[other]}.`}</EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing waits for you.">
      {current && `Next sprint starts ${formatInstant(current.endDate, config().companyTimeZone)}.`}
    </EmptyState>
  );
}

function Detail({ approvals, narrow }: { approvals: Approvals; narrow: boolean }) {
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
      actions={(task) =>
        tab === 'done' ? (
          <UndoDecided taskId={task.id} className={detailClasses.actions} />
        ) : (
          <ApprovalActions
            task={task}
            picked={picks.length}
            onDecide={(decision, reason) => decide([task], decision, reason)}
            onApprovePicked={() => void decide(picks, 'approve').catch(() => undefined)}
            onLeave={() => select(selected, 'key')}
          />
        )
      }
    />
  );
}

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
