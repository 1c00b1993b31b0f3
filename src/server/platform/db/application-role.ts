// A superuser creates the embedded database. The server connects as a role that owns only its schema.
import pg from 'pg';
import { serverRole } from './server-role.ts';

export const applicationRole = 'staff_dashboard_owner';

/**
 * Databases from before 0.2 belong to the superuser, and REASSIGN OWNED refuses to move a superuser's
 * objects.
 */
const moveOwnership = `
do $$
declare one record;
begin
  for one in
    select format('alter schema %I owner to ${applicationRole}', nspname) as command
      from pg_namespace where nspname in ('public', 'drizzle') and nspowner <> '${applicationRole}'::regrole
    union all
    select format('alter %s %s owner to ${applicationRole}',
        case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
        c.oid::regclass)
      from pg_class c
      where relnamespace::regnamespace::text in ('public', 'drizzle') and relkind in ('r', 'p', 'v', 'm', 'S')
        and relowner = current_user::regrole
        and not exists (select from pg_depend where objid = c.oid and classid = 'pg_class'::regclass and deptype in ('a', 'i', 'e'))
    union all
    select format('alter type %s owner to ${applicationRole}', t.oid::regtype)
      from pg_type t
      where typnamespace::regnamespace::text in ('public', 'drizzle') and typtype in ('e', 'd')
        and typowner = current_user::regrole
    union all
    select format('alter routine %s owner to ${applicationRole}', p.oid::regprocedure)
      from pg_proc p
      where pronamespace::regnamespace::text in ('public', 'drizzle') and proowner = current_user::regrole
        and not exists (select from pg_depend where objid = p.oid and classid = 'pg_proc'::regclass and deptype = 'e')
  loop
    execute one.command;
  end loop;
end $$`;

const createRole = (name: string, options: string) => `
do $$ begin
  if to_regrole('${name}') is null then create role ${name} ${options}; end if;
end $$`;

/** Creates the role if needed, sets its password, and gives it the superuser's objects. */
export async function prepareApplicationRole(superuserUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl, application_name: 'staff-dashboard prepares' });
  client.on('error', () => {});
  await client.connect();
  try {
    // Commit locally without waiting for a standby that isn't connected yet.
    await client.query('set synchronous_commit = local');
    await client.query('begin');
    await client.query(createRole(serverRole, 'nologin'));
    await client.query(
      createRole(applicationRole, 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls'),
    );
    await client.query(`alter role ${applicationRole} password ${client.escapeLiteral(password)}`);
    await client.query(`grant ${serverRole} to ${applicationRole}`);
    await client.query(
      `do $$ begin execute format('grant create on database %I to ${applicationRole}', current_database()); end $$`,
    );
    await client.query(moveOwnership);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
