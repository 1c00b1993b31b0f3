import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, wednesday } from '../../../test/app.ts';
import { makeTeam, prepareTask, type Team, traces } from '../../../test/task-fixtures.ts';
import { removeOldNotices } from './keep-notices.ts';
import { sendDigests, sendSprintReminders } from './reminders.service.ts';

let app: TestApp;
let beside: TestApp;
let team: Team;
let sprintId: string;

beforeAll(async () => {
  app = await startTestApp();
  beside = await startTestApp({ beside: app });
  sprintId = await app.sprint();
});
afterAll(async () => {
  await beside.stop();
  await app.stop();
});
beforeEach(async () => {
  app.clock.set(wednesday);
  // People from other tests have nothing open, so each test notifies only its own.
  await app.database.pool.query('update tasks set withdrawn_at = now()');
  await app.database.pool.query('delete from notice_runs');
  team = await makeTeam(app);
});

const list = '{ notices { id kind at read sentence detail path } unreadNotices }';
type Shown = { id: string; kind: string; read: boolean; sentence: string; detail: string | null; path: string };
async function inboxOf({ id }: { id: string }): Promise<{ notices: Shown[]; unreadNotices: number }> {
  const { data, errors } = await app.gql(await app.signIn(id), list);
  expect(errors).toBeUndefined();
  return data as { notices: Shown[]; unreadNotices: number };
}
const sentences = async (who: { id: string }) => (await inboxOf(who)).notices.map(({ sentence }) => sentence);

const update = (token: string, id: string, more: object) =>
  app.gql(
    token,
    'mutation ($id: ID!, $status: TaskStatus, $change: String) { updateTask(id: $id, status: $status, change: $change) { version } }',
    { id, ...more },
  );
const addNote = (token: string, taskId: string, text: string) =>
  app.gql(
    token,
    'mutation ($taskId: ID!, $text: String!) { addNoteToTask(taskId: $taskId, text: $text) { notes { id } } }',
    { taskId, text },
  );

describe('who is refused', () => {
  test.each([
    ['{ notices { id } }'],
    ['{ unreadNotices }'],
    ['{ noticeChoices { kind } }'],
    ['mutation { markNotices(ids: ["1"], read: true) }'],
    ['mutation { markAllNotices(upTo: "1") }'],
    ['mutation { chooseNotices(kind: decided, inApp: false, mail: false) { kind } }'],
  ])('nobody without the application asks %s', async (query) => {
    expect((await app.gql(null, query)).status).toBe(401);
    const token = await app.signIn(await app.person({ role: null }));
    expect((await app.gql(token, query)).code).toBe('NO_APPLICATION_PERMISSION');
  });

  test.each([['{ troubledMails { id } }'], ['mutation { retryMails(ids: ["1"]) { id } }']])(
    'only an admin asks %s',
    async (query) => expect((await app.gql(team.approver.token, query)).code).toBe('FORBIDDEN'),
  );

  test('of somebody else’s notices nothing is read or marked', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await update(team.approver.token, task, { status: 'TODO' });
    const { notices } = await inboxOf(team.owner);
    await app.gql(team.stranger.token, 'mutation ($ids: [ID!]!) { markNotices(ids: $ids, read: true) }', {
      ids: notices.map(({ id }) => id),
    });
    await app.gql(team.stranger.token, 'mutation ($id: ID!) { markAllNotices(upTo: $id) }', { id: notices[0]?.id });
    expect((await inboxOf(team.owner)).unreadNotices).toBe(1);
    expect(await sentences(team.stranger)).toEqual([]);
  });
});

