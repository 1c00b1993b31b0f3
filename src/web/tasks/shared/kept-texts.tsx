import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { eventSentence, type TaskActions } from '#core/tasks/task.ts';
import { useLostDrafts } from '#web/api/drafts.ts';
import { type SignedIn, useViewer } from '#web/api/viewer.ts';
import { CopyField } from '#web/ui/copy-field.tsx';
import { useReadOnly } from '#web/ui/writes.tsx';
import { approvalDraft } from './approve-edited.tsx';
import classes from './kept-texts.module.css';
import { type FullTask, noteDraft, useSprints } from './queries.ts';
import { reasonDraft } from './reason-form.tsx';
import { useTaskRules } from './rules.ts';

type Props = {
  readonly taskId: string;
  /** Null if the viewer can't see it anymore. */
  readonly task: FullTask | null;
};

/** What the viewer typed about a task into fields that are gone, after a change by someone else. */
export function KeptTexts({ taskId, task }: Props) {
  // Without the sprints, no field is open yet. Drafts are never shown to someone who views as their writer.
  const isKnown = useSprints().length > 0;
  const isReadOnly = useReadOnly() !== null;
  if (!isKnown || isReadOnly) return null;
  return task ? <OfTask task={task} /> : <OfMissing taskId={taskId} />;
}

function OfTask({ task }: { readonly task: FullTask }) {
  const viewer = useViewer();
  const { actions } = useTaskRules(viewer, task);
  const { closed, why } = closedBy(viewer, task);
  const fields = fieldsOf(task.id, actions, closed, task);
  const notes = task.notes.map((note) => noteDraft(task.id, note.id));
  return <Texts taskId={task.id} fields={fields} notes={notes} why={why} />;
}

const OfMissing = ({ taskId }: { readonly taskId: string }) => (
  <Texts taskId={taskId} fields={fieldsOf(taskId, null, true)} notes={[]} why="You can’t see this task anymore." />
);

/** Whether someone else's step closed fields. */
function closedBy(viewer: SignedIn, task: FullTask) {
  const last = task.history
    .toSorted((a, b) => b.version - a.version)
    .find(({ event, from, to }) => from !== to || event === 'withdrawn' || event === 'leftUndone');
  const closed = last !== undefined && last.actorId !== viewer.id;
  return {
    closed,
    why: closed ? `${eventSentence(last.actorName, last.event, 'this task')}.` : 'You can’t edit this anymore.',
  };
}

type Field = {
  readonly label: string;
  readonly isGone: boolean;
  /** An editor that was opened without typing holds the task's own text. */
  readonly saved?: string | undefined;
};

/** The drafts about a task. After one's own decision, its reason is no longer of use. */
function fieldsOf(
  taskId: string,
  actions: TaskActions | null,
  closed: boolean,
  task?: FullTask,
): Readonly<Record<string, Field>> {
  const edits = actions?.edit === true && !actions.resubmit;
  return {
    [`new-note:${taskId}`]: { label: 'Your note', isGone: !actions?.note },
    [reasonDraft([{ id: taskId }])]: { label: 'Your reason', isGone: closed && !actions?.decisions },
    [approvalDraft(taskId)]: { label: 'Your changes', isGone: closed && !actions?.approveEdited },
    [`task:${taskId}:title`]: { label: 'Your title', isGone: !edits, saved: task?.title },
    [`task:${taskId}:summary`]: { label: 'Your summary', isGone: !edits, saved: task?.summary },
    [`resend:${taskId}`]: { label: 'Your changes', isGone: !actions?.resubmit },
  };
}

type TextsProps = {
  readonly taskId: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** The drafts of the notes that exist. */
  readonly notes: readonly string[];
  readonly why: string;
};

function Texts({ taskId, fields, notes, why }: TextsProps) {
  const isLost = (key: string) =>
    fields[key]?.isGone ?? (key.startsWith(noteDraft(taskId, '')) && !notes.includes(key));
  const { lost, discard } = useLostDrafts(isLost);
  const texts = Object.entries(lost)
    .map(([key, value]) => ({ key, text: textOf(value) }))
    .filter(({ key, text }) => text !== fields[key]?.saved);
  const shown = texts.map(({ key, text }) => ({ key, text, label: fields[key]?.label ?? 'Your edited note' }));
  return <TextsToCopy why={why} texts={shown} onDiscard={discard} />;
}

/** Recaps that came too late for their sprint. */
export function LateRecaps({ isLate }: { readonly isLate: (key: string) => boolean }) {
  const { lost, discard } = useLostDrafts(isLate);
  const texts = Object.entries(lost).map(([key, value]) => ({ key, text: textOf(value), label: 'What you learned' }));
  return <TextsToCopy why="The recap of an earlier sprint is final." texts={texts} onDiscard={discard} />;
}

type ToCopyProps = {
  readonly why: string;
  readonly texts: readonly { readonly key: string; readonly label: string; readonly text: string }[];
  readonly onDiscard: (key: string) => void;
};

function TextsToCopy({ why, texts, onDiscard }: ToCopyProps) {
  const box = useFocusOnLoss(texts.length);
  if (texts.length === 0) return null;
  return (
    <section ref={box} className={classes.kept} role="alert" aria-label="Text that wasn’t sent">
      <p>{why} Your text wasn’t sent. Copy it or discard it.</p>
      {texts.map(({ key, label, text }) => (
        <div key={key} className={classes.text}>
          <CopyField label={label} what="text" value={text} isLong />
          <Button variant="subtle" size="compact-sm" onClick={() => onDiscard(key)}>
            Discard
          </Button>
        </div>
      ))}
    </section>
  );
}

/** A draft is a text, an edit of one, or the form that resends a task. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { text, title, summary, change } = value as Record<string, string | undefined>;
  return [text, title, summary, change].filter(Boolean).join('\n\n');
}

/** A field that is removed takes the focus with it: the text that comes instead gets it. */
function useFocusOnLoss(count: number) {
  const box = useRef<HTMLElement>(null);
  const before = useRef<number | null>(null);
  useEffect(() => {
    const isMore = before.current !== null && count > before.current;
    before.current = count;
    const active = document.activeElement;
    if (isMore && !active?.matches('input, textarea')) box.current?.querySelector('textarea')?.focus();
  }, [count]);
  return box;
}
