// Toasts say what happened, and take it back where that is possible. U or the button undoes the latest one.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { toastMs, undoToastMs } from './timing.ts';
import classes from './toasts.module.css';

type Toast = {
  readonly message: string;
  /** Takes it back. Called once at most. */
  readonly onUndo?: () => void;
};

let shown = 0;
const undoable: { id: string; undo: () => void }[] = [];

export function showToast({ message, onUndo }: Toast): void {
  shown += 1;
  const id = `toast-${shown}`;
  const forget = () => {
    const index = undoable.findIndex((entry) => entry.id === id);
    if (index >= 0) undoable.splice(index, 1);
  };
  const undo = () => {
    forget();
    notifications.hide(id);
    onUndo?.();
  };
  if (onUndo) undoable.push({ id, undo });
  notifications.show({
    id,
    message: onUndo ? <WithUndo message={message} onUndo={undo} /> : message,
    autoClose: onUndo ? undoToastMs : toastMs,
    onClose: forget,
  });
}

export function showError(message: string, requestId?: string): void {
  notifications.show({
    message: requestId ? `${message} (request ${requestId})` : message,
    color: 'danger',
    autoClose: toastMs * 2,
  });
}

/** Undoes what the latest toast offers. False when none does. */
export function undoLatest(): boolean {
  const latest = undoable.at(-1);
  latest?.undo();
  return latest !== undefined;
}

function WithUndo({ message, onUndo }: { message: string; onUndo: () => void }) {
  return (
    <span className={classes.undo}>
      {message}
      <Button variant="subtle" size="compact-sm" onClick={onUndo} aria-keyshortcuts="u">
        Undo
      </Button>
    </span>
  );
}
