// Why the sign-in page is shown to somebody who didn't sign out. The way there is a full load, so it waits in this tab.
import { readStored, writeStored } from './stored.ts';

const key = 'signed-out-reason';

const reasons = {
  ended: 'Your session ended. Sign in again.',
  disabled: 'Your account is disabled. Ask an admin.',
} as const;
type Reason = keyof typeof reasons;

export const keepSignedOutReason = (reason: Reason): void => writeStored('session', key, reason);

export function readSignedOutReason(): string | null {
  const reason = readStored('session', key);
  return reason !== null && Object.hasOwn(reasons, reason) ? reasons[reason as Reason] : null;
}

/** Once it is said. */
export const forgetSignedOutReason = (): void => writeStored('session', key, null);
