// A sprint's bonus statements as one file: whose amounts are in it, and what the file says.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Permission } from '#core/access/permissions.ts';
import { statementHead } from '#core/toolbox/bonus-words.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { approving, prepareTask, type Someone, someone, staff } from '../../../../test/task-fixtures.ts';

let app: TestApp;
let sprintId: string;
let people: Record<'admin' | 'approver' | 'owner' | 'gone' | 'stranger' | 'delegate' | 'without' | 'other', Someone>;

const bonus: Permission = 'VIEW_TOP_5_BONUS_STRUCTURE';
const today = '2026-11-18';

async function record(ids: readonly string[]): Promise<void> {
  const amounts = [
    ['signedOff', '30.1'],
    ['firstPass', '15'],
    ['team', '12'],
  ];
  const lines = amounts.map(([key, amount]) => ({ key, amount, part: 4, whole: 5, waived: key === 'team' }));
  await app.database.pool.query(
    `insert into bonus_statements (sprint_id, person_id, plan_id, amount, lines, tasks)
     select $1, unnest($2::bigint[]), (select id from bonus_plans), 571000, $3, '[]'`,
    [sprintId, ids, JSON.stringify(lines)],
  );
}

beforeAll(async () => {
  app = await startTestApp();
  sprintId = await app.sprint('2026-11-04T12:00:00Z');
  const named = (firstName: string, more: Parameters<TestApp['person']>[0]) =>
    someone(app, { firstName, lastName: 'Person', email: `${firstName.toLowerCase()}@acme.test`, ...more });
  const admin = await named('Admin', { role: 'admin' });
  const decides = { permissions: [...approving, bonus], approvers: [admin.id] };
  const approver = await named('Approver', decides);
  const approved = { permissions: [...staff, bonus], approvers: [approver.id] };
  const without = await named('Without', { permissions: approving, approvers: [admin.id] });
  people = {
    ...{ admin, approver },
    owner: await named('Owner', { ...approved, firstName: '=Owner' }),
    gone: await named('Gone', approved),
    stranger: await named('Stranger', decides),
    delegate: await named('Delegate', decides),
    without,
    other: await named('Other', { ...approved, approvers: [without.id] }),
  };
  const { pool } = app.database;
  await pool.query(
    `insert into bonus_plans (version, from_sprint_id, base, currency, fair_hours, components, created_by, created_at)
     values (7, $1, 1000000, 'EUR', 8, '{}', $2, now())`,
    [sprintId, admin.id],
  );
  await record([admin, approver, people.owner, people.gone, people.stranger, people.other].map(({ id }) => id));
  await pool.query('update people set disabled_at = now() where id = $1', [people.gone.id]);
});
afterAll(() => app.stop());

const ticketOf = ({ token }: Someone, id = sprintId) =>
  app.gql(token, 'mutation ($id: ID!) { createBonusTicket(sprintId: $id) }', { id });
const download = async (who: Someone) => app.call({ url: (await ticketOf(who)).data.createBonusTicket });
const linesOf = (body: string) => body.slice(1).trimEnd().split('\r\n');
const emailsIn = (body: string) =>
  new Set(
    linesOf(body)
      .slice(1)
      .map((line) => line.split(',')[1]!),
  );

test('is refused without the permission, and where nothing of the sprint can be seen, as if there were none', async () => {
  expect((await ticketOf(people.without)).code).toBe('FORBIDDEN');
  const newcomer = await someone(app, { permissions: [...approving, bonus] });
  const [unseen, unknown] = [await ticketOf(newcomer), await ticketOf(newcomer, '999999')];
  expect(unseen.code).toBe('NOT_FOUND');
  expect(unseen.errors).toEqual(unknown.errors);
  expect((await ticketOf(people.admin, await app.sprint())).code).toBe('NOT_FOUND');
  expect((await ticketOf(people.admin, 'x')).code).toBe('BAD_INPUT');
});

