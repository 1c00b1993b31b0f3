// Reading, creating and changing tasks over HTTP (spec 3, 5, 7; D15 to D19, D25, D38).
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { categories } from '#core/access/brands.ts';
import { taskLimits } from '#core/base/limits.ts';
import { contentFields } from '#core/tasks/task.ts';
import { taskStatusKeys } from '#core/tasks/task-status.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import {
  approving,
  makeTeam,
  prepareTask,
  prepareTasks,
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

const getTasks =
  'query ($taskId: ID, $userId: ID, $sprintId: ID, $status: [TaskStatus!], $limit: Int, $offset: Int) { getTasks(taskId: $taskId, userId: $userId, sprintId: $sprintId, status: $status, limit: $limit, offset: $offset) { id } }';
const update =
  'mutation ($id: ID!, $title: String, $change: String, $status: TaskStatus, $summary: String, $category: String, $version: Int) { updateTask(id: $id, title: $title, change: $change, status: $status, summary: $summary, category: $category, version: $version) { id title change status summary category version reason } }';
const create =
  'mutation ($title: String!, $userId: ID!, $summary: String, $category: String, $sprintId: ID) { createTask(title: $title, userId: $userId, summary: $summary, category: $category, sprintId: $sprintId) { id userId title status category sprintId version extra created createdBy { id } owner { displayName } ownerApproverIds notes { text } attachments { url } history { event from to actorId version } } }';

async function raw(token: string, query: string, variables: object): Promise<string> {
  const response = await app.call({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: `Bearer ${token}` },
    payload: { query, variables },
  });
  return response.body;
}

describe('a task that the caller may not see', () => {
  const nobodysTask = '999999999';

  it('gives every call the answer, byte by byte, of a task that does not exist', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const before = await traces(app.database, id);
    const calls = [
      getTasks,
      update,
      'mutation ($taskId: ID!) { withdrawTask(taskId: $taskId) { id } }',
      'mutation ($taskId: ID!) { carryOver(taskId: $taskId) { id } }',
      'mutation ($taskId: ID!) { moveToSprint(taskId: $taskId, sprintId: "999999999") { id } }',
      'mutation ($taskId: ID!) { addNoteToTask(taskId: $taskId, text: "hello") { id } }',
      'mutation ($taskId: ID!) { editNote(taskId: $taskId, noteId: "1", text: "hello") { id } }',
      'mutation ($taskId: ID!) { removeNoteFromTask(taskId: $taskId, noteIndex: 0) { id } }',
      'mutation ($taskId: ID!) { restoreNote(taskId: $taskId, noteId: "1") { id } }',
      'mutation ($taskId: ID!) { removeAttachmentFromTask(taskId: $taskId, attachmentIndex: 0, version: 99) { id } }',
      'mutation ($taskId: ID!) { restoreAttachment(taskId: $taskId, attachmentId: "1") { id } }',
      'mutation ($taskId: ID!) { undoDecision(taskId: $taskId) { id } }',
      'mutation ($taskId: ID!) { decideTasks(decisions: [{taskId: $taskId, decision: approve, version: 7}]) { ok code message } }',
    ];
    for (const actor of [team.stranger, team.otherApprover]) {
      for (const call of calls) {
        const forbidden = await raw(actor.token, call, { taskId: id, id, title: 'Mine now', version: 7 });
        expect(forbidden).toBe(
          await raw(actor.token, call, { taskId: nobodysTask, id: nobodysTask, title: 'Mine now', version: 7 }),
        );
      }
    }
    expect(await traces(app.database, id)).toEqual(before);
  });

  it('is left out of lists of its owner, its sprint and its status', async () => {
    const lists = [
      { userId: team.owner.id },
      { userId: team.owner.id, sprintId },
      { userId: team.owner.id, status: ['INAPPROVAL'] },
    ];
    for (const variables of lists)
      expect((await app.gql(team.stranger.token, getTasks, variables)).data.getTasks).toEqual([]);
  });
});

