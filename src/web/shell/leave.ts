// Signing out: removes the session and opens the sign-in page with a full load, which empties this tab's
// caches.
import { loginPage } from '#core/access/access.ts';
import { loginPath } from '#core/access/routes.ts';
import { onSignedOutElsewhere, signOut } from '#web/api/session.ts';
import { keepSignedOutReason } from '#web/api/signed-out-reason.ts';

export function leave(): void {
  signOut();
  location.replace(loginPath);
}

/** Signs out with the browser's other tabs, and remembers the page of this one. Returns how to stop. */
export function leaveWithOtherTabs(): () => void {
  return onSignedOutElsewhere(() => {
    keepSignedOutReason('elsewhere');
    location.replace(loginPage(location.pathname + location.search));
  });
}
