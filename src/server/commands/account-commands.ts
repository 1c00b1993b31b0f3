// What `npm run admin` does with accounts: the same as user management, from the command line.
import { adminRole } from '#core/access/access.ts';
import { permissionKeys } from '#core/access/permissions.ts';
import { refuse } from '#core/base/refusals.ts';
import type { AccountChange, AccountChanger } from '#core/people/accounts.ts';
import { linkAddress } from '#server/access/auth/account-links.service.ts';
import { changeByEmail, linkByEmail, resetSecondFactorByEmail } from '#server/people/account-commands.service.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { Act } from './command-act.ts';

/**
 * People who run commands can read the database anyway: they act as an admin, and as nobody in the audit log.
 */
const operator: AccountChanger = {
  ...{ id: '0', role: adminRole, team: null },
  ...{ permissions: permissionKeys, approverIds: [] },
};

/** `words`: the printed sentence about the person. */
export function accountCommand(email: string, change: AccountChange, words: string): Act {
  return async (parts) => {
    const actor = { ...parts, viewer: operator, actorId: null };
    const { kind } = await changeByEmail(actor, email, change);
    return kind === 'changed' ? `${email} ${words}` : `Nothing changed for ${email}`;
  };
}

/** The link is printed, not mailed: the operator hands it over. */
export function inviteCommand(email: string, origin: string | undefined): Act {
  if (origin === undefined)
    throw new RefusalError(
      refuse('BAD_INPUT', 'PUBLIC_URL isn’t set. Set it to the address that people open in their browser'),
    );
  return async (parts) => {
    const link = await linkByEmail({ ...parts, viewer: null }, email);
    return `One-time link for ${email} to set a password, valid until ${link.expiresAt}:\n${linkAddress(origin, link)}`;
  };
}

export function resetSecondFactorCommand(email: string): Act {
  return async (parts) => {
    await resetSecondFactorByEmail({ ...parts, viewer: null }, email);
    return `${email} is signed out and has no passkey, authenticator app or recovery codes. If REQUIRE_SECOND_FACTOR requires a second factor, they set one up at the next sign-in. Without a password, run: npm run admin -- reset-password EMAIL`;
  };
}
