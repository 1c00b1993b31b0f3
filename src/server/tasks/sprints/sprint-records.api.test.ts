// The life of a sprint over HTTP: what each phase allows, what is recorded at its start and end, carry-over
// (D39), and the list (D37).
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverRole } from '#server/platform/db/server-role.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { makeTeam, prepareTask, prepareTasks, type Team, takeOff, traces } from '../../../../test/task-fixtures.ts';
import { keepSprints } from './keep-sprints.ts';

let app: TestApp;
let team: Team;
let sprintId: string;

// One sprint from 2026-11-16 to 11-23 10:00; it settles until 11-25 10:00.
const active = '2026-11-18T12:00:00Z';
const settling = '2026-11-24T12:00:00Z';
const settled = '2026-11-25T10:00:00Z';

beforeEach(async () => {
  app = await startTestApp({ now: active });
  sprintId = await app.sprint();
  team = await makeTeam(app);
});
afterEach(() => app.stop());

/** Sessions last an hour, so later actions need a new sign-in. */
async function at(now: string): Promise<void> {
  app.clock.set(now);
  for (const someone of Object.values(team)) Object.assign(someone, { token: await app.signIn(someone.id) });
}
const keep = (at = app.clock.now()) =>
  keepSprints({
    ...app.parts,
    clock: { now: () => at },
  });

const update =
  'mutation ($id: ID!, $status: TaskStatus, $title: String) { updateTask(id: $id, status: $status, title: $title) { status } }';
const carry =
  'mutation ($id: ID!) { carryOver(taskId: $id) { sprintId carriedOver status history { event correction } } }';
const leave =
  'mutation ($id: ID!, $reason: String) { leaveUndone(taskId: $id, reason: $reason) { leftUndone status history { event change } } }';
const undo =
  'mutation ($id: ID!) { undoTaskStep(taskId: $id) { sprintId carriedOver leftUndone withdrawn history { event } } }';
const carriedTo =
  'query ($sprintId: ID!) { sprintResult(sprintId: $sprintId) { carriedOut carriedTo { sprintId count } } }';
const result =
  'query ($sprintId: ID!, $userId: ID) { sprintResult(sprintId: $sprintId, userId: $userId) { committed completionPercentage completionPercentageNow carriedOut corrections counts { INAPPROVAL DENIED TODO INPROGRESS INREVIEW DONE } } }';
const nothing = { INAPPROVAL: 0, DENIED: 0, TODO: 0, INPROGRESS: 0, INREVIEW: 0, DONE: 0 };

describe('what a sprint allows', () => {
  const acts = {
    edit: (id: string) => app.gql(team.owner.token, update, { id, title: 'New' }),
    move: (id: string) => app.gql(team.owner.token, update, { id, status: 'INPROGRESS' }),
    complete: (id: string) => app.gql(team.owner.token, update, { id, status: 'INREVIEW' }),
    note: (id: string) =>
      app.gql(team.owner.token, 'mutation ($id: ID!) { addNoteToTask(taskId: $id, text: "Hm") { id } }', { id }),
    carryOver: (id: string) => app.gql(team.owner.token, carry, { id }),
    leaveUndone: (id: string) => app.gql(team.owner.token, leave, { id }),
    create: () =>
      app.gql(
        team.owner.token,
        'mutation ($sprintId: ID, $userId: ID!) { createTask(title: "A", userId: $userId, sprintId: $sprintId) { id } }',
        { sprintId, userId: team.owner.id },
      ),
    decide: async () => {
      const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'INREVIEW' });
      return app.gql(team.approver.token, update, { id, status: 'DONE' });
    },
    withdraw: async () => {
      const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
      return app.gql(team.owner.token, 'mutation ($id: ID!) { withdrawTask(taskId: $id) { id } }', { id });
    },
  } as const;
  type Act = keyof typeof acts;

  it.each<[string, string, readonly Act[]]>([
    ['settled', settled, ['edit', 'move', 'complete', 'create']],
    ['settling', settling, ['move', 'create']],
    ['active', active, ['carryOver', 'leaveUndone']],
    ['future', '2026-11-12T12:00:00Z', ['carryOver', 'leaveUndone']],
  ])('while it is %s', async (_phase, now, refused) => {
    await at(now);
    for (const act of Object.keys(acts) as Act[]) {
      const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
      const before = await traces(app.database, id);
      const { code } = await acts[act](id);
      expect([act, code]).toEqual([act, refused.includes(act) ? 'SPRINT_DOES_NOT_ALLOW' : null]);
      if (refused.includes(act)) expect(await traces(app.database, id)).toEqual(before);
    }
  });
});

