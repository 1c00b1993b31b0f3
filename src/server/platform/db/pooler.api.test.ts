// Behind PgBouncer in transaction mode a connection is ours for one transaction. TEST_POOLER=5 runs all API
// tests this way.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { failureLines } from '#server/commands/failure-lines.ts';
import { readConfig } from '#server/platform/config/config.ts';
import { createLog } from '#server/platform/log/log.ts';
import { startServer } from '#server/start-server.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { at } from '../../../../test/database.ts';
import { needs } from '../../../../test/needs.ts';
import { hasPooler, type Pooler, startPooler } from '../../../../test/pooler.ts';
import { type Database, openDatabase } from './database.ts';
import { isUnavailable } from './database-failures.ts';
import { assertNoPooler } from './pooler.ts';
import { serverRole } from './server-role.ts';

const log = { info() {}, warn() {}, error() {} };

describe('through a pooler in transaction mode', needs('pgbouncer', hasPooler), () => {
  let straight: TestApp;
  let pooler: Pooler;
  let one: Database;
  let app: TestApp;

  beforeAll(async () => {
    straight = await startTestApp();
    pooler = await startPooler(straight.databaseUrl, { poolSize: 2 });
    const url = at(pooler.url, new URL(straight.databaseUrl).pathname.slice(1));
    one = openDatabase({ url, role: serverRole, poolSize: 5, throughPooler: true, log });
    app = await startTestApp({ beside: straight, parts: { database: one } });
  });
  afterAll(async () => {
    await app.stop();
    await one.close();
    await straight.stop();
    await pooler.stop();
  });

  const session = `select current_user as "user", current_setting('TimeZone') as zone, current_setting('statement_timeout') as limit`;

  it('nothing is left on a connection that others work with next', async () => {
    await one.transaction(async (queries) => {
      await queries.execute(sql`select 1`);
    });
    await Promise.all(Array.from({ length: 10 }, () => one.pool.query({ name: 'left', text: 'select 1' })));
    const bare = openDatabase({ url: one.pool.options.connectionString as string, throughPooler: true, log });
    const { rows } = await bare.pool.query(
      "select current_user <> $1 as owner, (select count(*)::int from pg_prepared_statements where name = 'left') as prepared",
      [serverRole],
    );
    expect(rows).toEqual([{ owner: true, prepared: 0 }]);
    await bare.close();
  });

  it('a single statement and a transaction run as the role of the server, in UTC, for a limited time', async () => {
    const [expected] = (await straight.database.pool.query(session)).rows;
    expect(expected).toMatchObject({ user: serverRole, zone: 'UTC', limit: expect.stringMatching(/^\d+s$/) });
    expect((await one.pool.query(session)).rows).toEqual([expected]);
    expect((await one.drizzle.execute(sql.raw(session))).rows).toEqual([expected]);
    const inTransaction = await one.transaction((queries) => queries.execute(sql.raw(session)), { snapshot: true });
    expect(inTransaction.rows).toEqual([expected]);
    await expect(one.pool.query('delete from audit_log')).rejects.toMatchObject({ code: '42501' });
  });

  it('twenty people work at once over two connections', async () => {
    await straight.sprint();
    const approver = await straight.person();
    const permissions = ['VIEW_DASHBOARD', 'VIEW_TOP_5'] as const;
    const people = await Promise.all(
      Array.from({ length: 20 }, () => straight.person({ permissions, approvers: [approver] })),
    );
    const create = 'mutation ($userId: ID!) { createTask(title: "Pooled", userId: $userId) { id } }';
    const made = await Promise.all(
      people.map(async (userId) => app.gql(await straight.signIn(userId), create, { userId })),
    );
    expect(made.map(({ errors }) => errors)).toEqual(made.map(() => undefined));
    const { rows } = await straight.database.pool.query(
      "select count(*)::int as tasks, count(distinct owner_id)::int as owners from tasks where title = 'Pooled'",
    );
    expect(rows).toEqual([{ tasks: 20, owners: 20 }]);
  });

  it('a start without the direct address is refused before it locks anything', async () => {
    const pooled = one.pool.options.connectionString as string;
    for (const [sets, given] of [
      [true, /unsupported startup parameter/],
      [false, /pooler before the database/],
    ] as const) {
      await expect(assertNoPooler(pooled, { sets })).rejects.toThrow(given);
      await expect(assertNoPooler(straight.databaseUrl, { sets })).resolves.toBeUndefined();
    }
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'pooled-'));
    onTestFinished(() => rmSync(DATA_DIR, { recursive: true }));
    const env = { DATA_DIR, PORT: '0', DATABASE_URL: pooled, LINK_SECRET: '0123456789abcdef0123456789abcdef' };
    const refused = await startServer(readConfig(env), createLog({ level: 'silent' })).catch((error) => error);
    expect(failureLines(refused, env)).toEqual([
      expect.stringMatching(
        /^DATABASE_URL is .*, but it points to a pooler, such as PgBouncer. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.$/,
      ),
    ]);
    const { rows } = await straight.database.pool.query(
      "select from pg_locks where locktype = 'advisory' and objid = 7317001",
    );
    expect(rows).toEqual([]);
  });

  it('a pooler that has gone is a database that cannot be reached', async () => {
    const other = await startPooler(straight.databaseUrl, { poolSize: 1 });
    const database = openDatabase({ url: at(other.url, 'postgres'), throughPooler: true, log });
    await database.pool.query('select 1');
    await other.stop();
    expect(isUnavailable(await database.pool.query('select 1').catch((error) => error))).toBe(true);
    await database.close();
  });
});
