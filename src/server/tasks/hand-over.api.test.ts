// Hand-overs (D41): a task that waited too long for its approver also goes to the next in line.

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isAdmin } from '#core/access/access.ts';
import { actsAsApprover, canSeeTasksOf, isDecider, isHandedTo, type TaskOwner } from '#core/tasks/task.ts';
import { sendDigests, sendHandOvers, sendSprintReminders } from '#server/notifications/reminders.service.ts';
import { readViewerOfPerson } from '#server/platform/viewer.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { chooser } from '../../../test/sampling.ts';
import { approving, prepareTask, type Someone, someone, staff, takeOff } from '../../../test/task-fixtures.ts';
import { handOverDue, ownerOfTask } from './hand-over.ts';
import { allTaskParts } from './task-columns.ts';
import { findTaskIds } from './task-search.ts';
import { findAwaiting, findTasks } from './tasks.store.ts';
import { decidesForOthers, isVisibleTo } from './visible-tasks.ts';

let server: TestApp;
let sprintId: string;
let people: Record<'admin' | 'otherAdmin' | 'bea' | 'ada' | 'owner' | 'delegate' | 'stranger', Someone>;

const now = '2026-11-18T12:00:00Z';
/** Eight working hours before. */
const due = '2026-11-17T12:00:00Z';

beforeAll(async () => {
  server = await startTestApp();
  sprintId = await server.sprint(now);
  const admin = await someone(server, { role: 'admin' });
  const named = (firstName: string, lastName: string, approvers: string[], permissions = approving) =>
    someone(server, { firstName, lastName, permissions, approvers });
  const bea = await named('Bea', 'Cole', [admin.id]);
  const ada = await named('Ada', 'North', [bea.id]);
  people = {
    ...{ admin, bea, ada, otherAdmin: await someone(server, { role: 'admin' }) },
    owner: await named('Otto', 'Own', [ada.id], staff),
    delegate: await named('Dan', 'Kim', [admin.id]),
    stranger: await named('Stan', 'Ger', [admin.id]),
  };
});
afterAll(() => server.stop());
beforeEach(async () => {
  server.clock.set(now);
  for (const table of ['notice_runs', 'notices', 'absences']) await server.database.pool.query(`delete from ${table}`);
  await server.database.pool.query("update tasks set status = 'DONE'");
  await setHours(8);
});

async function setHours(hours: number): Promise<void> {
  const call = `mutation ($value: String) { changeSetting(key: "handOverHours", value: $value) { value } }`;
  const admin = await server.signIn(people.admin.id);
  expect((await server.gql(admin, call, { value: String(hours) })).code).toBeNull();
  await expect.poll(() => server.parts.settings().handOverHours).toBe(hours);
}

const waiting = (more: Partial<Parameters<typeof prepareTask>[1]> = {}) =>
  prepareTask(server.database, { ownerId: people.owner.id, sprintId, at: due, ...more });
const decide = async (by: Someone, taskId: string) => {
  const call = 'mutation ($d: [TaskDecision!]!) { decideTasks(decisions: $d) { ok code } }';
  const answer = await server.gql(by.token, call, { d: [{ taskId, decision: 'approve' }] });
  return answer.code ?? answer.data.decideTasks[0].code ?? 'made';
};
const sees = async (by: Someone, taskId: string) =>
  (await server.gql(by.token, 'query ($id: ID!) { tasks(taskId: $id) { id } }', { id: taskId })).data.tasks.length ===
  1;
const inboxOf = async (by: Someone): Promise<string[]> => {
  const { data } = await server.gql(by.token, '{ inbox { id } inboxCount { toApprove toSignOff } }');
  expect(data.inboxCount.toApprove + data.inboxCount.toSignOff).toBe(data.inbox.length);
  return data.inbox.map(({ id }: { id: string }) => id);
};
const goAway = (who: Someone, delegate: Someone | null) =>
  server.database.pool.query(
    "insert into absences (person_id, first_day, last_day, delegate_id) values ($1, '2026-11-10', '2026-11-30', $2)",
    [who.id, delegate?.id ?? null],
  );
