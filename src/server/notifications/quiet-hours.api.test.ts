import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, wednesday } from '../../../test/app.ts';
import { type MailServer, startMailServer } from '../../../test/mail-server.ts';
import { makeTeam, prepareTask, type Team } from '../../../test/task-fixtures.ts';
import { deliverMails } from './mail-delivery.service.ts';
import { sendSprintReminders } from './reminders.service.ts';

let post: MailServer;
let app: TestApp;
let team: Team;
let sprintId: string;

beforeAll(async () => {
  post = await startMailServer();
  const env = { SMTP_URL: post.url, MAIL_FROM: 'dashboard@company.test', PUBLIC_URL: 'https://dash.company.test' };
  app = await startTestApp({ env });
  sprintId = await app.sprint();
});
afterAll(async () => {
  await app.stop();
  await post.stop();
});
beforeEach(async () => {
  app.clock.set(wednesday);
  post.refuse(null);
  post.mails.length = 0;
  for (const table of ['notices', 'notice_mails', 'notice_runs', 'quiet_hours'])
    await app.database.pool.query(`delete from ${table}`);
  await app.database.pool.query('update tasks set withdrawn_at = now()');
  team = await makeTeam(app);
});

const night = { on: true, from: '19:00', to: '08:00', daysOff: false };
const choose = async (hours: object, token?: string) =>
  app.gql(
    token ?? (await app.signIn(team.owner.id)),
    `mutation ($on: Boolean!, $from: String!, $to: String!, $daysOff: Boolean!) {
      chooseQuietHours(on: $on, from: $from, to: $to, daysOff: $daysOff) { on from to daysOff }
    }`,
    { ...night, ...hours },
  );

async function decide(title: string): Promise<void> {
  const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title });
  const token = await app.signIn(team.approver.id);
  const { errors } = await app.gql(token, 'mutation ($id: ID!) { updateTask(id: $id, status: TODO) { id } }', { id });
  expect(errors).toBeUndefined();
}

/** Sends what is due then. Returns what each mail says, and empties the mailbox. */
async function mailsAt(time: string): Promise<string[]> {
  app.clock.set(`${time}Z`);
  await deliverMails(app.parts);
  return post.mails.splice(0).map(({ headers, text }) => `${headers.subject}\n${text}`);
}

/** A change of the owner's account, at the time that it is. */
const changeAccount = () =>
  app.database.pool.query(
    `insert into notices (person_id, kind, key, facts, at, in_app, mail_at)
     values ($1, 'accountChanged', 'account', '{"kind":"accountChanged","event":"passwordChanged","detail":{},"by":null,"origin":null}', $2, true, $2)`,
    [team.owner.id, app.clock.now().toString()],
  );

