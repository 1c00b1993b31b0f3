// What an import of people, or its preview, says about each row and all together.
import { signInRefusal } from '#core/people/accounts.ts';
import { displayName } from '#core/people/people.ts';
import { type ImportedPerson, type ImportWarning, importWarnings } from '#core/people/people-import.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { readApproverFacts } from './account-changes.ts';
import type { FieldChange } from './account-words.ts';
import * as store from './users.store.ts';

export type ImportedRow = {
  readonly line: number;
  readonly email: string;
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'refused';
  readonly reason: string | null;
  /** A new person's fields, without the email address. */
  readonly changes: readonly FieldChange[];
  /** The role that the admins are asked to give. */
  readonly roleAsked: string | null;
};
export type ImportSummary = {
  /** The file's people who exist by now and can't sign in, also from an earlier import. */
  readonly uninvited: readonly { readonly id: string; readonly displayName: string; readonly email: string }[];
  readonly warnings: readonly ImportWarning[];
};

/** `people`: of the rows that weren't refused, as they are after it. */
export async function summarizeImport(
  context: RequestContext,
  people: readonly ImportedPerson[],
): Promise<ImportSummary> {
  const { clock, viewer } = context;
  const queries = context.database.drizzle;
  const emails = people.map(({ fields }) => fields.email);
  const uninvited = await store.readUninvited(queries, emails, clock.now().toString());
  const ofFile = new Set(people.map(({ id }) => id));
  const others = [...new Set(people.flatMap(({ fields }) => fields.approverIds))].filter((id) => !ofFile.has(id));
  const { candidates, defaultApproverId } = await readApproverFacts(queries, viewer, others);
  return {
    uninvited: uninvited
      .filter((person) => signInRefusal(viewer, person) === null)
      .map(({ id, ...named }) => ({ id, displayName: displayName(named), email: named.email })),
    warnings: importWarnings(people, await store.readRoles(queries, 'all'), candidates, defaultApproverId !== null),
  };
}
