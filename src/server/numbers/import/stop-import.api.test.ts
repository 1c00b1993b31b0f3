import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { importing } from '../../../../test/people.ts';

const mapping = {
  dataset: 'payments',
  source: 'till',
  currency: 'EUR',
  fields: {
    external_id: 'id',
    attempted_at: 'when',
    order_ref: 'id',
    amount: 'amount',
    status: { constant: 'paid' },
  },
};
/** Six batches and a bad row in the first of them. */
const rows = Array.from({ length: 15_000 }, (_, at) => `${at},2026-01-05 10:00,${at}.25`);
const file = ['id,when,amount', 'bad,soon,1', ...rows].join('\n');
/** What an import keeps whose first batch waited: that batch, and what it had read of the next one. */
function expectStoppedAtBatch({ rows: read, inserted }: { rows: number; inserted: number }): void {
  expect(inserted).toBeGreaterThanOrEqual(2_500);
  expect(inserted).toBeLessThanOrEqual(5_000);
  expect(read).toBe(inserted + 1);
}

let app: TestApp;
let beside: TestApp;
let person: string;

beforeAll(async () => {
  app = await startTestApp();
  beside = await startTestApp({ beside: app });
  person = await app.signIn(await app.person({ permissions: importing }));
  const save =
    'mutation ($name: String!, $mapping: String!) { saveImportMapping(name: $name, mapping: $mapping) { name } }';
  await app.gql(person, save, { name: 'till', mapping: JSON.stringify(mapping) });
});
afterAll(async () => {
  await beside.stop();
  await app.stop();
});

const fields =
  'state isStopping isDryRun share rows inserted updated unchanged refused reason seenAt faults { line reason }';
const stopping = `mutation ($run: ID!) { stopImport(run: $run) { ${fields} } }`;
const stop = (run: string, at = app) => at.gql(person, stopping, { run });
const standOf = async (id: string) =>
  (await app.gql(person, `query ($id: ID!) { importRun(id: $id) { ${fields} } }`, { id })).data.importRun;

async function begin(query = ''): Promise<string> {
  const answer = await app.call({
    method: 'POST',
    url: `/api/import/payments?mapping=till&wait=no${query}`,
    headers: { authorization: `Bearer ${person}`, 'content-type': 'text/csv' },
    payload: file,
  });
  return answer.json().run;
}

async function ended(run: string) {
  await expect.poll(() => standOf(run).then(({ state }) => state)).not.toBe('running');
  return standOf(run);
}

/** Starts an import whose first batch waits for `work`. */
async function whileItWaits(query: string, work: (run: string) => Promise<void>): Promise<string> {
  const holder = await app.database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table payments in share mode');
    const run = await begin(query);
    const waiting = `select from pg_locks where not granted and relation = 'payments'::regclass`;
    await expect.poll(() => app.database.pool.query(waiting).then(({ rowCount }) => rowCount)).toBe(1);
    await work(run);
    return run;
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}

/** Waits until the import's server has reported progress, and so has read the request. */
async function untilSeen(run: string): Promise<void> {
  const now = app.clock.now().add({ seconds: 5 });
  app.clock.set(now.toString());
  const seenAt = async () => Temporal.Instant.from((await standOf(run)).seenAt).epochMilliseconds;
  await expect.poll(seenAt).toBe(now.epochMilliseconds);
}

const linesOf = async (run: string) =>
  (
    await app.database.pool.query(
      "select action, actor_id, after from audit_log where subject_type = 'importRun' and subject_id = $1",
      [run],
    )
  ).rows;
const emptied = () => app.database.pool.query('truncate payments, payments_daily, payments_totals');
const stored = async () =>
  (
    await app.database.pool.query(
      `select (select count(*)::int from payments) as rows, (select sum(amount) from payments) as amount,
        (select sum(row_count)::int from payments_daily) as counted, (select sum(amount) from payments_daily) as rolled,
        (select jsonb_agg(t order by t) from payments_totals t) as totals`,
    )
  ).rows[0];

describe('who may stop', () => {
  test('nobody who may not import, whether there is such an import or not; and there is none of another number', async () => {
    const run = await whileItWaits('&dryRun=1', async (id) => {
      for (const permissions of [
        ['VIEW_DASHBOARD', 'VIEW_TOOLS'] as const,
        ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] as const,
        ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'USER_MANAGEMENT'] as const,
      ]) {
        const half = await app.signIn(await app.person({ permissions: [...permissions] }));
        const refusals = await Promise.all([id, '999'].map((of) => app.gql(half, stopping, { run: of })));
        expect(refusals.map(({ code }) => code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
      }
      expect((await app.gql(null, stopping, { run: id })).status).toBe(401);
      for (const none of ['999', '0', '-1', 'x', '9'.repeat(19)]) expect((await stop(none)).code).toBe('NOT_FOUND');
      expect(await standOf(id)).toMatchObject({ state: 'running', isStopping: false });
    });
    expect(await ended(run)).toMatchObject({ state: 'done', inserted: 15_000, share: 1 });
    expect(await linesOf(run)).toEqual([]);
  });
});

