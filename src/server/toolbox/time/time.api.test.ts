// The time tracker over HTTP: access to times, one running timer, manual entries, and final weeks (D33).
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Permission } from '#core/access/permissions.ts';
import { changeSetting } from '#server/admin/settings/settings.service.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { approving, prepareTask, type Someone, someone, staff } from '../../../../test/task-fixtures.ts';

let app: TestApp;
let approver: Someone;
let owner: Someone;
let stranger: Someone;
let task: string;
let other: string;
const time: Permission = 'VIEW_TOP_5_TIME_TRACKER';
const monday = '2026-11-16';

beforeEach(async () => {
  app = await startTestApp({ now: '2026-11-18T12:00:00Z', parts: {} });
  const admin = await someone(app, { role: 'admin' });
  approver = await someone(app, { permissions: [...approving, time], approvers: [admin.id] });
  owner = await someone(app, { permissions: [...staff, time], approvers: [approver.id] });
  stranger = await someone(app, { permissions: [...approving, time], approvers: [admin.id] });
  const sprintId = await app.sprint();
  task = await prepareTask(app.database, { ownerId: owner.id, sprintId, status: 'TODO', title: 'One' });
  other = await prepareTask(app.database, { ownerId: owner.id, sprintId, status: 'TODO', title: 'Two' });
  await turnOn();
});
afterEach(() => app.stop());

/** As the command does; every server rereads it a moment later. */
async function turnOn(): Promise<void> {
  const context = { ...app.parts, viewer: null, requestId: 'test', address: '' };
  await changeSetting(context as never, 'timeTracker', true as never);
  while (!app.parts.settings().timeTracker) await new Promise((wake) => setTimeout(wake, 5));
}

const entry = '{ id taskId start end forgotten }';
const start = (who: Someone, taskId: string) =>
  app.gql(who.token, `mutation ($taskId: ID!) { startTimer(taskId: $taskId) ${entry} }`, { taskId });
const stop = (who: Someone, at?: string) =>
  app.gql(who.token, `mutation ($at: String) { stopTimer(at: $at) ${entry} }`, { at });
const add = (who: Someone, from: string, to: string, taskId = task) =>
  app.gql(
    who.token,
    `mutation ($taskId: ID!, $start: String!, $end: String!) { addTime(taskId: $taskId, start: $start, end: $end) ${entry} }`,
    { taskId, start: from, end: to },
  );
const edit = (who: Someone, id: string, from: string, to: string) =>
  app.gql(
    who.token,
    `mutation ($id: ID!, $taskId: ID!, $start: String!, $end: String!) { editTime(id: $id, taskId: $taskId, start: $start, end: $end) ${entry} }`,
    { id, taskId: task, start: from, end: to },
  );
const remove = (who: Someone, id: string) =>
  app.gql(who.token, `mutation ($id: ID!) { removeTime(id: $id) ${entry} }`, { id });
const sums = (who: Someone, userId?: string) =>
  app.gql(who.token, 'query ($userId: ID) { timeWeeks(userId: $userId) { monday seconds final } }', { userId });
const finish = (who: Someone, call: 'finishTimeWeek' | 'reopenTimeWeek', first = monday) =>
  app.gql(who.token, `mutation ($monday: String!) { ${call}(monday: $monday) { final canReopen } }`, { monday: first });
const week = async (who: Someone) =>
  (
    await app.gql(
      who.token,
      'query ($monday: String!) { timeWeek(monday: $monday) { final entries { taskId start end } } }',
      { monday },
    )
  ).data.timeWeek;

async function at(now: string): Promise<void> {
  app.clock.set(now);
  for (const who of [approver, owner, stranger]) Object.assign(who, { token: await app.signIn(who.id) });
}

