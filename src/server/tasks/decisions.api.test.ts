// Decisions over HTTP: undo, several at once, waiting and past ones (D15).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import {
  approving,
  makeTeam,
  prepareTask,
  prepareTasks,
  type Someone,
  someone,
  staff,
  type Team,
  traces,
} from '../../../test/task-fixtures.ts';

let app: TestApp;
let team: Team;
let sprintId: string;

beforeAll(async () => {
  app = await startTestApp();
  sprintId = await app.sprint();
  team = await makeTeam(app);
});
afterAll(() => app.stop());

const update = 'mutation ($id: ID!, $status: TaskStatus) { updateTask(id: $id, status: $status) { status } }';
const decide =
  'mutation ($decisions: [TaskDecision!]!) { decideTasks(decisions: $decisions) { taskId ok code message task { status version change } } }';
const undo =
  'mutation ($id: ID!) { undoDecision(taskId: $id) { status version statusSince reason history { event } } }';

const prepared = (count: number, status: 'INAPPROVAL' | 'INREVIEW' | 'TODO' = 'INAPPROVAL', ownerId = team.owner.id) =>
  prepareTasks(app.database, count, { ownerId, sprintId, status });

it('says until when the owner is away, if that is today', async () => {
  const [id] = (await prepared(1)) as [string];
  const awayFrom = async (firstDay: string, lastDay: string) => {
    await app.database.pool.query('delete from absences');
    await app.database.pool.query('insert into absences (person_id, first_day, last_day) values ($1, $2, $3)', [
      ...[team.owner.id, firstDay, lastDay],
    ]);
    const query = 'query ($id: ID!) { tasks(taskId: $id) { ownerAwayUntil } }';
    return (await app.gql(team.approver.token, query, { id })).data.tasks[0].ownerAwayUntil;
  };
  expect(await awayFrom('2026-11-18', '2026-11-20')).toBe('2026-11-20');
  expect(await awayFrom('2026-11-16', '2026-11-17')).toBeNull();
  expect(await awayFrom('2026-11-19', '2026-11-20')).toBeNull();
  await app.database.pool.query('delete from absences');
});

it('says whether the owner can still work on the task', async () => {
  const [id] = (await prepared(1)) as [string];
  const keeps = async () =>
    (await app.gql(team.approver.token, 'query ($id: ID!) { tasks(taskId: $id) { ownerKeepsTasks } }', { id })).data
      .tasks[0].ownerKeepsTasks;
  const set = (column: string, value: unknown) =>
    app.database.pool.query(`update people set ${column} = $2 where id = $1`, [team.owner.id, value]);
  const { rows } = await app.database.pool.query('select role from people where id = $1', [team.owner.id]);
  expect(await keeps()).toBe(true);
  await set('role', null);
  expect(await keeps()).toBe(false);
  await set('role', rows[0].role);
  await set('disabled_at', '2026-11-18T12:00:00Z');
  expect(await keeps()).toBe(false);
  await set('disabled_at', null);
});

describe('editedSince', () => {
  const edit = 'mutation ($id: ID!, $title: String!) { updateTask(id: $id, title: $title) { id } }';
  const since = async (id: string) =>
    (await app.gql(team.approver.token, 'query ($id: ID!) { tasks(taskId: $id) { editedSince } }', { id })).data
      .tasks[0].editedSince;

  it('says of a completed task whether its owner edited it after its approval, or after its completion', async () => {
    const [id] = (await prepared(1)) as [string];
    const decideOne = (decision: string) =>
      app.gql(team.approver.token, decide, { decisions: [{ taskId: id, decision, change: 'Again' }] });
    const move = (status: string) => app.gql(team.owner.token, update, { id, status });
    const rename = (title: string) => app.gql(team.owner.token, edit, { id, title });
    await rename('Before anyone approved it');
    await decideOne('approve');
    await move('INPROGRESS');
    await move('INREVIEW');
    expect(await since(id)).toBeNull();
    await move('INPROGRESS');
    await rename('After approval');
    expect(await since(id)).toBeNull();
    await move('INREVIEW');
    expect(await since(id)).toBe('approval');
    // An undone sign-off leaves the approval as it was.
    await decideOne('approve');
    await app.gql(team.approver.token, undo, { id });
    expect(await since(id)).toBe('approval');
    await rename('After completion');
    expect(await since(id)).toBe('completion');
    await decideOne('deny');
    await app.gql(team.approver.token, undo, { id });
    expect(await since(id)).toBe('completion');
    await decideOne('deny');
    await rename('As asked for');
    await move('INREVIEW');
    expect(await since(id)).toBeNull();
  });
});

