import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { hasConfirmedCurrent } from './guidelines.service.ts';

let server: TestApp;
let admin: string;
let secondAdmin: string;
let reader: string;
let readerId: string;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.signIn(await server.person({ role: 'admin', firstName: 'Ada', lastName: 'Able' }));
  secondAdmin = await server.signIn(await server.person({ role: 'admin', firstName: 'Bo', lastName: 'Best' }));
  readerId = await server.person({
    firstName: 'Rea',
    lastName: 'Zeder',
    permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_GUIDELINES'],
    team: 'green',
  });
  reader = await server.signIn(readerId);
});
afterAll(() => server.stop());

const publish = (token: string, input: { text: string; note: string; basedOn: number }) =>
  server.gql(
    token,
    'mutation ($text: String!, $note: String!, $basedOn: Int!) { publishGuidelines(text: $text, note: $note, basedOn: $basedOn) { version text note publishedBy publishedAt confirmedAt } }',
    input,
  );
const current = async (token: string) =>
  (await server.gql(token, '{ guidelines { version text note publishedBy confirmedAt lastConfirmed } }')).data
    .guidelines;
const confirm = (token: string, version: number) =>
  server.gql(token, 'mutation ($version: Int!) { confirmGuidelines(version: $version) { version confirmedAt } }', {
    version,
  });
const readers = async (more = '') =>
  (
    await server.gql(
      admin,
      `{ guidelineReaders${more} { readers confirmed matching next people { id displayName team confirmedAt lastConfirmed } } }`,
    )
  ).data.guidelineReaders;

test('who may not read them reads nothing, and only an admin publishes or sees who has read', async () => {
  const stranger = await server.signIn(await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] }));
  for (const query of [
    '{ guidelines { text } }',
    '{ guidelineVersions { note } }',
    '{ guidelineVersion(version: 1) { text } }',
  ])
    expect((await server.gql(stranger, query)).code).toBe('FORBIDDEN');
  expect((await confirm(stranger, 1)).code).toBe('FORBIDDEN');
  expect((await publish(reader, { text: 'Mine', note: 'x', basedOn: 0 })).code).toBe('FORBIDDEN');
  expect((await server.gql(reader, '{ guidelineReaders { readers } }')).code).toBe('FORBIDDEN');
});

test('before the first version there is none to read or to confirm', async () => {
  expect(await current(reader)).toBeNull();
  expect((await confirm(reader, 1)).code).toBe('NOT_FOUND');
});

test('what is published is read by everybody who may, and counts as read by who published it', async () => {
  const made = await publish(admin, { text: '# Rules\n\nFive tasks.', note: 'The first', basedOn: 0 });
  expect(made.data.publishGuidelines).toEqual({
    version: 1,
    text: '# Rules\n\nFive tasks.',
    note: 'The first',
    publishedBy: 'Ada Able',
    publishedAt: '2026-11-18T12:00:00.000Z',
    confirmedAt: '2026-11-18T12:00:00.000Z',
  });
  expect(await current(reader)).toMatchObject({ version: 1, publishedBy: 'Ada Able', confirmedAt: null });
});

test('a reader confirms the version once, and the first time counts', async () => {
  expect(await hasConfirmedCurrent(server.database.drizzle, readerId)).toBe(false);
  const { data } = await confirm(reader, 1);
  server.clock.set('2026-11-18T12:05:00Z');
  expect((await confirm(reader, 1)).data).toEqual(data);
  expect(await hasConfirmedCurrent(server.database.drizzle, readerId)).toBe(true);
  const { rows } = await server.database.pool.query(
    `select action from audit_log where action like 'guidelines%' order by id`,
  );
  expect(rows.map(({ action }) => action)).toEqual(['guidelinesPublished', 'guidelinesConfirmed']);
});

test('a second admin who wrote from an older version is refused and told what changed; nothing is written', async () => {
  await publish(admin, { text: '# Rules\n\nFive tasks a week.', note: 'Says a week', basedOn: 1 });
  const late = await publish(secondAdmin, { text: 'Mine', note: 'Better', basedOn: 1 });
  expect(late.errors?.[0]).toMatchObject({
    message: expect.stringContaining('Ada Able published version 2 while you were editing: “Says a week”'),
    extensions: { code: 'CONFLICT', changed: ['text'] },
  });
  expect(await current(admin)).toMatchObject({ version: 2, text: '# Rules\n\nFive tasks a week.' });
});

