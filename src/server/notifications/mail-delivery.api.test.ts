import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { mostInMail } from '#core/notifications/notices.ts';
import { openMailer } from '#server/platform/mail/mailer.ts';
import { startTestApp, type TestApp, wednesday } from '../../../test/app.ts';
import { type MailServer, startMailServer } from '../../../test/mail-server.ts';
import { makeTeam, prepareTask, type Team, traces } from '../../../test/task-fixtures.ts';
import { startKeepingNotices } from './keep-notices.ts';
import { deliverMails } from './mail-delivery.service.ts';
import { gather } from './mail-delivery.store.ts';
import { sendDigests, sendSprintReminders } from './reminders.service.ts';

const publicUrl = 'https://dash.company.test';
const from = 'dashboard@company.test';

let post: MailServer;
let app: TestApp;
let beside: TestApp;
let team: Team;
let sprintId: string;

beforeAll(async () => {
  post = await startMailServer();
  const env = { SMTP_URL: post.url, MAIL_FROM: from, PUBLIC_URL: publicUrl };
  app = await startTestApp({ env });
  beside = await startTestApp({ env, beside: app });
  sprintId = await app.sprint();
});
afterAll(async () => {
  await beside.stop();
  await app.stop();
  await post.stop();
});
beforeEach(async () => {
  app.clock.set(wednesday);
  post.refuse(null);
  post.mails.length = 0;
  for (const table of ['notices', 'notice_mails', 'notice_runs', 'notice_choices'])
    await app.database.pool.query(`delete from ${table}`);
  await app.database.pool.query('update tasks set withdrawn_at = now()');
  team = await makeTeam(app);
});

const later = (minutes: number) => app.clock.set(app.clock.now().add({ minutes }).toString());
const deliver = () => deliverMails(app.parts);
const addressOf = async ({ id }: { id: string }) => {
  const { rows } = await app.database.pool.query<{ email: string }>('select email from people where id = $1', [id]);
  return (rows[0] as { email: string }).email;
};
const mailsTo = async (person: { id: string }) => {
  const address = await addressOf(person);
  return post.mails.filter(({ to }) => to.includes(address));
};

async function decide(title: string, status = 'TODO', change?: string): Promise<string> {
  const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title });
  const { errors } = await app.gql(
    await app.signIn(team.approver.id),
    'mutation ($id: ID!, $status: TaskStatus, $change: String) { updateTask(id: $id, status: $status, change: $change) { id } }',
    { id: task, status, change },
  );
  expect(errors).toBeUndefined();
  return task;
}

type Mail = { id: string; tries: number; due_at: string | null; failed_at: string | null; reason: string | null };
const outbox = async () => (await app.database.pool.query<Mail>('select * from notice_mails order by id')).rows;

describe('a link in a mail', () => {
  test('decides nothing by being opened, signed in or not', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, at: '2026-11-18T11:50:00Z' });
    await sendDigests(app.parts);
    await deliver();
    const before = await traces(app.database, task);
    const links = (await mailsTo(team.approver)).flatMap(({ text }) => text.match(/https?:\S+/g) ?? []);
    expect(links).toEqual([`${publicUrl}/top-5/approvals`, `${publicUrl}/dashboard?dialog=notices`]);
    for (const link of links) {
      const { pathname, search } = new URL(link);
      for (const headers of [{}, { authorization: `Bearer ${team.approver.token}` }])
        await app.call({ method: 'GET', url: pathname + search, headers });
    }
    expect(await traces(app.database, task)).toEqual(before);
  });
});