describe('decideTasks', () => {
  it('refuses a caller who approves nobody, no decisions at all, and more than 200', async () => {
    const [taskId] = await prepared(1);
    const one = { taskId, decision: 'approve' };
    expect((await app.gql(team.owner.token, decide, { decisions: [one] })).code).toBe('FORBIDDEN');
    expect((await app.gql(team.approver.token, decide, { decisions: [] })).code).toBe('BAD_INPUT');
    expect((await app.gql(team.approver.token, decide, { decisions: new Array(201).fill(one) })).code).toBe(
      'BAD_INPUT',
    );
  });

  it('gives a result per task in the order given, and never fails whole for one of them', async () => {
    const [toApprove, toDeny, stale] = (await prepared(3)) as [string, string, string];
    const [toSignOff, toSendBack] = (await prepared(2, 'INREVIEW')) as [string, string];
    const [todo] = (await prepared(1, 'TODO')) as [string];
    const own = await prepareTask(app.database, { ownerId: team.approver.id, sprintId, status: 'INREVIEW' });
    const { data } = await app.gql(team.approver.token, decide, {
      decisions: [
        { taskId: toApprove, decision: 'approve', version: 1 },
        { taskId: stale, decision: 'approve', version: 9 },
        { taskId: toDeny, decision: 'deny', change: 'Smaller' },
        { taskId: todo, decision: 'approve' },
        { taskId: '999999999', decision: 'approve' },
        { taskId: toSignOff, decision: 'approve' },
        { taskId: own, decision: 'deny' },
        { taskId: toSendBack, decision: 'deny', change: null, version: null },
      ],
    });
    expect(
      data.decideTasks.map(
        ({
          taskId,
          ok,
          code,
          task,
        }: {
          taskId: string;
          ok: boolean;
          code: string | null;
          task: { status: string };
        }) => [taskId, ok, code ?? task.status],
      ),
    ).toEqual([
      [toApprove, true, 'TODO'],
      [stale, false, 'CONFLICT'],
      [toDeny, true, 'DENIED'],
      [todo, false, 'TRANSITION_NOT_ALLOWED'],
      ['999999999', false, 'NOT_FOUND'],
      [toSignOff, true, 'DONE'],
      [own, false, 'FORBIDDEN'],
      [toSendBack, true, 'INPROGRESS'],
    ]);
    expect(data.decideTasks[2].task.change).toBe('Smaller');
  });
});

