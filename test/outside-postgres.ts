// A PostgreSQL 15 of this machine, as an operator has one: over TCP, with passwords, and a separate
// superuser.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseUser } from '../src/server/platform/db/database-user.ts';
import { freePort } from '../src/server/platform/db/postmaster.ts';

const debian = '/usr/lib/postgresql/15/bin';
/** The folder of its programs, or null where there is none. */
export const outsidePrograms = existsSync(join(debian, 'postgres')) ? debian : null;

export type OutsidePostgres = {
  readonly port: number;
  /** What psql wants in order to connect as the superuser. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
};

export async function startOutsidePostgres(folder: string): Promise<OutsidePostgres> {
  if (outsidePrograms === null) throw new Error('PostgreSQL 15 is not installed');
  const data = join(folder, 'outside');
  const passwordFile = join(folder, 'superuser-password');
  const user = databaseUser(data);
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, 'of the superuser', { mode: 0o600 });
  if (user) for (const path of [data, passwordFile]) chownSync(path, user.uid, user.gid);
  const as = { ...user, cwd: data, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } };
  execFileSync(
    join(outsidePrograms, 'initdb'),
    ['-D', data, '--auth=scram-sha-256', '--username=postgres', `--pwfile=${passwordFile}`],
    { ...as, stdio: 'ignore' },
  );
  const port = await freePort();
  const settings = [
    '-c',
    `port=${port}`,
    '-c',
    'listen_addresses=localhost',
    '-c',
    'unix_socket_directories=',
    '-c',
    'fsync=off',
  ];
  const child = spawn(join(outsidePrograms, 'postgres'), ['-D', data, ...settings], { ...as, stdio: 'ignore' });
  const env = { PGHOST: 'localhost', PGPORT: String(port), PGPASSWORD: 'of the superuser' };
  const isUp = () => {
    try {
      execFileSync(join(outsidePrograms, 'pg_isready'), { env: { ...process.env, ...env }, stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  while (!isUp()) {
    if (child.exitCode !== null) throw new Error('PostgreSQL 15 did not start');
    await sleep(100);
  }
  return {
    port,
    env,
    async stop() {
      child.kill('SIGINT');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
