// Repeating tasks: who sets them, and what the sprint that begins gets (spec-questions: Tasks and approvers).
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { taskLimits } from '#core/base/limits.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import {
  makeTeam,
  prepareTask,
  prepareTasks,
  type Someone,
  someone,
  staff,
  type Team,
  takeOff,
} from '../../../test/task-fixtures.ts';
import { addRepeatingTasks } from './repeats.service.ts';
import { keepSprints } from './sprints/keep-sprints.ts';

let app: TestApp;
let team: Team;
let sprintId: string;

beforeEach(async () => {
  app = await startTestApp();
  sprintId = await app.sprint();
  team = await makeTeam(app);
});
afterEach(() => app.stop());

const repeatCall = `mutation ($id: ID!, $repeats: TaskRepeat) { repeatTask(taskId: $id, repeats: $repeats) {
  repeats version status history { event before after } } }`;
const repeat = (by: Someone, id: string, repeats: string | null) => app.gql(by.token, repeatCall, { id, repeats });

/** Monday 10:00 of the week of 23 November and the weeks after it, with the sprints. */
const begin = async (week: number) => {
  app.clock.set(
    Temporal.Instant.from('2026-11-23T10:00:00Z')
      .add({ hours: 168 * week })
      .toString(),
  );
  await keepSprints(app.parts);
};
const rollOver = async (week = 0) => {
  await begin(week);
  await addRepeatingTasks(app.parts);
};

type Row = { title: string; sprint: string; repeats: string | null; status: string; version: number };
/** All tasks, in order, with the start of their sprint. */
async function rows(ownerId: string): Promise<Row[]> {
  const { rows: found } = await app.database.pool.query<Row>(
    `select t.title, to_char(s.start_at, 'MM-DD') as sprint, t.repeats, t.status, t.version
     from tasks t join sprints s on s.id = t.sprint_id where t.owner_id = $1 order by t.id`,
    [ownerId],
  );
  return found;
}
const sprintsOf = async (ownerId: string) => (await rows(ownerId)).map(({ sprint }) => sprint);

/** A weekly task of this person in the current sprint. */
async function weekly(owner: Someone, more: { title?: string; status?: 'TODO' } = {}): Promise<string> {
  const id = await prepareTask(app.database, { ownerId: owner.id, sprintId, ...more });
  await app.database.pool.query("update tasks set repeats = 'weekly' where id = $1", [id]);
  return id;
}

