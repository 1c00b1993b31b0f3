// People hear that a meeting of theirs changed, by what they knew before, and nobody else does.
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp, wednesday } from '../../../test/app.ts';
import { type MailServer, startMailServer } from '../../../test/mail-server.ts';
import { type Someone, someone } from '../../../test/task-fixtures.ts';
import { deliverMails } from './mail-delivery.service.ts';

let post: MailServer;
let app: TestApp;
let admin: Someone;
let chair: Someone;
let abe: Someone;
let guest: Someone;
let stranger: Someone;
let meeting: Meeting;

type Meeting = { id: string; version: number };
const permissions = ['VIEW_DASHBOARD', 'VIEW_TOP_5_MEETING_SCHEDULE'] as const;
const reader = (firstName: string, team: string) => someone(app, { permissions, firstName, lastName: 'Of', team });

beforeAll(async () => {
  post = await startMailServer();
  const mail = { SMTP_URL: post.url, MAIL_FROM: 'dashboard@company.test', PUBLIC_URL: 'https://dash.company.test' };
  app = await startTestApp({ env: { COMPANY_TIME_ZONE: 'Europe/Amsterdam', ...mail } });
});
afterAll(async () => {
  await app.stop();
  await post.stop();
});
beforeEach(async () => {
  app.clock.set(wednesday);
  await app.asOwner('update people set disabled_at = now()');
  await app.asOwner('update meetings set removed_at = now()');
  await app.asOwner('delete from notices');
  post.mails.splice(0);
  admin = await someone(app, { role: 'admin', firstName: 'Ada', lastName: 'Able' });
  chair = await reader('Cleo', 'connect');
  abe = await reader('Abe', 'connect');
  guest = await someone(app, { permissions: ['VIEW_DASHBOARD'], firstName: 'Gus', lastName: 'Guest' });
  stranger = await reader('Sten', 'connect');
  meeting = await create();
  await app.asOwner('delete from notices');
});

const content = (change: object = {}) => ({
  ...{ title: 'Review', team: 'connect', wholeTeam: false, chairId: chair.id, attendeeIds: [abe.id, guest.id] },
  ...{ weekday: 1, time: '10:00', minutes: 30, place: '', link: '', agenda: '', ...change },
});
const declared = `$title: String!, $team: String!, $wholeTeam: Boolean, $chairId: ID!, $attendeeIds: [ID!]!, $onceOn: String,
  $weekday: Int!, $time: String!, $minutes: Int!, $place: String!, $link: String!, $agenda: String!`;
const given = `title: $title, team: $team, wholeTeam: $wholeTeam, chairId: $chairId, attendeeIds: $attendeeIds, onceOn: $onceOn,
  weekday: $weekday, time: $time, minutes: $minutes, place: $place, link: $link, agenda: $agenda`;
const versioned = '$id: ID!, $version: Int!';

async function call(who: Someone, name: string, types: string, args: string, variables: object): Promise<Meeting> {
  const query = `mutation (${types}) { it: ${name}(${args}) { id version } }`;
  const { data, code } = await app.gql(who.token, query, variables);
  expect(code).toBeNull();
  return data.it;
}
const create = (change?: object, who = admin) => call(who, 'createMeeting', declared, given, content(change));
const update = async (change: object, who = chair) => {
  const args = `id: $id, version: $version, ${given}`;
  meeting = await call(who, 'updateMeeting', `${versioned}, ${declared}`, args, { ...content(change), ...meeting });
};
const remove = async () => {
  await call(admin, 'removeMeeting', versioned, 'id: $id, version: $version', meeting);
};
const restore = async () => {
  meeting = await call(admin, 'restoreMeeting', '$id: ID!', 'id: $id', { id: meeting.id });
};
const dayMutation = `mutation (${versioned}, $day: String!, $toDay: String, $toTime: String, $restore: Boolean) {
  it: changeMeetingOfDay(id: $id, version: $version, day: $day, toDay: $toDay, toTime: $toTime, restore: $restore) { id version } }`;
const monday = '2026-11-23';
const changeDay = async (change: object = {}, who = chair) => {
  const { data, code } = await app.gql(who.token, dayMutation, { ...meeting, day: monday, ...change });
  expect(code).toBeNull();
  meeting = data.it;
};
const toTuesday = { toDay: '2026-11-24', toTime: '14:00' };

