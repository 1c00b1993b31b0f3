// Which of the layout's dialogs is open: buttons, menus and keys open them from different places.
import { useSyncExternalStore } from 'react';
import { closeTopLayer } from '#web/ui/back-closes.ts';
import { dropTypedAhead, typeAhead } from '#web/ui/typed-ahead.ts';

type Open = 'palette' | 'shortcuts' | 'notices' | 'noticeChoices' | null;

let open: Open = null;
type TaskInFocus = { readonly id: string; readonly ownerId: string | undefined };

let taskInFocus: TaskInFocus | null = null;
const listeners = new Set<() => void>();

function show(next: Open): void {
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function openPalette(): void {
  if (open === 'palette') return;
  // It would stay above the palette.
  if (document.querySelector('[role="menu"]')) closeTopLayer();
  const row = document.activeElement?.closest('article, li, tr');
  const { task: id, owner: ownerId } = row?.querySelector<HTMLElement>('[data-task]')?.dataset ?? {};
  taskInFocus = id === undefined ? null : { id, ownerId };
  typeAhead(closeShellDialog);
  show('palette');
}

/** The task in the row or card that had the focus when the palette opened. */
export const taskOfPalette = (): TaskInFocus | null => taskInFocus;

export const openShortcutSheet = (): void => show('shortcuts');
export const openNotices = (): void => show('notices');
export const openNoticeChoices = (): void => show('noticeChoices');
export function closeShellDialog(): void {
  dropTypedAhead();
  show(null);
}

export const useShellDialog = (): Open => useSyncExternalStore(subscribe, () => open);
