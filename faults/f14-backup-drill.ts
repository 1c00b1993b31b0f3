// The backup drill: a backup under load and one at rest, everything wiped, both restored to a new place and
// compared with what was there; and backups that are damaged, for someone else or of a newer version, which a
// restore has to refuse.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { seededRandom } from '#server/demo/random.ts';
import { type DatabaseFolder, openFolder } from '../test/database-folder.ts';
import { AcknowledgedWrites, compare } from './acknowledged-writes.ts';
import { damages, refusals } from './bad-backups.ts';
import type { Asked, Fault, Outcome } from './fault.ts';
import { answersOf, assertRan, backupSecret, NewPlace, run } from './new-place.ts';
import { makeStaff, outsideDatabase, Product, type Staff } from './product.ts';
import { wholeState } from './whole-state.ts';
import { prepareTasks, Writers } from './writers.ts';

const fileBytes = 1_000_000;
const tasksToAFile = 10;

type Query = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/** The tasks of a company and their files, each task with its line of history and of the audit log. */
async function fill(query: Query, dataDir: string, { owners }: Staff, count: number): Promise<number> {
  const tasks = await query<{ id: string; owner: string }>(
    `with made as (
       insert into tasks (owner_id, sprint_id, title, summary, category, created_by)
       select o.id, s.id, 'Filled ' || n, repeat(md5(n::text), 30), 'All Brands', o.id from generate_series(1, $2::int) n
         cross join lateral (select ($1::bigint[])[n % cardinality($1::bigint[]) + 1] as id) o
         cross join (select id from sprints where start_at <= now() and end_at > now()) s
       returning id, owner_id, sprint_id
     ), told as (
       insert into task_history (task_id, sprint_id, actor_id, actor_name, event, from_status, to_status, version)
       select id, sprint_id, owner_id, 'Owner', 'created', 'INAPPROVAL', 'INAPPROVAL', 1 from made
     ), logged as (
       insert into audit_log (action, subject_type, subject_id, actor_id) select 'taskCreated', 'task', id, owner_id from made
     ) select id::text, owner_id::text as owner from made`,
    [owners.map(({ id }) => id), count],
  );
  const named = tasks.filter((_, index) => index % tasksToAFile === 0);
  const files: object[] = [];
  for (const { id, owner } of named) {
    const content = randomBytes(fileBytes);
    const name = randomBytes(20).toString('hex');
    const key = `${name.slice(0, 2)}/${name}`;
    const path = join(dataDir, 'files', key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    files.push({ id, owner, key, hash: createHash('sha256').update(content).digest('hex') });
  }
  await query(
    `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size, storage_key, sha256)
     select id, owner, 'Owner', 'filled.zip', 'application/zip', $2, key, decode(hash, 'hex')
     from json_to_recordset($1) as files (id bigint, owner bigint, key text, hash text)`,
    [JSON.stringify(files), fileBytes],
  );
  return named.length;
}

const onlyBackupIn = (folder: string): string => join(folder, readdirSync(folder)[0] ?? '');

/** A hash over all rows of each table, in no order. */
async function hashesOf(url: string, tables: readonly string[]): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const table of tables) {
    const [row] = await answersOf<{ rows: string; hash: string }>(
      url,
      `select count(*) as rows, md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as hash from ${pg.escapeIdentifier(table)} t`,
    );
    hashes.set(table, `${row?.rows} rows ${row?.hash}`);
  }
  return hashes;
}

/**
 * Tables whose rows are written once: what a backup has of them has to be there to the letter, though more
 * came since.
 */
const written = ['task_history', 'task_notes', 'task_attachments', 'audit_log', 'audit_chain'];

async function faultsAgainst(source: string, restored: string): Promise<string[]> {
  const faults: string[] = [];
  for (const table of written) {
    const rows = `select md5(t::text) as hash from ${table} t`;
    const there = new Set((await answersOf<{ hash: string }>(source, rows)).map(({ hash }) => hash));
    const other = (await answersOf<{ hash: string }>(restored, rows)).filter(({ hash }) => !there.has(hash));
    if (other.length > 0) faults.push(`${other.length} rows of ${table} are not those that were there`);
  }
  return faults;
}

type Source = { readonly product: Product; readonly env: Record<string, string>; readonly folder: string };

type Loaded = Awaited<ReturnType<typeof backUpUnderLoad>>;

/**
 * A backup, encrypted, while people write. The acknowledged writes are those from before it began, and none
 * is unknown.
 */
async function backUpUnderLoad({ product, env, folder }: Source, asked: Asked, staff: Staff) {
  const url = () => product.url;
  const writes = new AcknowledgedWrites(folder);
  const random = seededRandom(asked.seed);
  const tasks = await prepareTasks({ url, staff });
  const key = join(folder, 'key.txt');
  const recipient = assertRan(await run('backup', ['--new-key', key], {})).said.trim();
  const writers = new Writers({ url, databaseUrl: product.databaseUrl, staff, writes, random }, tasks);
  await writers.acknowledgedMore(50);
  const before = writes.read();
  const ran = assertRan(await run('backup', [join(folder, 'under-load'), '--recipient', recipient], env));
  await writers.acknowledgedMore(staff.owners.length);
  const tally = await writers.stop();
  const { intents, acknowledged } = writes.read();
  writes.close();
  const known = new AcknowledgedWrites(openFolder('staff-fault-writes', folder));
  for (const intent of intents.values()) known.intend(intent);
  for (const [key, id] of before.acknowledged) known.acknowledge(key, id);
  return {
    path: onlyBackupIn(join(folder, 'under-load')),
    key,
    known,
    faults: tally.unexpected,
    figures: {
      'seconds of a backup under load, encrypted': ran.seconds,
      'writes acknowledged before it': before.acknowledged.size,
      'writes acknowledged while it was made': acknowledged.size - before.acknowledged.size,
      'milliseconds without an acknowledgement, longest': Math.round(tally.longestGapMs),
    },
  };
}