/** What opening the bell does. */
async function seeAll({ token }: Someone): Promise<void> {
  const { data } = await app.gql(token, '{ notices { id } }');
  const ids = data.notices.map(({ id }: { id: string }) => id);
  const { code } = await app.gql(token, 'mutation ($ids: [ID!]!) { seeNotices(ids: $ids) }', { ids });
  expect(code).toBeNull();
}

type Shown = { kind: string; sentence: string; path: string; read: boolean };
async function inboxOf({ token }: Someone): Promise<Shown[]> {
  return (await app.gql(token, '{ notices { kind sentence path read } }')).data.notices;
}
const told = async (who: Someone) => (await inboxOf(who)).map(({ sentence }) => sentence);
const readAll = () => app.asOwner('update notices set read_at = now()');
async function mailed(minutes = 6): Promise<{ to: readonly string[]; text: string }[]> {
  app.clock.advance({ minutes });
  await deliverMails(app.parts);
  return post.mails.splice(0);
}

describe('who isn’t told of a canceled date', () => {
  test('anyone, where it is refused or can’t be saved whole', async () => {
    expect((await app.gql(abe.token, dayMutation, { ...meeting, day: monday })).code).toBe('FORBIDDEN');
    await app.asOwner(`
      create function break_commit() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create constraint trigger broken after insert on meeting_exceptions deferrable initially deferred
        for each row execute function break_commit()`);
    expect((await app.gql(chair.token, dayMutation, { ...meeting, day: monday })).code).toBe('INTERNAL');
    await app.asOwner('drop trigger broken on meeting_exceptions; drop function break_commit()');
    for (const who of [chair, abe, admin]) expect(await told(who)).toEqual([]);
  });

  test('who isn’t in it, can’t read the schedule, is disabled, or did it', async () => {
    const gone = await reader('Gone', 'connect');
    await update({ attendeeIds: [abe.id, guest.id, gone.id] }, admin);
    await app.asOwner('delete from notices');
    await app.asOwner('update people set disabled_at = now() where id = $1', [gone.id]);
    await changeDay();
    expect(await inboxOf(abe)).toEqual([
      {
        ...{ kind: 'meeting', sentence: 'Cleo Of canceled “Review” on Mon 23 Nov', read: false },
        path: `/top-5/tools/schedule?meeting=${meeting.id}&day=2026-11-23`,
      },
    ]);
    const people = await app.asOwner<{ id: string }>('select person_id::text as id from notices');
    expect(people).toEqual([{ id: abe.id }]);
  });

  test('who lost the schedule since, in the inbox and by mail', async () => {
    const kept = await reader('Kai', 'connect');
    await update({ attendeeIds: [abe.id, kept.id] }, admin);
    await app.asOwner('delete from notices');
    await changeDay();
    const takeAway = `update roles set permissions = array_remove(permissions, 'VIEW_TOP_5_MEETING_SCHEDULE')
      where name = (select role from people where id = $1)`;
    await app.asOwner(takeAway, [abe.id]);
    expect(await told(abe)).toEqual([]);
    expect((await app.gql(abe.token, '{ unreadNotices }')).data.unreadNotices).toBe(0);
    expect(await told(kept)).toHaveLength(1);
    expect(await mailed()).toMatchObject([{ text: expect.stringContaining('Hello Kai Of') }]);
  });

  test('anyone, of a date or a meeting that is over', async () => {
    const once = { title: 'Once', onceOn: '2026-11-18', time: '13:00', minutes: 5 };
    meeting = await create(once);
    await app.asOwner('delete from notices');
    app.clock.advance({ minutes: 6 });
    await changeDay({ day: '2026-11-18' });
    await changeDay({ day: '2026-11-18', restore: true });
    await update({ ...once, attendeeIds: [abe.id, stranger.id] });
    await remove();
    await restore();
    expect(await app.asOwner('select facts from notices')).toEqual([]);
  });
});

