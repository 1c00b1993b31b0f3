// SQL of what imports changed and their undo restores: how much is kept of it, and for how long.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';
import { forgetRuns } from '../batch.service.ts';

type OldChanges = {
  /** What started before this is dropped. */
  readonly before: string;
  /** A person's imports since then stay: only `dropChangesOf` drops them. */
  readonly peopleBefore: string;
};

/**
 * What old runs changed takes space and is rarely undone: those before a time, and those over the limit of
 * changed rows. Of these, the oldest of the sender who keeps most goes first: nobody can end others' undos.
 */
export async function dropOldChanges(
  queries: Queries,
  { before, peopleBefore }: OldChanges,
  mostChanges: number,
): Promise<void> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    with sized as (select run_id, sum(replaced) as replaced from import_totals group by run_id),
    ranked as (
      select s.*, sum(s.replaced) over (partition by r.person_id, r.service_token_id order by s.run_id desc) as own
      from sized s join import_runs r on r.id = s.run_id),
    kept as (select run_id, sum(replaced) over (order by own, run_id desc) - replaced as later from ranked)
    select r.id::text from import_runs r left join kept k on k.run_id = r.id
    where (r.started_at < ${before} or (k.later > ${mostChanges} and (r.person_id is null or r.started_at < ${peopleBefore})))
      and r.state <> 'running'
      and r.undo_state is distinct from 'running'
      and (k.run_id is not null or exists (select 1 from import_changes c where c.run_id = r.id)
        or exists (select 1 from import_matches m where m.run_id = r.id))`);
  await forgetRuns(
    queries,
    rows.map(({ id }) => id),
  );
}

/** How many changed rows can be restored by undoing the person's runs. */
export async function countChangesOf(queries: Queries, personId: string): Promise<number> {
  const { rows } = await queries.execute<{ count: number }>(sql`
    select coalesce(sum(t.replaced), 0)::float8 as count
    from import_totals t join import_runs r on r.id = t.run_id where r.person_id = ${personId}`);
  return rows[0]!.count;
}

/** Drops what the person's oldest runs changed, except for so many changed rows. */
export async function dropChangesOf(queries: Queries, personId: string, mostChanges: number): Promise<void> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    with sized as (
      select r.id, sum(t.replaced) as replaced from import_runs r join import_totals t on t.run_id = r.id
      where r.person_id = ${personId} group by r.id),
    kept as (select id, sum(replaced) over (order by id desc) - replaced as later from sized)
    select k.id::text from kept k join import_runs r on r.id = k.id
    where k.later > ${mostChanges} and r.state <> 'running' and r.undo_state is distinct from 'running'`);
  await forgetRuns(
    queries,
    rows.map(({ id }) => id),
  );
}