describe('a mail of a decision', () => {
  test('leaves minutes later, once for all servers, with the reason and a link to the task', async () => {
    const task = await decide('Größe prüfen', 'DENIED', 'Add numbers');
    await deliver();
    expect(post.mails).toEqual([]);
    later(5);
    await Promise.all([app, beside, app, beside].map(({ parts }) => deliverMails(parts)));
    expect(post.mails).toHaveLength(1);
    const [mail] = await mailsTo(team.owner);
    expect(mail?.headers.subject).toMatch(/denied “Größe prüfen”$/);
    expect(mail?.text).toContain(`  Add numbers\n${publicUrl}/top-5/tasks?task=${task}`);
    later(600);
    await deliver();
    expect(post.mails).toHaveLength(1);
  });

  test('says all that was decided meanwhile', async () => {
    await decide('One');
    later(4);
    await decide('Two');
    later(2);
    await deliver();
    expect(post.mails).toHaveLength(1);
    expect(post.mails[0]?.text).toMatch(/approved “One”[\s\S]*approved “Two”/);
  });

  test('lists a part of very many, what changed the account first, and how many more there are', async () => {
    const { id } = team.stranger;
    const facts = (n: string) =>
      `'{"kind":"access","lines":[]}'::jsonb || jsonb_build_object('lines', jsonb_build_array('Line ' || ${n}))`;
    const account = `'{"kind":"accountChanged","event":"passwordChanged","detail":{},"by":null,"origin":null}'::jsonb`;
    await app.database.pool.query(
      `insert into notices (person_id, kind, key, facts, at, in_app, mail_at)
       select $1::bigint, 'access', 'access:' || n, ${facts('n')}, $2::timestamptz, true, $2::timestamptz from generate_series(1, 2000) n
       union all select $1, 'accountChanged', 'account', ${account}, $2::timestamptz, true, $2::timestamptz`,
      [id, app.clock.now().toString()],
    );
    await deliver();
    const [mail, ...others] = await mailsTo(team.stranger);
    expect(others).toEqual([]);
    expect(mail?.headers.subject).toMatch(/^2,001 notifications from /);
    expect(mail?.text).toMatch(/^Hello .*\n\nYour password was changed\n/);
    expect(mail?.text.match(/Your access changed/g)).toHaveLength(mostInMail - 1);
    expect(mail?.text).toContain(`\nAnd 1,951 more:\n${publicUrl}/dashboard\n`);
  });

  test('leaves first to people whose account was changed, then to those who have waited longest', async () => {
    const people = [team.owner.id, team.approver.id, team.stranger.id].sort((a, b) => Number(a) - Number(b));
    const kinds = ['access', 'access', 'accountChanged'];
    for (const [index, id] of people.entries())
      await app.database.pool.query(
        `insert into notices (person_id, kind, key, facts, at, in_app, mail_at)
         values ($1, $2, 'a change', jsonb_build_object('kind', $2::text), $3, true, $3)`,
        [id, kinds[index], app.clock.now().subtract({ minutes: index }).toString()],
      );
    const now = app.clock.now().toString();
    const until = app.clock.now().add({ minutes: 10 }).toString();
    const next = async () => (await gather(app.database.drizzle, { now, settled: now, until, quiet: [] }))?.personId;
    const [newest, oldest, alarm] = people;
    expect([await next(), await next(), await next(), await next()]).toEqual([alarm, oldest, newest, undefined]);
  });

  test('isn’t queued for an imported person’s address, which can’t receive mail; the notification is', async () => {
    const { pool } = app.database;
    await pool.query("update people set email = 'otto@jira.import.invalid' where id = $1", [team.owner.id]);
    await decide('One');
    later(6);
    await deliver();
    expect([post.mails, await outbox()]).toEqual([[], []]);
    const { data } = await app.gql(team.owner.token, '{ unreadNotices }');
    expect(data).toEqual({ unreadNotices: 1 });
  });

  test('that was taken back, or read in the inbox before it left, does not leave', async () => {
    const undone = await decide('One');
    await app.gql(team.approver.token, 'mutation ($id: ID!) { undoDecision(taskId: $id) { id } }', { id: undone });
    await decide('Two');
    const { data } = await app.gql(team.owner.token, '{ notices { id } }');
    await app.gql(team.owner.token, 'mutation ($id: ID!) { markAllNotices(upTo: $id) }', { id: data.notices[0].id });
    later(6);
    await deliver();
    expect(post.mails).toEqual([]);
    expect(await outbox()).toEqual([]);
  });

  test('about access leaves even if it was read: a thief would read it first', async () => {
    const owner = await app.signIn(team.owner.id);
    const change = async (approverIds: string[]) => {
      const call = 'mutation ($c: [ApproversChange!]!) { setApprovers(changes: $c) { defaultVersion } }';
      const { errors } = await app.gql(await app.signIn(team.admin.id), call, {
        c: [{ userId: team.owner.id, approverIds }],
      });
      expect(errors).toBeUndefined();
    };
    const absence =
      'mutation ($id: ID!) { saveAbsence(userId: $id, firstDay: "2026-11-23", lastDay: "2026-11-24") { id } }';
    for (const mark of ['markNotices(ids: [$id], read: true)', 'markAllNotices(upTo: $id)']) {
      await change([team.otherApprover.id]);
      const { data } = await app.gql(owner, '{ notices { id } }');
      await app.gql(owner, `mutation ($id: ID!) { ${mark} }`, { id: data.notices[0].id });
      await app.database.pool.query('update notices set read_at = at where read_at is null');
      later(6);
      await deliver();
      expect((await mailsTo(team.owner)).map(({ headers }) => headers.subject)).toEqual(['Your access changed']);
      post.mails.length = 0;
      await change([team.approver.id]);
      await app.database.pool.query('delete from notices');
    }
    const saved = await app.gql(await app.signIn(team.admin.id), absence, { id: team.approver.id });
    expect(saved.errors).toBeUndefined();
    const approver = await app.signIn(team.approver.id);
    const { data } = await app.gql(approver, '{ notices { id kind } }');
    expect(data.notices).toMatchObject([{ kind: 'absence' }]);
    await app.gql(approver, 'mutation ($id: ID!) { markAllNotices(upTo: $id) }', { id: data.notices[0].id });
    later(6);
    await deliver();
    expect(await mailsTo(team.approver)).toHaveLength(1);
  });

  test('about access isn’t left out of a long mail for what is newer or less', async () => {
    const { id } = team.stranger;
    const at = app.clock.now().toString();
    const waiting = `'{"kind":"roleAnswered","personId":"1","person":"Ada","role":"R","given":"R","byId":"1","by":"B"}'::jsonb`;
    await app.database.pool.query(
      `insert into notices (person_id, kind, key, facts, at, in_app, mail_at)
       select $1::bigint, 'roleAnswered', 'answer:' || n, ${waiting}, $2::timestamptz, true, $2::timestamptz from generate_series(1, 200) n
       union all select $1, 'access', 'access', '{"kind":"access","lines":["Line"]}'::jsonb, $2::timestamptz, true, $2::timestamptz`,
      [id, at],
    );
    await deliver();
    const [mail] = await mailsTo(team.stranger);
    expect(mail?.text).toMatch(/^Hello .*\n\nYour access changed\n/);
  });

  test('does not go to who chose none, is disabled, or may not see the task any more', async () => {
    await decide('One');
    await app.gql(team.owner.token, 'mutation { chooseNotices(kind: decided, inApp: true, mail: false) { kind } }');
    later(6);
    await deliver();
    await app.gql(team.owner.token, 'mutation { chooseNotices(kind: decided, inApp: true, mail: true) { kind } }');
    await decide('Two');
    await app.database.pool.query('update people set disabled_at = now() where id = $1', [team.owner.id]);
    later(6);
    await deliver();
    await app.database.pool.query('update people set disabled_at = null where id = $1', [team.owner.id]);
    await decide('Three');
    await app.database.pool.query('update people set role = null where id = $1', [team.owner.id]);
    later(6);
    await deliver();
    expect(post.mails).toEqual([]);
  });
});