const setApprovers = async (who: Someone, approvers: Someone[]) => {
  await server.database.pool.query('delete from approvers where person_id = $1', [who.id]);
  for (const { id } of approvers)
    await server.database.pool.query('insert into approvers (person_id, approver_id) values ($1, $2)', [who.id, id]);
};
const handedOver = async (by: Someone, taskId: string) =>
  (
    await server.gql(
      by.token,
      'query ($id: ID!) { tasks(taskId: $id) { handedOver { approvers toAdmins nextInLine { id displayName } } } }',
      { id: taskId },
    )
  ).data.tasks[0]?.handedOver;

test('nobody else gains anything: not too early, not out of line, not while it is off, and no other task', async () => {
  const { bea, stranger, owner, ada } = people;
  const late = await waiting();
  const early = await waiting({ at: '2026-11-17T12:00:01Z' });
  const todo = await waiting({ status: 'TODO' });
  const own = await waiting({ ownerId: bea.id });
  expect([await decide(bea, early), await decide(bea, todo)]).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  expect([await sees(bea, early), await sees(bea, todo)]).toEqual([false, false]);
  expect([await decide(stranger, late), await decide(owner, late)]).toEqual(['NOT_FOUND', 'FORBIDDEN']);
  expect(await inboxOf(stranger)).toEqual([]);
  expect(await decide(bea, own)).toBe('FORBIDDEN');
  // People, their other tasks and new tasks stay out of reach.
  const create = 'mutation ($userId: ID!) { createTask(userId: $userId, title: "New") { id } }';
  expect((await server.gql(bea.token, create, { userId: owner.id })).code).toBe('NOT_FOUND');
  const { data } = await server.gql(bea.token, '{ people { id } }');
  expect(data.people.map(({ id }: { id: string }) => id)).not.toContain(owner.id);
  await setHours(0);
  expect([await decide(bea, late), await sees(bea, late), await inboxOf(bea)]).toEqual(['NOT_FOUND', false, []]);
  expect(await handedOver(owner, late)).toBeNull();
  expect(await decide(ada, late)).toBe('made');
});

test('a company holiday is no time in which it waited', async () => {
  const admin = await server.signIn(people.admin.id);
  await setHours(7);
  await takeOff(server, admin, '2026-11-17/2026-11-18 Holidays');
  const [since, before] = [await waiting(), await waiting({ at: '2026-11-16T09:00:00Z' })];
  expect([await sees(people.bea, since), await sees(people.bea, before)]).toEqual([false, true]);
  await takeOff(server, admin, '');
  expect(await sees(people.bea, since)).toBe(true);
});

