// What the law may ask of a company: to hand a person all that is known of them, and to forget them. Only commands come here.
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import { eraseFromAudit } from '#server/platform/audit/seal-audit.ts';
import { erasedAction } from '#server/platform/audit/verify-audit.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { FileStore } from '#server/platform/storage/files.ts';
import { type Copied, isNameShared, patternsInJson, readCopies, replaceCopies, scrubNotices } from './copies.store.ts';
import {
  eraseRows,
  ghost,
  lockPerson,
  type PersonFound,
  readEverythingOf,
  readFilesOf,
} from './personal-data.store.ts';

/** A command acts for nobody who is signed in. */
export type Keeper = Pick<RequestContext, 'database' | 'clock' | 'requestId' | 'address'>;

const unknown = (emailOrId: string): RefusalError =>
  new RefusalError(refuse('NOT_FOUND', `No person has the email address or id ${emailOrId}`));

/** What stands for the person in texts. A name that is half missing, or somebody else's too, says not whom it means. */
async function copiedOf(queries: Queries, { id, email, firstName, lastName }: PersonFound): Promise<Copied> {
  const isWhole = firstName.trim() !== '' && lastName.trim() !== '';
  const isOwn = isWhole && !(await isNameShared(queries, id, firstName, lastName));
  return { email, name: isOwn ? displayName({ email, firstName, lastName }) : null };
}

/** Writes `data.json` and the files into `folder`, which must be new or empty; gives how many files. */
export async function exportPerson(
  keeper: Keeper & { readonly files: FileStore },
  emailOrId: string,
  folder: string,
): Promise<number> {
  await assertNewFolder(folder);
  const { data, files } = await keeper.database.transaction(
    async (queries) => {
      const person = await lockPerson(queries, emailOrId);
      if (!person) throw unknown(emailOrId);
      const { id } = person;
      await recordAudit(
        queries,
        { ...keeper, viewer: null },
        { action: 'personExported', subjectType: 'person', subjectId: id },
      );
      const data = await readEverythingOf(queries, id);
      const copies = await readCopies(queries, await copiedOf(queries, person));
      return { data: { ...data, copies }, files: await readFilesOf(queries, id) };
    },
    { snapshot: true },
  );
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'data.json'), `${JSON.stringify(data, null, 1)}\n`, { flag: 'wx', mode: 0o600 });
  for (const [index, { key, fileName }] of files.entries()) {
    // The name is a label that somebody gave: it is no path, and two files may have the same.
    const name = `${index + 1}-${fileName.replaceAll(/[/\\]/g, '_')}`;
    await pipeline(await keeper.files.read(key), createWriteStream(join(folder, name), { flags: 'wx', mode: 0o600 }));
  }
  return files.length;
}

async function assertNewFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length > 0) throw new RefusalError(refuse('CONFLICT', `${folder} is not empty: name a new folder`));
}

/**
 * Takes away everything that names the person, for good. What the company has to keep refers to an account that is one person's
 * still and nobody's by name. Only of a disabled account, so that nothing of theirs is under way.
 */
export async function erasePerson(keeper: Keeper, id: string, email: string): Promise<void> {
  await keeper.database.transaction(async (queries) => {
    const person = await lockPerson(queries, id);
    if (!person || person.id !== id) throw unknown(id);
    if (person.email.toLowerCase() !== email.toLowerCase())
      throw new RefusalError(refuse('CONFLICT', `The person with the id ${id} has another e-mail address`));
    if (person.disabledAt === null)
      throw new RefusalError(
        refuse(
          'CONFLICT',
          'This account isn’t disabled. Disable it in user management first, which shows what depends on it',
        ),
      );
    const entry = { action: erasedAction, subjectType: 'person', subjectId: id };
    const inRow = await recordAudit(queries, { ...keeper, viewer: null }, entry);
    const copied = await copiedOf(queries, person);
    // By author, while it can be told who that is; then by name.
    await scrubNotices(queries, id, ghost(id).name);
    await eraseRows(queries, id);
    await replaceCopies(queries, copied, ghost(id));
    const valuesWith = patternsInJson(copied);
    await eraseFromAudit(queries, {
      inRow,
      addressesOf: id,
      valuesOf: [{ subjectType: 'person', ids: [id] }],
      valuesWith,
    });
  });
}