describe('a decision', () => {
  test.each([
    ['INAPPROVAL', 'TODO', 'approved “Report”'],
    ['INAPPROVAL', 'DENIED', 'denied “Report”'],
    ['INREVIEW', 'DONE', 'signed off “Report”'],
    ['INREVIEW', 'INPROGRESS', 'sent “Report” back'],
  ] as const)('%s to %s is told to the owner with its reason, and to nobody else', async (from, to, words) => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: from, title: 'Report' });
    await update(team.approver.token, task, { status: to, change: 'Because' });
    const { notices, unreadNotices } = await inboxOf(team.owner);
    expect(notices).toMatchObject([
      { kind: 'decided', read: false, detail: 'Because', path: `/top-5/tasks?task=${task}` },
    ]);
    expect(notices[0]?.sentence).toContain(words);
    expect(unreadNotices).toBe(1);
    expect(await sentences(team.approver)).toEqual([]);
  });

  test('that is refused tells nothing', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    expect((await update(team.approver.token, task, { status: 'DONE' })).code).toBe('TRANSITION_NOT_ALLOWED');
    expect(await sentences(team.owner)).toEqual([]);
  });

  test('that cannot be saved whole leaves neither the change nor the notice', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const before = await traces(app.database, task);
    // At the very end of the transaction, after the change, its notification and its audit entry.
    await app.asOwner(`
      create function break_commit() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create constraint trigger broken after update on tasks deferrable initially deferred
        for each row execute function break_commit()`);
    expect((await update(team.approver.token, task, { status: 'TODO' })).code).toBe('INTERNAL');
    await app.asOwner('drop trigger broken on tasks; drop function break_commit()');
    expect(await traces(app.database, task)).toEqual(before);
    expect(await sentences(team.owner)).toEqual([]);
  });

  test('that is taken back is told no more', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await update(team.approver.token, task, { status: 'TODO' });
    expect(await sentences(team.owner)).toHaveLength(1);
    await app.gql(team.approver.token, 'mutation ($id: ID!) { undoDecision(taskId: $id) { id } }', { id: task });
    expect(await sentences(team.owner)).toEqual([]);
    await update(team.approver.token, task, { status: 'DENIED', change: 'No' });
    expect(await sentences(team.owner)).toHaveLength(1);
  });

  test('of two approvers at once tells the one that won', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await Promise.all([
      update(team.approver.token, task, { status: 'TODO' }),
      update(team.admin.token, task, { status: 'DENIED', change: 'No' }),
    ]);
    expect(await sentences(team.owner)).toHaveLength(1);
  });
});

describe('a mention', () => {
  const mention = ({ id }: { id: string }, name = 'Anna') => `[@${name}](person:${id})`;

  test('reaches those who may see the task, once, and the writer is told of the others', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title: 'Report' });
    const ids = [team.owner, team.admin, team.stranger, team.approver].map(({ id }) => id);
    const { data } = await app.gql<{ mentionable: { id: string; seesTask: boolean }[] }>(
      team.approver.token,
      'query ($taskId: ID!, $ids: [ID!]) { mentionable(taskId: $taskId, ids: $ids) { id displayName seesTask } }',
      { taskId: task, ids },
    );
    const blind = data.mentionable.filter(({ seesTask }) => !seesTask).map(({ id }) => id);
    expect(blind).toEqual([team.stranger.id]);
    const everybody = [team.owner, team.admin, team.stranger, team.approver].map((one) => mention(one)).join(' ');
    await addNote(team.approver.token, task, `Look ${everybody}`);
    expect(await sentences(team.owner)).toEqual([expect.stringContaining('mentioned you in “Report”')]);
    expect((await inboxOf(team.owner)).notices[0]?.detail).toBe('Look @Anna @Anna @Anna @Anna');
    expect(await sentences(team.admin)).toHaveLength(1);
    expect(await sentences(team.stranger)).toEqual([]);
    expect(await sentences(team.approver)).toEqual([]);
  });

  test('tells by id no more than by name: nobody who is invisible, without a name or oneself', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const person = (sets: object) => app.person({ permissions: [], ...sets });
    const [named, nameless, hidden] = await Promise.all([
      person({ firstName: 'Nora', lastName: 'Named' }),
      person({ firstName: '', lastName: '' }),
      person({ firstName: 'Hedy', lastName: 'Hidden' }),
    ]);
    await app.database.pool.query('update people set top5_invisible = true where id = $1', [hidden]);
    const { data } = await app.gql<{ mentionable: { id: string }[] }>(
      team.owner.token,
      'query ($taskId: ID!, $ids: [ID!]) { mentionable(taskId: $taskId, ids: $ids) { id } }',
      { taskId: task, ids: [team.owner.id, named, nameless, hidden, team.approver.id] },
    );
    expect(data.mentionable.map(({ id }) => id).sort()).toEqual([named, team.approver.id].sort());
  });

  test('that an edit adds is told, one that stood there is not told again, and a note that is removed mentions nobody', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const { data } = await addNote(team.approver.token, task, mention(team.owner));
    const noteId = data.addNoteToTask.notes[0].id;
    await app.gql(
      team.approver.token,
      'mutation ($t: ID!, $n: ID!, $x: String!) { editNote(taskId: $t, noteId: $n, text: $x) { id } }',
      { t: task, n: noteId, x: `${mention(team.owner)} ${mention(team.admin)}` },
    );
    expect(await sentences(team.owner)).toHaveLength(1);
    expect(await sentences(team.admin)).toHaveLength(1);
    await app.gql(team.approver.token, 'mutation ($t: ID!) { removeNoteFromTask(taskId: $t, noteIndex: 0) { id } }', {
      t: task,
    });
    expect(await sentences(team.owner)).toEqual([]);
    expect(await sentences(team.admin)).toEqual([]);
  });

  test('of a task that one may not see any more is not shown any more', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await addNote(team.owner.token, task, mention(team.approver));
    expect(await inboxOf(team.approver)).toMatchObject({ notices: [{}], unreadNotices: 1 });
    await app.database.pool.query('delete from approvers where person_id = $1', [team.owner.id]);
    expect(await inboxOf(team.approver)).toEqual({ notices: [], unreadNotices: 0 });
  });

  test('finds people by the beginning of a name, those of the task first, only for who may see the task', async () => {
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const search = 'query ($taskId: ID!, $name: String) { mentionable(taskId: $taskId, name: $name) { id seesTask } }';
    const { data } = await app.gql(team.owner.token, search, { taskId: task, name: 'Person' });
    expect(data.mentionable[0]).toEqual({ id: team.approver.id, seesTask: true });
    expect(data.mentionable.map(({ id }: { id: string }) => id)).not.toContain(team.owner.id);
    expect((await app.gql(team.owner.token, search, { taskId: task, name: '%' })).data.mentionable).toEqual([]);
    expect((await app.gql(team.stranger.token, search, { taskId: task, name: 'P' })).code).toBe('NOT_FOUND');
  });
});

