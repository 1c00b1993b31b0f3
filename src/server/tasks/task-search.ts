// Finds tasks by words of their title, summary and owner's name, among those that the viewer can see.
import { type SQL, sql } from 'drizzle-orm';
import { isAdmin, type Viewer } from '#core/access/access.ts';
import { limits } from '#core/base/limits.ts';
import { refuse } from '#core/base/refusals.ts';
import { searchWords } from '#core/base/search-words.ts';
import type { Database } from '#server/platform/db/database.ts';
import { isCanceled } from '#server/platform/db/database-failures.ts';
import { personWords } from '#server/platform/db/tables.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { type HandOverDue, handedOverTasks } from './hand-over.ts';
import { taskWords } from './task-tables.ts';
import { decidesForOthers, isVisibleTo, visibleOwners } from './visible-tasks.ts';

/** Words that everything contains take long. A search that fails asks for another word. */
const timeoutMs = 3_000;
/** Up to so many visible tasks are compared with the words. The words' index has the whole company's. */
const fewTasks = 5_000;
/** Those whose names have most of the words, and of them the newest. */
const mostOwners = 200;

const words = taskWords('t.title', 't.summary');
const ownerName = personWords('t.first_name', 't.last_name');

/**
 * The newest tasks with all the words. Each is the start of a word in the task or in its owner's name. `due`:
 * also among tasks that were handed over to the viewer.
 */
export async function findTaskIds(
  database: Database,
  viewer: Viewer,
  due: HandOverDue | null,
  text: string,
): Promise<string[]> {
  const wanted = searchWords(text);
  if (wanted.length === 0) return [];
  return database.transaction(async (queries) => {
    await queries.execute(sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`);
    const { rows } = await queries.execute<{ id: string }>(found(viewer, due, wanted)).catch(refuseIfSlow);
    return rows.map(({ id }) => id);
  });
}

/** As UNAVAILABLE it would be tried again, and fail again. */
function refuseIfSlow(error: unknown): never {
  if (isCanceled(error)) throw new RefusalError(refuse('QUERY_TOO_LARGE', 'Too many matches. Add a word'));
  throw error;
}

const queryOf = (list: SQL, operator: '&' | '|'): SQL =>
  sql`(select to_tsquery('simple', string_agg('''' || word || ''':*', ${` ${operator} `})) from unnest(${list}) word)`;

/** `worded`: the newest tasks with all the words. */
function wordedTasks(owners: SQL | null, alsoHanded: boolean, isVisible: SQL, hasWords: SQL): SQL {
  const newest = sql`order by t.created_at desc, t.id desc limit ${limits.found}`;
  const ofIndex = sql`select t.id, t.created_at from tasks t where t.withdrawn_at is null and ${isVisible} and ${hasWords}`;
  if (owners === null) return sql`worded as (${ofIndex} ${newest})`;
  const columns = sql`t.id, t.created_at, t.title, t.summary`;
  // Limited apart: removing duplicates first would read all of them.
  const handed = sql`union all (select ${columns} from handed h join tasks t on t.id = h.id limit ${fewTasks + 1})`;
  return sql`
    seen as materialized (
      (select ${columns} from (${owners}) o join tasks t on t.owner_id = o.id where t.withdrawn_at is null
        limit ${fewTasks + 1})
      ${alsoHanded ? handed : sql``}),
    few as materialized (select count(*) <= ${fewTasks} as "is" from seen),
    worded as (
      select t.id, t.created_at from (
        select distinct t.id, t.created_at from seen t where (select "is" from few) and ${hasWords}
        union all ${ofIndex} and not (select "is" from few)) t
      ${newest})`;
}

const found = (viewer: Viewer, due: HandOverDue | null, wanted: readonly string[]): SQL => {
  const all = sql`${sql.param([...wanted])}::text[]`;
  const handed = due && decidesForOthers(viewer) && !isAdmin(viewer) && handedOverTasks(viewer, due);
  const visible = isVisibleTo(viewer);
  const isVisible = handed ? sql`(${visible} or t.id in (select id from handed))` : visible;
  const isOwnerVisible = handed ? sql`(${visible} or t.owner_id in (select owner_id from handed))` : visible;
  // `offset 0` computes a name's words once, and only for names that the index finds.
  return sql`
  with ${handed ? sql`handed as materialized (${handed}),` : sql``} owners as materialized (
      select t.owner_id, others
      from (
          select t.id as owner_id, ${ownerName} as name from people t where ${ownerName} @@ ${queryOf(all, '|')} offset 0) t,
        lateral (
          select array(select word from unnest(${all}) word where not t.name @@ to_tsquery('simple', '''' || word || ''':*')) as others) l
      where ${isOwnerVisible}
      order by cardinality(others), t.owner_id desc
      limit ${mostOwners}),
    named as (
      select t.id, t.created_at from owners o join tasks t on t.owner_id = o.owner_id
      where t.withdrawn_at is null and ${isVisible}
        and (o.others = '{}' or ${words} @@ ${queryOf(sql`o.others`, '&')})
      order by t.created_at desc, t.id desc limit ${limits.found}),
    ${wordedTasks(visibleOwners(viewer), Boolean(handed), isVisible, sql`${words} @@ ${queryOf(all, '&')}`)}
  select id::text from (select * from named union select * from worded) x order by created_at desc, id desc limit ${limits.found}`;
};
