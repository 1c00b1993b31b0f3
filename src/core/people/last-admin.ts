// Ensures that an admin who can sign in always remains (T14). Used by everything that removes the role from a
// person, or disables or removes an account.
import { type Refusal, refuse } from '../base/refusals.ts';

/** Why these people can't all stop being admins, or null. `adminIds`: the admins who can sign in. */
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
