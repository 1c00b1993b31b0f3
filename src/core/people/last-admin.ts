// Decides that somebody can always mend the rest: of the admins who can sign in, at least one stays (T14).
// Asked by everything that takes the role from a person, disables an account or removes it.
import { type Refusal, refuse } from '../base/refusals.ts';

/** Why these people cannot all stop being admins, or null. `adminIds`: the admins who can sign in. */
export function lastAdminRefusal(adminIds: readonly string[], leavingIds: readonly string[]): Refusal | null {
  const leaving = adminIds.filter((id) => leavingIds.includes(id));
  if (leaving.length === 0 || leaving.length < adminIds.length) return null;
  return refuse(
    'LAST_ADMIN',
    leaving.length === 1
      ? 'This is the last admin who can sign in. Another admin must be able to sign in first'
      : 'These are the last admins who can sign in. Another admin must be able to sign in first',
  );
}
