// One PostgreSQL for a whole run of the tests, with a migrated template that every test file clones.
import { rmSync } from 'node:fs';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../src/server/platform/db/embedded.ts';
import { migrate } from '../src/server/platform/db/migrate.ts';
import { endWithTests, openFolder } from './database-folder.ts';
import { startPooler } from './pooler.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connects to the maintenance database, may create others. */
    clusterUrl: string;
    /**
     * The same as the role that owns the tables and nothing else; with TEST_DATABASE_URL, as the user it
     * names.
     */
    ownerUrl: string;
    templateName: string;
    /**
     * The same through a PgBouncer in transaction mode, of as many connections as TEST_POOLER says, which
     * tests then work through; null: straight.
     */
    poolerUrl: string | null;
  }
}

type Cluster = { url: string; ownerUrl: string; template: string; poolerUrl: string | null; stop(): Promise<void> };

const log = { info() {}, warn: console.warn, error: console.error };

// A test's data is thrown away: durability would only cost time.
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '1GB',
  autovacuum: 'off',
};

async function startServer(): Promise<{ url: string; ownerUrl: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, ownerUrl: given, stop: async () => {} };
  const dataDir = openFolder('test-database');
  const overTcp = Boolean(process.env.TEST_POOLER);
  const embedded = await startEmbedded({ dataDir, log, what: 'the tests', settings: FAST, overTcp });
  endWithTests(dataDir);
  return {
    url: embedded.superuserUrl,
    ownerUrl: embedded.url,
    async stop() {
      await embedded.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

async function startCluster(): Promise<Cluster> {
  const server = await startServer();
  // Several runs may share the database of TEST_DATABASE_URL.
  const template = `staff_template_${process.pid}_${Date.now()}`;
  const templateUrl = new URL(server.ownerUrl);
  const owner = decodeURIComponent(templateUrl.username);
  await run(server.url, `create database ${template} template template0 encoding 'UTF8' owner "${owner}"`);
  templateUrl.pathname = `/${template}`;
  await migrate({ url: templateUrl.href, log });
  const poolSize = Number(process.env.TEST_POOLER ?? 0);
  const pooler = poolSize > 0 ? await startPooler(server.ownerUrl, { poolSize }) : null;
  return {
    url: server.url,
    ownerUrl: server.ownerUrl,
    template,
    poolerUrl: pooler?.url ?? null,
    async stop() {
      await pooler?.stop();
      await run(server.url, `drop database if exists ${template} with (force)`);
      await server.stop();
    },
  };
}

// Two projects of one run use it, and each loads this file anew.
const shared = globalThis as typeof globalThis & { testCluster?: { cluster: Promise<Cluster>; users: number } };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.testCluster ??= { cluster: startCluster(), users: 0 };
  const { testCluster } = shared;
  testCluster.users++;
  const { url, ownerUrl, template, poolerUrl } = await testCluster.cluster;
  project.provide('clusterUrl', url);
  project.provide('ownerUrl', ownerUrl);
  project.provide('templateName', template);
  project.provide('poolerUrl', poolerUrl);
  return async () => {
    if (--testCluster.users > 0) return;
    delete shared.testCluster;
    await (await testCluster.cluster).stop();
  };
}
