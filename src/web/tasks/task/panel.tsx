import { ActionIcon, Button } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refusals } from '#core/base/refusals.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { openShortcutSheet } from '#web/shell/open-dialog.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Peek, usePeeks } from '#web/ui/peek.tsx';
import { StatusPill } from '#web/ui/pill.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { Loading, SkeletonBlock, SkeletonRows } from '#web/ui/skeleton.tsx';
import { undoLatest } from '#web/ui/toasts.tsx';
import { KeptTexts } from '../shared/kept-texts.tsx';
import { usePendingGuesses, withGuess } from '../shared/mutations.ts';
import { newNoteFieldId } from '../shared/notes.tsx';
import type { PanelPart } from '../shared/panel-part.ts';
import { taskQuery } from '../shared/queries.ts';
import { focusTask } from '../shared/task-marks.ts';
import { CopyTaskLink } from './actions.tsx';
import classes from './panel.module.css';
import { TaskPanelContent } from './panel-content.tsx';

type Props = {
  readonly taskId: string | null;
  readonly viewer: SignedIn;
  readonly part: PanelPart;
  readonly onPart: (part: PanelPart) => void;
  readonly onStep: (step: 1 | -1) => void;
  /** Null while viewing as someone else. */
  readonly onDuplicate: ((taskId: string) => void) | null;
  readonly onClose: () => void;
};

/** A task next to the board, by its address: linkable, reloadable and part of the history. */
export function TaskPanel({ taskId, ...props }: Props) {
  return (
    <Peek
      openKey={taskId}
      title="Task"
      head={taskId !== null && <PeekHead taskId={taskId} />}
      tools={taskId !== null && <PeekTools taskId={taskId} onStep={props.onStep} />}
      onClose={props.onClose}
      returnFocus={focusTask}
    >
      {taskId !== null && <Loaded key={taskId} taskId={taskId} {...props} />}
    </Peek>
  );
}

function PeekHead({ taskId }: { taskId: string }) {
  const { data } = useQuery(taskQuery(taskId));
  const guess = usePendingGuesses().get(taskId);
  return data ? <StatusPill {...withGuess(data, guess)} /> : null;
}

function PeekTools({ taskId, onStep }: Pick<Props, 'onStep'> & { taskId: string }) {
  const { data } = useQuery(taskQuery(taskId));
  return (
    <>
      {data && <CopyTaskLink task={data} />}
      <ActionIcon aria-label="Previous task" aria-keyshortcuts="k" onClick={() => onStep(-1)}>
        <IconChevronUp size={16} stroke={1.7} />
      </ActionIcon>
      <ActionIcon aria-label="Next task" aria-keyshortcuts="j" onClick={() => onStep(1)}>
        <IconChevronDown size={16} stroke={1.7} />
      </ActionIcon>
    </>
  );
}

function Loaded({ taskId, viewer, part, onPart, onStep, onClose, ...props }: Props & { taskId: string }) {
  const peeks = usePeeks();
  const onDuplicate =
    props.onDuplicate &&
    ((id: string) => {
      // In a narrow window, the panel covers the form.
      if (!peeks) onClose();
      props.onDuplicate?.(id);
    });
  const { data, error, isPending, refetch } = useQuery(taskQuery(taskId));
  const guess = usePendingGuesses().get(taskId);
  usePanelKeys(onPart, onStep);
  const isUnread = error !== null && data === undefined;
  const isMissing = isUnread || data === null;
  useEffect(() => {
    if (isMissing) onPart(null);
  }, [isMissing, onPart]);
  if (isUnread)
    return <PanelError sentence={error.message} requestId={error.requestId} onRetry={() => void refetch()} />;
  return (
    <Loading loading={isPending} skeleton={<PanelSkeleton />}>
      <KeptTexts taskId={taskId} task={data ?? null} />
      {data ? (
        <>
          <TaskPanelContent task={withGuess(data, guess)} {...{ viewer, part, onPart, onDuplicate }} />
          <FocusOnPart part={part} onPart={onPart} />
        </>
      ) : (
        <EmptyState title="Can’t show this task" action={<Button onClick={onClose}>Back to the board</Button>}>
          {refusals.NOT_FOUND.message}
        </EmptyState>
      )}
    </Loading>
  );
}

/** Over the page, its scope names a dialog. Beside it, the page keeps its other keys. */
function usePanelKeys(onPart: Props['onPart'], onStep: Props['onStep']): void {
  const peeks = usePeeks();
  const scope = peeks ? 'Task' : 'Dialog: the open task';
  useShortcuts([
    { key: 'm', label: 'Move buttons, then 1 for the first', scope, writes: true, run: () => onPart('moves') },
    { key: 'e', label: 'Edit title', scope, writes: true, run: () => onPart('title') },
    { key: 'r', label: 'Repeat the task', scope, writes: true, run: () => onPart('repeat') },
    { key: 'n', label: 'Add a note', scope, writes: true, run: () => onPart('note') },
    { key: 'j', label: 'Next task', scope, run: () => onStep(1) },
    { key: 'k', label: 'Previous task', scope, run: () => onStep(-1) },
    ...(peeks
      ? []
      : [
          { key: 'u', label: 'Undo the last change', scope, undoes: true, run: () => undoLatest() },
          { key: '?', label: 'Show all shortcuts', scope, run: openShortcutSheet },
        ]),
  ]);
}

/** The element to focus for each part; the title's and the resend editor focus themselves. */
const focusOf: Partial<Record<NonNullable<PanelPart>, string>> = {
  moves: '[data-panel-part="moves"] button',
  note: `#${newNoteFieldId}`,
  files: '[data-panel-part="files"] [role="presentation"], [data-panel-part="files"] [tabindex="0"]',
  decision: '[data-panel-part="decision"] button',
  repeat: '[data-panel-part="repeat"]',
};

/** Rendered with the content, which may come later than the data. */
function FocusOnPart({ part, onPart }: Pick<Props, 'part' | 'onPart'>) {
  useEffect(() => {
    const selector = part && focusOf[part];
    if (!selector) return undefined;
    // After the panel's own focus, which goes to its first control while it slides in.
    const timer = setTimeout(() => {
      const element = document.querySelector<HTMLElement>(selector);
      element?.focus();
      // The foot is in sight anyway.
      if (!element?.closest('[data-foot]')) element?.scrollIntoView({ block: 'center' });
      onPart(null);
    }, 60);
    return () => clearTimeout(timer);
  }, [part, onPart]);
  return null;
}

function PanelSkeleton() {
  return (
    <div className={classes.content}>
      <SkeletonBlock width={120} height={20} />
      <SkeletonBlock width="80%" height={24} />
      <SkeletonRows rows={6} />
    </div>
  );
}