describe('what waits', () => {
  test('is told in one notice however many tasks and servers there are, and hidden when nothing waits', async () => {
    for (const title of ['A', 'B', 'C'])
      await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title, at: '2026-11-18T11:50:00Z' });
    await Promise.all([app, beside, app, beside].map(({ parts }) => sendDigests(parts)));
    expect(await sentences(team.approver)).toEqual(['3 tasks wait for your decision']);
    expect(await sentences(team.otherApprover)).toEqual([]);
    expect(await sentences(team.admin)).toEqual([]);
    await app.database.pool.query("update tasks set status = 'TODO' where owner_id = $1 and title <> 'A'", [
      team.owner.id,
    ]);
    expect(await sentences(team.approver)).toEqual(['1 task waits for your decision']);
    await app.database.pool.query("update tasks set status = 'TODO' where owner_id = $1", [team.owner.id]);
    expect(await inboxOf(team.approver)).toEqual({ notices: [], unreadNotices: 0 });
  });

  test('is told again when more came and four hours passed, and then stands once', async () => {
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, at: '2026-11-18T11:50:00Z' });
    await sendDigests(app.parts);
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, at: '2026-11-18T12:10:00Z' });
    app.clock.set('2026-11-18T15:59:00Z');
    await sendDigests(app.parts);
    const counts = () =>
      app.database.pool.query<{ count: number }>(
        "select count(*)::int as count from notices where person_id = $1 and kind = 'waiting'",
        [team.approver.id],
      );
    expect((await counts()).rows[0]?.count).toBe(1);
    app.clock.set('2026-11-18T16:01:00Z');
    await sendDigests(beside.parts);
    expect((await counts()).rows[0]?.count).toBe(2);
    expect(await sentences(team.approver)).toEqual(['2 tasks wait for your decision']);
    app.clock.set('2026-11-19T16:01:00Z');
    await sendDigests(app.parts);
    expect((await counts()).rows[0]?.count).toBe(2);
  });

  test('of people without any approver is told to admins', async () => {
    const lonely = await app.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] });
    await prepareTask(app.database, { ownerId: lonely, sprintId, at: '2026-11-18T11:50:00Z' });
    await sendDigests(app.parts);
    expect(await sentences(team.admin)).toEqual(['1 task waits for your decision']);
  });
});

describe('the end of the sprint', () => {
  test('is told twice to who has something open, once each for all servers, and never after it', async () => {
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'INPROGRESS' });
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'INREVIEW' });
    await prepareTask(app.database, { ownerId: team.stranger.id, sprintId, status: 'DONE' });
    const tell = () => Promise.all([app, beside, app, beside].map(({ parts }) => sendSprintReminders(parts)));
    app.clock.set('2026-11-22T09:59:00Z');
    await tell();
    expect(await sentences(team.owner)).toEqual([]);
    app.clock.set('2026-11-22T10:00:00Z');
    await tell();
    app.clock.set('2026-11-22T20:00:00Z');
    await tell();
    expect((await inboxOf(team.owner)).notices).toMatchObject([
      { kind: 'boundary', sentence: 'Sprint 2026 W47 ends Mon 23 Nov 10:00', detail: '1 of your tasks is open' },
    ]);
    app.clock.set('2026-11-23T08:30:00Z');
    await tell();
    app.clock.set('2026-11-23T10:00:00Z');
    await app.sprint();
    await tell();
    expect((await inboxOf(team.owner)).notices).toHaveLength(2);
    const approver = await inboxOf(team.approver);
    expect(approver.notices.map(({ detail }) => detail)).toEqual(Array(2).fill('1 task waits for your decision'));
    expect((await inboxOf(team.stranger)).notices).toEqual([]);
  });

  test('is not told at 24 hours by a server that comes up one hour before it', async () => {
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    app.clock.set('2026-11-23T09:00:00Z');
    await sendSprintReminders(app.parts);
    await sendSprintReminders(app.parts);
    const { rows } = await app.database.pool.query('select key from notices where person_id = $1', [team.owner.id]);
    expect(rows).toEqual([{ key: `boundary:${sprintId}:2` }]);
  });
});