test('the next in line finds it, decides for the approver and can undo that, and the history names both', async () => {
  const { bea, ada, owner, admin } = people;
  const title = 'Late plan';
  const [late, early] = [await waiting({ title }), await waiting({ title, at: '2026-11-18T09:00:00Z' })];
  expect([await inboxOf(bea), await inboxOf(ada)]).toEqual([[late], [late, early]]);
  expect(await inboxOf(admin)).toEqual([]);
  for (const who of [owner, ada, bea])
    expect(await handedOver(who, late)).toEqual({
      ...{ approvers: ['Ada North'], toAdmins: false },
      nextInLine: [{ id: bea.id, displayName: 'Bea Cole' }],
    });
  expect([await handedOver(owner, early), await handedOver(bea, early)]).toEqual([null, undefined]);
  const note = 'mutation ($id: ID!) { addNoteToTask(taskId: $id, text: "Why?") { id } }';
  expect((await server.gql(bea.token, note, { id: late })).code).toBeNull();
  const mention = 'query ($id: ID!) { mentionable(taskId: $id, name: "Ott") { displayName } }';
  expect((await server.gql(bea.token, mention, { id: late })).data.mentionable).toEqual([{ displayName: 'Otto Own' }]);
  // A mention reaches them, until the task is no longer theirs to decide.
  const ask = 'mutation ($id: ID!, $text: String!) { addNoteToTask(taskId: $id, text: $text) { id } }';
  await server.gql(owner.token, ask, { id: late, text: `Please [@Bea](person:${bea.id})` });
  const mentions = async () =>
    (await server.gql(bea.token, '{ notices { kind } }')).data.notices.map(({ kind }: { kind: string }) => kind);
  expect(await mentions()).toContain('mentioned');
  await setHours(100);
  expect(await mentions()).not.toContain('mentioned');
  await setHours(8);
  expect(await decide(bea, late)).toBe('made');
  const past = 'query ($id: ID!) { tasks(taskId: $id) { status history { event actorName forName } } }';
  const read = async (by: Someone) => (await server.gql(by.token, past, { id: late })).data.tasks[0];
  expect((await read(owner)).history.at(-1)).toEqual({
    event: 'approved',
    actorName: 'Bea Cole',
    forName: 'Ada North',
  });
  const { rows } = await server.database.pool.query(
    "select after from audit_log where action = 'taskApproved' and subject_id = $1",
    [late],
  );
  expect(rows).toEqual([{ after: expect.objectContaining({ forId: ada.id }) }]);
  const told = (await server.gql(owner.token, '{ notices { sentence } }')).data.notices;
  expect(told[0].sentence).toBe('Bea Cole for Ada North approved “Late plan”');
  // What one decided stays in one's decisions, until it waits for the approver again.
  const decided = async () => (await server.gql(bea.token, '{ decided { task { id } } }')).data.decided;
  expect([(await read(bea)).status, await decided()]).toEqual(['TODO', [{ task: { id: late } }]]);
  const find = 'query ($text: String) { tasks(find: $text, limit: 20) { id } }';
  for (const text of ['late', 'otto', 'own late'])
    expect((await server.gql(bea.token, find, { text })).data.tasks).toEqual([{ id: late }]);
  const undo = 'mutation ($id: ID!) { undoDecision(taskId: $id) { status } }';
  expect((await server.gql(bea.token, undo, { id: late })).data.undoDecision.status).toBe('INAPPROVAL');
  expect([await inboxOf(bea), await decide(bea, late), await inboxOf(ada)]).toEqual([[late], 'made', [early]]);
  const move = 'mutation ($id: ID!, $status: TaskStatus) { updateTask(id: $id, status: $status) { status } }';
  await server.gql(owner.token, move, { id: late, status: 'INREVIEW' });
  expect([await sees(bea, late), await decide(bea, late), await decided()]).toEqual([false, 'NOT_FOUND', []]);
});

test('pages have the own tasks before those handed over, whatever waits longer', async () => {
  const { bea, ada } = people;
  const handed = [await waiting(), await waiting()];
  const own = await waiting({ ownerId: ada.id, at: now });
  const page = async (after?: string) =>
    (
      await server.gql(
        bea.token,
        'query ($after: String) { inboxPage(status: INAPPROVAL, limit: 2, after: $after) { next tasks { id } } }',
        { after },
      )
    ).data.inboxPage;
  const first = await page();
  const second = await page(first.next);
  expect([...first.tasks, ...second.tasks].map(({ id }) => id)).toEqual([own, ...handed]);
  expect(second.next).toBeNull();
  const { data } = await server.gql(bea.token, '{ inboxOverview { people toApprove { waiting overdue later } } }');
  expect(data.inboxOverview).toEqual({ people: 2, toApprove: { waiting: 3, overdue: 0, later: 0 } });
});

test('the link to a file of it opens for the next in line while it is theirs to decide', async () => {
  const { bea, owner } = people;
  const late = await waiting();
  const part = (name: string, value: string, file = '') =>
    `--mark\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  const file = part('attachment', 'A plan', '; filename="plan.txt"');
  const payload = `${part('taskId', late)}${part('authorization', owner.token)}${file}--mark--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=mark' };
  expect((await server.call({ method: 'POST', url: '/attachment', payload, headers })).statusCode).toBe(201);
  const read = 'query ($id: ID!) { tasks(taskId: $id) { attachments { url } } }';
  const { data } = await server.gql(bea.token, read, { id: late });
  const open = async () => (await server.call({ method: 'GET', url: data.tasks[0].attachments[0].url })).statusCode;
  expect(await open()).toBe(200);
  await setHours(100);
  expect(await open()).toBe(404);
});

