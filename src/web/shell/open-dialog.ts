// Which of the frame's dialogs is open: buttons, menus and keys open them from different places.
import { useSyncExternalStore } from 'react';

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

export const openPalette = (): void => show('palette');
export const openShortcutSheet = (): void => show('shortcuts');
export const openNotices = (): void => show('notices');
export const openNoticeChoices = (): void => show('noticeChoices');
export const closeShellDialog = (): void => show(null);
export const useShellDialog = (): Open => useSyncExternalStore(subscribe, () => open);
