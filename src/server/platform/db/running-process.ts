// Identifies a process by its pid and start time. A pid alone is reused later, and a zombie in a container
// still answers signals.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

function readOrUndefined(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** State and start time from /proc; the name before them, in brackets, can include spaces and brackets. */
function procStat(pid: number): { state: string; start: string } | undefined {
  const stat = readOrUndefined(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && { state: fields[0] ?? '', start: fields[19] ?? '' };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return procStat(pid)?.state !== 'Z';
}

/** When the process started, for `isSameProcess`: another process with the same pid has another value. */
export function startOf(pid: number): string {
  if (process.platform === 'linux') {
    const boot = readOrUndefined(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
    return `${boot} ${procStat(pid)?.start}`;
  }
  if (process.platform === 'win32') return '';
  return (
    readOrUndefined(() => execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()) ?? ''
  );
}

/** Whether the process is the one that had this `startOf`. Undefined if a sandbox hides what tells. */
export function isSameProcess(pid: number, start: string): boolean | undefined {
  const now = startOf(pid);
  if (process.platform !== 'linux') return now === start;
  const hidden = String(undefined);
  const [boot, ticks] = now.split(' ');
  const [thenBoot, thenTicks] = start.split(' ');
  if (ticks === hidden || thenTicks === hidden) return undefined;
  // systemd's ProcSubset=pid hides the boot from the server, not from a command beside it.
  return ticks === thenTicks && (boot === thenBoot || boot === hidden || thenBoot === hidden);
}

/** Whether `pid` is a PostgreSQL server for `data`, which is its working folder. */
export function isPostmasterOf(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform === 'linux') return readOrUndefined(() => readlinkSync(`/proc/${pid}/cwd`)) === data;
  if (process.platform === 'win32') return true;
  const command = readOrUndefined(() =>
    execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }),
  );
  return command?.includes(data) ?? false;
}

export async function waitUntilGone(pid: number, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}

// For PostgreSQL, SIGINT ends connections and writes a checkpoint; SIGQUIT leaves recovery to the next start.
const STOP_STEPS = [
  { signal: 'SIGINT', wait: 20_000 },
  { signal: 'SIGQUIT', wait: 5_000 },
  { signal: 'SIGKILL', wait: 5_000 },
] as const;

export async function stopPostmaster(pid: number): Promise<void> {
  for (const { signal, wait } of STOP_STEPS) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await waitUntilGone(pid, wait)) return;
  }
}