test('someone else’s import, and a removal, are stopped only after a recent proof, and one’s own without', async () => {
  const other = await app.person({ permissions: importing });
  const stale = await app.signIn(other);
  const before = app.clock.now().toString();
  app.clock.set(app.clock.now().add({ minutes: 11 }).toString());
  const fresh = await app.signIn(other);
  const codes = async (run: string, tokens: readonly string[]) => {
    const answers: (string | null)[] = [];
    for (const token of tokens) answers.push((await app.gql(token, stopping, { run })).code);
    return answers;
  };
  const run = await whileItWaits('&dryRun=1', async (id) => {
    expect(await codes(id, [stale])).toEqual(['CONFIRM_IDENTITY']);
    expect(await standOf(id)).toMatchObject({ isStopping: false });
    expect(await codes(id, [fresh])).toEqual([null]);
    await untilSeen(id);
  });
  expect(await ended(run)).toMatchObject({ state: 'stopped' });
  const at = app.clock.now().toString();
  for (const way of ['removal', 'erasure', 'wizard']) {
    const { rows: begun } = await app.database.pool.query(
      `insert into import_runs (dataset, source, mapping, file_name, is_dry_run, way, person_id, state, started_at, seen_at, size)
       values ('payments', 'till', '', '', false, $1, $2, 'running', $3, $3, 0) returning id::text`,
      [way, other, at],
    );
    const refused = way === 'wizard' ? null : 'CONFIRM_IDENTITY';
    const answers = await codes(begun[0].id, [stale, fresh]);
    // Later imports would wait for it.
    await app.database.pool.query('delete from import_runs where id = $1', [begun[0].id]);
    expect([way, ...answers]).toEqual([way, refused, null]);
  }
  // The proof of the other tests' person lasts ten minutes.
  app.clock.set(before);
});

test('numbers say that an import writes their rows, until it has ended or its server died', async () => {
  const admin = await app.signIn(await app.person({ role: 'admin' }));
  const isImporting = async () =>
    (
      await app.gql(
        admin,
        `{ numbers(dataset: "payments", metrics: ["attempts"], from: "2026-01-01", to: "2026-02-01") { isImporting } }`,
      )
    ).data.numbers.isImporting;
  const dry = await whileItWaits('&dryRun=1', async () => expect(await isImporting()).toBe(false));
  await ended(dry);
  const { pool } = app.database;
  const run = await whileItWaits('', async (id) => {
    await untilSeen(id);
    expect(await isImporting()).toBe(true);
    await pool.query(`insert into import_runs (dataset, source, mapping, file_name, is_dry_run, way, state, started_at, seen_at, size)
      select 'orders', source, mapping, file_name, false, way, 'running', started_at, seen_at, size from import_runs where id = ${id}`);
  });
  await ended(run);
  expect(await isImporting()).toBe(false);
  const seen = (seconds: number) =>
    pool.query(`update import_runs set dataset = 'payments', seen_at = $1 where state = 'running'`, [
      app.clock.now().subtract({ seconds }).toString(),
    ]);
  await seen(30);
  expect(await isImporting()).toBe(true);
  await seen(61);
  expect(await isImporting()).toBe(false);
  await pool.query(`delete from import_runs where state = 'running'`);
  await emptied();
});

