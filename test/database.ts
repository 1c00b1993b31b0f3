// A separate database for a test file, on the server that database-cluster.ts has started.
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../src/server/platform/db/database.ts';
import { serverRole } from '../src/server/platform/db/server-role.ts';

export type FreshDatabase = {
  /** For the role that owns the tables and nothing else. */
  url: string;
  superuserUrl: string;
  database: Database;
  /** Closes and removes it. */
  drop(): Promise<void>;
};

const log = { info() {}, warn() {}, error: console.error };
let made = 0;

async function onCluster(sql: string): Promise<void> {
  await asOwner(inject('clusterUrl'), sql);
}

/** Runs a statement as the owner of the tables, which the server's role isn't allowed to. */
export async function asOwner<Row extends object>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(sql, [...values]).finally(() => client.end());
  return rows;
}

/** The address of a database beside the one that the address names. */
export function at(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

/**
 * An empty database with all tables, worked on as the role of the running server; some tens of milliseconds.
 * With `bare` not even the tables.
 */
export async function freshDatabase({ bare = false } = {}): Promise<FreshDatabase> {
  const name = `staff_test_${process.pid}_${Date.now()}_${++made}`;
  const url = at(inject('ownerUrl'), name);
  const owner = decodeURIComponent(new URL(url).username);
  const template = bare ? "template0 encoding 'UTF8'" : inject('templateName');
  await onCluster(`create database ${name} template ${template} owner "${owner}"`);
  const poolerUrl = inject('poolerUrl');
  const database = openDatabase({
    url: poolerUrl ? at(poolerUrl, name) : url,
    role: bare ? null : serverRole,
    poolSize: 5,
    throughPooler: poolerUrl !== null,
    log,
  });
  return {
    url,
    superuserUrl: at(inject('clusterUrl'), name),
    database,
    async drop() {
      await database.close();
      await onCluster(`drop database if exists ${name} with (force)`);
    },
  };
}
