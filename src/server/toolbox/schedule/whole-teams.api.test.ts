// Meetings that follow their team, and people whose account is disabled.
import ical, { type VEvent } from 'node-ical';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { meetingLimits } from '#core/toolbox/meetings.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { type Someone, someone } from '../../../../test/task-fixtures.ts';

let server: TestApp;
let admin: Someone;
let chair: Someone;
let abe: Someone;
let guest: Someone;
let standup: string;

const permissions = ['VIEW_DASHBOARD', 'VIEW_TOP_5_MEETING_SCHEDULE'] as const;
const staffIn = (firstName: string, team: string) => someone(server, { permissions, firstName, lastName: 'Of', team });

beforeAll(async () => {
  server = await startTestApp({ env: { COMPANY_TIME_ZONE: 'Europe/Amsterdam' } });
  admin = await someone(server, { role: 'admin' });
  chair = await staffIn('Cleo', 'connect');
  abe = await staffIn('Abe', 'connect');
  guest = await staffIn('Gus', 'green');
});
afterAll(() => server.stop());

const content = (change: object = {}) => ({
  ...{ title: 'Standup', team: 'connect', wholeTeam: true, chairId: chair.id, attendeeIds: [guest.id], weekday: 4 },
  ...{ time: '10:30', minutes: 30, place: '', link: '', agenda: '', ...change },
});
const declared = `$title: String!, $team: String!, $wholeTeam: Boolean, $chairId: ID!, $attendeeIds: [ID!]!, $weekday: Int!,
  $time: String!, $minutes: Int!, $place: String!, $link: String!, $agenda: String!`;
const given = `title: $title, team: $team, wholeTeam: $wholeTeam, chairId: $chairId, attendeeIds: $attendeeIds, weekday: $weekday,
  time: $time, minutes: $minutes, place: $place, link: $link, agenda: $agenda`;
const create = ({ token }: Someone, change: object = {}) =>
  server.gql(token, `mutation (${declared}) { it: createMeeting(${given}) { id version } }`, content(change));
const update = ({ token }: Someone, change: object) =>
  server.gql(
    token,
    `mutation ($id: ID!, $version: Int!, ${declared}) { it: updateMeeting(id: $id, version: $version, ${given}) { version } }`,
    content(change),
  );
const remove = (id: string, version: number) =>
  server.gql(admin.token, 'mutation ($id: ID!, $version: Int!) { removeMeeting(id: $id, version: $version) { id } }', {
    id,
    version,
  });
type Refused = { readonly errors?: readonly { readonly message: string; readonly extensions: object }[] | undefined };
const refusal = ({ errors }: Refused) => ({
  ...errors?.[0]?.extensions,
  message: errors?.[0]?.message,
});

type Listed = {
  id: string;
  version: number;
  attendeeCount: number;
  attendees: { displayName: string }[];
  guests: { displayName: string }[];
};
const listed = async (id = standup) => {
  const query = '{ schedule { id version attendeeCount attendees { displayName } guests { displayName } } }';
  const { data } = await server.gql(admin.token, query);
  const { attendees, guests, version, attendeeCount } = data.schedule.find((each: Listed) => each.id === id) as Listed;
  const names = (people: Listed['guests']) => people.map(({ displayName }) => displayName);
  return { attendees: names(attendees), guests: names(guests), version, attendeeCount };
};
const next = async ({ token }: Someone) =>
  (await server.gql(token, '{ nextMeeting { meeting { title } } }')).data.nextMeeting?.meeting.title ?? null;
const feedOf = async ({ token }: Someone): Promise<string[]> => {
  const { data } = await server.gql(token, 'mutation { createCalendarFeed { path } }');
  const { body } = await server.call({ url: data.createCalendarFeed.path });
  const events = Object.values(ical.sync.parseICS(body)).filter((part) => part?.type === 'VEVENT') as VEvent[];
  return events.map(({ summary }) => String(summary));
};
const setDisabled = ({ id }: Someone, disabled: boolean) =>
  server.database.pool.query(`update people set disabled_at = ${disabled ? 'now()' : 'null'} where id = $1`, [id]);
