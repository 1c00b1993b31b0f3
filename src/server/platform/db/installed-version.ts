// Which versions of this program have used a database.
import type pg from 'pg';
import { programVersion } from '../program.ts';

/** The newest version that has used the database; undefined before 0.2, which recorded none. */
export async function installedVersion(client: Pick<pg.ClientBase, 'query'>): Promise<string | undefined> {
  const { rows } = await client.query("select to_regclass('public.installed_versions') is not null as known");
  if (!rows[0].known) return undefined;
  const newest = await client.query('select version from installed_versions order by first_at desc limit 1');
  return newest.rows[0]?.version;
}

export async function recordVersion(client: pg.Client): Promise<void> {
  await client.query('insert into installed_versions (version) values ($1) on conflict do nothing', [programVersion()]);
}
