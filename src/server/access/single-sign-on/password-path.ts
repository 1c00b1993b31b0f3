// Who signs in through the identity provider alone has no password, and none can be set or reset around the provider.

import { hasNoPasswordPath } from '#core/access/single-sign-on.ts';
import { refuse } from '#core/base/refusals.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { readPasswordPath } from './single-sign-on.store.ts';

/** Throws the refusal for a person, by id or e-mail, who has no password to set. Whoever is not there passes. */
export async function assertPasswordPath(queries: Queries, person: { id: string } | { email: string }): Promise<void> {
  const account = await readPasswordPath(queries, person);
  if (account && hasNoPasswordPath(account))
    throw new RefusalError(
      refuse('CONFLICT', 'This person signs in through the identity provider and has no password'),
    );
}
