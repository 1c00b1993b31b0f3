import { Button, Textarea } from '@mantine/core';
import { bonusLimits } from '#core/toolbox/bonus-plans.ts';
import { config } from '#web/api/config.ts';
import { useDraftSending } from '#web/api/draft-sending.ts';
import { useDraft } from '#web/api/drafts.ts';
import { shortened } from '#web/tasks/shared/mutations.ts';
import { Age } from '#web/ui/age.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { type StatementLine, useSay } from './bonus-queries.ts';
import classes from './line-panel.module.css';
import { Thread } from './thread-state.tsx';

type Props = { readonly statementId: string; readonly line: StatementLine; readonly isOwn: boolean };

/** A line's messages. The person asks; their decider answers. */
export function LineThread({ statementId, line, isOwn }: Props) {
  const zone = config().companyTimeZone;
  const asks = isOwn || line.messages.length > 0;
  return (
    <section className={classes.section}>
      <h3>Questions {line.thread !== null && <Thread state={line.thread} />}</h3>
      <ul className={classes.messages}>
        {line.messages.map(({ id, authorName, isQuestion, text, at }) => (
          <li key={id} className={classes.message}>
            <p className={classes.by}>
              {authorName} {isQuestion ? 'asked' : 'answered'} <Age instant={at} zone={zone} ago />
            </p>
            {text}
          </li>
        ))}
      </ul>
      {asks ? (
        <MessageForm statementId={statementId} line={line} isOwn={isOwn} />
      ) : (
        <p className={classes.quiet}>No questions about this part.</p>
      )}
    </section>
  );
}

/** The form of a message, which is found if an earlier call with a lost answer sent it. */
function useMessageForm({ statementId, line: { key: line }, isOwn }: Props) {
  const draftKey = `bonus-${statementId}-${line}`;
  const draft = useDraft(draftKey, '');
  const { say, reread } = useSay();
  const empty = () => form.restart({ text: '' }) || draft.discard();
  const showSent = () => showToast({ message: isOwn ? 'Your question was sent' : 'Your answer was sent' });
  const { send, isSending, endCorrection } = useDraftSending<string, unknown>({
    draft: draftKey,
    send: (text, key) => say({ message: { statementId, line, text }, key }),
    // Messages are never removed.
    find: () => reread().then(() => true),
    onFound: (text, isMade): boolean => {
      if (isMade) showSent();
      else {
        void reread();
        showToast({ message: `“${shortened(text)}” was sent in another tab` });
      }
      const typed = form.values.text.trim();
      if (typed === text) {
        form.set({ text: '' });
        draft.discard();
      }
      return typed !== '' && typed !== text;
    },
    nameOf: shortened,
  });
  const form = useForm({
    initial: { text: draft.value },
    rule: ({ text }) =>
      text.trim() ? null : { field: 'text', message: isOwn ? 'Write your question first' : 'Write your answer first' },
    mutation: { isPending: isSending, mutateAsync: send },
    variables: ({ text }) => text.trim(),
    onSent: () => {
      empty();
      showSent();
    },
    keep: ({ text }) => {
      if (text.trim() === '') endCorrection();
      draft.change(text);
    },
  });
  return form;
}

function MessageForm(props: Props) {
  const { isOwn } = props;
  const form = useMessageForm(props);
  return (
    <Form form={form} className={classes.form}>
      <Textarea
        label={isOwn ? 'Ask about this part' : 'Answer'}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={bonusLimits.message}
        {...form.field('text')}
      />
      <Button type="submit" loading={form.busy}>
        {isOwn ? 'Ask' : 'Answer'}
      </Button>
    </Form>
  );
}