describe('carrying over', () => {
  it('is refused to anybody but the owner, and for a task that is completed', async () => {
    const open = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    const completed = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'INREVIEW' });
    await at(settling);
    expect((await app.gql(team.approver.token, carry, { id: open })).code).toBe('FORBIDDEN');
    expect((await app.gql(team.owner.token, carry, { id: completed })).code).toBe('TRANSITION_NOT_ALLOWED');
  });

  it('takes the same task with its approval into the current sprint, and counts as not completed in the one it leaves', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'DONE' });
    await at(settling);
    const { data } = await app.gql(team.owner.token, carry, { id });
    expect(data.carryOver).toMatchObject({ carriedOver: 1, status: 'TODO' });
    expect(data.carryOver.sprintId).not.toBe(sprintId);
    expect(data.carryOver.history.at(-1)).toEqual({ event: 'carriedOver', correction: false });
    const { rows } = await app.database.pool.query(
      `select sprint_id::text as id from task_history where task_id = $1 and event = 'carriedOver'`,
      [id],
    );
    expect(rows).toEqual([{ id: sprintId }]);
    const listed = (await app.gql(team.owner.token, '{ getSprints { id taskIds completionPercentage } }')).data
      .getSprints as { id: string; taskIds: string[]; completionPercentage: number }[];
    expect(listed.find((sprint) => sprint.id === sprintId)).toMatchObject({
      completionPercentage: 50,
      taskIds: expect.not.arrayContaining([id]),
    });
    expect(listed.find((sprint) => sprint.id === data.carryOver.sprintId)?.taskIds).toEqual([id]);
  });

  it('is offered on My week for what was open at the close', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'DENIED' });
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'DONE' });
    await at(settling);
    const { data } = await app.gql(
      team.owner.token,
      '{ myWeek { sprint { state } previousSprint { id phase } tasks { id } openAtClose { id } waiting { toApprove } } }',
    );
    expect(data.myWeek).toEqual({
      sprint: { state: 'active' },
      previousSprint: { id: sprintId, phase: 'settling' },
      tasks: [],
      openAtClose: [{ id }],
      waiting: { toApprove: 0 },
    });
  });
});

