// Looks at the data folder before anything is written to it: each of these would fail later, in words that name no setting.
import { accessSync, constants, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StartRefused } from '../start-refused.ts';

/** What statfs(2) calls the file systems of the kernel, which keep no data: proc, sysfs, cgroup, cgroup2, debugfs, devpts. */
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

/** The path, or what there is of it. */
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
    if (!statSync(nearest).isDirectory()) return `${nearest} is no folder. Use the path of a folder.`;
    if (virtualTypes.has(statfsSync(nearest).type) || devices.test(nearest))
      return 'that file system is virtual and keeps no data. Use a folder on a disk.';
    accessSync(nearest, constants.W_OK | constants.X_OK);
    if (nearest !== folder) return null;
    const probe = join(folder, `.write-check-${process.pid}`);
    try {
      writeFileSync(probe, 'x'.repeat(4_096), { mode: 0o600 });
    } finally {
      rmSync(probe, { force: true });
    }
    return null;
  } catch (error) {
    return reasons[codeOf(error)] ?? `it can't be used (${codeOf(error)}). Use another folder.`;
  }
}

/** A failure of the file system in `dataDir` as one line about that setting; any other failure as it is. */
export function folderFailure(dataDir: string, error: unknown): unknown {
  const reason = reasons[codeOf(error)];
  return reason === undefined ? error : new StartRefused(`DATA_DIR is "${dataDir}", but ${reason}`);
}

/** Throws StartRefused where the folder can't hold data; `name` is what the operator calls it. */
export function assertUsableFolder(folder: string, name = 'DATA_DIR'): void {
  const fault = faultOf(resolve(folder));
  if (fault !== null) throw new StartRefused(`${name} is "${folder}", but ${fault}`);
}
