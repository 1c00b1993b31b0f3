// The palette, the shortcuts dialog and the notification settings, fetched when first opened.
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { homePath, routes } from '#core/access/routes.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { LazyPart, lazyPart } from '#web/ui/lazy-part.tsx';
import { listenForShortcuts, type Shortcut, useShortcuts } from '#web/ui/shortcuts.ts';
import { undoLatest } from '#web/ui/toasts.tsx';
import { useAsked } from './asked.ts';
import { navigationTarget } from './navigation-target.ts';
import {
  closeShellDialog,
  openNoticeChoices,
  openNotices,
  openPalette,
  openShortcutSheet,
  useShellDialog,
} from './open-dialog.ts';

const Palette = lazyPart(
  () => import('./palette.tsx'),
  (module) => module.Palette,
);
const ShortcutSheet = lazyPart(
  () => import('./shortcut-sheet.tsx'),
  (module) => module.ShortcutSheet,
);
const NoticeChoices = lazyPart(
  () => import('#web/notifications/notice-choices.tsx'),
  (module) => module.NoticeChoices,
);

type Props = { readonly viewer: SignedIn; readonly onToggleDrawer: (() => void) | null };

export function ShellDialogs({ viewer, onToggleDrawer }: Props) {
  const shown = useShellDialog();
  useShellShortcuts(viewer, onToggleDrawer);
  useEffect(listenForShortcuts, []);
  // Mails link to the settings (`noticeChoicesPath`).
  useAsked('__root__', 'dialog', openNoticeChoices);
  return (
    <LazyPart fallback={null} attempt={shown} onFail={closeShellDialog}>
      {shown === 'palette' && <Palette onClose={closeShellDialog} />}
      {shown === 'shortcuts' && <ShortcutSheet onClose={closeShellDialog} />}
      {shown === 'noticeChoices' && <NoticeChoices onClose={closeShellDialog} />}
    </LazyPart>
  );
}

/** Second letters after G, by the key of their navigation entry. */
const goTo = { s: 'sales', t: 'tasks', a: 'approvals' } as const;

function useShellShortcuts(viewer: SignedIn, onToggleDrawer: (() => void) | null): void {
  const router = useRouter();
  const scope = 'Everywhere';
  const shortcuts: Shortcut[] = [
    { key: 'mod+k', label: 'Search or jump to', scope, aboveDialogs: true, run: openPalette },
    { key: '?', label: 'Show all shortcuts', scope, run: openShortcutSheet },
    { key: 'u', label: 'Undo the last change', scope, undoes: true, run: undoLatest },
    { key: 'g n', label: 'Open notifications', scope, run: openNotices },
    { key: 'g d', label: 'Go to My week', scope, run: () => void router.navigate({ to: homePath }) },
  ];
  for (const [letter, key] of Object.entries(goTo)) {
    const target = navigationTarget(viewer, key);
    if (!target) continue;
    const label = `Go to ${routes[target.path].title}`;
    shortcuts.push({ key: `g ${letter}`, label, scope, run: () => void router.navigate({ to: target.to }) });
  }
  if (onToggleDrawer) shortcuts.push({ key: '[', label: 'Toggle the navigation', scope, run: onToggleDrawer });
  useShortcuts(shortcuts);
}
