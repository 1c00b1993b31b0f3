// Work of which only so much may run at once on all servers together: a row in the database for each piece of it. Rows have
// an end that the server keeps moving, so a server that dies gives its slots back; this works through a pooler too.
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { refuse } from '#core/base/refusals.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import type { Database } from './database.ts';

export type WorkKind = 'import' | 'importPreview' | 'peopleImport' | 'export';

/** How much of each kind may run at once. Each holds a connection or a core; pages want some too. */
export const workLimits: Readonly<Record<WorkKind, number>> = {
  import: 2,
  importPreview: 4,
  peopleImport: 2,
  export: 6,
};

const busy: Readonly<Record<WorkKind, string>> = {
  import: 'Other imports are running. Try again in a while',
  importPreview: 'Others are previewing imports right now. Try again in a moment',
  peopleImport: 'Other imports of people are running. Try again in a while',
  export: 'Other exports are running. Try again in a while',
};

const renewMs = 10_000;
const silentSeconds = 45;
const retryAfterSeconds = 30;

export type WorkSlot = { readonly release: () => Promise<void> };

const endsAt = sql`clock_timestamp() + make_interval(secs => ${silentSeconds})`;

/** Takes a slot, or throws TOO_MANY_ATTEMPTS when all are taken. Whoever takes one releases it, whatever happens. */
export async function takeSlot({ drizzle, transaction }: Database, kind: WorkKind): Promise<WorkSlot> {
  const id = randomUUID();
  const isTaken = await transaction(async (queries) => {
    await queries.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`work_slots ${kind}`}, 0))`);
    await queries.execute(sql`delete from work_slots where kind = ${kind} and ends_at < clock_timestamp()`);
    const { rows } = await queries.execute(sql`
      insert into work_slots (id, kind, ends_at) select ${id}::uuid, ${kind}, ${endsAt}
      where (select count(*) from work_slots where kind = ${kind}) < ${workLimits[kind]} returning id`);
    return rows.length === 1;
  });
  if (!isTaken) throw new RefusalError(refuse('TOO_MANY_ATTEMPTS', busy[kind]), { retryAfter: retryAfterSeconds });
  const timer = setInterval(() => {
    // A database that is away for a moment costs nothing: the next renewal counts.
    drizzle.execute(sql`update work_slots set ends_at = ${endsAt} where id = ${id}::uuid`).catch(() => {});
  }, renewMs).unref();
  return {
    release: async () => {
      clearInterval(timer);
      // What cannot be given back now ends by itself.
      await drizzle.execute(sql`delete from work_slots where id = ${id}::uuid`).catch(() => {});
    },
  };
}

/** Runs the work in a slot of its kind. */
export async function inSlot<T>(database: Database, kind: WorkKind, work: () => Promise<T>): Promise<T> {
  const slot = await takeSlot(database, kind);
  try {
    return await work();
  } finally {
    await slot.release();
  }
}
