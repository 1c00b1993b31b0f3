// The bonus over HTTP: who sees whose amounts, what is recorded when, and the messages about a line (D23,
// D31, D39).
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Permission } from '#core/access/permissions.ts';
import { keepSprints } from '#server/tasks/sprints/keep-sprints.ts';
import { freezeStatements } from '#server/toolbox/bonus/bonus-freeze.service.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { approving, prepareTask, prepareTasks, type Someone, someone, staff } from '../../../../test/task-fixtures.ts';

// One sprint from 2026-11-16 to 11-23 10:00; it settles until 11-25 10:00.
const active = '2026-11-18T12:00:00Z';
const settled = '2026-11-25T10:00:00Z';

let app: TestApp;
let sprintId: string;
let nextSprintId: string;
let admin: Someone;
let approver: Someone;
let owner: Someone;
let stranger: Someone;

const bonus: Permission = 'VIEW_TOP_5_BONUS_STRUCTURE';

beforeEach(async () => {
  app = await startTestApp({ now: active });
  sprintId = await app.sprint();
  nextSprintId = await app.sprint('2026-11-24T12:00:00Z');
  admin = await someone(app, { role: 'admin' });
  approver = await someone(app, { permissions: [...approving, bonus], approvers: [admin.id] });
  owner = await someone(app, { permissions: [...staff, bonus], approvers: [approver.id], team: 'green' });
  stranger = await someone(app, { permissions: [...approving, bonus], approvers: [admin.id] });
});
afterEach(() => app.stop());

async function at(now: string): Promise<void> {
  app.clock.set(now);
  for (const who of [admin, approver, owner, stranger]) Object.assign(who, { token: await app.signIn(who.id) });
  await keepSprints(app.parts);
}

const curve = { weight: 0, from: 50, full: 100, cap: 120 };
const plan = {
  base: '100',
  currency: 'USD',
  fairHours: 8,
  components: {
    signedOff: { ...curve, weight: 50 },
    firstPass: { ...curve, weight: 30 },
    team: { ...curve, weight: 20 },
  },
};
const createPlan = `mutation ($fromSprintId: ID!, $base: String!, $currency: String!, $fairHours: Int!, $components: BonusComponentsInput!, $after: Int!) {
  createBonusPlan(fromSprintId: $fromSprintId, base: $base, currency: $currency, fairHours: $fairHours, components: $components, after: $after) { version base from { name } } }`;
const newPlan = (who: Someone, more: object = {}) =>
  app.gql(who.token, createPlan, { ...plan, fromSprintId: sprintId, after: 0, ...more });

const week = `query ($userId: ID, $sprintId: ID) { bonusWeek(userId: $userId, sprintId: $sprintId) {
  phase plan { version } statement { id amount currency planVersion corrections lines { key part whole waived amount thread } }
  tasks { taskId title status statusNow heldUp waitedSeconds sendBacks signOffs corrections { event } } } }`;
const list =
  'query ($userId: ID) { bonusStatements(userId: $userId) { id amount planVersion corrections sprint { name } } }';
const say =
  'mutation ($id: ID!, $text: String!) { addBonusMessage(statementId: $id, line: signedOff, text: $text) { lines { key thread messages { authorName isQuestion text } } } }';
const weekOf = async (who: Someone, variables: object = {}) =>
  (await app.gql(who.token, week, variables)).data.bonusWeek;
const update = 'mutation ($id: ID!, $status: TaskStatus) { updateTask(id: $id, status: $status) { id } }';
const move = async (who: Someone, id: string, status: string) =>
  expect((await app.gql(who.token, update, { id, status })).code).toBeNull();

/** Signed off by a decision, which puts it in the history. */
async function signedOff(count: number, of = owner): Promise<string[]> {
  const ids = await prepareTasks(app.database, count, {
    ownerId: of.id,
    sprintId,
    status: 'INREVIEW',
    at: '2026-11-18T11:30:00Z',
  });
  for (const id of ids) await move(approver, id, 'DONE');
  return ids;
}

