// The processes that read rows for a server (row-worker.ts).
import { execFileSync } from 'node:child_process';

/** Ids of the readers that this process started. */
export function readersOf(parentId: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === parentId && args.join(' ').includes('row-worker'))
    .map(([id]) => Number(id));
}

/** A process that ended stays in the list until someone asks for its code. */
export function isThere(id: number): boolean {
  const state = execFileSync('ps', ['-A', '-o', 'pid=,stat='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([pid]) => Number(pid) === id)?.[1];
  return state !== undefined && !state.startsWith('Z');
}
