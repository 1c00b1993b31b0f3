// Unsent input, saved per person to survive a failure, a reload and the error page. Signing out asks, then
// removes it.
import { useCallback, useEffect, useRef, useState } from 'react';
import { ownPrefix, personPrefix } from './session.ts';
import { readStored, storedKeys, writeStored } from './stored.ts';
import { useViewer } from './viewer.ts';
import { isViewing } from './viewing-tab.ts';

const draftMark = ':draft:';

/** How many drafts the signed-in person has in this browser. Signing out deletes them. */
export const unsentDrafts = (): number =>
  storedKeys('local', ownPrefix()).filter((key) => key.includes(draftMark)).length;

/** Saves after a pause, not on every key. */
const restMs = 250;

export type Draft<Value> = {
  readonly value: Value;
  readonly change: (value: Value) => void;
  /** After sending, or when the person discards it. */
  readonly discard: () => void;
  /** Whether a saved draft was found. */
  readonly restored: boolean;
};

const draftAt = (personId: string, key: string): string => `${personPrefix}${personId}${draftMark}${key}`;

/** While viewing as someone else, nothing is saved among that person's drafts. */
const store = (at: string, text: string | null): void => {
  if (!isViewing()) writeStored('local', at, text);
};

/** Keeps a text as the draft of a place that isn't open. */
export function keepDraft(personId: string, key: string, text: string): void {
  store(draftAt(personId, key), JSON.stringify(text));
}

/** `key` names the place ("new-task", "note:17"); `initial` is the value without a draft. */
export function useDraft<Value>(key: string, initial: Value): Draft<Value> {
  const { id } = useViewer();
  const stored = draftAt(id, key);
  const [found] = useState(() => read<Value>(stored));
  const [value, setValue] = useState(found ?? initial);
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

  const change = (next: Value) => {
    setValue(next);
    if (pending.current) clearTimeout(pending.current.timer);
    const text = JSON.stringify(next);
    // Text that is back to how it started is no draft.
    const kept = text === JSON.stringify(initial) ? null : text;
    const write = () => store(stored, kept);
    pending.current = { timer: window.setTimeout(flush, restMs), write };
  };
  const discard = () => {
    if (pending.current) clearTimeout(pending.current.timer);
    pending.current = null;
    setValue(initial);
    writeStored('local', stored, null);
  };
  return { value, change, discard, restored: found !== null };
}

function read<Value>(key: string): Value | null {
  const text = readStored('local', key);
  if (text === null) return null;
  try {
    return JSON.parse(text) as Value;
  } catch {
    return null;
  }
}
