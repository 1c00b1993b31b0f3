// Limits how much heavy work runs at once across all servers, with one database row per job. The server keeps
// extending a row's expiry, so a dead server frees its slots. Works through a pooler too.
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { refuse } from '#core/base/refusals.ts';
import { inQueue } from '../graphql/person-turns.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import type { Database, Queries } from './database.ts';

export type WorkKind =
  | 'import'
  | 'importWaiting'
  | 'importPreview'
  | 'sourceRemoval'
  | 'peopleImport'
  | 'export'
  | 'auditExport';

/** Limits per kind. Each job takes a connection or a core, and pages need some too. */
export const workLimits: Readonly<Record<WorkKind, number>> = {
  import: 2,
  // Only a file on disk until its turn comes.
  importWaiting: 4,
  importPreview: 4,
  sourceRemoval: 1,
  peopleImport: 2,
  export: 6,
  auditExport: 2,
};

/**
 * Limits per person or service token, to leave slots for others. A person's import counts until its file is
 * there. Their dry run, an import without a recent proof, and a service token's import count until they end.
 */
const ownLimits: Partial<Record<WorkKind, number>> = {
  import: 1,
  importWaiting: 2,
  importPreview: 2,
  peopleImport: 1,
  export: 2,
  auditExport: 1,
};

const busy: Readonly<Record<WorkKind, string>> = {
  import: 'Other imports are running. Try again later',
  importWaiting: 'Other imports are waiting. Try again later',
  importPreview: 'Other previews are running. Try again in a moment',
  sourceRemoval: 'Another source is being removed. Try again later',
  peopleImport: 'Other imports of people are running. Try again later',
  export: 'Other exports are running. Try again later',
  auditExport: 'Other exports of the audit log are running. Try again later',
};

const renewMs = 10_000;
const silentSeconds = 45;
const retryAfterSeconds = 30;
const waitMs = 500;

export type WorkSlot = {
  /** Changes its kind; false if all of that kind are taken. Counts for its `later` holder then. */
  readonly become: (kind: WorkKind) => Promise<boolean>;
  /** The same, or throws TOO_MANY_ATTEMPTS. */
  readonly mustBecome: (kind: WorkKind) => Promise<void>;
  readonly release: () => Promise<void>;
};

const endsAt = sql`clock_timestamp() + make_interval(secs => ${silentSeconds})`;

const ownBusy: Partial<Record<WorkKind, string>> = {
  import: 'Your other file is still uploading. Try again when it is done',
  importPreview: 'Your other previews are running. Try again in a moment',
  peopleImport: 'Your other import of people is running. Try again when it is done',
  export: 'Your other exports are running. Try again when one is done',
  auditExport: 'Your other export of the audit log is running. Try again when it is done',
};

const dryBusy = 'Your other file is still uploading or being checked. Try again when it is done';
const tokenBusy = 'This token’s other import is still running. Try again when it is done';

/** `later`: the holder after the slot changes kind; null if none. */
type Owner = { readonly holder: string | null; readonly later: string | null };

/** Why the slot can't be of this kind, or null if it is now. */
function claim(
  { transaction }: Database,
  id: string,
  kind: WorkKind,
  { holder, later }: Owner,
): Promise<string | null> {
  const work = async (queries: Queries) => {
    await queries.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`work_slots ${kind}`}, 0))`);
    await queries.execute(sql`delete from work_slots where kind = ${kind} and ends_at < clock_timestamp()`);
    const { rows } = await queries.execute<{ all: number; own: number }>(sql`
      select count(*)::int as all, (count(*) filter (where holder in (${holder}, ${later})))::int as own
      from work_slots where kind = ${kind} and id <> ${id}::uuid`);
    const { all = 0, own = 0 } = rows[0] ?? {};
    if (all >= workLimits[kind]) return busy[kind];
    if (own >= (ownLimits[kind] ?? workLimits[kind]))
      return (
        (kind === 'import' && later !== null && (later === holder ? tokenBusy : dryBusy)) ||
        (ownBusy[kind] ?? busy[kind])
      );
    await queries.execute(sql`
      insert into work_slots (id, kind, holder, ends_at) values (${id}::uuid, ${kind}, ${holder}, ${endsAt})
      on conflict (id) do update set kind = excluded.kind, holder = excluded.holder, ends_at = excluded.ends_at`);
    return null;
  };
  return inQueue(`slots of ${kind}`, holder ?? '', () => transaction(work));
}

/** Takes a slot, or says why it can't. */
async function tryTakeSlot(
  database: Database,
  kind: WorkKind,
  holder: string | null,
  later: string | null = null,
): Promise<WorkSlot | string> {
  const { drizzle } = database;
  const id = randomUUID();
  const refusal = await claim(database, id, kind, { holder, later });
  if (refusal !== null) return refusal;
  const keeper = { holder: later, later };
  const timer = setInterval(() => {
    // A brief database outage does no harm: the next renewal counts.
    drizzle.execute(sql`update work_slots set ends_at = ${endsAt} where id = ${id}::uuid`).catch(() => {});
  }, renewMs).unref();
  return {
    become: async (next) => (await claim(database, id, next, keeper)) === null,
    mustBecome: async (next) => {
      const why = await claim(database, id, next, keeper);
      if (why !== null) throw allTaken(why);
    },
    release: async () => {
      clearInterval(timer);
      // A slot that can't be released now expires.
      await drizzle.execute(sql`delete from work_slots where id = ${id}::uuid`).catch(() => {});
    },
  };
}

export async function holdsSlot({ drizzle }: Database, holder: string): Promise<boolean> {
  const { rows } = await drizzle.execute(
    sql`select from work_slots where holder = ${holder} and ends_at > clock_timestamp() limit 1`,
  );
  return rows.length > 0;
}

/**
 * Takes a slot, or throws TOO_MANY_ATTEMPTS when all are taken or `holder` is at their limit. The caller must
 * release it. Once it becomes its next kind, it counts for `later`.
 */
export async function takeSlot(
  database: Database,
  kind: WorkKind,
  holder: string | null = null,
  later: string | null = null,
): Promise<WorkSlot> {
  const slot = await tryTakeSlot(database, kind, holder, later);
  if (typeof slot !== 'string') return slot;
  throw allTaken(slot);
}

const allTaken = (why: string) => new RefusalError(refuse('TOO_MANY_ATTEMPTS', why), { retryAfter: retryAfterSeconds });

async function nextSlot(database: Database, kind: WorkKind, signal: AbortSignal): Promise<WorkSlot> {
  for (;;) {
    signal.throwIfAborted();
    const slot = await tryTakeSlot(database, kind, null);
    if (typeof slot !== 'string') return slot;
    await setTimeout(waitMs);
  }
}

/** Runs the work in a slot of its kind. With a signal, it waits for one until that aborts. */
export async function inSlot<T>(
  database: Database,
  kind: WorkKind,
  work: () => Promise<T>,
  { holder, signal }: { readonly holder?: string; readonly signal?: AbortSignal } = {},
): Promise<T> {
  const slot = await (signal ? nextSlot(database, kind, signal) : takeSlot(database, kind, holder));
  try {
    return await work();
  } finally {
    await slot.release();
  }
}