test('its delegate decides for an absent next in line, and never a task of their own', async () => {
  const { bea, delegate, owner } = people;
  const late = await waiting();
  await goAway(bea, delegate);
  expect([await inboxOf(delegate), await handedOver(delegate, late)]).toEqual([[late], expect.any(Object)]);
  expect(await decide(delegate, late)).toBe('made');
  const query = 'query ($id: ID!) { tasks(taskId: $id) { history { actorName forName } } }';
  const { data } = await server.gql(owner.token, query, { id: late });
  expect(data.tasks[0].history.at(-1)).toEqual({ actorName: 'Dan Kim', forName: 'Ada North' });
  // The delegate's own task waits for Ada too.
  await setApprovers(delegate, [people.ada]);
  const own = await waiting({ ownerId: delegate.id });
  expect([await inboxOf(delegate), await decide(delegate, own)]).toEqual([[], 'FORBIDDEN']);
  await setApprovers(delegate, [people.admin]);
  // In a circle the owner approves their approver: that gives the owner's delegate nothing of the owner's.
  const { ada, stranger, admin } = people;
  await setApprovers(stranger, [ada]);
  await setApprovers(ada, [stranger]);
  await goAway(stranger, delegate);
  const circular = await waiting({ ownerId: stranger.id });
  expect(await inboxOf(delegate)).toEqual([]);
  expect([await sees(delegate, circular), await decide(delegate, circular)]).toEqual([false, 'NOT_FOUND']);
  await setApprovers(stranger, [admin]);
  await setApprovers(ada, [bea]);
});

test('where nobody else is in line, or nobody who is here, admins find it', async () => {
  const { bea, ada, owner, admin, otherAdmin } = people;
  const late = await waiting();
  await goAway(bea, null);
  expect([await inboxOf(admin), await inboxOf(bea)]).toEqual([[late], [late]]);
  await server.database.pool.query('delete from absences');
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [bea.id]);
  expect(await inboxOf(admin)).toEqual([late]);
  await server.database.pool.query('update people set disabled_at = null where id = $1', [bea.id]);
  expect(await inboxOf(admin)).toEqual([]);
  // A circle: the only one in line is the owner.
  await setApprovers(ada, [owner]);
  expect([await inboxOf(admin), await inboxOf(otherAdmin), await inboxOf(bea)]).toEqual([[late], [late], []]);
  expect(await handedOver(owner, late)).toEqual({ approvers: ['Ada North'], toAdmins: true, nextInLine: [] });
  expect(await decide(admin, late)).toBe('made');
  const { rows } = await server.database.pool.query(
    'select for_id::text from task_history where task_id = $1 order by id desc limit 1',
    [late],
  );
  expect(rows).toEqual([{ for_id: ada.id }]);
  // The only admin approves already, so nobody is left to hand it over to.
  const last = await waiting();
  await setApprovers(owner, [admin]);
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [otherAdmin.id]);
  expect(await handedOver(owner, last)).toBeNull();
  await server.database.pool.query('update people set disabled_at = null where id = $1', [otherAdmin.id]);
  expect(await handedOver(owner, last)).toMatchObject({ toAdmins: true });
  await setApprovers(owner, [ada]);
  await setApprovers(ada, [bea]);
});

test('admins find it too while the next in line is away and their delegate can’t decide it', async () => {
  const { bea, ada, owner, delegate, admin, otherAdmin } = people;
  const { pool } = server.database;
  const late = await waiting();
  const found = async () => [await inboxOf(admin), (await handedOver(owner, late)).toAdmins];
  const clerk = await someone(server, { permissions: staff, approvers: [admin.id] });
  // The approver who let it wait, the owner, and someone without the permission.
  for (const unable of [ada, owner, clerk]) {
    await goAway(bea, unable);
    expect(await found()).toEqual([[late], true]);
    await pool.query('delete from absences');
  }
  await goAway(bea, delegate);
  expect(await found()).toEqual([[], false]);
  await pool.query('update people set disabled_at = now() where id = $1', [delegate.id]);
  expect(await found()).toEqual([[late], true]);
  await pool.query('update people set disabled_at = null where id = $1', [delegate.id]);
  await goAway(delegate, null);
  expect(await found()).toEqual([[late], true]);
  await sendHandOvers(server.parts);
  for (const who of [bea, admin, otherAdmin]) {
    const { data } = await server.gql(who.token, '{ notices { kind } }');
    expect(data.notices).toEqual([{ kind: 'handedOver' }]);
  }
});

