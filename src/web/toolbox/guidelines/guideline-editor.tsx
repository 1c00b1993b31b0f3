import { Button, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { guidelineLimits } from '#core/toolbox/guidelines.ts';
import { asApiError } from '#web/api/api-error.ts';
import { useDraft } from '#web/api/drafts.ts';
import { useMutation } from '#web/api/mutation.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Markdown } from '#web/ui/markdown.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { DifferenceSince } from './current-text.tsx';
import classes from './guideline-editor.module.css';
import { type Guidelines, guidelinesKey, type NewVersion, publish } from './guidelines-queries.ts';

type Props = { readonly current: Guidelines | null; readonly onClose: () => void };

/** Leads to what someone else published, far above the button that was pressed. */
function useWayToOther(isRefused: boolean) {
  const other = useRef<HTMLDivElement>(null);
  const showOther = () => other.current?.focus();
  useEffect(() => {
    if (isRefused) other.current?.focus();
  }, [isRefused]);
  return { other, showOther };
}

function useEditor({ current, onClose }: Props) {
  const client = useQueryClient();
  const initial: NewVersion = { text: current?.text ?? '', note: '', basedOn: current?.version ?? 0 };
  const draft = useDraft('guidelines', initial);
  const [asked, setAsked] = useState(false);
  const latest = useRef(draft.value);
  latest.current = draft.value;
  const sending = useMutation({
    mutationFn: publish,
    meta: { quiet: true },
    onSuccess: async ({ version }, sent) => {
      showToast({ message: `Version ${version} published` });
      await client.invalidateQueries({ queryKey: guidelinesKey });
      // More was typed while it was being published.
      const { text, note } = latest.current;
      if (latest.current !== sent)
        return draft.change({ text, note: note === sent.note ? '' : note, basedOn: version });
      draft.discard();
      onClose();
    },
    // Someone else has published: their changes are shown once loaded. After a lost answer, the published
    // text may be this one, and the same call again gets its answer.
    onError: (error) =>
      asApiError(error).code === 'CONFLICT' ? client.invalidateQueries({ queryKey: guidelinesKey }) : undefined,
  });
  const { value } = draft;
  const isStale = value.basedOn < (current?.version ?? 0);
  const faults = {
    text: value.text.trim() === '' ? 'Enter the text' : value.text === current?.text && 'No changes yet',
    note: value.note.trim() === '' && 'Say in one sentence what changed',
  };
  const send = () => {
    setAsked(true);
    if (!faults.text && !faults.note && !isStale && !sending.isPending) sending.mutate(value);
  };
  const throwAway = () => {
    draft.discard();
    onClose();
  };
  const differs = value.text !== (current?.text ?? '');
  const isRefused = sending.error !== null && asApiError(sending.error).code === 'CONFLICT';
  const failure = sending.error && !isRefused ? asApiError(sending.error) : null;
  const wayToOther = useWayToOther(isRefused && isStale);
  const restored = draft.restored && differs;
  return {
    draft,
    differs,
    restored,
    isStale,
    ...wayToOther,
    faults: asked ? faults : null,
    failure,
    busy: sending.isPending,
    send,
    throwAway,
  };
}

const views = [
  { value: 'write', label: 'Write' },
  { value: 'preview', label: 'Preview' },
];

/**
 * The next version with its preview. The input is saved in this browser until it is published or discarded.
 */
export function GuidelineEditor(props: Props) {
  const { current, onClose } = props;
  const { draft, differs, restored, isStale, other, showOther, faults, failure, busy, send, throwAway } =
    useEditor(props);
  const { value, change } = draft;
  const [view, setView] = useState('write');
  return (
    <>
      {isStale && current && (
        <PublishedByOther
          current={current}
          basedOn={value.basedOn}
          focused={other}
          onGoOn={() => change({ ...value, basedOn: current.version })}
        />
      )}
      <Panel
        title={`Version ${(current?.version ?? 0) + 1}`}
        note={restored ? 'your draft' : 'not published'}
        actions={
          <div className={classes.views}>
            <Segmented label="View" segments={views} value={view} onChange={setView} />
          </div>
        }
        flush
      >
        <TextColumns value={value} change={change} fault={faults?.text} view={view} />
        <div className={classes.foot}>
          <TextInput
            className={classes.note ?? ''}
            label="What changed"
            placeholder="A sixth task is allowed and marked"
            maxLength={guidelineLimits.note}
            value={value.note}
            error={faults?.note}
            onChange={({ currentTarget }) => change({ ...value, note: currentTarget.value })}
          />
          {failure && (
            <p className={classes.failure} role="alert">
              {failure.message}
            </p>
          )}
          <div className={classes.buttons}>
            <DiscardButton asks={differs} onDiscard={throwAway} />
            <Button variant="default" onClick={onClose}>
              Close and keep draft
            </Button>
            {isStale && current && <ReviewButton version={current.version} onReview={showOther} />}
            <Writes>
              <Button loading={busy} disabled={isStale} onClick={send}>
                Publish
              </Button>
            </Writes>
          </div>
        </div>
      </Panel>
    </>
  );
}

type ReviewProps = { readonly version: number; readonly onReview: () => void };

const ReviewButton = ({ version, onReview }: ReviewProps) => (
  <Button variant="default" onClick={onReview}>
    Review version {version}
  </Button>
);

function DiscardButton({ asks, onDiscard }: { readonly asks: boolean; readonly onDiscard: () => void }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button variant="subtle" color="danger" onClick={() => (asks ? setAsked(true) : onDiscard())}>
        Discard draft
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title="Discard your draft?"
        confirm="Discard draft"
        cancel="Keep editing"
        danger
        onConfirm={onDiscard}
        onClose={() => setAsked(false)}
      >
        It isn’t published yet.
      </ConfirmDialog>
    </>
  );
}