describe('an import that is stopped', () => {
  test('through another server ends at a batch, tells what it kept, and run again comes to the same as one run', async () => {
    await ended(await begin());
    const once = await stored();
    await emptied();
    const run = await whileItWaits('', async (id) => {
      const { data } = await stop(id, beside);
      expect(data.stopImport).toMatchObject({ state: 'running', isStopping: true });
      // Asking twice stops it once.
      expect((await stop(id)).data.stopImport.isStopping).toBe(true);
      await untilSeen(id);
    });
    const after = await ended(run);
    expect(after).toMatchObject({
      state: 'stopped',
      isStopping: false,
      ...{ updated: 0, unchanged: 0, refused: 1 },
      reason: 'It was stopped. Import the file again: no row is counted twice',
      faults: [{ line: 2, reason: expect.stringContaining('soon') }],
    });
    expectStoppedAtBatch(after);
    const { inserted: kept } = after;
    expect(after.share).toBeLessThan(1);
    expect(await stored()).toMatchObject({ rows: kept, counted: kept });
    expect(await linesOf(run)).toEqual([
      {
        action: 'importStopAsked',
        actor_id: expect.any(String),
        after: { dataset: 'payments', source: 'till', isDryRun: false },
      },
    ]);
    expect(await ended(await begin())).toMatchObject({ state: 'done', unchanged: kept, inserted: 15_000 - kept });
    expect(await stored()).toEqual(once);
  });

  test('while it waits for another batch of the dataset ends without it', async () => {
    await emptied();
    const holder = await app.database.pool.connect();
    try {
      await holder.query(`begin; select pg_advisory_xact_lock(hashtext('numbers'), hashtext('payments'))`);
      const run = await begin();
      await stop(run);
      expect(await ended(run)).toMatchObject({ state: 'stopped', inserted: 0 });
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  });

  test('while it waits for an earlier import from its source has written nothing, and otherwise comes after it', async () => {
    const { rows: earlier } = await app.database.pool.query(
      `insert into import_runs (dataset, source, mapping, file_name, is_dry_run, state, started_at, seen_at, size)
       values ('payments', 'till', 'till', 'f', false, 'running', $1, $1, 0) returning id`,
      // Seen until its end: the clock goes on below.
      [app.clock.now().add({ hours: 1 }).toString()],
    );
    const runs = [await begin(), await begin()] as const;
    for (const run of runs) await untilSeen(run);
    await stop(runs[0]);
    expect(await ended(runs[0])).toMatchObject({ state: 'stopped', rows: 0 });
    expect(await standOf(runs[1])).toMatchObject({ state: 'running', rows: 0 });
    await app.database.pool.query(`update import_runs set state = 'done' where id = $1`, [earlier[0].id]);
    expect(await ended(runs[1])).toMatchObject({ state: 'done', inserted: 15_000 });
  });

  test('as soon as it could end the undo of its sender’s earlier imports, unless they confirmed it’s them', async () => {
    await emptied();
    const earlier = await begin();
    await ended(earlier);
    app.clock.set(app.clock.now().add({ minutes: 11 }).toString());
    await emptied();
    const sized = (replaced: number) =>
      app.database.pool.query('update import_totals set replaced = $2 where run_id = $1', [earlier, replaced]);
    const run = await whileItWaits('', async (id) => {
      expect((await sized(5_000_001)).rowCount).toBeGreaterThan(0);
      await untilSeen(id);
    });
    const after = await ended(run);
    expectStoppedAtBatch(after);
    expect(after).toMatchObject({
      state: 'stopped',
      reason:
        'It could make earlier imports impossible to undo. To continue, import the file again and confirm it’s you',
    });
    await sized(0);
  });

  test('in a dry run has written nothing', async () => {
    await emptied();
    const run = await whileItWaits('&dryRun=1', async (id) => {
      await stop(id);
      await untilSeen(id);
    });
    const reason = 'It was stopped. Run it again';
    const after = await ended(run);
    expectStoppedAtBatch(after);
    expect(after).toMatchObject({ state: 'stopped', isDryRun: true, reason });
    expect(await stored()).toMatchObject({ rows: 0 });
  });

  test('after its end stays as it ended, and nothing is noted', async () => {
    const run = await begin('&dryRun=1');
    const before = await ended(run);
    expect(before.state).toBe('done');
    expect((await stop(run)).data.stopImport).toEqual(before);
    expect(await linesOf(run)).toEqual([]);
  });
});

test('an import that failed tells what it had kept until then, and how far it was', async () => {
  await emptied();
  await app.asOwner(`create function refuse_a_row() returns trigger language plpgsql as
    $$ begin if new.external_id = '6000' then raise exception 'no'; end if; return new; end $$`);
  await app.asOwner('create trigger refusing before insert on payments for each row execute function refuse_a_row()');
  const failed = await ended(await begin());
  await app.asOwner('drop trigger refusing on payments');
  expect(failed).toMatchObject({ state: 'failed', inserted: 5_000, refused: 1 });
  expect(failed.rows).toBeGreaterThan(5_001);
  expect(failed.share).toBeLessThan(1);
  expect(await stored()).toMatchObject({ rows: 5_000 });
});

test('a file whose sender gives up on the way is thrown away', async () => {
  const runs = async () =>
    (await app.database.pool.query('select count(*)::int as runs from import_runs')).rows[0].runs;
  const before = await runs();
  const incoming = join(app.parts.config.dataDir, 'incoming');
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as AddressInfo;
  const sending = request({
    ...{ port, host: '127.0.0.1', method: 'POST', path: '/api/import/payments?mapping=till&wait=no' },
    headers: { authorization: `Bearer ${person}`, 'content-type': 'text/csv', 'content-length': file.length },
  });
  sending.write(file.slice(0, -1));
  await expect.poll(() => readdirSync(incoming)).toHaveLength(1);
  await Promise.all([once(sending, 'error'), sending.destroy()]);
  await expect.poll(() => readdirSync(incoming)).toEqual([]);
  expect(await runs()).toBe(before);
});
