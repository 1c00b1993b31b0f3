// The registry of keys: declaring a shortcut names it, and the `?` dialog lists the names. Keys are off while
// someone types, and single letters can be disabled (WCAG 2.1.4).
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useReadOnly } from './writes.tsx';

export type Shortcut = {
  /** A key in `KeyboardEvent.key` notation, `mod+k` with Ctrl or Cmd, or two in sequence: `g t`. */
  readonly key: string;
  readonly label: string;
  /** Its heading in the dialog: "Everywhere", "Tasks". */
  readonly scope: string;
  /** Works above an open dialog or menu too, unless the dialog needs an answer. */
  readonly aboveDialogs?: true;
  /** Makes a change, or opens something that does: disabled in read-only mode. */
  readonly writes?: true;
  /** Opens a form, whose first field gets the keys after it. */
  readonly opensForm?: true;
  /** Changes something at once. Ignored while the keys may belong to a text that no field received. */
  readonly decides?: true;
  /** Undoes a change. Right after typing, a letter that follows shows that U was the start of a word. */
  readonly undoes?: boolean;
  /** Without it, the key is only listed: the control that has the focus acts on it. */
  readonly run?: (event: KeyboardEvent) => void;
};

export const modifierName = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** What a field of several lines says, where Enter starts a new one; nothing without a keyboard. */
export const sendHint = (what = 'sends it'): string => (isTouch() ? '' : `${modifierName}+Enter ${what}`);

/** Touch devices get no hints about keys, and Enter there leads to the next field. */
export const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches;

const sequenceMs = 1_200;
const storageKey = 'single-letter-shortcuts';

let declared: readonly Shortcut[] = [];
let lettersOn = localStorageSaysOn();
let prefix: { key: string; at: number } | null = null;
const listeners = new Set<() => void>();

