import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queries } from '#server/platform/db/database.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { countStates } from './demands.store.ts';

let server: TestApp;
let ids: Record<'admin' | 'keeper' | 'sam' | 'tia', string>;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestApp();
  const admin = await server.person({ role: 'admin', firstName: 'Ada', lastName: 'Admin' });
  const keeper = await server.person({ permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT', 'VIEW_ROLE_EDITOR'] });
  const sam = await server.person({ role: 'Support', firstName: 'Sam', lastName: 'Sure' });
  const tia = await server.person({ role: 'Support', firstName: 'Tia', lastName: 'Told' });
  ids = { admin, keeper, sam, tia };
  for (const [name, id] of Object.entries(ids)) tokens[name] = await server.signIn(id);
});
afterAll(() => server.stop());

// biome-ignore lint/suspicious/noExplicitAny: what a test reads from an answer, its expectations check
const ask = (query: string, variables: object = {}) => server.gql<any>(tokens.admin as string, query, variables);

const add = (variables: object) =>
  ask(
    `mutation ($role: String!, $kind: RequirementKind!, $title: String!, $validMonths: Int) {
      addRequirement(role: $role, kind: $kind, title: $title, validMonths: $validMonths) { id title version } }`,
    { role: 'Support', kind: 'training', title: 'GDPR training', ...variables },
  );
const record = (variables: object) =>
  ask(
    `mutation ($requirementId: ID!, $personId: ID!, $note: String, $day: String!, $goodUntil: String) {
      recordEvidence(requirementId: $requirementId, personId: $personId, note: $note, day: $day, goodUntil: $goodUntil) {
        id note day goodUntil version recordedBy } }`,
    { personId: ids.sam, day: '2026-01-10', ...variables },
  );
const people = async (variables: object = {}) =>
  (
    await ask(
      `query ($role: String!, $everyone: Boolean, $personId: ID, $state: QualificationState, $states: [QualificationState!], $search: String, $limit: Int, $after: ID) {
        qualifiedPeople(role: $role, everyone: $everyone, personId: $personId, state: $state, states: $states, search: $search, limit: $limit, after: $after) {
          total next people { id displayName state standings { state goodUntil } } } }`,
      { role: 'Support', ...variables },
    )
  ).data.qualifiedPeople;
const lastAudit = async () =>
  (
    await server.database.pool.query(
      'select actor_id::text as actor, action, subject_id as subject, before, after from audit_log order by id desc limit 1',
    )
  ).rows[0];

test('role qualifications are refused to everybody but admins (D8)', async () => {
  const calls = [
    '{ qualifiedRoles { name } }',
    '{ qualificationCounts { lacking } }',
    '{ qualifiedPeople(role: "Support") { total } }',
    `{ roleEvidence(role: "Support", personId: "${ids.sam}") { id } }`,
    'mutation { addRequirement(role: "Support", kind: training, title: "x") { id } }',
    'mutation { withdrawRequirement(id: "1") { id } }',
    `mutation { recordEvidence(requirementId: "1", personId: "${ids.sam}", day: "2026-01-01") { id } }`,
    'mutation { restoreEvidence(id: "1") { id } }',
  ];
  for (const who of ['keeper', 'sam'])
    for (const call of calls)
      expect([who, call, (await server.gql(tokens[who] as string, call)).code]).toEqual([who, call, 'FORBIDDEN']);
});

test('bad input is refused with the field at fault', async () => {
  const id = (await add({ title: 'For bad input' })).data.addRequirement.id;
  for (const [answer, code, field] of [
    [await add({ title: '  ' }), 'BAD_INPUT', 'title'],
    [await add({ validMonths: 0 }), 'BAD_INPUT', 'validMonths'],
    [await add({ role: 'No such role' }), 'NOT_FOUND', 'role'],
    [await record({ requirementId: id, day: '2026-02-30' }), 'BAD_INPUT', 'day'],
    [await record({ requirementId: id, day: '2026-11-19' }), 'BAD_INPUT', 'day'],
    [await record({ requirementId: id, goodUntil: '2026-01-09' }), 'BAD_INPUT', 'goodUntil'],
    [await record({ requirementId: '999999' }), 'NOT_FOUND', 'requirementId'],
    [await record({ requirementId: id, personId: '999999' }), 'NOT_FOUND', 'personId'],
  ] as const)
    expect([answer.code, answer.errors?.[0]?.extensions.field]).toEqual([code, field]);
  await ask(`mutation { withdrawRequirement(id: "${id}") { id } }`);
  expect((await record({ requirementId: id })).code).toBe('NOT_FOUND');
});

