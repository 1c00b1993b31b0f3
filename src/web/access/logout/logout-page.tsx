import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { homePath } from '#core/access/routes.ts';
import { capital, listWords, plural } from '#core/base/formats.ts';
import { unsentDrafts } from '#web/api/drafts.ts';
import { stopViewing } from '#web/api/viewing.ts';
import { isViewing } from '#web/api/viewing-tab.ts';
import { leave } from '#web/shell/leave.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';

/**
 * Removes the session and opens the sign-in page without a request (spec 4), but asks first if that deletes
 * drafts. When viewing as someone else, it only ends that.
 */
export default function LogoutPage() {
  // Once: stopping ends the viewing, and this page then must not sign out as well.
  const [viewing] = useState(isViewing);
  const [drafts, setDrafts] = useState<readonly string[]>([]);
  // In an effect: the page before stores what was typed last when it goes.
  useEffect(() => {
    const unsent = viewing ? [] : unsentDrafts();
    if (viewing) void stopViewing();
    else if (unsent.length === 0) leave();
    setDrafts(unsent);
  }, [viewing]);
  if (drafts.length > 0) return <LoseDrafts names={drafts} />;
  return <p role="status">{viewing ? 'Stopping…' : 'Signing out…'}</p>;
}

/** "a note (2)", "a new task" */
const counted = (names: readonly string[]): string[] =>
  [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => (length > 1 ? `${name} (${length})` : name));

function LoseDrafts({ names }: { readonly names: readonly string[] }) {
  const router = useRouter();
  const stay = () => (router.history.canGoBack() ? router.history.back() : void router.navigate({ to: homePath }));
  return (
    <ConfirmDialog
      opened
      title={`Sign out and delete ${plural(names.length, 'draft')}?`}
      confirm="Sign out"
      cancel="Stay signed in"
      danger
      isPage
      onConfirm={leave}
      onClose={stay}
    >
      {capital(listWords(counted(names)))}. Drafts are saved in this browser only. Signing out deletes them in all tabs.
    </ConfirmDialog>
  );
}
