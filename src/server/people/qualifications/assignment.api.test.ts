import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { assertQualified, assignmentAudit, missingOfPeople } from './assignment.service.ts';

let server: TestApp;
let admin: string;
let trained: string;
let plain: string;
let requirement: string;

const insert = async (statement: string, values: unknown[]) =>
  (
    (await server.database.pool.query<{ id: string }>(`${statement} returning id::text`, values)).rows[0] as {
      id: string;
    }
  ).id;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.person({ role: 'admin' });
  trained = await server.person({ role: 'Support' });
  plain = await server.person({ role: 'Staff' });
  requirement = await insert(
    "insert into role_requirements (role_id, kind, title, valid_months) select id, 'training', 'GDPR', 12 from roles where name = 'Support'",
    [],
  );
  await insert('insert into role_evidence (requirement_id, person_id, day, recorded_by) values ($1, $2, $3, $4)', [
    requirement,
    trained,
    '2026-01-10',
    admin,
  ]);
});
afterAll(() => server.stop());

const assign = (personId: string, role: string | null, reason?: string) =>
  server.database.transaction((queries) => assertQualified(queries, server.parts, { personId, role, reason }));

test('somebody who lacks what a role asks for gets it with a reason only, which the audit entry keeps', async () => {
  await expect(assign(plain, 'Support')).rejects.toMatchObject({ refusal: { code: 'REASON_NEEDED', field: 'reason' } });
  const assignment = await assign(plain, 'Support', 'Stands in for Ada');
  expect(assignmentAudit(assignment)).toEqual({ lacking: ['GDPR'], reason: 'Stands in for Ada' });
});

test('who has it needs no reason, nor does a role that asks for nothing, nor taking the role away', async () => {
  for (const [person, role] of [
    [trained, 'Support'],
    [plain, 'Staff'],
    [plain, null],
    [plain, 'admin'],
  ] as const)
    expect(assignmentAudit(await assign(person, role))).toEqual({});
});

test('several people are looked at in one go', async () => {
  const missing = await missingOfPeople(server.database.drizzle, server.parts, {
    role: 'Support',
    personIds: [trained, plain, admin],
  });
  expect([...missing].map(([id, lacking]) => [id, lacking.map(({ title }) => title)])).toEqual([
    [plain, ['GDPR']],
    [admin, ['GDPR']],
  ]);
});

test('what was withdrawn counts no more, neither evidence nor requirement', async () => {
  await server.database.pool.query('update role_evidence set withdrawn_at = now() where requirement_id = $1', [
    requirement,
  ]);
  await expect(assign(trained, 'Support')).rejects.toMatchObject({ refusal: { code: 'REASON_NEEDED' } });
  await server.database.pool.query('update role_requirements set withdrawn_at = now() where id = $1', [requirement]);
  expect((await assign(trained, 'Support')).missing).toEqual([]);
});

test('the admin role may ask for something too', async () => {
  await insert("insert into role_requirements (kind, title) values ('recommendation', 'Two admins vouch')", []);
  await expect(assign(plain, 'admin')).rejects.toMatchObject({ refusal: { code: 'REASON_NEEDED' } });
});

test('requirements follow a role that is renamed and go with one that is deleted', async () => {
  await server.database.pool.query("insert into roles (name, permissions) values ('Spare', '{}')");
  await insert(
    "insert into role_requirements (role_id, kind, title) select id, 'years', 'One year' from roles where name = 'Spare'",
    [],
  );
  await server.database.pool.query("update roles set name = 'Crew' where name = 'Spare'");
  await expect(assign(admin, 'Crew')).rejects.toMatchObject({ refusal: { code: 'REASON_NEEDED' } });
  await server.database.pool.query("delete from roles where name = 'Crew'");
  expect((await assign(admin, 'Crew')).missing).toEqual([]);
});
