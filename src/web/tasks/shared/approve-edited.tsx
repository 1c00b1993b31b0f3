import { Button, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { categories } from '#core/access/brands.ts';
import { listWords } from '#core/base/formats.ts';
import { limits } from '#core/base/limits.ts';
import { fieldTitles, type Work, workFields } from '#core/tasks/task.ts';
import { workInput } from '#core/tasks/task-inputs.ts';
import { useDraft, useHasDraft } from '#web/api/drafts.ts';
import { typedSince } from '#web/ui/conflict.tsx';
import { ConfirmDialog, losses } from '#web/ui/dialog.tsx';
import { Form, type FormOf, useForm } from '#web/ui/form.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import classes from './approve-edited.module.css';
import { ChangedTexts, useChangedTexts } from './changed-texts.tsx';
import { authorsSince } from './past.ts';
import type { FullTask } from './queries.ts';
import { leavesByEscape } from './send-keys.ts';

type Base = { readonly version: number; readonly values: Work };
/** What is typed, and the version of the task that it changes. */
type Edit = Work & { readonly base: Base };

const workOf = ({ title, summary, category }: Work): Work => ({ title, summary, category });
const wordsOf = (work: Work) => Object.fromEntries(workFields.map((field) => [fieldTitles[field], work[field]]));
const isEmpty = (edit: Partial<Work>): boolean => Object.keys(edit).length === 0;

export const approvalDraft = (taskId: string): string => `approve:${taskId}`;

/** Whether the form of this task is open. It opens again while it holds a draft. */
export function useApproveEdited(taskId: string) {
  const [openId, setOpenId] = useState<string | null>(null);
  const hasDraft = useHasDraft(approvalDraft(taskId));
  useEffect(() => {
    if (hasDraft) setOpenId(taskId);
  }, [hasDraft, taskId]);
  return {
    isOpen: openId === taskId,
    open: () => setOpenId(taskId),
    close: () => setOpenId((now) => (now === taskId ? null : now)),
  };
}

type WorkProps = {
  readonly form: Pick<FormOf<Work>, 'field'>;
  readonly onLeave: () => void;
  readonly focuses?: boolean;
};

/** The texts of a task that an approver or its owner changes together. */
export function WorkFields({ form, onLeave, focuses = false }: WorkProps) {
  const text = (name: 'title' | 'summary') => ({
    ...{ ...form.field(name), ...leavesByEscape(onLeave), label: fieldTitles[name] },
    ...{ maxLength: limits[name], autosize: true },
  });
  return (
    <>
      <Textarea autoFocus={focuses} data-autofocus={focuses || undefined} {...text('title')} />
      <Textarea minRows={4} maxRows={16} {...text('summary')} />
      <SearchSelect
        label={fieldTitles.category}
        allowDeselect={false}
        data={[...categories]}
        {...form.field('category')}
      />
    </>
  );
}

type Props = {
  readonly task: FullTask;
  /** Resolves to whether the approval succeeded. A toast shows why it didn't. */
  readonly onSend: (task: FullTask, edit: Partial<Work>) => Promise<boolean>;
  readonly onSent: () => void;
  readonly onLeave: () => void;
};

function useApprovalForm({ task, onSend, onSent }: Omit<Props, 'onLeave'>) {
  const saved = workOf(task);
  const draft = useDraft<Edit | null>(approvalDraft(task.id), null);
  const [begun] = useState(draft.value);
  const [base] = useState<Base>(begun?.base ?? { version: task.version, values: saved });
  const texts = useChangedTexts([task]);
  const authors = authorsSince(task.history, base.version).map(({ name }) => name);
  const form = useForm({
    initial: begun ? workOf(begun) : saved,
    input: (typed) => ({ ...typed, title: typed.title.trim() }),
    schema: workInput,
    // What is typed is kept until the approval succeeds.
    mutation: {
      isPending: false,
      mutateAsync: async ([version, edit]: readonly [number, Partial<Work>]) => {
        if (isEmpty(edit) && texts.holdsBack('writes')) return false;
        return onSend({ ...task, version }, edit).catch(() => false);
      },
    },
    variables: (typed, version) => [version, typedSince(saved, typed)] as const,
    saved: {
      ...{ version: task.version, values: saved, words: wordsOf, base },
      by: authors.length > 0 ? listWords(authors) : null,
    },
    onSent: (stands) => {
      if (!stands) return;
      draft.discard();
      onSent();
    },
    keep: (typed) => {
      if (isEmpty(typedSince(saved, typed))) return draft.discard();
      const since = form.conflict && draft.value ? draft.value.base : { version: task.version, values: saved };
      draft.change({ ...typed, base: since });
    },
  });
  return { form, texts, draft, isTyped: !isEmpty(typedSince(saved, form.values)) };
}

/** An approver's changes to a task, in place of its texts. They are sent with its approval (D17). */
export function ApproveEdited({ onLeave, ...props }: Props) {
  const { form, texts, draft, isTyped } = useApprovalForm(props);
  const [isAsked, setAsked] = useState(false);
  const discard = () => {
    draft.discard();
    onLeave();
  };
  const leave = () => (isTyped ? setAsked(true) : discard());
  return (
    <>
      <Form form={form} className={classes.form} label={approveEdited} mine="Approve with mine">
        <WorkFields form={form} onLeave={leave} focuses />
        {!form.conflict && (
          <>
            <ChangedTexts {...texts} />
            <div className={classes.buttons}>
              <Button size="sm" type="submit" aria-keyshortcuts="Control+Enter Meta+Enter">
                {approveEdited}
              </Button>
              <Button size="sm" variant="default" onClick={leave}>
                Cancel
              </Button>
            </div>
          </>
        )}
      </Form>
      <ConfirmDialog opened={isAsked} {...losses.typed} danger onClose={() => setAsked(false)} onConfirm={discard} />
    </>
  );
}

export const approveEdited = 'Approve with edits';
