import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { importing } from '../../../../test/people.ts';
import { dropOldChanges } from './kept-changes.store.ts';

const mappingOf = (source: string) => ({
  dataset: 'payments',
  source,
  currency: 'EUR',
  fields: {
    external_id: 'id',
    attempted_at: 'when',
    order_ref: 'id',
    amount: 'amount',
    status: { constant: 'paid' },
  },
});
const fileOf = (rows: readonly (readonly [number, number])[]) =>
  ['id,when,amount', ...rows.map(([id, amount]) => `${id},2026-01-05 10:00,${amount}`), ''].join('\n');

let app: TestApp;
let person: string;
let token: string;

beforeAll(async () => {
  app = await startTestApp();
  person = await app.signIn(await app.person({ permissions: importing, firstName: 'Ada', lastName: 'Byron' }));
  const save =
    'mutation ($name: String!, $mapping: String!) { saveImportMapping(name: $name, mapping: $mapping) { name } }';
  for (const source of ['till', 'shop'])
    await app.gql(person, save, { name: source, mapping: JSON.stringify(mappingOf(source)) });
  const admin = await app.signIn(await app.person({ role: 'admin' }));
  const create = 'mutation { createServiceToken(name: "The till", datasets: ["payments"]) { token } }';
  token = (await app.gql(admin, create)).data.createServiceToken.token;
});
afterAll(() => app.stop());

const send = (file: string, query = 'mapping=till', bearer = person) =>
  app.call({
    method: 'POST',
    url: `/api/import/payments?fileName=payments.csv&${query}`,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'text/csv' },
    payload: file,
  });
const imported = async (file: string, query?: string, bearer?: string): Promise<string> => {
  const answer = await send(file, query, bearer);
  expect(answer.json()).toMatchObject({ state: 'done' });
  return answer.json().run;
};

const preview = `query ($run: ID!) { importUndo(run: $run) { removed restored firstDay lastDay amountTitle blockedBy { id }
  totals { currency rowsNow rowsAfter amountNow amountAfter } } }`;
const undoing = 'mutation ($run: ID!) { undoImport(run: $run) { id undoState } }';
const standing = 'query ($id: ID!) { importRun(id: $id) { canUndo undoState undoneRows undoReason undoneBy way } }';
const standOf = async (id: string) => (await app.gql(person, standing, { id })).data.importRun;

async function undo(run: string) {
  const { code } = await app.gql(person, undoing, { run });
  expect(code).toBeNull();
  await expect.poll(async () => (await standOf(run)).undoState).not.toBe('running');
  return standOf(run);
}

const stored = async () =>
  (
    await app.database.pool.query(
      `select (select count(*) from payments)::int as rows, (select coalesce(sum(amount), 0) from payments)::text as amount,
        (select coalesce(sum(row_count), 0) from payments_totals)::int as counted,
        (select coalesce(sum(amount), 0) from payments_totals)::text as summed`,
    )
  ).rows[0];
const holds = (rows: number, amount: number) => {
  const text = String(amount * 10_000);
  return { rows, amount: text, counted: rows, summed: text };
};

test('nobody who may not import sees or undoes an import', async () => {
  const run = await imported(fileOf([[1, 5]]));
  for (const permissions of [
    ['VIEW_DASHBOARD', 'VIEW_TOOLS'] as const,
    ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] as const,
    ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'USER_MANAGEMENT'] as const,
  ]) {
    const half = await app.signIn(await app.person({ permissions: [...permissions] }));
    expect((await app.gql(half, preview, { run })).code).toBe('FORBIDDEN');
    expect((await app.gql(half, undoing, { run })).code).toBe('FORBIDDEN');
  }
  expect((await app.gql(person, undoing, { run: '987654' })).code).toBe('NOT_FOUND');
  expect((await app.gql(person, undoing, { run: 'x' })).code).toBe('NOT_FOUND');
  expect(await stored()).toEqual(holds(1, 5));
  await undo(run);
});