describe('whose amounts one sees', () => {
  it('are refused without the permission, and a stranger gets what a missing person gives', async () => {
    await newPlan(admin);
    await signedOff(1);
    const none = await someone(app, { permissions: staff });
    expect((await app.gql(none.token, list)).code).toBe('FORBIDDEN');
    expect((await app.gql(none.token, '{ bonusPlans { version } }')).code).toBe('FORBIDDEN');
    await at(settled);
    const { id } = (await weekOf(owner, { sprintId })).statement;
    for (const [query, variables] of [
      [list, { userId: owner.id }],
      [week, { userId: owner.id, sprintId }],
      [say, { id, text: 'Hm' }],
    ] as const) {
      const missing = { ...variables, ...('id' in variables ? { id: '999999' } : { userId: '999999' }) };
      const [seen, gone] = [
        await app.gql(stranger.token, query, variables),
        await app.gql(stranger.token, query, missing),
      ];
      expect(seen.code).toBe('NOT_FOUND');
      expect(seen.errors).toEqual(gone.errors);
    }
    expect((await app.gql(stranger.token, '{ bonusStatements { id } bonusQuestions { text } }')).data).toEqual({
      bonusStatements: [],
      bonusQuestions: [],
    });
    const sight = (who: Someone) =>
      app.gql(who.token, list, { userId: owner.id }).then(({ data }) => data.bonusStatements.length);
    expect([await sight(owner), await sight(approver), await sight(admin)]).toEqual([1, 1, 1]);
  });

  it('comes with the person’s address, for the file', async () => {
    const { rows } = await app.database.pool.query('select email from people where id = $1', [owner.id]);
    const person = 'query ($userId: ID) { bonusWeek(userId: $userId) { person { email } } }';
    for (const who of [owner, approver, admin])
      expect((await app.gql(who.token, person, { userId: owner.id })).data.bonusWeek.person).toEqual(rows[0]);
    expect((await app.gql(stranger.token, person, { userId: owner.id })).code).toBe('NOT_FOUND');
  });
});

describe('the plan', () => {
  it('is made by admins only, and its numbers have to fit', async () => {
    expect((await newPlan(owner)).code).toBe('FORBIDDEN');
    expect((await newPlan(approver)).code).toBe('FORBIDDEN');
    const uneven = { ...plan.components, team: curve };
    expect((await newPlan(admin, { components: uneven })).errors?.[0]?.message).toContain('80%');
    expect((await newPlan(admin, { base: '-1' })).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_INPUT',
      field: 'base',
    });
    const past = await app.sprint('2026-11-10T12:00:00Z');
    expect((await newPlan(admin, { fromSprintId: past })).code).toBe('SPRINT_DOES_NOT_ALLOW');
    expect((await app.gql(admin.token, '{ bonusPlans { version } }')).data.bonusPlans).toEqual([]);
  });

  it('of the running sprint stays: the next version begins with the next sprint, and every sprint keeps its own', async () => {
    expect((await newPlan(admin)).data.createBonusPlan).toEqual({
      version: 1,
      base: '100',
      from: { name: '2026 W47' },
    });
    expect((await newPlan(admin, { after: 1 })).code).toBe('SPRINT_DOES_NOT_ALLOW');
    expect((await newPlan(admin, { after: 1, base: '250.5', fromSprintId: nextSprintId })).code).toBeNull();
    expect((await newPlan(admin, { after: 1, fromSprintId: nextSprintId })).code).toBe('CONFLICT');
    expect((await weekOf(owner, { sprintId })).plan).toEqual({ version: 1 });
    expect((await weekOf(owner, { sprintId: nextSprintId })).plan).toEqual({ version: 2 });
    const { rows } = await app.database.pool.query(
      `select action, before->>'base' as before, after->>'base' as after from audit_log where action = 'bonusPlanCreated' order by id`,
    );
    expect(rows).toEqual([
      { action: 'bonusPlanCreated', before: null, after: '100' },
      { action: 'bonusPlanCreated', before: '100', after: '250.5' },
    ]);
  });

  it('gets one number from two admins at once, and the second is told', async () => {
    const codes = (await Promise.all([newPlan(admin), newPlan(admin)])).map(({ code }) => code);
    expect(codes.sort()).toEqual(['CONFLICT', null].sort());
  });
});