const notifyListeners = () => {
  for (const listener of listeners) listener();
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Declares shortcuts while the caller is mounted. The latest declaration of a key wins. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const readOnly = useReadOnly() !== null;
  const usable = readOnly ? shortcuts.filter(({ writes }) => !writes) : shortcuts;
  const latest = useRef(usable);
  latest.current = usable;
  const names = usable.map(({ key, label, scope }) => `${key}|${label}|${scope}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other names declare anew; what runs is read from the ref.
  useEffect(() => {
    const own = latest.current.map((shortcut, index) => ({
      ...shortcut,
      ...(shortcut.run && { run: (event: KeyboardEvent) => latest.current[index]?.run?.(event) }),
    }));
    declared = [...declared, ...own];
    notifyListeners();
    return () => {
      declared = declared.filter((shortcut) => !own.includes(shortcut));
      notifyListeners();
    };
  }, [names]);
}

/** All shortcuts available now, for the dialog. */
export function useDeclaredShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(subscribe, () => declared);
}

export function useLetterShortcuts(): [on: boolean, change: (on: boolean) => void] {
  const on = useSyncExternalStore(subscribe, () => lettersOn);
  return [on, changeLetters];
}

function changeLetters(on: boolean): void {
  lettersOn = on;
  try {
    localStorage.setItem(storageKey, on ? 'on' : 'off');
  } catch {
    // Storage is disabled: the choice applies to this page only.
  }
  notifyListeners();
}

function localStorageSaysOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
}

export const isTyping = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'));

/** The last text key in a field, or in a dialog that ignored it. A key or click that leaves the place ends it. */
let typed: { readonly place: Element; readonly at: number } | null = null;
const stillTypingMs = 2_000;

/** When the page last ignored a letter of such a text. */
let ignoredAt = Number.NEGATIVE_INFINITY;
/** Letters of one word follow each other faster than this. */
const sameWordMs = 500;
/** Typing that no field received may continue after a pause. Any other key or click ends it. */
const sameSentenceMs = 4_000;
let sentenceAt = Number.NEGATIVE_INFINITY;

let lastKey = '';
let lastKeyAt = Number.NEGATIVE_INFINITY;
/** When the last key was typed in a field, including the one that left it. */
let textAt = Number.NEGATIVE_INFINITY;

/** When the last key was typed in a field that the person is still in, and which key was pressed when. */
export const lastKeys = () => ({
  typedAt: typed?.at ?? Number.NEGATIVE_INFINITY,
  pressed: lastKey,
  pressedAt: lastKeyAt,
});

/** Whether something above the page had the last key, which may have closed it. */
let wasCovered = false;

function noteTyping({ target, key }: KeyboardEvent): void {
  wasCovered = isCovered();
  lastKey = key;
  lastKeyAt = performance.now();
  if (key.length > 1 && !modifiers.has(key)) endSentence();
  const leaves = ['Enter', 'Escape', 'Tab'].includes(key);
  if (isTyping(target)) {
    textAt = lastKeyAt;
    typed = leaves ? null : { place: target, at: lastKeyAt };
  } else if (leaves && typed?.place.matches(cover)) typed = null;
}

/** Held down to type a capital letter or a symbol. */
const modifiers: ReadonlySet<string> = new Set(['Shift', 'CapsLock', 'AltGraph', 'Alt', 'Control', 'Meta', 'Dead']);

const endSentence = () => {
  sentenceAt = Number.NEGATIVE_INFINITY;
};

/** A click, or the browser's Back, which may close the field. */
const endText = () => {
  typed = null;
  endSentence();
};

/** A closing dialog is still drawn. */
export const isGone = (place: Element): boolean => !place.isConnected || place.closest('[data-closing]') !== null;

/**
 * An answer, or someone else's change, can remove a field in mid-sentence. The rest of the sentence isn't for
 * shortcuts.
 */
function isRestOfText(): boolean {
  if (typed === null || !isGone(typed.place) || performance.now() - typed.at > stillTypingMs) return false;
  typed = { ...typed, at: performance.now() };
  return true;
}

/** Space isn't one: it scrolls, or presses the focused control. */
const isLetter = ({ key }: KeyboardEvent): boolean => key.length === 1 && key !== ' ';

/** Letters right after an ignored one belong to the same text, and so does a space between them. */
function isRestOfWord(event: KeyboardEvent): boolean {
  if (event.key.length !== 1 || performance.now() - ignoredAt > sameWordMs) return false;
  ignoredAt = sentenceAt = performance.now();
  return true;
}

/** Whether the key would change something while it belongs to a text that no field received. */
function isRestOfSentence({ decides }: Shortcut): boolean {
  if (!decides || performance.now() - sentenceAt > sameSentenceMs) return false;
  ignoredAt = performance.now();
  return true;
}

let undoing = 0;

function stopUndoing(): void {
  clearTimeout(undoing);
  undoing = 0;
}

/** A second U doesn't wait: no word starts with two. */
function undoUnlessText(undo: () => void): void {
  const waits = undoing === 0 && performance.now() - textAt <= stillTypingMs;
  stopUndoing();
  if (!waits) undo();
  else
    undoing = window.setTimeout(() => {
      undoing = 0;
      undo();
    }, sameWordMs);
}

/** Another letter behind a U that still waits. */
function makesWord(event: KeyboardEvent): boolean {
  if (undoing === 0 || !isLetter(event) || find(nameOf(event))?.undoes) return false;
  stopUndoing();
  ignoredAt = performance.now();
  return true;
}

function ignore(event: KeyboardEvent): void {
  if (!isLetter(event)) return;
  const dialog = document.querySelector(`${cover}:not([data-closing])`);
  if (dialog) typed = { place: dialog, at: performance.now() };
  else ignoredAt = sentenceAt = performance.now();
}

let loading = 0;

/** Blocks the page's shortcuts while a dialog or menu loads. Returns how to unblock them. */
export function coverShortcuts(): () => void {
  loading += 1;
  return () => {
    loading -= 1;
  };
}

const closingMs = 500;

/** The page has its keys again at once, although the dialog is seen a moment longer. */
export function uncoverShortcuts(dialog: HTMLElement | null): void {
  if (!dialog) return;
  dialog.dataset.closing = '';
  // It may stay, when leaving its page is refused.
  setTimeout(() => delete dialog.dataset.closing, closingMs);
}

const cover = '[role="dialog"][aria-modal="true"]';

/**
 * An open dialog or menu has its own keys. Shortcuts declared inside it have a scope that starts with
 * "Dialog".
 */
const isCovered = (): boolean =>
  loading > 0 || document.querySelector(`${cover}:not([data-closing]), [role="menu"]`) !== null;

export const needsAnswer = (): boolean => document.querySelector('[data-needs-answer]:not([data-closing])') !== null;

/** Text typed for a dialog that didn't open must not trigger the page's buttons. */
function swallowText(): void {
  typed = { place: document.createElement('input'), at: performance.now() };
}

/** Its own keys are still declared. */
const isClosing = (): boolean => document.querySelector(`${cover}[data-closing]`) !== null;

function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key;
}

function find(key: string): Shortcut | undefined {
  const ofDialog = isCovered() ? true : isClosing() ? false : null;
  return declared.findLast(
    (shortcut) =>
      shortcut.run &&
      shortcut.key === key &&
      (shortcut.aboveDialogs || ofDialog === null || shortcut.scope.startsWith('Dialog') === ofDialog),
  );
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const name = nameOf(event);
  const isModified = name.startsWith('mod+');
  if (name === 'Escape' && wasCovered) return;
  if (!isModified && isTyping(event.target)) return;
  // Tab ends the text.
  if (name === 'Tab') typed = null;
  if (!isModified && (isRestOfText() || makesWord(event))) {
    event.preventDefault();
    return;
  }
  if (!isModified && isRestOfWord(event)) {
    if (isLetter(event)) event.preventDefault();
    return;
  }
  if (!isModified && name.length === 1 && !lettersOn) return;
  const begun = prefix && performance.now() - prefix.at < sequenceMs ? prefix.key : null;
  prefix = null;
  const found = (begun ? find(`${begun} ${name}`) : undefined) ?? find(name);
  if (found?.run) {
    event.preventDefault();
    if (isRestOfSentence(found)) return;
    if (found.aboveDialogs && needsAnswer()) swallowText();
    else if (!found.undoes) found.run(event);
    else if (!event.repeat) undoUnlessText(() => found.run?.(event));
  } else if (declared.some((shortcut) => shortcut.key.startsWith(`${name} `))) {
    prefix = { key: name, at: performance.now() };
  } else if (!isModified) ignore(event);
}

/** Whether the key opens a form of the page, also while a dialog covers it. */
export const isFormKey = (key: string): boolean =>
  lettersOn && declared.some((shortcut) => shortcut.opensForm && shortcut.key === key.toLowerCase());

/** The page's shortcut for a letter that opens a form, unless letters are off or a dialog covers the page. */
export function formOpener(letter: string | undefined): (() => void) | null {
  const found = lettersOn && letter !== undefined && !isCovered() ? find(letter.toLowerCase()) : undefined;
  const { opensForm, run } = found ?? {};
  return opensForm && run ? () => run(new KeyboardEvent('keydown', { key: letter! })) : null;
}

/** Called once by the shell. */
export function listenForShortcuts(): () => void {
  window.addEventListener('keydown', noteTyping, { capture: true });
  window.addEventListener('pointerdown', endText, { capture: true });
  window.addEventListener('popstate', endText, { capture: true });
  window.addEventListener('keydown', press);
  return () => {
    window.removeEventListener('keydown', noteTyping, { capture: true });
    window.removeEventListener('pointerdown', endText, { capture: true });
    window.removeEventListener('popstate', endText, { capture: true });
    window.removeEventListener('keydown', press);
    typed = null;
    lastKeyAt = Number.NEGATIVE_INFINITY;
    textAt = Number.NEGATIVE_INFINITY;
    ignoredAt = Number.NEGATIVE_INFINITY;
    endSentence();
    stopUndoing();
  };
}