test('without a recent proof an import stays, and its preview is shown', async () => {
  const run = await imported(fileOf([[1, 5]]));
  const was = app.clock.now();
  const own = await app.signIn(await app.person({ permissions: importing }));
  app.clock.set(was.add({ minutes: 11 }));
  expect((await app.gql(own, preview, { run })).code).toBeNull();
  expect((await app.gql(own, undoing, { run })).code).toBe('CONFIRM_IDENTITY');
  expect(await stored()).toEqual(holds(1, 5));
  app.clock.set(was);
  await undo(run);
});

test('an undo says first what it changes, then removes new rows and restores changed ones, with an entry in the audit log', async () => {
  await imported(
    fileOf([
      [1, 10],
      [2, 20],
    ]),
  );
  const run = await imported(
    fileOf([
      [2, 25],
      [3, 30],
      [1, 10],
    ]),
  );
  expect(await stored()).toEqual(holds(3, 65));
  expect((await app.gql(person, preview, { run })).data.importUndo).toEqual({
    removed: 1,
    restored: 1,
    firstDay: '2026-01-05',
    lastDay: '2026-01-05',
    amountTitle: 'Amount',
    blockedBy: null,
    totals: [{ currency: 'EUR', rowsNow: 3, rowsAfter: 2, amountNow: '65', amountAfter: '30' }],
  });
  expect(await standOf(run)).toMatchObject({ canUndo: true, undoState: null, way: 'http' });
  expect(await undo(run)).toEqual({
    canUndo: false,
    undoState: 'done',
    undoneRows: expect.any(Number),
    undoReason: null,
    undoneBy: 'Ada Byron',
    way: 'http',
  });
  expect(await stored()).toEqual(holds(2, 30));
  const { rows } = await app.database.pool.query(
    `select after from audit_log where action = 'importUndone' and subject_id = $1`,
    [run],
  );
  expect(rows).toEqual([
    { after: { dataset: 'payments', source: 'till', fileName: 'payments.csv', removed: 1, restored: 1 } },
  ]);
  const again = await app.gql(person, undoing, { run });
  expect([again.code, again.errors?.[0]?.message]).toEqual([
    'TRANSITION_NOT_ALLOWED',
    'This import was already undone',
  ]);
  expect(await stored()).toEqual(holds(2, 30));
});

test('an import whose rows a later one also brought names that one, and can be undone after it', async () => {
  const first = await imported(
    fileOf([
      [11, 1],
      [12, 2],
    ]),
  );
  const second = await imported(fileOf([[12, 5]]), 'mapping=till', token);
  expect((await standOf(second)).way).toBe('http');
  expect((await app.gql(person, preview, { run: first })).data.importUndo.blockedBy).toEqual({ id: second });
  const refused = await app.gql(person, undoing, { run: first });
  expect(refused.code).toBe('CONFLICT');
  expect(refused.errors?.[0]?.message).toMatch(
    /^A later import has some of these rows too\. First undo payments\.csv, imported on /,
  );
  const before = await stored();
  expect((await undo(second)).undoState).toBe('done');
  expect((await undo(first)).undoState).toBe('done');
  expect(await stored()).toEqual({
    ...before,
    rows: before.rows - 2,
    counted: before.counted - 2,
    ...{ amount: String(Number(before.amount) - 60_000), summed: String(Number(before.summed) - 60_000) },
  });
});

test('a file of several batches is undone as a whole, and two undos at once undo it once', async () => {
  const before = await stored();
  const rows = Array.from({ length: 6_000 }, (_, at) => [1_000 + at, 1] as const);
  const run = await imported(fileOf(rows));
  expect((await stored()).rows).toBe(before.rows + 6_000);
  const answers = await Promise.all([1, 2, 3].map(() => app.gql(person, undoing, { run })));
  for (const { code } of answers) expect([null, 'TRANSITION_NOT_ALLOWED']).toContain(code);
  await expect.poll(async () => (await standOf(run)).undoState).toBe('done');
  expect(await stored()).toEqual(before);
  const { rows: entries } = await app.database.pool.query(
    `select 1 from audit_log where action = 'importUndone' and subject_id = $1`,
    [run],
  );
  expect(entries).toHaveLength(1);
});

