// People who sign in through the identity provider alone can't set or reset a password around it.

import { hasNoPasswordPath } from '#core/access/single-sign-on.ts';
import { refuse } from '#core/base/refusals.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { readPasswordPath } from './single-sign-on.store.ts';

/** Throws for a person, by id or email, who can't have a password. Unknown people pass. */
export async function assertPasswordPath(queries: Queries, person: { id: string } | { email: string }): Promise<void> {
  const account = await readPasswordPath(queries, person);
  if (account && hasNoPasswordPath(account))
    throw new RefusalError(
      refuse('CONFLICT', 'This person signs in through company sign-in only, so there’s no password to set'),
    );
}
