// Questions and answers about a bonus reach the right people in the inbox and by mail.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Permission } from '#core/access/permissions.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { type MailServer, startMailServer } from '../../../test/mail-server.ts';
import { approving, type Someone, someone, staff } from '../../../test/task-fixtures.ts';
import { deliverMails } from './mail-delivery.service.ts';

const publicUrl = 'https://dash.company.test';
const page: Permission = 'VIEW_TOP_5_BONUS_STRUCTURE';

let post: MailServer;
let app: TestApp;
let admin: Someone;
let approver: Someone;
let second: Someone;
let owner: Someone;
let sprintId: string;
let statementId: string;

beforeEach(async () => {
  post = await startMailServer();
  app = await startTestApp({ env: { SMTP_URL: post.url, MAIL_FROM: 'dashboard@company.test', PUBLIC_URL: publicUrl } });
  admin = await someone(app, { role: 'admin', firstName: 'Ada', lastName: 'Admin' });
  approver = await someone(app, { permissions: [...approving, page], firstName: 'Ben', lastName: 'Ode' });
  second = await someone(app, { permissions: [...approving, page] });
  const approvers = [approver.id, second.id];
  owner = await someone(app, { permissions: [...staff, page], approvers, firstName: 'Cat', lastName: 'Crew' });
  sprintId = await app.sprint('2026-11-10T12:00:00Z');
  statementId = await statementOf(owner);
});
afterEach(async () => {
  await app.stop();
  await post.stop();
});

/** A statement as the end of a week records it. */
async function statementOf({ id }: Someone): Promise<string> {
  const line = { key: 'signedOff', part: 1, whole: 2, waived: false, amount: '10' };
  const { rows } = await app.database.pool.query<{ id: string }>(
    `with plan as (
       insert into bonus_plans (version, from_sprint_id, base, currency, fair_hours, components, created_by, created_at)
       values (1, $1, 1000000, 'USD', 24, '{}', $3, now()) returning id)
     insert into bonus_statements (sprint_id, person_id, plan_id, amount, lines, tasks)
     select $1, $2, id, 100000, $4, '[]' from plan returning id::text`,
    [sprintId, id, admin.id, JSON.stringify([line])],
  );
  return rows[0]?.id as string;
}

const say = (who: Someone, text: string, key?: string) =>
  app.call({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: `Bearer ${who.token}`, ...(key ? { 'idempotency-key': key } : {}) },
    payload: {
      query:
        'mutation ($id: ID!, $text: String!) { addBonusMessage(statementId: $id, line: signedOff, text: $text) { id } }',
      variables: { id: statementId, text },
    },
  });
type Shown = { kind: string; sentence: string; detail: string | null; path: string };
const inboxOf = async ({ token }: Someone): Promise<Shown[]> =>
  (await app.gql(token, '{ notices { kind sentence detail path } }')).data.notices;
const kindsOf = async (who: Someone) => (await inboxOf(who)).map(({ kind }) => kind);
const choose = (who: Someone, kind: string, inApp: boolean, mail: boolean) =>
  app.gql(who.token, `mutation { chooseNotices(kind: ${kind}, inApp: ${inApp}, mail: ${mail}) { kind } }`);
async function mailed(): Promise<{ to: readonly string[]; text: string }[]> {
  app.clock.set(app.clock.now().add({ minutes: 6 }).toString());
  await deliverMails(app.parts);
  return post.mails.splice(0);
}