describe('a date', () => {
  test('is told by mail after some minutes, unless it was restored before', async () => {
    await changeDay();
    expect(await mailed(4)).toEqual([]);
    await changeDay({ restore: true });
    expect(await told(abe)).toEqual([]);
    expect(await mailed()).toEqual([]);
    await changeDay();
    const sent = await mailed();
    expect(sent).toMatchObject([{ text: expect.stringContaining('Cleo Of canceled “Review” on Mon 23 Nov') }]);
    // It was mailed, so its return is news.
    await changeDay({ restore: true });
    expect(await told(abe)).toEqual(['Cleo Of restored “Review” on Mon 23 Nov, 10:00']);
    expect(await mailed()).toHaveLength(1);
  });

  test('that is back is told to those who have read that it was canceled, and no more to others', async () => {
    await update({ attendeeIds: [abe.id, stranger.id] }, admin);
    await app.asOwner('delete from notices');
    await changeDay();
    await app.asOwner('update notices set read_at = now() where person_id = $1', [abe.id]);
    await changeDay({ restore: true });
    expect([await told(abe), await told(stranger)]).toEqual([['Cleo Of restored “Review” on Mon 23 Nov, 10:00'], []]);
  });

  test('that is back is told to those who saw in the bell that it was moved, and left it unread', async () => {
    await update({ attendeeIds: [abe.id, stranger.id] }, admin);
    await app.asOwner('delete from notices');
    await changeDay(toTuesday);
    await seeAll(abe);
    expect((await inboxOf(abe)).map(({ read }) => read)).toEqual([false]);
    await changeDay({ restore: true });
    const back = 'Cleo Of moved “Review” on Tue 24 Nov to Mon 23 Nov, 10:00';
    expect([await told(abe), await told(stranger)]).toEqual([[back], []]);
    // They haven't seen that one, so they know what they knew before it.
    await changeDay(toTuesday);
    expect(await told(abe)).toEqual([]);
  });

  test('that is changed again is one notification, which comes first and says the last of it', async () => {
    await changeDay();
    await changeDay({ day: '2026-11-30' });
    await changeDay(toTuesday, admin);
    expect(await told(abe)).toEqual([
      'Ada Able moved “Review” on Mon 23 Nov to Tue 24 Nov, 14:00',
      'Cleo Of canceled “Review” on Mon 30 Nov',
    ]);
    // The chair knows of the canceled date, and not that it takes place.
    expect(await told(chair)).toEqual(['Ada Able restored “Review” on Tue 24 Nov, 14:00']);
    await readAll();
    await changeDay({ toDay: '2026-11-24', toTime: '15:00' });
    expect((await inboxOf(abe))[0]).toMatchObject({
      ...{ sentence: 'Cleo Of moved “Review” on Tue 24 Nov to 15:00', read: false },
    });
    await changeDay();
    expect(await told(abe)).toContain('Cleo Of canceled “Review” on Tue 24 Nov');
  });

  test('is told where its reader wants it, as chosen at each change', async () => {
    const choose = (inApp: boolean) =>
      app.gql(abe.token, `mutation { chooseNotices(kind: meeting, inApp: ${inApp}, mail: ${!inApp}) { kind } }`);
    await choose(false);
    await changeDay();
    expect([await told(abe), (await mailed()).length]).toEqual([[], 1]);
    await choose(true);
    await changeDay({ restore: true });
    expect([(await told(abe)).length, await mailed()]).toEqual([1, []]);
  });

  test('that changes after its reader turned the kind off leaves nothing outdated', async () => {
    await changeDay(toTuesday);
    await app.gql(abe.token, 'mutation { chooseNotices(kind: meeting, inApp: false, mail: false) { kind } }');
    await changeDay();
    expect(await app.asOwner('select from notices where person_id = $1', [abe.id])).toEqual([]);
  });

  test('that another person changed is told no more to who changes it', async () => {
    await changeDay({}, admin);
    expect(await told(chair)).toEqual(['Ada Able canceled “Review” on Mon 23 Nov']);
    await changeDay(toTuesday);
    expect([await told(chair), await told(admin)]).toEqual([[], []]);
  });
});