describe('how a task repeats', () => {
  test('is changed by its owner only', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    for (const who of [team.approver, team.admin]) expect((await repeat(who, id, 'weekly')).code).toBe('FORBIDDEN');
    for (const who of [team.stranger, team.otherApprover])
      expect((await repeat(who, id, 'weekly')).code).toBe('NOT_FOUND');
    expect((await app.gql(null, repeatCall, { id, repeats: 'weekly' })).code).toBe('NOT_SIGNED_IN');
    expect((await repeat(team.owner, id, 'daily')).errors).toHaveLength(1);
    expect(await rows(team.owner.id)).toMatchObject([{ repeats: null, version: 1 }]);
  });

  test('is set, changed and stopped with its history and lines of the audit log, and once if sent twice', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    for (const repeats of ['weekly', 'weekly', 'monthLast', null, null]) {
      const { data } = await repeat(team.owner, id, repeats);
      expect(data.repeatTask).toMatchObject({ repeats, status: 'TODO' });
    }
    const { data } = await app.gql(
      team.approver.token,
      'query ($id: ID!) { tasks(taskId: $id) { version history { event before after } } }',
      { id },
    );
    expect(data.tasks[0]).toEqual({
      version: 4,
      history: [
        expect.objectContaining({ event: 'created' }),
        { event: 'repeatSet', before: '{"repeats": null}', after: '{"repeats": "weekly"}' },
        { event: 'repeatSet', before: '{"repeats": "weekly"}', after: '{"repeats": "monthLast"}' },
        { event: 'repeatStopped', before: '{"repeats": "monthLast"}', after: '{"repeats": null}' },
      ],
    });
    const { rows: lines } = await app.database.pool.query(
      "select action from audit_log where subject_type = 'task' and subject_id = $1 order by id",
      [id],
    );
    expect(lines.map(({ action }) => action)).toEqual(['taskRepeatSet', 'taskRepeatSet', 'taskRepeatStopped']);
  });

  test('never makes a decision stale', async () => {
    const decide =
      'mutation ($id: ID!) { decideTasks(decisions: [{ taskId: $id, decision: approve, version: 1 }]) { ok code message } }';
    const [id, edited] = await prepareTasks(app.database, 2, { ownerId: team.owner.id, sprintId });
    for (const each of [id, edited]) expect((await repeat(team.owner, each!, 'weekly')).code).toBeNull();
    const edit = 'mutation ($id: ID!) { updateTask(id: $id, summary: "More") { id } }';
    expect((await app.gql(team.owner.token, edit, { id: edited })).code).toBeNull();
    const decided = async (taskId: string) =>
      (await app.gql(team.approver.token, decide, { id: taskId })).data.decideTasks[0];
    expect(await decided(id!)).toMatchObject({ ok: true });
    expect(await decided(edited!)).toMatchObject({ ok: false, code: 'CONFLICT' });
  });

  test('never prevents the undo of a decision', async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const decide = 'mutation ($id: ID!) { updateTask(id: $id, status: TODO) { status } }';
    expect((await app.gql(team.approver.token, decide, { id })).code).toBeNull();
    expect((await repeat(team.owner, id, 'weekly')).code).toBeNull();
    const undo = 'mutation ($id: ID!) { undoDecision(taskId: $id) { status repeats } }';
    expect((await app.gql(team.approver.token, undo, { id })).data.undoDecision).toEqual({
      status: 'INAPPROVAL',
      repeats: 'weekly',
    });
  });
});

describe('what the next sprint will get', () => {
  const plan = async (by: Someone, ownerId: string, sprint: string) => {
    const call =
      'query ($sprint: ID!, $owner: ID) { sprintResult(sprintId: $sprint, userId: $owner) { repeatsToCome away { firstDay lastDay } } }';
    const { data, code } = await app.gql(by.token, call, { sprint, owner: ownerId });
    return code ?? data.sprintResult;
  };
  const next = async () => {
    await keepSprints(app.parts);
    const { rows: found } = await app.database.pool.query<{ id: string }>(
      'select id::text from sprints where start_at > $1 order by start_at limit 1',
      [app.clock.now().toString()],
    );
    return found[0]!.id;
  };
  const away = (personId: string, first: string, last: string) =>
    app.database.pool.query(
      "insert into absences (person_id, first_day, last_day, note) values ($1, $2, $3, 'Surgery')",
      [...[personId, first, last]],
    );

  test('is seen by the person, their approver and admins only', async () => {
    const sprint = await next();
    await weekly(team.owner);
    await away(team.owner.id, '2026-11-20', '2026-11-25');
    for (const who of [team.stranger, team.otherApprover])
      expect(await plan(who, team.owner.id, sprint)).toBe('NOT_FOUND');
    const seen = { repeatsToCome: 1, away: [{ firstDay: '2026-11-23', lastDay: '2026-11-25' }] };
    for (const who of [team.owner, team.approver, team.admin])
      expect(await plan(who, team.owner.id, sprint)).toEqual(seen);
    expect(await plan(team.approver, team.owner.id, sprintId)).toEqual({
      ...{ repeatsToCome: 0, away: [{ firstDay: '2026-11-20', lastDay: '2026-11-22' }] },
    });
  });

  test('is what it then gets: by each task’s rule, and nothing for someone who is away all week', async () => {
    const sprint = await next();
    const { owner, approver } = team;
    await weekly(owner);
    await weekly(owner, { status: 'TODO' });
    const other = await weekly(owner);
    await app.database.pool.query("update tasks set repeats = 'twoWeekly' where id = $1", [other]);
    const absent = await someone(app, { permissions: staff, approvers: [approver.id] });
    await weekly(absent);
    await away(absent.id, '2026-11-23', '2026-11-27');
    const counted = async (id: string) => (await plan(team.admin, id, sprint)).repeatsToCome;
    expect([await counted(owner.id), await counted(absent.id)]).toEqual([2, 0]);
    await rollOver();
    const got = async (id: string) => (await sprintsOf(id)).filter((start) => start === '11-23').length;
    expect([await got(owner.id), await got(absent.id)]).toEqual([2, 0]);
    const token = await app.signIn(team.admin.id);
    expect((await plan({ ...team.admin, token }, owner.id, sprint)).repeatsToCome).toBe(0);
  });
});

