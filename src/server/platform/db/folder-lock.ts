// Allows one server per data folder. PostgreSQL guards its own files with postmaster.pid; this lock guards
// the rest and names its holder.
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { StartRefused } from '../start-refused.ts';
import { isAlive, isSameProcess, startOf } from './running-process.ts';

type Holder = {
  pid: number;
  start: string;
  host: string;
  what: string;
  isCommand?: boolean;
  since: string;
  /** The folder's inode: a copied folder has a copied lock. Locks of earlier versions have none. */
  folder?: string;
};

const identityOf = (folder: string): string => String(statSync(folder, { bigint: true }).ino);

// A process in another container, on another machine or hidden by a sandbox can't be checked, so the file's
// age decides.
const HEARTBEAT_MS = 5_000;
const SILENCE_MS = 20_000;

export class FolderHeld extends StartRefused {
  override name = 'FolderHeld';
}

function lockFile(folder: string): string {
  return join(folder, 'server.lock');
}

function readLock(file: string): { text: string; age: number } | undefined {
  try {
    return { text: readFileSync(file, 'utf8'), age: Math.abs(Date.now() - statSync(file).mtimeMs) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'EACCES') throw error;
    if (isOutOfReach(dirname(file)))
      throw new FolderHeld(
        `This user can't open ${dirname(file)}, because a folder above it is closed to them. Open that folder, or set DATA_DIR to another one`,
      );
    throw new FolderHeld(
      `This user can't read ${file}: another user, such as root, ran a server or a command there. Run this as that user. To change the user, stop the server, then as root: chown -R USER ${dirname(file)}`,
    );
  }
}

function isOutOfReach(folder: string): boolean {
  try {
    return !statSync(folder);
  } catch {
    return true;
  }
}

function holds(holder: Holder, age: number): boolean {
  if (holder.host !== hostname()) return age < SILENCE_MS;
  return isAlive(holder.pid) && (isSameProcess(holder.pid, holder.start) ?? age < SILENCE_MS);
}

/** Throws FolderHeld while a server runs on the folder. */
export function assertNoServer(folder: string): void {
  const holder = holderOf(folder);
  if (holder && !holder.isCommand)
    throw new FolderHeld(
      `A server (process ${holder.pid}) uses the database in ${folder}. Restore into a new one: set DATA_DIR to a new folder`,
    );
}

/**
 * The process that has locked the folder; undefined if none has, or it was killed. Throws FolderHeld if the
 * folder is a copy of the one that this process has locked: what is in the copy leads to the original's
 * database.
 */
export function holderOf(folder: string): Holder | undefined {
  const lock = readLock(lockFile(folder));
  if (!lock) return undefined;
  const holder = JSON.parse(lock.text) as Holder;
  if (!holds(holder, lock.age)) return undefined;
  if (holder.folder !== undefined && holder.folder !== identityOf(folder))
    throw new FolderHeld(
      `DATA_DIR ${folder} was copied while ${holder.what} (process ${holder.pid}) used the original, so the copy may be damaged. Restore a backup into another DATA_DIR instead`,
    );
  return holder;
}

// Renamed and checked again before it is removed, because another process may have replaced it.
function removeStaleLock(file: string, judged: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readFileSync(aside, 'utf8') !== judged) linkSync(aside, file);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

// A link appears with its content in one step, so nobody reads half a lock.
function tryToHold(file: string, content: string): boolean {
  const draft = `${file}.draft-${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Locks `folder` for this process until release. Throws FolderHeld with one line when another process has the
 * lock.
 */
export function holdFolder(
  folder: string,
  { what, isCommand = false }: Pick<Holder, 'what' | 'isCommand'>,
): { release(): void } {
  const file = lockFile(folder);
  const { pid } = process;
  const content = JSON.stringify({
    pid,
    start: startOf(pid),
    host: hostname(),
    what,
    isCommand,
    since: new Date().toISOString(),
    folder: identityOf(folder),
  });
  while (!tryToHold(file, content)) {
    const lock = readLock(file);
    if (!lock) continue;
    const holder = holderOf(folder);
    if (holder) {
      const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
      throw new FolderHeld(
        `DATA_DIR ${folder} is in use by ${holder.what} (process ${holder.pid}${where}, since ${holder.since}). Stop it first, or set another DATA_DIR.`,
      );
    }
    removeStaleLock(file, lock.text);
  }
  const beat = () => {
    try {
      utimesSync(file, new Date(), new Date());
    } catch {
      // The lock was removed or the volume is read-only. No reason to stop: PostgreSQL still guards its own
      // files.
    }
  };
  const heartbeat = setInterval(beat, HEARTBEAT_MS).unref();
  return {
    release() {
      clearInterval(heartbeat);
      if (readLock(file)?.text === content) rmSync(file, { force: true });
    },
  };
}
