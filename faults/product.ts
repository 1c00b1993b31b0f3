// The product in a separate folder, as people run it: the server as a process, on its embedded database or on
// an outside one.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type DatabaseFolder, openFolder, startDatabase } from '../test/database-folder.ts';
import { makePerson, makeSession } from '../test/people.ts';
import { type ServerProcess, type ServerStart, spawnServer } from '../test/server-process.ts';

export type ProductStart = Omit<ServerStart, 'env'> & {
  readonly env?: Readonly<Record<string, string>>;
  /** An external database; without one the server starts its own. */
  readonly database?: Pick<DatabaseFolder, 'url'>;
  /** Where all of the data can be looked at, when the server itself comes as another user. */
  readonly ownerUrl?: string;
  /** Where everything goes; else a folder below the temporary one. */
  readonly folder?: string;
  /** Where the data of the server goes, when that is elsewhere. */
  readonly dataDir?: string;
};

export class Product {
  readonly dataDir: string;
  readonly #start: ProductStart;
  readonly #folder: string;
  // One for all: servers of one database share it.
  static readonly #secret = randomBytes(32).toString('hex');
  #server: ServerProcess | undefined;
  #url = 'http://127.0.0.1:1';

  constructor(start: ProductStart = {}) {
    this.#start = start;
    this.#folder = start.folder ?? openFolder('staff-fault');
    this.dataDir = start.dataDir ?? join(this.#folder, start.database ? 'server' : 'data');
  }

  get folder(): string {
    return this.#folder;
  }

  /** Where the server is, or was last. */
  get url(): string {
    return this.#url;
  }

  get server(): ServerProcess {
    if (!this.#server) throw new Error('The server was not started');
    return this.#server;
  }

  /** The database, for checks of everything; the embedded one is known once the server has started. */
  get databaseUrl(): string {
    const { database, ownerUrl } = this.#start;
    const given = ownerUrl ?? database?.url;
    return given ?? (JSON.parse(readFileSync(join(this.dataDir, 'database.json'), 'utf8')) as { url: string }).url;
  }

  /** Starts the server, and gives the milliseconds until it listened. `more` counts for this start only. */
  async start(more: Partial<ProductStart> = {}): Promise<number> {
    const {
      env,
      database,
      folder: _folder,
      ownerUrl: _owner,
      dataDir: _dataDir,
      logFile,
      ...rest
    } = { ...this.#start, ...more };
    const started = performance.now();
    this.#server = spawnServer({
      ...rest,
      ...(logFile === undefined ? {} : { logFile }),
      env: {
        DATA_DIR: this.dataDir,
        DEMO: '0',
        ...(database ? { DATABASE_URL: database.url, LINK_SECRET: Product.#secret } : {}),
        ...this.#start.env,
        ...env,
      },
    });
    this.#url = await this.#addressOf(this.#server, logFile);
    return performance.now() - started;
  }

  async #addressOf(server: ServerProcess, logFile: string | undefined): Promise<string> {
    if (logFile === undefined) return server.listening();
    for (;;) {
      const [, address] = / is at (http:\S+)/.exec(existsSync(logFile) ? readFileSync(logFile, 'utf8') : '') ?? [];
      if (address !== undefined) return address;
      if (server.child.exitCode !== null) throw new Error('The server ended before it listened');
      await sleep(20);
    }
  }

  /** Asks the database itself, as its owner. */
  async query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<Row>(sql, [...values]).finally(() => client.end());
    return rows;
  }

  /** Ends everything and removes the folder. */
  async end(): Promise<void> {
    await this.#server?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A database beside the server, made for this fault. */
export const outsideDatabase = (settings?: Record<string, string>): Promise<DatabaseFolder> =>
  startDatabase('staff-fault-database', { quiet: true, ...(settings ? { settings } : {}) });

export type Staff = {
  readonly approver: { readonly id: string; readonly token: string };
  readonly owners: readonly { readonly id: string; readonly token: string }[];
};

/** An approver, a new one unless given, and some owners of tasks, signed in for longer than any fault takes. */
export async function makeStaff(databaseUrl: string, owners: number, known?: Staff['approver']): Promise<Staff> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  pool.on('error', () => {});
  const signedIn = async (id: string) => ({
    id,
    token: await makeSession(pool, id, Temporal.Now.instant().subtract({ minutes: 1 }), 24),
  });
  try {
    const decides = { permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] as const };
    const approver = known ?? (await signedIn(await makePerson(pool, decides)));
    const made = [];
    for (let owner = 0; owner < owners; owner++) {
      const id = await makePerson(pool, { permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], approvers: [approver.id] });
      made.push(await signedIn(id));
    }
    return { approver, owners: made };
  } finally {
    await pool.end();
  }
}
