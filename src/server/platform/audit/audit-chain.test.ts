import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { fixedClock } from '../db/clock.ts';
import { openDatabase } from '../db/database.ts';
import { recordAudit } from './audit.service.ts';
import type { ChainHead } from './audit-chain.store.ts';
import { eraseFromAudit, retireAudit, savedHead, sealAudit, startSealing } from './seal-audit.ts';
import { verifyAudit } from './verify-audit.ts';

let one: TestApp;
/** The owner of the tables can turn triggers off, like an attacker who controls the whole database. */
let owner: pg.Client;
let person: string;

beforeAll(async () => {
  one = await startTestApp();
  owner = new pg.Client({ connectionString: one.superuserUrl });
  await owner.connect();
  person = await one.person();
});
afterAll(async () => {
  await owner.end();
  await one.stop();
});

/** Restores the log with its ten sealed rows, whatever the previous test did to it. */
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
    ["update audit_log set action = 'thingKept' where id = 4", /^row 4 \(entry 4\) was changed/],
    ['update audit_log set actor_id = null where id = 4', /^row 4 \(entry 4\) was changed/],
    ["update audit_log set at = at + interval '1 second' where id = 4", /^row 4 \(entry 4\) was changed/],
    ["update audit_log set after = '{}' where id in (4, 6)", /^row 4 .* before and after are not what was sealed/],
    ["update audit_log set address = '10.0.0.2' where id = 4", /^row 4 .* the address is not what was sealed/],
    [
      'update audit_log set address = null, address_salt = null, erased_in = 9 where id = 4',
      /^row 4 .* has lost texts that nobody erased/,
    ],
    ['delete from audit_log where id = 5', /^row 5 \(entry 5\) is missing/],
    [
      'delete from audit_log where id = 5; delete from audit_chain where audit_id = 5',
      /^entry 5 of the chain is missing/,
    ],
    [
      'delete from audit_log where id = 5; delete from audit_chain where audit_id = 5; update audit_chain set position = position - 1 where audit_id > 5',
      /^row 6 \(entry 5\) was changed, or a row before it was taken out/,
    ],
    [
      "insert into audit_log (action, subject_type, subject_id, at) values ('x', 'y', 'z', '2026-11-01')",
      /^rows have waited/,
    ],
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
    expect((await verify([head!])).fault).toMatch(/^the chain ends at entry 8, but entry 10 was sealed before/);
  });
  it('a chain that was rewritten, by an end that was kept', async () => {
    const { head } = await verify();
    await tamper(
      "update audit_log set action = 'x' where id = 4; truncate audit_chain; insert into audit_unsealed select id from audit_log",
    );
    await sealAudit(one.database);
    expect((await verify()).fault).toBeNull();
    expect((await verify([head!])).fault).toMatch(/^entry 10 differs from the one recorded earlier/);
  });
});

it('texts can be erased permanently, and the chain holds with what is left', async () => {
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

describe('after 400 days a row is taken away, and the chain holds from there on', () => {
  /** Six rows from two years ago, before the ten new ones. */
  beforeEach(async () => {
    await tamper('truncate audit_log, audit_chain, audit_unsealed restart identity');
    const then = fixedClock('2024-11-20T12:00:00Z');
    for (let row = 1; row <= 6; row += 1)
      await recordAudit(
        one.database.drizzle,
        { ...actor(one), clock: then },
        { action: 'thingChanged', subjectType: 'thing', subjectId: `old ${row}` },
      );
    await sealAudit(one.database);
    for (let row = 1; row <= 10; row += 1) await write(`thing ${row}`);
    await sealAudit(one.database);
  });

  const subjects = async () =>
    (await owner.query<{ subject_id: string }>('select subject_id from audit_log order by id')).rows.map(
      (row) => row.subject_id,
    );

  it('what is younger stays, and a line says what went', async () => {
    const { head } = await verify();
    await retireAudit(one.parts);
    expect(await subjects()).toEqual([...Array.from({ length: 10 }, (_, row) => `thing ${row + 1}`), '6']);
    await sealAudit(one.database);
    expect(await verify([head!])).toMatchObject({ fault: null, retired: '6', sealed: 11, unsealed: 0 });
    const { rows } = await owner.query("select action, after from audit_log where action = 'auditRetired'");
    expect(rows).toEqual([
      { action: 'auditRetired', after: { position: '6', rows: 6, hash: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ]);
    await retireAudit(one.parts);
    expect(await subjects()).toHaveLength(11);
  });

  it('an end that was kept before them is still compared, where it can be', async () => {
    const { rows } = await owner.query<ChainHead>(
      "select position::text, encode(hash, 'hex') as hash from audit_chain where position in (3, 6) order by position",
    );
    const [third, sixth] = rows as [ChainHead, ChainHead];
    await retireAudit(one.parts);
    expect((await verify([third, sixth])).fault).toBeNull();
    expect((await verify([{ ...sixth, hash: third.hash }])).fault).toMatch(
      /^entry 6 differs from the one recorded earlier/,
    );
  });

  it('the newest link stays, however old it is', async () => {
    await tamper('delete from audit_log where id > 6; delete from audit_chain where audit_id > 6');
    await retireAudit(one.parts);
    expect(await subjects()).toEqual(['old 6', '5']);
    await sealAudit(one.database);
    expect(await verify()).toMatchObject({ fault: null, retired: '5', sealed: 2 });
  });

  it('whoever claims a later moment takes nothing away that is young, and nobody takes away by hand', async () => {
    const { rows } = await one.database.pool.query("select retire_audit('2999-01-01', 100) as gone");
    expect(rows).toEqual([{ gone: 6 }]);
    await expect(one.database.pool.query('delete from audit_log')).rejects.toMatchObject({ code: '42501' });
    await owner.query("begin; set local staff_dashboard.retired_to = '1'");
    await expect(owner.query('delete from audit_log where id > 6')).rejects.toThrow('append-only');
    await owner.query('rollback');
  });

  it.each([
    [
      'another beginning',
      'delete from audit_log where id = 7; delete from audit_chain where audit_id = 7',
      /^entry 1 of the chain is missing/,
    ],
    [
      'another hash in the line',
      `update audit_log set after = jsonb_set(after, '{hash}', '"00"') where action = 'auditRetired'`,
      /^row 7 \(entry 7\) was changed/,
    ],
    ['no line', "delete from audit_log where action = 'auditRetired'", /^entry 1 of the chain is missing/],
  ])('%s is found out', async (_, sql, fault) => {
    await retireAudit(one.parts);
    await sealAudit(one.database);
    await tamper(sql);
    expect((await verify()).fault).toMatch(fault);
  });
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
  const sealing = startSealing({ database: one.database, clock: one.clock, log: one.parts.log, config: { dataDir } });
  await sealing.stop();
  const { head } = await verify();
  expect(head?.position).toBe('11');
  expect(savedHead(dataDir)).toEqual(head);
  expect(await verify([savedHead(dataDir)!])).toMatchObject({ fault: null, unsealed: 0 });
});
