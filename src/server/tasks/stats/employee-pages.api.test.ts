// The employees of the stats in pages: who is on them, the order, the search, and where a page begins.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Permission } from '#core/access/permissions.ts';
import { employeeOrders } from '#core/tasks/stats-inputs.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { approving, prepareTask, prepareTasks, type Someone, someone, staff } from '../../../../test/task-fixtures.ts';

let app: TestApp;
let admin: Someone;
/** The stats of Connect. */
let viewer: Someone;
let ana: Someone;

const people = [
  ['Ána', 'Zorn', 'connect'],
  ['Ben', 'Young', 'connect'],
  ['Cem', 'Xu', 'connect'],
  ['Dan', 'Watt', 'connect'],
  ['Eva', 'Vidal', 'green'],
  ['Fay', 'Young', 'green'],
] as const;

beforeAll(async () => {
  app = await startTestApp();
  const sprintId = await app.sprint();
  admin = await someone(app, { role: 'admin' });
  const approver = await someone(app, { permissions: approving, approvers: [admin.id], lastName: 'Approver' });
  const viewing: Permission[] = ['VIEW_DASHBOARD', 'VIEW_TOP_5_STATS', 'VIEW_TOP_5_STATS_CONNECT'];
  viewer = await someone(app, { permissions: viewing });
  const made: Someone[] = [];
  for (const [firstName, lastName, team] of people)
    made.push(await someone(app, { permissions: staff, approvers: [approver.id], firstName, lastName, team }));
  const [first, ben, cem, dan, eva, fay] = made as [Someone, Someone, Someone, Someone, Someone, Someone];
  ana = first;
  // Two of each number are equal: names decide between them.
  await prepareTasks(app.database, 2, { ownerId: ana.id, sprintId, status: 'DONE' });
  await prepareTasks(app.database, 2, { ownerId: ben.id, sprintId, status: 'INREVIEW' });
  await prepareTask(app.database, { ownerId: cem.id, sprintId, status: 'TODO' });
  await prepareTask(app.database, { ownerId: dan.id, sprintId, status: 'TODO' });
  const decide = async (ownerId: string, hours: number, ...statuses: string[]) => {
    const at = app.clock.now().subtract({ hours }).toString();
    const id = await prepareTask(app.database, { ownerId, sprintId, at });
    for (const status of statuses) {
      const query = 'mutation ($id: ID!, $status: TaskStatus) { updateTask(id: $id, status: $status) { id } }';
      const by = status === 'INREVIEW' ? made.find((one) => one.id === ownerId)! : approver;
      expect((await app.gql(by.token, query, { id, status })).code).toBeNull();
    }
  };
  await decide(cem.id, 4, 'TODO', 'INREVIEW', 'INPROGRESS', 'INREVIEW', 'DONE');
  await decide(dan.id, 4, 'TODO', 'INREVIEW', 'INPROGRESS', 'INREVIEW', 'DONE');
  await decide(dan.id, 6, 'TODO', 'INREVIEW', 'DONE');
  await decide(ben.id, 9, 'TODO', 'INREVIEW', 'DONE');
  await decide(fay.id, 1, 'TODO', 'INREVIEW', 'DONE');
  await decide(fay.id, 3, 'DENIED');
  // Not approved yet, so not counted.
  await prepareTasks(app.database, 5, { ownerId: eva.id, sprintId, status: 'INAPPROVAL' });
});
afterAll(() => app.stop());

const asked = `query ($scope: String, $search: String, $sort: String, $desc: Boolean, $after: ID, $limit: Int) {
  sprintStats(scope: $scope) { employeePage(search: $search, sort: $sort, desc: $desc, after: $after, limit: $limit) {
    total everyone next rows {
      person { id displayName } counts { TODO INPROGRESS INREVIEW DONE } completionPercentage signedOffPercentage
      firstPassPercentage rework waitedHours trend } } } }`;

type Row = {
  readonly person: { readonly id: string; readonly displayName: string };
  readonly counts: Readonly<Record<string, number>>;
  readonly trend: readonly (number | null)[];
} & Readonly<Record<string, number | null>>;
type Page = {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly everyone: number;
  readonly next: string | null;
};

async function page(args: object = {}, { token } = viewer): Promise<Page> {
  const { data, code } = await app.gql(token, asked, args);
  expect(code).toBeNull();
  return data.sprintStats.employeePage;
}

