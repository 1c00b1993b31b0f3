import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { importing } from '../../../../test/people.ts';

let app: TestApp;
let personId: string;
let person: string;

beforeAll(async () => {
  app = await startTestApp();
  personId = await app.person({
    ...{ firstName: 'Ada', lastName: 'Byron' },
    permissions: importing,
  });
  person = await app.signIn(personId);
});
afterAll(() => app.stop());

const query = '{ importRuns { id fileName dataset startedAt startedBy state reason isDryRun share rows } }';
const listed = async () => (await app.gql(person, query)).data.importRuns;
const ago = (minutes: number) => app.clock.now().subtract({ minutes }).toString();

async function insert(name: string, minutes: number, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const run = {
    ...{ dataset: 'orders', source: 'shop', mapping: 'shop', file_name: name, is_dry_run: false, state: 'done' },
    ...{ started_at: ago(minutes), seen_at: ago(minutes), size: 10, bytes_read: 10, rows: 7, ...more },
  };
  const places = Object.keys(run).map((_, at) => `$${at + 1}`);
  await app.database.pool.query(
    `insert into import_runs (${Object.keys(run)}) values (${places})`,
    Object.values<unknown>(run),
  );
}

test('nobody who may not import sees what was imported', async () => {
  for (const permissions of [
    ['VIEW_DASHBOARD', 'VIEW_TOOLS'] as const,
    ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] as const,
    ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'USER_MANAGEMENT'] as const,
  ]) {
    const half = await app.signIn(await app.person({ permissions: [...permissions] }));
    expect((await app.gql(half, query)).code).toBe('FORBIDDEN');
  }
  expect((await app.gql(null, query)).status).toBe(401);
  expect(await listed()).toEqual([]);
});

test('the newest come first, with who began them, and one whose server ended is told as such', async () => {
  const token = await app.database.pool.query(
    `insert into service_tokens (token_hash, name, datasets, created_by, created_at)
     values ('x', 'The shop', '{orders}', $1, $2) returning id`,
    [personId, ago(60)],
  );
  await insert('by a person.csv', 30, { person_id: personId, is_dry_run: true });
  await insert('by a service.csv', 20, { service_token_id: token.rows[0].id });
  // Written last and started first: the order is by start.
  await insert('oldest.csv', 40, { person_id: personId });
  await insert('silent.csv', 10, { person_id: personId, state: 'running', bytes_read: 5 });
  await insert('running.csv', 0, { person_id: personId, state: 'running', bytes_read: 5 });
  const all = { dataset: 'orders', rows: 7, id: expect.any(String), isDryRun: false, reason: null };
  const reason = 'The server stopped. Import the file again: no row is counted twice';
  const by = 'Ada Byron';
  const started = (minutes: number) => app.clock.now().subtract({ minutes }).toString({ fractionalSecondDigits: 3 });
  expect(await listed()).toEqual(
    [
      { fileName: 'running.csv', state: 'running', share: 0.5, startedBy: by, startedAt: started(0) },
      { fileName: 'silent.csv', state: 'failed', share: 0.5, startedBy: by, startedAt: started(10), reason },
      { fileName: 'by a service.csv', state: 'done', share: 1, startedBy: 'The shop', startedAt: started(20) },
      { fileName: 'by a person.csv', state: 'done', share: 1, startedBy: by, startedAt: started(30), isDryRun: true },
      { fileName: 'oldest.csv', state: 'done', share: 1, startedBy: by, startedAt: started(40) },
    ].map((run) => ({ ...all, ...run })),
  );
});

test('each says how many warnings it has, apart from refused and left-out rows', async () => {
  const kinds = ['warning', 'refused', 'warning', 'leftOut'];
  const reasons = kinds.map((kind, at) => ({ kind, column: 'a', reason: `x${at}`, count: 1, line: 2, value: null }));
  await insert('with warnings.csv', 50, { reasons: JSON.stringify(reasons) });
  const asked = '{ importRuns(search: "with warnings") { id warnings } }';
  const [run] = (await app.gql(person, asked)).data.importRuns;
  expect(run.warnings).toBe(2);
  const { data } = await app.gql(person, `{ importRun(id: "${run.id}") { warnings } }`);
  expect(data.importRun).toEqual({ warnings: 2 });
  await app.database.pool.query("delete from import_runs where file_name = 'with warnings.csv'");
});

