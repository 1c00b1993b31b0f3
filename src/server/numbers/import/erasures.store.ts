// Who was erased, as keyed hashes, and what past imports keep of refused rows.
import { createHmac, randomBytes } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { type HashText, recognizedBy, withoutErased } from '../erased-person.ts';
import type { NumberRow } from '../number-row.ts';

/** Hashes for a dataset. The first call makes the key. */
export async function readHash(queries: Queries, dataset: DatasetKey): Promise<HashText> {
  await queries.execute(sql`insert into erasure_keys (key) values (${randomBytes(32)}) on conflict do nothing`);
  const { rows } = await queries.execute<{ key: Buffer }>(sql`select key from erasure_keys`);
  return hashWith(rows[0]!.key, dataset);
}

export const hashWith =
  (key: Buffer, dataset: DatasetKey): HashText =>
  (text) =>
    createHmac('sha256', key).update(`${dataset}\n${text}`).digest('hex');

type Erased = { readonly hashes: ReadonlySet<string>; readonly hash: HashText };

/** Which of the texts are of people who were erased from the dataset; null if nobody was. */
async function readErased(
  queries: Queries,
  dataset: DatasetKey,
  texts: () => readonly string[],
): Promise<Erased | null> {
  const { rows: keys } = await queries.execute<{ key: Buffer }>(sql`
    select key from erasure_keys where exists (select 1 from erased_references where dataset = ${dataset})`);
  if (keys.length === 0) return null;
  const hash = remembering(hashWith(keys[0]!.key, dataset));
  const { rows } = await queries.execute<{ hash: string }>(sql`
    select encode(e.hash, 'hex') as hash from unnest(${sql.param([...new Set(texts().map(hash))])}::text[]) as t (hash)
    join erased_references e on e.dataset = ${dataset} and e.hash = decode(t.hash, 'hex')`);
  return { hashes: new Set(rows.map((row) => row.hash)), hash };
}

/** A batch asks for each hash twice. */
function remembering(hash: HashText): HashText {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text) ?? hash(text);
    known.set(text, found);
    return found;
  };
}

export async function insertErased(queries: Queries, dataset: DatasetKey, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await queries.execute(sql`
    insert into erased_references (dataset, hash, erased_at)
    select ${dataset}, decode(h, 'hex'), now() from unnest(${sql.param([...hashes])}::text[]) h on conflict do nothing`);
}

type RowsOf = { readonly dataset: DatasetKey; readonly source: string };
type BatchRow = { readonly line: number; readonly row: NumberRow };

/** The rows, without the reference and labels of people who were erased. */
export async function withoutPeople(queries: Queries, { dataset, source }: RowsOf, batch: readonly BatchRow[]) {
  const given = batch.map(({ row }) => row);
  const erased = await readErased(queries, dataset, () => given.flatMap((row) => recognizedBy(dataset, source, row)));
  if (!erased) return { rows: given, erasedLines: [] };
  const { rows, marks } = withoutErased(dataset, source, given, erased);
  await insertErased(queries, dataset, marks.map(erased.hash));
  const erasedLines = batch.filter((_, index) => rows[index]).map(({ line }) => line);
  return { rows: given.map((row, index) => rows[index] ?? row), erasedLines };
}

/** Which of the refused rows are of people who were erased. `readable`: null if it had no columns. */
export async function erasedAmong<Refused extends { readonly readable: NumberRow | null }>(
  queries: Queries,
  { dataset, source }: RowsOf,
  refused: readonly Refused[],
): Promise<ReadonlySet<Refused>> {
  const given = refused.filter(({ readable }) => readable !== null);
  const rows = given.map(({ readable }) => readable!);
  if (rows.length === 0) return new Set();
  const erased = await readErased(queries, dataset, () => rows.flatMap((row) => recognizedBy(dataset, source, row)));
  const found = erased && withoutErased(dataset, source, rows, erased).rows;
  return new Set(given.filter((_, index) => found?.[index]));
}

/**
 * Deletes the refused rows of the dataset's imports, and what their reasons quote: any of them can name the
 * person, also by what their reference is made of. Returns how many imports had such rows.
 */
export const forgetRefused = (queries: Queries, dataset: DatasetKey): Promise<number> =>
  forgetRefusedOf(queries, sql`r.dataset = ${dataset}`);

/** Deletes those that an erasure may have missed because the import ran beside it. */
export async function forgetRefusedOfErased(queries: Queries, runId: string): Promise<void> {
  await forgetRefusedOf(
    queries,
    sql`r.id = ${runId} and exists (
      select from import_runs e where e.dataset = r.dataset and e.way = 'erasure'
        and (e.state = 'running' or (e.state = 'done' and e.seen_at > r.started_at)))`,
  );
}

async function forgetRefusedOf(queries: Queries, which: SQL): Promise<number> {
  const { rows } = await queries.execute<{ count: number }>(sql`
    with dropped as (
      delete from import_report_parts p using import_runs r where r.id = p.run_id and ${which} returning p.run_id)
    select count(distinct run_id)::int as count from dropped`);
  const unquoted = (reason: string) =>
    sql`regexp_replace(${sql.raw(reason)} ->> 'reason', ${'"(?:[^"\\\\]|\\\\.)*"'}, ${'"…"'}, 'g')`;
  await queries.execute(sql`
    update import_runs r set
      reasons = (
        select coalesce(jsonb_agg(one || jsonb_build_object('value', null, 'values', '[]'::jsonb, 'reason', ${unquoted('one')}) order by place), '[]')
        from jsonb_array_elements(reasons) with ordinality as e (one, place)),
      faults = (
        select coalesce(jsonb_agg(one || jsonb_build_object('reason', ${unquoted('one')}) order by place), '[]')
        from jsonb_array_elements(faults) with ordinality as e (one, place))
    where ${which} and (reasons <> '[]' or faults <> '[]')`);
  return rows[0]!.count;
}