/** Every page of two people. */
async function pages(args: object, by = viewer): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: string | null = null; ; ) {
    const found: Page = await page({ ...args, after, limit: 2 }, by);
    rows.push(...found.rows);
    after = found.next;
    if (after === null) return rows;
  }
}

const names = (rows: readonly Row[]) => rows.map(({ person }) => person.displayName);

test('a page is refused without the permission, for a scope one lacks, and with a place, order or size that is none', async () => {
  const refused = async (args: object, { token } = viewer) => {
    const { errors } = await app.gql(token, asked, args);
    return [errors?.[0]?.extensions.code, errors?.[0]?.extensions.field];
  };
  expect(await refused({}, ana)).toEqual(['FORBIDDEN', undefined]);
  expect(await refused({ scope: 'green' })).toEqual(['FORBIDDEN', 'scope']);
  expect(await refused({ after: 'x' })).toEqual(['BAD_INPUT', 'after']);
  expect(await refused({ sort: 'salary' })).toEqual(['BAD_INPUT', 'sort']);
  expect(await refused({ limit: 201 })).toEqual(['BAD_INPUT', 'limit']);
});

const shown: Readonly<Record<(typeof employeeOrders)[number], (row: Row) => number | string | null>> = {
  employee: ({ person }) =>
    person.displayName
      .split(' ')
      .toReversed()
      .join(' ')
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase(),
  tasks: ({ counts }) => Object.values(counts).reduce((sum, count) => sum + count, 0),
  completed: (row) => row.completionPercentage!,
  signedOff: (row) => row.signedOffPercentage!,
  firstPass: (row) => row.firstPassPercentage!,
  rework: (row) => row.rework!,
  waited: (row) => row.waitedHours!,
};

test.each(employeeOrders.flatMap((sort) => [[sort, false] as const, [sort, true] as const]))(
  'the pages are in the order of %s, descending: %s, equals by last name and missing ones last',
  async (sort, desc) => {
    const byLastName = await pages({}, admin);
    const expected = byLastName.toSorted((one, other) => {
      const [a, b] = [shown[sort](one), shown[sort](other)];
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return (a < b ? -1 : a > b ? 1 : 0) * (desc ? -1 : 1);
    });
    expect(new Set(byLastName.map(shown[sort])).size).toBeGreaterThan(1);
    expect(names(await pages({ sort, desc }, admin))).toEqual(names(expected));
  },
);

test('without an order the pages are by last name, and each row has its own numbers', async () => {
  expect(names(await pages({}))).toEqual(['Dan Watt', 'Cem Xu', 'Ben Young', 'Ána Zorn']);
  const { data } = await app.gql(
    viewer.token,
    '{ sprintStats { employees { person { id } firstPassPercentage rework waitedHours } personTrends { personId percentages } } }',
  );
  for (const { person, firstPassPercentage, rework, waitedHours, trend } of await pages({
    sort: 'tasks',
    desc: true,
  })) {
    expect(data.sprintStats.employees).toContainEqual({
      person: { id: person.id },
      ...{ firstPassPercentage, rework, waitedHours },
    });
    expect(data.sprintStats.personTrends).toContainEqual({ personId: person.id, percentages: trend });
  }
});

test('a search finds parts of names and teams without accents, and says how many there are without it', async () => {
  expect(await page({ search: 'ana' })).toMatchObject({ total: 1, everyone: 4, rows: [{ person: { id: ana.id } }] });
  expect(names((await page({ search: 'young conn' })).rows)).toEqual(['Ben Young']);
  expect(await page({ search: 'young' }, admin)).toMatchObject({ total: 2, everyone: 7 });
  expect(await page({ search: 'nobody' })).toEqual({ total: 0, everyone: 4, next: null, rows: [] });
});

test('a page after the last person is empty and has the counts; after someone who isn’t in the list it is refused', async () => {
  const all = await page();
  const empty = { total: 4, everyone: 4, next: null, rows: [] };
  expect(await page({ after: all.rows.at(-1)?.person.id })).toEqual(empty);
  const [eva] = (await page({ search: 'Eva' }, admin)).rows;
  for (const after of [eva!.person.id, '999999'])
    expect((await app.gql(viewer.token, asked, { after })).errors?.[0]).toMatchObject({
      message: 'The list has changed. Load it from the start',
      extensions: { code: 'BAD_INPUT', field: 'after' },
    });
});