test('has everyone whose statements the viewer can read one by one, disabled people too, and nobody else', async () => {
  await app.database.pool.query(
    'insert into absences (person_id, first_day, last_day, delegate_id) values ($1, $3, $3, $2), ($4, $3, $3, $2)',
    // The second one has no access to the bonus, which a delegate doesn't add.
    [people.approver.id, people.delegate.id, today, people.without.id],
  );
  const list = 'query ($userId: ID) { bonusStatements(userId: $userId) { id } }';
  const everyone = await app.database.pool.query<{ id: string; email: string }>(
    'select id::text, email from people order by id',
  );
  const seenBy = async (who: Someone) => {
    const seen: string[] = [];
    for (const { id, email } of everyone.rows) {
      const { data } = await app.gql(who.token, list, { userId: id });
      if (data?.bonusStatements?.length > 0) seen.push(email);
    }
    return seen;
  };
  const expected = {
    admin: ['admin', 'approver', 'owner', 'gone', 'stranger', 'other'],
    approver: ['approver', 'owner', 'gone'],
    owner: ['owner'],
    stranger: ['stranger'],
    delegate: ['owner', 'gone'],
  };
  for (const [name, seen] of Object.entries(expected)) {
    const who = people[name as keyof typeof expected];
    const emails = emailsIn((await download(who)).body);
    expect(emails, name).toEqual(new Set(seen.map((each) => `${each}@acme.test`)));
    expect(emails, name).toEqual(new Set(await seenBy(who)));
  }
});

test('asks who may read when the file is sent, and a ticket is good once and for nothing else', async () => {
  const former = await someone(app, { permissions: [...approving, bonus], approvers: [people.admin.id] });
  const approvers = (id: string) =>
    app.database.pool.query('update approvers set approver_id = $2 where person_id = $1', [people.owner.id, id]);
  await approvers(former.id);
  const url = (await ticketOf(former)).data.createBonusTicket;
  const other = (await ticketOf(former)).data.createBonusTicket;
  await approvers(people.approver.id);
  expect((await app.call({ url })).statusCode).toBe(404);
  await app.database.pool.query('update people set role = null where id = $1', [former.id]);
  expect((await app.call({ url: other })).statusCode).toBe(403);
  const own = (await ticketOf(people.owner)).data.createBonusTicket;
  expect((await app.call({ url: own })).statusCode).toBe(200);
  expect((await app.call({ url: own })).statusCode).toBe(403);
  const wrong = (await ticketOf(people.admin)).data.createBonusTicket.replace('bonus', 'people');
  expect((await app.call({ url: wrong })).statusCode).toBe(403);
});

test('has a row for each part, the total once a person, later corrections, and the sprint in its name', async () => {
  const task = { ownerId: people.owner.id, sprintId, status: 'DONE' } as const;
  await prepareTask(app.database, task);
  const corrected = await prepareTask(app.database, task);
  await app.database.pool.query(
    `insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, version, correction)
     values ($1, $2, now(), $3, 'Approver', 'signedOff', 'INREVIEW', 'DONE', 2, true)`,
    [corrected, sprintId, people.approver.id],
  );
  const { body, headers } = await download(people.approver);
  expect(headers['content-disposition']).toBe('attachment; filename=bonus-statements-2026-W45.csv');
  const lines = linesOf(body);
  expect(lines[0]).toBe(statementHead.join(','));
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(
    ["'=Owner", 'Approver', 'Gone'].flatMap((name) => Array(3).fill(`${name} Person`)),
  );
  expect(lines.slice(1, 4)).toEqual([
    `'=Owner Person,owner@acme.test,2026 W45,Signed-off share,4,5,no,30.1,EUR,7,1,"4 of 5, 80%",`,
    `'=Owner Person,owner@acme.test,2026 W45,Rework-free share,4,5,no,15,EUR,7,1,"5 sign-offs, 1 send-back, 80%",`,
    `'=Owner Person,owner@acme.test,2026 W45,Team result,4,5,yes,12,EUR,7,1,"4 of 5, 80%",57.1`,
  ]);
  expect(lines[6]).toMatch(/^Approver Person,approver@acme\.test,2026 W45,Team result,4,5,yes,12,EUR,7,0,.*,57\.1$/);
  const { rows } = await app.database.pool.query(
    "select actor_id::text as who, subject_type, subject_id, after from audit_log where action = 'bonusExported' order by id desc limit 1",
  );
  const after = { sprint: '2026 W45' };
  expect(rows).toEqual([{ who: people.approver.id, subject_type: 'sprint', subject_id: sprintId, after }]);
});

test('more people than are sent at once are all in the file, each once', async () => {
  const { rows } = await app.database.pool.query<{ id: string }>(
    `insert into people (email, first_name, last_name, created_at)
     select 'many' || n || '@acme.test', 'Many', 'Person ' || n, now() from generate_series(1, 1500) n returning id::text`,
  );
  await record(rows.map(({ id }) => id));
  const { body } = await download(people.admin);
  const many = linesOf(body).filter((line) => line.startsWith('Many'));
  expect([many.length, new Set(many.map((line) => line.split(',')[1])).size]).toEqual([4500, 1500]);
  expect(many.filter((line) => line.endsWith(',57.1'))).toHaveLength(1500);
});
