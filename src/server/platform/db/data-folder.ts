// The folder of the embedded database, the files and the secrets: `data` in the checkout, or DATA_DIR.
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { shellWord } from '../shell-word.ts';
import { StartRefused } from '../start-refused.ts';
import { closedFolder, type DatabaseUser, databaseUser, serviceUser, systemFolder } from './database-user.ts';

export type OpenedFolder = {
  /** With links resolved. */
  readonly path: string;
  /** What the operator should know about the location. */
  readonly notes: readonly string[];
};

const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Next to the data of a linked folder, records the link's path. */
const noteOfLink = (target: string) => join(target, 'linked-from');

function linkTo(target: string): string | undefined {
  const note = noteOfLink(target);
  const link = existsSync(note) ? readFileSync(note, 'utf8') : undefined;
  return link !== undefined && isLink(link) && existsSync(link) && realpathSync(link) === target ? link : undefined;
}

/** Where versions before 0.2 kept the data of root's checkout, named by a hash of the checkout's path. */
function formerFolder(dataDir: string, base: string): string {
  const checkout = dirname(dataDir);
  const hash = createHash('sha256').update(checkout).digest('hex').slice(0, 8);
  return join(base, `${basename(checkout)}-${hash}`);
}

function unlinkedFolders(base: string): string[] {
  if (!existsSync(base)) return [];
  return readdirSync(base)
    .map((name) => join(base, name))
    .filter((path) => existsSync(join(path, 'database')) && linkTo(path) === undefined);
}

/**
 * Makes `dataDir` a link to a folder that the database's user can enter, and keeps data and checkout
 * together.
 */
function linkElsewhere(dataDir: string, closed: string, base: string): string[] {
  const others = unlinkedFolders(base);
  const former = formerFolder(dataDir, base);
  const isFound = others.includes(former);
  const target = isFound ? former : join(base, `${basename(dirname(dataDir))}-${randomBytes(4).toString('hex')}`);
  mkdirSync(dirname(dataDir), { recursive: true });
  mkdirSync(target, { recursive: true, mode: 0o700 });
  writeFileSync(noteOfLink(target), dataDir);
  try {
    symlinkSync(target, dataDir);
  } catch (error) {
    // Another start created it first.
    if (!isFound) rmSync(target, { recursive: true });
    if (!isLink(dataDir)) throw error;
    return [];
  }
  const unused = isFound ? [] : others;
  return [
    `${dataDir} is a link to ${target}: PostgreSQL runs as the user ${serviceUser}, who can't enter ${closed}.`,
    ...(isFound ? [`Found the data of this checkout in ${target}.`] : []),
    ...unused.map(
      (path) =>
        `No checkout uses the data in ${path}. To use it here: ln -sfn ${shellWord(path)} ${shellWord(dataDir)}`,
    ),
  ];
}

/** Throws StartRefused if `wanted` links to another checkout's data, as it does in a copied checkout. */
export function assertOwnLink(wanted: string): void {
  const dataDir = resolve(wanted);
  const other = isLink(dataDir) && existsSync(dataDir) ? linkTo(realpathSync(dataDir)) : undefined;
  if (other === undefined || other === dataDir) return;
  throw new StartRefused(
    `${dataDir} links to the data of another checkout (${other}). Remove the link to start with an empty database: rm ${shellWord(dataDir)}. To take over the data, stop the other server and remove its link instead: rm ${shellWord(other)}`,
  );
}

/** A copied checkout copies the link; a moved one takes it along. */
function claimLink(dataDir: string): string[] {
  if (!existsSync(dataDir)) {
    throw new StartRefused(
      `${dataDir} links to ${readlinkSync(dataDir)}, which is missing. Bring it back, or remove the link to start with an empty database: rm ${shellWord(dataDir)}`,
    );
  }
  const target = realpathSync(dataDir);
  if (!existsSync(noteOfLink(target)) || linkTo(target) === dataDir) return [];
  assertOwnLink(dataDir);
  writeFileSync(noteOfLink(target), dataDir);
  return [`${dataDir} now uses the data in ${target}.`];
}

function nearestFolder(path: string): string {
  return isThere(path) ? path : nearestFolder(dirname(path));
}

/** Lets the database's user pass through our folders to its own without reading anything else. */
function grantPassage(dataDir: string, outermost: string, user: DatabaseUser): void {
  for (let folder = dataDir; folder.length >= outermost.length; folder = dirname(folder)) {
    const { uid } = statSync(folder);
    if (uid === user.uid) continue;
    chownSync(folder, uid, user.gid);
    chmodSync(folder, 0o710);
  }
}

/** Creates `dataDir` if it is missing and lets the database's user in. */
export function openDataFolder(wanted: string, base = systemFolder): OpenedFolder {
  const dataDir = resolve(wanted);
  const user = databaseUser(join(dataDir, 'database'));
  const closedBefore = user && !isThere(dataDir) && closedFolder(realpathSync(nearestFolder(dataDir)), user);
  const notes = closedBefore ? linkElsewhere(dataDir, closedBefore, base) : [];
  if (isLink(dataDir)) notes.push(...claimLink(dataDir));
  const firstMade = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = realpathSync(dataDir);
  if (!user) return { path, notes };
  if (dirname(path) === base) grantPassage(path, base, user);
  else grantPassage(path, firstMade === undefined ? path : realpathSync(firstMade), user);
  const closed = closedFolder(path, user);
  if (closed) {
    throw new StartRefused(
      `The data folder is ${path}, but PostgreSQL runs as the user ${serviceUser} when root starts it, who can't enter ${closed}. Set DATA_DIR to a folder in ${base}, for example ${join(base, basename(path))}.`,
    );
  }
  return { path, notes };
}