describe('while the mail server is down', () => {
  test('the decision is saved all the same, and its mail leaves when the server is back', async () => {
    const { port } = post;
    await post.stop();
    const task = await decide('One');
    later(6);
    await deliver();
    const [waiting] = await outbox();
    expect(waiting).toMatchObject({ tries: 1, failed_at: null, reason: expect.stringContaining('ECONNREFUSED') });
    expect(await traces(app.database, task)).toMatchObject({ task: { status: 'TODO' } });
    post = await startMailServer({ port });
    await deliver();
    expect(post.mails).toEqual([]);
    later(1);
    await deliver();
    expect(post.mails).toHaveLength(1);
    expect(await outbox()).toMatchObject([{ due_at: null, reason: null }]);
  });

  test('only a few mails are tried, not the whole heap', async () => {
    for (let made = 0; made < 8; made += 1) {
      const owner = await app.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], approvers: [team.approver.id] });
      await prepareTask(app.database, { ownerId: owner, sprintId, status: 'TODO' });
    }
    app.clock.set('2026-11-20T10:00:00Z');
    await sendSprintReminders(app.parts);
    post.refuse({ at: 'mail', code: 451, text: 'The disk is full' });
    await deliver();
    // Three senders start, and one that meets another's person ends: one to three tries.
    expect([1, 2, 3]).toContain((await outbox()).length);
    post.refuse(null);
    later(2);
    await deliver();
    expect(post.mails).toHaveLength(8);
  });

  test('mailboxes that refuse mail for now are retried without keeping others from getting theirs', async () => {
    const many = Array.from({ length: 5 }, () =>
      app.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], approvers: [team.approver.id] }),
    );
    for (const owner of await Promise.all(many))
      await prepareTask(app.database, { ownerId: owner, sprintId, status: 'TODO' });
    app.clock.set('2026-11-20T10:00:00Z');
    await sendSprintReminders(app.parts);
    post.refuse({ at: 'recipient', code: 450, text: 'Come back later' });
    await deliver();
    const tries = async () => (await outbox()).map((mail) => mail.tries);
    expect(await tries()).toEqual([1, 1, 1, 1, 1]);
    const full = await addressOf(team.owner);
    await decide('Late');
    post.refuse({ at: 'recipient', to: full, code: 452, text: 'The mailbox is full' });
    later(6);
    await deliver();
    expect(post.mails).toHaveLength(5);
    expect((await outbox()).filter(({ due_at }) => due_at !== null)).toMatchObject([
      { tries: 1, reason: expect.stringContaining('The mailbox is full') },
    ]);
  });

  test('a mail is given up after ten tries, admins see why, and may have it tried again', async () => {
    await decide('One');
    post.refuse({ at: 'mail', code: 451, text: 'The disk is full' });
    for (let tries = 0; tries < 12; tries += 1) {
      later(1_000);
      await deliver();
    }
    const [dead] = await outbox();
    expect(dead).toMatchObject({ tries: 10, due_at: null });
    const admin = await app.signIn(team.admin.id);
    const { data } = await app.gql(admin, '{ troubledMails { id to reason tries nextTry } }');
    expect(data.troubledMails).toMatchObject([
      { id: dead?.id, tries: 10, nextTry: null, reason: expect.stringContaining('The disk is full') },
    ]);
    post.refuse(null);
    // The second time, it is due already.
    for (let times = 0; times < 2; times += 1) {
      const again = await app.gql(admin, 'mutation ($ids: [ID!]!) { retryMails(ids: $ids) { nextTry } }', {
        ids: [dead?.id],
      });
      expect(again.data.retryMails[0].nextTry).not.toBeNull();
    }
    const audited = await app.database.pool.query("select 1 from audit_log where action = 'mailRetried'");
    expect(audited.rowCount).toBe(1);
    await deliver();
    expect(post.mails).toHaveLength(1);
    expect((await app.gql(admin, '{ troubledMails { id } }')).data.troubledMails).toEqual([]);
  });

  test('an address that the mail server refuses permanently is given up at once, and keeps no other mail from leaving', async () => {
    await decide('One');
    later(6);
    post.refuse({ at: 'recipient', code: 550, text: 'No such person' });
    await deliver();
    expect(await outbox()).toMatchObject([
      { tries: 1, due_at: null, reason: expect.stringContaining('No such person') },
    ]);
  });
});

