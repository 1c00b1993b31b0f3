import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { capital } from '#core/base/formats.ts';
import { longestTimer } from '#core/tasks/sprint.ts';
import { taskEvents } from '#core/tasks/task.ts';
import { config } from '#web/api/config.ts';
import { useList } from '#web/api/list-query.ts';
import { Age } from '#web/ui/age.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { StatusPill } from '#web/ui/pill.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { useUndoDecision } from '../shared/mutations.ts';
import { addToInbox, type Decided, decidedQuery } from './queries.ts';
import classes from './queue.module.css';

type Props = { readonly selected: string | null; readonly onSelect: (id: string) => void };

/** The viewer's decisions, newest first. */
export function ApprovalsDone({ selected, onSelect }: Props) {
  const { query: decided, items: entries, more } = useList(decidedQuery);
  if (decided.isError && entries.length === 0) {
    return (
      <PanelError
        sentence="Couldn’t load your decisions."
        onRetry={() => void decided.refetch()}
        requestId={decided.error.requestId}
      />
    );
  }
  return (
    <div className={classes.queue}>
      <div className={classes.scroll}>
        <Loading loading={decided.isPending} skeleton={<SkeletonRows rows={8} />}>
          {entries.length === 0 ? (
            <EmptyState title="No decisions yet">Your decisions appear here.</EmptyState>
          ) : (
            <ul className={classes.list} aria-label="Your decisions">
              {entries.map((each) => (
                <DoneRow key={each.entry.id} decided={each} selected={each.task.id === selected} onSelect={onSelect} />
              ))}
            </ul>
          )}
          <MoreButton more={more} />
        </Loading>
      </div>
    </div>
  );
}

type RowProps = { readonly decided: Decided; readonly selected: boolean; readonly onSelect: (id: string) => void };

function DoneRow({ decided: { entry, task }, selected, onSelect }: RowProps) {
  return (
    <li className={classes.row} data-selected={selected || undefined}>
      <span className={classes.mark}>
        <Avatar name={task.owner.displayName} />
      </span>
      <button
        type="button"
        className={classes.open}
        aria-current={selected || undefined}
        onClick={() => onSelect(task.id)}
      >
        <span className={classes.title}>{task.title}</span>
        <span className={classes.meta}>
          <StatusPill status={entry.to} />
          <span>
            {capital(taskEvents[entry.event])} <Age instant={entry.at} zone={config().companyTimeZone} ago /> ·{' '}
            <strong>{task.owner.displayName}</strong>’s task
          </span>
        </span>
      </button>
    </li>
  );
}

/** Undo is shown as long as the server can undo the decision (D15). */
export function UndoDecided({ taskId, className }: { taskId: string; className: string | undefined }) {
  const { items: entries } = useList(decidedQuery);
  const until = entries.find(({ task }) => task.id === taskId)?.undoUntil ?? null;
  const client = useQueryClient();
  const undo = useUndoDecision();
  const passed = usePassed(until);
  if (passed) return null;
  return (
    <div className={className}>
      <Writes>
        <Button
          size="sm"
          variant="default"
          loading={undo.isPending}
          onClick={() => undo.mutate({ taskId }, { onSuccess: (task) => void addToInbox(client, task) })}
        >
          Undo
        </Button>
      </Writes>
    </div>
  );
}

/** Whether an instant has passed, updated when it does. */
function usePassed(instant: string | null): boolean {
  const [, tick] = useState(0);
  const left = instant === null ? 0 : Date.parse(instant) - Date.now();
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => tick((count) => count + 1), Math.min(left, longestTimer));
    return () => clearTimeout(timer);
  }, [left]);
  return left <= 0;
}