describe('the whole meeting', () => {
  test('on another weekday ends what its dates had, and at another time keeps it', async () => {
    await changeDay();
    await update({ time: '11:00' });
    const later = ['Cleo Of moved “Review” to Mondays, 11:00', 'Cleo Of canceled “Review” on Mon 23 Nov'];
    expect(await told(abe)).toEqual(later);
    await update({ weekday: 2 });
    expect(await told(abe)).toEqual(['Cleo Of moved “Review” to Tuesdays, 10:00']);
  });

  test('that takes place once and is canceled, then moved, is one notification', async () => {
    meeting = await create({ title: 'Offsite', onceOn: '2026-12-01' });
    await app.asOwner('delete from notices');
    await changeDay({ day: '2026-12-01' });
    const path = `/top-5/tools/schedule?meeting=${meeting.id}&day=2026-12-01`;
    expect(await inboxOf(abe)).toMatchObject([{ sentence: 'Cleo Of canceled “Offsite” on Tue 1 Dec', path }]);
    await changeDay({ day: '2026-12-01', toDay: '2026-12-02', toTime: '09:00' });
    expect(await told(abe)).toEqual(['Cleo Of moved “Offsite” on Tue 1 Dec to Wed 2 Dec, 09:00']);
  });

  test('that takes place at another time is told, and not its other details', async () => {
    await update({ title: 'Weekly Review', place: 'Room 2', agenda: 'Numbers', minutes: 45 });
    expect(await told(abe)).toEqual([]);
    await update({ title: 'Weekly Review', weekday: 2, time: '11:00' });
    expect(await told(abe)).toEqual(['Cleo Of moved “Weekly Review” to Tuesdays, 11:00']);
    await update({ title: 'Weekly Review' });
    expect(await told(abe)).toEqual([]);
  });

  test('that takes place once is moved with its day', async () => {
    meeting = await create({ title: 'Offsite', onceOn: '2026-12-01' });
    await app.asOwner('delete from notices');
    await changeDay({ day: '2026-12-01', toDay: '2026-12-02', toTime: '09:00' });
    expect(await inboxOf(abe)).toMatchObject([
      {
        sentence: 'Cleo Of moved “Offsite” on Tue 1 Dec to Wed 2 Dec, 09:00',
        path: `/top-5/tools/schedule?meeting=${meeting.id}&day=2026-12-02`,
      },
    ]);
  });

  test('that is removed and restored is told once someone saw the removal', async () => {
    await remove();
    expect(await inboxOf(abe)).toMatchObject([
      { sentence: 'Ada Able removed “Review” from the schedule', path: '/top-5/tools/schedule' },
    ]);
    await restore();
    expect([await told(abe), await told(chair)]).toEqual([[], []]);
    await remove();
    await readAll();
    await restore();
    expect(await told(chair)).toEqual(['Ada Able restored “Review” on Mondays, 10:00']);
    await seeAll(abe);
    await remove();
    expect([await told(abe), await told(chair)]).toEqual([['Ada Able removed “Review” from the schedule'], []]);
    expect(await told(stranger)).toEqual([]);
  });
});

