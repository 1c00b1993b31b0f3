import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { homePath } from '#core/access/routes.ts';
import { plural } from '#core/base/formats.ts';
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
  const viewing = isViewing();
  const [drafts, setDrafts] = useState(0);
  // In an effect: the page before stores what was typed last when it goes.
  useEffect(() => {
    const unsent = viewing ? 0 : unsentDrafts();
    if (viewing) void stopViewing();
    else if (unsent === 0) leave();
    setDrafts(unsent);
  }, [viewing]);
  if (drafts > 0) return <LoseDrafts count={drafts} />;
  return <p role="status">{viewing ? 'Stopping…' : 'Signing out…'}</p>;
}

function LoseDrafts({ count }: { readonly count: number }) {
  const router = useRouter();
  const stay = () => (router.history.canGoBack() ? router.history.back() : void router.navigate({ to: homePath }));
  return (
    <ConfirmDialog
      opened
      title={plural(count, 'unsent text will be deleted', 'unsent texts will be deleted')}
      confirm="Sign out"
      cancel="Stay"
      danger
      onConfirm={leave}
      onClose={stay}
    >
      Unsent texts are kept in this browser only. Signing out deletes them in all tabs.
    </ConfirmDialog>
  );
}