describe('a statement', () => {
  it('is not there without a plan, nor without tasks', async () => {
    expect(await weekOf(owner)).toMatchObject({ plan: null, statement: null, tasks: [] });
    await newPlan(admin);
    expect(await weekOf(owner)).toMatchObject({ plan: { version: 1 }, statement: null });
    await at(settled);
    expect((await app.gql(owner.token, list)).data.bonusStatements).toEqual([]);
  });

  it('of the running sprint is a forecast: 4 of 5 signed off, one sent back in four, the team at 4 of 5', async () => {
    await newPlan(admin);
    const [first] = await signedOff(3);
    const sentBack = await prepareTask(app.database, {
      ownerId: owner.id,
      sprintId,
      status: 'INREVIEW',
      at: '2026-11-18T11:30:00Z',
    });
    await move(approver, sentBack, 'INPROGRESS');
    await move(owner, sentBack, 'INREVIEW');
    await move(approver, sentBack, 'DONE');
    await prepareTask(app.database, { ownerId: owner.id, sprintId, status: 'TODO' });
    const { phase, statement, tasks } = await weekOf(owner);
    expect(phase).toBe('active');
    expect(statement).toMatchObject({ id: null, amount: '57', currency: 'USD', planVersion: 1 });
    expect(statement.lines).toEqual([
      { key: 'signedOff', part: 4, whole: 5, waived: false, amount: '30', thread: null },
      { key: 'firstPass', part: 3, whole: 4, waived: false, amount: '15', thread: null },
      { key: 'team', part: 4, whole: 5, waived: false, amount: '12', thread: null },
    ]);
    expect(tasks.find(({ taskId }: { taskId: string }) => taskId === first)).toMatchObject({
      title: 'A task',
      status: 'DONE',
      signOffs: 1,
    });
    expect((await app.gql(owner.token, list)).data.bonusStatements).toEqual([]);
    const { rows } = await app.database.pool.query('select * from bonus_statements');
    expect(rows).toEqual([]);
  });

  it('is frozen with its plan when the sprint is settled, and later sign-offs are corrections that never change it', async () => {
    await newPlan(admin);
    await signedOff(1);
    await at('2026-11-25T09:00:00Z');
    // Completed an hour before the record: not yet held up by the approver.
    const late = await prepareTask(app.database, {
      ownerId: owner.id,
      sprintId,
      status: 'INREVIEW',
      at: '2026-11-25T09:00:00Z',
    });
    await newPlan(admin, { after: 1, base: '900', fromSprintId: await app.sprint('2026-12-01T12:00:00Z') });
    await at(settled);
    const before = await weekOf(owner, { sprintId });
    expect(before.statement).toMatchObject({ planVersion: 1, corrections: 0, amount: '30' });
    await move(approver, late, 'DONE');
    await Promise.all([1, 2, 3].map(() => keepSprints(app.parts)));
    const after = await weekOf(owner, { sprintId });
    expect(after.statement).toEqual({ ...before.statement, corrections: 1 });
    expect(after.tasks.find(({ taskId }: { taskId: string }) => taskId === late)).toMatchObject({
      status: 'INREVIEW',
      statusNow: 'DONE',
      corrections: [{ event: 'signedOff' }],
    });
    expect((await app.gql(owner.token, list)).data.bonusStatements).toMatchObject([
      { amount: '30', corrections: 1, sprint: { name: '2026 W47' } },
    ]);
  });

  it('is that of the last instant of settling, however late and by however many servers it is written', async () => {
    await newPlan(admin);
    await signedOff(2);
    await at('2026-12-16T12:00:00Z');
    await Promise.all([1, 2, 3, 4].map(() => keepSprints(app.parts)));
    const { rows } = await app.database.pool.query(
      'select amount::text, sprint_id::text as sprint from bonus_statements where person_id = $1',
      [owner.id],
    );
    expect(rows).toEqual([{ amount: '1000000', sprint: sprintId }]);
  });

  it('is a forecast of the last instant of settling until it is recorded, which no read does', async () => {
    await newPlan(admin);
    await signedOff(1);
    const waiting = await prepareTask(app.database, {
      ownerId: owner.id,
      sprintId,
      status: 'INREVIEW',
      at: '2026-11-25T09:00:00Z',
    });
    app.clock.set('2026-11-25T10:30:00Z');
    Object.assign(owner, { token: await app.signIn(owner.id) });
    const read = async () => [
      await weekOf(owner, { sprintId }),
      (await app.gql(owner.token, list)).data.bonusStatements.length,
    ];
    const [forecast, statements] = await read();
    expect(forecast).toMatchObject({ phase: 'settled', statement: { id: null, amount: '30' } });
    const { waitedSeconds } = forecast.tasks.find(({ taskId }: { taskId: string }) => taskId === waiting);
    expect([waitedSeconds, statements]).toEqual([3600, 0]);
    await keepSprints(app.parts);
    const [recorded, written] = await read();
    expect({ ...recorded, statement: { ...recorded.statement, id: null } }).toEqual(forecast);
    expect(written).toBe(1);
  });

  it('does not count what waited on its approver for longer than the plan allows', async () => {
    await newPlan(admin);
    await signedOff(1);
    // Completed on Monday and never reviewed; and approved on Wednesday, and on Thursday evening.
    const forgotten = await prepareTask(app.database, {
      ownerId: owner.id,
      sprintId,
      status: 'INREVIEW',
      at: '2026-11-16T11:00:00Z',
    });
    const [approvedInTime, approvedLate] = (await prepareTasks(app.database, 2, {
      ownerId: owner.id,
      sprintId,
      at: '2026-11-15T00:00:00Z',
    })) as [string, string];
    await move(approver, approvedInTime, 'TODO');
    await at('2026-11-19T16:00:00Z');
    await move(approver, approvedLate, 'TODO');
    const { statement, tasks } = await weekOf(owner);
    expect(statement.lines[0]).toMatchObject({ part: 1, whole: 2 });
    const of = (id: string) => tasks.find(({ taskId }: { taskId: string }) => taskId === id);
    expect(of(forgotten)).toMatchObject({ heldUp: true, waitedSeconds: 29 * 3600 });
    expect(of(approvedLate)).toMatchObject({ heldUp: true, waitedSeconds: 30 * 3600 });
    expect(of(approvedInTime)).toMatchObject({ heldUp: false, waitedSeconds: 0 });
  });

  it('pays nothing more for unfinished work that was called Completed, over a weekend or until it is sent back', async () => {
    await newPlan(admin);
    await signedOff(1);
    const ids = await prepareTasks(app.database, 2, { ownerId: owner.id, sprintId, status: 'TODO' });
    const before = (await weekOf(owner)).statement;
    await at('2026-11-20T17:30:00Z');
    for (const id of ids) await move(owner, id, 'INREVIEW');
    await at('2026-11-23T09:30:00Z');
    expect((await weekOf(owner, { sprintId })).statement.lines).toEqual(before.lines);
    await at('2026-11-24T12:00:00Z');
    for (const id of ids) await move(approver, id, 'INPROGRESS');
    await at(settled);
    const { statement, tasks } = await weekOf(owner, { sprintId });
    expect(statement.lines[0]).toMatchObject({ part: 1, whole: 3, waived: false, amount: '0' });
    expect(tasks.filter(({ heldUp }: { heldUp: boolean }) => heldUp)).toEqual([]);
  });

  it('counts no wait that its owner made and ended', async () => {
    await newPlan(admin);
    const id = await prepareTask(app.database, {
      ownerId: owner.id,
      sprintId,
      status: 'INREVIEW',
      at: '2026-11-16T11:00:00Z',
    });
    await move(owner, id, 'INPROGRESS');
    const { statement, tasks } = await weekOf(owner);
    expect(tasks).toMatchObject([{ heldUp: false, waitedSeconds: 0 }]);
    expect(statement.lines[0]).toMatchObject({ part: 0, whole: 1, waived: false });
  });

  it('pays no rework-free share for a task that was approved late, and completed in the last seconds', async () => {
    await newPlan(admin);
    await at('2026-11-20T09:00:00Z');
    const id = await prepareTask(app.database, { ownerId: owner.id, sprintId, at: '2026-11-20T09:00:00Z' });
    await at('2026-11-23T09:55:00Z');
    await move(approver, id, 'TODO');
    await at('2026-11-25T09:59:50Z');
    await move(owner, id, 'INREVIEW');
    await at(settled);
    const { statement, tasks } = await weekOf(owner, { sprintId });
    expect(tasks).toMatchObject([{ heldUp: true, waitedSeconds: 8 * 3600 + 55 * 60 + 10 }]);
    expect(statement.lines.slice(0, 2)).toMatchObject([
      { key: 'signedOff', waived: true, amount: '50' },
      { key: 'firstPass', waived: false, amount: '0' },
    ]);
  });

  it('counts no wait while its owner had withdrawn it', async () => {
    await newPlan(admin);
    await at('2026-11-20T09:00:00Z');
    const id = await prepareTask(app.database, { ownerId: owner.id, sprintId, at: '2026-11-20T09:00:00Z' });
    await at('2026-11-20T16:30:00Z');
    for (let rounds = 1; rounds <= 4; rounds += 1) {
      await app.gql(owner.token, 'mutation ($id: ID!) { withdrawTask(taskId: $id) { id } }', { id });
      app.clock.advance({ seconds: 30 });
      await app.gql(owner.token, 'mutation ($id: ID!) { undoTaskStep(taskId: $id) { id } }', { id });
    }
    await at('2026-11-23T09:01:00Z');
    await move(approver, id, 'TODO');
    await at(settled);
    const { statement, tasks } = await weekOf(owner, { sprintId });
    // All of Friday and a minute on Monday, without two minutes: no longer than the plan allows.
    expect(tasks).toMatchObject([{ heldUp: false, waitedSeconds: 8 * 3600 - 60 }]);
    expect(statement.lines[0]).toMatchObject({ part: 0, whole: 1, waived: false, amount: '0' });
  });

  it('does not count a decision that was taken back', async () => {
    await newPlan(admin);
    const id = await prepareTask(app.database, {
      ownerId: owner.id,
      sprintId,
      status: 'INREVIEW',
      at: '2026-11-18T10:00:00Z',
    });
    await move(approver, id, 'INPROGRESS');
    await app.gql(owner.token, 'mutation ($id: ID!) { addNoteToTask(taskId: $id, text: "?") { id } }', { id });
    await app.gql(approver.token, 'mutation ($id: ID!) { undoDecision(taskId: $id) { id } }', { id });
    await move(approver, id, 'DONE');
    const { tasks } = await weekOf(owner);
    expect(tasks).toMatchObject([{ sendBacks: 0, signOffs: 1 }]);
  });

  it('goes to people marked invisible too, who count in no team', async () => {
    await newPlan(admin);
    const hidden = await someone(app, {
      permissions: [...staff, bonus],
      approvers: [approver.id],
      team: 'green',
      invisible: true,
    });
    await signedOff(1, hidden);
    await prepareTask(app.database, { ownerId: owner.id, sprintId, status: 'TODO' });
    const lines = (await weekOf(hidden)).statement.lines;
    expect(lines.map(({ part, whole }: Record<string, number>) => [part, whole])).toEqual([
      [1, 1],
      [1, 1],
      [0, 1],
    ]);
  });
});

