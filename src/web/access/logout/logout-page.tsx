import { useEffect } from 'react';
import { stopViewing } from '#web/api/viewing.ts';
import { isViewing } from '#web/api/viewing-tab.ts';
import { leave } from '#web/shell/leave.ts';

/** Drops the session and goes to the sign-in page; no request is sent (spec 4). Whoever looks as somebody else only stops looking. */
export default function LogoutPage() {
  const viewing = isViewing();
  useEffect(() => {
    if (viewing) void stopViewing();
    else leave();
  }, [viewing]);
  return <p role="status">{viewing ? 'Stopping …' : 'Signing out …'}</p>;
}