describe('a person', () => {
  test('who is added or removed is told, and not the others', async () => {
    const stays = await reader('Stu', 'connect');
    await update({ attendeeIds: [abe.id, stays.id] }, admin);
    await readAll();
    await update({ attendeeIds: [stranger.id, stays.id] });
    expect([await told(stranger), await told(abe), await told(stays)]).toEqual([
      ['Cleo Of added you to “Review” on Mondays, 10:00'],
      ['Cleo Of removed you from “Review”'],
      ['Ada Able added you to “Review” on Mondays, 10:00'],
    ]);
    await update({ attendeeIds: [abe.id, stays.id] });
    expect([await told(stranger), await told(abe)]).toEqual([[], []]);
  });

  test('who hasn’t read that they were added is told the time it has now', async () => {
    await update({ attendeeIds: [abe.id, stranger.id] });
    await update({ title: 'Check', attendeeIds: [abe.id, stranger.id], time: '12:00' }, admin);
    expect([await told(stranger), await told(abe)]).toEqual([
      ['Cleo Of added you to “Check” on Mondays, 12:00'],
      ['Ada Able moved “Check” to Mondays, 12:00'],
    ]);
  });

  test('who was removed before the time changed knows nothing of the new one until they are back', async () => {
    await update({ attendeeIds: [] });
    await update({ attendeeIds: [], time: '12:00' });
    expect(await told(abe)).toEqual(['Cleo Of removed you from “Review”']);
    await update({ attendeeIds: [abe.id], time: '12:00' });
    expect(await told(abe)).toEqual(['Cleo Of moved “Review” to Mondays, 12:00']);
  });

  test('who is back is told of dates that changed before, unless they know of them', async () => {
    await changeDay();
    await changeDay({ day: '2026-11-30' });
    await readAll();
    await update({ attendeeIds: [] });
    await changeDay(toTuesday);
    await update({ attendeeIds: [abe.id, stranger.id] }, admin);
    const moved = '“Review” on Mon 23 Nov was moved to Tue 24 Nov, 14:00';
    expect(await told(abe)).toEqual([moved, 'Cleo Of canceled “Review” on Mon 30 Nov']);
    expect(await told(stranger)).toEqual([
      'Ada Able added you to “Review” on Mondays, 10:00',
      '“Review” on Mon 30 Nov was canceled',
      moved,
    ]);
    expect((await inboxOf(abe)).map(({ read }) => read)).toEqual([false, true]);
  });

  test('who is removed hears no more of its dates, nor does anyone when it is removed', async () => {
    await update({ attendeeIds: [abe.id, stranger.id] }, admin);
    await app.asOwner('delete from notices');
    await changeDay(toTuesday);
    await update({ attendeeIds: [stranger.id] });
    const moved = 'Cleo Of moved “Review” on Mon 23 Nov to Tue 24 Nov, 14:00';
    expect([await told(abe), await told(stranger)]).toEqual([['Cleo Of removed you from “Review”'], [moved]]);
    await remove();
    expect(await told(stranger)).toEqual(['Ada Able removed “Review” from the schedule']);
    expect((await mailed()).map(({ text }) => text).join()).not.toContain('24 Nov');
    await restore();
    expect(await told(stranger)).toEqual(['Ada Able restored “Review” on Mondays, 10:00', moved]);
  });

  test('who left hears no more of a date that was mailed and not read, and of a removed meeting’s until it is back', async () => {
    await update({ attendeeIds: [abe.id, stranger.id] }, admin);
    await app.asOwner('delete from notices');
    await changeDay(toTuesday);
    expect(await mailed()).toHaveLength(2);
    await update({ attendeeIds: [stranger.id] });
    expect(await told(abe)).toEqual(['Cleo Of removed you from “Review”']);
    const moved = 'Cleo Of moved “Review” on Mon 23 Nov to Tue 24 Nov, 14:00';
    await remove();
    expect(await told(stranger)).toEqual(['Ada Able removed “Review” from the schedule']);
    await restore();
    expect(await inboxOf(stranger)).toMatchObject([{ sentence: moved, read: false }]);
    expect((await mailed()).map(({ text }) => text)).toEqual([expect.stringContaining('removed you from “Review”')]);
    // A restored date is compared with what the mail said.
    await changeDay({ restore: true });
    expect(await told(stranger)).toEqual(['Cleo Of moved “Review” on Tue 24 Nov to Mon 23 Nov, 10:00']);
  });

  test('who changed dates, or was told of them long ago, isn’t told of them when the meeting is back', async () => {
    await changeDay();
    await app.asOwner('delete from notices');
    await changeDay({ day: '2026-11-30' }, admin);
    const unread = ['Ada Able canceled “Review” on Mon 30 Nov'];
    await remove();
    await restore();
    expect([await told(abe), await told(chair), await told(admin)]).toEqual([unread, unread, []]);
    expect((await mailed()).map(({ text }) => text.includes(unread[0]!))).toEqual([true, true]);
    await remove();
    const past = '{"day": "2026-11-16", "before": {"day": "2026-11-16", "time": "10:00"}}';
    await app.asOwner("update notices set facts = facts || $1 where key like '%:2026-11-30'", [past]);
    await restore();
    expect(await told(abe)).toEqual([]);
  });

  test('who left the team or turned the kind off while a meeting was removed hears nothing of its dates', async () => {
    meeting = await create({ wholeTeam: true, attendeeIds: [] });
    const [mover, quiet, byMail] = [await reader('Mo', 'connect'), await reader('Qi', 'connect'), abe];
    await app.asOwner('delete from notices');
    await changeDay(toTuesday);
    const moved = 'Cleo Of moved “Review” on Mon 23 Nov to Tue 24 Nov, 14:00';
    for (const who of [mover, quiet, byMail, stranger]) expect(await told(who)).toContain(moved);
    await remove();
    await app.asOwner("update people set team = 'green' where id = $1", [mover.id]);
    const choose = ({ token }: Someone, mail: boolean) =>
      app.gql(token, `mutation { chooseNotices(kind: meeting, inApp: false, mail: ${mail}) { kind } }`);
    await choose(quiet, false);
    await choose(byMail, true);
    await restore();
    expect(await told(mover)).not.toContain(moved);
    expect([await told(quiet), await told(byMail), await told(stranger)]).toEqual([[], [], [moved]]);
    const mails = (await mailed()).filter(({ text }) => text.includes(moved));
    expect(mails.map(({ text }) => text.match(/Hello (\w+)/)?.[1]).toSorted()).toEqual(['Abe', 'Sten']);
  });

  test('in a new meeting is told, unless it is removed before they see it', async () => {
    meeting = await create({ title: 'New', onceOn: '2026-12-01' });
    expect([await told(abe), await told(chair), await told(stranger)]).toEqual([
      ['Ada Able added you to “New” on Tue 1 Dec, 10:00'],
      ['Ada Able added you to “New” on Tue 1 Dec, 10:00'],
      [],
    ]);
    await remove();
    expect([await told(abe), await told(chair)]).toEqual([[], []]);
  });
});

