import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { settingKeys } from '#core/admin/settings.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';

let one: TestApp;
let other: TestApp;
let admin: string;

beforeAll(async () => {
  one = await startTestApp({
    env: { METABASE_SITE_URL: 'https://charts.example.test', METABASE_SECRET_KEY: 'secret-of-charts' },
  });
  other = await startTestApp({ beside: one });
  const id = await one.person({ role: 'admin', firstName: 'Ada', lastName: 'Admin' });
  admin = await one.signIn(id);
});
afterAll(async () => {
  await other.stop();
  await one.stop();
});

const all = '{ settings { key value isDefault version changedAt changedBy person } }';
const change = (token: string | null, args: string) =>
  one.gql(token, `mutation { changeSetting(${args}) { key value isDefault version changedBy } }`);
const audited = async (): Promise<unknown[]> => {
  const { rows } = await one.database.pool.query(
    "select subject_id, before, after from audit_log where action = 'settingChanged' order by id",
  );
  return rows;
};

describe('refused, and nothing is changed', () => {
  it('is whoever is no admin, whatever else they hold', async () => {
    const holder = await one.signIn(
      await one.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'USER_MANAGEMENT'] }),
    );
    expect((await one.gql(holder, all)).code).toBe('FORBIDDEN');
    expect((await change(holder, 'key: "taskLimit", value: "7"')).code).toBe('FORBIDDEN');
    expect((await change(null, 'key: "taskLimit", value: "7"')).status).toBe(401);
    expect(await audited()).toEqual([]);
  });
  it.each([
    ['key: "colour", value: "red"', 'NOT_FOUND', 'key'],
    ['key: "__proto__", value: "red"', 'NOT_FOUND', 'key'],
    ['key: "taskLimit", value: "51"', 'BAD_INPUT', 'taskLimit'],
    ['key: "taskLimit", value: ""', 'BAD_INPUT', 'taskLimit'],
    ['key: "timeTracker", value: "maybe"', 'BAD_INPUT', 'timeTracker'],
    ['key: "dashboards", value: "arcade=metabase"', 'BAD_INPUT', 'dashboards'],
    ['key: "taskLimit", value: "7", version: -1', 'BAD_INPUT', 'version'],
    ['key: "holidays", value: "Christmas Day"', 'BAD_INPUT', 'holidays'],
    ['key: "holidays", value: "9999-12-31 The end"', 'BAD_INPUT', 'holidays'],
    ['key: "holidays", value: "2026-12-25T09:00 Party"', 'BAD_INPUT', 'holidays'],
    ['key: "holidays", value: "BEGIN:VCALENDAR\\nEND:VCALENDAR"', 'BAD_INPUT', 'holidays'],
  ])('is %s', async (args, code, field) => {
    const answer = await change(admin, args);
    expect([answer.code, answer.errors?.[0]?.extensions.field]).toEqual([code, field]);
    expect(await audited()).toEqual([]);
  });
});

it('every setting is listed with its value, and says that it is the default', async () => {
  const { data } = await one.gql(admin, all);
  expect(data.settings.map(({ key }: { key: string }) => key)).toEqual(settingKeys);
  expect(data.settings.find(({ key }: { key: string }) => key === 'taskLimit')).toEqual({
    key: 'taskLimit',
    value: '5',
    isDefault: true,
    version: 0,
    changedAt: null,
    changedBy: null,
    person: null,
  });
});

it('a change holds on every server, says who made it, and goes back to the default', async () => {
  const changed = await change(admin, 'key: "taskLimit", value: "7", version: 0');
  expect(changed.data.changeSetting).toEqual({
    key: 'taskLimit',
    value: '7',
    isDefault: false,
    version: 1,
    changedBy: 'Ada Admin',
  });
  await expect.poll(() => other.parts.settings().taskLimit).toBe(7);
  const back = await change(admin, 'key: "taskLimit", version: 1');
  expect(back.data.changeSetting).toMatchObject({ value: '5', isDefault: true, version: 2 });
  await expect.poll(() => other.parts.settings().taskLimit).toBe(5);
  expect(await audited()).toEqual([
    { subject_id: 'taskLimit', before: { value: 5 }, after: { value: 7 } },
    { subject_id: 'taskLimit', before: { value: 7 }, after: { value: 5 } },
  ]);
});

