// The whole server with a separate database, for API tests: people to sign in as, and calls that answer data
// or errors.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { sprintAt, sprintName } from '#core/tasks/sprint.ts';
import { type AppParts, buildApp } from '#server/app.ts';
import { BackgroundWork } from '#server/platform/background-work.ts';
import { type Config, readConfig } from '#server/platform/config/config.ts';
import { type FixedClock, fixedClock } from '#server/platform/db/clock.ts';
import type { Database } from '#server/platform/db/database.ts';
import { readerOf } from '#server/platform/db/reader.ts';
import { openLiveChanges } from '#server/platform/live/live.service.ts';
import { createLog } from '#server/platform/log/log.ts';
import { openMailer } from '#server/platform/mail/mailer.ts';
import { loadSettings } from '#server/platform/settings/settings.service.ts';
import { openFileStore } from '#server/platform/storage/files.ts';
import { asOwner, type FreshDatabase, freshDatabase } from './database.ts';
import { openFolder } from './database-folder.ts';
import { makePerson, makeSession, type NewPerson } from './people.ts';

/** A Wednesday in the middle of a sprint, which began on Monday 2026-11-16. */
export const wednesday = '2026-11-18T12:00:00Z';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads from an answer, its expectations check
type Json = Record<string, any>;

export type TestApp = {
  readonly app: FastifyInstance;
  readonly database: Database;
  readonly databaseUrl: string;
  /** The same database for a user who may do everything, also what nobody who owns it may. */
  readonly superuserUrl: string;
  readonly clock: FixedClock;
  readonly parts: AppParts;
  /** Runs a statement that the server's role isn't allowed to. */
  asOwner<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Makes a person (with a role of their own for the permissions) and gives the id. */
  person(person?: NewPerson): Promise<string>;
  /** A token of a person by id or email, without the cost of a password. */
  signIn(idOrEmail: string): Promise<string>;
  /** The sprint that the instant lies in, made when it is missing; gives its id. */
  sprint(at?: string): Promise<string>;
  gql<Data = Json>(token: string | null, query: string, variables?: object): Promise<Answer<Data>>;
  call(options: InjectOptions): Promise<LightMyRequestResponse>;
  stop(): Promise<void>;
};

export type Answer<Data> = {
  readonly status: number;
  readonly data: Data;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: {
      readonly code: string;
      readonly field?: string;
      readonly changed?: readonly string[];
      readonly statusCode: number;
    };
  }[];
  /** The first error's code. */
  readonly code: string | null;
};

export type TestAppOptions = {
  readonly now?: string;
  readonly env?: Record<string, string>;
  /** Another server on the database of this one. */
  readonly beside?: TestApp;
  readonly parts?: Partial<AppParts>;
};

export async function startTestApp({
  now = wednesday,
  env = {},
  beside,
  parts: given = {},
}: TestAppOptions = {}): Promise<TestApp> {
  const fresh: FreshDatabase = beside
    ? { database: beside.database, url: beside.databaseUrl, superuserUrl: beside.superuserUrl, drop: async () => {} }
    : await freshDatabase();
  const dataDir = openFolder('test-app');
  const log = createLog({ level: 'silent' });
  const clock = beside?.clock ?? fixedClock(now);
  const config: Config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: fresh.url,
    LINK_SECRET: beside?.parts.config.linkSecret ?? randomBytes(32).toString('hex'),
    ...env,
  });
  const live = await openLiveChanges({ url: fresh.url, log });
  const settings = await loadSettings({ database: fresh.database, live, log });
  const stopping = given.stopping ?? new AbortController().signal;
  const parts: AppParts = {
    config: { ...config, linkSecret: config.linkSecret as string },
    database: fresh.database,
    reader: readerOf(fresh.database),
    clock,
    live,
    mail: openMailer(config),
    files: await openFileStore({ dataDir, url: undefined }),
    settings: settings.current,
    log,
    pages: { demo: false },
    stopping,
    background: new BackgroundWork(stopping),
    ...given,
  };
  const app = await buildApp(parts);
  await app.ready();
  const { database } = fresh;
  return {
    app,
    database,
    databaseUrl: fresh.url,
    superuserUrl: fresh.superuserUrl,
    clock,
    parts,
    asOwner: (sql, values) => asOwner(fresh.url, sql, values),
    person: (person) => makePerson(database.pool, person),
    signIn: (who) => makeSession(database.pool, who, clock.now()),
    sprint: (at) => makeSprint(database, clock, config.companyTimeZone, at),
    gql: (token, query, variables) => ask(app, token, query, variables),
    call: (options) => app.inject(options),
    async stop() {
      await app.close();
      settings.stop();
      await live.close();
      await fresh.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function makeSprint(database: Database, clock: FixedClock, zone: string, at?: string): Promise<string> {
  const span = sprintAt(at === undefined ? clock.now() : Temporal.Instant.from(at), zone);
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into sprints (name, start_at, end_at) values ($1, $2, $3)
     on conflict (start_at) do update set name = excluded.name returning id::text`,
    [sprintName(span, zone), span.start.toString(), span.end.toString()],
  );
  return (rows[0] as { id: string }).id;
}

async function ask<Data>(
  app: FastifyInstance,
  token: string | null,
  query: string,
  variables: object = {},
): Promise<Answer<Data>> {
  const response = await app.inject({
    method: 'POST',
    url: '/graphql',
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    payload: { query, variables },
  });
  const body = response.json() as Omit<Answer<Data>, 'status' | 'code'>;
  return { ...body, status: response.statusCode, code: body.errors?.[0]?.extensions.code ?? null };
}
