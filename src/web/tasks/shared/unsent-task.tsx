import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type Category, defaultCategory } from '#core/access/brands.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { endsSoon } from '#core/tasks/sprint.ts';
import { config } from '#web/api/config.ts';
import { type Draft, saveDraft, savedDraft, useDraft, useDraftList, useHasDraft } from '#web/api/drafts.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import type { FormOf } from '#web/ui/form.tsx';
import { UnsentNotice } from '#web/ui/unsent-notice.tsx';
import { shortened } from './mutations.ts';
import { decidedPersonQuery, type FullTask, nextSprint, type Sprint } from './queries.ts';

export type Values = Record<'title' | 'summary' | 'category' | 'sprintId' | 'userId', string>;
export type NewTaskFormOf = FormOf<Values>;

export const newTaskDraft = 'new-task';

export type DraftProps = {
  readonly viewer: SignedIn;
  /** The displayed board's person and sprint. */
  readonly personId: string;
  readonly sprintId: string | null;
  /** Whether the person has closed the current sprint. */
  readonly isWeekClosed?: boolean;
  /** The displayed board's brand, if it shows only one. */
  readonly brand?: Category | undefined;
  readonly draftKey?: string;
  /** The fields that are shown. A draft keeps only what can be seen. */
  readonly shows?: { readonly sprint: boolean; readonly person: boolean };
};

const nothing = { sprint: false, person: false };

/** The unsent task, a blank one, and what a draft becomes here. */
export function useTaskDraft(
  { viewer, personId, brand = defaultCategory, draftKey = newTaskDraft, shows = nothing, ...planned }: DraftProps,
  open: readonly Sprint[],
) {
  const blank: Values = {
    title: '',
    summary: '',
    category: brand,
    sprintId: sprintToPlan(open, planned)?.id ?? '',
    userId: personId,
  };
  /** Another person's page means that person. */
  const aimed = (values: Values): Values => {
    const isKept = (values.title !== '' || values.summary !== '') && personId === viewer.id;
    const isOpen = open.some(({ id }) => id === values.sprintId);
    return {
      ...values,
      userId: isKept && shows.person ? values.userId : blank.userId,
      sprintId: isKept && shows.sprint && isOpen ? values.sprintId : blank.sprintId,
    };
  };
  return { draft: useDraft(draftKey, blank), blank, aimed };
}

type Planned = Pick<DraftProps, 'sprintId' | 'isWeekClosed'>;

/** The displayed sprint, else the current one. */
const sprintShown = (open: readonly Sprint[], sprintId: string | null): Sprint | undefined =>
  open.find(({ id }) => id === sprintId) ?? open.find(({ current }) => current) ?? open[0];

/** Why new tasks go to the sprint after the displayed one: it is closed or nearly over. */
export function whyNextSprint(open: readonly Sprint[], { sprintId, isWeekClosed = false }: Planned): string | null {
  const sprint = sprintShown(open, sprintId);
  if (!sprint?.current || !nextSprint(sprint, open)) return null;
  if (isWeekClosed) return `${sprint.name} is closed, so new tasks go to the next sprint.`;
  if (!endsSoon(Temporal.Instant.from(sprint.endDate), Temporal.Now.instant())) return null;
  const end = formatInstant(sprint.endDate, config().companyTimeZone);
  return `${sprint.name} ends ${end}, so new tasks go to the next sprint.`;
}

function sprintToPlan(open: readonly Sprint[], planned: Planned): Sprint | undefined {
  const sprint = sprintShown(open, planned.sprintId);
  return (sprint && whyNextSprint(open, planned) !== null && nextSprint(sprint, open)) || sprint;
}

type UnsentProps = {
  readonly viewer: SignedIn;
  readonly form: NewTaskFormOf;
  readonly draft: Draft<Values>;
  readonly blank: Values;
  /** With the person and sprint that this form can show. */
  readonly aimed: (values: Values) => Values;
  /** What the form holds next is another task. */
  readonly endCorrection: () => void;
  readonly title: RefObject<HTMLTextAreaElement | null>;
  /** Whether the draft is a copy that was just made. Its title is changed, not typed over. */
  readonly isCopy?: boolean | undefined;
};

const keptKey = 'new-task:kept';
/** Where an older version keeps one draft, which it can't read as a list. */
const olderKey = 'new-task:aside';
const mostKept = 10;

/** The words of the button that opens the form, which say that a draft waits in it. */
export const NewTaskWords = () => (useHasDraft(newTaskDraft, keptKey, olderKey) ? 'New task (draft)' : 'New task');

/** Drafts whose titles were typed over. They are kept until someone sends, restores or discards them. */
export const useKeptDrafts = () => useDraftList<Values>(keptKey);

/** Puts a copy of the task into the form that opens next, and keeps the draft that waits there for later. */
export function copyToDraft(viewerId: string, task: FullTask): void {
  const { title, summary, category, userId } = task;
  const waiting = savedDraft<Values>(viewerId, newTaskDraft);
  if (waiting && (waiting.title !== '' || waiting.summary !== '') && !isCopyOf(task, waiting)) {
    const kept = savedDraft<readonly Values[]>(viewerId, keptKey) ?? [];
    saveDraft(viewerId, keptKey, [...without(kept, waiting), waiting].slice(-mostKept));
  }
  // Without its sprint: the form offers the one to plan.
  saveDraft(viewerId, newTaskDraft, { title, summary, category, userId, sprintId: '' } satisfies Values);
}