const lastAudit = async () =>
  (await server.database.pool.query('select action, before, after from audit_log order by id desc limit 1')).rows[0];

test('only admins make a meeting for everyone in the company, and no chair turns one into it', async () => {
  const company = { title: 'Company', team: '', attendeeIds: [] };
  expect((await create(chair, company)).code).toBe('FORBIDDEN');
  const { id } = (await create(admin, { ...company, wholeTeam: false })).data.it;
  const expected = { code: 'FORBIDDEN', field: 'wholeTeam', message: 'Only admins can invite everyone in the company' };
  expect(refusal(await update(chair, { ...company, id, version: 1 }))).toMatchObject(expected);
  await remove(id, 1);
});

test('a chair who left the team puts no link into the whole team’s calendars', async () => {
  const left = await staffIn('Lea', 'connect');
  const meeting = { title: 'Left', chairId: left.id, attendeeIds: [], wholeTeam: false };
  const { id } = (await create(admin, meeting)).data.it;
  const move = (team: string) =>
    server.database.pool.query('update people set team = $2 where id = $1', [left.id, team]);
  await move('codex');
  const change = { ...meeting, id, version: 1 };
  const wide = { ...change, wholeTeam: true, link: 'https://meet.example.com/mine' };
  expect(refusal(await update(left, wide))).toMatchObject({ code: 'FORBIDDEN', field: 'wholeTeam' });
  const named = { ...change, attendeeIds: [abe.id] };
  expect(refusal(await update(left, named))).toMatchObject({ code: 'FORBIDDEN', field: 'attendeeIds' });
  expect((await listed(id)).attendees).toEqual([]);
  await move('connect');
  expect((await update(left, named)).code).toBeNull();
  await remove(id, 2);
  await setDisabled(left, true);
});

test('a meeting lists the team and the people added by name, each once and without the chair', async () => {
  standup = (await create(admin, { attendeeIds: [guest.id, abe.id] })).data.it.id;
  expect(await listed()).toMatchObject({ attendees: ['Abe Of', 'Gus Of'], guests: ['Abe Of', 'Gus Of'] });
  await update(admin, { id: standup, version: 1 });
  expect(await listed()).toMatchObject({ attendees: ['Abe Of', 'Gus Of'], guests: ['Gus Of'] });
});

test('a new hire is in the meetings of the team, on their week and in their calendar, until they move on', async () => {
  await create(admin, { title: 'Only guests', wholeTeam: false });
  const hire = await staffIn('Hanna', 'connect');
  expect((await listed()).attendees).toEqual(['Abe Of', 'Gus Of', 'Hanna Of']);
  expect([await next(hire), await feedOf(hire)]).toEqual(['Standup', ['Standup']]);
  await server.database.pool.query("update people set team = 'green' where id = $1", [hire.id]);
  expect((await listed()).attendees).toEqual(['Abe Of', 'Gus Of']);
  expect([await next(hire), await feedOf(hire)]).toEqual([null, []]);
});

test('a person whose account is disabled is no attendee, blocks no form, and is back with the account', async () => {
  for (const person of [abe, guest]) await setDisabled(person, true);
  expect(await listed()).toEqual({ attendees: [], guests: [], version: 2, attendeeCount: 0 });
  // From a form that was opened before.
  expect((await update(chair, { id: standup, version: 2, attendeeIds: [guest.id] })).code).toBeNull();
  expect((await update(chair, { id: standup, version: 2, place: 'Hall', attendeeIds: [guest.id] })).code).toBeNull();
  expect(await lastAudit()).toEqual({ action: 'meetingChanged', before: { place: '' }, after: { place: 'Hall' } });
  expect((await update(chair, { id: standup, version: 3, attendeeIds: [] })).code).toBeNull();
  for (const person of [abe, guest]) await setDisabled(person, false);
  expect(await listed()).toEqual({ attendees: ['Abe Of', 'Gus Of'], guests: ['Gus Of'], version: 4, attendeeCount: 2 });
});