describe('getTasks', () => {
  it('refuses an id that is none, an unknown status and a page that is too long', async () => {
    expect((await app.gql(team.owner.token, getTasks, { taskId: 'x' })).code).toBe('BAD_INPUT');
    expect((await app.gql(team.owner.token, getTasks, { status: ['OPEN'] })).code).toBe('BAD_INPUT');
    expect((await app.gql(team.owner.token, getTasks, { limit: 201 })).code).toBe('BAD_INPUT');
  });

  it('gives under both names all of the caller’s own tasks, newest first and without a page cap', async () => {
    const me = await someone(app, { permissions: staff, approvers: [team.approver.id] });
    const made = await prepareTasks(app.database, 230, { ownerId: me.id, sprintId });
    const { data } = await app.gql(me.token, '{ getTasks { id } tasks { id } }');
    expect(data.getTasks.map(({ id }: { id: string }) => id)).toEqual(made.toReversed());
    expect(data.tasks).toEqual(data.getTasks);
    const ofOthers = await app.gql(team.approver.token, getTasks, { userId: me.id });
    expect(ofOthers.data.getTasks).toHaveLength(200);
  });

  it('with filters gives a part of what it gives without them', async () => {
    const me = await someone(app, { permissions: staff, approvers: [team.approver.id] });
    const other = await app.sprint('2026-11-10T12:00:00Z');
    for (const [index, status] of taskStatusKeys.entries())
      await prepareTasks(app.database, 2, { ownerId: me.id, sprintId: index % 2 ? sprintId : other, status });
    const all = (await app.gql(me.token, '{ getTasks { id status sprintId } }')).data.getTasks as {
      id: string;
      status: string;
      sprintId: string;
    }[];
    const filters = fc.record(
      {
        status: fc.subarray([...taskStatusKeys]),
        sprintId: fc.constantFrom(sprintId, other),
        limit: fc.integer({ min: 1, max: 9 }),
        offset: fc.integer({ min: 0, max: 9 }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const expected = all
          .filter(
            ({ status, sprintId: of }) =>
              (filter.status?.includes(status as never) ?? true) && of === (filter.sprintId ?? of),
          )
          .slice(filter.offset ?? 0, (filter.offset ?? 0) + (filter.limit ?? 200));
        const { data } = await app.gql(me.token, getTasks, filter);
        expect(data.getTasks.map(({ id }: { id: string }) => id)).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: 40 },
    );
  });

  it('gives the tasks of a person to their approver with the permission, and to an admin', async () => {
    const formerApprover = await someone(app, { permissions: staff });
    const me = await someone(app, { permissions: staff, approvers: [team.approver.id, formerApprover.id] });
    const [id] = await prepareTasks(app.database, 1, { ownerId: me.id, sprintId });
    for (const { token } of [team.approver, team.admin])
      expect((await app.gql(token, getTasks, { userId: me.id })).data.getTasks).toEqual([{ id }]);
    expect((await app.gql(formerApprover.token, getTasks, { userId: me.id })).data.getTasks).toEqual([]);
  });

  it('reads the history of a whole list with one statement, and only when it is asked for', async () => {
    const statements: string[] = [];
    const { pool } = app.database;
    const query = pool.query.bind(pool);
    const spy = (...parameters: unknown[]) => {
      const [first] = parameters as [string | { text: string }];
      statements.push(typeof first === 'string' ? first : first.text);
      return (query as (...given: unknown[]) => unknown)(...parameters);
    };
    Object.assign(pool, { query: spy });
    const me = await someone(app, { permissions: staff, approvers: [team.approver.id] });
    await prepareTasks(app.database, 7, { ownerId: me.id, sprintId });
    const ofHistory = () => statements.filter((text) => text.includes('from task_history')).length;
    await app.gql(me.token, '{ getTasks { id notes { text } attachments { url } } }');
    expect(ofHistory()).toBe(0);
    const { data } = await app.gql(me.token, '{ getTasks { history { event at waitedSeconds before after } } }');
    Object.assign(pool, { query });
    expect(ofHistory()).toBe(1);
    expect(data.getTasks[0].history).toEqual([
      { event: 'created', at: '2026-11-16T11:00:00.000Z', waitedSeconds: 0, before: '{}', after: '{}' },
    ]);
  });
});

describe('the tasks of a user, grouped by sprint', () => {
  it('are those that the caller may see', async () => {
    const owner = await someone(app, { permissions: staff, approvers: [team.approver.id] });
    const people = await someone(app, { permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
    const earlier = await app.sprint('2026-11-10T12:00:00Z');
    const [old] = await prepareTasks(app.database, 1, { ownerId: owner.id, sprintId: earlier });
    const [first, second] = await prepareTasks(app.database, 2, { ownerId: owner.id, sprintId });
    const groups = async (token: string) => {
      const { data } = await app.gql(token, '{ getPermittedUsers { id tasksBySprint { sprintId tasks { id } } } }');
      return data.getPermittedUsers.find(({ id }: { id: string }) => id === owner.id).tasksBySprint;
    };
    expect(await groups(people.token)).toEqual([]);
    expect(await groups(team.admin.token)).toEqual(
      expect.arrayContaining([
        { sprintId: earlier, tasks: [{ id: old }] },
        { sprintId, tasks: [{ id: first }, { id: second }] },
      ]),
    );
  });
});

describe('createTask', () => {
  it('is refused for a disabled account, which its approver still finds with its board', async () => {
    const owner = await someone(app, { permissions: staff, approvers: [team.approver.id] });
    await app.database.pool.query('update people set disabled_at = now() where id = $1', [owner.id]);
    for (const { token } of [team.approver, team.admin])
      expect((await app.gql(token, create, { title: 'Late', userId: owner.id })).errors?.[0]).toMatchObject({
        message: 'This account is disabled. Choose someone else',
        extensions: { code: 'BAD_INPUT', field: 'userId' },
      });
    const { data } = await app.gql(team.approver.token, '{ people { id disabled } }');
    expect(data.people).toContainEqual({ id: owner.id, disabled: true });
    expect(data.people).toContainEqual({ id: team.owner.id, disabled: false });
  });

  it('refuses a caller without an approver, a blank title, a closed sprint, an unknown brand and a person one does not approve', async () => {
    const alone = await someone(app, { permissions: staff });
    const closed = await app.sprint('2026-11-01T12:00:00Z');
    const mine = { title: 'A', userId: team.owner.id };
    expect((await app.gql(alone.token, create, { title: 'A', userId: alone.id })).code).toBe('NOT_APPROVED_BY_MANAGER');
    expect((await app.gql(team.owner.token, create, { ...mine, title: '  ' })).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_INPUT',
      field: 'title',
    });
    expect(
      (await app.gql(team.owner.token, create, { ...mine, category: 'Red' })).errors?.[0]?.extensions,
    ).toMatchObject({ code: 'BAD_INPUT', field: 'category' });
    expect(
      (await app.gql(team.owner.token, create, { ...mine, sprintId: closed })).errors?.[0]?.extensions,
    ).toMatchObject({ code: 'SPRINT_DOES_NOT_ALLOW', field: 'sprintId' });
    expect((await app.gql(team.owner.token, create, { ...mine, sprintId: '999999' })).code).toBe('NOT_FOUND');
    const stranger = await raw(team.stranger.token, create, mine);
    expect(stranger).toContain('NOT_FOUND');
    expect(stranger).toBe(await raw(team.stranger.token, create, { ...mine, userId: '999999' }));
  });

  it('makes a task of the current sprint that awaits approval, with All Brands for an empty category', async () => {
    const { data } = await app.gql(team.owner.token, create, {
      title: ' Write it down ',
      userId: team.owner.id,
      category: '',
    });
    expect(data.createTask).toMatchObject({
      title: 'Write it down',
      status: 'INAPPROVAL',
      category: 'All Brands',
      sprintId,
      version: 1,
      created: '2026-11-18T12:00:00.000Z',
    });
    expect(data.createTask).toMatchObject({
      userId: team.owner.id,
      createdBy: { id: team.owner.id },
      ownerApproverIds: [team.approver.id],
    });
    expect(data.createTask.history).toEqual([
      { event: 'created', from: 'INAPPROVAL', to: 'INAPPROVAL', actorId: team.owner.id, version: 1 },
    ]);
    expect(await traces(app.database, data.createTask.id)).toMatchObject({ audits: '1' });
  });

  it('lets an approver and an admin create for somebody else, and shows who did', async () => {
    for (const { id, token } of [team.approver, team.admin]) {
      const { data } = await app.gql(token, create, { title: 'For you', userId: team.owner.id });
      expect(data.createTask).toMatchObject({ userId: team.owner.id, createdBy: { id } });
    }
  });

  it('allows a sixth task in one sprint and marks it extra', async () => {
    const me = await someone(app, { permissions: staff, approvers: [team.approver.id] });
    const extras: boolean[] = [];
    for (let count = 1; count <= 6; count++)
      extras.push((await app.gql(me.token, create, { title: `Task ${count}`, userId: me.id })).data.createTask.extra);
    expect(extras).toEqual([false, false, false, false, false, true]);
  });

  it('marks no denied task as extra, and none that is planned in its place', async () => {
    const me = await someone(app, { permissions: staff, approvers: [team.approver.id] });
    const denied = await prepareTask(app.database, { ownerId: me.id, sprintId, status: 'DENIED' });
    await prepareTasks(app.database, 5, { ownerId: me.id, sprintId });
    const last = await prepareTask(app.database, { ownerId: me.id, sprintId, status: 'DENIED' });
    const extras = async () => {
      const { data } = await app.gql(me.token, 'query ($id: ID!) { tasks(sprintId: $id) { id extra } }', {
        id: sprintId,
      });
      return data.tasks.filter(({ extra }: { extra: boolean }) => extra).map(({ id }: { id: string }) => id);
    };
    expect(await extras()).toEqual([]);
    await app.database.pool.query("update tasks set status = 'INAPPROVAL' where id = any($1)", [[denied, last]]);
    expect(await extras()).toHaveLength(2);
  });

  it('marks what joined a sprint last, also an older task that was carried over', async () => {
    const me = await someone(app, { permissions: staff, approvers: [team.approver.id] });
    const past = await app.sprint(
      app.clock
        .now()
        .subtract({ hours: 24 * 7 })
        .toString(),
    );
    const old = await prepareTask(app.database, { ownerId: me.id, sprintId: past, status: 'TODO' });
    const planned = await prepareTasks(app.database, 5, { ownerId: me.id, sprintId });
    const carry = 'mutation ($id: ID!) { carryOver(taskId: $id) { id } }';
    expect((await app.gql(me.token, carry, { id: old })).errors?.[0]?.message).toBeUndefined();
    const list = 'query ($id: ID!) { tasks(sprintId: $id) { id extra } }';
    const { tasks } = (await app.gql(me.token, list, { id: sprintId })).data;
    const marked = tasks.filter(({ extra }: { extra: boolean }) => extra).map(({ id }: { id: string }) => id);
    expect([tasks.length, marked]).toEqual([planned.length + 1, [old]]);
    // Carried on and taken back, it keeps its place.
    const history = `insert into task_history (task_id, sprint_id, at, actor_name, event, from_status, to_status, version)
      values ($1, $2, $3, 'O', 'carriedOver', 'TODO', 'TODO', 9)`;
    await app.database.pool.query(history, [planned[0], past, '2026-11-16T10:00:00Z']);
    await app.database.pool.query(history, [planned[0], sprintId, '2026-11-30T10:00:00Z']);
    await app.database.pool.query('update tasks set carried_over = 1 where id = $1', [planned[0]]);
    const again = (await app.gql(me.token, list, { id: sprintId })).data.tasks;
    expect(again.find(({ id }: { id: string }) => id === planned[0]).extra).toBe(false);
  });

  it('puts a task into the next sprint when that is asked for', async () => {
    const { data } = await app.gql(team.owner.token, '{ getSprints { id state } }');
    const next = data.getSprints.find(({ state }: { state: string }) => state === 'future');
    expect(
      (await app.gql(team.owner.token, create, { title: 'Later', userId: team.owner.id, sprintId: next.id })).data
        .createTask.sprintId,
    ).toBe(next.id);
  });
});

describe('moveToSprint', () => {
  const move =
    'mutation ($id: ID!, $sprintId: ID!, $version: Int) { moveToSprint(taskId: $id, sprintId: $sprintId, version: $version) { sprintId status version history { event } } }';
  const undo = 'mutation ($id: ID!) { undoTaskStep(taskId: $id) { sprintId history { event } } }';
  const week = { hours: 24 * 7 };
  let next: string;
  beforeAll(async () => {
    next = await app.sprint(app.clock.now().add(week).toString());
  });
  const own = () => prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'DENIED' });

  it('is refused to others, of an approved task, to a sprint that is over or none, and leaves no trace', async () => {
    const id = await own();
    const approved = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    const past = await app.sprint(app.clock.now().subtract(week).toString());
    const before = await traces(app.database, id);
    const codeOf = async ({ token }: { token: string }, variables: object) =>
      (await app.gql(token, move, variables)).code;
    for (const who of [team.approver, team.admin]) expect(await codeOf(who, { id, sprintId: next })).toBe('FORBIDDEN');
    expect(await codeOf(team.owner, { id: approved, sprintId: next })).toBe('TRANSITION_NOT_ALLOWED');
    expect(await codeOf(team.owner, { id, sprintId: past })).toBe('SPRINT_DOES_NOT_ALLOW');
    expect(await codeOf(team.owner, { id, sprintId: '999999999' })).toBe('NOT_FOUND');
    expect(await traces(app.database, id)).toEqual(before);
  });

  it('moves the task once, however often it is sent, and its approver finds it in that sprint', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    for (let sent = 1; sent <= 2; sent++) {
      const { data } = await app.gql(team.owner.token, move, { id, sprintId: next, version: 1 });
      expect(data.moveToSprint).toMatchObject({ sprintId: next, status: 'INAPPROVAL', version: 2 });
      expect(data.moveToSprint.history.at(-1)).toEqual({ event: 'movedToSprint' });
    }
    const inbox = 'query ($id: ID) { inbox(taskId: $id) { sprintId } }';
    expect((await app.gql(team.approver.token, inbox, { id })).data.inbox).toEqual([{ sprintId: next }]);
    expect(await traces(app.database, id)).toMatchObject({ audits: '1' });
    // Back, as another step.
    expect((await app.gql(team.owner.token, move, { id, sprintId })).data.moveToSprint.sprintId).toBe(sprintId);
  });

  it('waits in its new sprint since the move: until then its approver had time', async () => {
    const own = await prepareTask(app.database, { ownerId: team.owner.id, sprintId: next });
    const since = async () => {
      const { rows } = await app.database.pool.query('select status_at from tasks where id = $1', [own]);
      return Temporal.Instant.from(String(rows[0]?.status_at)).epochMilliseconds;
    };
    const created = await since();
    app.clock.advance({ minutes: 10 });
    const { data } = await app.gql(team.owner.token, move, { id: own, sprintId });
    expect(data.moveToSprint.sprintId).toBe(sprintId);
    expect(await since()).toBe(app.clock.now().epochMilliseconds);
    // Undone, it goes on as if it had never been away.
    app.clock.advance({ seconds: 5 });
    await app.gql(team.owner.token, undo, { id: own });
    expect(await since()).toBe(created + 5_000);
  });

  it('takes a place behind the tasks that are there already', async () => {
    const me = await someone(app, { permissions: staff, approvers: [team.approver.id] });
    const made = async (sprint: string | null, title: string) =>
      (await app.gql(me.token, create, { title, userId: me.id, ...(sprint && { sprintId: sprint }) })).data.createTask
        .id;
    const early = await made(null, 'Early');
    for (const title of ['1', '2', '3', '4', '5']) await made(next, title);
    app.clock.advance({ minutes: 1 });
    await app.gql(me.token, move, { id: early, sprintId: next });
    const { data } = await app.gql(me.token, `{ getTasks(sprintId: "${next}") { id extra } }`);
    const extra = data.getTasks.filter((task: { extra: boolean }) => task.extra).map(({ id }: { id: string }) => id);
    expect([data.getTasks.length, extra]).toEqual([6, [early]]);
  });

  it('of a version that is older is refused, with what changed', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await app.gql(team.owner.token, update, { id, title: 'Other' });
    const stale = await app.gql(team.owner.token, move, { id, sprintId: next, version: 1 });
    expect([stale.code, stale.errors?.[0]?.extensions]).toMatchObject(['CONFLICT', { changed: ['title'] }]);
  });

  it('is undone within 30 seconds, and not once its approver decided', async () => {
    const [kept, decided] = [await own(), await prepareTask(app.database, { ownerId: team.owner.id, sprintId })];
    for (const id of [kept, decided]) await app.gql(team.owner.token, move, { id, sprintId: next });
    await app.gql(team.approver.token, update, { id: decided, status: 'TODO' });
    expect((await app.gql(team.owner.token, undo, { id: decided })).code).toBe('CONFLICT');
    const { data } = await app.gql(team.owner.token, undo, { id: kept });
    expect(data.undoTaskStep).toMatchObject({ sprintId });
    expect(data.undoTaskStep.history.slice(-2)).toEqual([{ event: 'movedToSprint' }, { event: 'sprintMoveUndone' }]);
    expect((await app.gql(team.owner.token, undo, { id: kept })).code).toBe('CONFLICT');
  });

  it('is refused where the sprint is full', async () => {
    const me = await someone(app, { permissions: staff, approvers: [team.approver.id] });
    const id = await prepareTask(app.database, { ownerId: me.id, sprintId });
    await prepareTasks(app.database, taskLimits.tasksInSprint, { ownerId: me.id, sprintId: next });
    const full = await app.gql(me.token, move, { id, sprintId: next });
    expect(full.errors?.[0]).toMatchObject({ extensions: { code: 'BAD_INPUT', field: 'sprintId' } });
  });
});

