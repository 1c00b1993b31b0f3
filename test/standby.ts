// A primary and a standby that follows it, of the embedded PostgreSQL. The standby is a copy of the primary's
// folder.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { databaseUser } from '../src/server/platform/db/database-user.ts';
import { startEmbedded } from '../src/server/platform/db/embedded.ts';
import { embeddedBinaries } from '../src/server/platform/db/embedded-binaries.ts';
import { freePort } from '../src/server/platform/db/postmaster.ts';
import { openFolder } from './database-folder.ts';

export type Pair = {
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Ends the primary, and from then on the standby takes writes. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
};

const log = { info() {}, warn() {}, error: console.error };

// What is acknowledged is on the standby, as a cluster that fails over by itself has to be set up.
const synchronous = { synchronous_standby_names: '*' };

export async function startPair(): Promise<Pair> {
  const folder = openFolder('standby');
  const dataDir = join(folder, 'primary');
  const made = await startEmbedded({ dataDir, log, overTcp: true });
  await made.stop();
  const data = join(folder, 'standby');
  execFileSync('cp', ['-a', join(dataDir, 'database'), data]);
  writeFileSync(join(data, 'standby.signal'), '');

  const primary = await startEmbedded({ dataDir, log, settings: synchronous, overTcp: true });
  const { hostname, port, username, password } = new URL(primary.superuserUrl);
  const standbyPort = await freePort();
  const settings = {
    port: String(standbyPort),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}`,
  };
  const user = databaseUser(data);
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(embeddedBinaries(dataDir, user).postgres, ['-D', data, ...options], {
    ...user,
    cwd: data,
    stdio: 'ignore',
  });
  const standbyUrl = Object.assign(new URL(primary.superuserUrl), { port: String(standbyPort) }).href;
  await asked(standbyUrl, 'select 1');
  return {
    primaryUrl: primary.superuserUrl,
    standbyUrl,
    async failOver() {
      await primary.stop();
      await asked(standbyUrl, 'select pg_promote()');
    },
    async stop() {
      child.kill('SIGINT');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await primary.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Asks until there is an answer: the server may be starting. */
async function asked(url: string, sql: string): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(sql);
      return await client.end();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
