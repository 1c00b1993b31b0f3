// PostgreSQL refuses to run as root. Started by root, it runs as a system user that no other service shares.
import { execFileSync } from 'node:child_process';
import { chownSync, lchownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StartRefused } from '../start-refused.ts';

export type DatabaseUser = { uid: number; gid: number };

export const serviceUser = 'staff-dashboard';
/** Where the data goes when this user can't reach the checkout. */
export const systemFolder = '/var/lib/staff-dashboard';

function userNamed(name: string): DatabaseUser | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

const noShell = '/usr/sbin/nologin';
/** The first works on Debian, Red Hat and most others, the second on Alpine. */
const waysToCreate: readonly (readonly [program: string, ...parameters: string[]][])[] = [
  [
    [
      'useradd',
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      noShell,
      serviceUser,
    ],
  ],
  [
    ['addgroup', '-S', serviceUser],
    ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', noShell, '-G', serviceUser, serviceUser],
  ],
];

function createServiceUser(): DatabaseUser {
  const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin:/usr/bin:/bin` };
  for (const commands of waysToCreate) {
    try {
      for (const [program, ...parameters] of commands) execFileSync(program, parameters, { env, stdio: 'ignore' });
    } catch {
      // This program is missing or failed, or another start created the user first.
    }
    const created = userNamed(serviceUser);
    if (created) return created;
  }
  throw new StartRefused(
    `PostgreSQL doesn't run as root, and the system user ${serviceUser} couldn't be created. Create it (useradd --system ${serviceUser}), start as an ordinary user, or set DATABASE_URL.`,
  );
}

function mayKeep(owner: DatabaseUser): boolean {
  return owner.uid !== 0 && owner.uid !== (userNamed('nobody')?.uid ?? 65534);
}

/**
 * The user that runs the database in `data`; undefined for the current one. An ordinary user's files stay
 * theirs when root starts the server later.
 */
export function databaseUser(data: string): DatabaseUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const stats = statSync(data, { throwIfNoEntry: false });
  if (stats && mayKeep(stats)) return { uid: stats.uid, gid: stats.gid };
  return userNamed(serviceUser) ?? createServiceUser();
}

/** Earlier versions ran the database as `nobody`, which other services share. */
export function takeOverFiles(data: string, { uid, gid }: DatabaseUser): boolean {
  if (statSync(data).uid === uid) return false;
  const entries = readdirSync(data, { recursive: true, withFileTypes: true });
  for (const path of entries.map((entry) => join(entry.parentPath, entry.name))) {
    // PostgreSQL makes no hard links. One that points to someone else's file must not change owner.
    const stats = lstatSync(path);
    if (stats.isFile() && stats.nlink > 1)
      throw new StartRefused(`${path} is a hard link. Replace it with a copy: its owner is about to change.`);
    lchownSync(path, uid, gid);
  }
  chownSync(data, uid, gid);
  return true;
}

/** A user who owns nothing and is in no group: what they can enter, everyone can. */
const anyone: DatabaseUser = { uid: -1, gid: -1 };

/** The first folder on the way to `path`, including itself, that the database's user can't enter. */
export function closedFolder(path: string, user = userNamed(serviceUser) ?? anyone): string | undefined {
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
