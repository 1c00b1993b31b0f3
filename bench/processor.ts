// The processor time that processes have taken. On a machine that does other things besides it says more than a clock.
import { readFileSync } from 'node:fs';
import type pg from 'pg';

const msOfTick = 10;

/** Null where the system does not tell it this way, and of a process that is gone. */
export function processorMs(pid: number): number | null {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
    return (Number(user) + Number(system)) * msOfTick;
  } catch {
    return null;
  }
}

/** Of the connections to the database and of what it does by itself. */
export async function databaseMs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pid from pg_stat_activity');
  return rows.reduce((sum, { pid }) => sum + (processorMs(pid) ?? 0), 0);
}
