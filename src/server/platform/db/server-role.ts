// The running server works as a role of the database that may add to the audit log and never change it. Whoever migrates owns
// the tables; the role is made and given its rights by the migration.
import type pg from 'pg';
import type { Log } from './log.ts';

export const serverRole = 'staff_dashboard';

// SQLSTATE: may not, and made by another server of another database in the same moment.
const insufficientPrivilege = '42501';
const madeMeanwhile = new Set(['42710', '23505']);

/** Since PostgreSQL 17 the rights to look at tables as they grow can be given away. */
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

/** Whether the user of this connection may work as the role; false where the role is not there yet. */
export async function mayTakeServerRole(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query(
    "select coalesce((select pg_has_role(oid, 'MEMBER') from pg_roles where rolname = $1), false) as may",
    [serverRole],
  );
  return rows[0].may;
}

async function join(client: pg.Client): Promise<void> {
  await client.query(`create role ${serverRole} nologin`).catch((error) => {
    if (!madeMeanwhile.has(error.code)) throw error;
  });
  await client.query(`grant ${serverRole} to current_user`);
}

/** One mistake in a statement would then be worth every database of that server, and its files. */
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
 * The role that the server is to work as, with its rights up to date; null where the user of the database may neither make
 * nor take it: then the triggers alone keep the log as it is. `migrated`: there may be new tables.
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
      `the database's user may not make the role ${serverRole}: the server works as its owner, and only triggers keep the audit log from being changed`,
    );
    return null;
  }
}
