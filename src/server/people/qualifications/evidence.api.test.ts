import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';

let server: TestApp;
let token: string;
let requirement: string;
let sam: string;
let tia: string;
let gone: string;

beforeAll(async () => {
  server = await startTestApp();
  token = await server.signIn(await server.person({ role: 'admin' }));
  sam = await server.person({ role: 'Support', firstName: 'Sam', lastName: 'Sure' });
  tia = await server.person({ role: 'Support', firstName: 'Tia', lastName: 'Told' });
  gone = await server.person({ role: 'Support', firstName: 'Gus', lastName: 'Gone' });
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [gone]);
  const add = 'mutation { addRequirement(role: "Support", kind: training, title: "First aid") { id } }';
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads from an answer, its expectations check
  requirement = (await server.gql<any>(token, add)).data.addRequirement.id;
});
afterAll(() => server.stop());

const recordMutation = `mutation ($requirementId: ID!, $personIds: [ID!]!, $note: String, $day: String!) {
  recordEvidenceForPeople(requirementId: $requirementId, personIds: $personIds, note: $note, day: $day) { id note day } }`;

const record = (personIds: string[], more: object = {}, key?: string) =>
  server
    .call({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) },
      payload: {
        query: recordMutation,
        variables: { requirementId: requirement, personIds, day: '2026-01-10', note: 'May', ...more },
      },
    })
    .then((answer) => answer.json());

const withdraw = (ids: string[]) =>
  server.gql(token, 'mutation ($ids: [ID!]!) { withdrawEvidenceOfPeople(ids: $ids) { id } }', { ids });

/** Who has evidence that counts, and what the log says about it. */
const recorded = async () =>
  (
    await server.database.pool.query<{ id: string }>(
      'select person_id::text as id from role_evidence where withdrawn_at is null order by person_id',
    )
  ).rows.map(({ id }) => id);
const entries = async (action: string) =>
  (
    await server.database.pool.query(
      'select subject_id as id, after from audit_log where action = $1 order by subject_id::bigint',
      [action],
    )
  ).rows;

test('somebody disabled, unknown or with too many records is named, and nobody gets evidence then', async () => {
  const refusal = async (personIds: string[], more: object = {}) => {
    const { message, extensions } = (await record(personIds, more)).errors[0];
    return [extensions.code, extensions.field, message];
  };
  expect(await refusal([sam, gone])).toEqual([
    ...['BAD_INPUT', 'personIds'],
    'Gus Gone has a disabled account. Nothing was recorded',
  ]);
  expect(await refusal([sam, '999999'])).toEqual(['NOT_FOUND', 'personIds', 'Person not found']);
  expect((await refusal([]))[0]).toBe('BAD_INPUT');
  expect((await refusal([sam], { day: '2026-11-19' })).slice(0, 2)).toEqual(['BAD_INPUT', 'day']);
  expect((await refusal([sam], { requirementId: '999999' })).slice(0, 2)).toEqual(['NOT_FOUND', 'requirementId']);
  await server.database.pool.query(
    `insert into role_evidence (requirement_id, person_id, day, recorded_by)
     select $1, $2, '2026-01-01', $2 from generate_series(1, 100)`,
    [requirement, tia],
  );
  expect((await refusal([sam, tia]))[2]).toBe(
    'Tia Told already has 100 pieces of evidence for this requirement. Nothing was recorded. Edit or withdraw one',
  );
  expect(new Set(await recorded())).toEqual(new Set([tia]));
  expect(await entries('evidenceRecorded')).toEqual([]);
  await server.database.pool.query('delete from role_evidence');
});

test('evidence for several people is recorded once per key, with an audit entry each, and withdrawn together', async () => {
  const first = await record([tia, sam, tia], {}, 'one');
  const ids: string[] = first.data.recordEvidenceForPeople.map(({ id }: { id: string }) => id);
  expect(first.data.recordEvidenceForPeople).toEqual(ids.map((id) => ({ id, note: 'May', day: '2026-01-10' })));
  expect(await record([tia, sam, tia], {}, 'one')).toEqual(first);
  expect((await record([sam], {}, 'one')).errors[0].extensions.code).toBe('KEY_REUSED');
  expect(await recorded()).toEqual([sam, tia]);
  const after = { role: 'Support', requirement: 'First aid', note: 'May', day: '2026-01-10', goodUntil: null };
  expect(await entries('evidenceRecorded')).toEqual([
    { id: sam, after },
    { id: tia, after },
  ]);
  expect((await withdraw([...ids, '999999'])).code).toBe('NOT_FOUND');
  expect(await recorded()).toEqual([sam, tia]);
  for (const _again of [1, 2]) expect((await withdraw(ids)).code).toBeNull();
  expect(await recorded()).toEqual([]);
  expect((await entries('evidenceWithdrawn')).map(({ id }) => id)).toEqual([sam, tia]);
});