test('the next in line is told once, in one notification, and nobody while it is off', async () => {
  const { bea, ada, owner, admin, delegate } = people;
  const told = async (by: Someone) =>
    (await server.gql(await server.signIn(by.id), '{ notices { kind sentence } }')).data.notices
      .filter(({ kind }: { kind: string }) => kind === 'handedOver')
      .map(({ sentence }: { sentence: string }) => sentence);
  await waiting();
  await waiting({ status: 'INREVIEW', at: '2026-11-16T11:00:00Z' });
  await waiting({ at: '2026-11-17T12:10:00Z' });
  await setHours(0);
  await sendHandOvers(server.parts);
  expect(await told(bea)).toEqual([]);
  await setHours(8);
  await goAway(bea, delegate);
  await Promise.all([1, 2, 3].map(() => sendHandOvers(server.parts)));
  await sendDigests(server.parts);
  for (const who of [bea, delegate]) expect(await told(who)).toEqual(['2 tasks were handed over to you']);
  for (const who of [ada, owner, admin]) expect(await told(who)).toEqual([]);
  server.clock.set('2026-11-18T12:15:00Z');
  await sendHandOvers(server.parts);
  expect(await told(bea)).toEqual(['3 tasks were handed over to you']);
  // Nights count nothing.
  await waiting({ at: '2026-11-17T16:59:00Z' });
  for (const at of ['2026-11-18T20:00:00Z', '2026-11-19T07:00:00Z']) {
    server.clock.set(at);
    await sendHandOvers(server.parts);
  }
  expect(await told(bea)).toEqual(['4 tasks were handed over to you']);
  await setApprovers(ada, []);
  await waiting({ at: '2026-11-18T09:30:00Z' });
  server.clock.set('2026-11-19T10:00:00Z');
  await sendHandOvers(server.parts);
  expect([await told(admin), await told(bea)]).toEqual([['5 tasks were handed over to you'], []]);
  await setApprovers(ada, [bea]);
});

test('a task planned early waits from the start of its sprint', async () => {
  const { bea, owner } = people;
  const next = await server.sprint('2026-11-25T12:00:00Z');
  const early = await waiting({ sprintId: next });
  await sendHandOvers(server.parts);
  expect([await inboxOf(bea), await sees(bea, early), await decide(bea, early)]).toEqual([[], false, 'NOT_FOUND']);
  expect(await handedOver(owner, early)).toBeNull();
  server.clock.set('2026-11-24T12:00:00Z');
  await sendHandOvers(server.parts);
  const later = async ({ id }: Someone) => ({ id, token: await server.signIn(id) });
  expect(await inboxOf(await later(bea))).toEqual([early]);
  expect(await handedOver(await later(owner), early)).not.toBeNull();
  const { data } = await server.gql((await later(bea)).token, '{ notices { kind sentence } }');
  expect(data.notices).toContainEqual({ kind: 'handedOver', sentence: '1 task was handed over to you' });
});

test('the notification counts what still waits, and goes once the approver decided it all', async () => {
  const { bea, ada } = people;
  const own = await waiting({ ownerId: ada.id });
  const [first, second] = [await waiting(), await waiting()];
  await sendHandOvers(server.parts);
  const told = async () => {
    const { data } = await server.gql(bea.token, '{ unreadNotices notices { kind sentence } }');
    return [data.unreadNotices, ...data.notices.map(({ sentence }: { sentence: string }) => sentence)];
  };
  expect(await told()).toEqual([1, '2 tasks were handed over to you']);
  expect([await decide(ada, first!), await told()]).toEqual(['made', [1, '1 task was handed over to you']]);
  expect([await decide(ada, second!), await told()]).toEqual(['made', [0]]);
  expect(await inboxOf(bea)).toEqual([own]);
});

