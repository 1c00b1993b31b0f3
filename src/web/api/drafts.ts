// What somebody typed and has not sent yet: kept per person, so that it survives a failure, a reload and the error page.
// Signing out removes it with everything else of the person.
import { useCallback, useEffect, useRef, useState } from 'react';
import { ofPerson } from './session.ts';
import { readStored, writeStored } from './stored.ts';
import { useViewer } from './viewer.ts';
import { isViewing } from './viewing-tab.ts';

/** Typing is written at rest, not at every key. */
const restMs = 250;

export type Draft<Value> = {
  readonly value: Value;
  readonly change: (value: Value) => void;
  /** After sending, or when the person throws it away. */
  readonly discard: () => void;
  /** Whether something typed earlier was found. */
  readonly restored: boolean;
};

/** `key` names the place ("new-task", "note:17"); `initial` is what stands there without a draft. */
export function useDraft<Value>(key: string, initial: Value): Draft<Value> {
  const { id } = useViewer();
  const stored = `${ofPerson}${id}:draft:${key}`;
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
    // Whoever looks as somebody else leaves nothing behind among that person's drafts.
    const write = () => !isViewing() && writeStored('local', stored, JSON.stringify(next));
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