test('a requirement is added, changed with its version, withdrawn and brought back, each in the audit log', async () => {
  const { id } = (await add({ validMonths: 12 })).data.addRequirement;
  expect(await lastAudit()).toMatchObject({
    ...{ actor: ids.admin, action: 'requirementAdded', subject: id },
    after: { role: 'Support', kind: 'training', title: 'GDPR training', validMonths: 12 },
  });
  const update = (version: number) =>
    ask(
      `mutation { updateRequirement(id: "${id}", version: ${version}, kind: training, title: "Data protection", validMonths: 24) { title validMonths version } }`,
    );
  expect((await update(2)).code).toBe('CONFLICT');
  expect((await update(1)).data.updateRequirement).toEqual({ title: 'Data protection', validMonths: 24, version: 2 });
  expect(await lastAudit()).toMatchObject({ before: { title: 'GDPR training' }, after: { title: 'Data protection' } });
  expect((await people()).people.map(({ state }: { state: string }) => state)).toEqual(['missing', 'missing']);
  await ask(`mutation { withdrawRequirement(id: "${id}") { id } }`);
  expect((await people()).people.map(({ state }: { state: string }) => state)).toEqual(['met', 'met']);
  await ask(`mutation { restoreRequirement(id: "${id}") { id } }`);
  expect(await lastAudit()).toMatchObject({ action: 'requirementRestored', subject: id });
  expect((await people()).people[0].state).toBe('missing');
});

test('evidence makes a person met, expiring or expired; withdrawn it counts no more, brought back it does', async () => {
  const id = (await ask('{ qualifiedRoles { name requirements { id } } }')).data.qualifiedRoles.find(
    ({ name }: { name: string }) => name === 'Support',
  ).requirements[0].id;
  const evidence = (await record({ requirementId: id, note: 'Course of Ada' })).data.recordEvidence;
  expect(evidence).toMatchObject({ note: 'Course of Ada', recordedBy: 'Ada Admin', goodUntil: null, version: 1 });
  const [sam, tia] = (await people()).people;
  expect([sam.displayName, sam.standings]).toEqual(['Sam Sure', [{ state: 'met', goodUntil: '2028-01-10' }]]);
  expect(tia.state).toBe('missing');
  const update = `mutation ($goodUntil: String) { updateEvidence(id: "${evidence.id}", version: 1, day: "2026-01-10", goodUntil: $goodUntil) { version } }`;
  expect((await ask(update, { goodUntil: '2026-12-01' })).data.updateEvidence.version).toBe(2);
  expect((await people()).people[0].standings).toEqual([{ state: 'expiring', goodUntil: '2026-12-01' }]);
  expect((await ask(update, { goodUntil: '2026-11-01' })).code).toBe('CONFLICT');
  await ask(`mutation { withdrawEvidence(id: "${evidence.id}") { id } }`);
  expect((await people()).people[0].state).toBe('missing');
  await ask(`mutation { restoreEvidence(id: "${evidence.id}") { id } }`);
  expect((await people()).people[0].state).toBe('expiring');
  const counts = (await ask('{ qualifiedRoles { name people missing expired expiring met } }')).data.qualifiedRoles;
  expect(counts).toContainEqual({ name: 'Support', people: 2, missing: 1, expired: 0, expiring: 1, met: 0 });
  expect(counts[0].name).toBe('admin');
});

test('people are filtered by state and name and come in pages; everyone shows who could take the role on', async () => {
  const names = async (variables: object) =>
    (await people(variables)).people.map(({ displayName }: { displayName: string }) => displayName);
  expect(await names({ state: 'missing' })).toEqual(['Tia Told']);
  expect(await names({ search: 'sam' })).toEqual(['Sam Sure']);
  expect(await names({ search: '%' })).toEqual([]);
  const first = await people({ limit: 1 });
  expect([first.total, first.next]).toEqual([2, first.people[0].id]);
  const second = await people({ limit: 1, after: first.next });
  expect([second.people[0].displayName, second.total, second.next]).toEqual(['Tia Told', 2, null]);
  expect(await names({ everyone: true, search: 'ada' })).toEqual(['Ada Admin']);
  expect(await names({ everyone: true, personId: ids.admin })).toEqual(['Ada Admin']);
  expect(await names({ personId: ids.admin })).toEqual([]);
});

