// What comes after a right password: the next step, or the page that was wanted.
import { homePath, readGoto } from '#core/access/routes.ts';
import type { PendingStep } from '#web/api/pending-step.ts';
import { markCameFromLogin } from '#web/shell/came-from.ts';

/** Plain http on a name of the local network: the browser takes no Secure cookie from there (D14). */
export const dropped =
  'You’re signed in, but the browser rejected the session’s cookies. Open this page over HTTPS, or as localhost on the server’s machine.';

export type NextStepProps = { readonly next: PendingStep; readonly onOver: (message?: string) => void };

/** A full page load: the application is another document. */
export function goOn(): void {
  markCameFromLogin();
  location.assign(readGoto(new URLSearchParams(location.search).get('goto')) ?? homePath);
}