describe('what the last settled sprint would have paid', () => {
  const payout = '{ amount currency people }';
  const preview = `query ($base: String!, $currency: String!, $fairHours: Int!, $components: BonusComponentsInput!) {
    bonusPreview(base: $base, currency: $currency, fairHours: $fairHours, components: $components) {
      sprint { name } paid ${payout} wouldPay ${payout} } }`;
  const ask = (who: Someone, more: object = {}) => app.gql(who.token, preview, { ...plan, ...more });
  const previewOf = async (more: object = {}) => (await ask(admin, more)).data.bonusPreview;

  /** The sums of the statements that a plan in effect records, to compare with. */
  async function recordedSum() {
    const { rows } = await app.database.pool.query(
      `select trim_scale(sum(amount)::numeric / 10000)::text as amount, count(*) filter (where amount > 0)::int as people
       from bonus_statements where sprint_id = $1`,
      [sprintId],
    );
    return rows[0];
  }

  /** Two in a team, one of them invisible, one without a team; one task waits for its approver. */
  async function workDone() {
    const hidden = await someone(app, { permissions: staff, approvers: [approver.id], team: 'green', invisible: true });
    const single = await someone(app, { permissions: staff, approvers: [approver.id] });
    await signedOff(2);
    await signedOff(1, hidden);
    await signedOff(1, single);
    for (const { id } of [owner, single, stranger])
      await prepareTask(app.database, { ownerId: id, sprintId, status: 'TODO' });
    const waiting = { sprintId, status: 'INREVIEW', at: '2026-11-23T16:00:00Z' } as const;
    await prepareTask(app.database, { ownerId: owner.id, ...waiting });
  }

  it('is for admins only, and only for numbers that a plan could have', async () => {
    for (const who of [owner, approver, stranger]) expect((await ask(who)).code).toBe('FORBIDDEN');
    expect((await ask(admin, { base: '0' })).code).toBe('BAD_INPUT');
    const uneven = { ...plan.components, team: curve };
    expect((await ask(admin, { components: uneven })).errors?.[0]?.message).toContain('80%');
    const flat = { ...plan.components, team: { ...plan.components.team, from: 99, full: 50 } };
    expect((await ask(admin, { components: flat })).code).toBe('BAD_INPUT');
  });

  it('counts nothing of a sprint that still settles', async () => {
    await newPlan(admin);
    await signedOff(1);
    const nothing = { amount: '0', currency: 'USD', people: 0 };
    expect(await previewOf()).toEqual({ sprint: { name: '2026 W46' }, paid: null, wouldPay: nothing });
  });

  it('is to the cent what it paid, under the same plan, even if people changed since', async () => {
    await newPlan(admin, { base: '99.99' });
    await workDone();
    await at(settled);
    await app.database.pool.query(`update people set team = 'codex', top5_invisible = not top5_invisible`);
    const sum = { ...(await recordedSum()), currency: 'USD' };
    expect(sum.people).toBe(3);
    expect(await previewOf({ base: '99.99' })).toEqual({ sprint: { name: '2026 W47' }, paid: sum, wouldPay: sum });
  });

  const steep = { weight: 100, from: 0, full: 50, cap: 200 };
  it.each<[string, object]>([
    [
      'another base and other curves',
      { base: '333.33', components: { signedOff: steep, firstPass: curve, team: curve } },
    ],
    ['more time with the approver', { base: '77.77', fairHours: 40 }],
    ['another currency, without cents', { base: '1234', currency: 'JPY', fairHours: 9 }],
  ])('is to the cent what a sprint under that plan pays: %s', async (_words, changed) => {
    await newPlan(admin);
    await workDone();
    await at(settled);
    const { paid, wouldPay } = await previewOf(changed);
    expect(paid).toEqual({ ...(await recordedSum()), currency: 'USD' });
    await app.asOwner('delete from bonus_statements');
    await app.asOwner('delete from bonus_plans');
    expect(await previewOf(changed)).toEqual({ sprint: { name: '2026 W47' }, paid: null, wouldPay });
    const { base, ...rest } = { ...plan, ...changed };
    await app.database.pool.query(
      `insert into bonus_plans (version, base, currency, fair_hours, components, from_sprint_id, created_by, created_at)
       values (1, $1::numeric * 10000, $2, $3, $4, $5, $6, now())`,
      [base, rest.currency, rest.fairHours, JSON.stringify(rest.components), sprintId, admin.id],
    );
    const counting = { sprintId, until: settled, zone: app.parts.config.companyTimeZone, holidays: [] };
    await app.database.transaction((queries) => freezeStatements(queries, counting));
    expect(wouldPay).toEqual({ ...(await recordedSum()), currency: rest.currency });
  });
});

