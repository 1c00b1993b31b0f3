import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import { sealAudit } from '#server/platform/audit/seal-audit.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { type AuditRows, readAuditRows } from './audit-list.store.ts';

let app: TestApp;
let admin: string;
let ada: string;
let bob: string;

beforeAll(async () => {
  app = await startTestApp({ env: { COMPANY_TIME_ZONE: 'Europe/Amsterdam' } });
  ada = await app.person({ role: 'admin', firstName: 'Ada', lastName: 'Admin' });
  bob = await app.person({ firstName: 'Bob', lastName: 'Builder' });
  for (let turn = 0; turn < 60; turn += 1) await write(ada, 'personChanged', bob, `name ${turn}`);
  app.clock.advance({ hours: 12 });
  admin = await app.signIn(ada);
  await write(bob, 'taskApproved', '7', '=cmd|x');
  await write(null, 'signInFailed', 'unknown', '100%_\\');
  await sealAudit(app.database);
});
afterAll(() => app.stop());

function write(who: string | null, action: string, subjectId: string, name: string): Promise<string> {
  const viewer = who === null ? null : { id: who };
  return recordAudit(
    app.database.drizzle,
    { viewer, requestId: `request of ${action}`, address: '10.1.2.3', clock: app.clock },
    {
      action,
      subjectType: action.startsWith('task') ? 'task' : 'person',
      subjectId,
      before: { name: 'x' },
      after: { name },
    },
  );
}

const row =
  'id at actorId actorName action subjectType subjectId subjectName address requestId erased position differences { field before after }';
const page = async (args = '', token = admin) => {
  const answer = await app.gql(token, `{ auditLog${args && `(${args})`} { next rows { ${row} } } }`);
  return { ...answer, rows: answer.data?.auditLog?.rows ?? [], next: answer.data?.auditLog?.next };
};

describe('refused', () => {
  it('is whoever is no admin: the log, its kinds, its head and its file', async () => {
    const staff = await app.signIn(
      await app.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'USER_MANAGEMENT', 'VIEW_ROLE_EDITOR'] }),
    );
    for (const query of [
      '{ auditLog { next } }',
      '{ auditKinds { actions } }',
      '{ auditChain { position } }',
      'mutation { createAuditTicket }',
    ])
      expect([query, (await app.gql(staff, query)).code]).toEqual([query, 'FORBIDDEN']);
  });
  it('is a filter that makes no sense', async () => {
    for (const args of ['actorId: "x"', 'from: "2026-02-30"', 'limit: 201', 'after: "-1"'])
      expect((await page(args)).code).toBe('BAD_INPUT');
    expect((await app.gql(admin, 'mutation { createAuditTicket(from: "soon") }')).code).toBe('BAD_INPUT');
  });
});

it('the newest stands first, with who, what, on whom, from where and the difference', async () => {
  const { rows } = await page('limit: 3');
  expect(rows[0]).toMatchObject({ action: 'signInFailed', actorId: null, actorName: null, subjectName: null });
  expect(rows[2]).toEqual({
    ...{ id: '60', at: '2026-11-18T12:00:00.000Z', actorId: ada, actorName: 'Ada Admin', action: 'personChanged' },
    ...{ subjectType: 'person', subjectId: bob, subjectName: 'Bob Builder', address: '10.1.2.3' },
    ...{ requestId: 'request of personChanged', erased: false, position: '60' },
    differences: [{ field: 'name', before: 'x', after: 'name 59' }],
  });
});

it('page after page shows every row once', async () => {
  const ids: string[] = [];
  for (let after = ''; ; ) {
    const { rows, next } = await page(`limit: 25 ${after && `, after: "${after}"`}`);
    ids.push(...rows.map(({ id }: { id: string }) => id));
    if (!next) break;
    after = next;
  }
  expect(ids).toEqual(Array.from({ length: 62 }, (_, index) => String(62 - index)));
});

it.each([
  ['actorId: "2"', ['taskApproved']],
  ['action: "taskApproved"', ['taskApproved']],
  ['subjectType: "task", subjectId: "7"', ['taskApproved']],
  // Midnight in Amsterdam is an hour before the clock's.
  ['from: "2026-11-19"', ['signInFailed', 'taskApproved']],
  ['until: "2026-11-17"', []],
  ['search: "100%_\\\\"', ['signInFailed']],
  ['search: "BUILDER", subjectType: "task"', ['taskApproved']],
  // What was done to someone is found by their name and address, which no entry has.
  ['search: "bob builder", actorId: "1", limit: 2', ['personChanged', 'personChanged']],
  ['search: "%"', ['signInFailed']],
  ['search: "request of task"', ['taskApproved']],
])('filtered by %s', async (args, actions) => {
  const { rows } = await page(args);
  expect(rows.map(({ action }: { action: string }) => action)).toEqual(actions);
});

it('a search for a text goes through a part of the log at a time, and page after page through all of it', async () => {
  const ids: string[] = [];
  const afters: (string | null)[] = [];
  for (let after: string | null = null; ; ) {
    const page: AuditRows = await readAuditRows(
      app.database.drizzle,
      { search: 'bob builder' },
      { after, limit: 15, searched: 25 },
    );
    ids.push(...page.rows.map(({ id }) => id));
    afters.push(page.next);
    after = page.next;
    if (after === null) break;
  }
  // Full pages end at their last row, others where the part ends.
  expect(ids).toEqual(Array.from({ length: 61 }, (_, index) => String(61 - index)));
  expect(afters).toEqual(['47', '32', '17', '2', null]);
  const rare = await readAuditRows(
    app.database.drizzle,
    { search: 'name 3"' },
    { after: null, limit: 15, searched: 25 },
  );
  expect(rare).toEqual({ rows: [], next: '38' });
});

