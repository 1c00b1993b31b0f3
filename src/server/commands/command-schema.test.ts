// No command changes the tables: each works on its own version, or says in one line what to do.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate, newestMigration } from '#server/platform/db/migrate.ts';
import { programVersion } from '#server/platform/program.ts';
import { builtMain } from '../../../test/built-server.ts';
import { asOwner, type FreshDatabase, freshDatabase } from '../../../test/database.ts';

const log = { info() {}, warn() {}, error: console.error };
const folder = mkdtempSync(join(tmpdir(), 'command-schema-'));
const journal: { entries: { when: number; tag: string }[] } = JSON.parse(
  readFileSync(new URL('../platform/db/migrations/meta/_journal.json', import.meta.url), 'utf8'),
);
const mapping = fileURLToPath(new URL('../../../examples/import/tasks_jira_duraspace.json', import.meta.url));
const newest = journal.entries.length;
/** A port on which another program listens. */
const taken = createServer().listen(0, '127.0.0.1');
await once(taken, 'listening');
const databases: Record<'older' | 'newer' | 'empty' | 'unknown', FreshDatabase> = {} as never;

beforeAll(async () => {
  for (const state of ['older', 'newer', 'empty', 'unknown'] as const)
    databases[state] = await freshDatabase({ bare: true });
  const before = journal.entries.at(-2)!.when;
  await migrate({ url: databases.older.url, log, upTo: before });
  await migrate({ url: databases.newer.url, log });
  await migrate({ url: databases.unknown.url, log, upTo: before });
  const later = 'insert into drizzle.__drizzle_migrations (hash, created_at) values';
  await asOwner(databases.newer.url, `${later} ('later', 9999999999999)`);
  await asOwner(databases.newer.url, "update installed_versions set version = '9.0.0'");
  await asOwner(databases.unknown.url, `${later} ('elsewhere', ${newestMigration() - 1})`);
  writeFileSync(join(folder, 'rows.ndjson'), '{"id":"1","title":"A task"}\n');
});
afterAll(async () => {
  await Promise.all(Object.values(databases).map((database) => database.drop()));
  rmSync(folder, { recursive: true, force: true });
  taken.close();
});

type Ended = { readonly code: number | null; readonly out: string; readonly error: string };

function run(
  command: string,
  parameters: readonly string[],
  url: string,
  env: Record<string, string> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [builtMain, command, ...parameters], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: url,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      LINK_SECRET: 'of commands that change no table',
      ...env,
    },
  });
  const printed = { out: '', error: '' };
  child.stdout.on('data', (text) => {
    printed.out += text;
  });
  child.stderr.on('data', (text) => {
    printed.error += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...printed })));
}

/** Every column of every table, and every migration that was applied. */
async function tablesOf(url: string): Promise<unknown> {
  const columns = await asOwner(
    url,
    `select table_schema, table_name, column_name, data_type from information_schema.columns
     where table_schema in ('public', 'drizzle') order by 1, 2, 3`,
  );
  return {
    columns,
    migrations: columns.length > 0 ? await asOwner(url, 'select * from drizzle.__drizzle_migrations') : [],
  };
}

const commands: readonly (readonly [string, readonly string[]])[] = [
  ['admin', ['first-admin', 'ada@example.test']],
  ['import', ['tasks', join(folder, 'rows.ndjson'), '--mapping', mapping]],
];
const answers = {
  older: `The database is at version ${newest - 1}, this program expects ${newest}. Upgrade as in docs/production.md (under systemd: docs/deployment.md), which makes a backup first. Without one: \`npm run migrate\`.\n`,
  newer: `The database is at version ${newest + 1}, this program (${programVersion()}) knows ${newest}. Use the release that migrated it (9.0.0), or a newer one.\n`,
  empty:
    'The database is empty. Check DATABASE_URL and DATA_DIR. To start an empty company, run `migrate`. To bring yours back, restore a backup.\n',
  unknown: `The database was migrated by a program with other migrations (the newest is of ${new Date(newestMigration() - 1).toISOString()}). Use that program.\n`,
} as const;
const states = Object.entries(answers) as [keyof typeof databases, string][];

