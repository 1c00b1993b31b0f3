import { afterAll, beforeAll, expect, test } from 'vitest';
import { meetingLimits } from '#core/toolbox/meetings.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { type Someone, someone } from '../../../../test/task-fixtures.ts';

let server: TestApp;
let admin: Someone;
let chair: Someone;
let attendee: Someone;
let reader: Someone;
let stranger: Someone;
let weekly: string;

const permissions = ['VIEW_DASHBOARD', 'VIEW_TOP_5_MEETING_SCHEDULE'] as const;

beforeAll(async () => {
  server = await startTestApp({ env: { COMPANY_TIME_ZONE: 'Europe/Amsterdam' } });
  admin = await someone(server, { role: 'admin', firstName: 'Ada', lastName: 'Able' });
  chair = await someone(server, { permissions, firstName: 'Cleo', lastName: 'Chair', team: 'connect' });
  attendee = await someone(server, { permissions, firstName: 'Abe', lastName: 'Attendee', team: 'connect' });
  reader = await someone(server, { permissions, firstName: 'Rea', lastName: 'Reader', team: 'green' });
  stranger = await someone(server, { permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] });
});
afterAll(() => server.stop());

const fields = `id title team wholeTeam chair { id displayName } attendees { id displayName } guests { id displayName } weekday time minutes place link agenda firstDay
  exceptions { day toDay toTime } version`;
const content = (change: object = {}) => ({
  title: 'Weekly of Connect',
  team: 'connect',
  wholeTeam: false,
  chairId: chair.id,
  attendeeIds: [attendee.id],
  weekday: 4,
  time: '10:30',
  minutes: 30,
  place: 'Room 2',
  link: 'https://meet.example.com/connect',
  agenda: 'Numbers',
  ...change,
});
const declared = `$title: String!, $team: String!, $wholeTeam: Boolean, $chairId: ID!, $attendeeIds: [ID!]!, $weekday: Int!, $time: String!, $minutes: Int!,
  $place: String!, $link: String!, $agenda: String!`;
const given = `title: $title, team: $team, wholeTeam: $wholeTeam, chairId: $chairId, attendeeIds: $attendeeIds, weekday: $weekday, time: $time, minutes: $minutes,
  place: $place, link: $link, agenda: $agenda`;
const create = ({ token }: Someone, change: object = {}) =>
  server.gql(token, `mutation (${declared}) { createMeeting(${given}) { ${fields} } }`, content(change));
const update = ({ token }: Someone, change: object) =>
  server.gql(
    token,
    `mutation ($id: ID!, $version: Int!, ${declared}) { updateMeeting(id: $id, version: $version, ${given}) { ${fields} } }`,
    content(change),
  );
const dayFields = ({ token }: Someone, change: object) =>
  server.gql(
    token,
    `mutation ($id: ID!, $version: Int!, $day: String!, $toDay: String, $toTime: String, $restore: Boolean) {
      changeMeetingOfDay(id: $id, version: $version, day: $day, toDay: $toDay, toTime: $toTime, restore: $restore) { ${fields} } }`,
    change,
  );
const remove = ({ token }: Someone, id: string, version: number) =>
  server.gql(token, 'mutation ($id: ID!, $version: Int!) { removeMeeting(id: $id, version: $version) { id } }', {
    id,
    version,
  });
const restore = ({ token }: Someone, id: string) =>
  server.gql(token, 'mutation ($id: ID!) { restoreMeeting(id: $id) { id version } }', { id });
const schedule = async ({ token }: Someone) => (await server.gql(token, `{ schedule { ${fields} } }`)).data.schedule;
const next = async ({ token }: Someone) =>
  (await server.gql(token, '{ nextMeeting { day start end meeting { title } } }')).data.nextMeeting;
const traces = async () =>
  (
    await server.database.pool.query(`select action from audit_log where subject_type = 'meeting' order by id`)
  ).rows.map(({ action }) => action);
/** The change is accepted, and neither a new version nor a line in the audit log. */
async function expectUnchanged(change: () => Promise<{ code: string | null }>): Promise<void> {
  const before = [await traces(), await schedule(admin)];
  expect((await change()).code).toBeNull();
  expect([await traces(), await schedule(admin)]).toEqual(before);
}

test('who may not read the schedule reads and changes nothing of it, and only an admin makes a meeting', async () => {
  for (const query of [
    '{ schedule { title } }',
    '{ nextMeeting { day } }',
    '{ meetingPeople { id } }',
    '{ calendarFeeds { id } }',
  ])
    expect((await server.gql(stranger.token, query)).code).toBe('FORBIDDEN');
  for (const person of [stranger, chair, reader]) expect((await create(person)).code).toBe('FORBIDDEN');
  expect(await schedule(reader)).toEqual([]);
});

