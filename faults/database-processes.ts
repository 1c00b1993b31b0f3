// Which processes are PostgreSQL's of a folder: they work in it. Read from /proc, as nothing else knows those
// in another namespace.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { CannotRun } from './fault.ts';

type Found = { readonly pid: number; readonly parent: number };

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function worksIn(pid: number, folder: string): Found | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder ? { pid, parent: parentOf(pid) } : null;
  } catch {
    return null;
  }
}

export type DatabaseProcesses = { readonly postmaster: number; readonly others: readonly number[] };

export function databaseProcesses(folder: string): DatabaseProcesses {
  if (process.platform !== 'linux') throw new CannotRun('Linux');
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = pids.map((pid) => worksIn(Number(pid), folder)).filter((one) => one !== null);
  const postmaster = found.find(({ parent }) => !found.some(({ pid }) => pid === parent));
  if (!postmaster) throw new Error(`No PostgreSQL works in ${folder}`);
  return { postmaster: postmaster.pid, others: found.map(({ pid }) => pid).filter((pid) => pid !== postmaster.pid) };
}

/** Signals that end nobody who has ended already. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
