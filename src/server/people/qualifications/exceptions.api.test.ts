import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isExcepted } from '#core/people/qualifications.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { requirementsOfRole } from './demands.store.ts';
import { readExceptions } from './exceptions.store.ts';

let server: TestApp;
let admin: string;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.person({ role: 'admin', firstName: 'Ada', lastName: 'Admin' });
  const keeper = await server.person({ permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT', 'VIEW_ROLE_EDITOR'] });
  await server.database.pool.query("insert into roles (name, permissions) values ('Sales', '{}'), ('Support', '{}')");
  for (const [name, id] of Object.entries({ admin, keeper })) tokens[name] = await server.signIn(id);
});
afterAll(() => server.stop());

// biome-ignore lint/suspicious/noExplicitAny: what a test reads from an answer, its expectations check
const ask = (query: string, variables: object = {}) => server.gql<any>(tokens.admin as string, query, variables);
const addRequirement = async (role: string, title: string): Promise<string> =>
  (await ask(`mutation { addRequirement(role: "${role}", kind: training, title: "${title}") { id } }`)).data
    .addRequirement.id;
const change = async (userId: string, fields: object) => {
  const { version } = (await ask(`{ managedUser(userId: "${userId}") { version } }`)).data.managedUser;
  const answer = await ask(
    `mutation ($userId: ID!, $version: String!, $role: String, $reason: String, $firstName: String) {
      updateUser(userId: $userId, version: $version, role: $role, reason: $reason, firstName: $firstName) { id } }`,
    { userId, version, ...fields },
  );
  expect(answer.errors).toBeUndefined();
};
const give = (userId: string, role: string, reason?: string) => change(userId, { role, reason });
const meet = (requirementId: string, personId: string) =>
  ask(
    `mutation { recordEvidence(requirementId: "${requirementId}", personId: "${personId}", day: "2026-01-10") { id } }`,
  );
const stand = `state standings { requirementId state } exception { by at reason requirementIds }`;
const of = async (personId: string, role = 'Support') =>
  (await ask(`{ qualifiedPeople(role: "${role}", everyone: true, personId: "${personId}") { people { ${stand} } } }`))
    .data.qualifiedPeople.people[0];

test('why someone has a role without its requirements is refused to everybody but admins', async () => {
  const query = `{ qualifiedPeople(role: "Support") { people { exception { reason } } } }`;
  expect((await server.gql(tokens.keeper as string, query)).code).toBe('FORBIDDEN');
});

test('the reason of a role is read with who gave it and when, and for what is lacking now', async () => {
  const [gdpr, disputes] = [await addRequirement('Support', 'GDPR'), await addRequirement('Support', 'Disputes')];
  const nina = await server.person({ role: 'Staff' });
  await give(nina, 'Support', 'Trial for a month');
  const at = (await of(nina)).exception.at;
  expect(Temporal.Instant.from(at).epochMilliseconds).toBe(server.clock.now().epochMilliseconds);
  const exception = { by: 'Ada Admin', at, reason: 'Trial for a month', requirementIds: [gdpr, disputes] };
  expect(await of(nina)).toMatchObject({ state: 'missing', exception });
  await meet(gdpr, nina);
  expect((await of(nina)).exception.requirementIds).toEqual([disputes]);
  await ask(`mutation { updateRequirement(id: "${disputes}", version: 1, kind: training, title: "Refunds") { id } }`);
  expect((await of(nina)).exception.requirementIds).toEqual([disputes]);
  await meet(disputes, nina);
  expect(await of(nina)).toMatchObject({ state: 'met', exception: null });
});

test('what lapsed or is required since is no exception, nor is what someone lacks for another role', async () => {
  const late = await server.person({ role: 'Staff' });
  await give(late, 'Sales');
  const prices = await addRequirement('Sales', 'Prices');
  expect(await of(late, 'Sales')).toMatchObject({ state: 'missing', exception: null });
  await give(late, 'Staff');
  await give(late, 'Sales', 'Starts in May');
  expect((await of(late, 'Sales')).exception.requirementIds).toEqual([prices]);
  await addRequirement('Sales', 'Tax');
  expect((await of(late, 'Sales')).exception.requirementIds).toEqual([prices]);
  await addRequirement('Support', 'Prices');
  expect((await of(late)).exception).toBeNull();
});

