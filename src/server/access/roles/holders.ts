// The people who have a role.
import { displayName, type Named } from '#core/people/people.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { type HolderRow, readHolders } from './roles.store.ts';

/** A person with a role, and what else decides their access. */
export type Holder = { readonly id: string; readonly displayName: string } & Omit<HolderRow, keyof Named>;

/** Everyone with one of these roles, including disabled accounts, by name. */
export async function holdersOf(queries: Queries, roles: readonly string[]): Promise<Holder[]> {
  return (await readHolders(queries, roles)).map(({ email, firstName, lastName, ...row }) => ({
    ...row,
    displayName: displayName({ email, firstName, lastName }),
  }));
}

export { lockHolders } from './roles.store.ts';
