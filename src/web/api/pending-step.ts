// The step that remains before someone is signed in. It waits in this tab: a signed-in page can start it, and
// a phone may drop the sign-in page while its person is in the authenticator app.
import { accountPath, loginPath } from '#core/access/routes.ts';
import { stepMinutes } from '#core/access/second-factor.ts';
import { endSession } from './session.ts';
import type { NextStep } from './sign-in.ts';
import { readStored, writeStored } from './stored.ts';

/** The step, and whose it is. */
export type PendingStep = { readonly step: NextStep; readonly email: string };

const key = 'pending-step';

type Kept = PendingStep & { readonly until: number };

function keep(pending: PendingStep): void {
  writeStored('session', key, JSON.stringify({ ...pending, until: Date.now() + stepMinutes * 60_000 } satisfies Kept));
}

/**
 * Keeps the step for a reload. Its token is useless without the second factor. The token for setting up the
 * first one signs in by itself and isn't kept.
 */
export function keepPendingStep(pending: PendingStep): void {
  if (pending.step.next === 'secondStep') keep(pending);
}

/** Opens the sign-in page, which continues the step and returns to My account. */
export function leaveForStep(pending: PendingStep): void {
  endSession();
  keep(pending);
  location.assign(`${loginPath}?goto=${encodeURIComponent(accountPath)}`);
}

export const dropPendingStep = (): void => writeStored('session', key, null);

/** The step this page continues, until its time is over. One that signs in by itself is read once. */
export function readPendingStep(): PendingStep | null {
  const stored = readStored('session', key);
  dropPendingStep();
  const kept = stored === null ? null : (JSON.parse(stored) as Kept);
  if (kept === null || !(kept.until > Date.now())) return null;
  if (kept.step.next === 'secondStep') writeStored('session', key, stored);
  return kept;
}