test.each([
  ['not yet queued', false],
  ['waiting for a retry', true],
])('a mention is mailed after its note was removed and restored, and not while it is removed: %s', async (_, tried) => {
  const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title: 'Report' });
  const change = async (field: string, more: object = {}) => {
    const document = `mutation ($t: ID!, ${field} { notes { id } } }`;
    const { data, errors } = await app.gql(await app.signIn(team.approver.id), document, { t: task, ...more });
    expect(errors).toBeUndefined();
    return { data };
  };
  const x = `Call today [@Anna](person:${team.admin.id})`;
  const { data } = await change('$x: String!) { addNoteToTask(taskId: $t, text: $x)', { x });
  const again = async () => {
    later(60);
    await deliver();
    return (await mailsTo(team.admin)).length;
  };
  if (tried) {
    post.refuse({ at: 'mail', code: 451, text: 'The disk is full' });
    expect(await again()).toBe(0);
    post.refuse(null);
  }
  await change('$i: Int!) { removeNoteFromTask(taskId: $t, noteIndex: $i)', { i: 0 });
  expect(await again()).toBe(0);
  await change('$n: ID!) { restoreNote(taskId: $t, noteId: $n)', { n: data.addNoteToTask.notes[0].id });
  expect(await again()).toBe(1);
  expect((await mailsTo(team.admin))[0]?.text).toMatch(/Call today @Person \d+/);
  expect(await again()).toBe(1);
});

