// Looks at a folder before anything is written to it: each of these would fail later, in words that name no
// setting.
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { shellWord } from '../shell-word.ts';
import { StartRefused } from '../start-refused.ts';

/**
 * statfs(2) types of virtual file systems, which keep no data: proc, sysfs, cgroup, cgroup2, debugfs, devpts.
 */
const virtualTypes = new Set([0x9fa0, 0x62656572, 0x27e0eb, 0x63677270, 0x64626720, 0x1cd1]);
const devices = /^\/dev(\/|$)(?!shm(\/|$))/;

const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user can't write there. Make the folder writable for this user, or use another one.",
  EPERM: "this user can't write there. Make the folder writable for this user, or use another one.",
  EROFS: 'that file system is read-only. Use another folder.',
  ENOSPC: 'its disk is full. Free some space, or use another folder.',
  EDQUOT: "this user's disk quota is used up. Free some space, or use another folder.",
  ENAMETOOLONG: 'the path is too long. Use a shorter one.',
  ELOOP: 'its links lead in a circle. Use another folder.',
};

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** What a disk keeps free for everything but uploads. */
export const smallestFreeMegabytes = 100;

/** Why this folder's disk could soon be full; null if not, or if it can't be read. Nothing stops working yet. */
export async function fullSoon(folder: string, leastMegabytes = smallestFreeMegabytes): Promise<string | null> {
  const volume = await statfs(folder).catch(() => null);
  if (volume === null) return null;
  const megabytes = Math.floor((volume.bavail * volume.bsize) / 1024 ** 2);
  return megabytes < leastMegabytes
    ? `is almost full: ${megabytes} MB are free, fewer than ${leastMegabytes} MB`
    : null;
}

/** The path, or its nearest existing ancestor. */
function nearestOf(path: string): string {
  try {
    statSync(path);
    return path;
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error)) || path === dirname(path)) throw error;
    return nearestOf(dirname(path));
  }
}

function faultOf(folder: string): string | null {
  try {
    const nearest = nearestOf(folder);
    if (!statSync(nearest).isDirectory()) return `${nearest} isn’t a folder. Use the path of a folder.`;
    if (virtualTypes.has(statfsSync(nearest).type) || devices.test(nearest))
      return 'that file system is virtual and keeps no data. Use a folder on a disk.';
    accessSync(nearest, constants.W_OK | constants.X_OK);
    if (nearest !== folder) return null;
    const probe = join(folder, `.write-check-${randomUUID()}`);
    try {
      writeFileSync(probe, 'x'.repeat(4_096), { flag: 'wx', mode: 0o600 });
    } finally {
      rmSync(probe, { force: true });
    }
    return null;
  } catch (error) {
    return reasons[codeOf(error)] ?? `it can't be used (${codeOf(error)}). Use another folder.`;
  }
}

/**
 * Turns a file system failure in `dataDir` into one line about that setting; returns any other error
 * unchanged.
 */
export function folderFailure(dataDir: string, error: unknown): unknown {
  const reason = reasons[codeOf(error)];
  return reason === undefined ? error : new StartRefused(`DATA_DIR is "${dataDir}", but ${reason}`);
}

/** Throws StartRefused if the folder can't keep data; `name` is the operator's name for it. */
export function assertUsableFolder(folder: string, name = 'DATA_DIR'): void {
  const fault = faultOf(resolve(folder));
  if (fault !== null) throw new StartRefused(`${name} is "${folder}", but ${fault}`);
}

/** The path itself and every folder above it. */
const upward = (path: string): string[] => (path === dirname(path) ? [path] : [path, ...upward(dirname(path))]);

/** In a sticky folder, others can add entries but not rename ours. */
function exposureOf(path: string): string | null {
  const { uid, mode } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
  const own = process.geteuid?.();
  if (uid === undefined || mode === undefined || own === undefined) return null;
  if (uid !== own && uid !== 0) return `another user owns ${path}. Use a folder that only you can write to.`;
  const isLink = (mode & constants.S_IFMT) === constants.S_IFLNK;
  if (isLink || (mode & 0o022) === 0 || (mode & 0o1000) !== 0) return null;
  return `other users can write to ${path}. Run chmod go-w ${shellWord(path)}, or use another folder.`;
}

/**
 * Throws StartRefused where other users could swap what is written there, in the folder or in any above it.
 */
export function assertPrivateFolder(folder: string, name: string): void {
  const path = resolve(folder);
  for (const step of [...upward(path), ...upward(realpathSync(nearestOf(path)))]) {
    const exposure = exposureOf(step);
    if (exposure !== null) throw new StartRefused(`${name} is "${folder}", but ${exposure}`);
  }
}

/** Whether the folder is, or would be, in the other one or that one itself. */
export function isWithin(folder: string, other: string): boolean {
  return existsSync(other) && upward(realpathSync(nearestOf(resolve(folder)))).includes(realpathSync(other));
}

/** Creates the folder where it is missing and gives its path without links. */
export function makePrivateFolder(folder: string, name: string): string {
  assertPrivateFolder(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // In a sticky folder another user may have created it first.
  assertPrivateFolder(folder, name);
  return realpathSync(folder);
}
