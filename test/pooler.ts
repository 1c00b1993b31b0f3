// A real PgBouncer in transaction mode before a database server, where the machine has one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { databaseUser } from '../src/server/platform/db/database-user.ts';
import { freePort } from '../src/server/platform/db/postmaster.ts';
import { openFolder } from './database-folder.ts';

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const program = folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path));

export const hasPooler = program !== undefined;

export type Pooler = { readonly url: string; stop(): Promise<void> };

/** Leads to every database of the server behind the address; `poolSize` connections to each. */
export async function startPooler(url: string, { poolSize }: { poolSize: number }): Promise<Pooler> {
  if (!program) throw new Error('pgbouncer is not installed');
  const { hostname, port, username, password, searchParams } = new URL(url);
  // The embedded database is on a socket, which these two name.
  const [host, hostPort] = [searchParams.get('host') ?? hostname, searchParams.get('port') ?? port];
  const folder = openFolder('pooler');
  const listenPort = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  const account = `user=${username}${password === '' ? '' : ` password=${decodeURIComponent(password)}`}`;
  writeFileSync(
    settings,
    `[databases]
* = host=${host} port=${hostPort} ${account}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
`,
  );
  // It refuses to run as root.
  const child = spawn(program, [settings], { ...databaseUser(folder), stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part) => {
    said += part;
  });
  const here = { hostname: '127.0.0.1', port: String(listenPort), password: '', search: '' };
  const pooled = Object.assign(new URL(url), here).href;
  await untilItAnswers(pooled, () => (child.exitCode === null ? null : said));
  return {
    url: pooled,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilItAnswers(url: string, ended: () => string | null): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      const said = ended();
      if (said !== null) throw new Error(`PgBouncer ended: ${said}`, { cause: error });
      // It listens, and what is wrong stays wrong.
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
