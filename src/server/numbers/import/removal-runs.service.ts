// Runs that delete permanently: the rows of a source, or what names a person. Each is one transaction, and the
// list of imports shows it.

import type { DatasetKey } from '#core/numbers/datasets.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { inSlot } from '#server/platform/db/work-slots.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
import { silentSince } from '../batch.service.ts';
import { mayStillSend } from './import-access.ts';
import { importRun, nothingDone, removalCutOff, turnOfSource } from './import-runs.service.ts';
import * as store from './import-runs.store.ts';

const progressMs = 1_000;

/** Who removes: a person, or a command, which has no viewer. */
export type Remover = Pick<RequestContext, 'database' | 'clock' | 'requestId' | 'address'> & {
  readonly viewer: { readonly id: string } | null;
  readonly zone: string;
};

/** Ends the work before its next step, by throwing, or notes how many rows are done. */
export type BeforeStep = (count: number) => void;

export type RemovalJob = {
  readonly way: store.RemovalWay;
  readonly dataset: DatasetKey;
  /** Empty if it is about all sources. */
  readonly source: string;
  /** Names the person to erase. */
  readonly hash: Buffer | null;
  /** The number of rows, and the audit entry. */
  readonly carryOut: (
    queries: Queries,
    beforeStep: BeforeStep,
    signal: AbortSignal,
  ) => Promise<{ readonly rows: number; readonly action: string; readonly after: Record<string, unknown> }>;
};

/** `run` resolves with the number of rows. Without `isNew`, another call runs this removal. */
export async function beginRemovalRun(remover: Remover, job: RemovalJob, stopping = new AbortController()) {
  const { database, clock, viewer } = remover;
  const { dataset, source, way, hash } = job;
  const now = () => clock.now().toString();
  const line = {
    ...{ dataset, source, mapping: '', fileName: '', isDryRun: false, way, hash, size: 0 },
    ...{ idRule: null, personId: viewer?.id ?? null, serviceTokenId: null, startedAt: now() },
  };
  const { id, isNew } = await store.insertRemoval(database, line, silentSince(clock.now()));
  let done = 0;
  const progress = () => ({ ...noCounts, rows: done, bytesRead: 0, now: now() });
  const end = (queries: Queries, state: store.RunState, reason: string | null) =>
    store.endRun(queries, id, { ...progress(), state, reason, faults: [], reasons: [], totals: [] });
  const remove = async (queries: Queries) => {
    const beforeStep = (count: number) => {
      stopping.signal.throwIfAborted();
      done = count;
    };
    const { rows, ...audit } = await job.carryOut(queries, beforeStep, stopping.signal);
    done = rows;
    await recordAudit(queries, remover, { ...audit, subjectType: 'importRun', subjectId: id });
    await end(queries, 'done', null);
  };
  const work = () => database.transaction(remove, { isLong: true });
  const isTold = (error: unknown) => [ImportError, RefusalError].some((kind) => error instanceof kind);
  const run = async (): Promise<number> => {
    const tell = async () => {
      if (await store.noteProgress(database.drizzle, id, progress()))
        stopping.abort(new RemovalStopped('It was stopped in the list of imports'));
    };
    // A brief database outage fails the removal itself, not its progress report.
    const timer = setInterval(() => void tell().catch(() => {}), progressMs);
    try {
      await turnOfSource({ database, clock }, id, stopping.signal);
      await inSlot(database, 'sourceRemoval', work, { signal: stopping.signal });
      return done;
    } catch (error) {
      done = 0;
      const reason = isTold(error)
        ? (error as Error).message
        : `The server had an error. ${nothingDone[way]}. Try again`;
      await end(database.drizzle, error instanceof RemovalStopped ? 'stopped' : 'failed', reason).catch(() => {});
      throw error;
    } finally {
      clearInterval(timer);
    }
  };
  return { id, isNew, run, isTold };
}

class RemovalStopped extends ImportError {}

const noCounts = { inserted: 0, updated: 0, unchanged: 0, refused: 0, leftOut: 0 };

/** Carries it out in the background while the person who started it may import; the run tells how it goes. */
export async function startRemovalRun(context: RequestContext, job: RemovalJob): Promise<store.ImportRun> {
  const { config, log, viewer } = context;
  const stopping = new AbortController();
  const removal = await beginRemovalRun({ ...context, zone: config.companyTimeZone }, job, stopping);
  if (!removal.isNew) return (await importRun(context, removal.id))!;
  const checks = setInterval(() => {
    mayStillSend(context, { person: viewer }, job.dataset).then(
      (may) =>
        may ||
        stopping.abort(new ImportError(`The person who started it can no longer import. ${nothingDone[job.way]}`)),
      (error) => log.warn({ err: error }, 'the sender of a removal could not be checked'),
    );
  }, progressMs);
  const carryOut = async () => {
    try {
      await removal.run();
    } catch (error) {
      if (!removal.isTold(error)) log.error({ err: error, run: removal.id }, 'a removal failed');
    } finally {
      clearInterval(checks);
    }
  };
  void context.background.run(carryOut(), () => stopping.abort(new ImportError(removalCutOff(job.way))));
  return (await importRun(context, removal.id))!;
}