test('a note on it is told to who may decide it now, as to the approver, and to nobody once it isn’t theirs', async () => {
  const { bea, ada, owner, delegate, admin, otherAdmin, stranger } = people;
  const [late, early] = [await waiting(), await waiting({ at: '2026-11-18T09:00:00Z' })];
  await goAway(bea, delegate);
  const ask = 'mutation ($id: ID!) { addNoteToTask(taskId: $id, text: "Please look") { id } }';
  for (const id of [early, late]) expect((await server.gql(owner.token, ask, { id })).code).toBeNull();
  const told = async (by: Someone) =>
    (await server.gql(by.token, '{ notices { kind path } }')).data.notices
      .filter(({ kind }: { kind: string }) => kind === 'noted')
      .map(({ path }: { path: string }) => path.split('=')[1]);
  expect(await told(ada)).toEqual([late, early]);
  for (const who of [bea, delegate]) expect(await told(who)).toEqual([late]);
  for (const who of [owner, admin, stranger]) expect(await told(who)).toEqual([]);
  const mention = 'query ($id: ID!) { mentionable(taskId: $id, name: "") { displayName } }';
  const { data } = await server.gql(owner.token, mention, { id: late });
  expect(data.mentionable.slice(0, 2).map(({ displayName }: { displayName: string }) => displayName)).toEqual([
    'Ada North',
    'Bea Cole',
  ]);
  await setHours(100);
  for (const who of [bea, delegate]) expect(await told(who)).toEqual([]);
  await setHours(8);
  // Everyone in line is away, so admins are notified too.
  await server.database.pool.query('delete from absences');
  await goAway(bea, null);
  await server.gql(owner.token, ask, { id: late });
  for (const who of [bea, admin, otherAdmin]) expect(await told(who)).toEqual([late]);
});

test('a reminder of the sprint’s end counts each task that was handed over, and own ones, once', async () => {
  const { bea, ada, owner, delegate, stranger } = people;
  server.clock.set('2026-11-23T08:30:00Z');
  await waiting();
  await waiting({ ownerId: ada.id });
  // Dan is the delegate of Bea, who is next in line, and of Stan, who is the approver too.
  await setApprovers(owner, [ada, stranger]);
  await goAway(bea, delegate);
  await goAway(stranger, delegate);
  await sendSprintReminders(server.parts);
  const told = async (by: Someone) =>
    (await server.gql(await server.signIn(by.id), '{ notices { kind detail } }')).data.notices
      .filter(({ kind }: { kind: string }) => kind === 'boundary')
      .map(({ detail }: { detail: string }) => detail);
  expect([await told(bea), await told(delegate)]).toEqual([[], ['2 tasks are waiting for your decision']]);
  await setApprovers(owner, [ada]);
});

type AnyMap = {
  readonly approvers: ReadonlyMap<Someone, readonly Someone[]>;
  /** With the delegate. */
  readonly away: ReadonlyMap<Someone, Someone | null>;
  readonly disabled: Someone;
};

/**
 * Who decides a task that waited too long, as D15, D40 and D41 promise it: its approvers, then their
 * approvers, each with the delegate, and admins where that leaves nobody who is here.
 */
function promised({ approvers, away, disabled }: AnyMap, owner: Someone): Someone[] {
  const { admin, otherAdmin } = people;
  const mayDecide = (who: Someone) => who !== disabled && who !== people.owner;
  const own = approvers.get(owner)!;
  const delegateOf = (who: Someone) => {
    const delegate = away.get(who);
    return delegate && mayDecide(who) && mayDecide(delegate) && !away.has(delegate) ? [delegate] : [];
  };
  const approving = [...own, ...own.flatMap(delegateOf)];
  const nextInLine = own
    .flatMap((one) => approvers.get(one)!)
    .filter((one) => mayDecide(one) && one !== owner && !own.includes(one));
  const replacing = (who: Someone) => delegateOf(who).filter((one) => one !== owner && !own.includes(one));
  const isHere = (who: Someone) => !away.has(who) || replacing(who).length > 0;
  const nobodyElse = own.length === 0 || !nextInLine.some(isHere);
  return [
    ...new Set([
      ...approving,
      ...nextInLine,
      ...nextInLine.flatMap(replacing),
      ...(nobodyElse ? [admin, otherAdmin] : []),
    ]),
  ].filter((who) => mayDecide(who) && who !== owner);
}

