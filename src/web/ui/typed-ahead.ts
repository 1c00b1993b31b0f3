// Keys typed while a dialog or form opens belong to its field, which doesn't have the focus yet.
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { formOpener, isTyping, lastKeys, needsAnswer } from './shortcuts.ts';
import { noticedMs, typingEndMs } from './timing.ts';
import { showError } from './toasts.tsx';

let typed = '';
/** Enter was the last key. */
let isEntered = false;
let onEscape: (() => void) | null = null;
/** Who waits for a text field. Until one has the focus, the focus of anything else doesn't end it. */
const waiting = new Set<object>();

function capture(event: KeyboardEvent): void {
  const { key, target } = event;
  if (target instanceof HTMLInputElement && target.type === 'password') return;
  if (event.ctrlKey || event.metaKey || event.altKey || key === 'Shift') return;
  if (key === 'Escape' || (key.length > 1 && key !== 'Backspace' && key !== 'Enter')) {
    // These keys are for the question. What was typed for the page is kept.
    if (isUnderQuestion()) return;
    const leave = key === 'Escape' ? onEscape : null;
    dropTypedAhead();
    // Otherwise an open dialog closes itself, and Tab moves on.
    if (!leave) return;
    leave();
  } else if (key === 'Backspace') typed = typed.slice(0, -1);
  else if (key !== 'Enter') typed += key;
  isEntered = key === 'Enter';
  event.preventDefault();
  event.stopPropagation();
}

const isUnderQuestion = (): boolean => waiting.size > 0 && needsAnswer();

const onPointer = () => {
  if (!isUnderQuestion()) dropTypedAhead();
};

const onFieldFocus = ({ target }: FocusEvent) => {
  if (!(target instanceof HTMLElement) || !target.matches(textField)) return;
  // A question's field takes nothing that was typed for the page.
  if (!target.closest('[data-needs-answer]') || waiting.size === 0) giveTo(target);
};

/**
 * From a key that leads to a text field until a text field has the focus: the keys in between are typed into
 * it, and Enter at their end is pressed there unless they replace a text. Esc calls `leave`; other keys that
 * don't type, and the pointer, end it.
 */
export function typeAhead(leave: (() => void) | null = null): void {
  window.addEventListener('keydown', capture, true);
  window.addEventListener('pointerdown', onPointer, true);
  document.addEventListener('focusin', onFieldFocus);
  onEscape = leave ?? onEscape;
}

/**
 * For a text that was typed after its form was sent, and that the form didn't keep. Right behind the sent
 * text, the key of the page's next form opens that form. After a space, it goes on with the sent text.
 */
export function continueText(text: string, isBehind: boolean): void {
  const open = isBehind ? formOpener(text[0]) : null;
  if (!open) {
    showError(`You typed this after sending, so it wasn’t sent: “${text.trimStart()}”`);
    return;
  }
  open();
  typeAhead();
  typed = text.slice(1);
}

/**
 * The same where another step with a text field follows: what was typed behind the sent text is for that
 * field. Returns whether there is one, or will be.
 */
export function typeInNext(text: string): boolean {
  const field = document.activeElement;
  const isHere = field instanceof HTMLElement && field.matches(textField);
  if (!isHere && waiting.size === 0) return false;
  typed = text + typed;
  if (isHere) giveTo(field);
  return true;
}

export function dropTypedAhead(): void {
  window.removeEventListener('keydown', capture, true);
  window.removeEventListener('pointerdown', onPointer, true);
  document.removeEventListener('focusin', onFieldFocus);
  typed = '';
  isEntered = false;
  onEscape = null;
}

/**
 * A question above the page takes the keys, and what was typed before waits for the page's field. Returns how
 * to continue once the question is answered.
 */
function pauseTyping(): () => void {
  const aside = { typed, isEntered, onEscape };
  dropTypedAhead();
  return () => {
    if (waiting.size === 0) return;
    typeAhead(aside.onEscape);
    ({ typed, isEntered } = aside);
  };
}

export const textField = 'textarea, input:not([type]), input:is([type="text"], [type="email"], [type="search"])';