test('the same file from another source is refused before it doubles anything, unless it is asked for again', async () => {
  const file = fileOf([[501, 7]]);
  const first = await imported(file);
  const before = await stored();
  const refused = await send(file, 'mapping=shop');
  expect(refused.statusCode).toBe(409);
  expect(refused.json().error).toMatchObject({ code: 'SAME_FILE' });
  expect(refused.json().error.message).toMatch(
    /^This file was imported from source “till” on .+ count its rows twice$/,
  );
  expect((await send(file, 'mapping=shop', token)).json().error.message).toContain('Add again=yes');
  expect(await stored()).toEqual(before);
  // The same source can import it again, and so can another once the first was undone.
  const again = (await send(file)).json();
  expect(again).toMatchObject({ state: 'done', unchanged: 1 });
  const doubled = await imported(file, 'mapping=shop&again=yes');
  expect((await stored()).rows).toBe(before.rows + 1);
  for (const run of [doubled, again.run, first]) expect((await undo(run)).undoState).toBe('done');
  expect((await send(file, 'mapping=shop')).json()).toMatchObject({ state: 'done', inserted: 1 });
});

test('another file with rows of another source imports nothing by HTTP, unless it is told to', async () => {
  const idsFrom = (first: number, count: number) =>
    fileOf(Array.from({ length: count }, (_, at) => [first + at, 7] as const));
  const first = await imported(idsFrom(7001, 30));
  const before = await stored();
  const other = idsFrom(7001, 29);
  const refused = (await send(other, 'mapping=shop', token)).json();
  expect(refused).toMatchObject({ state: 'failed', inserted: 0 });
  expect(refused.reason).toBe(
    'Nothing was imported: ID in the source already exists in the source “till” for all 29 rows checked. Use that source, or these rows will count twice. Add again=yes to import it anyway',
  );
  expect(await stored()).toEqual(before);
  expect((await send(other, 'mapping=shop&dryRun=1')).json()).toMatchObject({ state: 'done', inserted: 29 });
  // A few can have the same IDs by chance, and the source's own file is no other one.
  const few = await imported(idsFrom(7001, 3), 'mapping=shop');
  const own = await imported(other);
  const doubled = await imported(other, 'mapping=shop&again=yes', token);
  expect((await stored()).rows).toBe(before.rows + 29);
  for (const run of [doubled, own, few, first]) await undo(run);
});