describe('the inbox', () => {
  async function decisions(count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) {
      const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, title: `Task ${made}` });
      await update(team.approver.token, task, { status: 'TODO' });
    }
  }

  test('is paged, newest first, and marks read, unread and all that was seen', async () => {
    await decisions(3);
    const { token } = team.owner;
    const page = (before?: string) =>
      app.gql(token, 'query ($before: ID) { notices(before: $before, limit: 2) { id sentence } }', { before });
    const first = (await page()).data.notices;
    const second = (await page(first[1].id)).data.notices;
    expect([...first, ...second].map(({ sentence }) => sentence.match(/“(.+)”/)?.[1])).toEqual([
      'Task 2',
      'Task 1',
      'Task 0',
    ]);
    const mark = (read: boolean) =>
      app.gql(token, 'mutation ($ids: [ID!]!, $read: Boolean!) { markNotices(ids: $ids, read: $read) }', {
        ids: [first[0].id],
        read,
      });
    expect((await mark(true)).data.markNotices).toBe(2);
    expect((await mark(false)).data.markNotices).toBe(3);
    const all = await app.gql(token, 'mutation ($id: ID!) { markAllNotices(upTo: $id) }', { id: first[1].id });
    expect(all.data.markAllNotices).toBe(1);
  });

  test('keeps what is unread, and what was read for 90 days', async () => {
    await decisions(2);
    const { notices } = await inboxOf(team.owner);
    await app.gql(team.owner.token, 'mutation ($ids: [ID!]!) { markNotices(ids: $ids, read: true) }', {
      ids: [notices[1]?.id],
    });
    const left = async () => (await inboxOf(team.owner)).notices.length;
    app.clock.set('2027-02-16T11:00:00Z');
    await removeOldNotices(app.parts);
    expect(await left()).toBe(2);
    app.clock.set('2027-02-16T13:00:00Z');
    await removeOldNotices(app.parts);
    expect(await left()).toBe(1);
  });
});

describe('the choice', () => {
  const choose = (kind: string, inApp: boolean, mail: boolean) =>
    app.gql(
      team.owner.token,
      'mutation ($kind: NoticeKind!, $inApp: Boolean!, $mail: Boolean!) { chooseNotices(kind: $kind, inApp: $inApp, mail: $mail) { kind inApp mail } }',
      { kind, inApp, mail },
    );

  test('holds for one kind and one person, from the next event on, and is in the audit log', async () => {
    const { data } = await choose('decided', false, false);
    expect(data.chooseNotices.find(({ kind }: { kind: string }) => kind === 'decided')).toMatchObject({ inApp: false });
    expect(data.chooseNotices.find(({ kind }: { kind: string }) => kind === 'mentioned')).toMatchObject({
      inApp: true,
    });
    const task = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await update(team.approver.token, task, { status: 'TODO' });
    await addNote(team.approver.token, task, `[@O](person:${team.owner.id})`);
    expect((await inboxOf(team.owner)).notices.map(({ kind }) => kind)).toEqual(['mentioned']);
    const { rows } = await app.database.pool.query(
      "select before, after from audit_log where action = 'noticesChosen' and subject_id = $1",
      [team.owner.id],
    );
    expect(rows).toEqual([
      { before: { kind: 'decided', inApp: true, mail: true }, after: { kind: 'decided', inApp: false, mail: false } },
    ]);
  });

  test('that changes nothing leaves no line in the audit log', async () => {
    const lines = async () =>
      (await app.database.pool.query("select from audit_log where action = 'noticesChosen'")).rowCount ?? 0;
    await choose('mentioned', true, false);
    const before = await lines();
    await Promise.all([1, 2, 3].map(() => choose('mentioned', true, false)));
    await choose('answered', true, true);
    expect(await lines()).toBe(before);
    await Promise.all([1, 2, 3].map(() => choose('mentioned', false, false)));
    expect(await lines()).toBe(before + 1);
  });

  test('of a kind that nobody knows is refused', async () => {
    expect((await choose('sales', true, true)).code).toBe('BAD_INPUT');
  });
});