describe('leaving undone', () => {
  const week = '{ myWeek { openAtClose { id } } }';
  const unfinished = async () =>
    (await app.gql(team.owner.token, week)).data.myWeek.openAtClose.map((task: { id: string }) => task.id);

  it('is refused to anybody but the owner, and for a task that nobody approved', async () => {
    const open = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    const waiting = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await at(settling);
    const before = await traces(app.database, open);
    expect((await app.gql(team.approver.token, leave, { id: open })).code).toBe('FORBIDDEN');
    expect((await app.gql(team.stranger.token, leave, { id: open })).code).toBe('NOT_FOUND');
    expect((await app.gql(team.owner.token, leave, { id: waiting })).code).toBe('TRANSITION_NOT_ALLOWED');
    expect(await traces(app.database, open)).toEqual(before);
  });

  it('takes the task off My week, counts it as not completed in its sprint, and is undone by its owner', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'DONE' });
    await at(settling);
    const { data } = await app.gql(team.owner.token, leave, { id, reason: 'No longer needed' });
    expect(data.leaveUndone).toMatchObject({ leftUndone: true, status: 'TODO' });
    expect(data.leaveUndone.history.at(-1)).toEqual({ event: 'leftUndone', change: 'No longer needed' });
    expect(await unfinished()).toEqual([]);
    const { sprintResult } = (await app.gql(team.owner.token, result, { sprintId })).data;
    expect(sprintResult).toMatchObject({ completionPercentage: 50, carriedOut: 0 });
    const undone = (await app.gql(team.owner.token, undo, { id })).data.undoTaskStep;
    expect(undone).toMatchObject({ leftUndone: false });
    expect(undone.history.slice(-2)).toEqual([{ event: 'leftUndone' }, { event: 'reopened' }]);
    expect(await unfinished()).toEqual([id]);
  });

  it('of a task that nobody approved is a withdrawal, which its owner can undo too', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await at(settling);
    await app.gql(team.owner.token, 'mutation ($id: ID!) { withdrawTask(taskId: $id) { id } }', { id });
    expect(await unfinished()).toEqual([]);
    const { data } = await app.gql(team.owner.token, undo, { id });
    expect(data.undoTaskStep).toMatchObject({ withdrawn: false });
    expect(data.undoTaskStep.history.at(-1)).toEqual({ event: 'restored' });
    expect(await unfinished()).toEqual([id]);
  });
});

describe('undoing a carry-over', () => {
  it('is refused to anybody but the owner, after 30 seconds, and when something else happened', async () => {
    const [late, changed, ofAnother] = await prepareTasks(app.database, 3, {
      ...{ ownerId: team.owner.id, sprintId, status: 'TODO' },
    });
    await at(settling);
    for (const id of [late, changed, ofAnother]) await app.gql(team.owner.token, carry, { id });
    await app.gql(team.owner.token, update, { id: changed, status: 'INPROGRESS' });
    expect((await app.gql(team.approver.token, undo, { id: ofAnother })).code).toBe('FORBIDDEN');
    expect((await app.gql(team.owner.token, undo, { id: changed })).code).toBe('CONFLICT');
    app.clock.advance({ seconds: 31 });
    expect((await app.gql(team.owner.token, undo, { id: late })).code).toBe('TOO_LATE');
  });

  it('is refused once the sprint was recorded with it, but not of one that came later', async () => {
    const [before, after] = await prepareTasks(app.database, 2, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    await at('2026-11-25T09:59:50Z');
    await app.gql(team.owner.token, carry, { id: before });
    await at('2026-11-25T10:00:10Z');
    const late = await app.gql(team.owner.token, undo, { id: before });
    expect([late.code, late.errors?.[0]?.message]).toEqual(['TOO_LATE', expect.stringContaining('recorded')]);
    await app.gql(team.owner.token, carry, { id: after });
    expect((await app.gql(team.owner.token, undo, { id: after })).data.undoTaskStep).toMatchObject({ sprintId });
    const { data } = await app.gql(team.owner.token, result, { sprintId });
    expect(data.sprintResult).toMatchObject({ carriedOut: 1, counts: { ...nothing, TODO: 2 } });
  });

  it('brings the task back to its sprint, where it counts once, and the history tells both', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    await at(settling);
    const before = (await app.gql(team.owner.token, result, { sprintId })).data;
    await app.gql(team.owner.token, carry, { id });
    const { data } = await app.gql(team.owner.token, undo, { id });
    expect(data.undoTaskStep).toMatchObject({ sprintId, carriedOver: 0 });
    expect(data.undoTaskStep.history.slice(-2)).toEqual([{ event: 'carriedOver' }, { event: 'carryOverUndone' }]);
    expect((await app.gql(team.owner.token, result, { sprintId })).data).toEqual(before);
    expect((await app.gql(team.owner.token, carry, { id })).data.carryOver).toMatchObject({ carriedOver: 1 });
    // A note stops no undo.
    await app.gql(team.approver.token, 'mutation ($id: ID!) { addNoteToTask(taskId: $id, text: "Ok") { id } }', { id });
    expect((await app.gql(team.owner.token, undo, { id })).data.undoTaskStep).toMatchObject({
      sprintId,
      carriedOver: 0,
    });
    expect((await app.gql(team.owner.token, result, { sprintId })).data).toEqual(before);
    expect((await app.gql(team.owner.token, carry, { id })).data.carryOver).toMatchObject({ carriedOver: 1 });
    const { sprintResult } = (await app.gql(team.owner.token, result, { sprintId })).data;
    expect(sprintResult).toMatchObject({ carriedOut: 1, counts: { ...nothing, TODO: 1 } });
  });
});

