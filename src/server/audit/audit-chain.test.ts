import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { openDatabase } from '../db/database.ts';
import { recordAudit } from './audit.service.ts';
import type { ChainHead } from './audit-chain.store.ts';
import { eraseFromAudit, keptHead, sealAudit, startSealing } from './seal-audit.ts';
import { verifyAudit } from './verify-audit.ts';

let one: TestApp;
/** The owner of the tables, who can turn triggers off: what an attacker with the whole database would do. */
let owner: pg.Client;
let person: string;

beforeAll(async () => {
  one = await startTestApp();
  owner = new pg.Client({ connectionString: one.databaseUrl });
  await owner.connect();
  person = await one.person();
});
afterAll(async () => {
  await owner.end();
  await one.stop();
});

/** The log as it was sealed with ten rows, whatever the test before did to it. */
beforeEach(async () => {
  await tamper('truncate audit_log, audit_chain, audit_unsealed restart identity');
  for (let row = 1; row <= 10; row += 1) await write(`thing ${row}`);
  await sealAudit(one.database);
});

async function tamper(sql: string): Promise<void> {
  await owner.query(`begin; set local session_replication_role = replica; ${sql}; commit`);
}

const actor = (server: TestApp) => ({
  viewer: { id: person },
  requestId: 'r',
  address: '10.0.0.1',
  clock: server.clock,
});
const write = (subjectId: string, server = one) =>
  server.database.transaction((queries) =>
    recordAudit(queries, actor(server), {
      action: 'thingChanged',
      subjectType: 'thing',
      subjectId,
      before: { name: 'Zoë', 'a b': null },
      after: { name: `"${subjectId}"\n` },
    }),
  );
const verify = (known: readonly ChainHead[] = []) => verifyAudit(one.parts, known);

describe('nobody changes the log', () => {
  const changes = [
    "update audit_log set action = 'x'",
    'update audit_log set address = null, address_salt = null, erased_in = 1',
    'delete from audit_log',
    'truncate audit_log cascade',
    "update audit_chain set hash = ''",
    'delete from audit_chain',
    'truncate audit_chain',
  ];
  it.each([...changes, 'delete from audit_unsealed', "insert into audit_chain values (99, 99, '', '', '')"])(
    'as the role of the running server: %s',
    async (sql) => {
      await expect(one.database.pool.query(sql)).rejects.toMatchObject({ code: '42501' });
      expect(await one.database.pool.query('select current_user as name')).toMatchObject({
        rows: [{ name: 'staff_dashboard' }],
      });
    },
  );
  it.each(changes)('as the owner of the tables: %s', async (sql) => {
    await expect(owner.query(sql)).rejects.toThrow('The audit log is append-only');
  });
  it('also while an erasure is under way, but for the texts that it takes', async () => {
    await owner.query("begin; set local staff_dashboard.erased_in = '1'");
    for (const sql of [
      "update audit_log set action = 'x', erased_in = 1",
      "update audit_log set address = '1.1.1.1', erased_in = 1",
      'update audit_log set address = null, erased_in = 1',
      "update audit_log set before = '{}', erased_in = 1",
      'delete from audit_log',
    ]) {
      await owner.query('savepoint s');
      await expect(owner.query(sql)).rejects.toThrow('append-only');
      await owner.query('rollback to s');
    }
    await owner.query('rollback');
  });
});

