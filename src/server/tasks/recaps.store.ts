// SQL of recaps.
import { type SQL, sql } from 'drizzle-orm';
import type { StatusCounts } from '#core/tasks/task-status.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { countsByStatus } from './sprints/counts-by-status.ts';

export type RecapRow = {
  readonly id: string;
  readonly sprintId: string;
  readonly sprintName: string;
  readonly ownerId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly learned: string;
  readonly closedAt: string;
  readonly editedAt: string | null;
  readonly version: number;
  /** The recorded result once the sprint is settled, until then the current tasks. */
  readonly counts: StatusCounts;
  readonly carriedOut: number;
};

export type RecapPage = { readonly limit: number; readonly after?: string | undefined };

/** The newest first. `which` is a condition on `t`, which has an `owner_id` like a task. */
export async function findRecaps(queries: Queries, which: SQL, { limit, after }: RecapPage): Promise<RecapRow[]> {
  const page = sql`
    select t.* from (select w.*, w.person_id as owner_id from week_recaps w) t
    where ${which}${after === undefined ? sql`` : sql` and t.id < ${after}`} order by t.id desc limit ${limit}`;
  const { rows } = await queries.execute<RecapRow>(sql`
    select w.id::text, w.sprint_id::text as "sprintId", s.name as "sprintName", w.owner_id::text as "ownerId",
      p.email, p.first_name as "firstName", p.last_name as "lastName",
      w.learned, w.closed_at as "closedAt", w.edited_at as "editedAt", w.version,
      coalesce(r.counts, live.counts::jsonb) as counts, coalesce(r.carried_out, live.carried_out) as "carriedOut"
    from (${page}) w join sprints s on s.id = w.sprint_id join people p on p.id = w.owner_id
      left join sprint_results r on r.sprint_id = w.sprint_id and r.person_id = w.owner_id
      cross join lateral (
        select ${countsByStatus('x.status')} as counts, (count(*) filter (where x.carried_out))::int as carried_out
        from sprint_standings x where r.counts is null and x.sprint_id = w.sprint_id and x.owner_id = w.owner_id) live
    order by w.id desc`);
  return rows;
}

type NewRecap = {
  readonly sprintId: string;
  readonly personId: string;
  readonly learned: string;
  readonly at: string;
  /** The one that the writer saw, 0 for none. Left out: any. */
  readonly version?: number | undefined;
};

/** Whether it was written for the first time; null if it has this text already, or another version. */
export async function saveRecap(
  queries: Queries,
  { sprintId, personId, learned, at, version }: NewRecap,
): Promise<{ isNew: boolean } | null> {
  const { rows } = await queries.execute<{ isNew: boolean }>(sql`
    insert into week_recaps (sprint_id, person_id, learned, closed_at) values (${sprintId}, ${personId}, ${learned}, ${at})
    on conflict (person_id, sprint_id) do update
      set learned = excluded.learned, edited_at = excluded.closed_at, version = week_recaps.version + 1
      where week_recaps.learned <> excluded.learned and week_recaps.version = coalesce(${version ?? null}::int, week_recaps.version)
    returning edited_at is null as "isNew"`);
  return rows[0] ?? null;
}
