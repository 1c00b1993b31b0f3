// One PostgreSQL for all journeys, with the demo company loaded once: every server under test gets a copy.
import 'temporal-polyfill/global';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { seedDemo } from '../../src/server/demo/seed.ts';
import { applicationRole } from '../../src/server/platform/db/application-role.ts';
import { openDatabase } from '../../src/server/platform/db/database.ts';
import { type Embedded, startEmbedded } from '../../src/server/platform/db/embedded.ts';
import { migrate } from '../../src/server/platform/db/migrate.ts';
import { endWithTests } from '../database-folder.ts';
import { demoPassword } from './demo-people.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connects to the maintenance database, may copy others. */
    journeysUrl: string;
    /** As the role that owns the tables and nothing else. */
    journeysOwnerUrl: string;
    /** The database with the demo company; nobody connects to it, because it is copied. */
    demoTemplate: string;
  }
}

const log = { info() {}, warn: console.warn, error: console.error };
const demoTemplate = 'demo_company';

// What a journey writes is thrown away: durability would only cost time.
const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };

/**
 * In the last hours of a sprint new tasks are planned for the next one, and journeys look for them in this
 * one: then it ends a week later. Servers move any other end back to a Monday.
 */
const lateEnd = `
  with late as (select id, end_at from sprints where start_at <= now() and end_at > now() and end_at < now() + interval '1 day')
  update sprints s set
    end_at = s.end_at + interval '7 days',
    start_at = case when s.id = late.id then s.start_at else s.start_at + interval '7 days' end
  from late where s.id = late.id or s.start_at = late.end_at`;

let embedded: Embedded;
let dataDir: string;

export async function setup(project: TestProject): Promise<void> {
  dataDir = join(tmpdir(), `staff-journeys-${randomUUID()}`);
  embedded = await startEmbedded({ dataDir, log, what: 'the journeys', settings: fast });
  endWithTests(dataDir);
  await run(embedded.superuserUrl, `create database ${demoTemplate} owner ${applicationRole}`);
  await fill(databaseUrl(embedded.url, demoTemplate));
  project.provide('journeysUrl', embedded.superuserUrl);
  project.provide('journeysOwnerUrl', embedded.url);
  project.provide('demoTemplate', demoTemplate);
}

export async function teardown(): Promise<void> {
  await embedded.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function fill(url: string): Promise<void> {
  await migrate({ url, log });
  const database = openDatabase({ url, log });
  const now = Temporal.Now.instant();
  await seedDemo(database, { now, zone: 'UTC', password: demoPassword, log }).finally(() => database.close());
  await run(url, lateEnd);
}

async function run(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/** The same server, another database. */
function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}