test('on any map of approvers and absences, pages list, show and find exactly what may be decided', async () => {
  const all = Object.values(people);
  const choose = chooser(7);
  const tasks = new Map<string, Someone>();
  for (const who of all) tasks.set(await waiting({ ownerId: who.id, title: 'Mapped' }), who);
  const ids = [...tasks.keys()];
  const { drizzle } = server.database;
  const due = handOverDue(server.parts);
  const counts = { own: 0, handed: 0 };
  for (let round = 0; round < 12; round++) {
    const map = await anyMap(choose);
    for (const who of all) {
      const viewer = await readViewerOfPerson(server.parts, who.id);
      // Someone disabled has no pages.
      if (viewer === null) continue;
      const decider = { ...viewer, alsoUnapproved: isAdmin(viewer), due };
      const listed = await findAwaiting(
        drizzle,
        decider,
        { at: server.parts.clock.now().toString() },
        1e6,
        allTaskParts,
      );
      const shown = await findTasks(drizzle, isVisibleTo(viewer, due), { ids }, 1e6);
      const rows = await findTasks(drizzle, sql`true`, { ids }, 1e6);
      const owners = await Promise.all(
        rows.rows.map(async (row) => [row.id, await ownerOfTask(server.parts, viewer, row)] as const),
      );
      const idsOf = (is: (owner: TaskOwner) => boolean) =>
        owners.flatMap(([taskId, owner]) => (is(owner) ? [taskId] : [])).sort();
      const isListed = (owner: TaskOwner) =>
        isDecider(viewer, owner) &&
        (actsAsApprover(viewer, owner) || isHandedTo(viewer, owner) || owner.approverIds.length === 0);
      // Others can't ask for a list.
      if (decidesForOthers(viewer)) {
        expect(listed.rows.map((row) => row.id).sort(), `round ${round}`).toEqual(idsOf(isListed));
        const theirs = ids.filter((taskId) => promised(map, tasks.get(taskId)!).includes(who));
        expect(idsOf(isListed), `round ${round}`).toEqual(theirs.sort());
      }
      expect(shown.rows.map((row) => row.id).sort(), `round ${round}`).toEqual(
        idsOf((owner) => canSeeTasksOf(viewer, owner)),
      );
      expect((await findTaskIds(server.database, viewer, due, 'map')).sort(), `round ${round}`).toEqual(
        shown.rows.map((row) => row.id).sort(),
      );
      counts.own += idsOf((owner) => actsAsApprover(viewer, owner)).length;
      counts.handed += idsOf((owner) => isHandedTo(viewer, owner)).length;
    }
  }
  expect(Math.min(counts.own, counts.handed)).toBeGreaterThan(30);
  await server.database.pool.query('update people set disabled_at = null');
});

async function anyMap(choose: ReturnType<typeof chooser>): Promise<AnyMap> {
  const all = Object.values(people);
  const approvers = new Map<Someone, Someone[]>();
  const away = new Map<Someone, Someone | null>();
  await server.database.pool.query('delete from absences');
  for (const who of all) {
    const others = all.filter((other) => other !== who);
    approvers.set(who, [...new Set([0, 1].slice(choose(3)).map(() => others[choose(others.length)]!))]);
    await setApprovers(who, approvers.get(who)!);
    if (choose(4) > 0) continue;
    away.set(who, choose(3) === 0 ? null : others[choose(others.length)]!);
    await goAway(who, away.get(who)!);
  }
  const disabled = all[choose(all.length)]!;
  const call = 'update people set disabled_at = case when id = $1 then now() end';
  await server.database.pool.query(call, [disabled.id]);
  return { approvers, away, disabled };
}
