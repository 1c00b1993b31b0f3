import ical, { type VEvent } from 'node-ical';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { type Someone, someone } from '../../../../test/task-fixtures.ts';
import { fetchLimits } from './fetch-limits.ts';

let server: TestApp;
let admin: Someone;
let person: Someone;
let colleague: Someone;

const permissions = ['VIEW_DASHBOARD', 'VIEW_TOP_5_MEETING_SCHEDULE'] as const;

beforeAll(async () => {
  server = await startTestApp({ env: { COMPANY_TIME_ZONE: 'Europe/Amsterdam' } });
  admin = await someone(server, { role: 'admin' });
  person = await someone(server, { permissions });
  colleague = await someone(server, { permissions });
  const meeting = (title: string, chairId: string, team: string) =>
    server.gql(
      admin.token,
      `mutation ($title: String!, $chairId: ID!, $team: String!) { createMeeting(title: $title, team: $team, chairId: $chairId,
        attendeeIds: [], weekday: 5, time: "09:00", minutes: 30, place: "", link: "", agenda: "") { id } }`,
      { title, chairId, team },
    );
  await meeting('Of the person', person.id, '');
  await meeting('Of Green', colleague.id, 'green');
});
afterAll(() => server.stop());

const make = ({ token }: Someone, team?: string) =>
  server.gql(
    token,
    'mutation ($team: String) { createCalendarFeed(team: $team) { path feed { id team lastUsedAt } } }',
    { team },
  );
const revoke = ({ token }: Someone, id: string) =>
  server.gql(token, 'mutation ($id: ID!) { revokeCalendarFeed(id: $id) { id } }', { id });
const feeds = async ({ token }: Someone) =>
  (await server.gql(token, '{ calendarFeeds { id team lastUsedAt } }')).data.calendarFeeds;
const fetched = (url: string, headers: Record<string, string> = {}) => server.call({ url, headers });
const titles = (text: string) =>
  (Object.values(ical.sync.parseICS(text)).filter((part) => part?.type === 'VEVENT') as VEvent[]).map(
    ({ summary }) => summary,
  );
/** A new feed of their own. */
const pathOf = async (someone: Someone, team?: string): Promise<string> =>
  (await make(someone, team)).data.createCalendarFeed.path;

test('without the secret nothing is answered, whoever asks', async () => {
  const wrong = `/api/calendar/${'x'.repeat(43)}.ics`;
  expect((await fetched(wrong)).statusCode).toBe(404);
  expect((await fetched(wrong, { authorization: `Bearer ${admin.token}` })).statusCode).toBe(404);
  for (const path of ['/api/calendar/.ics', '/api/calendar/short.ics', `/api/calendar/${'x'.repeat(44)}.ics`])
    expect((await fetched(path)).statusCode).toBe(400);
  const stranger = await someone(server, { permissions: ['VIEW_DASHBOARD'] });
  expect((await make(stranger)).code).toBe('FORBIDDEN');
});

test('nobody creates more than 20 in a day, and the last one keeps working', async () => {
  const eager = await someone(server, { permissions });
  let path = '';
  for (let made = 0; made < 20; made += 1) path = await pathOf(eager);
  const refused = await make(eager, 'green');
  expect([refused.code, refused.errors?.[0]?.message]).toEqual([
    'CONFLICT',
    'You created 20 calendar feeds in the last 24 hours. Try again tomorrow',
  ]);
  expect((await fetched(path)).statusCode).toBe(200);
  expect((await make(await someone(server, { permissions }))).code).toBeNull();
  server.clock.advance({ hours: 24, seconds: 1 });
  expect((await make({ ...eager, token: await server.signIn(eager.id) })).code).toBeNull();
  server.clock.advance({ hours: -24, seconds: -1 });
});

test('a secret of 256 bits is shown once, and only its hash is kept', async () => {
  const path = await pathOf(person);
  expect(path).toMatch(/^\/api\/calendar\/[\w-]{43}\.ics$/);
  const secret = path.slice('/api/calendar/'.length, -'.ics'.length);
  const { rows } = await server.database.pool.query(
    `select (select json_agg(f) from calendar_feeds f)::text || (select json_agg(a) from audit_log a)::text as everything`,
  );
  expect(rows[0].everything).toContain('calendarFeedCreated');
  expect(rows[0].everything).not.toContain(secret);
  expect(JSON.stringify(await feeds(person))).not.toContain(secret);
});