it('the kinds that there are can be chosen from, and the head of the chain can be kept', async () => {
  const { data } = await app.gql(
    admin,
    '{ auditKinds { actions subjectTypes } auditChain { position hash unsealed } }',
  );
  expect(data.auditKinds).toEqual({
    actions: ['personChanged', 'signInFailed', 'taskApproved'],
    subjectTypes: ['person', 'task'],
  });
  expect(data.auditChain).toEqual({ position: '62', hash: expect.stringMatching(/^[0-9a-f]{64}$/), unsealed: 0 });
});

it('roles have a name, also after they are deleted', async () => {
  await app.person({ role: 'Staff', permissions: ['VIEW_DASHBOARD'] });
  const { rows: roles } = await app.database.pool.query<{ id: string }>(
    "select id::text from roles where name = 'Staff'",
  );
  const record = (subjectId: string, before: object, after?: object) =>
    recordAudit(
      app.database.drizzle,
      { viewer: null, requestId: 'roles', address: '10.1.2.3', clock: app.clock },
      {
        action: 'roleChanged',
        subjectType: 'role',
        subjectId,
        before: { ...before },
        ...(after && { after: { ...after } }),
      },
    );
  await record(roles[0]!.id, { name: 'Helpers', permissions: [] }, { name: 'Staff', permissions: ['VIEW_TOOLS'] });
  await record('999', { name: 'Gone', permissions: [] });
  const { rows } = await page('subjectType: "role"');
  expect(rows.map(({ subjectName }: { subjectName: string }) => subjectName)).toEqual(['Gone', 'Staff']);
  expect(rows[1].differences).toContainEqual({ field: 'permissions', before: null, after: '+ Tools' });
});

it('people that a change names by their ids have their names', async () => {
  await recordAudit(
    app.database.drizzle,
    { viewer: null, requestId: 'approvers', address: '10.1.2.3', clock: app.clock },
    {
      ...{ action: 'approversChanged', subjectType: 'approvers', subjectId: bob },
      ...{ before: { approverIds: [] }, after: { approverIds: [ada, '999999'] } },
    },
  );
  const { rows } = await page('subjectType: "approvers"');
  expect(rows[0].differences).toEqual([{ field: 'approverIds', before: null, after: `Ada Admin (${ada}), 999999` }]);
});

it('the file holds every row that the filter finds, and no cell that runs', async () => {
  const { data } = await app.gql(admin, 'mutation { createAuditTicket(from: "2026-11-18") }');
  const { body, headers } = await app.call({ url: data.createAuditTicket });
  expect(headers['content-disposition']).toBe('attachment; filename=audit-log-2026-11-19.csv');
  const lines = body.slice(1).trimEnd().split('\r\n');
  // The header, 65 rows, and this export's own entry.
  expect(lines).toHaveLength(67);
  expect(lines[1]).toContain('auditExported');
  expect(lines[0]).toMatch(/^id,at,person id,person,action,/);
  expect(lines.find((line) => line.includes('signInFailed'))).toContain(',,Not signed in,signInFailed,');
  expect(lines.find((line) => line.includes('taskApproved'))).toContain('{""name"":""=cmd|x""}');
});

it('a ticket that is made up, used, of another export, or of somebody who is an admin no more is refused', async () => {
  const get = (url: string) => app.call({ url });
  expect((await get(`/api/audit/export?ticket=${'a'.repeat(43)}`)).statusCode).toBe(403);
  const { data } = await app.gql(admin, 'mutation { createAuditTicket }');
  expect((await get(data.createAuditTicket.replace('audit/export', 'export'))).statusCode).toBe(400);
  expect((await get(data.createAuditTicket)).statusCode).toBe(403);
  const former = await app.person({ role: 'admin' });
  const late = await app.gql(await app.signIn(former), 'mutation { createAuditTicket }');
  await app.database.pool.query('update people set role = null where id = $1', [former]);
  expect((await get(late.data.createAuditTicket)).statusCode).toBe(403);
});

type Values = Record<string, unknown>;

it('a search finds people by name in an entry’s values, before and after a change, and in settings', async () => {
  const [hannah, marcus] = [
    await app.person({ firstName: 'Hannah', lastName: 'Okonkwo' }),
    await app.person({ firstName: 'Marcus', lastName: 'Adeyemi' }),
  ];
  const entry = (subjectType: string, subjectId: string, before: Values, after: Values) =>
    recordAudit(
      app.database.drizzle,
      { viewer: { id: ada }, requestId: 'bulk', address: '10.1.2.3', clock: app.clock },
      { action: 'approversChanged', subjectType, subjectId, before, after },
    );
  const moved = await entry('person', bob, { approverIds: [marcus] }, { approverIds: ['999', hannah] });
  const chair = await entry('meeting', '5', { chairId: marcus }, { chairId: '999' });
  const setting = await entry('setting', 'defaultApprover', { value: null }, { value: hannah });
  // Not a person's id.
  await entry('setting', 'handOverHours', { value: hannah }, { value: marcus });
  const found = async (search: string) =>
    (await page(`search: "${search}"`)).rows.map(({ id }: { id: string }) => id).toSorted();
  expect(await found('hannah')).toEqual([moved, setting].toSorted());
  expect(await found('adeyemi')).toEqual([moved, chair].toSorted());
});