test('a server that ends in the middle loses no mail: another sends it, under the same Message-ID', async () => {
  await decide('One');
  later(6);
  let accepted = () => {};
  const isAccepted = new Promise<void>((resolve) => {
    accepted = resolve;
  });
  const mailer = openMailer(app.parts.config);
  // The mail was sent, but the server dies before it records that.
  const dying = {
    configured: true,
    send: async (mail: Parameters<typeof mailer.send>[0]) => {
      await mailer.send(mail);
      accepted();
      return new Promise<void>(() => {});
    },
  };
  void deliverMails({ ...app.parts, mail: dying });
  await isAccepted;
  later(2);
  await deliverMails(beside.parts);
  expect(post.mails).toHaveLength(1);
  later(2);
  await deliverMails(beside.parts);
  later(60);
  await deliverMails(beside.parts);
  expect(post.mails).toHaveLength(2);
  expect(new Set(post.mails.map(({ headers }) => headers['message-id'])).size).toBe(1);
});

test('of what waits there is one mail, and none when nothing waits any more', async () => {
  for (const title of ['A', 'B'])
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title, at: '2026-11-18T11:50:00Z' });
  await sendDigests(app.parts);
  await deliver();
  expect((await mailsTo(team.approver)).map(({ headers }) => headers.subject)).toEqual([
    '2 tasks are waiting for your decision',
  ]);
  await prepareTask(app.database, { ownerId: team.owner.id, sprintId, at: '2026-11-18T16:10:00Z' });
  app.clock.set('2026-11-18T16:16:00Z');
  await sendDigests(app.parts);
  await app.database.pool.query("update tasks set status = 'TODO' where owner_id = $1", [team.owner.id]);
  await deliver();
  expect(await mailsTo(team.approver)).toHaveLength(1);
});

test('a digest names the overdue and the oldest tasks with their owners, and counts the others', async () => {
  const early = { ownerId: team.owner.id, sprintId, at: '2026-11-16T11:50:00Z' };
  await prepareTask(app.database, { ...early, title: 'Late\none' });
  for (const minute of [50, 40, 30, 20, 10])
    await prepareTask(app.database, { ...early, title: `At ${minute}`, at: `2026-11-18T11:${minute}:00Z` });
  await prepareTask(app.database, { ...early, ownerId: team.stranger.id, title: 'Another approver’s' });
  app.clock.set('2026-11-18T12:15:00Z');
  await sendDigests(app.parts);
  await deliver();
  const [mail] = await mailsTo(team.approver);
  const [, name] = mail?.text.match(/^ {2}(.+): “Late one”/m) ?? [];
  expect(name).toMatch(/\w/);
  const line = (title: string, since: string) => `  ${name}: “${title}”, since ${since}`;
  expect(mail?.text).toContain(
    [
      ...['6 tasks are waiting for your decision', `${line('Late one', 'Mon 16 Nov 11:50')}, overdue`],
      ...[10, 20, 30, 40].map((minute) => line(`At ${minute}`, `Wed 18 Nov 11:${minute}`)),
      '  And 1 more\n',
    ].join('\n'),
  );
});