test('who confirmed the guidelines that hold has read them, until there are newer ones', async () => {
  await add({ role: 'admin', kind: 'guideline', title: 'Top 5 guidelines' });
  const state = async () => (await people({ role: 'admin' })).people[0].standings[0];
  expect(await state()).toEqual({ state: 'missing', goodUntil: null });
  const publish = (version: number) =>
    server.database.pool.query(
      "insert into guideline_versions (version, text, note, published_by, published_at) values ($1, 'x', '', $2, '2026-11-01T00:00:00Z')",
      [version, ids.admin],
    );
  await publish(1);
  await server.database.pool.query(
    "insert into guideline_confirmations (version, person_id, confirmed_at) values (1, $1, '2026-11-02T00:00:00Z')",
    [ids.admin],
  );
  expect(await state()).toEqual({ state: 'met', goodUntil: null });
  await publish(2);
  expect(await state()).toEqual({ state: 'missing', goodUntil: null });
});

test('the same recording sent again makes nothing new', async () => {
  const { id } = (await add({ title: 'Once' })).data.addRequirement;
  const send = () =>
    server.call({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: `Bearer ${tokens.admin}`, 'idempotency-key': 'one' },
      payload: {
        query: `mutation { recordEvidence(requirementId: "${id}", personId: "${ids.sam}", day: "2026-01-01") { id } }`,
      },
    });
  expect((await send()).json()).toEqual((await send()).json());
  expect(
    (await server.database.pool.query('select 1 from role_evidence where requirement_id = $1', [id])).rowCount,
  ).toBe(1);
});

test('the states and counts of the database are those of the core, on the first and last days of evidence', async () => {
  const { pool } = server.database;
  const pilots = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      server.person({ role: 'Pilot', firstName: 'Pilot', lastName: String.fromCharCode(65 + n) }),
    ),
  );
  const added = async (validMonths: number | null) =>
    (await add({ role: 'Pilot', title: `Check ${validMonths}`, validMonths })).data.addRequirement.id as string;
  const [lasting, monthly] = [await added(null), await added(1)];
  const evidence = (n: number, requirementId: string, day: string, goodUntil: string | null = null) =>
    pool.query(
      'insert into role_evidence (requirement_id, person_id, day, good_until, recorded_by) values ($1, $2, $3, $4, $5)',
      [requirementId, pilots[n], day, goodUntil, ids.admin],
    );
  // Today is 2026-11-18. Ends: yesterday, today, in 30 and in 31 days; a month after the 31st; longest-lasting.
  const ends = ['2026-11-17', '2026-11-18', '2026-12-18', '2026-12-19'];
  for (const [n, end] of ends.entries()) await evidence(n, lasting, '2026-01-01', end);
  for (let n = 4; n < 10; n++) await evidence(n, lasting, '2026-01-01');
  for (const [n, day] of ['2026-10-17', '2026-10-18', '2026-10-31', '2026-11-18', '2026-11-19'].entries())
    await evidence(n + 3, monthly, day);
  await evidence(0, monthly, '2026-11-01');
  await evidence(1, monthly, '2026-01-01', '2027-06-01');
  await evidence(1, monthly, '2026-01-01', '2026-11-01');
  await evidence(2, monthly, '2026-11-02', '2027-01-01');
  await evidence(8, monthly, '2026-01-01', '2026-12-19');
  const all = (await people({ role: 'Pilot', limit: 200 })).people as { id: string; state: string }[];
  const counts = { missing: 0, expired: 0, expiring: 0, met: 0 };
  for (const state of Object.keys(counts) as (keyof typeof counts)[]) {
    const expected = all.filter((person) => person.state === state).map(({ id }) => id);
    counts[state] = expected.length;
    const found: string[] = [];
    for (let after: string | null = null; ; ) {
      const page: { total: number; next: string | null; people: { id: string }[] } = await people({
        ...{ role: 'Pilot', state, limit: 2, after },
      });
      expect(page.total).toBe(expected.length);
      found.push(...page.people.map(({ id }) => id));
      after = page.next;
      if (after === null) break;
    }
    expect([state, found]).toEqual([state, expected]);
  }
  expect(Object.values(counts).every((count) => count > 0)).toBe(true);
  const lacking = await people({ role: 'Pilot', states: ['missing', 'expired'] });
  expect(lacking.total).toBe(counts.missing + counts.expired);
  expect(new Set(lacking.people.map(({ state }: { state: string }) => state))).toEqual(new Set(['missing', 'expired']));
  const roles = (await ask('{ qualifiedRoles { name people missing expired expiring met } }')).data.qualifiedRoles;
  expect(roles).toContainEqual({ name: 'Pilot', people: 12, ...counts });
  expect(await people({ role: 'Pilot', state: 'met', after: '999999' })).toMatchObject({ next: null, people: [] });
});