describe('whoever changes it behind our back is found out, by the first row that is wrong', () => {
  it.each([
    ["update audit_log set action = 'thingKept' where id = 4", /^row 4 \(place 4\) was changed/],
    ['update audit_log set actor_id = null where id = 4', /^row 4 \(place 4\) was changed/],
    ["update audit_log set at = at + interval '1 second' where id = 4", /^row 4 \(place 4\) was changed/],
    ["update audit_log set after = '{}' where id in (4, 6)", /^row 4 .* before and after are not what was sealed/],
    ["update audit_log set address = '10.0.0.2' where id = 4", /^row 4 .* the address is not what was sealed/],
    [
      'update audit_log set address = null, address_salt = null, erased_in = 9 where id = 4',
      /^row 4 .* lost texts, and no erasure says so/,
    ],
    ['delete from audit_log where id = 5', /^row 5 \(place 5\) is missing/],
    [
      'delete from audit_log where id = 5; delete from audit_chain where audit_id = 5',
      /^place 5 of the chain is missing/,
    ],
    [
      'delete from audit_log where id = 5; delete from audit_chain where audit_id = 5; update audit_chain set position = position - 1 where audit_id > 5',
      /^row 6 \(place 5\) was changed, or a row before it was taken out/,
    ],
    ["insert into audit_log (action, subject_type, subject_id, at) values ('x', 'y', 'z', '2026-11-01')", /^rows wait/],
  ])('%s', async (sql, fault) => {
    expect((await verify()).fault).toBeNull();
    await tamper(sql);
    expect((await verify()).fault).toMatch(fault);
  });

  it('a row that was deleted before it was sealed', async () => {
    await write('late');
    await tamper('delete from audit_log where id = 11');
    expect((await verify()).fault).toMatch(/^row 11 is missing: it was deleted before it was sealed/);
  });
  it('an end that was cut off, by an end that was kept', async () => {
    const { head } = await verify();
    await tamper('delete from audit_log where id > 8; delete from audit_chain where audit_id > 8');
    expect((await verify()).fault).toBeNull();
    expect((await verify([head!])).fault).toMatch(/^the chain ends at place 8, and place 10 was sealed once/);
  });
  it('a chain that was written anew, by an end that was kept', async () => {
    const { head } = await verify();
    await tamper(
      "update audit_log set action = 'x' where id = 4; truncate audit_chain; insert into audit_unsealed select id from audit_log",
    );
    await sealAudit(one.database);
    expect((await verify()).fault).toBeNull();
    expect((await verify([head!])).fault).toMatch(/^place 10 is not the one that was kept/);
  });
});

it('texts can be erased for good, and the chain holds with what is left', async () => {
  const { head } = await verify();
  await recordAudit(one.database.drizzle, actor(one), {
    action: 'personErased',
    subjectType: 'person',
    subjectId: person,
  });
  const asOwner = openDatabase({ url: one.databaseUrl, poolSize: 1, log: one.parts.log });
  await asOwner.transaction((queries) =>
    eraseFromAudit(queries, {
      inRow: '11',
      addressesOf: person,
      valuesOf: [{ subjectType: 'thing', ids: ['thing 3', 'thing 4'] }],
    }),
  );
  await asOwner.close();
  const { rows } = await owner.query(
    'select count(address)::int as addresses, count(address_salt)::int as salts, count(after)::int as values from audit_log where id < 11',
  );
  expect(rows).toEqual([{ addresses: 0, salts: 0, values: 8 }]);
  expect(await verify([head!])).toMatchObject({ fault: null, sealed: 11, erased: 10 });
});

it('of what four writers on each of two servers do at once, every row is sealed once, and none that was rolled back', async () => {
  const other = await startTestApp({ beside: one });
  let busy = true;
  const sealers = [one, other].map(async ({ database }) => {
    while (busy) await sealAudit(database);
  });
  const writer = async (server: TestApp, name: string) => {
    for (let turn = 0; turn < 15; turn += 1) {
      await write(`${name} ${turn}`, server);
      await server.database
        .transaction(async (queries) => {
          await recordAudit(queries, actor(server), { action: 'undone', subjectType: 'thing', subjectId: name });
          throw new Error('rolled back');
        })
        .catch(() => {});
    }
  };
  await Promise.all([one, other].flatMap((server) => ['a', 'b', 'c', 'd'].map((name) => writer(server, name))));
  busy = false;
  await Promise.all(sealers);
  await sealAudit(one.database);
  expect(await verify()).toMatchObject({ fault: null, sealed: 130, unsealed: 0 });
  const { rows } = await owner.query("select count(*)::int as count from audit_log where action = 'undone'");
  expect(rows).toEqual([{ count: 0 }]);
  await other.stop();
});

it('a running server seals by itself, and keeps the end of the chain in its folder, made if need be', async () => {
  await write('later');
  const dataDir = join(mkdtempSync(join(tmpdir(), 'sealing-')), 'not there yet');
  const sealing = startSealing({ database: one.database, log: one.parts.log, config: { dataDir } });
  await sealing.stop();
  const { head } = await verify();
  expect(head?.position).toBe('11');
  expect(keptHead(dataDir)).toEqual(head);
  expect(await verify([keptHead(dataDir)!])).toMatchObject({ fault: null, unsealed: 0 });
});
