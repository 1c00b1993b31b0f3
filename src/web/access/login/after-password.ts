// What follows a correct password: the next step, or the requested page.
import { homePath, type Path, readGoto } from '#core/access/routes.ts';
import type { PendingStep } from '#web/api/pending-step.ts';
import { markCameFromLogin } from '#web/shell/came-from.ts';

/** Plain http on a local network name: browsers reject its Secure cookies (D14). */
export const dropped =
  'You’re signed in, but the browser rejected the session’s cookies. Open this page over HTTPS, or as localhost on the server’s machine.';

export type NextStepProps = { readonly next: PendingStep; readonly onOver: (message?: string) => void };

/**
 * A full load, because the application is another document. Replaces, as Back would open the sign-in page and
 * lead here. Without a path, to the requested page.
 */
export function goOn(path?: Path): void {
  markCameFromLogin();
  location.replace(path ?? readGoto(new URLSearchParams(location.search).get('goto')) ?? homePath);
}
