// The running server uses a database role that can append to the audit log but never change it. The migrating
// user owns the tables; the migration creates the role and grants its rights.
import type pg from 'pg';
import type { Log } from './log.ts';

export const serverRole = 'staff_dashboard';

// SQLSTATE: not permitted, or another server created it at the same moment.
const insufficientPrivilege = '42501';
const alreadyExists = new Set(['42710', '23505']);

/** Since PostgreSQL 17, the right to run ANALYZE can be granted. */
const maintainFrom = 170_000;

const grants = (version: number): string => `
  grant usage on schema public, drizzle to ${serverRole};
  grant select on all tables in schema drizzle to ${serverRole};
  grant select, insert, update, delete, truncate${version >= maintainFrom ? ', maintain' : ''} on all tables in schema public to ${serverRole};
  grant usage, select, update on all sequences in schema public to ${serverRole};
  revoke update, delete, truncate on audit_log from ${serverRole};
  revoke insert, update, delete, truncate on audit_chain from ${serverRole};
  revoke insert, update, delete, truncate on audit_unsealed from ${serverRole}`;

type Standing = { readonly isMember: boolean; readonly isGranted: boolean; readonly version: number };

async function standingOf(client: pg.Client): Promise<Standing> {
  const { rows } = await client.query<Standing>(
    `select current_setting('server_version_num')::int as version,
       coalesce(pg_has_role(r.oid, case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end), false)
         as "isMember",
       coalesce(has_table_privilege(r.oid, 'audit_log', 'insert') and not has_table_privilege(r.oid, 'audit_log', 'update'), false)
         as "isGranted"
     from (select to_regrole($1)::oid as oid) r`,
    [serverRole],
  );
  return rows[0] as Standing;
}

/** Whether the connection's user can switch to the role; false if the role doesn't exist yet. */
export async function mayTakeServerRole(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query(
    "select coalesce((select pg_has_role(oid, 'MEMBER') from pg_roles where rolname = $1), false) as may",
    [serverRole],
  );
  return rows[0].may;
}

async function join(client: pg.Client): Promise<void> {
  await client.query(`create role ${serverRole} nologin`).catch((error) => {
    if (!alreadyExists.has(error.code)) throw error;
  });
  await client.query(`grant ${serverRole} to current_user`);
}

/** As a superuser, one mistake in a statement would expose every database of that server, and its files. */
async function warnSuperuser(client: pg.Client, log: Log): Promise<void> {
  const { rows } = await client.query(
    'select rolname as name, rolsuper as is from pg_roles where rolname = session_user',
  );
  if (rows[0]?.is)
    log.warn(
      { user: rows[0].name },
      'the server connects to its database as a superuser: use a role that owns only its database (examples/postgres/create-database.sh)',
    );
}

/**
 * The server's role with its rights up to date. Null if the user can neither create nor use it; then only
 * triggers protect the log. `migrated`: there may be new tables.
 */
export async function prepareServerRole(client: pg.Client, migrated: boolean, log: Log): Promise<string | null> {
  await warnSuperuser(client, log);
  try {
    const standing = await standingOf(client);
    if (!standing.isMember) await join(client);
    if (migrated || !standing.isGranted) await client.query(grants(standing.version));
    return serverRole;
  } catch (error) {
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error;
    log.warn(
      { reason: (error as Error).message },
      `the database's user may not create the role ${serverRole}: the server works as its owner, and only triggers keep the audit log from being changed`,
    );
    return null;
  }
}