describe('quiet hours', () => {
  test('with a wrong time are refused at their field, and nobody signed out chooses any', async () => {
    for (const [part, field] of [
      [{ to: '19:00' }, 'to'],
      [{ from: '7pm' }, 'from'],
    ] as const) {
      const { errors, code } = await choose(part);
      expect([code, errors?.[0]?.extensions?.field]).toEqual(['BAD_INPUT', field]);
    }
    expect((await choose({}, '')).code).toBe('NOT_SIGNED_IN');
    const { data } = await app.gql(team.owner.token, '{ quietHours { on from to daysOff } }');
    expect(data.quietHours).toEqual({ ...night, on: false });
  });

  test('keep a person’s mails until they end, and then one mail says all', async () => {
    expect((await choose({})).data.chooseQuietHours).toEqual(night);
    expect((await app.gql(team.owner.token, '{ accountEvents { words } }')).data.accountEvents).toEqual([
      { words: 'Set quiet hours from 19:00 to 08:00' },
    ]);
    app.clock.set('2026-11-18T18:57:00Z');
    await decide('One');
    expect(await mailsAt('2026-11-18T19:02:00')).toEqual([]);
    app.clock.set('2026-11-18T23:50:00Z');
    await decide('Two');
    app.clock.set('2026-11-19T07:59:00Z');
    await decide('Three');
    expect(await mailsAt('2026-11-19T07:59:59')).toEqual([]);
    expect(await mailsAt('2026-11-19T08:00:00')).toEqual([
      expect.stringMatching(/approved “One”[\s\S]*approved “Two”[\s\S]*approved “Three”/),
    ]);
    expect(await mailsAt('2026-11-19T12:00:00')).toEqual([]);
  });

  test('delay neither other people’s mails nor what changed the account, which leaves alone', async () => {
    await choose({}, team.approver.token);
    app.clock.set('2026-11-18T20:00:00Z');
    await decide('One');
    expect(await mailsAt('2026-11-18T20:05:00')).toHaveLength(1);
    await choose({});
    await decide('Two');
    await changeAccount();
    const [alarm, ...others] = await mailsAt('2026-11-18T21:00:00');
    expect(others).toEqual([]);
    expect(alarm).toContain('Your password was changed');
    expect(alarm).not.toContain('Two');
    expect(await mailsAt('2026-11-19T08:00:00')).toEqual([expect.stringContaining('approved “Two”')]);
  });

  test('don’t hold what changed the person’s access, which a thief would want held', async () => {
    await choose({});
    app.clock.set('2026-11-18T20:00:00Z');
    await app.database.pool.query(
      `insert into notices (person_id, kind, key, facts, at, in_app, mail_at)
       values ($1, 'access', 'access', '{"kind":"access","lines":["Your role is Lead now"],"back":[],"knew":[]}', $2, true, $2)`,
      [team.owner.id, app.clock.now().toString()],
    );
    expect(await mailsAt('2026-11-18T20:10:00')).toEqual([expect.stringContaining('Your role is Lead now')]);
  });

  test('that change or end by choice count at once', async () => {
    await choose({});
    app.clock.set('2026-11-18T20:00:00Z');
    await decide('One');
    expect(await mailsAt('2026-11-18T20:10:00')).toEqual([]);
    await choose({ from: '21:00' });
    expect(await mailsAt('2026-11-18T20:10:00')).toHaveLength(1);
    app.clock.set('2026-11-18T21:00:00Z');
    await decide('Two');
    expect(await mailsAt('2026-11-18T21:10:00')).toEqual([]);
    await choose({ on: false });
    expect(await mailsAt('2026-11-18T21:10:00')).toHaveLength(1);
  });

  test('keep a mail that failed before from being tried again, but not one about the account', async () => {
    await choose({});
    app.clock.set('2026-11-18T18:50:00Z');
    await decide('One');
    post.refuse({ at: 'mail', code: 451, text: 'Later' });
    expect(await mailsAt('2026-11-18T18:59:59')).toEqual([]);
    post.refuse(null);
    expect(await mailsAt('2026-11-18T19:30:00')).toEqual([]);
    expect(await mailsAt('2026-11-19T08:00:00')).toEqual([expect.stringContaining('approved “One”')]);
    app.clock.set('2026-11-19T20:00:00Z');
    await changeAccount();
    post.refuse({ at: 'mail', code: 451, text: 'Later' });
    expect(await mailsAt('2026-11-19T20:00:00')).toEqual([]);
    post.refuse(null);
    expect(await mailsAt('2026-11-19T20:02:00')).toEqual([expect.stringContaining('Your password was changed')]);
  });
});

// The sprint ends on Monday at 10:00.
describe('a sprint’s reminder that waits for the end of quiet hours', () => {
  const remindAt = async (time: string) => {
    app.clock.set(`${time}Z`);
    await sendSprintReminders(app.parts);
    return mailsAt(time);
  };
  beforeEach(() => prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' }));

  test('leaves if that is before the next one', async () => {
    await choose({ to: '11:00' });
    expect(await remindAt('2026-11-20T10:00:00')).toEqual([]);
    expect(await mailsAt('2026-11-20T11:00:00')).toHaveLength(1);
  });

  test('never leaves after the sprint’s end', async () => {
    await choose({ to: '11:00' });
    expect(await remindAt('2026-11-23T08:00:00')).toEqual([]);
    expect(await mailsAt('2026-11-23T11:00:00')).toEqual([]);
    const { data } = await app.gql(await app.signIn(team.owner.id), '{ notices { kind } }');
    expect(data.notices).toEqual([{ kind: 'boundary' }]);
  });

  test('gives way to the next one: after a weekend there is one', async () => {
    await choose({ from: '09:00', to: '08:30', daysOff: true });
    expect(await remindAt('2026-11-20T10:00:00')).toEqual([]);
    expect(await remindAt('2026-11-23T08:00:00')).toEqual([]);
    const [mail, ...others] = await mailsAt('2026-11-23T08:30:00');
    expect(others).toEqual([]);
    expect(mail?.match(/ends Mon/g)).toHaveLength(2);
  });
});
