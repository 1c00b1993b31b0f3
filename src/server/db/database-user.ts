// PostgreSQL refuses to run as root. Started by root it runs under an unprivileged user, who has to reach its files.
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export type DatabaseUser = { uid: number; gid: number };

function nobody(): DatabaseUser {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

function ownerOf(folder: string): DatabaseUser | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid } : undefined;
}

/**
 * Whom the database runs as: undefined is ourselves; started by root it is nobody, or the one whose files they are
 * already, as when an ordinary user started the server before.
 */
export function databaseUser(data: string): DatabaseUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return ownerOf(data) ?? nobody();
}

/** The first folder on the way to `path` (itself included, where it exists) that `user` may not enter. */
export function closedFolder(path: string, user: DatabaseUser = nobody()): string | undefined {
  const folders: string[] = [];
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  return folders.find((folder) => {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (!stats?.isDirectory()) return false;
    const bit = stats.uid === user.uid ? 0o100 : stats.gid === user.gid ? 0o010 : 0o001;
    return (stats.mode & bit) === 0;
  });
}
