// The forecast reads one person's tasks and sums of the team. It equals what is recorded, to the cent.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TaskStatus, taskStatusKeys } from '#core/tasks/task-status.ts';
import { forecast, freezeStatements } from '#server/toolbox/bonus/bonus-freeze.service.ts';
import { planOf } from '#server/toolbox/bonus/bonus-plans.service.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';

// One sprint from 2026-11-16 to 11-23 10:00; it settles until 11-25 10:00.
const start = Temporal.Instant.from('2026-11-16T10:00:00Z').epochMilliseconds;
const hourMs = 3_600_000;
const settling = 9 * 24;

let app: TestApp;
let sprintId: string;
let nextSprintId: string;
let people: string[];

beforeAll(async () => {
  app = await startTestApp();
  sprintId = await app.sprint();
  nextSprintId = await app.sprint('2026-11-24T12:00:00Z');
  const teams = ['green', 'green', 'green', 'codex', 'codex', null, null];
  people = await Promise.all(teams.map((team, at) => app.person({ team, invisible: at === 2 || at === 5 })));
});
afterAll(() => app.stop());

const whole = (min: number, max: number) => fc.noBias(fc.integer({ min, max }));
/** Hours since the sprint's start: of a working day, and others, also before it. */
const when = fc.oneof(
  fc.tuple(whole(0, 9), whole(-4, 28)).map(([day, quarters]) => day * 24 + quarters / 4),
  whole(-40, settling * 4).map((quarters) => quarters / 4),
);
const event = fc.record({
  kind: fc.constantFrom('approved', 'approved', 'approved', 'approved', 'sentBack', 'signedOff', 'denied', 'undone'),
  at: when,
  waitedHours: whole(0, 120),
});
const anyTask = fc.record({
  owner: fc.nat(6),
  status: fc.constantFrom<TaskStatus>(...taskStatusKeys, 'INREVIEW', 'INREVIEW', 'INPROGRESS', 'TODO'),
  statusAt: when,
  events: fc.oneof(fc.constant([]), fc.array(event, { maxLength: 3 })),
  carriedOut: fc.nat(4).map((one) => one === 0),
  withdrawn: fc.nat(9).map((one) => one === 0),
  /** The status before a correction after the sprint was settled. */
  correctedFrom: fc.option(fc.constantFrom<TaskStatus>(...taskStatusKeys), { freq: 1 }),
});
type AnyTask = typeof anyTask extends fc.Arbitrary<infer Task> ? Task : never;

const instant = (hours: number) => new Date(start + hours * hourMs).toISOString();

async function write(tasks: readonly AnyTask[]): Promise<void> {
  const { pool } = app.database;
  const rows = tasks.map(({ owner, status, statusAt, carriedOut, withdrawn }, at) => ({
    ...{ at, owner: people[owner], status, sprint: carriedOut ? nextSprintId : sprintId },
    ...{ since: instant(statusAt), withdrawn: withdrawn ? instant(0) : null },
  }));
  const { rows: made } = await pool.query(
    `insert into tasks (owner_id, sprint_id, title, category, status, created_by, status_at, withdrawn_at)
     select owner, sprint, 'A task', 'Other', status, owner, since, withdrawn from jsonb_to_recordset($1)
       as x (at int, owner bigint, sprint bigint, status task_status, since timestamptz, withdrawn timestamptz) order by at
     returning id`,
    [JSON.stringify(rows)],
  );
  const history = tasks.flatMap(({ status, events, carriedOut, correctedFrom }, at) => [
    ...events
      .toSorted((one, other) => one.at - other.at)
      .map(({ kind, at: hour, waitedHours }) => line(made[at].id, kind, hour, 'INAPPROVAL', 'TODO', waitedHours)),
    ...(carriedOut ? [line(made[at].id, 'carriedOver', settling, status, status)] : []),
    ...(correctedFrom ? [line(made[at].id, 'moved', settling + 5, correctedFrom, status, 3, true)] : []),
  ]);
  await pool.query(
    `insert into task_history (task_id, sprint_id, at, actor_name, event, from_status, to_status, version, waited, correction)
     select task, $2, at, 'Someone', event, "from", "to", 1, waited, correction from jsonb_to_recordset($1)
       as x (place int, task bigint, event task_event, at timestamptz, "from" task_status, "to" task_status, waited bigint, correction boolean)
     order by place`,
    [JSON.stringify(history.map((each, place) => ({ ...each, place }))), sprintId],
  );
}

const line = (task: string, event: string, at: number, from: string, to: string, waited = 0, correction = false) => ({
  ...{ task, event, at: instant(at), from, to, waited: waited * 3600, correction },
});

async function clear(): Promise<void> {
  for (const table of ['bonus_statements', 'bonus_plans', 'task_history', 'tasks'])
    await app.asOwner(`delete from ${table}`);
}

const plainTask: AnyTask = {
  ...{ owner: 0, status: 'DONE', statusAt: 1, events: [] },
  ...{ carriedOut: false, withdrawn: false, correctedFrom: null },
};

async function publish(fairHours: number, teamWeight = 40): Promise<void> {
  const curve = { from: 20, full: 90, cap: 120 };
  const components = {
    signedOff: { ...curve, weight: 40 },
    firstPass: { ...curve, weight: 20 },
    team: { ...curve, weight: teamWeight },
  };
  await app.database.pool.query(
    `insert into bonus_plans (version, base, currency, fair_hours, components, from_sprint_id, created_by, created_at)
     values (1, 12345678, 'USD', $1, $2, $3, $4, now())`,
    [fairHours, JSON.stringify(components), sprintId, people[0]],
  );
}

it('is to the cent what everyone’s tasks come to, in any week', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTask, { minLength: 60, maxLength: 60 }),
      fc.constantFrom(1, 8, 24),
      whole(1, settling * 60),
      async (tasks, fairHours, minutes) => {
        await clear();
        await publish(fairHours);
        await write(tasks);
        const counting = { sprintId, until: instant(minutes / 60), zone: 'UTC', holidays: [] };
        const { drizzle, pool } = app.database;
        const plan = await planOf(drizzle, sprintId);
        const forecasts = await Promise.all(people.map((id) => forecast(drizzle, plan!, id, counting)));
        await freezeStatements(drizzle, counting);
        const { rows } = await pool.query(
          'select person_id::text as id, team, amount, lines, tasks from bonus_statements',
        );
        const recorded = people.map((person) => {
          const row = rows.find(({ id }) => id === person);
          return row ? { team: row.team, amount: BigInt(row.amount), lines: row.lines, tasks: row.tasks } : null;
        });
        expect(forecasts).toEqual(recorded);
      },
    ),
    { numRuns: 40 },
  );
});

it('counts no team for a plan that pays nothing for it', async () => {
  await clear();
  await publish(8, 0);
  await write([1, 2].map((owner) => ({ ...plainTask, owner })));
  const { drizzle } = app.database;
  const plan = await planOf(drizzle, sprintId);
  const found = await forecast(drizzle, plan!, people[1]!, { sprintId, until: instant(50), zone: 'UTC', holidays: [] });
  expect(found?.lines.map(({ part, whole }) => [part, whole])).toEqual([
    [1, 1],
    [0, 0],
    [0, 0],
  ]);
});
