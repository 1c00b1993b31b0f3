// The processor time that processes have taken. On a machine that does other things besides it says more than
// a clock.
import { readFileSync } from 'node:fs';
import type pg from 'pg';

const msOfTick = 10;

/**
 * What `/proc` tells of a process behind its name; null where the system does not tell it this way, and of a
 * process that is gone.
 */
function statOf(pid: number): readonly string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  } catch {
    return null;
  }
}

const msOf = (ticks: readonly string[]): number => ticks.reduce((sum, count) => sum + Number(count), 0) * msOfTick;

/** Null if unknown. */
export function processorMs(pid: number): number | null {
  const stat = statOf(pid);
  return stat && msOf(stat.slice(11, 13));
}

/**
 * Of the connections to the database and of what it does by itself, those that have ended among them:
 * PostgreSQL's first process counts them.
 */
export async function databaseMs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pid from pg_stat_activity');
  const living = rows.reduce((sum, { pid }) => sum + (processorMs(pid) ?? 0), 0);
  const first = statOf(Number(statOf(rows[0]!.pid)?.[1]));
  return living + (first ? msOf(first.slice(13, 15)) : 0);
}
