// Locks and LISTEN belong to a session. Through a pooler in transaction mode they stay with a connection that
// others use next.
import type pg from 'pg';
import { HostClient } from './host-client.ts';

const lookMs = 10_000;
const looks = 3;
/** A server's connections ask for settings when they start, which poolers refuse or ignore. */
const parameter = { idle_in_transaction_session_timeout: 29_999 };

/** The address points to a pooler where PostgreSQL itself is needed. */
class ThroughPooler extends Error {
  override name = 'ThroughPooler';
}

/**
 * Throws for a pooler, before anything was locked through it. `sets`: whether connections must accept
 * settings, as DATABASE_URL without DATABASE_DIRECT_URL must; otherwise a pooler in session mode is fine.
 */
export async function assertNoPooler(url: string, { sets }: { readonly sets: boolean }): Promise<void> {
  const [one, other] = [openClient(url, sets ? parameter : {}), openClient(url)];
  try {
    await one.connect();
    await other.connect();
    const ignores = sets && !(await hasParameter(one));
    if (ignores || (await isShared(one, other))) throw new ThroughPooler('There is a pooler before the database');
  } finally {
    for (const client of [one, other]) client.end().catch(() => {});
  }
}

type KnownDatabase = { readonly name: string; readonly cluster: string | null; readonly takesWrites: boolean };

/** Its name, its cluster's number, which standbys share, and whether it takes writes. Also through a pooler. */
export async function databaseAt(url: string): Promise<KnownDatabase> {
  const client = openClient(url);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string; mode: string }>(
      "select current_database() as name, current_setting('transaction_read_only') as mode",
    );
    // Not every hosted PostgreSQL tells.
    const told = await client.query('select system_identifier::text as id from pg_control_system()').catch(() => null);
    const { name, mode } = rows[0]!;
    return { name, cluster: told?.rows[0].id ?? null, takesWrites: mode === 'off' };
  } finally {
    client.end().catch(() => {});
  }
}

/** Certainly: by name, or by numbers that both tell. */
export const areDifferent = (one: KnownDatabase, other: KnownDatabase): boolean =>
  one.name !== other.name || (one.cluster !== null && other.cluster !== null && one.cluster !== other.cluster);

const openClient = (url: string, settings: pg.ClientConfig = {}): pg.Client =>
  new HostClient({
    connectionString: url,
    application_name: 'staff-dashboard asks',
    connectionTimeoutMillis: lookMs,
    query_timeout: lookMs,
    ...settings,
  });

async function hasParameter(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    "select setting from pg_settings where name = 'idle_in_transaction_session_timeout'",
  );
  return rows[0].setting === String(parameter.idle_in_transaction_session_timeout);
}

/** Without a pooler, two clients never work on one connection, and neither changes its own. */
async function isShared(one: pg.Client, other: pg.Client): Promise<boolean> {
  for (let look = 0; look < looks; look++) {
    const before = await sessionOf(one);
    await other.query('begin');
    const shared = (await sessionOf(other)) === before || (await sessionOf(one)) !== before;
    await other.query('rollback');
    if (shared) return true;
  }
  return false;
}

/** With its beginning: processes of two hosts can have the same number. */
async function sessionOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ session: string }>(
    "select concat(pid, ' ', backend_start) as session from pg_stat_activity where pid = pg_backend_pid()",
  );
  return rows[0]!.session;
}