test('a meeting of an admin is in everybody’s schedule, from its next weekday on', async () => {
  const { data } = await create(admin);
  weekly = data.createMeeting.id;
  expect(await schedule(reader)).toEqual([
    {
      ...content(),
      id: weekly,
      chairId: undefined,
      attendeeIds: undefined,
      chair: { id: chair.id, displayName: 'Cleo Chair' },
      attendees: [{ id: attendee.id, displayName: 'Abe Attendee' }],
      guests: [{ id: attendee.id, displayName: 'Abe Attendee' }],
      firstDay: '2026-11-19',
      exceptions: [],
      version: 1,
    },
  ]);
});

test('nobody without an account comes to sit in a meeting', async () => {
  expect((await create(admin, { attendeeIds: ['999999'] })).errors?.[0]?.extensions).toMatchObject({
    code: 'BAD_INPUT',
    field: 'attendeeIds',
  });
  expect(await schedule(admin)).toHaveLength(1);
});

test('it is changed by its chair, and neither by who attends nor by who reads', async () => {
  for (const person of [attendee, reader, stranger])
    expect((await update(person, { id: weekly, version: 1, title: 'Mine' })).code).toBe('FORBIDDEN');
  const { data } = await update(chair, { id: weekly, version: 1, title: 'Weekly of Connect and Green' });
  expect(data.updateMeeting).toMatchObject({
    title: 'Weekly of Connect and Green',
    version: 2,
    firstDay: '2026-11-19',
  });
  await expectUnchanged(() => update(chair, { id: weekly, version: 2, title: 'Weekly of Connect and Green' }));
  expect((await update(chair, { id: weekly, version: 2, chairId: attendee.id })).code).toBe('FORBIDDEN');
  expect((await update(admin, { id: weekly, version: 1 })).errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT' });
  expect((await update(admin, { id: '999', version: 1 })).code).toBe('NOT_FOUND');
});

test('the meeting of one day is cancelled, moved and put back by the chair', async () => {
  expect((await dayFields(attendee, { id: weekly, version: 2, day: '2026-11-19' })).code).toBe('FORBIDDEN');
  const cancelled = await dayFields(chair, { id: weekly, version: 2, day: '2026-11-19' });
  expect(cancelled.data.changeMeetingOfDay.exceptions).toEqual([{ day: '2026-11-19', toDay: null, toTime: null }]);
  expect(await next(attendee)).toMatchObject({ day: '2026-11-26', start: '2026-11-26T09:30:00Z' });
  await expectUnchanged(() => dayFields(chair, { id: weekly, version: 3, day: '2026-11-19' }));
  await dayFields(chair, { id: weekly, version: 3, day: '2026-11-26', toDay: '2026-11-20', toTime: '08:00' });
  expect(await next(attendee)).toEqual({
    day: '2026-11-26',
    start: '2026-11-20T07:00:00Z',
    end: '2026-11-20T07:30:00Z',
    meeting: { title: 'Weekly of Connect and Green' },
  });
  await dayFields(chair, { id: weekly, version: 4, day: '2026-11-19', restore: true });
  expect(await next(chair)).toMatchObject({ day: '2026-11-19' });
});

test('a chair whose account is disabled is named as such', async () => {
  const chairIn = async () => (await schedule(admin)).map((meeting: { chair: object }) => meeting.chair);
  const disable = (since: string) =>
    server.database.pool.query(`update people set disabled_at = ${since} where id = $1`, [chair.id]);
  await disable('now()');
  expect(await chairIn()).toEqual([{ id: chair.id, displayName: 'Cleo Chair (disabled)' }]);
  await disable('null');
  expect(await chairIn()).toEqual([{ id: chair.id, displayName: 'Cleo Chair' }]);
});

test('the next meeting is of the viewer’s own alone', async () => {
  expect(await next(reader)).toBeNull();
  expect(await next(admin)).toBeNull();
});

test('another time keeps a moved day, another weekday drops it, and the audit log names it', async () => {
  const moved = { day: '2026-11-26', toDay: '2026-11-20', toTime: '08:00' };
  const { data } = await update(chair, { id: weekly, version: 5, time: '11:00' });
  expect(data.updateMeeting).toMatchObject({ firstDay: '2026-11-19', exceptions: [moved], version: 6 });
  const again = await update(chair, { id: weekly, version: 6, time: '11:00', weekday: 5 });
  expect(again.data.updateMeeting).toMatchObject({ firstDay: '2026-11-20', exceptions: [], version: 7 });
  const { rows } = await server.database.pool.query(
    "select before from audit_log where action = 'meetingChanged' order by id desc limit 1",
  );
  expect(rows[0].before).toMatchObject({
    exceptions: [{ day: moved.day, to: { day: moved.toDay, time: moved.toTime } }],
  });
});

test('removing is an admin’s, and is taken back', async () => {
  expect((await remove(chair, weekly, 7)).code).toBe('FORBIDDEN');
  expect((await remove(admin, weekly, 6)).code).toBe('CONFLICT');
  await remove(admin, weekly, 7);
  expect(await schedule(admin)).toEqual([]);
  expect((await update(chair, { id: weekly, version: 8 })).code).toBe('NOT_FOUND');
  expect((await restore(chair, weekly)).code).toBe('FORBIDDEN');
  expect((await restore(admin, weekly)).data.restoreMeeting).toEqual({ id: weekly, version: 9 });
  expect((await restore(admin, weekly)).code).toBe('NOT_FOUND');
  expect(await schedule(admin)).toHaveLength(1);
});

test('every change left one line in the audit log, and no refusal did', async () => {
  expect(await traces()).toEqual([
    'meetingCreated',
    'meetingChanged',
    'meetingOfDayChanged',
    'meetingOfDayChanged',
    'meetingOfDayChanged',
    'meetingChanged',
    'meetingChanged',
    'meetingRemoved',
    'meetingRestored',
  ]);
});

test('people are offered to admins and to chairs, by name or team, and to nobody else', async () => {
  const people = async ({ token }: Someone, args: string) =>
    await server.gql(token, `{ meetingPeople${args} { displayName } }`);
  expect((await people(reader, '')).code).toBe('FORBIDDEN');
  expect((await people(chair, '(search: "read")')).data.meetingPeople).toEqual([{ displayName: 'Rea Reader' }]);
  const { data } = await server.gql(admin.token, '{ meetingPeople(search: "Rea Reader") { email } }');
  expect(data.meetingPeople).toEqual([{ email: null }]);
  // Nor is the address told by searching for its parts.
  expect((await people(chair, '(search: "@")')).data.meetingPeople).toEqual([]);
  // Who has no name is found by what is shown.
  const nameless = await server.person({
    permissions: ['VIEW_DASHBOARD'],
    firstName: '',
    lastName: '',
    email: 'quill@example.test',
  });
  expect(nameless).toBeTruthy();
  expect((await people(chair, '(search: "quill")')).data.meetingPeople).toEqual([{ displayName: 'quill' }]);
  expect((await people(admin, '(team: "connect")')).data.meetingPeople).toEqual([
    { displayName: 'Abe Attendee' },
    { displayName: 'Cleo Chair' },
  ]);
});

test('a team that is too large for a meeting is found with one person too many', async () => {
  await server.database.pool.query(
    `insert into people (first_name, last_name, email, team)
      select 'Many', 'Person ' || n, 'many' || n || '@company.test', 'green' from generate_series(1, 250) n`,
  );
  const { data } = await server.gql(admin.token, '{ meetingPeople(team: "green") { id } }');
  expect(data.meetingPeople).toHaveLength(1 + meetingLimits.attendees + 1);
  await server.database.pool.query("delete from people where email like 'many%'");
});

test('without a recent proof no meeting gets an address, in whatever field, and other changes need none', async () => {
  const plain = { place: 'Room 2', link: '', agenda: 'Numbers' };
  const { id } = (await create(admin, { title: 'Plain', ...plain })).data.createMeeting;
  const { id: linked } = (await create(admin, { title: 'Linked' })).data.createMeeting;
  await remove(admin, linked, 1);
  const { id: open } = (await create(admin, { title: 'Linked' })).data.createMeeting;
  const was = server.clock.now();
  server.clock.advance({ minutes: 11 });
  for (const change of [
    { link: 'https://evil.example' },
    { place: 'https://evil.example/join' },
    { agenda: 'New room: [Join](https://evil.example/join)' },
    { title: 'Now at evil.example/join' },
    { place: 'Dial +1-900-555-1234' },
    { agenda: '[Join](zoommtg:join)' },
  ]) {
    expect((await create(admin, { title: 'Forged', ...plain, ...change })).code).toBe('CONFIRM_IDENTITY');
    expect((await update(admin, { id, version: 1, title: 'Plain', ...plain, ...change })).code).toBe(
      'CONFIRM_IDENTITY',
    );
  }
  expect((await restore(admin, linked)).code).toBe('CONFIRM_IDENTITY');
  const invited = { attendeeIds: [attendee.id, reader.id] };
  expect((await update(admin, { id: open, version: 1, ...invited })).code).toBe('CONFIRM_IDENTITY');
  expect((await update(admin, { id, version: 1, ...plain, title: 'Plainer' })).code).toBeNull();
  const own = { ...plain, title: 'Own', chairId: admin.id };
  const { id: mine } = (await create(admin, own)).data.createMeeting;
  expect((await update(admin, { id: mine, version: 1, ...own, ...invited })).code).toBeNull();
  server.clock.set(was);
});

test('without a recent proof nobody else chairs a meeting or has more people in theirs: a link could follow', async () => {
  const plain = { place: 'Room 2', link: '', agenda: 'Numbers' };
  const own = { ...plain, title: 'Own', chairId: admin.id, attendeeIds: [chair.id] };
  const { id: mine } = (await create(admin, own)).data.createMeeting;
  const { id: theirs } = (await create(admin, { title: 'Theirs', ...plain })).data.createMeeting;
  const { id: removed } = (await create(admin, { title: 'Removed', ...plain })).data.createMeeting;
  await remove(admin, removed, 1);
  const was = server.clock.now();
  server.clock.advance({ minutes: 11 });
  const change = (more: object) => update(admin, { id: theirs, version: 1, title: 'Theirs', ...plain, ...more });
  const codes = [
    await create(admin, { title: 'New', ...plain, team: '', wholeTeam: true }),
    await update(admin, { id: mine, version: 1, ...own, chairId: chair.id, attendeeIds: [] }),
    await change({ attendeeIds: [attendee.id, reader.id] }),
    await change({ wholeTeam: true }),
    await change({ team: 'green' }),
    await change({ team: '', wholeTeam: true }),
    await restore(admin, removed),
  ].map(({ code }) => code);
  expect(codes).toEqual(codes.map(() => 'CONFIRM_IDENTITY'));
  expect((await change({ team: '', attendeeIds: [] })).code).toBeNull();
  server.clock.set(was);
});

test('without a recent proof no link comes into the feed of another team', async () => {
  const linked = { title: 'Linked', chairId: admin.id };
  const { id } = (await create(admin, linked)).data.createMeeting;
  const was = server.clock.now();
  server.clock.advance({ minutes: 11 });
  expect((await update(admin, { id, version: 1, ...linked, team: 'green' })).code).toBe('CONFIRM_IDENTITY');
  expect((await update(admin, { id, version: 1, ...linked, team: '' })).code).toBeNull();
  server.clock.set(was);
});

test('a meeting that does not repeat is stored with its day, and can repeat later', async () => {
  const call = (name: string, id: string, change: object) =>
    server.gql(
      admin.token,
      `mutation ($onceOn: String, ${id ? '$id: ID!, $version: Int!, ' : ''}${declared}) {
        it: ${name}(onceOn: $onceOn, ${id ? 'id: $id, version: $version, ' : ''}${given}) { id onceOn firstDay weekday version } }`,
      content(change),
    );
  const past = await call('createMeeting', '', { onceOn: '2020-01-01' });
  expect(past.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_INPUT', field: 'onceOn' });
  const { it: made } = (await call('createMeeting', '', { onceOn: '2099-03-04' })).data;
  expect(made).toMatchObject({ onceOn: '2099-03-04', firstDay: '2099-03-04', weekday: 3 });
  const { it: weekly } = (await call('updateMeeting', 'id', { id: made.id, version: made.version })).data;
  expect(weekly).toMatchObject({ onceOn: null, weekday: 4 });
});

test('a meeting that does not repeat moves its own day, and is neither loaded nor counted once it is past', async () => {
  const call = `mutation ($onceOn: String, ${declared}) { it: createMeeting(onceOn: $onceOn, ${given}) { ${fields} } }`;
  const { it: made } = (await server.gql(admin.token, call, content({ title: 'Once', onceOn: '2026-12-02' }))).data;
  const to = { day: '2026-12-02', toDay: '2026-12-03', toTime: '08:00' };
  const moved = (await dayFields(admin, { id: made.id, version: made.version, ...to })).data.changeMeetingOfDay;
  expect(moved).toMatchObject({ firstDay: '2026-12-03', weekday: 4, time: '08:00', exceptions: [] });
  const titles = async () => (await schedule(admin)).map(({ title }: { title: string }) => title);
  const setDay = (day: string) =>
    server.database.pool.query('update meetings set first_day = $2 where id = $1', [made.id, day]);
  expect(await titles()).toContain('Once');
  await setDay('2026-10-29');
  expect(await titles()).toContain('Once');
  await setDay('2026-10-15');
  expect(await titles()).not.toContain('Once');
  const fill = `insert into meetings (title, chair_id, weekday, time, minutes, place, link, agenda, first_day, once, created_by, created_at, changed_at)
    select 'Past', chair_id, weekday, time, minutes, place, link, agenda, first_day, once, created_by, created_at, changed_at
    from meetings, generate_series(1, 500) where id = $1`;
  await server.database.pool.query(fill, [made.id]);
  expect((await create(admin, { title: 'One more' })).code).toBeNull();
});