test('only the newest gift of a role counts, and neither its request nor another change of the account is one', async () => {
  const one = await server.person({ role: 'Staff' });
  await give(one, 'Sales', 'For now');
  await give(one, '');
  expect((await of(one, 'Sales')).exception).toBeNull();
  await give(one, 'Sales', 'For good');
  await change(one, { firstName: 'Nora' });
  await server.database.pool.query(
    `insert into audit_log (action, subject_type, subject_id, after) values ('roleAsked', 'person', $1, '{"role": "Lead"}')`,
    [one],
  );
  expect((await of(one, 'Sales')).exception.reason).toBe('For good');
  await server.database.pool.query(
    "with renamed as (update roles set name = 'Sellers' where name = 'Sales') update people set role = 'Sellers' where role = 'Sales'",
  );
  expect((await of(one, 'Sellers')).exception.reason).toBe('For good');
});

test('what someone met after they got the role, and lacks again, is no exception any more', async () => {
  const { pool } = server.database;
  await pool.query("insert into roles (name, permissions) values ('Pilot', '{}')");
  const titles = ['Lapsed', 'Withdrawn', 'Lapsed before', 'Withdrawn before', 'Never met'];
  const ids: string[] = [];
  for (const title of titles) ids.push(await addRequirement('Pilot', title));
  const [lapsed, withdrawn, before, withdrawnBefore, never] = ids as [string, string, string, string, string];
  const add = 'mutation { addRequirement(role: "Pilot", kind: guideline, title: "Top 5") { id } }';
  const top5 = (await ask(add)).data.addRequirement.id;
  const pilot = await server.person({ role: 'Staff' });
  const evidence = (requirementId: string, goodUntil: string, withdrawnAt: string | null = null) =>
    pool.query(
      `insert into role_evidence (requirement_id, person_id, note, day, good_until, recorded_by, recorded_at, withdrawn_at)
       values ($1, $2, '', '2026-01-10', $3, $4, '2026-01-10T12:00:00Z', $5)`,
      [requirementId, pilot, goodUntil, admin, withdrawnAt],
    );
  const gift = server.clock.now();
  const day = gift.toZonedDateTimeISO(server.parts.config.companyTimeZone).toPlainDate();
  await evidence(before, day.subtract({ days: 1 }).toString());
  await evidence(withdrawnBefore, '2027-12-31', gift.subtract({ hours: 1 }).toString());
  await give(pilot, 'Pilot', 'Trial');
  const excepted = async () => (await of(pilot, 'Pilot')).exception.requirementIds;
  expect(await excepted()).toEqual([...ids, top5]);
  await pool.query(
    "insert into guideline_versions (version, text, note, published_by, published_at) values (1, 'x', '', $1, $2), (2, 'y', '', $1, $2)",
    [admin, gift.toString()],
  );
  await pool.query('insert into guideline_confirmations (version, person_id, confirmed_at) values (1, $1, $2)', [
    pilot,
    gift.add({ hours: 1 }).toString(),
  ]);
  expect(await excepted()).toEqual(ids);
  await evidence(lapsed, day.toString());
  await evidence(withdrawn, '2027-12-31', gift.add({ hours: 1 }).toString());
  server.clock.advance({ hours: 48 });
  tokens.admin = await server.signIn(admin);
  expect(await excepted()).toEqual([before, withdrawnBefore, never]);
});

