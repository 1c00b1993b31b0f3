// Undoes an import in one transaction: readers see all of it or nothing, and a dying server changes nothing.
import { instantWithYear } from '#core/base/day-words.ts';
import { refuse } from '#core/base/refusals.ts';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import { undoRefusal } from '#core/numbers/imports.ts';
import { requireRecentProof } from '#server/access/auth/recent-proof.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { inSlot } from '#server/platform/db/work-slots.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
import {
  laterRun,
  mainAmount,
  previewUndo,
  silentSince,
  type UndoCounts,
  type UndoPreview,
  undoRun,
} from '../batch.service.ts';
import { mayStillSend } from './import-access.ts';
import { importRun, undoCutOff } from './import-runs.service.ts';
import * as store from './import-runs.store.ts';
import { visibleRun } from './visible-runs.service.ts';

const progressMs = 1_000;

export type ImportUndo = UndoPreview & {
  readonly run: store.ImportRun;
  /** The later import that must be undone first. */
  readonly blockedBy: store.ImportRun | null;
  /** Title of the amount in `totals`; null if the dataset has none. */
  readonly amountTitle: string | null;
};

/** The title of the dataset's main amount; null if it has none. */
export function amountTitle(dataset: DatasetKey): string | null {
  const amount = mainAmount(dataset);
  return amount && datasetOf(dataset).fields[amount]!.title;
}

/** What undoing the import would change. */
export async function importUndo(context: RequestContext, id: string): Promise<ImportUndo> {
  const run = await undoableRun(context, id);
  const { drizzle } = context.database;
  const later = await laterRun(drizzle, id);
  return {
    ...(await previewUndo(drizzle, run.dataset, id)),
    run,
    blockedBy: later === null ? null : await importRun(context, later),
    amountTitle: amountTitle(run.dataset),
  };
}

/** Starts undoing the import; `undoState` of the run tells how it goes. */
export async function undoImport(context: RequestContext, id: string): Promise<store.ImportRun> {
  const run = await undoableRun(context, id);
  const { database, clock, viewer } = context;
  const later = await laterRun(database.drizzle, id);
  if (later) throw new RefusalError(refuse('CONFLICT', await undoFirst(context, later)));
  // Only its file brings the rows back, so a stolen token alone mustn't undo it (T44).
  await requireRecentProof(context);
  const now = clock.now();
  const begin = { personId: viewer.id, now: now.toString(), silentSince: silentSince(now) };
  if (await store.beginUndo(database.drizzle, id, begin)) {
    const stopping = new AbortController();
    const onStop = () => stopping.abort(new ImportError(undoCutOff));
    void context.background.run(carryOut(context, run, stopping), onStop);
  }
  return (await importRun(context, id))!;
}

async function undoFirst(context: Pick<Services, 'database' | 'clock' | 'config'>, later: string): Promise<string> {
  const run = await importRun(context, later);
  const when = run && instantWithYear(run.startedAt, context.config.companyTimeZone);
  return `A later import has some of these rows too. First undo ${run?.fileName ?? 'it'}, imported on ${when}`;
}

/** The run, if it can be undone. */
async function undoableRun(context: RequestContext, id: string): Promise<store.ImportRun> {
  const run = await visibleRun(context, id);
  const refusal = undoRefusal(run);
  // Someone else's undo is an answer too.
  if (refusal && run.undoState !== 'running') throw new RefusalError(refusal);
  return run;
}

async function carryOut(context: RequestContext, run: store.ImportRun, stopping: AbortController): Promise<void> {
  const { database, clock, config, log, viewer } = context;
  const { id, dataset } = run;
  let undone = 0;
  const tell = async () => {
    try {
      await store.noteUndo(database.drizzle, id, undone, clock.now().toString());
      if (!(await mayStillSend(context, { person: viewer }, dataset)))
        stopping.abort(new ImportError('The person who started it can no longer import. Nothing was undone'));
    } catch (error) {
      log.warn({ err: error }, 'the progress of an undo could not be sent');
    }
  };
  const timer = setInterval(() => void tell(), progressMs);
  const undo = async (queries: Queries) => {
    const beforeStep = async ({ removed, restored }: UndoCounts) => {
      stopping.signal.throwIfAborted();
      undone = removed + restored;
      if (undone > 0) return;
      // Another import may have come since the request.
      const later = await laterRun(queries, id);
      if (later) throw new ImportError(await undoFirst(context, later));
      // So may a removal of its source.
      if ((await importRun(context, id))?.hasChanges === false)
        throw new ImportError('The rows of its source were removed');
    };
    const counts = await undoRun(queries, dataset, id, config.companyTimeZone, beforeStep, stopping.signal);
    const { source, fileName } = run;
    const line = { action: 'importUndone', subjectType: 'importRun', subjectId: id };
    await recordAudit(queries, context, { ...line, after: { dataset, source, fileName, ...counts } });
    await store.endUndo(queries, id, { state: 'done', reason: null, now: clock.now().toString() });
  };
  try {
    await inSlot(database, 'import', () => database.transaction(undo, { isLong: true }));
  } catch (error) {
    const isTold = [ImportError, RefusalError].some((kind) => error instanceof kind);
    if (!isTold) log.error({ err: error, run: id }, 'an import could not be undone');
    const reason = isTold ? (error as Error).message : 'The server had an error. Try again';
    const end = { state: 'failed' as const, reason, now: clock.now().toString() };
    await store
      .endUndo(database.drizzle, id, end)
      .catch((failure) => log.error({ err: failure, run: id }, 'the end of an undo could not be saved'));
  } finally {
    clearInterval(timer);
  }
}