describe('the result of a sprint', () => {
  it('is that of a person whose tasks the caller may see', async () => {
    await at('2026-11-25T09:59:59.999Z');
    expect((await app.gql(team.stranger.token, result, { sprintId, userId: team.owner.id })).code).toBe('NOT_FOUND');
    expect((await app.gql(team.owner.token, result, { sprintId: '999999' })).code).toBe('NOT_FOUND');
  });

  it('counts a task carried over as not completed before it is settled too, as the list of sprints and the stats do', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'DONE' });
    await at(settling);
    await app.gql(team.owner.token, carry, { id });
    const { data } = await app.gql(team.owner.token, result, { sprintId });
    expect(data.sprintResult).toMatchObject({
      completionPercentage: 50,
      carriedOut: 1,
      counts: { ...nothing, TODO: 1, DONE: 1 },
    });
    const listed = (await app.gql(team.owner.token, '{ getSprints { id completionPercentage } }')).data.getSprints;
    expect(listed).toContainEqual({ id: sprintId, completionPercentage: 50 });
  });

  it('says in which sprints its carried tasks are now, also those carried after it was recorded', async () => {
    const [before, after] = await prepareTasks(app.database, 2, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    const carried = async () =>
      (await app.gql(team.owner.token, carriedTo, { sprintId })).data.sprintResult as { carriedOut: number };
    await at(settling);
    expect(await carried()).toEqual({ carriedOut: 0, carriedTo: [] });
    const { data } = await app.gql(team.owner.token, carry, { id: before });
    const next = data.carryOver.sprintId;
    expect(await carried()).toEqual({ carriedOut: 1, carriedTo: [{ sprintId: next, count: 1 }] });
    await at(settled);
    await keep();
    await app.gql(team.owner.token, carry, { id: after });
    expect(await carried()).toEqual({ carriedOut: 1, carriedTo: [{ sprintId: next, count: 2 }] });
    await app.gql(team.owner.token, undo, { id: after });
    expect(await carried()).toEqual({ carriedOut: 1, carriedTo: [{ sprintId: next, count: 1 }] });
  });

  it('is recorded once with the commitment, and corrections never change it', async () => {
    await prepareTasks(app.database, 2, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    const awaiting = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    await keep();
    expect((await app.gql(team.approver.token, update, { id: awaiting, status: 'TODO' })).code).toBeNull();
    await keep();
    const completed = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'INREVIEW' });
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'DONE' });
    await at(settling);
    await app.gql(team.owner.token, carry, { id: awaiting });
    await at(settled);
    await keep();
    const recorded = {
      committed: 2,
      completionPercentage: 40,
      completionPercentageNow: 40,
      carriedOut: 1,
      corrections: 0,
      counts: { ...nothing, TODO: 3, INREVIEW: 1, DONE: 1 },
    };
    expect((await app.gql(team.owner.token, result, { sprintId })).data.sprintResult).toEqual(recorded);
    await app.gql(team.approver.token, update, { id: completed, status: 'INPROGRESS' });
    await Promise.all([keep(), keep(), keep()]);
    expect((await app.gql(team.approver.token, result, { sprintId, userId: team.owner.id })).data.sprintResult).toEqual(
      // The task that was carried over still counts.
      { ...recorded, corrections: 1, completionPercentageNow: 20 },
    );
    const { data } = await app.gql(
      team.owner.token,
      'query { getSprints { id completionPercentage phase settledAt } }',
    );
    expect(data.getSprints[0]).toEqual({
      id: sprintId,
      completionPercentage: 40,
      phase: 'settled',
      settledAt: '2026-11-25T10:00:00.000Z',
    });
    const history = (
      await app.gql(team.owner.token, 'query ($id: ID) { getTasks(taskId: $id) { history { event correction } } }', {
        id: completed,
      })
    ).data.getTasks[0].history;
    expect(history.at(-1)).toEqual({ event: 'sentBack', correction: true });
  });

  it('has no correction where one was undone, but one where a decision that it counts was undone', async () => {
    const completed = { ownerId: team.owner.id, sprintId, status: 'INREVIEW' } as const;
    const [mistaken, counted] = await prepareTasks(app.database, 2, completed);
    const undoDecision = 'mutation ($id: ID!) { undoDecision(taskId: $id) { status } }';
    const corrections = async () =>
      (await app.gql(team.owner.token, result, { sprintId })).data.sprintResult.corrections;
    await at('2026-11-25T09:59:50Z');
    await app.gql(team.approver.token, update, { id: counted, status: 'DONE' });
    await at(settled);
    await keep();
    await app.gql(team.approver.token, update, { id: mistaken, status: 'DONE' });
    expect(await corrections()).toBe(1);
    expect((await app.gql(team.approver.token, undoDecision, { id: mistaken })).code).toBeNull();
    expect(await corrections()).toBe(0);
    const stats = 'query ($sprintId: ID) { sprintStats(sprintId: $sprintId) { employees { corrections } } }';
    const { employees } = (await app.gql(team.admin.token, stats, { sprintId })).data.sprintStats;
    expect(employees.map((one: { corrections: number }) => one.corrections)).not.toContain(1);
    expect((await app.gql(team.approver.token, undoDecision, { id: counted })).code).toBeNull();
    expect(await corrections()).toBe(1);
  });

  it('is that of the last instant of settling when the first thing that happens afterwards is a change', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'INREVIEW' });
    await keep();
    // No server ran for a while; the first call signs the task off.
    await at('2026-12-16T12:00:00Z');
    expect((await app.gql(team.approver.token, update, { id, status: 'DONE' })).code).toBeNull();
    const { data } = await app.gql(team.owner.token, result, { sprintId });
    expect(data.sprintResult).toMatchObject({ corrections: 1, counts: { ...nothing, INREVIEW: 1 } });
    const { rows } = await app.database.pool.query('select result_at as at from sprints where id = $1', [sprintId]);
    expect(rows).toEqual([{ at: '2026-11-25T10:00:00.000Z' }]);
  });

  it('holds every change that came before it, also one that is under way when it is recorded', async () => {
    const ids = await prepareTasks(app.database, 30, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    await keep();
    await at('2026-11-25T09:59:59Z');
    const moves = ids.map((id) => app.gql(team.owner.token, update, { id, status: 'INREVIEW' }));
    // Another server whose time has already come.
    const records = [1, 2, 3].map(() => keep(Temporal.Instant.from(settled)));
    const codes = (await Promise.all([...moves, ...records].map((done) => done)))
      .slice(0, 30)
      .map((answer) => (answer as { code: string | null }).code);
    const { data } = await app.gql(team.owner.token, result, { sprintId });
    expect(data.sprintResult.counts.INREVIEW).toBe(codes.filter((code) => code === null).length);
    expect(codes.every((code) => code === null || code === 'SPRINT_DOES_NOT_ALLOW')).toBe(true);
  });
});