test('a role by groups ends an exception, as does an erased gift, and a declined request doesn’t', async () => {
  const one = await server.person({ role: 'Staff' });
  await give(one, 'Sellers', 'For now');
  const log = (action: string, role: string) =>
    server.database.pool.query(
      "insert into audit_log (action, subject_type, subject_id, after) values ($2, 'person', $1, jsonb_build_object('role', $3::text))",
      [one, action, role],
    );
  await log('roleDeclined', 'Lead');
  expect((await of(one, 'Sellers')).exception.reason).toBe('For now');
  await log('roleOfGroups', 'Sellers');
  expect((await of(one, 'Sellers')).exception).toBeNull();
  await give(one, 'Staff');
  await give(one, 'Sellers', 'Again');
  expect((await of(one, 'Sellers')).exception.reason).toBe('Again');
  await server.database.pool.query(
    "insert into audit_log (action, subject_type, subject_id, values_salt, erased_in) values ('userChanged', 'person', $1, null, 1)",
    [one],
  );
  expect((await of(one, 'Sellers')).exception).toBeNull();
});

type Person = { id: string; role: string; state: string; standings: []; exception: null };

test('people with an exception are counted and listed apart from others who lack something, as the core does', async () => {
  const half = await server.person({ role: 'Staff' });
  await give(half, 'Pilot', 'Starts in May');
  await addRequirement('Pilot', 'Required since');
  await server.person({ role: 'Pilot' });
  await server.database.pool.query("insert into roles (name, permissions) values ('Deck', '{}')");
  await addRequirement('Deck', 'Knots');
  for (const reason of ['Trial', 'Covers for Ada']) await give(await server.person({ role: 'Staff' }), 'Deck', reason);
  await server.person({ role: 'Deck' });
  const counts = (
    await ask('{ qualificationCounts { lacking excepted } qualifiedRoles { name missing expired excepted } }')
  ).data;
  const all = { lacking: 0, excepted: 0 };
  for (const { name: role, missing, expired, excepted } of counts.qualifiedRoles) {
    const read = async (more: string): Promise<Person[]> =>
      (await ask(`{ qualifiedPeople(role: "${role}", limit: 200 ${more}) { people { id role ${stand} } } }`)).data
        .qualifiedPeople.people;
    const states = 'states: [missing, expired]';
    const lacking = (await read('')).filter(({ state }) => ['missing', 'expired'].includes(state));
    const byException = lacking.filter(({ standings, exception }) => isExcepted(standings, exception));
    const others = lacking.filter((person) => !byException.includes(person));
    expect([role, missing + expired, excepted]).toEqual([role, lacking.length, byException.length]);
    expect([role, await read(states)]).toEqual([role, lacking]);
    expect([role, await read(`${states}, excepted: true`)]).toEqual([role, byException]);
    expect([role, await read(`${states}, excepted: false`)]).toEqual([role, others]);
    // Of someone else's role nobody has an exception.
    const everyone = await read(`${states}, excepted: true, everyone: true`);
    expect([role, everyone]).toEqual([role, byException]);
    all.lacking += others.length;
    all.excepted += byException.length;
  }
  expect(counts.qualificationCounts).toEqual(all);
  expect(all.lacking).toBeGreaterThan(2);
  expect(all.excepted).toBeGreaterThan(1);
});

test('a long log of a person isn’t read for the reason of their role', async () => {
  const { pool, drizzle } = server.database;
  const old = await server.person({ role: 'Staff' });
  await give(old, 'Sellers', 'Long ago');
  await pool.query(
    `insert into audit_log (action, subject_type, subject_id) select 'signedIn', 'person', $1 from generate_series(1, 3000)`,
    [old],
  );
  await pool.query('analyze audit_log');
  let plan = '';
  const explaining = {
    execute: async (query: SQL) => {
      const { rows } = await drizzle.execute<Record<string, unknown>>(sql`explain (format json) ${query}`);
      plan = JSON.stringify(rows);
      return { rows: [] };
    },
  };
  await readExceptions(explaining as unknown as Queries, [old], {
    condition: requirementsOfRole('Sellers'),
    zone: server.parts.config.companyTimeZone,
  });
  expect(plan).toContain('"Index Name":"audit_log_roles"');
});