describe('undoDecision', () => {
  it('refuses after 30 seconds, the decision of somebody else, and once something else happened', async () => {
    const [late, others, moved] = (await prepared(3)) as [string, string, string];
    for (const id of [late, others, moved]) await app.gql(team.approver.token, update, { id, status: 'TODO' });
    expect((await app.gql(team.admin.token, undo, { id: others })).code).toBe('CONFLICT');
    await app.gql(team.owner.token, update, { id: moved, status: 'INPROGRESS' });
    expect((await app.gql(team.approver.token, undo, { id: moved })).code).toBe('CONFLICT');
    const before = await traces(app.database, late);
    app.clock.advance({ seconds: 30, milliseconds: 1 });
    expect((await app.gql(team.approver.token, undo, { id: late })).code).toBe('TOO_LATE');
    expect(await traces(app.database, late)).toEqual(before);
  });

  it('takes one’s own decision back within 30 seconds, and the history keeps both', async () => {
    const [id] = (await prepared(1)) as [string];
    await app.gql(
      team.approver.token,
      'mutation ($id: ID!) { updateTask(id: $id, status: DENIED, change: "No") { id } }',
      { id },
    );
    app.clock.advance({ seconds: 30 });
    const { data } = await app.gql(team.approver.token, undo, { id });
    expect(data.undoDecision).toMatchObject({ status: 'INAPPROVAL', version: 3, reason: null });
    expect(data.undoDecision.history.map(({ event }: { event: string }) => event)).toEqual([
      'created',
      'denied',
      'undone',
    ]);
    // Its waiting time continues since its creation, to the second.
    expect(data.undoDecision.statusSince).toMatch(/^2026-11-16T11:00:00/);
    expect((await app.gql(team.approver.token, undo, { id })).code).toBe('CONFLICT');
  });

  const undoAll = 'mutation ($ids: [ID!]!) { undoDecisions(taskIds: $ids) { id status } }';

  it('undoes none of several decisions if somebody changed one of them, and says which', async () => {
    const ids = await prepared(2);
    for (const id of ids) await app.gql(team.approver.token, update, { id, status: 'TODO' });
    await app.gql(team.owner.token, update, { id: ids[1], status: 'INPROGRESS' });
    const before = await traces(app.database, ids[0] as string);
    const { code, errors } = await app.gql(team.approver.token, undoAll, { ids });
    expect([code, errors?.[0]?.message]).toEqual([
      'CONFLICT',
      expect.stringMatching(/^Nothing was undone, because of “.+”: You can/),
    ]);
    expect(await traces(app.database, ids[0] as string)).toEqual(before);
  });

  it('undoes all of several decisions within 30 seconds after the last one', async () => {
    const decideInTurn = async (pause: number) => {
      const ids = await prepared(2);
      await app.gql(team.approver.token, update, { id: ids[0], status: 'TODO' });
      app.clock.advance({ seconds: pause });
      await app.gql(team.approver.token, update, { id: ids[1], status: 'TODO' });
      return ids;
    };
    const ids = await decideInTurn(20);
    app.clock.advance({ seconds: 30 });
    const { data } = await app.gql(team.approver.token, undoAll, { ids });
    expect(data.undoDecisions.map(({ status }: { status: string }) => status)).toEqual(['INAPPROVAL', 'INAPPROVAL']);
    const late = await decideInTurn(20);
    app.clock.advance({ seconds: 30, milliseconds: 1 });
    expect((await app.gql(team.approver.token, undoAll, { ids: late })).code).toBe('TOO_LATE');
    // An earlier decision can't be undone with a later one.
    expect((await app.gql(team.approver.token, undoAll, { ids: await decideInTurn(31) })).code).toBe('TOO_LATE');
  });

  it('leaves no reason to read for the owner, and all of it for the approver', async () => {
    const [id] = (await prepared(1)) as [string];
    const past = 'query ($id: ID) { getTasks(taskId: $id) { history { event change before after } } }';
    await app.gql(
      team.approver.token,
      'mutation ($id: ID!) { updateTask(id: $id, status: DENIED, change: "Wrong person") { id } }',
      { id },
    );
    const read = async (token: string) => JSON.stringify((await app.gql(token, past, { id })).data);
    expect(await read(team.owner.token)).toContain('Wrong person');
    await app.gql(team.approver.token, undo, { id });
    expect(await read(team.owner.token)).not.toContain('Wrong person');
    expect(await read(team.approver.token)).toContain('Wrong person');
  });
});