it.each(states)(
  'commands refuse a database whose tables are %s in one line that says what to do, and change none',
  async (state, answer) => {
    const { url } = databases[state];
    const before = await tablesOf(url);
    const ended = await Promise.all(commands.map(([command, parameters]) => run(command, parameters, url)));
    expect(ended).toEqual(commands.map(() => ({ code: 1, out: '', error: answer })));
    expect(await tablesOf(url)).toEqual(before);
  },
);

it.each(states.filter(([state]) => state !== 'older'))(
  'a backup refuses a database whose tables are %s, and leaves no folder',
  async (state, answer) => {
    const target = join(folder, `refused-${state}`);
    expect(await run('backup', [target], databases[state].url)).toEqual({ code: 1, out: '', error: answer });
    expect(readdirSync(folder)).not.toContain(`refused-${state}`);
  },
);

it('a backup copies the tables of an older version, says which, and does not migrate', async () => {
  const { url } = databases.older;
  const before = await tablesOf(url);
  const { code, out, error } = await run('backup', [join(folder, 'older')], url);
  expect([code, error]).toEqual([0, '']);
  expect(out).toContain(`The database is at version ${newest - 1}, older than the ${newest} of this program`);
  expect(await tablesOf(url)).toEqual(before);
});

it.each(states.filter(([state]) => state === 'newer' || state === 'unknown'))(
  'migrate refuses a database whose tables are %s',
  async (state, answer) => {
    const before = await tablesOf(databases[state].url);
    for (const parameters of [[], ['--dry-run']])
      expect(await run('migrate', parameters, databases[state].url)).toEqual({ code: 1, out: '', error: answer });
    expect(await tablesOf(databases[state].url)).toEqual(before);
  },
);

it('a server told not to migrate stops with one line at an older database, and changes nothing', async () => {
  const { url } = databases.older;
  const before = await tablesOf(url);
  const { code, error } = await run('serve', ['--no-migrate'], url);
  expect([code, error]).toEqual([1, answers.older]);
  expect(await tablesOf(url)).toEqual(before);
});

it('a server that creates no database stops with one line at an empty one, and leaves it empty', async () => {
  const { url } = databases.empty;
  expect(await run('serve', ['--no-new-database'], url)).toEqual({ code: 1, out: '', error: answers.empty });
  expect(await tablesOf(url)).toEqual({ columns: [], migrations: [] });
});

it('a server refuses a newer database in the same one line, and one of the same release without a contradiction', async () => {
  const { url } = databases.newer;
  expect(await run('serve', [], url)).toEqual({ code: 1, out: '', error: answers.newer });
  await asOwner(url, `update installed_versions set version = '${programVersion()}'`);
  const { error } = await run('serve', [], url);
  expect(error).toContain(`A newer build of ${programVersion()} has migrated it. Get its sources and run`);
});

it.each([
  ['whose port is taken', { PORT: String((taken.address() as AddressInfo).port) }, 'another program listens there'],
  [
    'whose files cannot be kept',
    { FILES_URL: 's3://bucket?endpoint=http://127.0.0.1:1' },
    'FILES_URL is "s3://bucket/..." at 127.0.0.1:1, but it has no access key.',
  ],
])('a server %s does not migrate', async (_what, env, message) => {
  const { url } = databases.older;
  const before = await tablesOf(url);
  const { code, error } = await run('serve', [], url, env);
  expect(code).toBe(1);
  expect(error).toContain(message);
  expect(await tablesOf(url)).toEqual(before);
});

it('a dry run of migrate lists what would run and changes nothing; migrate runs it, once', async () => {
  const { url } = databases.older;
  const name = journal.entries.at(-1)!.tag;
  const before = await tablesOf(url);
  expect(await run('migrate', ['--dry-run'], url)).toEqual({
    code: 0,
    out: `Would run 1 migration:\n  ${name}\n`,
    error: '',
  });
  expect(await tablesOf(url)).toEqual(before);
  expect(await run('migrate', [], url)).toEqual({ code: 0, out: `Ran 1 migration:\n  ${name}\n`, error: '' });
  expect(await run('migrate', [], url)).toEqual({
    code: 0,
    out: `Nothing to migrate: the database is at version ${newest}\n`,
    error: '',
  });
});
