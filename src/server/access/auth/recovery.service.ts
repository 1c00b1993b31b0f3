// Recovery for the operator: a new admin if none is left, and new passwords. Only commands use it; their
// users can read the database anyway.
import { randomBytes } from 'node:crypto';
import { adminRole } from '#core/access/access.ts';
import { refuse } from '#core/base/refusals.ts';
import { erasedRefusal } from '#core/people/people.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { LiveChanges } from '#server/platform/live/live.service.ts';
import { assertPasswordPath } from '../single-sign-on/password-path.ts';
import { recordAccountEvent } from './account-events.service.ts';
import { revokeLinksShownTo, withdrawLink } from './account-links.service.ts';
import { forgetDevices } from './known-devices.ts';
import { hashPassword } from './passwords.ts';
import { lockAdmins, replacePassword, saveAdmin } from './recovery.store.ts';
import { endSessionsOf } from './sessions.service.ts';

/** A command acts for no signed-in person. */
export type Recovery = Pick<RequestContext, 'database' | 'clock' | 'requestId' | 'address'> & {
  readonly live: Pick<LiveChanges, 'publish'>;
};

/** 120 random bits, shown once. */
const newPassword = (): string => randomBytes(15).toString('base64url');

function assertNotErased(email: string): void {
  const refusal = erasedRefusal({ email });
  if (refusal) throw new RefusalError(refusal);
}

/**
 * Creates an admin and returns the password. Refused while an admin can sign in, who can give the role
 * themselves.
 */
export async function makeFirstAdmin(recovery: Recovery, email: string): Promise<string> {
  assertNotErased(email);
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  await recovery.database.transaction(async (queries) => {
    const [admin] = await lockAdmins(queries, adminRole);
    if (admin !== undefined)
      throw new RefusalError(
        refuse(
          'CONFLICT',
          `${admin} is an admin who can sign in. Set a new password with reset-password, or make someone else an admin with role EMAIL admin`,
        ),
      );
    const at = recovery.clock.now().toString();
    const id = await saveAdmin(queries, { email, role: adminRole, passwordHash, at });
    await passwordReplaced(queries, recovery, id, 'adminMade');
  });
  return password;
}

/** Gives a person a new password and ends the sessions of the old one. */
export async function resetPassword(recovery: Recovery, email: string): Promise<string> {
  assertNotErased(email);
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  await recovery.database.transaction(async (queries) => {
    await assertPasswordPath(queries, { email });
    const id = await replacePassword(queries, { email, passwordHash, at: recovery.clock.now().toString() });
    if (id === null) throw new RefusalError(refuse('NOT_FOUND', `No account has the email address ${email}`));
    await passwordReplaced(queries, recovery, id, 'passwordReset');
  });
  return password;
}

async function passwordReplaced(queries: Queries, recovery: Recovery, id: string, action: string): Promise<void> {
  await endSessionsOf(queries, recovery, id);
  await forgetDevices(queries, id);
  await withdrawLink(queries, id);
  await revokeLinksShownTo(queries, { ...recovery, viewer: null }, id);
  await recordAudit(queries, { ...recovery, viewer: null }, { action, subjectType: 'person', subjectId: id });
  await recordAccountEvent(queries, { ...recovery, viewer: null }, { personId: id, kind: 'passwordReplaced' });
}