describe('everyone in', () => {
  test('a team is told of its meeting, with the guests of other teams', async () => {
    const other = await reader('Olga', 'green');
    const named = await reader('Nils', 'green');
    const whole = { title: 'Team', wholeTeam: true, attendeeIds: [named.id] };
    meeting = await create(whole);
    await app.asOwner('delete from notices');
    await changeDay();
    const sentences = ['Cleo Of canceled “Team” on Mon 23 Nov'];
    for (const who of [abe, stranger, named]) expect(await told(who)).toEqual(sentences);
    for (const who of [other, guest, admin, chair]) expect(await told(who)).toEqual([]);
    const teamless = await someone(app, { permissions });
    await update({ ...whole, attendeeIds: [named.id, teamless.id] }, admin);
    const added = ['Ada Able added you to “Team” on Mondays, 10:00', '“Team” on Mon 23 Nov was canceled'];
    expect(await told(teamless)).toEqual(added);
    await update({ ...whole, wholeTeam: false });
    expect(await told(abe)).toContain('Cleo Of removed you from “Team”');
    expect(await told(named)).toEqual(sentences);
  });

  test('the company who can read the schedule is told of its meeting', async () => {
    meeting = await create({ title: 'All hands', team: '', wholeTeam: true, attendeeIds: [guest.id] });
    await app.asOwner('delete from notices');
    await changeDay();
    const sentences = ['Cleo Of canceled “All hands” on Mon 23 Nov'];
    for (const who of [abe, stranger, admin]) expect(await told(who)).toEqual(sentences);
    for (const who of [guest, chair]) expect(await told(who)).toEqual([]);
  });

  test('a company of 20,000 is told and untold in as many statements as a few people, and so are their pages', async () => {
    const company = { title: 'All hands', team: '', wholeTeam: true, attendeeIds: [] };
    const heard: string[] = [];
    const stop = app.parts.live.on('noticesChanged', ({ personIds }) => heard.push(...personIds));
    /** Everyone whose pages were told until now: messages come in the order of their commits. */
    const heardSoFar = async (): Promise<string[]> => {
      await app.parts.live.publish(app.database.drizzle, 'noticesChanged', { personIds: ['last'] });
      await expect.poll(() => heard.at(-1)).toBe('last');
      return heard.splice(0).slice(0, -1);
    };
    const statementsOf = async (work: () => Promise<void>): Promise<number> => {
      const query = vi.spyOn(pg.Client.prototype, 'query');
      await work();
      const count = query.mock.calls.length;
      query.mockRestore();
      return count;
    };
    meeting = await create(company);
    const few = [await statementsOf(() => changeDay()), await statementsOf(() => changeDay({ restore: true }))];
    await app.asOwner(`
      insert into people (first_name, last_name, email, role)
      select 'Many', 'Colleague ' || n, 'colleague' || n || '@company.test', 'admin' from generate_series(1, 20000) n`);
    await app.asOwner('delete from notices');
    await heardSoFar();
    expect(await statementsOf(() => changeDay())).toBe(few[0]);
    const [{ count } = { count: 0 }] = await app.asOwner<{ count: number }>('select count(*)::int from notices');
    expect(count).toBe(20_003);
    const pages = await heardSoFar();
    expect([pages.length, new Set(pages).size]).toEqual([20_003, 20_003]);
    expect(await statementsOf(() => changeDay({ restore: true }))).toBe(few[1]);
    expect(await app.asOwner('select from notices')).toEqual([]);
    expect((await heardSoFar()).toSorted()).toEqual(pages.toSorted());
    stop();
  });
});
