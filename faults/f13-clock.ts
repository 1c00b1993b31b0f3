// The clock of the server's machine is wrong while the database's is right: the database's counts. Sprints
// stay as they are, a session ends when the database says so, and nothing has a negative age.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeSession } from '../test/people.ts';
import { graphql } from './calls.ts';
import { CannotRun, type Fault } from './fault.ts';
import { makeStaff, outsideDatabase, Product, type Staff } from './product.ts';

const shifts = ['+1h', '-1h', '+7d', '-7d', '@1970-01-02 00:00:00', '@2038-01-20 00:00:00'] as const;
const currentSprint = '{ myWeek { sprint { id startDate } } }';

/** Where Debian has faketime; the variable says where else it may be. */
const libraries = [
  process.env.FAKETIME_LIBRARY,
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
];

function fakedBy(file: string): Record<string, string> {
  const library = libraries.find((path) => path !== undefined && spawnSync('test', ['-f', path]).status === 0);
  if (library === undefined) throw new CannotRun('faketime');
  // The monotonic clock is nobody's to set, and timers run by it.
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

const sprintFaults: Record<string, string> = {
  'sprints that overlap or leave a gap':
    'select id from (select id, start_at, lag(end_at) over (order by start_at) as before from sprints) weeks where before is not null and before <> start_at',
  'a week with two sprints': `select min(id) as id from sprints group by date_trunc('week', start_at) having count(*) > 1`,
  'a negative age': 'select id from task_history where waited < 0',
  'a task from the future, or from long ago': `select id from tasks where abs(extract(epoch from created_at - clock_timestamp())) > 3600`,
  'a session that is good for longer than an hour': `select person_id as id from sessions where agent is not null and expires_at - created_at > interval '1 hour'`,
};

type World = {
  readonly product: Product;
  readonly staff: Staff;
  readonly pool: pg.Pool;
  readonly sprint: string;
  readonly weeks: number;
};

/** Whether the server's machine is off at all, by its own account: else nothing was tried. */
async function isOff(url: string): Promise<boolean> {
  const { warnings } = (await (await fetch(`${url}/readyz`)).json()) as { warnings?: { clock?: string } };
  return warnings?.clock !== undefined;
}

/** What does not hold under a clock that is off. */
async function look({ product, staff, pool, sprint, weeks }: World): Promise<string[]> {
  const faults: string[] = [];
  const [owner] = staff.owners;
  const asked = await graphql(product.url, { token: owner?.token ?? '' }, currentSprint, {});
  if (asked.kind !== 'done')
    faults.push(`a session that is good by the database was refused: ${JSON.stringify(asked)}`);
  else if (asked.body.data.myWeek.sprint.id !== sprint) faults.push('another sprint is the current one');
  const create = 'mutation ($userId: ID!) { createTask(title: "Now", userId: $userId) { id } }';
  const made = await graphql(product.url, { token: owner?.token ?? '' }, create, { userId: owner?.id });
  if (made.kind !== 'done') faults.push(`no task could be made: ${JSON.stringify(made)}`);
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  const now = Temporal.Instant.fromEpochMilliseconds((rows[0]?.now ?? new Date()).getTime());
  const ended = await makeSession(pool, staff.approver.id, now.subtract({ minutes: 60, seconds: 5 }));
  const late = await graphql(product.url, { token: ended }, currentSprint, {});
  if (late.kind !== 'refused' || late.status !== 401)
    faults.push(`a token was good five seconds after its end: ${JSON.stringify(late)}`);
  for (const [what, query] of Object.entries(sprintFaults)) if ((await pool.query(query)).rowCount) faults.push(what);
  const counted = await pool.query<{ count: number }>('select count(*)::int as count from sprints');
  if (counted.rows[0]?.count !== weeks) faults.push(`there are ${counted.rows[0]?.count} sprints, there were ${weeks}`);
  return faults;
}

export const clockWrong: Fault = {
  id: 'F13',
  title: 'The clock of the server’s machine is set: an hour, a week, to 1970, to 2038',
  unit: 'rounds of six clocks, each at the start and under way',
  trials: false,
  counts: { short: 1, full: 3 },
  async run({ count, say }) {
    const database = await outsideDatabase();
    const product = new Product({ database });
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    pool.on('error', () => {});
    const failures: string[] = [];
    try {
      await product.start();
      const staff = await makeStaff(database.url, 1);
      const right = await graphql(product.url, { token: staff.owners[0]?.token ?? '' }, currentSprint, {});
      if (right.kind !== 'done') throw new Error(`No sprint: ${JSON.stringify(right)}`);
      const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from sprints');
      const world = { product, staff, pool, sprint: right.body.data.myWeek.sprint.id, weeks: rows[0]?.count ?? 0 };
      const clock = join(product.folder, 'clock');
      for (let round = 0; round < count; round++) {
        for (const shift of shifts) {
          await product.server.stop();
          writeFileSync(clock, shift);
          await product.start({ env: fakedBy(clock) });
          if (!(await isOff(product.url)))
            failures.push(`started at ${shift}: the clock was not set, so nothing was tried`);
          failures.push(...(await look(world)).map((fault) => `started at ${shift}: ${fault}`));
          // Set while it runs, to where it was wrong the other way; the library looks every second.
          writeFileSync(clock, shift.startsWith('-') ? shift.replace('-', '+') : '-1d');
          await sleep(1_500);
          failures.push(...(await look(world)).map((fault) => `set back from ${shift}: ${fault}`));
          if (product.server.child.exitCode !== null) failures.push(`${shift}: the server ended`);
          say(`${shift}, ${failures.length} faults`);
        }
      }
      return { figures: { 'clocks tried': count * shifts.length * 2, sprints: world.weeks }, failures };
    } finally {
      await pool.end();
      await product.end();
      await database.stop();
    }
  },
};
