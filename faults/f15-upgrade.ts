// A database of every earlier state of the tables, full of tasks, is brought to this version; on the way the
// one who migrates is killed at every step. What was there is there afterwards: the same rows, with the same
// values in every column that was kept.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate } from '#server/platform/db/migrate.ts';
import { type DatabaseFolder, startDatabase } from '../test/database-folder.ts';
import type { Fault } from './fault.ts';

const log = { info() {}, warn() {}, error: console.error };
const journal = new URL('../src/server/platform/db/migrations/meta/_journal.json', import.meta.url);
const killed = fileURLToPath(new URL('./migrate-and-die.ts', import.meta.url));

type Entry = { readonly tag: string; readonly when: number };

async function on<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return use(client).finally(() => client.end());
}

/** People, sprints, tasks with notes, files and history, in the columns that the first tables had already. */
const seed = (tasks: number): string => `
  insert into people (email, first_name, last_name) select 'person' || n || '@example.test', 'Person', n::text from generate_series(1, 20) n;
  insert into approvers (person_id, approver_id) select p.id, (select min(id) from people) from people p where p.id > (select min(id) from people);
  insert into sprints (name, start_at, end_at) select 'Week ' || n, timestamptz '2026-01-05 10:00Z' + n * interval '7 days', timestamptz '2026-01-12 10:00Z' + n * interval '7 days' from generate_series(1, 40) n;
  insert into tasks (owner_id, sprint_id, title, summary, category, created_by, status, source, external_id)
    select p.id, s.id, 'Task ' || n, repeat('What it is about. ', n % 9), 'General', p.id, (array['INAPPROVAL', 'TODO', 'DONE'])[1 + n % 3]::task_status, 'old', n::text
    from generate_series(1, ${tasks}) n
    join lateral (select id from people order by id offset n % 20 limit 1) p on true
    join lateral (select id from sprints order by id offset n % 40 limit 1) s on true;
  insert into task_notes (task_id, author_id, author_name, text) select id, owner_id, 'Person', 'A note on ' || title from tasks;
  insert into task_attachments (task_id, author_id, author_name, file_name, mime, size) select id, owner_id, 'Person', title || '.pdf', 'application/pdf', id from tasks where id % 3 = 0;
  insert into task_history (task_id, sprint_id, actor_id, actor_name, event, from_status, to_status, version) select id, sprint_id, owner_id, 'Person', 'created', 'INAPPROVAL', 'INAPPROVAL', 1 from tasks;
  insert into audit_log (actor_id, action, subject_type, subject_id) select owner_id, 'taskCreated', 'task', id::text from tasks;`;

type Table = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly hash: string;
};

async function hashed(client: pg.Client, name: string, columns: readonly string[]): Promise<Table> {
  const list = columns.map((column) => `"${column}"`).join(', ');
  const { rows } = await client.query<{ rows: number; hash: string }>(
    `select count(*)::int as rows, coalesce(md5(string_agg(line, ',' order by line)), '') as hash from (select md5(row(${list})::text) as line from "${name}") lines`,
  );
  return { name, columns, rows: rows[0]?.rows ?? 0, hash: rows[0]?.hash ?? '' };
}

async function allTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.table_name::text as name, array_agg(c.column_name::text order by c.ordinal_position) as columns from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name) where c.table_schema = 'public' and t.table_type = 'BASE TABLE' group by 1 order by 1`,
  );
  const tables = [];
  for (const { name, columns } of rows) tables.push(await hashed(client, name, columns));
  return tables;
}

/** What of `before` is missing or changed. A table without rows may go. */
async function missing(client: pg.Client, before: readonly Table[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, columns, rows, hash } of before.filter((table) => table.rows > 0)) {
    try {
      const after = await hashed(client, name, columns);
      if (after.rows < rows) faults.push(`${name} has ${after.rows} rows, it had ${rows}`);
      else if (after.rows === rows && after.hash !== hash) faults.push(`${name} has other values`);
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`);
    }
  }
  return faults;
}

/** Migrates in a process that is killed before its n-th statement; gives whether it lived to the end. */
function migrateAndDie(url: string, statement: number): Promise<boolean> {
  const child = spawn(process.execPath, [killed, url, String(statement)], { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)));
}

async function freshDatabase({ url, superuserUrl }: DatabaseFolder, name: string): Promise<string> {
  const { username } = new URL(url);
  const create = `create database ${name} template template0 encoding 'UTF8' owner ${username}`;
  await on(superuserUrl, (client) => client.query(create));
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}

async function upgradeFrom(
  database: DatabaseFolder,
  entry: Entry,
  tasks: number,
): Promise<{ rows: number; faults: string[] }> {
  const url = await freshDatabase(database, `from_${entry.tag.slice(0, 4)}`);
  await migrate({ url, log, upTo: entry.when });
  const before = await on(url, async (client) => {
    await client.query(seed(tasks));
    return allTables(client);
  });
  await migrate({ url, log });
  const faults = await on(url, (client) => missing(client, before));
  return {
    rows: before.reduce((sum, { rows }) => sum + rows, 0),
    faults: faults.map((fault) => `from ${entry.tag}: ${fault}`),
  };
}

/** Killed before every statement, one after the other, until nothing is left to do. */
async function killedOnTheWay(database: DatabaseFolder, first: Entry, tasks: number, every: number) {
  const url = await freshDatabase(database, 'killed');
  await migrate({ url, log, upTo: first.when });
  const before = await on(url, async (client) => {
    await client.query(seed(tasks));
    return allTables(client);
  });
  const faults: string[] = [];
  let kills = 0;
  for (let statement = 1; !(await migrateAndDie(url, statement)); statement += every) {
    kills += 1;
    const lost = await on(url, (client) => missing(client, before));
    faults.push(...lost.map((fault) => `killed before statement ${statement}: ${fault}`));
  }
  const lost = await on(url, (client) => missing(client, before));
  return { kills, faults: [...faults, ...lost.map((fault) => `killed on the way: ${fault}`)] };
}

export const upgraded: Fault = {
  id: 'F15',
  title: 'A database of an earlier version is upgraded, and whoever upgrades it is killed at every step',
  unit: 'tasks in it',
  trials: false,
  counts: { short: 300, full: 10_000 },
  async run({ count, say }) {
    const { entries } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: Entry[] };
    const [first, ...later] = entries;
    if (!first) throw new Error('There are no migrations');
    const database = await startDatabase('staff-fault-upgrade', { migrated: false, quiet: true });
    try {
      const faults: string[] = [];
      let rows = 0;
      for (const entry of [first, ...later.slice(0, -1)]) {
        const upgrade = await upgradeFrom(database, entry, count);
        rows += upgrade.rows;
        faults.push(...upgrade.faults);
        say(`from ${entry.tag}: ${upgrade.rows} rows, ${upgrade.faults.length} faults`);
      }
      const { kills, faults: onTheWay } = await killedOnTheWay(database, first, count, count >= 10_000 ? 7 : 60);
      return {
        figures: {
          'states of the tables upgraded from': entries.length - 1,
          'rows compared': rows,
          'kills on the way': kills,
          'released versions side by side': 'none: there is no released version yet',
        },
        failures: [...faults, ...onTheWay],
      };
    } finally {
      await database.stop();
    }
  },
};