describe('updateTask', () => {
  it('refuses an update that carries nothing, a blank title, and content of a task that is signed off', async () => {
    const done = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'DONE' });
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    expect((await app.gql(team.owner.token, update, { id })).code).toBe('BAD_INPUT');
    expect((await app.gql(team.owner.token, update, { id, title: null, status: null })).code).toBe('BAD_INPUT');
    expect((await app.gql(team.owner.token, update, { id, title: ' ' })).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_INPUT',
      field: 'title',
    });
    expect((await app.gql(team.owner.token, update, { id: done, title: 'New' })).code).toBe('TRANSITION_NOT_ALLOWED');
    expect((await app.gql(team.approver.token, update, { id, title: 'New' })).code).toBe('FORBIDDEN');
  });

  it('returns a denied task to approval after an update, and keeps the reason until the next approval', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const denied = await app.gql(team.approver.token, update, { id, status: 'DENIED', change: 'Name the number' });
    expect(denied.data.updateTask).toMatchObject({
      status: 'DENIED',
      change: 'Name the number',
      reason: 'Name the number',
    });
    const resubmitted = await app.gql(team.owner.token, update, { id, title: 'With a number', change: '' });
    expect(resubmitted.data.updateTask).toMatchObject({
      status: 'INAPPROVAL',
      change: '',
      reason: 'Name the number',
      version: 3,
    });
    const approved = await app.gql(team.approver.token, update, { id, status: 'TODO' });
    expect(approved.data.updateTask).toMatchObject({ status: 'TODO', reason: null });
  });

  it.each(contentFields)('stores a changed %s, as its history says and a conflict names it', async (field) => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    const value = field === 'category' ? categories.at(-1)! : 'In other words';
    const change = (version: number) =>
      app.gql(
        team.owner.token,
        `mutation ($id: ID!, $value: String, $version: Int) { updateTask(id: $id, ${field}: $value, version: $version) { ${field} history { after } } }`,
        { id, value, version },
      );
    const { data } = await change(1);
    expect(data.updateTask[field]).toBe(value);
    expect(JSON.parse(data.updateTask.history.at(-1).after)).toEqual({ [field]: value });
    const { rows } = await app.database.pool.query(`select ${field} from tasks where id = $1`, [id]);
    expect(rows).toEqual([{ [field]: value }]);
    expect((await change(1)).errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', changed: [field] });
  });

  it('keeps empty strings as meant and leaves null values out', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO', category: 'Blue' });
    await app.gql(team.owner.token, update, { id, summary: 'Words' });
    const { data } = await app.gql(team.owner.token, update, { id, summary: '', title: null, category: '' });
    expect(data.updateTask).toMatchObject({ summary: '', title: 'A task', category: 'All Brands' });
  });

  it('refuses a stale version with the fields that changed meanwhile, and changes nothing', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    await app.gql(team.owner.token, update, { id, title: 'New title', status: 'INPROGRESS', version: 1 });
    await app.gql(team.approver.token, 'mutation ($id: ID!) { addNoteToTask(taskId: $id, text: "Look") { id } }', {
      id,
    });
    const before = await traces(app.database, id);
    const { errors } = await app.gql(team.owner.token, update, { id, summary: 'Mine', version: 1 });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'CONFLICT',
      changed: expect.arrayContaining(['title', 'status', 'notes']),
    });
    expect(errors?.[0]?.extensions.changed).toHaveLength(3);
    expect(await traces(app.database, id)).toEqual(before);
  });
});

