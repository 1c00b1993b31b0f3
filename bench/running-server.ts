// A database and a server of their own for the benchmark, on this machine only, gone when it ends.
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '../src/server/db/embedded.ts';
import { migrate } from '../src/server/db/migrate.ts';

const main = fileURLToPath(new URL('../src/server/main.ts', import.meta.url));
const log = { info() {}, warn: console.warn, error: console.error };

export type BenchDatabase = { readonly url: string; readonly folder: string; stop(): Promise<void> };

export async function startDatabase(): Promise<BenchDatabase> {
  const folder = join(tmpdir(), `staff-bench-${randomUUID()}`);
  // The database reads files in it, and runs as another user where root starts it.
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  const embedded = await startEmbedded({ dataDir: join(folder, 'data'), log, what: 'the benchmark' });
  await migrate({ url: embedded.url, log });
  return {
    url: embedded.url,
    folder,
    async stop() {
      await embedded.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type BenchServer = { readonly url: string; readonly token: string; stop(): Promise<void> };

/** The server as a process of its own, as people use it, with somebody signed in. */
export async function startServer({ url: databaseUrl, folder }: BenchDatabase): Promise<BenchServer> {
  const account = { email: 'admin@example.test', password: randomBytes(18).toString('base64url') };
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: join(folder, 'server'),
      DATABASE_URL: databaseUrl,
      LINK_SECRET: randomBytes(32).toString('hex'),
      ADMIN_EMAIL: account.email,
      ADMIN_PASSWORD: account.password,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await addressOf(createInterface({ input: child.stdout }));
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  try {
    return { url, token: await signIn(url, account), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const [, address] = / is at (http:\S+)/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('The server ended before it listened');
}

async function signIn(url: string, account: object): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  const { token } = (await response.json()) as { token?: string };
  if (token === undefined) throw new Error(`Nobody could sign in: ${response.status}`);
  return token;
}
