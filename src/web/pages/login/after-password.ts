// What comes after a right password: the next step, or the page that was wanted.
import { homePath, readGoto } from '#core/access/routes.ts';
import type { PendingStep } from '#web/api/pending-step.ts';
import { markCameFromLogin } from '#web/came-from.ts';

/** Plain http on a name of the local network: the browser takes no Secure cookie from there (D14). */
export const dropped =
  'You are signed in, but this browser dropped the session’s cookies. Open this page by https, or as localhost on the machine that runs the server.';

export type NextStepProps = { readonly next: PendingStep; readonly onOver: (message?: string) => void };

/** A full page load: the application is another document. */
export function goOn(): void {
  markCameFromLogin();
  location.assign(readGoto(new URLSearchParams(location.search).get('goto')) ?? homePath);
}
