// A real server process on a copy of the demo company, for the journeys of one test file.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { applicationRole } from '../../src/server/platform/db/application-role.ts';

export type TestServer = {
  readonly url: string;
  readonly databaseUrl: string;
  /** Servers of one database share their files. */
  readonly dataDir: string;
  /** What it printed so far. */
  output(): string;
  /** Reads or changes what is stored, where no page can. */
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Ends the process, and starts it again at the same address after `meanwhile`. */
  restart(meanwhile: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
};

/** As it ships: it starts in a fifth of the time that the sources take. */
const main = resolve(import.meta.dirname, '../../build/server/main.js');
const startLimitMs = 60_000;
/** One for all, as several servers of one company share it. */
export const linkSecret = randomBytes(32).toString('hex');

type Env = Readonly<Record<string, string>>;
/** `env` may need to know the address that people reach the server at. */
type ServerOptions = { readonly beside?: TestServer; readonly env?: Env | ((url: string) => Env) };

/** Starts a server with the demo company, or a second one `beside` another, on its database. */
export async function startServer({ beside, env = {} }: ServerOptions = {}): Promise<TestServer> {
  const databaseUrl = beside?.databaseUrl ?? (await copyOfTheDemo());
  const dataDir = beside?.dataDir ?? join(tmpdir(), `staff-e2e-${randomUUID()}`);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const printed: string[] = [];
  const start = () =>
    startProcess({ url, port, dataDir, databaseUrl, printed, env: typeof env === 'function' ? env(url) : env });
  let child = await start();
  return {
    url,
    databaseUrl,
    dataDir,
    output: () => printed.join(''),
    sql: (text, values) => query(databaseUrl, text, values),
    async restart(meanwhile) {
      await end(child);
      await meanwhile();
      child = await start();
    },
    async stop() {
      await end(child);
      if (!beside) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

type Start = {
  url: string;
  port: number;
  dataDir: string;
  databaseUrl: string;
  printed: string[];
  env: Readonly<Record<string, string>>;
};

async function startProcess({ url, port, dataDir, databaseUrl, printed, env }: Start): Promise<ChildProcess> {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      LINK_SECRET: linkSecret,
      DEMO: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed.push(String(chunk)));
  await untilReady(url, child, () => printed.join(''));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** A separate database; takes some hundred milliseconds. It goes with the cluster at the end of the run. */
async function copyOfTheDemo(): Promise<string> {
  const clusterUrl = inject('journeysUrl');
  const name = `journey_${randomUUID().replaceAll('-', '')}`;
  await query(clusterUrl, `create database ${name} template ${inject('demoTemplate')} owner ${applicationRole}`);
  const url = new URL(inject('journeysOwnerUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

async function query<Row extends object>(url: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(text, [...values]).finally(() => client.end());
  return rows;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = performance.now() + startLimitMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output()}`);
    // Only once it listens itself: until then another program could answer at its address.
    const answer = output().includes(' is at ') ? await fetch(`${url}/readyz`).catch(() => null) : null;
    if (answer?.ok) return;
    await new Promise((wake) => setTimeout(wake, 50));
  }
  child.kill('SIGKILL');
  throw new Error(`The server was not ready after ${startLimitMs / 1000} s:\n${output()}`);
}
