// The people of the directory as a file: who gets it, and that the import reads it as no change.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { peopleHeader } from '#core/people/people-import.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';

let server: TestApp;
let keeper: string;
const keeping = ['VIEW_DASHBOARD', 'USER_MANAGEMENT', 'VIEW_TOP_5'] as const;
beforeAll(async () => {
  server = await startTestApp();
  const boss = await server.person({ email: '+boss@company.test', role: 'Lead', permissions: ['VIEW_TOP_5'] });
  const other = await server.person({ email: 'other@company.test', role: '=Role', permissions: [] });
  await server.person({ email: 'admin@company.test', role: 'admin', firstName: 'Ada', lastName: 'Admin' });
  const me = { email: 'keeper@company.test', role: 'Keeper', permissions: keeping, approvers: [boss] };
  keeper = await server.signIn(await server.person({ ...me, firstName: 'Kim', lastName: 'Keeper' }));
  const names = { firstName: '=cmd|x', lastName: 'O\'Neil; +1, "Zoe"' };
  await server.person({ ...names, email: 'zoe@company.test', team: 'green', role: '=Role', approvers: [other, boss] });
  const gone = await server.person({ email: 'gone@company.test', role: 'Lead', firstName: "'-Gus", lastName: '-5' });
  await server.person({ email: 'left@company.test', role: 'Lead', approvers: [gone] });
  const { pool } = server.database;
  await pool.query("update people set disabled_at = now(), team = 'green' where id = $1", [gone]);
  await pool.query("update people set role = null, grants = '{VIEW_TOP_5}' where email = 'left@company.test'");
});
afterAll(() => server.stop());

const ticketOf = async (args = '', token = keeper) =>
  server.gql(token, `mutation { createPeopleTicket${args && `(${args})`} }`);
const fileOf = async (args = '') => server.call({ url: (await ticketOf(args)).data.createPeopleTicket });
const importFile = async (text: string, dryRun: boolean, token = keeper) => {
  const answer = await server.call({
    method: 'POST',
    url: '/api/people/import',
    headers: { authorization: `Bearer ${token}` },
    payload: { file: Buffer.from(text).toString('base64'), dryRun },
  });
  return answer.json();
};
const stored = async () =>
  (
    await server.database.pool.query(
      `select p.id, email, first_name, last_name, role, team, grants, disabled_at,
         array(select a.approver_id from approvers a where a.person_id = p.id order by 1) as approvers
       from people p order by p.id`,
    )
  ).rows;

test('is refused to people without user management, at the ticket and at the file', async () => {
  const staff = await server.signIn(await server.person({ role: 'Staff', permissions: ['VIEW_DASHBOARD'] }));
  expect((await ticketOf('', staff)).code).toBe('FORBIDDEN');
  const former = await server.person({ role: 'Keeper' });
  const late = await ticketOf('', await server.signIn(former));
  await server.database.pool.query('update people set role = null where id = $1', [former]);
  expect((await server.call({ url: late.data.createPeopleTicket })).statusCode).toBe(403);
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [former]);
});

test('a ticket works once, and for no other export', async () => {
  const { data } = await ticketOf();
  const url: string = data.createPeopleTicket;
  expect((await server.call({ url })).statusCode).toBe(200);
  expect((await server.call({ url })).statusCode).toBe(403);
  const again = (await ticketOf()).data.createPeopleTicket;
  expect((await server.call({ url: again.replace('people/export', 'audit/export') })).statusCode).toBe(403);
});

test('the file has the template’s columns and the filtered people in the list’s order, and is audited', async () => {
  const { body, headers } = await fileOf('find: "company.test", sort: "email", desc: true');
  expect(headers['content-disposition']).toBe('attachment; filename=people-2026-11-18.csv');
  const lines = body.slice(1).trimEnd().split('\r\n');
  expect(lines[0]).toBe(peopleHeader.join(','));
  expect(lines.slice(1).map((line) => line.replace(/,.*/, ''))).toEqual([
    ...['zoe', 'other', 'left', 'keeper', 'gone', 'admin'].map((name) => `${name}@company.test`),
    "'+boss@company.test",
  ]);
  expect(lines[4]).toBe("keeper@company.test,Kim,Keeper,Keeper,,'+boss@company.test,yes,");
  const { rows } = await server.database.pool.query(
    "select subject_type, after from audit_log where action = 'peopleExported' order by id desc limit 1",
  );
  expect(rows).toEqual([{ subject_type: 'people', after: { find: 'company.test', sort: 'email', desc: true } }]);
});

test('no cell of the file runs in a spreadsheet', async () => {
  const { body } = await fileOf();
  expect(body).toContain("'=cmd|x");
  expect(body).not.toMatch(/(^|[,;|\t"\n])\s*[=+@-]/m);
});

test('importing the file changes nothing and refuses nobody, also not the person who imports it', async () => {
  const { body } = await fileOf('find: "company.test"');
  const before = await stored();
  for (const dryRun of [true, false]) {
    const { rows } = await importFile(body, dryRun);
    expect(rows.filter(({ outcome }: { outcome: string }) => outcome !== 'unchanged')).toEqual([]);
    expect(rows).toHaveLength(7);
  }
  expect(await stored()).toEqual(before);
});

test('more people than are read at once are all in the file, each once', async () => {
  await server.database.pool.query(
    `insert into people (email, first_name, last_name, created_at)
     select 'many' || n || '@many.test', 'Many', 'Person ' || n, now() from generate_series(1, 2500) n`,
  );
  const { body } = await fileOf('find: "many.test"');
  const lines = body.slice(1).trimEnd().split('\r\n').slice(1);
  const emails = lines.map((line) => line.replace(/,.*/, ''));
  expect([emails.length, new Set(emails).size]).toEqual([2500, 2500]);
});

test('a person exports a hundred times an hour, and no more, so exports can’t fill the audit log', async () => {
  let answer = await ticketOf();
  for (let call = 0; call < 100 && !answer.code; call += 1) answer = await ticketOf();
  expect(answer).toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  const most =
    "select max(count) as most from (select count(*)::int from audit_log where action = 'peopleExported' group by actor_id) x";
  expect((await server.database.pool.query(most)).rows).toEqual([{ most: 100 }]);
});