test('of two who publish at once exactly one makes the version', async () => {
  const answers = await Promise.all([
    publish(admin, { text: 'From Ada', note: 'A', basedOn: 2 }),
    publish(secondAdmin, { text: 'From Bo', note: 'B', basedOn: 2 }),
  ]);
  expect(answers.map(({ code }) => code).sort()).toEqual(['CONFLICT', null]);
  expect(await current(admin)).toMatchObject({ version: 3 });
});

test('the same call again with its key publishes nothing new', async () => {
  const send = () =>
    server.call({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: `Bearer ${admin}`, 'idempotency-key': 'publish-4' },
      payload: { query: 'mutation { publishGuidelines(text: "Four", note: "4", basedOn: 3) { version } }' },
    });
  expect((await send()).json().data.publishGuidelines.version).toBe(4);
  expect((await send()).json().data.publishGuidelines.version).toBe(4);
});

test('a new version is to be confirmed anew, and the one before it cannot be any more', async () => {
  expect(await current(reader)).toMatchObject({ version: 4, confirmedAt: null, lastConfirmed: 1 });
  expect(await hasConfirmedCurrent(server.database.drizzle, readerId)).toBe(false);
  expect((await confirm(reader, 3)).code).toBe('CONFLICT');
  expect((await confirm(reader, 5)).code).toBe('NOT_FOUND');
});

test('every earlier version can be read, with what each changed', async () => {
  const { data } = await server.gql(
    reader,
    '{ guidelineVersions { version note } guidelineVersion(version: 1) { version text } }',
  );
  expect(data.guidelineVersions.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2, 1]);
  expect(data.guidelineVersion).toEqual({ version: 1, text: '# Rules\n\nFive tasks.' });
  expect((await server.gql(reader, '{ guidelineVersion(version: 9) { text } }')).code).toBe('NOT_FOUND');
});

test('the editor sees who has not confirmed: everybody who reads, in counts, searched and by pages', async () => {
  // No readers: without the permission, without a role, disabled.
  await server.person({ role: null, grants: ['VIEW_DASHBOARD', 'VIEW_TOP_5_GUIDELINES'] });
  const gone = await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_GUIDELINES'] });
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [gone]);
  const granted = await server.person({ lastName: 'Granted', grants: ['VIEW_TOP_5_GUIDELINES'] });
  await confirm(await server.signIn(granted), 4);
  const all = await readers();
  expect([all.readers, all.confirmed, all.matching]).toEqual([4, 2, 4]);
  expect(all.people.map((person: { displayName: string }) => person.displayName)).toEqual([
    'Ada Able',
    'Bo Best',
    'Person Granted',
    'Rea Zeder',
  ]);
  expect(all.people[3]).toMatchObject({ team: 'green', confirmedAt: null, lastConfirmed: 1 });
  expect(all.people[2].confirmedAt).toBe('2026-11-18T12:05:00Z');
  expect((await readers('(confirmed: false)')).people).toHaveLength(2);
  expect(await readers('(confirmed: false, search: "zéd rea")')).toMatchObject({ readers: 4, matching: 1 });
  expect((await readers('(search: "100%")')).matching).toBe(0);
  const [first, second] = all.people;
  const page = await readers(`(limit: 1, after: "${first.id}")`);
  expect([page.matching, page.people[0].displayName, page.next]).toEqual([4, 'Bo Best', second.id]);
  const last = await readers(`(limit: 2, after: "${second.id}")`);
  expect([last.people.length, last.next]).toEqual([2, null]);
});

test('a session that proved nothing lately can’t say that its person has read them', async () => {
  const id = await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_GUIDELINES'] });
  const old = await server.signIn(id);
  server.clock.advance({ minutes: 11 });
  const { version } = await current(old);
  expect((await confirm(old, version)).code).toBe('CONFIRM_IDENTITY');
  expect((await confirm(await server.signIn(id), version)).code).toBeNull();
  expect((await confirm(old, version)).code).toBeNull();
});