it('an event that only a newer version knows is left out of the history', async () => {
  const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
  await app.asOwner("alter type task_event add value 'praised'");
  await app.database.pool.query(
    `insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, version)
     values ($1, $2, now(), $3, 'Ada', 'praised', 'INAPPROVAL', 'INAPPROVAL', 2)`,
    [id, sprintId, team.approver.id],
  );
  const read = 'query ($id: ID!) { tasks(taskId: $id) { history { event } } }';
  expect((await app.gql(team.owner.token, read, { id })).data.tasks).toEqual([{ history: [{ event: 'created' }] }]);
});

describe('withdrawTask', () => {
  const withdraw =
    'mutation ($id: ID!, $reason: String) { withdrawTask(taskId: $id, reason: $reason) { withdrawn version history { change } } }';

  it('refuses anybody but the owner, and a task that was approved', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const approved = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    expect((await app.gql(team.approver.token, withdraw, { id })).code).toBe('FORBIDDEN');
    expect((await app.gql(team.owner.token, withdraw, { id: approved })).code).toBe('TRANSITION_NOT_ALLOWED');
  });

  it('takes the task out of every list but its own, and ends it', async () => {
    const me = await someone(app, { permissions: approving, approvers: [team.approver.id] });
    const id = await prepareTask(app.database, { ownerId: me.id, sprintId, status: 'DENIED' });
    expect((await app.gql(me.token, withdraw, { id, reason: 'x'.repeat(5_001) })).code).toBe('BAD_INPUT');
    expect((await app.gql(me.token, withdraw, { id, reason: 'The client left' })).data.withdrawTask).toMatchObject({
      ...{ withdrawn: true, version: 2 },
      history: [{ change: null }, { change: 'The client left' }],
    });
    expect((await app.gql(me.token, getTasks)).data.getTasks).toEqual([]);
    expect(
      (await app.gql(me.token, '{ getSprints { taskIds } }')).data.getSprints.flatMap(
        ({ taskIds }: { taskIds: string[] }) => taskIds,
      ),
    ).toEqual([]);
    expect((await app.gql(me.token, getTasks, { taskId: id })).data.getTasks).toEqual([{ id }]);
    expect((await app.gql(me.token, update, { id, title: 'Again' })).code).toBe('TRANSITION_NOT_ALLOWED');
  });
});