describe('a note of the owner behind a decision', () => {
  const addNote = 'mutation ($id: ID!) { addNoteToTask(taskId: $id, text: "Thanks") { id } }';
  const removeNote = 'mutation ($id: ID!) { removeNoteFromTask(taskId: $id, noteIndex: 0) { id } }';
  const open = '{ decided { undoUntil task { id } } }';

  it('stops no undo, nor does removing it', async () => {
    const [id] = (await prepared(1, 'INREVIEW')) as [string];
    await app.gql(team.approver.token, update, { id, status: 'DONE' });
    await app.gql(team.owner.token, addNote, { id });
    await app.gql(team.owner.token, removeNote, { id });
    const decided = async () =>
      (await app.gql(team.approver.token, open)).data.decided.filter(
        ({ task }: { task: { id: string } }) => task.id === id,
      );
    expect(await decided()).toEqual([{ undoUntil: expect.any(String), task: { id } }]);
    const { data } = await app.gql(team.approver.token, undo, { id });
    expect(data.undoDecision).toMatchObject({ status: 'INREVIEW' });
    expect(data.undoDecision.statusSince).toMatch(/^2026-11-16T11:00:00/);
    expect(await decided()).toEqual([]);
  });

  it('does not keep the reason of what was undone', async () => {
    const [id] = (await prepared(1)) as [string];
    await app.gql(
      team.approver.token,
      'mutation ($id: ID!) { updateTask(id: $id, status: DENIED, change: "Wrong task") { id } }',
      { id },
    );
    await app.gql(team.owner.token, addNote, { id });
    await app.gql(team.approver.token, undo, { id });
    const read = 'query ($id: ID) { getTasks(taskId: $id) { history { change before after } } }';
    const { data } = await app.gql(team.owner.token, read, { id });
    expect(data.getTasks[0].history).toHaveLength(4);
    expect(JSON.stringify(data)).not.toContain('Wrong task');
  });
});