test('it gives a calendar the meetings of its owner, or of a team, without a session', async () => {
  const answer = await fetched(await pathOf(person));
  expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
    200,
    'text/calendar; charset=utf-8',
    'private, max-age=300',
  ]);
  expect(titles(answer.body)).toEqual(['Of the person']);
  expect(titles((await fetched(await pathOf(person, 'green'))).body)).toEqual(['Of Green']);
  expect(titles((await fetched(await pathOf(admin))).body)).toEqual([]);
  expect((await make(person, 'sales')).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_INPUT', field: 'team' });
});

test('a calendar that has it already is told that nothing is new, until something is', async () => {
  const path = await pathOf(person);
  const { etag } = (await fetched(path)).headers as { etag: string };
  const again = await fetched(path, { 'if-none-match': etag });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  await server.database.pool.query(`update meetings set title = 'Renamed' where title = 'Of the person'`);
  expect((await fetched(path, { 'if-none-match': etag })).statusCode).toBe(200);
});

test('one sees when each of one’s own was used, and nobody else’s', async () => {
  const path = await pathOf(person);
  expect((await feeds(person))[0]).toMatchObject({ team: null, lastUsedAt: null });
  await fetched(path);
  expect((await feeds(person))[0].lastUsedAt).toBe('2026-11-18T12:00:00.000Z');
  expect(await feeds(colleague)).toEqual([]);
});

test('a revoked address, and one that a new one replaces, is not there any more; another’s cannot be revoked', async () => {
  const first = await pathOf(person);
  const { path, feed } = (await make(person)).data.createCalendarFeed;
  expect((await fetched(first)).statusCode).toBe(404);
  expect((await revoke(colleague, feed.id)).code).toBe('NOT_FOUND');
  expect((await fetched(path)).statusCode).toBe(200);
  expect((await revoke(person, feed.id)).code).toBeNull();
  expect((await fetched(path)).statusCode).toBe(404);
  expect((await revoke(person, feed.id)).code).toBe('NOT_FOUND');
});

test('it ends with its owner’s permission or account', async () => {
  const path = await pathOf(colleague);
  const set = (column: string) =>
    server.database.pool.query(`update people set ${column} where id = $1 returning role`, [colleague.id]);
  const { rows } = await server.database.pool.query('select role from people where id = $1', [colleague.id]);
  await set('role = null');
  expect((await fetched(path)).statusCode).toBe(404);
  await set(`role = '${rows[0].role}'`);
  expect((await fetched(path)).statusCode).toBe(200);
  await set('disabled_at = now()');
  expect((await fetched(path)).statusCode).toBe(404);
});

test('it is fetched so often and no oftener, by a count of its own', async () => {
  const [path, other] = [await pathOf(person), await pathOf(person, 'green')];
  for (let count = 0; count < fetchLimits.feed; count++) expect((await fetched(path)).statusCode).toBe(200);
  const refused = await fetched(path);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '900']);
  expect((await fetched(other)).statusCode).toBe(200);
  server.clock.set('2026-11-18T12:15:00Z');
  expect((await fetched(path)).statusCode).toBe(200);
});

test('made-up feeds of one address wait, and a good one of the same address is fetched', async () => {
  server.clock.set('2026-11-18T12:00:00Z');
  const good = await pathOf(person);
  expect((await fetched(good)).statusCode).toBe(200);
  server.clock.set('2026-11-18T12:30:00Z');
  const madeUp = (index: number) => good.replace(/[\w-]{43}/, String(index).padStart(43, 'A'));
  const statuses = new Set<number>();
  for (let index = 0; index < fetchLimits.unknownPerAddress; index++)
    statuses.add((await fetched(madeUp(index))).statusCode);
  expect([...statuses]).toEqual([404]);
  const queries = vi.spyOn(server.database.pool, 'query');
  expect((await fetched(madeUp(fetchLimits.unknownPerAddress))).statusCode).toBe(429);
  expect(queries.mock.calls).toEqual([]);
  queries.mockRestore();
  expect((await fetched(good)).statusCode).toBe(200);
  server.clock.set('2026-11-18T12:45:00Z');
});

test('a fetch that is refused is no use of it', async () => {
  const former = await someone(server, { role: 'Former', permissions });
  const path = await pathOf(former);
  const { pool } = server.database;
  await pool.query(`update roles set permissions = '{VIEW_DASHBOARD}' where name = 'Former'`);
  expect((await fetched(path)).statusCode).toBe(404);
  const { rows } = await pool.query('select last_used_at from calendar_feeds where person_id = $1', [former.id]);
  expect(rows).toEqual([{ last_used_at: null }]);
});
