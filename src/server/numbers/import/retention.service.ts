// Deletes rows older than a dataset's months, every night and in small transactions. Off by default.

import { setTimeout as sleep } from 'node:timers/promises';
import { ownAddress } from '#core/admin/audit-log.ts';
import { dayWithYear } from '#core/base/day-words.ts';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { type DatasetKey, datasetKeys } from '#core/numbers/datasets.ts';
import { keptSince, retentionInput } from '#core/numbers/imports.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { countOld, deleteOldRows, forgetRuns, lockDataset, type OldRows, readRunsBefore } from '../batch.service.ts';
import * as store from './retention.store.ts';

export type Retention = {
  readonly dataset: DatasetKey;
  /** Null keeps all rows. */
  readonly months: number | null;
  /** The last nightly run. */
  readonly ranOn: string | null;
  readonly deleted: number;
};

export type RetentionPreview = OldRows & {
  /** The first day that is kept. */
  readonly before: string;
  /** Imports that can no longer be undone after that. */
  readonly imports: number;
};

/** Who sets it: a person, or a command, which has no viewer. */
type Setter = Pick<RequestContext, 'database' | 'clock' | 'requestId' | 'address'> & {
  readonly viewer: { readonly id: string } | null;
};

const off = { months: null, ranOn: null, deleted: 0 };

/** How long each dataset keeps its rows. */
export async function retentions({ database }: Pick<Services, 'database'>): Promise<Retention[]> {
  const stored = await store.readRetention(database.drizzle);
  return datasetKeys.map((dataset) => stored.find((one) => one.dataset === dataset) ?? { ...off, dataset });
}

const todayIn = ({ clock }: Pick<Services, 'clock'>, zone: string) => clock.now().toZonedDateTimeISO(zone);

/** What the first night would delete. */
export async function previewRetention(
  parts: Pick<Services, 'database' | 'clock'>,
  zone: string,
  args: object,
): Promise<RetentionPreview> {
  const { dataset, months } = orThrow(readInput(retentionInput, args));
  if (months === undefined)
    throw new RefusalError(refuse('BAD_INPUT', 'Months must not be blank', { field: 'months' }));
  const before = keptSince(months, todayIn(parts, zone).toPlainDate()).toString();
  const { drizzle } = parts.database;
  const old = await countOld(drizzle, dataset, before);
  return { ...old, before, imports: (await readRunsBefore(drizzle, dataset, before)).length };
}

/** Deletes from the next night on; without months, no longer. */
export async function setRetention(setter: Setter, zone: string, args: object): Promise<Retention> {
  const { dataset, months = null } = orThrow(readInput(retentionInput, args));
  await setter.database.transaction(async (queries) => {
    const before = (await store.lockRetention(queries, dataset))?.months ?? null;
    if (before === months) return;
    await recordNight(queries, setter, dataset);
    await store.saveRetention(queries, dataset, months, todayIn(setter, zone).toPlainDate().toString());
    const line = { action: 'retentionSet', subjectType: 'dataset', subjectId: dataset };
    await recordAudit(queries, setter, { ...line, before: { months: before }, after: { months } });
  });
  return (await retentions(setter)).find((one) => one.dataset === dataset)!;
}

type Keeping = Pick<Services, 'database' | 'clock' | 'config' | 'log'>;

/** At night fewer people read numbers, and imports of the day before have ended. */
const hourOfNight = 2;

/** Deletes what is due in every dataset. If a server dies, the next night goes on. */
export async function deleteOldNumbers(keeping: Keeping, signal?: AbortSignal): Promise<void> {
  const { database, config } = keeping;
  const now = todayIn(keeping, config.companyTimeZone);
  if (now.hour < hourOfNight) return;
  const today = now.toPlainDate();
  for (const { dataset, months, ranOn } of await store.readRetention(database.drizzle)) {
    if (ranOn === today.toString()) continue;
    await auditNight(keeping, dataset);
    if (!(await store.claimRun(database.drizzle, dataset, today.toString()))) continue;
    const before = keptSince(months, today).toString();
    await keepFromUndo(keeping, dataset, before, signal);
    while (await deleteBatch(keeping, { dataset, months, before }, signal)) await sleep(pauseMs);
    await auditNight(keeping, dataset);
  }
}

type Batch = { readonly dataset: DatasetKey; readonly months: number; readonly before: string };

/** One transaction. False if nothing is left, or if it was turned off or set to other months. */
async function deleteBatch(
  { database, config }: Keeping,
  { dataset, months, before }: Batch,
  signal?: AbortSignal,
): Promise<boolean> {
  signal?.throwIfAborted();
  return database
    .transaction(async (queries) => {
      const rows = await deleteOldRows(queries, { dataset, before, zone: config.companyTimeZone }, signal);
      if (!(await store.noteDeleted(queries, { dataset, months }, rows))) throw new Changed();
      return rows > 0;
    })
    .catch((error) => {
      if (error instanceof Changed) return false;
      throw error;
    });
}

/** Imports and readers go first. */
const pauseMs = 20;

class Changed extends Error {}

/** An undo would restore only the part of the rows that is kept. */
async function keepFromUndo(
  { database }: Pick<Keeping, 'database'>,
  dataset: DatasetKey,
  before: string,
  signal?: AbortSignal,
): Promise<void> {
  const reason = `Its rows from before ${dayWithYear(before)} were deleted`;
  await database.transaction(
    async (queries) => {
      await lockDataset(queries, dataset, signal);
      const runs = await readRunsBefore(queries, dataset, before);
      await store.noteUndoReason(queries, runs, reason);
      await forgetRuns(queries, runs, () => signal?.throwIfAborted());
    },
    { isLong: true },
  );
}

function auditNight({ database, clock }: Pick<Keeping, 'database' | 'clock'>, dataset: DatasetKey): Promise<void> {
  const actor = { viewer: null, clock, requestId: 'retention', address: ownAddress.server };
  return database.transaction((queries) => recordNight(queries, actor, dataset));
}

/** Records how many rows the last night deleted, once. */
async function recordNight(
  queries: Queries,
  actor: Parameters<typeof recordAudit>[1],
  dataset: DatasetKey,
): Promise<void> {
  const night = await store.lockRetention(queries, dataset);
  if (!night?.ranOn || night.isAudited) return;
  await store.markAudited(queries, dataset);
  if (night.deleted === 0) return;
  const before = keptSince(night.months, Temporal.PlainDate.from(night.ranOn)).toString();
  const line = { action: 'oldRowsDeleted', subjectType: 'dataset', subjectId: dataset };
  await recordAudit(queries, actor, { ...line, after: { before, rows: night.deleted } });
}

const everyMs = 600_000;

/** Looks every ten minutes whether a night has begun. `stop` waits for the batch that runs. */
export function startDeletingOldNumbers(keeping: Keeping): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= deleteOldNumbers(keeping, stopping.signal)
      .catch((error) => {
        if (!stopping.signal.aborted) keeping.log.error({ err: error }, 'old rows of numbers could not be deleted');
      })
      .finally(() => {
        running = undefined;
      });
  }, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort(new Error('The server stops'));
      await running;
    },
  };
}
