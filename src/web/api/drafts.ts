// Unsent input, saved per person to survive a failure, a reload and the error page. Signing out asks, then
// removes it.
import { useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { ownPrefix, personPrefix, readToken } from './session.ts';
import { readStored, storedKeys, writeStored } from './stored.ts';
import { useViewer } from './viewer.ts';
import { isViewing } from './viewing-tab.ts';

const draftMark = ':draft:';

/** What a draft is, by the start of its key. */
const draftNames: Readonly<Record<string, string>> = {
  'new-task': 'a new task',
  drop: 'why you didn’t finish a task',
  learned: 'what you learned',
  'next-week': 'tasks for the next week',
  'new-note': 'a note',
  note: 'an edited note',
  reason: 'a reason for a decision',
  task: 'changes to a task',
  approve: 'changes to a task',
  resend: 'a task to resend',
  'new-meeting': 'a new meeting',
  meeting: 'changes to a meeting',
  guidelines: 'the guidelines',
  bonus: 'a message about a bonus',
  roles: 'changes to roles',
  setting: 'changes to a setting',
  'new-person': 'a new person',
  person: 'changes to a person',
  grants: 'changes to permissions',
  'import-mapping': 'an import mapping',
};

const nameOf = (key: string): string => {
  const known = Object.keys(draftNames).find((start) => key === start || key.startsWith(`${start}:`));
  return draftNames[known ?? key.split('-')[0] ?? ''] ?? 'other text';
};

/** The kinds of drafts about one item. Their keys are "kind:id" or "kind:id:part", or name several ids. */
const kindsAbout = {
  task: ['new-note', 'note', 'reason', 'task', 'approve', 'resend', 'drop'],
  person: ['person', 'grants'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type DraftAbout = keyof typeof kindsAbout;

type Subject = { readonly kind: string; readonly about: DraftAbout; readonly ids: readonly string[] };

function subjectOf(key: string): Subject | null {
  const [kind = '', ids = ''] = key.split(':');
  const all = Object.keys(kindsAbout) as DraftAbout[];
  const about = all.find((each) => (kindsAbout[each] as readonly string[]).includes(kind));
  return about ? { kind, about, ids: ids.split(',') } : null;
}

export type UnsentDraft = {
  readonly key: string;
  /** "a note" */
  readonly name: string;
  /** What it is about, if that is a task or a person. */
  readonly subject: Subject | null;
};

/** Drafts of one kind that wait together (`useDraftList`). */
const lists: readonly string[] = ['new-task:kept'];

/** The signed-in person's drafts in this browser, each of a list. Signing out deletes them. */
export function unsentDrafts(): UnsentDraft[] {
  for (const { flush } of shown) flush();
  return storedKeys('local', ownPrefix()).flatMap((stored) => {
    const [, key] = stored.split(draftMark);
    if (key === undefined) return [];
    const waiting = lists.includes(key) ? read<readonly unknown[]>(stored) : null;
    const draft = { name: nameOf(key), subject: subjectOf(key) };
    return (waiting ?? [null]).map((_one, at) => ({ ...draft, key: `${key} ${at}` }));
  });
}

type Shown = { key: string; isTyped: boolean; flush: () => void };

const shown = new Set<Shown>();

/** The drafts on screen that hold text. A failure names them, and the way back opens them again. */
export const openDrafts = (): string[] => [...shown].flatMap(({ key, isTyped }) => (isTyped ? [key] : []));

function useShown(now: Shown): void {
  const [own] = useState(() => ({ ...now }));
  useEffect(() => void Object.assign(own, now));
  useEffect(() => {
    shown.add(own);
    return () => void shown.delete(own);
  }, [own]);
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** The drafts that were open when a call failed. */
    drafts?: readonly string[];
  }
}

/** The saved drafts that a failure interrupted on this page. */
export function useInterruptedDrafts(): readonly string[] {
  const { id } = useViewer();
  const interrupted = useLocation({ select: ({ state }) => state.drafts }) ?? [];
  return interrupted.filter((key) => readStored('local', draftAt(id, key)) !== null);
}

/** Whether a draft is saved now. */
export const hasDraft = (personId: string, key: string): boolean =>
  readStored('local', draftAt(personId, key)) !== null;

/** The saved drafts whose fields are gone, by what `isLost` says of their keys. */
export function useLostDrafts(isLost: (key: string) => boolean) {
  const { id } = useViewer();
  const prefix = draftAt(id, '');
  const [lost, setLost] = useState<Readonly<Record<string, unknown>>>({});
  const keys = (all: readonly string[]) => all.map((stored) => stored.slice(prefix.length)).filter(isLost);
  // After a field that is removed in the same moment has saved its text.
  useEffect(() => {
    for (const { flush } of shown) flush();
    const now = keys(storedKeys('local', prefix));
    if (now.join() === Object.keys(lost).join()) return;
    setLost(Object.fromEntries(now.map((key) => [key, read(draftAt(id, key))])));
  });
  const discard = (key: string) => {
    write(draftAt(id, key), null);
    setLost(({ [key]: _gone, ...rest }) => rest);
  };
  return { lost, discard };
}

/** Whether the dialog or editor that holds this draft starts open, because a failure interrupted it. */
export const useReopens = (key: string): boolean => useInterruptedDrafts().includes(key);

/** Saves after a pause, not on every key. */
const restMs = 250;

export type Draft<Value> = {
  readonly value: Value;
  readonly change: (value: Value) => void;
  /** After sending, or when the person discards it. */
  readonly discard: () => void;
  /** Whether a saved draft was found. */
  readonly restored: boolean;
  /** Whether it is a text that was sent and undone (`keepDraft`), which typing replaces. */
  readonly isOffered: boolean;
};

const draftAt = (personId: string, key: string): string => `${personPrefix}${personId}${draftMark}${key}`;

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

const write = (at: string, text: string | null): void => {
  writeStored('local', at, text);
  for (const listener of listeners) listener();
};

/** While viewing as someone else, nothing is saved among that person's drafts. */
const store = (at: string, text: string | null): void => {
  if (!isViewing()) write(at, text);
};

/** Whether one of these drafts waits, for a mark outside its form. */
export function useHasDraft(...keys: readonly string[]): boolean {
  const { id } = useViewer();
  return useSyncExternalStore(subscribe, () => keys.some((key) => hasDraft(id, key)));
}

/** The same for everything typed about a task or person, except while viewing as its writer. */
export function useHasDraftAbout(about: DraftAbout, id: string): boolean {
  const prefix = draftAt(useViewer().id, '');
  const isAbout = (stored: string) => {
    const subject = subjectOf(stored.slice(prefix.length));
    return subject?.about === about && subject.ids.includes(id);
  };
  return useSyncExternalStore(subscribe, () => !isViewing() && storedKeys('local', prefix).some(isAbout));
}

/** Where a text is offered again, until it is changed. */
const offered = new Set<string>();

/** Offers a text that was sent and undone as the draft of a place that isn't open. */
export function keepDraft(personId: string, key: string, text: string): void {
  const at = draftAt(personId, key);
  offered.add(at);
  store(at, JSON.stringify(text));
}

/** What this tab last read or saved of drafts that save each change themselves. */
const ownTexts = new Map<string, string | null>();

/** A draft of what outlives its component. Null removes it, unless another tab has written it since. */
export function saveDraft(personId: string, key: string, value: unknown): void {
  const at = draftAt(personId, key);
  const text = value === null ? null : JSON.stringify(value);
  if (text === null && readStored('local', at) !== ownTexts.get(at)) return;
  store(at, text);
  // A full storage keeps what it had.
  ownTexts.set(at, readStored('local', at));
}

export function savedDraft<Value>(personId: string, key: string): Value | null {
  const at = draftAt(personId, key);
  ownTexts.set(at, readStored('local', at));
  return read(at);
}

/** Drafts of one kind that wait together. A change starts from what is stored, which other tabs change too. */
export function useDraftList<Value>(key: string) {
  const at = draftAt(useViewer().id, key);
  const text = useSyncExternalStore(subscribe, () => readStored('local', at));
  const list = useMemo(() => parsed<readonly Value[]>(text) ?? [], [text]);
  const change = (next: (stored: readonly Value[]) => readonly Value[]) => {
    const left = next(read<readonly Value[]>(at) ?? []);
    store(at, left.length === 0 ? null : JSON.stringify(left));
  };
  return { list, change };
}

/** `key` names the place ("new-task", "note:17"); `initial` is the value without a draft. */
export function useDraft<Value>(key: string, initial: Value): Draft<Value> {
  const { id } = useViewer();
  const stored = draftAt(id, key);
  const [found] = useState(() => read<Value>(stored));
  const [isOffered] = useState(() => offered.has(stored));
  const [value, setValue] = useState(found ?? initial);
  // What this tab last read or saved. Another tab's text isn't discarded.
  const own = useRef(found === null ? null : JSON.stringify(found));
  const pending = useRef<{ timer: number; write: () => unknown } | null>(null);

  const flush = useCallback(() => {
    if (!pending.current) return;
    clearTimeout(pending.current.timer);
    pending.current.write();
    pending.current = null;
  }, []);
  useEffect(() => {
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);

  useEffect(() => {
    const keep = ({ key: changed, oldValue, newValue }: StorageEvent) => {
      const isOthersGone = changed === stored && newValue === null && oldValue !== own.current;
      // Another tab sent its own text, which had taken this one's place. Signing out isn't that.
      if (isOthersGone && own.current !== null && readToken() !== null) store(stored, own.current);
    };
    window.addEventListener('storage', keep);
    return () => window.removeEventListener('storage', keep);
  }, [stored]);

  useShown({ key, isTyped: JSON.stringify(value) !== JSON.stringify(initial), flush });

  const change = (next: Value) => {
    setValue(next);
    offered.delete(stored);
    if (pending.current) clearTimeout(pending.current.timer);
    const text = JSON.stringify(next);
    // Text that is back to how it started is no draft.
    const kept = text === JSON.stringify(initial) ? null : text;
    const save = () => {
      own.current = kept;
      store(stored, kept);
    };
    pending.current = { timer: window.setTimeout(flush, restMs), write: save };
  };
  const discard = () => {
    if (pending.current) clearTimeout(pending.current.timer);
    pending.current = null;
    offered.delete(stored);
    setValue(initial);
    const sent = own.current;
    own.current = null;
    if (readStored('local', stored) === sent) write(stored, null);
  };
  return { value, change, discard, restored: found !== null, isOffered };
}

const read = <Value>(key: string): Value | null => parsed(readStored('local', key));

function parsed<Value>(text: string | null): Value | null {
  if (text === null) return null;
  try {
    return JSON.parse(text) as Value;
  } catch {
    return null;
  }
}