it('a stale version is refused, and of two who change one version at once, one does', async () => {
  expect((await change(admin, 'key: "taskLimit", value: "9", version: 0')).code).toBe('CONFLICT');
  const both = await Promise.all(
    ['8', '9'].map((value) => change(admin, `key: "settlingHours", value: "${value}", version: 0`)),
  );
  expect(both.map(({ code }) => code).sort()).toEqual(['CONFLICT', null]);
});

it('a Metabase dashboard is refused on a server without Metabase', async () => {
  const without = await startTestApp({ beside: one, env: {} });
  onTestFinished(() => without.stop());
  const call = 'mutation { changeSetting(key: "dashboards", value: "connect=metabase") { key } }';
  const { code, errors } = await without.gql(admin, call);
  expect([code, errors?.[0]?.message]).toEqual(['BAD_INPUT', expect.stringContaining('First set METABASE_SITE_URL')]);
});

it('dashboards are changed one by one', async () => {
  await change(admin, 'key: "dashboards", value: "connect=metabase"');
  const second = await change(admin, 'key: "dashboards", value: "who-lives=metabase", version: 1');
  expect(second.data.changeSetting.value).toMatch(/^connect=metabase,green=builtin,.*,who-lives=metabase$/);
});

describe('company holidays', () => {
  const set = (token: string, value: string, version?: number) =>
    one.gql(
      token,
      'mutation ($value: String, $version: Int) { changeSetting(key: "holidays", value: $value, version: $version) { value version } }',
      { value, version },
    );

  it('are no list of 10,000, and no file of 5 MB', async () => {
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `2026-12-25 Day ${index}`).join('\n');
    expect((await set(admin, lines(301))).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_INPUT',
      field: 'holidays',
    });
    expect((await set(admin, lines(10_000))).code).toBe('BAD_INPUT');
    expect((await set(admin, 'x'.repeat(5_000_000))).status).toBe(413);
    expect(one.parts.settings().holidays).toEqual([]);
  });

  it('are changed by admins with a fresh proof, and read by everyone with the application', async () => {
    const text = '2026-12-25 Christmas Day\n2026-12-28/2027-01-01 Year-end break';
    const stale = await one.signIn(await one.person({ role: 'admin' }));
    one.clock.advance({ minutes: 11 });
    expect((await set(stale, text)).code).toBe('CONFIRM_IDENTITY');
    for (const key of settingKeys)
      expect([key, (await change(stale, `key: "${key}", version: 0`)).code]).toEqual([key, 'CONFIRM_IDENTITY']);
    const fresh = await one.signIn(await one.person({ role: 'admin' }));
    const jumbled = `2026-12-28/2027-01-01 Year-end break\r\n2026-12-25 Christmas Day\n2026-12-25 christmas day`;
    expect((await set(fresh, jumbled, 0)).data.changeSetting).toEqual({ value: text, version: 1 });
    await expect.poll(() => other.parts.settings().holidays.length).toBe(2);
    const read = '{ holidays { firstDay lastDay name } }';
    const staff = await one.signIn(await one.person({ permissions: ['VIEW_DASHBOARD'] }));
    expect((await one.gql(staff, read)).data.holidays).toEqual([
      { firstDay: '2026-12-25', lastDay: '2026-12-25', name: 'Christmas Day' },
      { firstDay: '2026-12-28', lastDay: '2027-01-01', name: 'Year-end break' },
    ]);
    const outsider = await one.signIn(await one.person({ permissions: [] }));
    expect((await one.gql(outsider, read)).code).toBe('NO_APPLICATION_PERMISSION');
    expect((await set(staff, '')).code).toBe('FORBIDDEN');
    expect((await set(fresh, '', 1)).data.changeSetting).toEqual({ value: '', version: 2 });
    const lines = text.split('\n');
    expect((await audited()).slice(-2)).toEqual([
      { subject_id: 'holidays', before: { value: [] }, after: { value: lines } },
      { subject_id: 'holidays', before: { value: lines }, after: { value: [] } },
    ]);
  });
});