describe('a question about a line', () => {
  it('is asked by the person and answered by their approver, and waits for nobody else', async () => {
    await newPlan(admin);
    await signedOff(1);
    await at(settled);
    const { id } = (await weekOf(owner, { sprintId })).statement;
    const open = async (who: Someone) =>
      (await app.gql(who.token, '{ bonusQuestions { text line person { id } sprint { name } } }')).data.bonusQuestions;
    expect((await app.gql(approver.token, say, { id, text: 'Well' })).code).toBe('TRANSITION_NOT_ALLOWED');
    expect((await app.gql(owner.token, say, { id, text: ' ' })).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_INPUT',
      field: 'text',
    });
    const asked = (await app.gql(owner.token, say, { id, text: 'Why one?' })).data.addBonusMessage.lines[0];
    expect(asked).toEqual({
      key: 'signedOff',
      thread: 'open',
      messages: [{ authorName: expect.any(String), isQuestion: true, text: 'Why one?' }],
    });
    const question = { text: 'Why one?', line: 'signedOff', person: { id: owner.id }, sprint: { name: '2026 W47' } };
    expect([await open(approver), await open(admin), await open(owner), await open(stranger)]).toEqual([
      [question],
      [question],
      [],
      [],
    ]);
    const answered = (await app.gql(approver.token, say, { id, text: 'There was one' })).data.addBonusMessage.lines[0];
    expect(answered).toMatchObject({
      thread: 'answered',
      messages: [{ isQuestion: true }, { isQuestion: false, text: 'There was one' }],
    });
    expect(await open(approver)).toEqual([]);
    await app.gql(owner.token, say, { id, text: 'Was there?' });
    expect(await open(approver)).toMatchObject([{ text: 'Was there?' }]);
  });

  it('is asked once, however often the same call arrives', async () => {
    await newPlan(admin);
    await signedOff(1);
    await at(settled);
    const { id } = (await weekOf(owner, { sprintId })).statement;
    const send = () =>
      app.call({
        method: 'POST',
        url: '/graphql',
        headers: { authorization: `Bearer ${owner.token}`, 'idempotency-key': 'one' },
        payload: { query: say, variables: { id, text: 'Why?' } },
      });
    await send();
    const again = (await send()).json().data.addBonusMessage;
    expect(again.lines[0].messages).toHaveLength(1);
  });
});
