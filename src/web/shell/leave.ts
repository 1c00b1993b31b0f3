// Leaving: drops the session and goes to the sign-in page by a full load, which empties every cache of this tab.
import { loginPath } from '#core/access/routes.ts';
import { onSignedOutElsewhere, signOut } from '#web/api/session.ts';

export function leave(): void {
  signOut();
  location.replace(loginPath);
}

/** The other tabs of this browser leave with the one that signed out. */
export function leaveWithOtherTabs(): void {
  onSignedOutElsewhere(() => location.replace(loginPath));
}
