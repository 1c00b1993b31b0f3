// Which of the layout's dialogs is open: buttons, menus and keys open them from different places.
import { useSyncExternalStore } from 'react';
import { dropTypedAhead, typeAhead } from '#web/ui/typed-ahead.ts';

type Open = 'palette' | 'shortcuts' | 'notices' | 'noticeChoices' | null;

let open: Open = null;
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
  typeAhead(closeShellDialog);
  show('palette');
}

export const openShortcutSheet = (): void => show('shortcuts');
export const openNotices = (): void => show('notices');
export const openNoticeChoices = (): void => show('noticeChoices');
export function closeShellDialog(): void {
  dropTypedAhead();
  show(null);
}

export const useShellDialog = (): Open => useSyncExternalStore(subscribe, () => open);