test('a source whose ids come from another rule is asked about before its rows count twice', async () => {
  const save =
    'mutation ($name: String!, $mapping: String!) { saveImportMapping(name: $name, mapping: $mapping) { name } }';
  const saveKiosk = (external_id: unknown, name = 'kiosk') => {
    const { fields, ...rest } = mappingOf('kiosk');
    return app.gql(person, save, { name, mapping: JSON.stringify({ ...rest, fields: { ...fields, external_id } }) });
  };
  const file = fileOf([[8801, 7]]);
  const [kiosk, both] = ['mapping=kiosk', { join: ['id', 'when'], with: ' / ' }];
  await saveKiosk('id');
  const first = await imported(file, kiosk);
  await saveKiosk(both);
  const before = await stored();
  const longer = fileOf([
    [8801, 7],
    [8802, 7],
  ]);
  for (const next of [file, longer]) {
    const { error } = (await send(next, kiosk)).json();
    expect(error.code).toBe('SAME_FILE');
    expect(error.message).toMatch(
      /^The ID is built from different columns than in the import of payments.csv on .+ count twice$/,
    );
  }
  expect((await send(file, kiosk, token)).json().error.message).toContain('Add again=yes');
  expect((await send(file, `${kiosk}&dryRun=1`)).json()).toMatchObject({ state: 'done', inserted: 1 });
  expect(await stored()).toEqual(before);
  // Rows that were refused aren't stored, whatever their ids are.
  const refused = await imported(
    `refused_because,${fileOf([[8803, 7]])}`.replace('\n', '\n"Line 3: is wrong",'),
    kiosk,
  );
  await undo(refused);
  // Two rules for one source are asked about once, for example for orders and refunds.
  const second = await imported(longer, `${kiosk}&again=yes`);
  const third = await imported(longer, kiosk);
  await saveKiosk('id');
  const fourth = await imported(file, kiosk);
  expect((await stored()).rows).toBe(before.rows + 2);
  // Undone imports left no rows, and older ones without a stored rule count by their mapping.
  for (const run of [fourth, third, second, first]) await undo(run);
  await saveKiosk(both);
  expect((await send(file, kiosk)).json()).toMatchObject({ state: 'done', inserted: 1 });
  await app.database.pool.query("update import_runs set id_rule = null where source = 'kiosk'");
  await saveKiosk('amount');
  expect((await send(file, kiosk)).json()).toMatchObject({ state: 'done', inserted: 1 });
  await saveKiosk({ constant: 'x' }, 'kiosk-2');
  expect((await send(file, 'mapping=kiosk-2')).json().error.code).toBe('SAME_FILE');
});

test('a dry run offers no undo', async () => {
  const run = (await send(fileOf([[601, 7]]), 'mapping=till&dryRun=1')).json().run;
  expect(await standOf(run)).toMatchObject({ canUndo: false });
  expect((await app.gql(person, undoing, { run })).code).toBe('TRANSITION_NOT_ALLOWED');
});

test('an undo never takes away a row that a later import brought unchanged', async () => {
  const first = await imported(
    fileOf([
      [611, 7],
      [612, 8],
    ]),
  );
  const beside = await imported(fileOf([[613, 9]]));
  const same = await imported(fileOf([[612, 8]]));
  expect((await app.gql(person, preview, { run: beside })).data.importUndo.blockedBy).toBeNull();
  expect((await app.gql(person, preview, { run: first })).data.importUndo.blockedBy).toEqual({ id: same });
  expect((await app.gql(person, undoing, { run: first })).code).toBe('CONFLICT');
  const before = await stored();
  expect((await app.gql(person, preview, { run: same })).data.importUndo).toMatchObject({
    removed: 0,
    restored: 0,
    totals: [],
  });
  expect((await undo(same)).undoState).toBe('done');
  expect(await stored()).toEqual(before);
  expect((await undo(first)).undoState).toBe('done');
  expect((await stored()).rows).toBe(before.rows - 2);
  expect((await undo(beside)).undoState).toBe('done');
});