test('the counts are of everyone by their own role, as many as the lists show', async () => {
  const { qualifiedRoles, qualificationCounts } = (
    await ask('{ qualifiedRoles { name } qualificationCounts { lacking expiring } }')
  ).data;
  const listed = { lacking: 0, expiring: 0 };
  for (const { name: role } of qualifiedRoles) {
    listed.lacking += (await people({ role, states: ['missing', 'expired'] })).total;
    listed.expiring += (await people({ role, state: 'expiring' })).total;
  }
  expect(qualificationCounts).toEqual(listed);
  expect(listed.lacking).toBeGreaterThan(1);
  expect(listed.expiring).toBeGreaterThan(1);
});

test('everyone sees what their own role requires and until when they meet it, and nothing of others', async () => {
  const gunner = await server.person({ role: 'Gunner' });
  const mine = async (id: string) =>
    // biome-ignore lint/suspicious/noExplicitAny: what a test reads from an answer, its expectations check
    (await server.gql<any>(await server.signIn(id), '{ myRequirements { id title kind state goodUntil } }')).data
      .myRequirements;
  expect(await mine(gunner)).toEqual([]);
  const { id } = (await add({ role: 'Gunner', title: 'Safety', validMonths: 12 })).data.addRequirement;
  const safety = { id, title: 'Safety', kind: 'training' };
  expect(await mine(gunner)).toEqual([{ ...safety, state: 'missing', goodUntil: null }]);
  await record({ requirementId: id, personId: gunner, note: 'Course of Ada' });
  expect(await mine(gunner)).toEqual([{ ...safety, state: 'met', goodUntil: '2027-01-10' }]);
  expect(await mine(await server.person({ role: 'Gunner' }))).toEqual([
    { ...safety, state: 'missing', goodUntil: null },
  ]);
  expect(await mine(await server.person({ role: 'Deck' }))).toEqual([]);
});

test('the search finds names without their accents', async () => {
  await server.person({ role: 'Support', firstName: 'Zoë', lastName: 'Núñez' });
  expect((await people({ search: 'nunez zoe' })).people).toMatchObject([{ displayName: 'Zoë Núñez' }]);
});

type Plan = { readonly 'Actual Rows': number; readonly 'Actual Loops': number; readonly Plans?: readonly Plan[] };
const mostRows = (plan: Plan): number =>
  Math.max(plan['Actual Rows'] * plan['Actual Loops'], ...(plan.Plans ?? []).map(mostRows));

test('counting by role reads a confirmation for the person’s own role, not for every role that asks it', async () => {
  const { pool, drizzle } = server.database;
  await pool.query(`with made as (insert into roles (name, permissions) select 'Asks ' || n, '{}' from generate_series(1, 40) n returning id)
    insert into role_requirements (role_id, kind, title) select id, 'guideline', 'Read' from made`);
  await pool.query(`with made as (
      insert into people (first_name, last_name, email, role)
      select 'Many', 'Readers', 'reader' || n || '@company.test', 'Asks 1' from generate_series(1, 40) n returning id)
    insert into guideline_confirmations (version, person_id, confirmed_at)
    select (select max(version) from guideline_versions), id, '2026-11-02T00:00:00Z' from made`);
  const plans: Plan[] = [];
  const explaining = {
    execute: async (query: SQL) => {
      const { rows } = await drizzle.execute<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        sql`explain (analyze, format json) ${query}`,
      );
      plans.push(rows[0]!['QUERY PLAN'][0]!.Plan);
      return { rows: [] };
    },
  };
  await countStates(explaining as unknown as Queries, { today: '2026-11-18', zone: 'UTC' });
  // With every confirmation for every role, a step has over 60,000 rows.
  expect(mostRows(plans[0]!)).toBeLessThan(20_000);
});
