// A sign-in step that a signed-in page starts. The sign-in page is another document, so the step waits in
// this tab.
import { accountPath, loginPath } from '#core/access/routes.ts';
import { endSession } from './session.ts';
import type { NextStep } from './sign-in.ts';
import { readStored, writeStored } from './stored.ts';

/** The step that remains before someone is signed in, and whose it is. */
export type PendingStep = { readonly step: NextStep; readonly email: string };

const key = 'pending-step';

/** Opens the sign-in page, which continues the step and returns to My account. */
export function leaveForStep(pending: PendingStep): void {
  endSession();
  writeStored('session', key, JSON.stringify(pending));
  location.assign(`${loginPath}?goto=${encodeURIComponent(accountPath)}`);
}

/** The step this page was opened for, once. */
export function takePendingStep(): PendingStep | null {
  const pending = readStored('session', key);
  writeStored('session', key, null);
  return pending === null ? null : (JSON.parse(pending) as PendingStep);
}