type ColumnsProps = {
  readonly value: NewVersion;
  readonly change: (value: NewVersion) => void;
  readonly fault: string | false | undefined;
  /** Which of the two a narrow screen shows. */
  readonly view: string;
};

function TextColumns({ value, change, fault, view }: ColumnsProps) {
  return (
    <div className={classes.columns} data-view={view}>
      <Textarea
        className={classes.field ?? ''}
        label="Text"
        description="Markdown: # headings, **bold**, lists, tables and links"
        autosize
        minRows={18}
        autoFocus
        maxLength={guidelineLimits.text}
        value={value.text}
        error={fault}
        onChange={({ currentTarget }) => change({ ...value, text: currentTarget.value })}
      />
      <section className={classes.preview} aria-label="Preview">
        {value.text.trim() === '' ? (
          <p className={classes.empty}>Your text appears here as readers will see it.</p>
        ) : (
          <Markdown text={value.text} document />
        )}
      </section>
    </div>
  );
}

type PublishedByOtherProps = {
  readonly current: Guidelines;
  readonly basedOn: number;
  readonly focused: RefObject<HTMLDivElement | null>;
  readonly onGoOn: () => void;
};

/** Someone else published while this text was written: shows their changes before it can replace them. */
function PublishedByOther({ current, basedOn, focused, onGoOn }: PublishedByOtherProps) {
  const { version, publishedBy, note, text } = current;
  return (
    <Panel title={`Someone published version ${version}`}>
      <div ref={focused} tabIndex={-1} className={classes.meanwhile} role="alert">
        <p>
          {publishedBy} says what changed: “{note}”. You started from{' '}
          {basedOn === 0 ? 'an empty text' : `version ${basedOn}`}. Add the changes you want to keep to your text, then
          continue.
        </p>
        {basedOn > 0 && <DifferenceSince version={basedOn} text={text} />}
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onGoOn}>
          Continue with my text
        </Button>
      </div>
    </Panel>
  );
}