describe('the inbox', () => {
  const pageArgs =
    '$status: TaskStatus!, $due: Boolean, $byPerson: Boolean, $find: String, $limit: Int, $after: String';
  const pageQuery = `query (${pageArgs}) { inboxPage(${pageArgs.replace(/\$(\w+): \w+!?/g, '$1: $$$1')}) { next tasks { title } } }`;
  const pages = async (who: Someone, list: object): Promise<string[][]> => {
    const found: string[][] = [];
    for (let after: string | null = null; ; ) {
      const { data }: { data: { inboxPage: { next: string | null; tasks: { title: string }[] } } } = await app.gql(
        who.token,
        pageQuery,
        {
          status: 'INAPPROVAL',
          limit: 2,
          ...list,
          after,
        },
      );
      found.push(data.inboxPage.tasks.map(({ title }) => title));
      after = data.inboxPage.next;
      if (after === null) return found;
    }
  };

  it('is refused in pages to people who decide nothing, and with a place that no page ended at', async () => {
    expect((await app.gql(team.owner.token, pageQuery, { status: 'INREVIEW' })).code).toBe('FORBIDDEN');
    expect((await app.gql(team.owner.token, '{ inboxOverview { people } }')).code).toBe('FORBIDDEN');
    for (const wrong of [{ after: '1_2' }, { after: "1_2_3_4'" }, { status: 'TODO' }, { limit: 201 }])
      expect((await app.gql(team.approver.token, pageQuery, { status: 'INREVIEW', ...wrong })).code).toBe('BAD_INPUT');
  });

  it('comes in pages that lose and repeat nothing while it is decided: overdue first, the next sprint last, or by person', async () => {
    const mine = await someone(app, { permissions: approving });
    const [ada, ben] = await Promise.all(
      ['Ada', 'Bén'].map((firstName) => someone(app, { permissions: staff, approvers: [mine.id], firstName })),
    );
    const now = app.clock.now();
    const next = await app.sprint(now.add({ hours: 24 * 7 }).toString());
    const put = async (owner: Someone, title: string, hoursAgo: number, sprint = sprintId) => {
      const id = await prepareTask(app.database, { ownerId: owner.id, sprintId: sprint, status: 'INAPPROVAL' });
      const at = now.subtract({ hours: hoursAgo }).toString();
      await app.database.pool.query('update tasks set title = $2, status_at = $3 where id = $1', [id, title, at]);
      return id;
    };
    await put(ben!, 'young', 1);
    await put(ada!, 'later', 60, next);
    const old = await put(ada!, 'old', 20);
    await put(ben!, 'overdue', 49);
    await put(ada!, 'long overdue', 99);
    expect(await pages(mine, {})).toEqual([['long overdue', 'overdue'], ['old', 'young'], ['later']]);
    const waiting = '{ inbox(limit: 5) { title } }';
    const order = ['long overdue', 'overdue', 'old', 'young', 'later'];
    expect((await app.gql(mine.token, waiting)).data.inbox).toEqual(order.map((title) => ({ title })));
    expect(await pages(mine, { due: true })).toEqual([
      ['long overdue', 'overdue'],
      ['old', 'young'],
    ]);
    expect(await pages(mine, { byPerson: true })).toEqual([['long overdue', 'old'], ['later', 'overdue'], ['young']]);
    expect(await pages(mine, { find: 'ben OVER' })).toEqual([['overdue']]);
    expect(await pages(mine, { status: 'INREVIEW' })).toEqual([[]]);
    const overview = 'waiting overdue later';
    expect(
      (
        await app.gql(
          mine.token,
          `{ inboxOverview { people duePeople toApprove { ${overview} } toSignOff { ${overview} } } }`,
        )
      ).data.inboxOverview,
    ).toEqual({
      ...{ people: 2, duePeople: 2, toApprove: { waiting: 5, overdue: 2, later: 1 } },
      toSignOff: { waiting: 0, overdue: 0, later: 0 },
    });
    const first = (await app.gql(mine.token, pageQuery, { status: 'INAPPROVAL', limit: 3 })).data.inboxPage;
    expect(first.tasks.at(-1)).toEqual({ title: 'old' });
    // The row that the page ended with leaves before the next one is read.
    await app.gql(mine.token, 'mutation ($id: ID!) { updateTask(id: $id, status: TODO) { id } }', { id: old });
    const rest = (await app.gql(mine.token, pageQuery, { status: 'INAPPROVAL', limit: 4, after: first.next })).data
      .inboxPage;
    expect(rest).toEqual({ tasks: [{ title: 'young' }, { title: 'later' }], next: null });
    const one = 'query ($id: ID!) { inbox(taskId: $id) { id } }';
    expect((await app.gql(mine.token, one, { id: old })).data.inbox).toEqual([]);
    expect((await app.gql(team.otherApprover.token, one, { id: old })).data.inbox).toEqual([]);
  });

  const inbox = '{ inbox { id status } inboxCount { toApprove toSignOff } }';

  it('refuses a caller without the permission to approve', async () => {
    expect((await app.gql(team.owner.token, '{ inbox { id } }')).code).toBe('FORBIDDEN');
  });

  it('holds what waits for the caller’s own decision, oldest first, and nothing that waits for others', async () => {
    const mine = await someone(app, { permissions: approving, approvers: [team.admin.id] });
    const owner = await someone(app, { permissions: staff, approvers: [mine.id] });
    const at = (hour: number) => `2026-11-17T${String(hour).padStart(2, '0')}:00:00Z`;
    const newer = await prepareTask(app.database, { ownerId: owner.id, sprintId, at: at(9) });
    const older = await prepareTask(app.database, { ownerId: owner.id, sprintId, status: 'INREVIEW', at: at(8) });
    await prepareTask(app.database, { ownerId: owner.id, sprintId, status: 'TODO', at: at(7) });
    await prepareTask(app.database, { ownerId: mine.id, sprintId, at: at(7) });
    const { data } = await app.gql(mine.token, inbox);
    expect(data.inbox).toEqual([
      { id: older, status: 'INREVIEW' },
      { id: newer, status: 'INAPPROVAL' },
    ]);
    expect(data.inboxCount).toEqual({ toApprove: 1, toSignOff: 1 });
    expect((await app.gql(mine.token, '{ inbox(limit: 1, offset: 1) { id } }')).data.inbox).toEqual([{ id: newer }]);
  });

  it('counts nothing for somebody who is named as an approver and may not approve', async () => {
    const named = await someone(app, { permissions: staff });
    const owner = await someone(app, { permissions: staff, approvers: [named.id] });
    await prepareTask(app.database, { ownerId: owner.id, sprintId });
    expect((await app.gql(named.token, '{ myWeek { waiting { toApprove toSignOff } } }')).data.myWeek.waiting).toEqual({
      toApprove: 0,
      toSignOff: 0,
    });
  });

  it('of an admin holds the tasks of those whom the admin approves, and of those whom nobody does', async () => {
    const admin = await someone(app, { role: 'admin' });
    const approved = await someone(app, { permissions: staff, approvers: [admin.id] });
    const orphan = await someone(app, { permissions: staff });
    const ids = [
      await prepareTask(app.database, { ownerId: approved.id, sprintId }),
      await prepareTask(app.database, { ownerId: orphan.id, sprintId }),
    ];
    await prepareTask(app.database, { ownerId: admin.id, sprintId });
    const { data } = await app.gql(admin.token, inbox);
    expect(data.inbox.map(({ id }: { id: string }) => id)).toEqual(ids);
  });
});