function giveTo(field: HTMLElement): void {
  const [text, enters] = [typed, isEntered];
  dropTypedAhead();
  if (field.matches(textField)) waiting.clear();
  if (text === '' || !field.matches(textField) || (field as HTMLInputElement).readOnly) return;
  const input = field as HTMLInputElement;
  const { value, selectionStart: from, selectionEnd: to } = input;
  // A selected text is replaced, as if the keys came now. Its form can hold more: it is seen before it is sent.
  const replaces = from !== null && to !== null && to > from;
  const at = replaces ? { from, to } : { from: value.length, to: value.length };
  const all = value.slice(0, at.from) + text + value.slice(at.to);
  const caret = at.from + text.length;
  field.dispatchEvent(new InputEvent('beforeinput', { bubbles: true }));
  // React ignores a value that is set on the element itself.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, all);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  // A field for an address has no selection.
  if (from !== null) input.setSelectionRange(caret, caret);
  // React draws the text first.
  if (enters && !replaces) setTimeout(() => document.activeElement === field && pressEnter(input));
}

/** Browsers don't send a form for a key that a script presses. */
function pressEnter(field: HTMLInputElement): void {
  const key = new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true });
  if (field.dispatchEvent(key) && field.tagName === 'INPUT') field.form?.requestSubmit();
}

/** From opening until something in the dialog has the focus. `onTop`: a question above the page. */
export function useTypedAhead(opened: boolean, content: RefObject<HTMLElement | null>, onTop: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return undefined;
    const resume = onTop ? pauseTyping() : () => {};
    // Someone clicked into the question.
    if (onTop && content.current?.contains(document.activeElement)) return resume;
    typeAhead();
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || !content.current?.contains(target)) return;
      document.removeEventListener('focusin', onFocus);
      if (onTop || waiting.size === 0 || target.matches(textField)) giveTo(target);
    };
    document.addEventListener('focusin', onFocus);
    return () => {
      document.removeEventListener('focusin', onFocus);
      dropTypedAhead();
      resume();
    };
  }, [opened, content, onTop]);
}

type Question = { readonly onTop: boolean; readonly uninvited: boolean };

/**
 * False while someone types: the keys stay with the page until a pause. Then the question takes the focus.
 * A press that leads to a question ends the typing, but nobody expects an uninvited one.
 */
export function useTakesFocus(content: RefObject<HTMLElement | null>, { onTop, uninvited }: Question): boolean {
  const [openedAt] = useState(() => performance.now());
  const waitsFor = () => {
    const { typedAt, pressedAt } = lastKeys();
    const isInText = isTyping(document.activeElement) || waiting.size > 0;
    const pause = (uninvited ? pressedAt : typedAt) + typingEndMs;
    return Math.max(pause, uninvited && isInText ? openedAt + noticedMs : 0) - performance.now();
  };
  const [takes, setTakes] = useState(() => !onTop || waitsFor() <= 0);
  const latest = useRef(waitsFor);
  latest.current = waitsFor;
  useEffect(() => {
    if (takes) return undefined;
    let timer = 0;
    const look = () => {
      const left = latest.current();
      if (left <= 0) setTakes(true);
      else timer = window.setTimeout(look, left);
    };
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Node && content.current?.contains(target)) setTakes(true);
    };
    const onKey = (event: KeyboardEvent) => {
      // Esc is for the question, not for what is below it.
      if (event.key !== 'Escape' && (event.key !== 'Tab' || isTyping(event.target))) return;
      event.preventDefault();
      if (event.key === 'Escape') event.stopPropagation();
      setTakes(true);
    };
    look();
    document.addEventListener('focusin', onFocus);
    window.addEventListener('keydown', onKey, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('focusin', onFocus);
      window.removeEventListener('keydown', onKey, true);
    };
  }, [takes, content]);
  return takes;
}

/** While a text field is on its way that isn't in a new dialog, or before the dialog can open. */
export function useTypeAhead(isWaiting: boolean, leave: () => void): void {
  const latest = useRef(leave);
  latest.current = leave;
  // Ends after a field that is drawn in the same moment took the focus.
  useEffect(() => {
    if (!isWaiting) return undefined;
    const self = {};
    waiting.add(self);
    typeAhead(() => latest.current());
    return () => {
      waiting.delete(self);
      dropTypedAhead();
    };
  }, [isWaiting]);
}
