// Why the sign-in page is shown to someone who didn't sign out. It opens with a full load, so the reason
// waits in this tab.
import { readStored, writeStored } from './stored.ts';

const key = 'signed-out-reason';

const reasons = {
  ended: 'Your session ended. Sign in again.',
  elsewhere: 'You signed out in another tab.',
  adminsOnly: 'That page is for admins only, so you were signed out.',
  disabled: 'Your account is disabled. If this is a mistake, ask an admin.',
} as const;
type Reason = keyof typeof reasons;

export const keepSignedOutReason = (reason: Reason): void => writeStored('session', key, reason);

export function readSignedOutReason(): string | null {
  const reason = readStored('session', key);
  return reason !== null && Object.hasOwn(reasons, reason) ? reasons[reason as Reason] : null;
}

/** After it was shown. */
export const forgetSignedOutReason = (): void => writeStored('session', key, null);