describe('the sprint that begins', () => {
  test('gets the latest version of the task as a planned one, which repeats from then on', async () => {
    const { owner } = team;
    const id = await prepareTask(app.database, { ownerId: owner.id, sprintId, status: 'DENIED' });
    await repeat(owner, id, 'weekly');
    const edit =
      'mutation ($id: ID!) { updateTask(id: $id, title: "Report", summary: "All shops", category: "Grow") { id } }';
    expect((await app.gql(owner.token, edit, { id })).code).toBeNull();
    await rollOver();
    expect(await rows(owner.id)).toEqual([
      { title: 'Report', sprint: '11-16', repeats: null, status: 'INAPPROVAL', version: 3 },
      { title: 'Report', sprint: '11-23', repeats: 'weekly', status: 'INAPPROVAL', version: 1 },
    ]);
    const token = await app.signIn(owner.id);
    const { data } = await app.gql(
      token,
      '{ myWeek { tasks { id title summary category repeats version createdBy { id } history { event actorId after } } } }',
    );
    expect(data.myWeek.tasks).toMatchObject([
      {
        ...{ title: 'Report', summary: 'All shops', category: 'Grow', repeats: 'weekly', createdBy: { id: owner.id } },
        history: [{ event: 'created', actorId: owner.id }],
      },
    ]);
    expect(JSON.parse(data.myWeek.tasks[0].history[0].after)).toEqual({
      ...{ title: 'Report', summary: 'All shops', category: 'Grow', repeats: 'weekly' },
    });
    const { rows: lines } = await app.database.pool.query(
      "select subject_type as type, after from audit_log where action = 'tasksRepeated'",
    );
    expect(lines).toEqual([{ type: 'sprint', after: { created: 1 } }]);
    const { rows: ofTask } = await app.database.pool.query(
      "select actor_id, after from audit_log where action = 'taskRepeated' and subject_type = 'task' and subject_id = $1",
      [data.myWeek.tasks[0].id],
    );
    const after = { sprintId: Number(await app.sprint()), repeats: 'weekly', repeatOf: Number(id) };
    expect(ofTask).toEqual([{ actor_id: null, after }]);
    await rollOver(1);
    expect(await sprintsOf(owner.id)).toEqual(['11-16', '11-23', '11-30']);
  });

  const carry = async (by: Someone, id: string) => {
    const token = await app.signIn(by.id);
    const { code, errors } = await app.gql(token, 'mutation ($id: ID!) { carryOver(taskId: $id) { id } }', { id });
    return code === null ? 'carried over' : errors?.[0]?.message;
  };
  const addedTwice = 'This task was already added to a later sprint, because it repeats. Leave this one undone';
  const unfinished = async () => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    expect((await repeat(team.owner, id, 'weekly')).code).toBeNull();
    return id;
  };

  test('has an unfinished task once: carried over before, with its rule, or added again and left behind', async () => {
    const { owner } = team;
    const id = await unfinished();
    await rollOver();
    expect(await carry(owner, id)).toBe(addedTwice);
    const token = await app.signIn(owner.id);
    const read = await app.gql(token, '{ myWeek { tasks { addedAgain } openAtClose { id addedAgain } } }');
    expect(read.data.myWeek).toEqual({ tasks: [{ addedAgain: false }], openAtClose: [{ id, addedAgain: true }] });
    const leave = 'mutation ($id: ID!) { leaveUndone(taskId: $id) { leftUndone } }';
    expect((await app.gql(token, leave, { id })).code).toBeNull();
    expect(await sprintsOf(owner.id)).toEqual(['11-16', '11-23']);
    const [, copy] = (await app.database.pool.query('select id from tasks where owner_id = $1 order by id', [owner.id]))
      .rows;
    await begin(1);
    expect(await carry(owner, copy.id)).toBe('carried over');
    await addRepeatingTasks(app.parts);
    expect(await sprintsOf(owner.id)).toEqual(['11-16', '11-30']);
    await rollOver(2);
    expect(await sprintsOf(owner.id)).toEqual(['11-16', '11-30', '12-07']);
    // The copy was never approved.
    expect(await carry(owner, copy.id)).toBe(addedTwice.replace('Leave this one undone', 'Withdraw this one'));
  });

  test('can be carried over after the added task was withdrawn', async () => {
    const { owner } = team;
    const id = await unfinished();
    await rollOver();
    const withdraw = async () => {
      const [last] = (
        await app.database.pool.query('select max(id)::text as id from tasks where owner_id = $1', [owner.id])
      ).rows;
      const token = await app.signIn(owner.id);
      const text = 'mutation ($id: ID!) { withdrawTask(taskId: $id) { id } }';
      expect((await app.gql(token, text, { id: last.id })).code).toBeNull();
    };
    await rollOver(1);
    await withdraw();
    // The one of the sprint in between is still there.
    expect(await carry(owner, id)).toBe(addedTwice);
    await app.database.pool.query('update tasks set withdrawn_at = now() where owner_id = $1 and id > $2', [
      owner.id,
      id,
    ]);
    expect(await carry(owner, id)).toBe('carried over');
  });

  const copyOf = async (id: string): Promise<string> =>
    (
      await app.database.pool.query('select max(id)::text as id from tasks where owner_id = $1 and id > $2', [
        team.owner.id,
        id,
      ])
    ).rows[0].id;
  const change = async (call: string) => {
    const { code, errors } = await app.gql(await app.signIn(team.owner.id), `mutation { ${call} { id } }`);
    return code === null ? 'done' : errors?.[0]?.message;
  };

  test('has an unfinished task once: the added one isn’t restored once the earlier one was carried over', async () => {
    const id = await unfinished();
    await rollOver();
    const copy = await copyOf(id);
    expect(await change(`withdrawTask(taskId: "${copy}")`)).toBe('done');
    expect(await change(`undoTaskStep(taskId: "${copy}")`)).toBe('done');
    expect(await change(`withdrawTask(taskId: "${copy}")`)).toBe('done');
    expect(await carry(team.owner, id)).toBe('carried over');
    expect(await change(`undoTaskStep(taskId: "${copy}")`)).toBe(
      'The earlier task was carried over, so this one would be there twice. Undo the carry-over first',
    );
    expect(await change(`undoTaskStep(taskId: "${id}")`)).toBe('done');
    expect(await change(`undoTaskStep(taskId: "${copy}")`)).toBe('done');
    expect(await carry(team.owner, id)).toBe(addedTwice);
  });

  test('has an unfinished task once if it is carried over and the added one restored at the same time', async () => {
    const id = await unfinished();
    await rollOver();
    const copy = await copyOf(id);
    for (let rounds = 1; rounds <= 5; rounds += 1) {
      expect(await change(`withdrawTask(taskId: "${copy}")`)).toBe('done');
      const [carried, restored] = await Promise.all([carry(team.owner, id), change(`undoTaskStep(taskId: "${copy}")`)]);
      expect([carried === 'carried over', restored === 'done'].filter(Boolean)).toHaveLength(1);
      if (carried === 'carried over') expect(await change(`undoTaskStep(taskId: "${id}")`)).toBe('done');
      else expect(await change(`withdrawTask(taskId: "${copy}")`)).toBe('done');
      expect(await change(`undoTaskStep(taskId: "${copy}")`)).toBe('done');
    }
  });

  test('lets a task that was carried over repeat again, once the withdrawn one doesn’t', async () => {
    const id = await unfinished();
    await rollOver();
    const copy = await copyOf(id);
    expect(await change(`withdrawTask(taskId: "${copy}")`)).toBe('done');
    expect(await carry(team.owner, id)).toBe('carried over');
    const weekly = `repeatTask(taskId: "${id}", repeats: weekly)`;
    // The withdrawn one only skips its sprint.
    expect(await change(weekly)).toBe(
      'This task was already added to a later sprint. Open that task to change how it repeats',
    );
    expect(await change(`repeatTask(taskId: "${copy}")`)).toBe('done');
    expect(await change(weekly)).toBe('done');
    await rollOver(1);
    expect(await sprintsOf(team.owner.id)).toEqual(['11-23', '11-23', '11-30']);
  });

  test('has an unfinished task once if it is carried over and added at the same time', async () => {
    const { owner } = team;
    const ids = [await unfinished(), await unfinished(), await unfinished(), await unfinished()];
    await begin(0);
    await Promise.all([addRepeatingTasks(app.parts), ...ids.map((id) => carry(owner, id))]);
    expect((await sprintsOf(owner.id)).filter((start) => start === '11-23')).toHaveLength(ids.length);
  });

  test('passes a rule on once, also of a task that was then carried over', async () => {
    const { owner } = team;
    const id = await weekly(owner, { status: 'TODO' });
    await app.database.pool.query(
      "insert into task_history (task_id, sprint_id, at, actor_name, event, from_status, to_status, after, version) values ($1, $2, now(), 'O', 'repeatSet', 'TODO', 'TODO', '{\"repeats\": \"weekly\"}', 1)",
      [id, sprintId],
    );
    await rollOver();
    // As earlier versions allowed.
    await app.database.pool.query('update tasks set sprint_id = $2, carried_over = 1 where id = $1', [
      id,
      await app.sprint(),
    ]);
    const token = await app.signIn(owner.id);
    for (const repeats of ['weekly', null]) {
      const again = await repeat({ ...owner, token }, id, repeats);
      expect([again.code, again.errors?.[0]?.message]).toEqual([
        'TRANSITION_NOT_ALLOWED',
        'This task was already added to a later sprint. Open that task to change how it repeats',
      ]);
    }
    // The next sprint's copy, and then its own.
    const { rows: copies } = await app.database.pool.query('select id from tasks where owner_id = $1 and id <> $2', [
      owner.id,
      id,
    ]);
    expect((await repeat({ ...owner, token }, copies[0].id, 'monthLast')).code).toBeNull();
    await rollOver(1);
    expect(await sprintsOf(owner.id)).toEqual(['11-23', '11-23', '11-30']);
  });

  test('gets it once, however many servers see it and however often they start', async () => {
    await weekly(team.owner);
    await begin(0);
    await Promise.all([1, 2, 3].map(() => addRepeatingTasks(app.parts)));
    await addRepeatingTasks(app.parts);
    await rollOver(0.5);
    expect(await sprintsOf(team.owner.id)).toEqual(['11-16', '11-23']);
  });

  test('gets all of many in batches, also after a crash between two', async () => {
    const { owner, stranger } = team;
    for (const [at, who] of [owner, stranger, owner, stranger, owner].entries()) await weekly(who, { title: `${at}` });
    await begin(0);
    const { database } = app.parts;
    let batches = 0;
    const crashing: typeof database = {
      ...database,
      transaction: (work, options) => {
        batches += 1;
        return batches > 1 ? Promise.reject(new Error('crashed')) : database.transaction(work, options);
      },
    };
    await expect(addRepeatingTasks({ ...app.parts, database: crashing }, 2)).rejects.toThrow('crashed');
    const inNext = async () =>
      [...(await sprintsOf(owner.id)), ...(await sprintsOf(stranger.id))].filter((start) => start === '11-23');
    expect(await inNext()).toHaveLength(2);
    await addRepeatingTasks(app.parts, 2);
    await addRepeatingTasks(app.parts, 2);
    expect(await inNext()).toHaveLength(5);
    const { rows: pairs } = await app.database.pool.query(
      `select m.title = f.title as same from audit_log a join tasks m on m.id::text = a.subject_id
         join tasks f on f.id = (a.after->>'repeatOf')::bigint where a.action = 'taskRepeated'`,
    );
    expect(pairs).toEqual(Array(5).fill({ same: true }));
  });

  test('gets it once after weeks without a server, and the missed ones get none', async () => {
    await weekly(team.owner);
    await rollOver(3.75);
    expect(await sprintsOf(team.owner.id)).toEqual(['11-16', '12-14']);
  });

  test('gets nothing that was set to repeat after it began, but the next one does', async () => {
    await rollOver();
    await weekly(team.owner);
    await addRepeatingTasks(app.parts);
    expect(await sprintsOf(team.owner.id)).toEqual(['11-16']);
    await rollOver(1);
    expect(await sprintsOf(team.owner.id)).toEqual(['11-16', '11-30']);
  });

  test('gets only what is due, and what is not waits for its week', async () => {
    await repeat(team.owner, await prepareTask(app.database, { ownerId: team.owner.id, sprintId }), 'twoWeekly');
    await repeat(team.stranger, await prepareTask(app.database, { ownerId: team.stranger.id, sprintId }), 'monthLast');
    for (const week of [0, 1, 2, 3]) await rollOver(week);
    expect(await sprintsOf(team.owner.id)).toEqual(['11-16', '11-30', '12-14']);
    expect(await sprintsOf(team.stranger.id)).toEqual(['11-16', '11-30']);
  });

  test('gets what its owner withdrew to skip a week, but not what stopped', async () => {
    const { owner, stranger } = team;
    const withdraw = 'mutation ($id: ID!) { withdrawTask(taskId: $id) { repeats } }';
    const skipped = await weekly(owner);
    expect((await app.gql(owner.token, withdraw, { id: skipped })).data.withdrawTask).toEqual({ repeats: 'weekly' });
    const stopped = await weekly(stranger);
    await app.gql(stranger.token, withdraw, { id: stopped });
    expect((await repeat(stranger, stopped, null)).code).toBeNull();
    await rollOver();
    expect(await sprintsOf(owner.id)).toEqual(['11-16', '11-23']);
    expect(await sprintsOf(stranger.id)).toEqual(['11-16']);
  });

  test('gets none of people who are away on its workdays, and theirs when they are back', async () => {
    const away = async (...spans: [string, string][]) => {
      const person = await someone(app, { permissions: staff, approvers: [team.approver.id] });
      await weekly(person);
      for (const span of spans)
        await app.database.pool.query('insert into absences (person_id, first_day, last_day) values ($1, $2, $3)', [
          person.id,
          ...span,
        ]);
      return person.id;
    };
    const whole = await away(['2026-11-23', '2026-11-27']);
    const inTwo = await away(['2026-11-20', '2026-11-24'], ['2026-11-25', '2026-12-04']);
    const back = await away(['2026-11-20', '2026-11-26']);
    const gap = await away(['2026-11-23', '2026-11-24'], ['2026-11-26', '2026-11-27']);
    await rollOver();
    for (const id of [whole, inTwo]) expect(await sprintsOf(id)).toEqual(['11-16']);
    for (const id of [back, gap]) expect(await sprintsOf(id)).toEqual(['11-16', '11-23']);
    await rollOver(1);
    expect(await sprintsOf(whole)).toEqual(['11-16', '11-30']);
    expect(await sprintsOf(inTwo)).toEqual(['11-16']);
  });

  test('gets none of people who are away on what holidays leave of its workdays, and none at all in a week off', async () => {
    const away = await someone(app, { permissions: staff, approvers: [team.approver.id] });
    const back = await someone(app, { permissions: staff, approvers: [team.approver.id] });
    for (const person of [away, back]) {
      await weekly(person);
      await app.database.pool.query(
        "insert into absences (person_id, first_day, last_day) values ($1, '2026-11-24', $2)",
        [person.id, person === away ? '2026-11-26' : '2026-11-25'],
      );
    }
    await takeOff(
      app,
      team.admin.token,
      '2026-11-23 Monday off\n2026-11-27 Friday off\n2026-11-30/2026-12-04 Week off',
    );
    await rollOver();
    expect(await sprintsOf(away.id)).toEqual(['11-16']);
    expect(await sprintsOf(back.id)).toEqual(['11-16', '11-23']);
    await rollOver(1);
    expect(await sprintsOf(back.id)).toEqual(['11-16', '11-23']);
    await rollOver(2);
    expect(await sprintsOf(back.id)).toEqual(['11-16', '11-23', '12-07']);
  });

  test('gets none of people who can’t create tasks', async () => {
    const approvers = [team.approver.id];
    const without = {
      top5: await someone(app, { permissions: ['VIEW_DASHBOARD'], approvers }),
      application: await someone(app, { permissions: ['VIEW_TOP_5'], approvers }),
      approver: await someone(app, { permissions: staff }),
      account: await someone(app, { permissions: staff, approvers }),
      role: await someone(app, { permissions: staff, approvers }),
    };
    const granted = await someone(app, { permissions: ['VIEW_DASHBOARD'], approvers });
    await app.database.pool.query("update people set grants = '{VIEW_TOP_5}' where id = $1", [granted.id]);
    await app.database.pool.query(
      "update people set role = null, grants = '{VIEW_DASHBOARD,VIEW_TOP_5}' where id = $1",
      [without.role.id],
    );
    for (const who of [...Object.values(without), granted, team.admin]) await weekly(who);
    await app.database.pool.query('update people set disabled_at = now() where id = $1', [without.account.id]);
    await rollOver();
    for (const { id } of Object.values(without)) expect(await sprintsOf(id)).toEqual(['11-16']);
    for (const { id } of [granted, team.admin]) expect(await sprintsOf(id)).toEqual(['11-16', '11-23']);
  });

  test('gets no more tasks of a person than a sprint may have, without what others created and they withdrew', async () => {
    await begin(0);
    const next = await app.sprint();
    await prepareTasks(app.database, taskLimits.tasksInSprint - 1, { ownerId: team.owner.id, sprintId: next });
    const [withdrawn] = await prepareTasks(app.database, 1, { ownerId: team.owner.id, sprintId: next });
    await app.database.pool.query('update tasks set withdrawn_at = now(), created_by = $2 where id = $1', [
      withdrawn,
      team.approver.id,
    ]);
    await weekly(team.owner, { title: 'First' });
    await weekly(team.owner, { title: 'Second' });
    await rollOver();
    const repeating = (await rows(team.owner.id)).filter(({ repeats }) => repeats !== null);
    expect(repeating).toMatchObject([
      { title: 'Second', sprint: '11-16' },
      { title: 'First', sprint: '11-23' },
    ]);
  });
});