test('a chair switches it on within the team, and the audit log says so', async () => {
  const { id } = (await create(admin, { title: 'Of a team', wholeTeam: false, attendeeIds: [] })).data.it;
  const { id: teamless } = (await create(admin, { title: 'Of none', team: '', wholeTeam: false })).data.it;
  const change = { title: 'Of none', id: teamless, version: 1 };
  expect(refusal(await update(chair, change))).toMatchObject({ code: 'FORBIDDEN', field: 'team' });
  expect((await update(abe, { title: 'Of a team', id, version: 1, attendeeIds: [] })).code).toBe('FORBIDDEN');
  expect((await update(chair, { title: 'Of a team', id, version: 1, attendeeIds: [] })).code).toBeNull();
  expect(await lastAudit()).toMatchObject({ before: { wholeTeam: false }, after: { wholeTeam: true } });
  expect((await listed(id)).attendees).toEqual(['Abe Of']);
});

test('a team that is too large is refused, and one that grew too large shows as many as a meeting has', async () => {
  const fill = (from: number, to: number) =>
    server.database.pool.query(
      `insert into people (first_name, last_name, email, team)
        select 'Many', 'Person ' || n, 'many' || n || '@company.test', 'codex' from generate_series($1::int, $2::int) n`,
      [from, to],
    );
  const large = { title: 'Large', team: 'codex', attendeeIds: [] };
  await fill(1, meetingLimits.attendees);
  const { id } = (await create(admin, large)).data.it;
  expect((await listed(id)).attendees).toHaveLength(meetingLimits.attendees);
  const message = 'A meeting can have up to 200 attendees';
  const expected = { code: 'BAD_INPUT', field: 'wholeTeam', message };
  expect(refusal(await create(admin, { ...large, attendeeIds: [guest.id] }))).toMatchObject(expected);
  await fill(201, 250);
  expect(refusal(await create(admin, large))).toMatchObject(expected);
  expect((await listed(id)).attendees).toHaveLength(meetingLimits.attendees);
  expect((await listed(id)).attendeeCount).toBe(250);
  expect((await update(chair, { ...large, id, version: 1, place: 'Hall' })).code).toBeNull();
});

test('everyone who can read the schedule is in the company’s meetings, also a new hire, until they leave', async () => {
  const company = { title: 'Company', team: '', weekday: 1, attendeeIds: [] };
  const { id } = (await create(admin, company)).data.it;
  const before = await listed(id);
  expect(before).toMatchObject({ guests: [], attendeeCount: 4 });
  expect(before.attendees).toEqual(expect.arrayContaining(['Abe Of', 'Gus Of']));
  expect(before.attendees).not.toContain('Cleo Of');
  const outsider = await someone(server, { permissions: ['VIEW_DASHBOARD'], firstName: 'No', lastName: 'Schedule' });
  const hire = await someone(server, { permissions, firstName: 'Nia', lastName: 'New' });
  const after = await listed(id);
  expect(after.attendees.toSorted()).toEqual([...before.attendees, 'Nia New'].toSorted());
  expect(after.attendeeCount).toBe(5);
  expect([await next(hire), await feedOf(hire)]).toEqual(['Company', ['Company']]);
  await setDisabled(hire, true);
  await setDisabled(chair, true);
  expect(await listed(id)).toMatchObject({ attendees: before.attendees, attendeeCount: 4 });
  await setDisabled(chair, false);
  // Someone who can't read the schedule attends as a guest.
  await update(admin, { ...company, id, version: 1, wholeTeam: true, attendeeIds: [outsider.id, guest.id] });
  const { attendees, attendeeCount } = await listed(id);
  expect(attendees.toSorted()).toEqual([...before.attendees, 'No Schedule'].toSorted());
  expect(attendeeCount).toBe(5);
});

test('a company of 20,000 is counted, and its meeting lists as many people as others', async () => {
  await server.database.pool.query(`
    insert into people (first_name, last_name, email, role)
    select 'Many', 'Colleague ' || n, 'colleague' || n || '@company.test', 'admin' from generate_series(1, 20000) n`);
  const { id } = (await create(admin, { title: 'Large company', team: '', attendeeIds: [] })).data.it;
  const { attendees, attendeeCount } = await listed(id);
  expect(attendees).toHaveLength(meetingLimits.attendees);
  expect(attendeeCount).toBeGreaterThan(20_000);
});
