// Toasts report what happened and offer an undo. U or the button undoes the latest one. Custom, because the
// kit's are a tenth of the shell's size, and their list isn't a permanent live region.
import { Button, CloseButton } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { toastMs, undoToastMs } from './timing.ts';
import classes from './toasts.module.css';

type Toast = {
  readonly id: number;
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly failed: boolean;
  readonly onUndo?: (() => void) | undefined;
  readonly about?: string | undefined;
  readonly action?: ToastAction | undefined;
};

/** A link or another action of the message, besides Undo. */
export type ToastAction = { readonly label: string; readonly run: () => void };

/** All can still be undone, but only the latest two are visible, so quick decisions don't cover the page. */
const keptAtMost = 20;

let last = 0;
let toasts: readonly Toast[] = [];
const listeners = new Set<() => void>();

function become(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function add(toast: Omit<Toast, 'id'>): void {
  last += 1;
  const others = toast.about === undefined ? toasts : toasts.filter(({ about }) => about !== toast.about);
  become([...others, { ...toast, id: last }].slice(-keptAtMost));
}

function hide(id: number): void {
  become(toasts.filter((toast) => toast.id !== id));
}

type Success = {
  readonly message: string;
  /** Called at most once, while the server can still undo a decision (D15). */
  readonly onUndo?: () => void;
  readonly action?: ToastAction;
  /** The message replaces an earlier one about the same thing, which is no longer true. */
  readonly about?: string;
};

export function showToast(toast: Success): void {
  add({ ...toast, failed: false });
}

/** What this is about is no longer true. */
export function hideToasts(about: string): void {
  become(toasts.filter((toast) => toast.about !== about));
}

export function showError(message: string): void {
  add({ message, failed: true });
}

type Failure = Pick<Toast, 'message' | 'requestId' | 'about'> & {
  readonly statusCode: number;
  /** Makes the same call again. */
  readonly retry?: (() => void) | undefined;
};

/** A failed call. A refusal needs no request ID and no second attempt: its sentence says what to do. */
export function showFailure({ message, statusCode, requestId, about, retry }: Failure): void {
  const action = retry && { label: 'Try again', run: retry };
  add({ message, failed: true, about, ...(statusCode >= 500 && { requestId, action }) });
}

/** Whether the call that starts now is an undo. */
let isUndoing = false;

function undo({ id, onUndo }: Toast): void {
  hide(id);
  isUndoing = true;
  try {
    onUndo?.();
  } finally {
    isUndoing = false;
  }
}

/** A change without Undo came after the toasts up to this one: U would undo the wrong change. */
let outdated = 0;
const noUndo = () => showToast({ message: 'You can’t undo your last change' });

type Call = { /** The latest toast when U was pressed during it; null: it wasn't. */ pressedAfter: number | null };

/** The running calls that may offer Undo, in order. */
let calls: readonly Call[] = [];

/**
 * Undo waits for this change: the page may show its result before its toast, and U means that change. If it
 * offers no Undo, U does nothing.
 */
export function holdUndo(answer: Promise<unknown>): void {
  const call: Call = { pressedAfter: null };
  const [startedAfter, isUndo] = [last, isUndoing];
  calls = [...calls, call];
  const over = (ok: boolean) => {
    calls = calls.filter((each) => each !== call);
    // A refused change needs no undo, and U wasn't meant for the change before it.
    if (!ok) return;
    const { pressedAfter } = call;
    const own = toasts.findLast(({ id, onUndo }) => onUndo && id > (pressedAfter ?? startedAfter));
    if (!own && !isUndo) outdated = last;
    if (pressedAfter === null) return;
    if (own) undo(own);
    else if (!isUndo) noUndo();
  };
  answer.then(
    () => over(true),
    () => over(false),
  );
}

/** Undoes the latest toast that can be undone. */
export function undoLatest(): void {
  const call = calls.at(-1);
  if (call) {
    call.pressedAfter = last;
    return;
  }
  const latest = toasts.findLast(({ onUndo }) => onUndo);
  if (latest && latest.id > outdated) undo(latest);
  else if (latest) noUndo();
}

/** The ref of a bar at the foot of the page, which carries `data-at-foot`: messages stay above it as it grows. */
export function measureFoot(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined;
  const observer = new ResizeObserver(() =>
    document.documentElement.style.setProperty('--foot-height', `${bar.offsetHeight}px`),
  );
  observer.observe(bar);
  return () => observer.disconnect();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Mounted once, before its first toast: screen readers only announce changes inside an existing region. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <section className={classes.region} aria-label="Messages" aria-live="polite" aria-relevant="additions">
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const { id, message, requestId, failed, onUndo, action } = toast;
  const [held, setHeld] = useState(false);
  const stays = onUndo || action ? undoToastMs : failed ? 2 * toastMs : toastMs;
  useEffect(() => {
    // Nothing disappears under the pointer or the focus (WCAG 2.2.1).
    if (held) return undefined;
    const timer = setTimeout(() => hide(id), stays);
    return () => clearTimeout(timer);
  }, [held, id, stays]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: holding on hover and focus isn't an interaction.
    <div
      className={classes.toast}
      data-failed={failed || undefined}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p className={classes.words}>
        {message}
        {requestId && <span className={classes.request}>Request ID {requestId}</span>}
      </p>
      {action && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            hide(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      {onUndo && (
        <Button variant="subtle" size="compact-sm" onClick={() => undo(toast)} aria-keyshortcuts="U">
          Undo
        </Button>
      )}
      <CloseButton size="sm" onClick={() => hide(id)} />
    </div>
  );
}