describe('a sprint that is being recorded', () => {
  /** Another server that records the sprint, until it is released. */
  let release = async () => {};
  afterEach(() => release());
  async function record(): Promise<void> {
    const client = await app.database.pool.connect();
    release = async () => {
      release = async () => {};
      await client.query('rollback');
      client.release();
    };
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('record sprint ' || $1, 0))`, [sprintId]);
    await client.query('select from sprints where id = $1 for update', [sprintId]);
  }

  it('shows what its tasks come to, and no read waits for it or records it', async () => {
    await prepareTasks(app.database, 2, { ownerId: team.owner.id, sprintId, status: 'DONE' });
    await at(settled);
    await record();
    const reads = await Promise.all([1, 2, 3, 4, 5, 6].map(() => app.gql(team.owner.token, result, { sprintId })));
    expect(reads.map(({ data }) => data.sprintResult.counts.DONE)).toEqual([2, 2, 2, 2, 2, 2]);
    await release();
    const { rows } = await app.database.pool.query('select result_at as at from sprints where id = $1', [sprintId]);
    expect(rows).toEqual([{ at: null }]);
  });

  it('lets its changes wait without a connection to the database, and takes them once it is recorded', async () => {
    const ids = await prepareTasks(app.database, 8, { ownerId: team.owner.id, sprintId, status: 'INREVIEW' });
    await at(settled);
    await record();
    const { approver, admin } = team;
    const changes = ids.map((id, index) =>
      app.gql((index % 2 ? approver : admin).token, update, { id, status: 'DONE' }),
    );
    expect((await app.gql(team.owner.token, result, { sprintId })).data.sprintResult.counts.INREVIEW).toBe(8);
    await release();
    expect((await Promise.all(changes)).map(({ code }) => code)).toEqual(ids.map(() => null));
    const { data } = await app.gql(team.owner.token, result, { sprintId });
    expect(data.sprintResult).toMatchObject({ corrections: 8, counts: { ...nothing, INREVIEW: 8 } });
  });

  it('may take longer than a request', async () => {
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'DONE' });
    await app.asOwner(`create function slow() returns trigger language plpgsql as $$ begin
      if current_setting('statement_timeout') <> '30min' then raise 'too slow'; end if; return new; end $$`);
    await app.asOwner('create trigger slow before insert on sprint_results for each row execute function slow()');
    await keep();
    await at(settled);
    await keep();
    const { rows } = await app.database.pool.query('select committed, counts from sprint_results');
    expect(rows).toEqual([{ committed: 1, counts: { ...nothing, DONE: 1 } }]);
  });
});

describe('getSprints', () => {
  it('refuses a filter that is no category and no scope', async () => {
    const { errors } = await app.gql(team.owner.token, '{ getSprints(categoryFilters: ["Blue", "Red"]) { id } }');
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_INPUT', field: 'categoryFilters' });
  });

  it('gives previous, current and next in order of start under both names, and all of them with all', async () => {
    await app.sprint('2026-10-01T12:00:00Z');
    const { data } = await app.gql(
      team.owner.token,
      '{ getSprints { id state current startDate endDate } sprints { id state current startDate endDate } all: getSprints(all: true) { id } }',
    );
    expect(data.getSprints.map(({ state, current }: Record<string, unknown>) => [state, current])).toEqual([
      ['closed', false],
      ['active', true],
      ['future', false],
    ]);
    expect(data.getSprints[1]).toMatchObject({
      id: sprintId,
      startDate: '2026-11-16T10:00:00.000Z',
      endDate: '2026-11-23T10:00:00.000Z',
    });
    expect(data.sprints).toEqual(data.getSprints);
    expect(data.all).toHaveLength(4);
  });

  it('counts no tasks where nobody asked what they come to', async () => {
    await app.asOwner(`revoke select on sprint_standings from ${serverRole}`);
    const ask = (query: string) => app.gql(team.owner.token, query);
    expect((await ask('{ getSprints(all: true) { id name phase current } myWeek { sprint { id } } }')).code).toBeNull();
    expect((await ask('{ sprints(categoryFilters: ["Blue"]) { id } }')).code).toBeNull();
    expect((await ask('{ sprints { taskIds } }')).code).toBe('INTERNAL');
    expect((await ask('{ sprints { completionPercentage } }')).code).toBe('INTERNAL');
  });

  it('shows the % completed that a recomputation of the caller’s tasks gives', async () => {
    for (const [status, count] of [
      ['INAPPROVAL', 2],
      ['DENIED', 1],
      ['TODO', 1],
      ['INPROGRESS', 1],
      ['INREVIEW', 2],
      ['DONE', 3],
    ] as const)
      await prepareTasks(app.database, count, { ownerId: team.owner.id, sprintId, status });
    const { data } = await app.gql(team.owner.token, '{ getSprints { completionPercentage taskIds } }');
    expect(data.getSprints[1].completionPercentage).toBe(71.4);
    expect(data.getSprints[1].taskIds).toHaveLength(10);
    expect(data.getSprints[2].completionPercentage).toBeNull();
  });

  it('with filters covers the tasks in those categories and scopes of the people whose stats the caller may see', async () => {
    const green = await app.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], team: 'green' });
    const blueTask = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, category: 'Blue' });
    const ofGreenTeam = await prepareTask(app.database, { ownerId: green, sprintId, category: 'Blue' });
    const greenTask = await prepareTask(app.database, { ownerId: team.stranger.id, sprintId, category: 'Green' });
    const filtered = async (token: string, ...categoryFilters: string[]) =>
      (
        await app.gql(token, 'query ($f: [String!]) { getSprints(categoryFilters: $f) { taskIds } }', {
          f: categoryFilters,
        })
      ).data.getSprints[1].taskIds;
    expect(await filtered(team.admin.token, 'Blue')).toEqual([blueTask, ofGreenTeam]);
    expect(await filtered(team.admin.token, 'green')).toEqual([ofGreenTeam, greenTask]);
    expect(await filtered(team.owner.token, 'Blue', 'Green', 'green')).toEqual([blueTask]);
    // Nothing chosen is no restriction.
    expect(await filtered(team.admin.token)).toEqual([blueTask, ofGreenTeam, greenTask]);
    expect(await filtered(team.owner.token)).toEqual([blueTask]);
  });
});

it('a holiday on Monday moves the end of the sprint by a day, once the company wants that', async () => {
  const task = await prepareTask(app.database, { sprintId, ownerId: team.owner.id, status: 'INPROGRESS' });
  await takeOff(app, team.admin.token, '2026-11-23 Day off');
  const end = async () => {
    const { rows } = await app.database.pool.query('select end_at as at from sprints where id = $1', [sprintId]);
    return rows[0].at;
  };
  await keep();
  expect(await end()).toBe('2026-11-23T10:00:00.000Z');
  const change = 'mutation { changeSetting(key: "holidayClose", value: "on") { value } }';
  expect((await app.gql(team.admin.token, change)).code).toBeNull();
  await expect.poll(() => app.parts.settings().holidayClose).toBe(true);
  await keep();
  expect(await end()).toBe('2026-11-24T10:00:00.000Z');
  await at('2026-11-24T09:59:00Z');
  const sprints = 'query { getSprints { id phase } }';
  const phases = async () =>
    (await app.gql<{ getSprints: { id: string; phase: string }[] }>(team.owner.token, sprints)).data;
  expect((await phases())?.getSprints.find(({ id }) => id === sprintId)?.phase).toBe('active');
  expect((await app.gql(team.owner.token, update, { id: task, status: 'INREVIEW' })).code).toBeNull();
  await at('2026-11-24T10:00:00Z');
  expect((await phases())?.getSprints.find(({ id }) => id === sprintId)?.phase).toBe('settling');
});
