// Legal requests: exporting everything known about a person, and forgetting them. Only commands use this.
import { createWriteStream } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import { eraseFromAudit } from '#server/platform/audit/seal-audit.ts';
import { erasedAction } from '#server/platform/audit/verify-audit.ts';
import { assertPrivateFolder, makePrivateFolder } from '#server/platform/config/usable-folder.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { FileMissing, type FileStore } from '#server/platform/storage/files.ts';
import {
  type Copied,
  isAmbiguousName,
  readCopies,
  replaceCopies,
  scrubNotices,
  searchedInJson,
} from './copies.store.ts';
import {
  eraseRows,
  findPerson,
  formerColleague,
  lockPerson,
  type PersonFound,
  readEverythingOf,
  readFilesOf,
} from './personal-data.store.ts';

/** A command acts for no signed-in person. */
export type Keeper = Pick<RequestContext, 'database' | 'clock' | 'requestId' | 'address'>;

const unknown = (emailOrId: string): RefusalError =>
  new RefusalError(refuse('NOT_FOUND', `No person has the email address or ID ${emailOrId}`));

/** The person's name and email as they appear in texts. `unclear`: why the name identifies nobody. */
async function copiedOf(
  queries: Queries,
  { id, email, firstName, lastName }: PersonFound,
): Promise<Copied & { readonly unclear: string | null }> {
  const name = displayName({ email, firstName, lastName });
  const isWhole = firstName.trim() !== '' && lastName.trim() !== '';
  if (!isWhole) return { email, name: null, unclear: 'the name is incomplete' };
  const isAmbiguous = await isAmbiguousName(queries, id, name);
  const unclear = isAmbiguous
    ? `“${name}” is also someone else, or in the name of a role, team, category or product`
    : null;
  return { email, name: isAmbiguous ? null : name, unclear };
}

export type Exported = {
  readonly written: number;
  readonly missing: readonly string[];
  /** Why texts weren't searched for the name, or null. */
  readonly unclear: string | null;
};

/**
 * Writes `data.json` and the files into `folder`, which must be new or empty. `missing`: the names of files
 * that the store has lost.
 */
export async function exportPerson(
  keeper: Keeper & { readonly files: FileStore },
  emailOrId: string,
  folder: string,
): Promise<Exported> {
  assertPrivateFolder(folder, 'FOLDER');
  await assertNewFolder(folder);
  const { data, files, unclear } = await keeper.database.transaction(
    async (queries) => {
      // Without a lock: the person goes on working, and the snapshot doesn't change.
      const person = await findPerson(queries, emailOrId);
      if (!person) throw unknown(emailOrId);
      const { id } = person;
      await recordAudit(
        queries,
        { ...keeper, viewer: null },
        { action: 'personExported', subjectType: 'person', subjectId: id },
      );
      const data = await readEverythingOf(queries, id);
      const copied = await copiedOf(queries, person);
      const copies = await readCopies(queries, copied);
      return { data: { ...data, copies }, files: await readFilesOf(queries, id), unclear: copied.unclear };
    },
    { snapshot: true, isLong: true },
  );
  const place = makePrivateFolder(folder, 'FOLDER');
  try {
    return { ...(await writeExport(place, data, files, keeper.files)), unclear };
  } catch (error) {
    // Half of it would look complete, and stop the next try. The folder was empty.
    for (const name of await readdir(place)) await rm(join(place, name));
    throw error;
  }
}

async function writeExport(
  place: string,
  data: unknown,
  files: readonly { readonly key: string; readonly fileName: string }[],
  store: FileStore,
): Promise<Omit<Exported, 'unclear'>> {
  await writeFile(join(place, 'data.json'), `${JSON.stringify(data, null, 1)}\n`, { flag: 'wx', mode: 0o600 });
  const missing: string[] = [];
  for (const [index, { key, fileName }] of files.entries()) {
    // The name is a user's label: not a path, and not unique.
    const name = `${index + 1}-${fileName.replaceAll(/[/\\]/g, '_')}`;
    const content = await store.read(key).catch((error) => {
      if (error instanceof FileMissing) return null;
      throw error;
    });
    if (content) await pipeline(content, createWriteStream(join(place, name), { flags: 'wx', mode: 0o600 }));
    else missing.push(name);
  }
  return { written: files.length - missing.length, missing };
}

async function assertNewFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length > 0) throw new RefusalError(refuse('CONFLICT', `${folder} is not empty: name a new folder`));
}

/**
 * Permanently removes everything that names the person. Records the company must keep refer to an anonymous
 * account that is still one person's. Only for a disabled account, so nothing of theirs is in progress.
 * Returns why texts keep the name, or null.
 */
export async function erasePerson(keeper: Keeper, id: string, email: string): Promise<string | null> {
  const erase = async (queries: Queries) => {
    const person = await lockPerson(queries, id);
    if (!person || person.id !== id) throw unknown(id);
    if (person.email.toLowerCase() !== email.toLowerCase())
      throw new RefusalError(refuse('CONFLICT', `The person with the ID ${id} has another email address`));
    if (person.disabledAt === null)
      throw new RefusalError(
        refuse(
          'CONFLICT',
          'This account isn’t disabled. Disable it first in User Management, where you see what depends on it',
        ),
      );
    const entry = { action: erasedAction, subjectType: 'person', subjectId: id };
    const inRow = await recordAudit(queries, { ...keeper, viewer: null }, entry);
    const copied = await copiedOf(queries, person);
    // By author first, while that is known; then by name.
    await scrubNotices(queries, id, formerColleague(id).name);
    await eraseRows(queries, id);
    await replaceCopies(queries, copied, formerColleague(id));
    const valuesWith = searchedInJson(copied);
    await eraseFromAudit(queries, {
      inRow,
      addressesOf: id,
      valuesOf: [{ subjectType: 'person', ids: [id] }],
      valuesWith,
    });
    return copied.unclear;
  };
  // It searches the texts of all tables.
  return keeper.database.transaction(erase, { isLong: true });
}