/** Starts a server on what was restored and ends it; gives the seconds until it worked. */
async function serveOn(place: NewPlace, folder: string): Promise<number> {
  const product = new Product({
    database: place.database,
    folder: openFolder('staff-fault-back', folder),
    env: { ...backupSecret, DATA_DIR: place.dataDir },
  });
  const milliseconds = await product.start();
  await product.server.stop();
  return Math.round(milliseconds / 100) / 10;
}

/**
 * The backup under load is brought to a new place: what was acknowledged before it is there, and nothing that
 * was not.
 */
async function restoreLoaded(loaded: Loaded, source: string, place: NewPlace, folder: string) {
  const ran = assertRan(await run('restore', [loaded.path, '--identity', loaded.key], place.env));
  const pool = new pg.Pool({ connectionString: place.database.url, max: 1 });
  const { faults } = await compare(loaded.known, pool).finally(() => pool.end());
  loaded.known.close();
  const others = await faultsAgainst(source, place.database.url);
  // It seals the rows of the audit log that waited for it at the moment of the backup.
  await serveOn(place, folder);
  const state = await wholeState(place.database.url, place.dataDir);
  return {
    failures: [...faults, ...others, ...state.faults],
    figures: {
      'seconds of a restore, encrypted': ran.seconds,
      'acknowledged writes lost': faults.filter((fault) => fault.endsWith('is lost')).length,
    },
  };
}

/** The backup at rest is brought to another one, where every row is what it was, and a server works. */
async function restoreExactly(plain: string, there: ReadonlyMap<string, string>, place: NewPlace, folder: string) {
  const ran = assertRan(await run('restore', [plain], place.env));
  const failures: string[] = [];
  for (const [table, hash] of await hashesOf(place.database.url, [...there.keys()]))
    if (there.get(table) !== hash) failures.push(`${table} has ${hash} instead of ${there.get(table)}`);
  const state = await wholeState(place.database.url, place.dataDir);
  const seconds = await serveOn(place, folder);
  return {
    failures: [...failures, ...state.faults],
    figures: {
      'seconds of a restore, not encrypted': ran.seconds,
      'seconds until a server works on what was restored': seconds,
      'tables equal to the snapshot': there.size - failures.length,
    },
  };
}

async function drill(asked: Asked, database: DatabaseFolder, places: readonly [NewPlace, NewPlace]): Promise<Outcome> {
  // The backup proves itself with the secret of the servers.
  const product = new Product({ database, env: backupSecret });
  const { folder } = product;
  try {
    await product.start();
    const staff = await makeStaff(database.url, 8);
    const files = await fill((sql, values) => product.query(sql, values), product.dataDir, staff, asked.count);
    asked.say(`${asked.count} tasks and ${files} files are there`);
    const env = { ...backupSecret, DATABASE_URL: database.url, DATA_DIR: product.dataDir };
    const loaded = await backUpUnderLoad({ product, env, folder }, asked, staff);
    asked.say('the backup under load is made');

    await product.server.stop();
    const atRest = assertRan(await run('backup', [join(folder, 'at-rest')], env));
    const plain = onlyBackupIn(join(folder, 'at-rest'));
    const { tables } = JSON.parse(readFileSync(join(plain, 'manifest.json'), 'utf8')) as { tables: { name: string }[] };
    const there = await hashesOf(
      database.url,
      tables.map(({ name }) => name),
    );
    rmSync(product.dataDir, { recursive: true });
    asked.say('the files are wiped');

    const [first, second] = places;
    const accepted = await refusals(plain, loaded.path, folder, first);
    asked.say('bad backups were tried');
    const afterLoad = await restoreLoaded(loaded, database.url, first, folder);
    const exact = await restoreExactly(plain, there, second, folder);
    return {
      figures: {
        tasks: asked.count,
        'megabytes of files': Math.round((files * fileBytes) / 1e6),
        ...loaded.figures,
        'seconds of a backup at rest, not encrypted': atRest.seconds,
        ...afterLoad.figures,
        ...exact.figures,
        'bad backups tried': damages.length + 2,
        'bad backups accepted': accepted.length,
      },
      failures: [...loaded.faults, ...accepted, ...afterLoad.failures, ...exact.failures],
    };
  } finally {
    await product.end();
  }
}

export const backupDrill: Fault = {
  id: 'F14',
  title: 'Everything is wiped and restored from a backup',
  unit: 'tasks, with a file of 1 MB to every ten',
  trials: false,
  counts: { short: 200, full: 10_000 },
  async run(asked) {
    const database = await outsideDatabase();
    const places = [await NewPlace.open(), await NewPlace.open()] as const;
    try {
      return await drill(asked, database, places);
    } finally {
      for (const { stop } of [...places.map((place) => place.database), database]) await stop();
    }
  },
};