describe('what the caller decided', () => {
  it('is refused without the permission, and shows newest first with the time left to take it back', async () => {
    expect((await app.gql(team.owner.token, '{ decided { undoUntil } }')).code).toBe('FORBIDDEN');
    const approver = await someone(app, { permissions: approving, approvers: [team.admin.id] });
    const owner = await someone(app, { permissions: staff, approvers: [approver.id] });
    const [first, second] = (await prepared(2, 'INAPPROVAL', owner.id)) as [string, string];
    await app.gql(approver.token, update, { id: first, status: 'TODO' });
    app.clock.advance({ seconds: 31 });
    await app.gql(approver.token, update, { id: second, status: 'TODO' });
    const now = app.clock.now();
    const { data } = await app.gql(approver.token, '{ decided { undoUntil task { id } entry { event at } } }');
    expect(data.decided).toEqual([
      {
        undoUntil: now.add({ seconds: 30 }).toString({ fractionalSecondDigits: 3 }),
        task: { id: second },
        entry: { event: 'approved', at: now.toString({ fractionalSecondDigits: 3 }) },
      },
      { undoUntil: null, task: { id: first }, entry: expect.objectContaining({ event: 'approved' }) },
    ]);
  });

  it('leaves out what was undone, and keeps what the same person decided after that', async () => {
    const approver = await someone(app, { permissions: approving, approvers: [team.admin.id] });
    const owner = await someone(app, { permissions: staff, approvers: [approver.id] });
    const [task, other] = (await prepared(2, 'INAPPROVAL', owner.id)) as [string, string];
    const decided = async () =>
      (await app.gql(approver.token, '{ decided { task { id } entry { event } } }')).data.decided;
    await app.gql(approver.token, update, { id: other, status: 'TODO' });
    await app.gql(approver.token, update, { id: task, status: 'TODO' });
    expect((await app.gql(approver.token, undo, { id: task })).code).toBe(null);
    expect(await decided()).toEqual([{ task: { id: other }, entry: { event: 'approved' } }]);
    await app.gql(approver.token, update, { id: task, status: 'TODO' });
    expect(await decided()).toEqual([
      { task: { id: task }, entry: { event: 'approved' } },
      { task: { id: other }, entry: { event: 'approved' } },
    ]);
  });
});
