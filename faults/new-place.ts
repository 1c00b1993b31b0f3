// A machine with nothing on it, the commands that bring a backup there, and questions to its database.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { builtMain } from '../test/built-server.ts';
import { type DatabaseFolder, startDatabase } from '../test/database-folder.ts';

/** What authenticates a backup, at the machine that makes it and at the new one. */
export const backupSecret = { LINK_SECRET: 'of a backup that is brought elsewhere' };

type Ran = { readonly code: number | null; readonly said: string; readonly seconds: number };

/** `npm run backup` or `restore`, with this environment and nothing of ours. */
export async function run(
  command: 'backup' | 'restore',
  parameters: string[],
  env: Record<string, string>,
): Promise<Ran> {
  const started = performance.now();
  const child = spawn(process.execPath, [builtMain, command, ...parameters], {
    env: { PATH: process.env.PATH, ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said, seconds: Number(((performance.now() - started) / 1_000).toFixed(1)) };
}

export function assertRan({ code, said, ...ran }: Ran): Ran {
  if (code !== 0) throw new Error(`A command ended with ${code}: ${said}`);
  return { code, said, ...ran };
}

export class NewPlace {
  readonly dataDir: string;
  readonly database: DatabaseFolder;

  private constructor(database: DatabaseFolder) {
    this.database = database;
    this.dataDir = join(database.folder, 'restored');
  }

  static async open(): Promise<NewPlace> {
    return new NewPlace(await startDatabase('staff-fault-restored', { migrated: false, quiet: true }));
  }

  get env(): Record<string, string> {
    return { ...backupSecret, DATABASE_URL: this.database.url, DATA_DIR: this.dataDir };
  }
}

export async function answersOf<Row extends object>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<Row>(sql, [...values]).finally(() => client.end());
  return rows;
}