test('the preview of an undo reads no rows, however many the import has', async () => {
  const run = await imported(fileOf([[621, 7]]));
  const holder = await app.database.pool.connect();
  try {
    await holder.query('begin; lock table payments in access exclusive mode');
    const { importUndo } = (await app.gql(person, preview, { run })).data;
    expect(importUndo).toMatchObject({ removed: 1, restored: 0, blockedBy: null, totals: [{ currency: 'EUR' }] });
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  await undo(run);
});

test('an undo that its server did not end is offered again, and one that cannot go on says why', async () => {
  const run = await imported(fileOf([[701, 7]]));
  const old = app.clock.now().subtract({ minutes: 5 }).toString();
  await app.database.pool.query(`update import_runs set undo_state = 'running', undo_seen_at = $2 where id = $1`, [
    run,
    old,
  ]);
  expect(await standOf(run)).toMatchObject({
    canUndo: true,
    undoState: 'failed',
    undoReason: 'The server stopped. Try again',
  });
  await app.database.pool.query(`update number_states set zone = 'Asia/Tokyo' where dataset = 'payments'`);
  expect((await undo(run)).undoReason).toMatch(/COMPANY_TIME_ZONE is .* here\. Set it to .*rebuild-numbers/);
  await app.database.pool.query(`update number_states set zone = 'UTC' where dataset = 'payments'`);
  expect((await undo(run)).undoState).toBe('done');
});

test('what imports changed is dropped after 400 days, and they can no longer be undone', async () => {
  const run = await imported(fileOf([[801, 7]]));
  const same = await imported(fileOf([[801, 7]]));
  const old = app.clock
    .now()
    .subtract({ hours: 401 * 24 })
    .toString();
  await app.database.pool.query('update import_runs set started_at = $2 where id = any($1)', [[run, same], old]);
  const recent = await imported(fileOf([[802, 7]]));
  const kept = async (id: string) =>
    (
      await app.database.pool.query(
        `select (select count(*)::int from import_changes where run_id = $1) as changes,
          (select count(*)::int from import_matches where run_id = $1) as matches,
          (select count(*)::int from import_totals where run_id = $1) as totals`,
        [id],
      )
    ).rows[0];
  expect(await Promise.all([run, same, recent].map(kept))).toEqual([
    { changes: 0, matches: 0, totals: 0 },
    { changes: 0, matches: 0, totals: 0 },
    { changes: 1, matches: 0, totals: 1 },
  ]);
  expect(await standOf(run)).toMatchObject({ canUndo: false });
});

test('wherever that is interrupted, no import can be undone in part', async () => {
  const first = await imported(
    fileOf([
      [811, 7],
      [812, 7],
    ]),
  );
  const second = await imported(
    fileOf([
      [811, 8],
      [812, 7],
      [813, 7],
    ]),
  );
  const old = app.clock
    .now()
    .subtract({ hours: 401 * 24 })
    .toString();
  await app.database.pool.query('update import_runs set started_at = $2 where id = any($1)', [[first, second], old]);
  const { drizzle } = app.database;
  const before = app.clock
    .now()
    .subtract({ hours: 400 * 24 })
    .toString();
  const couldUndo: boolean[] = [];
  for (let steps = 0; steps <= 4; steps += 1) {
    let left = steps;
    const execute = (...asked: Parameters<typeof drizzle.execute>) => {
      if (left === 0) throw new Error('killed');
      left -= 1;
      return drizzle.execute(...asked);
    };
    await dropOldChanges({ execute } as typeof drizzle, { before, peopleBefore: before }, 1_000).catch(() => {});
    couldUndo.push((await standOf(second)).canUndo);
  }
  expect(couldUndo).toEqual([true, true, false, false, false]);
});

const bySize = { before: '2000-01-01T00:00:00Z', peopleBefore: '2100-01-01T00:00:00Z' };

test('only the newest changed rows can be restored: older imports lose their undo first', async () => {
  const rowsWith = (amount: number) => fileOf([901, 902, 903].map((id) => [id, amount]));
  const first = await imported(rowsWith(1));
  const changed = [await imported(rowsWith(2)), await imported(rowsWith(3)), await imported(rowsWith(4))];
  const { drizzle } = app.database;
  const canUndo = async () => {
    await dropOldChanges(drizzle, bySize, 4);
    return Promise.all([first, ...changed].map(async (run) => (await standOf(run)).canUndo));
  };
  // The newest two changed six rows: with them, more than four come after the others.
  expect(await canUndo()).toEqual([false, false, true, true]);
  const left = await app.database.pool.query('select from import_changes where run_id = any($1)', [
    [first, changed[0]],
  ]);
  expect(left.rowCount).toBe(0);
  const { errors } = await app.gql(person, undoing, { run: changed[0] });
  expect(errors?.[0]?.message).toContain(
    'can no longer be undone. To revert it, remove its source and import the earlier files',
  );
});

test('a token that changes rows again and again loses its own undos, not those of others', async () => {
  const rowsWith = (from: number, amount: number) => fileOf([0, 1, 2].map((id) => [from + id, amount]));
  await imported(rowsWith(921, 1), 'mapping=shop');
  const own = await imported(rowsWith(921, 2), 'mapping=shop');
  await imported(rowsWith(931, 1), 'mapping=till', token);
  const stolen: string[] = [];
  for (const amount of [2, 3, 4]) stolen.push(await imported(rowsWith(931, amount), 'mapping=till', token));
  await app.database.pool.query('delete from import_totals where not (run_id = any($1))', [[own, ...stolen]]);
  await dropOldChanges(app.database.drizzle, bySize, 7);
  const canUndo = await Promise.all([own, ...stolen].map(async (run) => (await standOf(run)).canUndo));
  expect(canUndo).toEqual([true, false, true, true]);
});

test('a person’s imports of 30 days end the undo of their older ones only after a recent proof', async () => {
  const was = app.clock.now();
  const id = await app.person({ permissions: importing });
  const stale = await app.signIn(id);
  app.clock.set(was.add({ minutes: 11 }));
  await imported(fileOf([[961, 1]]), 'mapping=shop');
  const overwriting = await imported(fileOf([[961, 2]]), 'mapping=shop', stale);
  const sized = (run: string, rows: number) =>
    app.database.pool.query('update import_totals set replaced = $2 where run_id = $1', [run, rows]);
  await imported(fileOf([[971, 1]]), 'mapping=shop', stale);
  const filling = await imported(fileOf([[971, 2]]), 'mapping=shop', stale);
  await sized(filling, 5_000_001);
  expect((await send(fileOf([[971, 3]]), 'mapping=shop', stale)).json().error.code).toBe('CONFIRM_IDENTITY');
  expect((await send(fileOf([[971, 3]]), 'mapping=shop&dryRun=1', stale)).json()).toMatchObject({ state: 'done' });
  await imported(fileOf([[981, 1]]), 'mapping=till', token);
  expect((await standOf(overwriting)).canUndo).toBe(true);
  const { rows } = await app.database.pool.query("select amount::text from payments where external_id = '971'");
  expect(rows).toEqual([{ amount: '20000' }]);
  await imported(fileOf([[971, 3]]), 'mapping=shop', await app.signIn(id));
  expect([(await standOf(overwriting)).canUndo, (await standOf(filling)).canUndo]).toEqual([false, true]);
  app.clock.set(was);
});

test('a person’s imports of more than 30 days ago count like all others', async () => {
  const run = await imported(fileOf([[991, 1]]), 'mapping=shop');
  const { drizzle } = app.database;
  await app.database.pool.query('update import_totals set replaced = 5 where run_id = $1', [run]);
  const later = await imported(fileOf([[992, 1]]), 'mapping=shop');
  await app.database.pool.query('update import_totals set replaced = 5000000 where run_id = $1', [later]);
  const ago = (days: number) =>
    app.clock
      .now()
      .subtract({ hours: 24 * days })
      .toString();
  const endOther = () => imported(fileOf([[993, 1]]), 'mapping=till', token);
  const start = (days: number) =>
    app.database.pool.query('update import_runs set started_at = $2 where id = $1', [run, ago(days)]);
  await start(29);
  await endOther();
  expect((await standOf(run)).canUndo).toBe(true);
  await start(31);
  await endOther();
  expect((await standOf(run)).canUndo).toBe(false);
  await dropOldChanges(drizzle, bySize, 0);
});

test('an undo doesn’t change when rows were last imported', async () => {
  const run = await imported(fileOf([[951, 1]]));
  const asOf = async () =>
    (await app.database.pool.query("select as_of from number_states where dataset = 'payments'")).rows[0].as_of;
  const before = await asOf();
  expect((await undo(run)).undoState).toBe('done');
  expect(await asOf()).toEqual(before);
});
