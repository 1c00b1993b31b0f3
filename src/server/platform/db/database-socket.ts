// Where the embedded PostgreSQL listens: a Unix socket in a private folder, or TCP on Windows.
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { StartRefused } from '../start-refused.ts';
import { closedFolder, type DatabaseUser } from './database-user.ts';
import { freePort, type Listening } from './postmaster.ts';

const database = 'postgres';
const socketPort = 5432;
/** It has no certificate, and a shell may have PGSSLMODE for other databases. */
const withoutTls = 'sslmode=disable';
/** The length limit of a socket's path: 104 bytes on macOS, 108 on Linux, including a final zero. */
const longestPath = 103;
const temporaryName = 'staff-dashboard-';

const fits = (folder: string) => Buffer.byteLength(join(folder, `.s.PGSQL.${socketPort}`)) <= longestPath;

function makePrivate(folder: string, user: DatabaseUser | undefined): string {
  chmodSync(folder, 0o700);
  if (user) chownSync(folder, user.uid, user.gid);
  return folder;
}

/** The folder, if it was deleted under a running server. One that someone else made there is left as found. */
function makeAgain(folder: string, user: DatabaseUser | undefined): void {
  if (!existsSync(folder)) {
    mkdirSync(folder, { mode: 0o700 });
    if (user) chownSync(folder, user.uid, user.gid);
  }
}

/** A short socket path for a data folder with a long one. */
function temporarySocketFolder(user: DatabaseUser | undefined): string {
  const usable = [tmpdir(), '/tmp', '/var/tmp'].find(
    (folder) =>
      statSync(folder, { throwIfNoEntry: false })?.isDirectory() &&
      fits(join(folder, `${temporaryName}123456`)) &&
      !(user && closedFolder(folder, user)),
  );
  if (usable === undefined)
    throw new StartRefused('The path of DATA_DIR is too long for a Unix socket, and there is no /tmp to use instead.');
  return mkdtempSync(join(usable, temporaryName));
}

/** Removes the socket folder of a killed server; `url` is its address. */
export function removeOldSocket(url: string | undefined): void {
  const folder = url === undefined ? null : new URL(url).searchParams.get('host');
  if (folder && basename(folder).startsWith(temporaryName)) rmSync(folder, { recursive: true, force: true });
}

function listenOnSocket(dataDir: string, user: DatabaseUser | undefined): Listening {
  const inside = join(dataDir, 'socket');
  const isInside = fits(inside);
  if (isInside) {
    rmSync(inside, { recursive: true, force: true });
    mkdirSync(inside);
  }
  const folder = makePrivate(isInside ? inside : temporarySocketFolder(user), user);
  const host = encodeURIComponent(folder);
  return {
    prepare: () => makeAgain(folder, user),
    settings: {
      listen_addresses: '',
      unix_socket_directories: folder,
      unix_socket_permissions: '0700',
      port: String(socketPort),
    },
    urlFor: (name, password) =>
      `postgres://${name}:${password}@localhost/${database}?host=${host}&port=${socketPort}&${withoutTls}`,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function listenOnTcp(): Promise<Listening> {
  const port = await freePort();
  return {
    prepare() {},
    settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) },
    urlFor: (name, password) => `postgres://${name}:${password}@127.0.0.1:${port}/${database}?${withoutTls}`,
    close() {},
  };
}

/** `overTcp`: for systems without sockets, and for tests that put a proxy or a pooler in between. */
export async function chooseListening(
  dataDir: string,
  user: DatabaseUser | undefined,
  overTcp = process.platform === 'win32',
): Promise<Listening> {
  return overTcp ? listenOnTcp() : listenOnSocket(dataDir, user);
}
