// A step of signing in that a signed-in page begins. The sign-in page is another document, so the step waits in this tab.
import { accountPath, loginPath } from '#core/access/routes.ts';
import { signOut } from './session.ts';
import type { NextStep } from './sign-in.ts';
import { readStored, writeStored } from './stored.ts';

/** What is left to do before somebody is signed in, and whose it is. */
export type PendingStep = { readonly step: NextStep; readonly email: string };

const key = 'pending-step';

/** Leaves for the sign-in page, which goes on with the step and comes back to My account. */
export function leaveForStep(pending: PendingStep): void {
  signOut();
  writeStored('session', key, JSON.stringify(pending));
  location.assign(`${loginPath}?goto=${encodeURIComponent(accountPath)}`);
}

/** The step that this page was opened for, once. */
export function takePendingStep(): PendingStep | null {
  const pending = readStored('session', key);
  writeStored('session', key, null);
  return pending === null ? null : (JSON.parse(pending) as PendingStep);
}