describe('whose time one sees', () => {
  it('is nobody’s without the permission, sums of weeks for the approver, and a stranger gets what a missing person gives', async () => {
    const none = await someone(app, { permissions: staff });
    expect((await app.gql(none.token, '{ myTimer { id } }')).code).toBe('FORBIDDEN');
    await add(owner, '2026-11-18T08:00:00Z', '2026-11-18T10:00:00Z');
    await start(owner, task);
    await at('2026-11-18T12:30:00Z');
    const [seen, missing] = [await sums(stranger, owner.id), await sums(stranger, '999999')];
    expect(seen.code).toBe('NOT_FOUND');
    expect(seen.errors).toEqual(missing.errors);
    const last = async (who: Someone) => (await sums(who, owner.id)).data.timeWeeks.at(-1);
    const weeks: { monday: string; seconds: number }[] = (await sums(owner)).data.timeWeeks;
    expect(weeks.map(({ monday: first }) => first).slice(-2)).toEqual(['2026-11-09', monday]);
    expect(weeks.slice(0, -1).map(({ seconds }) => seconds)).toEqual(Array(12).fill(0));
    // Only the owner sees the running half hour.
    expect([await last(owner), await last(approver)]).toMatchObject([
      { monday, seconds: 9000 },
      { monday, seconds: 7200 },
    ]);
    expect((await week(approver)).entries).toEqual([]);
    const { rows } = await app.database.pool.query("select action from audit_log where action like 'time%'");
    expect(rows).toEqual([]);
  });

  it('is the person’s own, not an admin’s who looks as the person', async () => {
    await add(owner, '2026-11-18T08:00:00Z', '2026-11-18T10:00:00Z');
    const admin = await someone(app, { role: 'admin' });
    const started = await app.gql(
      admin.token,
      'mutation ($personId: ID) { startViewing(personId: $personId) { id } }',
      {
        personId: owner.id,
      },
    );
    const ask = async (query: string) =>
      (
        await app.call({
          method: 'POST',
          url: '/graphql',
          headers: { authorization: `Bearer ${admin.token}`, 'x-viewing': started.data.startViewing.id },
          payload: { query },
        })
      ).json();
    expect((await ask('{ myTimer { id } }')).errors[0].extensions.code).toBe('OWN_EYES_ONLY');
    expect((await ask(`{ timeWeek(monday: "${monday}") { entries { id } } }`)).errors[0].extensions.code).toBe(
      'OWN_EYES_ONLY',
    );
    expect((await ask('{ timeWeeks { seconds } }')).data.timeWeeks.at(-1)).toEqual({ seconds: 7200 });
  });

  it('is refused to everybody while the setting is off', async () => {
    const off = await startTestApp({
      beside: app,
      parts: { settings: () => ({ ...app.parts.settings(), timeTracker: false }) },
    });
    for (const call of [
      '{ myTimer { id } }',
      '{ timeWeeks { seconds } }',
      `mutation { startTimer(taskId: "${task}") { id } }`,
    ])
      expect((await off.gql(owner.token, call)).errors?.[0]?.message).toBe('The time tracker is off');
    await off.stop();
  });
});

describe('the timer', () => {
  it('is for one’s own tasks', async () => {
    expect((await start(stranger, task)).code).toBe('NOT_FOUND');
    expect((await start(approver, task)).code).toBe('NOT_FOUND');
    expect((await start(owner, '999999')).code).toBe('NOT_FOUND');
  });

  it('runs once, however many starts arrive at once', async () => {
    const codes = (
      await Promise.all([start(owner, task), start(owner, task), start(owner, other), start(owner, task)])
    ).map(({ code }) => code);
    expect(codes).toEqual([null, null, null, null]);
    const { rows } = await app.database.pool.query(
      'select count(*)::int as running from time_entries where end_at is null',
    );
    expect(rows).toEqual([{ running: 1 }]);
  });

  it('survives, stops the one before it, and keeps the server’s time', async () => {
    await start(owner, task);
    await at('2026-11-18T13:00:00Z');
    await start(owner, other);
    await at('2026-11-18T13:15:00Z');
    expect((await app.gql(owner.token, `{ myTimer ${entry} }`)).data.myTimer).toMatchObject({
      taskId: other,
      start: '2026-11-18T13:00:00.000Z',
      end: null,
    });
    expect((await stop(owner)).data.stopTimer).toMatchObject({ end: '2026-11-18T13:15:00.000Z' });
    expect((await stop(owner)).data.stopTimer).toBeNull();
    expect((await week(owner)).entries).toEqual([
      { taskId: task, start: '2026-11-18T12:00:00.000Z', end: '2026-11-18T13:00:00.000Z' },
      { taskId: other, start: '2026-11-18T13:00:00.000Z', end: '2026-11-18T13:15:00.000Z' },
    ]);
  });

  it('that ran overnight is asked for its end before it stops or another starts', async () => {
    await start(owner, task);
    await at('2026-11-19T08:00:00Z');
    expect((await app.gql(owner.token, `{ myTimer ${entry} }`)).data.myTimer.forgotten).toBe(true);
    expect((await start(owner, other)).code).toBe('TRANSITION_NOT_ALLOWED');
    expect((await stop(owner)).code).toBe('TRANSITION_NOT_ALLOWED');
    expect((await stop(owner, '2026-11-19T09:00:00Z')).code).toBe('BAD_INPUT');
    expect((await stop(owner, '2026-11-18T11:00:00Z')).code).toBe('BAD_INPUT');
    expect((await stop(owner, '2026-11-18T16:30:00Z')).data.stopTimer).toMatchObject({
      end: '2026-11-18T16:30:00.000Z',
    });
    expect((await start(owner, other)).code).toBeNull();
  });
});