test('a digest names tasks of a later sprint after those of this one', async () => {
  const next = await app.sprint(
    app.clock
      .now()
      .add({ hours: 24 * 7 })
      .toString(),
  );
  await prepareTask(app.database, {
    ownerId: team.owner.id,
    sprintId: next,
    title: 'Planned',
    at: '2026-11-18T11:00:00Z',
  });
  for (const minute of [20, 30, 40, 50]) {
    const at = `2026-11-18T11:${minute}:00Z`;
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title: `At ${minute}`, at });
  }
  app.clock.set('2026-11-18T12:15:00Z');
  await sendDigests(app.parts);
  await deliver();
  const [mail] = await mailsTo(team.approver);
  const named = [...(mail?.text ?? '').matchAll(/“(At \d\d|Planned)”/g)].map(([, title]) => title);
  expect(named).toEqual(['At 20', 'At 30', 'At 40', 'At 50', 'Planned']);
});

test('what only a newer version knows is left to its servers to mail', async () => {
  await decide('One');
  const praise = `insert into notices (person_id, kind, key, facts, at, in_app, mail_at, mail_id)
    values ($1, 'praised', $2, '{"kind":"praised"}', now(), true, $3, $4)`;
  await app.database.pool.query(praise, [team.owner.id, 'praised:1', wednesday, null]);
  later(6);
  await deliver();
  expect((await mailsTo(team.owner)).map(({ headers }) => headers.subject)).toEqual([
    expect.stringContaining('approved “One”'),
  ]);
  // Such a mail of a server that ended.
  const { rows } = await app.database.pool.query(
    'insert into notice_mails (person_id, due_at, tries) values ($1, $2, 1) returning id',
    [team.owner.id, wednesday],
  );
  await app.database.pool.query(praise, [team.owner.id, 'praised:2', null, rows[0].id]);
  await deliver();
  expect((await outbox()).map(({ due_at }) => due_at !== null)).toEqual([false, true]);
  const { rows: left } = await app.database.pool.query(
    "select mail_at is null as mailed, mail_id from notices where kind = 'praised' order by id",
  );
  expect(left).toEqual([
    { mailed: false, mail_id: null },
    { mailed: true, mail_id: rows[0].id },
  ]);
});

test('the end of a sprint is not mailed after it, however long the mail server was down', async () => {
  await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
  app.clock.set('2026-11-23T09:58:00Z');
  await sendSprintReminders(app.parts);
  post.refuse({ at: 'mail', code: 451, text: 'Later' });
  await deliver();
  post.refuse(null);
  app.clock.set('2026-11-23T10:00:00Z');
  await deliver();
  expect(post.mails).toEqual([]);
  expect(await outbox()).toEqual([]);
});

test('a reminder doesn’t wait until the mail server has taken the mails before it', async () => {
  await decide('One');
  later(5);
  let take = () => {};
  const taken = new Promise<void>((resolve) => {
    take = resolve;
  });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const send = vi.fn(() => taken);
  const keeping = startKeepingNotices({ ...app.parts, mail: { configured: true, send } });
  try {
    await expect.poll(() => send).toHaveBeenCalled();
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    app.clock.set('2026-11-20T10:00:00Z');
    const ends = async () =>
      (await app.database.pool.query("select from notices where kind = 'boundary'")).rowCount ?? 0;
    const endsLater = () => {
      vi.advanceTimersByTime(15_000);
      return ends();
    };
    await expect.poll(endsLater).toBe(1);
  } finally {
    take();
    await keeping.stop();
    vi.useRealTimers();
  }
});

test('without a mail server nothing is kept to be mailed some day', async () => {
  const silent = await startTestApp();
  const people = await makeTeam(silent);
  const task = await prepareTask(silent.database, { ownerId: people.owner.id, sprintId: await silent.sprint() });
  await silent.gql(people.approver.token, 'mutation ($id: ID!) { updateTask(id: $id, status: TODO) { id } }', {
    id: task,
  });
  const { rows } = await silent.database.pool.query('select in_app, mail_at from notices');
  expect(rows).toEqual([{ in_app: true, mail_at: null }]);
  expect((await silent.gql(people.owner.token, '{ sendsMails }')).data).toEqual({ sendsMails: false });
  await silent.stop();
});