test('each says where most of its rows are', async () => {
  const total = (scope: string) => ({ scope, currency: 'EUR', firstDay: '2026-05-01', lastDay: '2026-05-31' });
  const all = ['green', 'connect'].map((scope) => ({ ...total(scope), rows: 1, amount: null }));
  await insert('two products.csv', 50, { totals: JSON.stringify(all) });
  const asked =
    'query ($search: String) { importRuns(search: $search) { totals { scope currency firstDay lastDay } } }';
  const totalsOf = async (search: string) => (await app.gql(person, asked, { search })).data.importRuns;
  expect(await totalsOf('two products')).toEqual([{ totals: [total('green')] }]);
  expect(await totalsOf('oldest')).toEqual([{ totals: [] }]);
});

test('they come twenty at a time, and are searched by file and source', async () => {
  const asked = 'query ($after: ID, $search: String) { importRuns(after: $after, search: $search) { id fileName } }';
  const page = async (variables: object) => (await app.gql(person, asked, variables)).data.importRuns;
  for (let at = 0; at < 22; at += 1) await insert(`50% of ${at}.csv`, 100 + at, { source: at < 21 ? 'till' : 'café' });
  const first = await page({ search: '50%' });
  const second = await page({ search: '50%', after: first.at(-1).id });
  const names = [...first, ...second].map(({ fileName }: { fileName: string }) => fileName);
  expect([first.length, names]).toEqual([20, Array.from({ length: 22 }, (_, at) => `50% of ${at}.csv`)]);
  expect(await page({ search: ' CAFÉ ' })).toHaveLength(1);
  expect(await page({ search: '50_' })).toEqual([]);
  expect((await app.gql(person, asked, { after: 'x' })).code).toBe('BAD_INPUT');
  await app.database.pool.query("delete from import_runs where file_name like '50%'");
});

test('one that waits says for what, unless that died with its server', async () => {
  const waiting = '{ importRuns(search: "waits") { fileName waitsFor } }';
  const waits = async () =>
    Object.fromEntries(
      (await app.gql(person, waiting)).data.importRuns.map((run: { fileName: string; waitsFor: string | null }) => [
        run.fileName,
        run.waitsFor,
      ]),
    );
  const running = { state: 'running', dataset: 'donations', rows: 0 };
  await insert('first waits.csv', 0, { ...running, source: 'a', rows: 5 });
  await insert('second waits.csv', 0, { ...running, source: 'a' });
  await insert('other waits.csv', 0, { ...running, source: 'b' });
  await insert('dry waits.csv', 0, { ...running, source: 'a', is_dry_run: true });
  const none = { 'first waits.csv': null, 'other waits.csv': null, 'dry waits.csv': null };
  expect(await waits()).toEqual({ ...none, 'second waits.csv': 'the import of first waits.csv' });
  const undoing = { dataset: 'donations', undo_state: 'running', undo_seen_at: ago(0), undo_rows: 0 };
  await insert('undo waits.csv', 5, { ...undoing, source: 'c' });
  expect(await waits()).toMatchObject({ ...none, 'undo waits.csv': 'the import of first waits.csv' });
  await app.database.pool.query("update import_runs set undo_rows = 9 where file_name = 'undo waits.csv'");
  const undo = 'the undo of undo waits.csv';
  expect(await waits()).toMatchObject({ 'first waits.csv': undo, 'other waits.csv': undo, 'undo waits.csv': null });
  await app.database.pool.query("update import_runs set undo_seen_at = $1 where file_name = 'undo waits.csv'", [
    ago(5),
  ]);
  expect(await waits()).toMatchObject({ 'other waits.csv': null });
  await insert('', 0, { ...running, source: 'd', way: 'removal', rows: 3 });
  expect(await waits()).toMatchObject({ 'other waits.csv': 'the removal of a source' });
  await app.database.pool.query("delete from import_runs where dataset = 'donations'");
});

test('no more than twenty are told', async () => {
  for (let minutes = 25; minutes > 0; minutes -= 1) await insert(`${minutes}.csv`, minutes);
  const names = (await listed()).map(({ fileName }: { fileName: string }) => fileName);
  expect(names).toHaveLength(20);
  expect(names.slice(0, 3)).toEqual(['running.csv', '1.csv', '2.csv']);
});

test('their bad rows come where they are asked for, also by a fragment and by a query that was compiled', async () => {
  const faults = [{ line: 2, column: 'gross', reason: 'isn’t a number' }];
  await insert('bad.csv', -1, { faults: JSON.stringify(faults) });
  const asking = '{ importRuns { ...Bad } } fragment Bad on ImportRun { fileName faults { line column reason } }';
  for (let time = 0; time < 3; time += 1)
    for (const [text, expected] of [
      [asking, { fileName: 'bad.csv', faults }],
      ['{ importRuns { fileName } }', { fileName: 'bad.csv' }],
    ] as const)
      expect((await app.gql(person, text)).data.importRuns[0]).toEqual(expected);
});