describe('an entry by hand', () => {
  it('never lasts from a time to the same time of the next day', async () => {
    const [from, to] = ['2026-11-16T08:00:00Z', '2026-11-17T08:00:00Z'];
    expect((await add(owner, from, to)).errors?.[0]?.message).toBe('“From” and “To” are the same time');
    const { id } = (await add(owner, from, '2026-11-16T09:00:00Z')).data.addTime;
    expect((await edit(owner, id, from, to)).code).toBe('BAD_INPUT');
  });

  it('is refused where it meets another one, and changed and removed by its person alone', async () => {
    const { id } = (await add(owner, '2026-11-17T08:00:00Z', '2026-11-17T09:00:00Z')).data.addTime;
    expect((await add(owner, '2026-11-17T08:59:59Z', '2026-11-17T09:30:00Z')).errors?.[0]?.message).toBe(
      'This overlaps “One” from 08:00 to 09:00',
    );
    expect((await edit(stranger, id, '2026-11-17T08:00:00Z', '2026-11-17T08:30:00Z')).code).toBe('NOT_FOUND');
    expect((await remove(approver, id)).code).toBe('NOT_FOUND');
    expect((await edit(owner, id, '2026-11-17T08:30:00Z', '2026-11-17T09:30:00Z')).code).toBeNull();
    const gone = (await remove(owner, id)).data.removeTime;
    expect((await week(owner)).entries).toEqual([]);
    // The undo adds the removed entry again.
    expect((await add(owner, gone.start, gone.end)).code).toBeNull();
  });

  it('on a withdrawn task is corrected and put back, but no timer starts on it', async () => {
    const { id } = (await add(owner, '2026-11-17T08:00:00Z', '2026-11-17T17:00:00Z')).data.addTime;
    await app.database.pool.query('update tasks set withdrawn_at = now() where id = $1', [task]);
    expect((await start(owner, task)).code).toBe('TRANSITION_NOT_ALLOWED');
    expect((await edit(owner, id, '2026-11-17T08:00:00Z', '2026-11-17T10:00:00Z')).code).toBeNull();
    const gone = (await remove(owner, id)).data.removeTime;
    expect((await add(owner, gone.start, gone.end)).code).toBeNull();
  });

  it('of two at once that meet, one stands', async () => {
    const codes = (
      await Promise.all([
        add(owner, '2026-11-17T08:00:00Z', '2026-11-17T09:00:00Z'),
        add(owner, '2026-11-17T08:30:00Z', '2026-11-17T09:30:00Z'),
      ])
    ).map(({ code }) => code);
    expect(codes.sort()).toEqual(['BAD_INPUT', null].sort());
  });
});

describe('a week that is final', () => {
  it('takes no change until it is reopened, and both stand in the audit log', async () => {
    const { id } = (await add(owner, '2026-11-17T08:00:00Z', '2026-11-17T09:00:00Z')).data.addTime;
    await start(owner, task);
    expect((await finish(owner, 'finishTimeWeek')).code).toBe('TRANSITION_NOT_ALLOWED');
    await stop(owner);
    expect((await finish(owner, 'finishTimeWeek', '2026-11-17')).code).toBe('BAD_INPUT');
    expect((await finish(owner, 'finishTimeWeek')).data.finishTimeWeek).toEqual({ final: true, canReopen: true });
    for (const refused of [
      await start(owner, task),
      await remove(owner, id),
      await edit(owner, id, '2026-11-10T08:00:00Z', '2026-11-10T09:00:00Z'),
      await add(owner, '2026-11-16T08:00:00Z', '2026-11-16T09:00:00Z'),
    ])
      expect(refused.code).toBe('TRANSITION_NOT_ALLOWED');
    expect((await sums(approver, owner.id)).data.timeWeeks.at(-1).final).toBe(true);
    expect((await finish(owner, 'reopenTimeWeek')).data.reopenTimeWeek).toEqual({ final: false, canReopen: false });
    expect((await remove(owner, id)).code).toBeNull();
    await finish(owner, 'finishTimeWeek');
    await at('2026-12-02T12:00:00Z');
    expect((await finish(owner, 'reopenTimeWeek')).code).toBe('TOO_LATE');
    const { rows } = await app.database.pool.query(
      "select action from audit_log where action like 'timeWeek%' order by id",
    );
    expect(rows.map(({ action }) => action)).toEqual(['timeWeekFinished', 'timeWeekReopened', 'timeWeekFinished']);
  });
});