test('the next page begins after a person who no longer matches the search', async () => {
  const first = await page({ search: 'young', limit: 1 }, admin);
  await app.database.pool.query("update people set team = null, first_name = 'Bo', last_name = 'Yorn' where id = $1", [
    first.next,
  ]);
  expect(names((await page({ search: 'young', limit: 1, after: first.next }, admin)).rows)).toEqual(['Fay Young']);
  await app.database.pool.query(
    "update people set team = 'connect', first_name = 'Ben', last_name = 'Young' where id = $1",
    [first.next],
  );
});

test('of two scopes each has its own people and counts, and both together all of them', async () => {
  const green = await page({ scope: 'green' }, admin);
  expect([green.everyone, ...names(green.rows)]).toEqual([2, 'Eva Vidal', 'Fay Young']);
  const connect = await page({ scope: 'connect' }, admin);
  expect(connect).toEqual(await page({ scope: 'connect' }));
  expect(names(connect.rows)).toEqual(['Dan Watt', 'Cem Xu', 'Ben Young', 'Ána Zorn']);
});

test('the file has everyone of the search in the order of the table, without a formula', async () => {
  const csv = async (args: object) => {
    const query =
      'query ($search: String, $sort: String, $desc: Boolean) { sprintStats { employeesCsv(search: $search, sort: $sort, desc: $desc) } }';
    const text: string = (await app.gql(viewer.token, query, args)).data.sprintStats.employeesCsv;
    return text.trimEnd().split('\r\n');
  };
  const [head, ...lines] = await csv({ sort: 'employee', desc: true });
  expect(head).toMatch(/^\uFEFFEmployee,Team,Sprint Tasks,/);
  expect(lines.map((line) => line.split(',')[0])).toEqual(['Ána Zorn', 'Ben Young', 'Cem Xu', 'Dan Watt']);
  expect(lines[1]).toBe('Ben Young,connect,3,0,0,0,0,2,1,100,33.3,100,0,4.5,no,0,yes');
  await app.database.pool.query("update people set first_name = '=1+1' where id = $1", [ana.id]);
  expect((await csv({ search: 'zorn' }))[1]).toMatch(/^'=1\+1 Zorn,/);
  await app.database.pool.query("update people set first_name = 'Ána' where id = $1", [ana.id]);
});

const issues =
  'query ($userId: ID, $limit: Int, $after: ID) { getIssuesByUserBySprint(userId: $userId, limit: $limit, after: $after) { userId issues { summary } } }';

test('the issues are those of one person, of a page, or of everyone', async () => {
  const of = async (args: object, { token } = viewer) =>
    (await app.gql(token, issues, args)).data.getIssuesByUserBySprint as { userId: string; issues: unknown[] }[];
  const all = await of({});
  expect(all).toHaveLength(4);
  expect(await of({ userId: ana.id })).toEqual([all[3]]);
  expect(all[3]?.issues).toHaveLength(2);
  expect([...(await of({ limit: 3 })), ...(await of({ limit: 3, after: all[2]?.userId }))]).toEqual(all);
  const [eva] = (await page({ search: 'Eva' }, admin)).rows;
  expect(await of({ userId: eva?.person.id })).toEqual([]);
  expect((await app.gql(ana.token, issues, { userId: ana.id })).code).toBe('FORBIDDEN');
});

test('without a limit more than 1,000 people are refused, and read in pages', async () => {
  await app.database.pool.query(
    `insert into people (email, first_name, last_name, grants, created_at)
     select n || '@many.test', 'Many', 'People', '{VIEW_TOP_5}', '2026-01-01' from generate_series(1, 1000) n`,
  );
  const employees = 'query ($limit: Int) { sprintStats { employees(limit: $limit) { person { id } } } }';
  for (const query of [employees, issues]) {
    const refused = await app.gql(admin.token, query);
    expect([refused.code, refused.errors?.[0]?.message]).toEqual([
      'QUERY_TOO_LARGE',
      'There are more than 1,000 people. Read them in pages, with limit and after',
    ]);
    expect((await app.gql(admin.token, query, { limit: 1001 })).code).toBe('BAD_INPUT');
  }
  const { data } = await app.gql(admin.token, employees, { limit: 1000 });
  expect(data.sprintStats.employees).toHaveLength(1000);
  expect(await page({}, admin)).toMatchObject({ total: 1007, everyone: 1007 });
  expect((await page({}, admin)).rows).toHaveLength(50);
});