describe('a question about a bonus', () => {
  test('that is refused tells nobody', async () => {
    const stranger = await someone(app, { permissions: [...approving, page] });
    await say(stranger, 'And mine?');
    await say(owner, ' ');
    await say(approver, 'Nobody asked');
    for (const who of [approver, second, admin, owner]) expect(await inboxOf(who)).toEqual([]);
  });

  test('is told to the approvers who may answer it, once however often it is sent and added to', async () => {
    await say(owner, 'Why one?', 'key');
    await say(owner, 'Why one?', 'key');
    await say(owner, 'I count two');
    const told = {
      kind: 'asked',
      sentence: 'Cat Crew asked about “Signed-off share” for sprint 2026 W46',
      detail: 'Why one?',
      path: `/top-5/tools/bonus?person=${owner.id}&sprint=${sprintId}&line=signedOff`,
    };
    expect([await inboxOf(approver), await inboxOf(second)]).toEqual([[told], [told]]);
    expect([await inboxOf(admin), await inboxOf(owner)]).toEqual([[], []]);
  });

  test('comes to admins where no approver may answer it', async () => {
    for (const { id } of [approver, second])
      await app.database.pool.query('update people set grants = $2 where id = $1', [id, [page]]);
    await app.database.pool.query(
      `update roles set permissions = array_remove(permissions, 'VIEW_TOP_5_APPROVALS') where name in (select role from people where id = any($1))`,
      [[approver.id, second.id]],
    );
    await say(owner, 'Why one?');
    expect([await kindsOf(admin), await kindsOf(approver)]).toEqual([['asked'], []]);
  });

  test('is shown and mailed no more to who decides for the person no longer', async () => {
    await say(owner, 'Why one?');
    await app.database.pool.query('delete from approvers where person_id = $1 and approver_id = $2', [
      owner.id,
      approver.id,
    ]);
    expect([await kindsOf(approver), await kindsOf(second)]).toEqual([[], ['asked']]);
    expect(await mailed()).toHaveLength(1);
  });

  test('is answered by nobody who only follows the link of its mail', async () => {
    await say(owner, 'Why one?');
    const links = (await mailed()).flatMap(({ text }) => text.match(/https?:\S+bonus\S+/g) ?? []);
    expect(links).toHaveLength(2);
    for (const link of links) {
      const { pathname, search } = new URL(link);
      for (const headers of [{}, { authorization: `Bearer ${approver.token}` }])
        await app.call({ method: 'GET', url: pathname + search, headers });
    }
    const { rows } = await app.database.pool.query('select is_question from bonus_messages');
    expect(rows).toEqual([{ is_question: true }]);
  });
});

describe('an answer', () => {
  test('is told to who asked, and to the other approvers the question waits no more', async () => {
    await say(owner, 'Why one?');
    await say(approver, 'There was one');
    expect(await inboxOf(owner)).toEqual([
      {
        kind: 'answered',
        sentence: 'Ben Ode answered your question about “Signed-off share” for sprint 2026 W46',
        detail: 'There was one',
        path: `/top-5/tools/bonus?sprint=${sprintId}&line=signedOff`,
      },
    ]);
    expect([await inboxOf(approver), await inboxOf(second), await inboxOf(admin)]).toEqual([[], [], []]);
    expect(await mailed()).toMatchObject([{ text: expect.stringContaining('  There was one') }]);
    await say(owner, 'Was there?');
    expect(await inboxOf(second)).toMatchObject([{ detail: 'Was there?' }]);
  });

  test('reaches the inbox and the mails as the person chose for it alone', async () => {
    await choose(owner, 'answered', false, true);
    await choose(second, 'asked', true, false);
    await choose(approver, 'asked', false, false);
    await say(owner, 'Why one?');
    expect([await kindsOf(approver), await kindsOf(second)]).toEqual([[], ['asked']]);
    expect(await mailed()).toEqual([]);
    await say(admin, 'There was one');
    expect(await inboxOf(owner)).toEqual([]);
    expect(await mailed()).toMatchObject([{ text: expect.stringContaining('Ada Admin answered') }]);
  });

  test('that cannot be saved whole leaves neither the message nor the notice', async () => {
    await say(owner, 'Why one?');
    await app.asOwner(`
      create function break_commit() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create constraint trigger broken after insert on bonus_messages deferrable initially deferred
        for each row execute function break_commit()`);
    await say(approver, 'There was one');
    await app.asOwner('drop trigger broken on bonus_messages; drop function break_commit()');
    expect([await kindsOf(owner), await kindsOf(approver)]).toEqual([[], ['asked']]);
  });
});
