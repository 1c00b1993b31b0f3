// All servers of a database keep their files in one place: the file store has the database's id, the database
// the store's name.
import { existsSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { refuse } from '#core/base/refusals.ts';
import { recordAudit } from '../audit/audit.service.ts';
import type { Config } from '../config/config.ts';
import type { Database, Queries } from '../db/database.ts';
import { systemFolder } from '../db/database-user.ts';
import type { Log } from '../db/log.ts';
import { orThrow } from '../graphql/refusal-error.ts';
import { isServed } from '../live/live.service.ts';
import { withoutDatabaseUrl } from '../program.ts';
import { shellWord } from '../shell-word.ts';
import { StartRefused } from '../start-refused.ts';
import { type FileStore, FilesUnavailable, openFileStore } from '../storage/files.ts';
import {
  type Installation,
  lockInstallation,
  readInstallation,
  readKeys,
  recordInstallation,
} from './installation.store.ts';

type FilesHere = { readonly files: FileStore; readonly config: Pick<Config, 'dataDir' | 'filesUrl'> };
type Place = FilesHere & { readonly database: Database };

const bucketWord = 'the bucket ';

/** The file store's location for people, without its password. */
export function placeName({ dataDir, filesUrl }: FilesHere['config']): string {
  if (filesUrl === undefined) return `${join(dataDir, 'files')} on ${hostname()}`;
  const { hostname: bucket, searchParams } = new URL(filesUrl);
  const endpoint = searchParams.get('endpoint');
  return `${bucketWord}${bucket}${endpoint ? ` at ${new URL(endpoint).host}` : ''}`;
}

/** Whether it is one place by its name, or can be one folder that two hosts mount. */
function canBeSame(one: string, other: string): boolean {
  const [folder, ofOther] = [one, other].map((place) => / on (\S+)$/.exec(place));
  if (!folder || !ofOther) return one === other;
  if (folder[1] !== ofOther[1]) return true;
  const path = ({ input, index }: RegExpExecArray) => realpathSync(input.slice(0, index));
  try {
    return path(folder) === path(ofOther);
  } catch {
    return one === other;
  }
}

const remedy =
  'If the files or the checkout moved, set FILES_URL or DATA_DIR to their new location, the same on all servers. If this is the new location: npm run admin -- adopt-files';

/** How many of the newest files are there: all, none, or some of them. */
async function newestThere({ files }: FilesHere, queries: Queries): Promise<'all' | 'some' | 'none'> {
  const keys = await readKeys(queries, 5);
  const looked = await Promise.allSettled(keys.map((key) => files.storedAt(key)));
  const there = looked.filter(({ status }) => status === 'fulfilled').length;
  if (there === keys.length) return 'all';
  return there > 0 ? 'some' : 'none';
}

/** No server has used it yet. */
export const newDatabase = { id: null, filesPlace: null };

/**
 * Compares the store's mark with the database's record: `own` for the right mark, `unmarked` for a new store,
 * or why the store can't be reached. Throws StartRefused if this database's files are elsewhere. Changes
 * nothing.
 */
export async function assertFilesPlace(
  { files, config }: Pick<FilesHere, 'config'> & { readonly files: Pick<FileStore, 'readMark'> },
  { id, filesPlace }: Pick<Installation, 'id' | 'filesPlace'> | typeof newDatabase,
): Promise<'own' | 'unmarked' | FilesUnavailable> {
  const here = placeName(config);
  const mark = await markOf(files);
  const belongsElsewhere = filesPlace !== null && filesPlace !== here;
  if (mark instanceof FilesUnavailable && !belongsElsewhere) return mark;
  if (mark === id) return 'own';
  if (typeof mark === 'string' && filesPlace === null)
    throw new StartRefused(
      `This database is new, but the files in ${here} belong to another one. To move that one's data here, back it up and restore it with a new DATA_DIR. To start empty, set another FILES_URL or DATA_DIR`,
    );
  if (typeof mark === 'string')
    throw new StartRefused(
      `The files in ${here} belong to another database. If that’s the database you want, set its DATABASE_URL. ${remedy}`,
    );
  if (belongsElsewhere)
    throw new StartRefused(`The files of this database are in ${filesPlace}, not in ${here}. ${remedy}`);
  if (filesPlace === here)
    throw new StartRefused(
      `The files of this database are missing from ${here}. Is its disk mounted? If they were moved, set FILES_URL or DATA_DIR to their new location. If they’re lost: npm run admin -- adopt-files --accept-missing-files`,
    );
  return 'unmarked';
}

/**
 * Before an embedded database is created: throws StartRefused where a server of another database has been, as
 * lost settings must not look like a new company. FILES_URL may be lost too, so the folder of uploads counts.
 */
export async function assertNoOtherDatabase(config: FilesHere['config']): Promise<void> {
  const { dataDir, filesUrl } = config;
  if (existsSync(join(dataDir, 'database'))) return;
  const above = dirname(dataDir);
  if (!existsSync(above) && above !== systemFolder)
    throw new StartRefused(
      `DATA_DIR is ${dataDir}, and there is no folder ${above}. If the checkout or the data was moved, set DATA_DIR to the folder that has the data now. To start empty, first run: mkdir -p ${shellWord(above)}`,
    );
  const files = await openFileStore({ dataDir, url: filesUrl, creates: false });
  const isUsed = typeof (await markOf(files)) === 'string' || (filesUrl === undefined && existsSync(files.incoming));
  if (!isUsed) return;
  const where = filesUrl === undefined ? 'this folder' : placeName(config);
  throw new StartRefused(
    `There is no database in ${dataDir}, but a server of another database has used ${where}. ${withoutDatabaseUrl()}. Bring back the settings of that server. To start empty, set another FILES_URL or DATA_DIR`,
  );
}

/**
 * Records the place on the first start and refuses another one later. An unreachable store is fine once the
 * database has recorded it: the start has warned about it.
 */
export async function checkFilesPlace(place: Place): Promise<void> {
  const here = placeName(place.config);
  // Returned instead of thrown: the store's connection error looks like a lost transaction.
  const unavailable = await place.database.transaction(async (queries) => {
    const { id, filesPlace } = await lockInstallation(queries);
    const found = await assertFilesPlace(place, { id, filesPlace });
    if (found instanceof FilesUnavailable) return { failure: found, isKnown: filesPlace === here };
    // A copy of the files has their mark too.
    if (found === 'own' && filesPlace && !canBeSame(filesPlace, here) && (await isServed(place.database.pool)))
      throw new StartRefused(
        `Another server of this database keeps its files in ${filesPlace}, not in ${here}. Use the same FILES_URL or DATA_DIR on all servers. If the files moved, stop every server first`,
      );
    // A former place keeps its mark, but lacks newer files. Only a folder can have a new name.
    const isFormer = async () => filesPlace?.startsWith(bucketWord) || (await newestThere(place, queries)) !== 'all';
    if (found === 'own' && filesPlace !== null && filesPlace !== here && (await isFormer()))
      throw new StartRefused(`The files of this database are in ${filesPlace}, not in ${here}. ${remedy}`);
    if (found === 'unmarked') {
      if ((await newestThere(place, queries)) === 'none')
        throw new StartRefused(`${here} has none of the files of this database. ${remedy}`);
      await place.files.writeMark(id);
    }
    if (filesPlace !== here) await recordInstallation(queries, { filesPlace: here });
    return null;
  });
  if (unavailable && !unavailable.isKnown) throw unavailable.failure;
}

async function markOf(files: Pick<FileStore, 'readMark'>): Promise<string | null | FilesUnavailable> {
  return files.readMark().catch((error) => {
    if (error instanceof FilesUnavailable) return error;
    throw error;
  });
}

async function countStored(files: FileStore, named: readonly string[]): Promise<number> {
  const missing = new Set(named);
  for await (const keys of files.keys()) for (const key of keys) missing.delete(key);
  return named.length - missing.size;
}

/** Deliberately makes this the database's file place. Returns the place before and now. */
export async function adoptFilesPlace(
  place: Place,
  actor: Parameters<typeof recordAudit>[1],
  { fromAnotherDatabase = false, acceptMissing = false } = {},
): Promise<{ before: string | null; now: string; hasChanged: boolean }> {
  const now = placeName(place.config);
  return place.database.transaction(async (queries) => {
    const { id, filesPlace } = await lockInstallation(queries);
    const mark = await place.files.readMark();
    if (mark !== null && mark !== id && !fromAnotherDatabase)
      orThrow(
        refuse(
          'CONFLICT',
          `${now} has the files of another database, and servers of this one would remove them. Set FILES_URL or DATA_DIR to the files of this database. If the other database is lost, use --from-another-database`,
        ),
      );
    const named = await readKeys(queries);
    const there = await countStored(place.files, named);
    if (there < named.length && !acceptMissing)
      orThrow(
        refuse(
          'CONFLICT',
          `${there} of the ${named.length} files that this database references are in ${now}. Copy the others there. If those are lost, use --accept-missing-files`,
        ),
      );
    if (mark === id && filesPlace === now) return { before: now, now, hasChanged: false };
    await place.files.writeMark(id);
    await recordInstallation(queries, { filesPlace: now });
    await recordAudit(queries, actor, {
      action: 'filesPlaceChanged',
      subjectType: 'installation',
      subjectId: id,
      before: { place: filesPlace },
      after: { place: now },
    });
    return { before: filesPlace, now, hasChanged: true };
  });
}

const recheckMs = 30_000;
/** Load balancers wait about as long for /readyz. */
const answerMs = 2_000;
type FilesFound = { readonly reason: string | null; readonly warning: string | null };
const looked = new WeakMap<FileStore, { at: number; found: Promise<FilesFound> }>();

/**
 * For /readyz. `reason`: why the files aren't in the right place. `warning`: the store doesn't answer; only
 * files wait for it then.
 */
export function filesFound(
  { database, files }: Pick<Place, 'database' | 'files'>,
  { isFresh = false } = {},
): Promise<FilesFound> {
  const last = looked.get(files);
  if (!isFresh && last && performance.now() - last.at < recheckMs) return last.found;
  const found = lookForFiles({ database, files });
  looked.set(files, { at: performance.now(), found });
  return found;
}

/** Before a file is stored: another database's server would remove it, as no row of that one references it. */
export async function assertOwnFiles(place: Pick<Place, 'database' | 'files'>): Promise<void> {
  const { reason } = await filesFound(place, { isFresh: true });
  if (reason !== null)
    orThrow(refuse('FILES_UNAVAILABLE', 'The server lost its file storage, so nothing was saved. Tell an admin'));
}

type Use = { readonly run: string; readonly since: Temporal.Instant };
/** The runs that this process wrote. */
const runsWritten = new WeakMap<FileStore, string>();

/** Null if it can't be read: a full disk cuts it off. */
function parsedUse(text: string | null): Use | null {
  try {
    const { run, since } = JSON.parse(text ?? '{}');
    return { run, since: Temporal.Instant.from(since) };
  } catch {
    return null;
  }
}

/**
 * Since when no other database has used the files. A copy has the same id, but doesn't know the files that
 * were attached in the other one since. What tells it apart is when it was started, so a restart counts too.
 */
export async function usedAloneSince(
  { database, files }: Pick<Place, 'database' | 'files'>,
  now: Temporal.Instant,
  log: Log,
): Promise<Temporal.Instant> {
  const { rows } = await database.pool.query<{ run: string }>(
    "select extract(epoch from pg_postmaster_start_time()) || ' ' || oid as run from pg_database where datname = current_database()",
  );
  const { run } = rows[0]!;
  const known = parsedUse(await files.readUse());
  if (known?.run === run) return known.since;
  if (runsWritten.get(files) === run)
    log.warn(
      'a copy of this database uses the same files, so no unreferenced ones are removed. Give the copy its own FILES_URL or DATA_DIR',
    );
  await files.writeUse(JSON.stringify({ run, since: now } satisfies Use));
  runsWritten.set(files, run);
  return now;
}

async function lookForFiles({ database, files }: Pick<Place, 'database' | 'files'>): Promise<FilesFound> {
  const fine = { reason: null, warning: null };
  const known = await readInstallation(database.drizzle).catch(() => undefined);
  if (!known?.filesPlace) return fine;
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, answerMs, undefined).unref());
  const mark = await Promise.race([files.readMark().catch(() => undefined), late]);
  if (mark === undefined) return { ...fine, warning: 'does not respond, so attached files are unavailable' };
  return mark === known.id ? fine : { ...fine, reason: 'are not those of this database' };
}