/** Removes a copy that was closed as it came: nothing of it was typed. */
export function dropUntouchedCopy(viewerId: string, task: FullTask): void {
  const draft = savedDraft<Values>(viewerId, newTaskDraft);
  if (draft && isCopyOf(task, draft)) saveDraft(viewerId, newTaskDraft, null);
}

const isCopyOf = ({ title, summary, category }: FullTask, draft: Values): boolean =>
  draft.title === title && draft.summary === summary && draft.category === category;

const without = (drafts: readonly Values[], gone: Values): readonly Values[] =>
  drafts.filter((one) => JSON.stringify(one) !== JSON.stringify(gone));

function useOlderDraft(personId: string, change: ReturnType<typeof useKeptDrafts>['change']): void {
  useEffect(() => {
    const older = savedDraft<Values | readonly Values[]>(personId, olderKey);
    if (older === null) return;
    saveDraft(personId, olderKey, null);
    change((kept) => [older, kept].flat());
  });
}

function useTypedOver(found: Values | null, { viewer, form, blank, title, endCorrection }: UnsentProps) {
  const { list: kept, change } = useKeptDrafts();
  useOlderDraft(viewer.id, change);
  const isOver = useReplaced(title, found?.title ?? '');
  useEffect(() => {
    const isReplaced = found && isOver.current && !['', found.title].includes(form.values.title);
    if (!isReplaced) return;
    isOver.current = false;
    endCorrection();
    if (form.values.summary !== found.summary) return;
    change((stored) => [...without(stored, found), found].slice(-mostKept));
    form.set({ ...blank, title: form.values.title });
  });
  return { kept, change };
}

/** Whether the whole text was selected at the last change: what comes takes its place. */
function useReplaced(title: UnsentProps['title'], text: string) {
  const isReplaced = useRef(false);
  useEffect(() => {
    const field = title.current;
    const look = () => {
      // The selected text was deleted first.
      if (!field || field.value === '') return;
      const { value, selectionStart, selectionEnd } = field;
      isReplaced.current = value === text && selectionStart === 0 && selectionEnd === value.length;
    };
    field?.addEventListener('beforeinput', look);
    field?.addEventListener('paste', look);
    return () => {
      field?.removeEventListener('beforeinput', look);
      field?.removeEventListener('paste', look);
    };
  }, [title, text]);
  return isReplaced;
}

/**
 * Says that the form holds a task that wasn't sent. What is typed at once begins another task, which doesn't
 * take the draft's summary and brand with it.
 */
export function Unsent(props: UnsentProps) {
  const { draft, title, isCopy = false } = props;
  const [found, setFound] = useState(draft.restored && !isCopy ? draft.value : null);
  const typedOver = useTypedOver(found, props);
  useEffect(() => {
    const field = title.current;
    field?.setSelectionRange(isCopy ? field.value.length : 0, field.value.length);
  }, [title, isCopy]);
  return (
    <>
      {found && <Found {...props} found={found} />}
      <KeptDraft {...props} {...typedOver} onRestored={setFound} />
    </>
  );
}

type KeptDraftProps = UnsentProps & ReturnType<typeof useTypedOver> & { readonly onRestored: (draft: Values) => void };

/** The latest draft that was typed over. What is in the form takes its turn after the others. */
function KeptDraft({ form, aimed, endCorrection, title, kept, change, onRestored }: KeptDraftProps) {
  const latest = kept.at(-1);
  if (!latest) return null;
  const bringBack = () => {
    const typed = form.values;
    endCorrection();
    form.set(aimed(latest));
    onRestored(latest);
    change((stored) => [...(typed.title === '' && typed.summary === '' ? [] : [typed]), ...without(stored, latest)]);
    title.current?.focus();
  };
  return (
    <UnsentNotice
      actions={[
        { label: 'Restore draft', run: bringBack },
        { label: 'Discard draft', run: () => change((stored) => without(stored, latest)) },
      ]}
    >
      You have another draft: “{shortened(latest.title || latest.summary)}”.
    </UnsentNotice>
  );
}

function Found({ viewer, form, blank, aimed, title, found }: UnsentProps & { readonly found: Values }) {
  const wasForOther = aimed(found).userId !== found.userId;
  const isOwn = found.userId === viewer.id;
  const { data: person } = useQuery({ ...decidedPersonQuery(found.userId), enabled: wasForOther && !isOwn, meta: {} });
  const isBack = (field: 'title' | 'summary') => found[field] && form.values[field] === found[field];
  if (!isBack('title') && !isBack('summary')) return null;
  const startOver = () => {
    form.set({
      ...(isBack('title') ? { ...blank, summary: form.values.summary } : {}),
      ...(isBack('summary') && { summary: '' }),
    });
    title.current?.focus();
  };
  const whose = isOwn ? 'you' : (person?.displayName ?? 'someone else');
  return (
    <UnsentNotice actions={[{ label: 'Start over', run: startOver }]}>
      Unsent draft restored.{wasForOther && ` It was for ${whose}.`}
    </UnsentNotice>
  );
}