describe('a session that proved nothing lately', () => {
  const code = 'CONFIRM_IDENTITY';
  const old = '2026-11-02';
  const fresh = async () => Object.assign(owner, { token: await app.signIn(owner.id) });
  const stale = async (now: string) => {
    app.clock.set(Temporal.Instant.from(now).subtract({ minutes: 11 }));
    await fresh();
    app.clock.set(now);
  };

  it('changes no time from before last week and finishes no such week, and its owner does both', async () => {
    const [first, last] = ['2026-11-08T22:00:00Z', '2026-11-08T23:00:00Z'];
    const { id } = (await add(owner, first, last)).data.addTime;
    const ofLastWeek = (await add(owner, '2026-11-10T08:00:00Z', '2026-11-10T09:00:00Z')).data.addTime.id;
    await stale('2026-11-18T13:00:00Z');
    for (const refused of [
      await remove(owner, id),
      await edit(owner, id, '2026-11-10T10:00:00Z', '2026-11-10T11:00:00Z'),
      await edit(owner, ofLastWeek, '2026-11-08T20:00:00Z', '2026-11-08T21:00:00Z'),
      await add(owner, '2026-11-08T20:00:00Z', '2026-11-08T21:00:00Z'),
      await finish(owner, 'finishTimeWeek', old),
    ])
      expect(refused.code).toBe(code);
    expect((await remove(owner, ofLastWeek)).code).toBeNull();
    expect((await finish(owner, 'finishTimeWeek', '2026-11-09')).code).toBeNull();
    await fresh();
    expect((await finish(owner, 'finishTimeWeek', old)).data.finishTimeWeek).toEqual({ final: true, canReopen: true });
    await stale('2026-11-20T13:00:00Z');
    expect((await finish(owner, 'reopenTimeWeek', old)).code).toBe(code);
    await fresh();
    expect((await finish(owner, 'reopenTimeWeek', old)).data.reopenTimeWeek.final).toBe(false);
    expect((await remove(owner, id)).data.removeTime.start).toBe('2026-11-08T22:00:00.000Z');
  });

  it('makes half of a day’s entries, and leaves the others to its owner', async () => {
    await entries(100);
    await stale('2026-11-18T13:00:00Z');
    expect((await add(owner, '2026-11-17T13:00:00Z', '2026-11-17T13:10:00Z')).code).toBe(code);
    await fresh();
    expect((await add(owner, '2026-11-17T13:00:00Z', '2026-11-17T13:10:00Z')).code).toBeNull();
  });
});

it('time from more than a year ago is neither added nor changed', async () => {
  const words = 'Time from more than a year ago can’t be changed';
  const messageOf = async (answer: ReturnType<typeof app.gql>) => (await answer).errors?.[0]?.message;
  expect(await messageOf(add(owner, '2025-11-09T08:00:00Z', '2025-11-09T09:00:00Z'))).toBe(words);
  const { id } = (await add(owner, '2025-11-10T08:00:00Z', '2025-11-10T09:00:00Z')).data.addTime;
  expect(await messageOf(edit(owner, id, '2025-11-09T08:00:00Z', '2025-11-09T09:00:00Z'))).toBe(words);
  await at('2026-11-23T12:00:00Z');
  expect(await messageOf(remove(owner, id))).toBe(words);
});

it.each(['0000-01-01T00:00:00Z', '2026-02-31T00:00:00Z', '2026-11-01T24:00:00Z'])(
  'an instant that doesn’t exist is no time of an entry or a stop: %s',
  async (never) => {
    await start(owner, task);
    expect((await stop(owner, never)).code).toBe('BAD_INPUT');
    expect((await add(owner, never, '2026-11-18T10:00:00Z')).code).toBe('BAD_INPUT');
  },
);

const entries = (count: number) =>
  app.database.pool.query(
    `insert into time_entries (person_id, task_id, start_at, end_at)
     select $1, $2, at, at + interval '30 seconds'
     from generate_series(1, $3) place, lateral (select '2026-11-17T08:00:00Z'::timestamptz + place * interval '1 minute') a (at)`,
    [owner.id, task, count],
  );

it('a day takes 200 entries', async () => {
  await entries(200);
  const addOn = (begin: string, end: string) =>
    app.gql(owner.token, `mutation { addTime(taskId: "${task}", start: "${begin}", end: "${end}") { id } }`);
  expect((await addOn('2026-11-17T13:00:00Z', '2026-11-17T13:10:00Z')).errors?.[0]?.message).toBe(
    'A day can have up to 200 entries. Combine several short ones',
  );
  expect((await addOn('2026-11-16T09:00:00Z', '2026-11-16T09:10:00Z')).code).toBeNull();
});
