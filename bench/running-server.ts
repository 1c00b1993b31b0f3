// The server on the benchmark's database, on this machine only, with a signed-in person.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseFolder } from '../test/database-folder.ts';
import { signInOver, spawnServer } from '../test/server-process.ts';

export type BenchServer = { readonly url: string; readonly token: string; stop(): Promise<unknown> };

type Account = { readonly email: string; readonly password: string };

/** One for all starts: a database refuses a server with another. */
const linkSecret = randomBytes(32).toString('hex');

/** Signs in the given person, or creates a first admin. */
export async function startServer({ url: databaseUrl, folder }: DatabaseFolder, known?: Account): Promise<BenchServer> {
  const account = known ?? { email: 'admin@example.test', password: randomBytes(18).toString('base64url') };
  const server = spawnServer({
    env: {
      DATA_DIR: join(folder, 'server'),
      DATABASE_URL: databaseUrl,
      LINK_SECRET: linkSecret,
      ...(!known && { ADMIN_EMAIL: account.email, ADMIN_PASSWORD: account.password }),
    },
  });
  try {
    const url = await server.listening();
    return { url, token: await signInOver(url, account), stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
