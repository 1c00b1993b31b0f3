// Where the data is kept unless DATA_DIR says so.
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { closedFolder } from './db/database-user.ts';

export type Place = {
  /** The checkout. */
  root: string;
  isRoot: boolean;
  /** The first folder on the way to a path that the database's user may not enter. */
  closedFolder(path: string): string | undefined;
};

export function placeOf(root: string): Place {
  return { root, isRoot: process.getuid?.() === 0, closedFolder: (path) => closedFolder(path) };
}

/** Root's checkout may lie in a folder that the database's user cannot enter (/root): the data then goes to /var/lib. */
export function defaultDataFolder({ root, isRoot, closedFolder }: Place): { dataDir: string; note?: string } {
  const beside = join(root, 'data');
  const closed = isRoot ? closedFolder(root) : undefined;
  if (!closed) return { dataDir: beside };
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 8);
  const dataDir = `/var/lib/staff-dashboard/${basename(root)}-${hash}`;
  return { dataDir, note: `The data is in ${dataDir}: the user that PostgreSQL runs as cannot enter ${closed}.` };
}
