// One server migrates at a time; the others wait for it, but not for a lock that nobody migrates with.
import type pg from 'pg';
import { StartRefused } from '../start-refused.ts';
import { isLocked } from './database-failures.ts';
import type { Log } from './log.ts';

// An arbitrary number that nothing else in the database locks.
const LOCK = 7_317_001;

export const migratorName = 'staff-dashboard migrate';

export type LockPatience = { readonly lookMs: number; readonly idleMs: number };
const usualPatience: LockPatience = { lookMs: 5_000, idleMs: 120_000 };

type Holder = { readonly pid: number; readonly name: string; readonly isBusy: boolean; readonly changed: string };

/** Waits as long as the holder works. Throws StartRefused once it has done nothing for `idleMs`. */
export async function lockMigrations(client: pg.Client, log: Log, patience = usualPatience): Promise<void> {
  const { lookMs, idleMs } = patience;
  let last: Holder | undefined;
  let workedAt = performance.now();
  await client.query("select set_config('lock_timeout', $1, false)", [`${lookMs}ms`]);
  while (!(await isLockedWithin(client))) {
    const holder = await holderOf(client);
    if (holder === undefined) continue;
    if (holder.pid !== last?.pid) log.warn(`Waiting for ${described(holder)}, which holds the lock for migrations ...`);
    // Another name: a pooler has given the connection to someone else.
    const works = holder.name === migratorName && (holder.isBusy || holder.changed !== last?.changed);
    if (works || holder.pid !== last?.pid) workedAt = performance.now();
    if (performance.now() - workedAt > idleMs) throw new StartRefused(stuck(holder));
    last = holder;
  }
  await client.query('reset lock_timeout');
}

async function isLockedWithin(client: pg.Client): Promise<boolean> {
  return client.query('select pg_advisory_lock($1)', [LOCK]).then(
    () => true,
    (error) => {
      if (isLocked(error)) return false;
      throw error;
    },
  );
}

/** Undefined if it has ended. What another user's connection does is not visible: it counts as busy. */
async function holderOf(client: pg.Client): Promise<Holder | undefined> {
  const { rows } = await client.query<Holder>(
    `select pid, application_name as name, coalesce(state, 'active') not like 'idle%' as "isBusy", state_change::text as changed
     from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and (classid, objid, objsubid) = (0, $1, 1)
       and pg_locks.database = (select oid from pg_database where datname = current_database())`,
    [LOCK],
  );
  return rows[0];
}

const described = ({ pid, name }: Holder): string => `process ${pid} of PostgreSQL${name === '' ? '' : ` (${name})`}`;

function stuck(holder: Holder): string {
  const { pid } = holder;
  return `The lock for migrations is held by ${described(holder)}, which is idle. Make sure that no server is starting, then end that process in the database: select pg_terminate_backend(${pid}). If it belongs to a pooler, also set DATABASE_DIRECT_URL`;
}
