// Imports run by the server: each has a row with its progress, and a report of rejected rows.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { importLimits } from '#core/numbers/imports.ts';
import type { Services } from '#server/platform/context.ts';
import type { WorkSlot } from '#server/platform/db/work-slots.ts';
import { failureOf } from '#server/platform/graphql/failures.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { FaultReport } from '#server/platform/imports/fault-report.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
import { openRowsInWorker } from '#server/platform/imports/row-worker-client.ts';
import type { RowSource } from '#server/platform/imports/source-row.ts';
import { silentSince } from '../batch.service.ts';
import { forgetRefusedOfErased } from './erasures.store.ts';
import { FileTotals } from './file-totals.ts';
import { isSessionEnded, mayStillSend, type Sender } from './import-access.ts';
import { mappingOf, orRefused } from './import-mappings.service.ts';
import * as store from './import-runs.store.ts';
import type { IncomingRows } from './incoming-rows.ts';
import { dropOldChanges, dropOwnChanges, isUndoHalfFull } from './kept-changes.service.ts';
import { mustBeNewRows } from './new-rows.ts';
import { ImportStopped, importNumbers, type NumbersImport, type NumbersImported } from './numbers-import.service.ts';
import { idRuleOf, type NumbersMapping, ruleSetOf } from './numbers-mapping.ts';
import { openNumbersFile } from './open-numbers-file.ts';

export type ImportRequest = {
  readonly dataset: DatasetKey;
  readonly mapping: string;
  readonly isDryRun: boolean;
  readonly fileName: string;
  /** Imports the file even if its rows came with another source or other ids. */
  readonly isAgain: boolean;
  /** The sender confirmed their identity before the upload, which can take longer than a proof lasts. */
  readonly isProven: boolean;
};

const addAgain = 'Add again=yes to import it anyway';
const progressMs = 1_000;
const reportsKeptHours = 30 * 24;
/** What to do about a run that ended early. A dry run has imported nothing. */
const againWords = (isDryRun: boolean): string =>
  isDryRun ? 'Run it again' : 'Import the file again: no row is counted twice';

export type StartedRun = { readonly id: string; readonly ended: Promise<void> };

type Opened = {
  readonly id: string;
  readonly sender: Sender;
  readonly request: ImportRequest;
  readonly mapping: NumbersMapping;
  readonly source: RowSource;
  /** Aborted when the caller stops waiting for it. */
  readonly signal: AbortSignal | undefined;
  readonly stopping: AbortController;
  readonly slot: WorkSlot;
} & IncomingRows;

/**
 * Starts importing a received file, and removes the file at the end or on refusal. The signal stops it.
 * `readSender` runs again here to check permissions that may have been removed since; it throws then.
 */
export async function startRun(
  services: Services,
  readSender: () => Promise<Sender>,
  request: ImportRequest,
  file: IncomingRows,
  slot: WorkSlot,
  signal?: AbortSignal,
): Promise<StartedRun> {
  let source: RowSource | undefined;
  try {
    const sender = await readSender();
    const mapping = await mappingOf(services, request, file.head);
    const idRule = idRuleOf(mapping);
    const inWorker = openRowsInWorker(signal, { rules: ruleSetOf(mapping, services.config.companyTimeZone) });
    const open = () => orRefused(() => openNumbersFile(file.path, mapping, request.fileName, inWorker));
    if (!request.isDryRun && !request.isAgain)
      await mustBeNewRows(
        services,
        { ...request, source: mapping.source, hash: file.hash, idRule },
        sender.serviceToken ? `. ${addAgain}` : '',
        open,
      );
    source = await open();
    const kept = { dataset: request.dataset, source: mapping.source };
    // If it's refused now, the caller can send it again. Later, its run would fail.
    if (!request.isDryRun && (await store.hasRunning(services.database.drizzle, kept, pausedSince(services))))
      await slot.mustBecome('importWaiting');
    const id = await store.insertRun(services.database, {
      ...request,
      source: mapping.source,
      // Only the wizard sends the mapping with the file.
      way: file.head === '' ? 'http' : 'wizard',
      hash: file.hash,
      idRule,
      personId: sender.person?.id ?? null,
      serviceTokenId: sender.serviceToken?.id ?? null,
      startedAt: services.clock.now().toString(),
      size: file.size,
    });
    const stopping = new AbortController();
    const running = carryOut(services, { id, sender, request, mapping, source, signal, stopping, slot, ...file });
    const onStop = () => stopping.abort(new ImportStopped(`The server stopped. ${againWords(request.isDryRun)}`));
    // If the caller waits, closing the connection stops the import.
    return { id, ended: services.background.run(running, signal ? undefined : onStop) };
  } catch (error) {
    // Each source has a thread, which would keep running.
    await source?.close();
    await rm(file.path, { force: true });
    throw error;
  }
}

async function carryOut(services: Services, opened: Opened): Promise<void> {
  const { id, path } = opened;
  const reportPath = `${path}.report`;
  try {
    const report = await FaultReport.open(reportPath, opened.source);
    const totals = new FileTotals(opened.request.dataset, services.config.companyTimeZone);
    const ended = await runToEnd(services, opened, report, totals);
    const fault = await keepReport(services, id, report).catch((error) => failureReason(services, opened, error));
    const end = fault && ended.state === 'done' ? { ...ended, state: 'failed' as const, reason: fault } : ended;
    // A file read to its end counts as complete, even with data after the end of its gzip stream.
    const bytesRead = end.state === 'done' ? opened.size : opened.source.bytesRead();
    await endRun(services, id, { ...end, bytesRead, ...reportSummary(report), totals: totalsAtEnd(end, totals) });
    const { isDryRun, isProven } = opened.request;
    if (!isDryRun && isProven) await dropOwnChanges(services, opened.sender.person?.id);
  } catch (error) {
    services.log.error({ err: error, run: id }, 'an import could not be completed');
  } finally {
    await opened.source.close();
    for (const left of [path, reportPath]) await rm(left, { force: true });
  }
}

export type CommandRun = Omit<NumbersImport, 'signal' | 'runId' | 'database'> &
  Pick<store.NewRun, 'hash' | 'size' | 'fileName'> & { readonly mappingFile: string; readonly bytesRead: () => number };

/** Imports for the command, which prints its own result; the list of imports shows it like any other. */
export async function importAsRun({ database, clock }: Reading, job: CommandRun): Promise<NumbersImported> {
  const { dataset, mapping, isDryRun, fileName, size, hash, report, mappingFile } = job;
  const idRule = idRuleOf(mapping);
  const now = () => clock.now().toString();
  const id = await store.insertRun(database, {
    ...{
      dataset,
      isDryRun,
      fileName,
      size,
      hash,
      idRule,
      source: mapping.source,
      mapping: mappingFile,
      way: 'command' as const,
    },
    ...{ personId: null, serviceTokenId: null, startedAt: now() },
  });
  const stopping = new AbortController();
  const totals = new FileTotals(dataset, job.zone);
  let counts = noCounts;
  const tell = async () => {
    const isStopping = await store.noteProgress(database.drizzle, id, {
      ...counts,
      bytesRead: job.bytesRead(),
      now: now(),
    });
    if (isStopping) stopping.abort(new ImportStopped('It was stopped in the list of imports'));
  };
  // A brief database outage fails the import itself, not its progress report.
  const timer = setInterval(() => void tell().catch(() => {}), progressMs);
  const end = (state: store.RunState, reason: string | null, bytesRead: number) =>
    endRun({ database, clock }, id, {
      ...counts,
      state,
      reason,
      bytesRead,
      ...reportSummary(report),
      totals: totalsAtEnd({ state }, totals),
    });
  const onProgress = (next: NumbersImported) => {
    counts = next;
    job.onProgress?.(next);
  };
  try {
    const { signal } = stopping;
    if (!isDryRun) await turnOfSource({ database, clock }, id, signal);
    const imported = await importNumbers({ ...job, database, totals, onProgress, signal, fileHash: hash, runId: id });
    await keepReport({ database, clock }, id, report);
    await end('done', null, size);
    return imported;
  } catch (error) {
    const reason = isForPeople(error) ? error.message : 'The command had an error';
    await keepReport({ database, clock }, id, report).catch(() => {});
    await end(error instanceof ImportStopped ? 'stopped' : 'failed', reason, job.bytesRead()).catch(() => {});
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Ends the run, and drops what can no longer be undone. */
async function endRun({ database, clock }: Reading, id: string, end: Omit<store.RunEnd, 'now'>): Promise<void> {
  await store.endRun(database.drizzle, id, { ...end, now: clock.now().toString() });
  // An erasure doesn't find rows that were refused before it and are stored after it.
  await forgetRefusedOfErased(database.drizzle, id);
  await dropOldChanges({ database, clock });
}

const turnMs = 500;
/** Short, because one that was killed is often sent again. One that only paused fails at its next batch. */
const pausedSeconds = 10;

const pausedSince = ({ clock }: Reading) => clock.now().subtract({ seconds: pausedSeconds }).toString();

/**
 * Imports from one source write one after the other. Of two that mixed, neither could be undone before the
 * other. An erasure waits for all earlier imports of its dataset, which keep their refused rows at their end.
 */
export async function turnOfSource(reading: Reading, id: string, signal: AbortSignal, slot?: WorkSlot): Promise<void> {
  const { drizzle } = reading.database;
  const isItsTurn = async () =>
    !(await store.hasEarlierRunning(drizzle, id, pausedSince(reading))) && ((await slot?.become('import')) ?? true);
  if (await isItsTurn()) return;
  // A waiting import never holds a slot that the import before it may need.
  await slot?.mustBecome('importWaiting');
  do {
    await setTimeout(turnMs);
    signal.throwIfAborted();
  } while (!(await isItsTurn()));
}

/** An import that ended early didn't store all the rows it read. */
const totalsAtEnd = ({ state }: { readonly state: store.RunState }, { all }: FileTotals) =>
  state === 'done' ? all : [];

/** What is kept of a report. */
const reportSummary = ({ first, groups }: FaultReport) => ({
  faults: first,
  reasons: groups.slice(0, importLimits.reasons),
});

const noCounts: store.ImportCounts = { rows: 0, inserted: 0, updated: 0, unchanged: 0, refused: 0, leftOut: 0 };

type End = store.ImportCounts & { readonly state: store.RunState; readonly reason: string | null };

/** The wizard asks before it sends the file. */
const twiceRemedyOf = ({ request, head }: Opened) => (request.isAgain || head !== '' ? undefined : addAgain);

async function runToEnd(services: Services, opened: Opened, report: FaultReport, totals: FileTotals): Promise<End> {
  const { database, clock, config, log } = services;
  const { id, sender, request, mapping, source, stopping } = opened;
  const again = againWords(request.isDryRun);
  let counts = noCounts;
  const tell = async () => {
    const progress = { ...counts, bytesRead: source.bytesRead(), now: clock.now().toString() };
    try {
      if (await store.noteProgress(database.drizzle, id, progress))
        stopping.abort(new ImportStopped(`It was stopped. ${again}`));
      if (!request.isDryRun && !request.isProven && (await isUndoHalfFull(services, sender.person?.id)))
        stopping.abort(
          new ImportStopped(
            'It could make earlier imports impossible to undo. To continue, import the file again and confirm it’s you',
          ),
        );
      if (!(await mayStillSend(services, sender, request.dataset)))
        stopping.abort(
          new ImportStopped(
            `The sender can no longer import. ${request.isDryRun ? 'Nothing was imported' : 'Imported rows stay'}`,
          ),
        );
      if (request.isDryRun && (await isSessionEnded(services, sender)))
        stopping.abort(new ImportStopped(`The session that started it ended or was renewed. ${again}`));
    } catch (error) {
      log.warn({ err: error }, 'the progress of an import could not be sent');
    }
  };
  const timer = setInterval(() => void tell(), progressMs);
  const onClosed = () => stopping.abort(new ImportStopped(`The connection was closed. ${again}`));
  opened.signal?.addEventListener('abort', onClosed);
  if (opened.signal?.aborted) onClosed();
  const zone = config.companyTimeZone;
  try {
    const onProgress = (now: store.ImportCounts) => {
      counts = now;
    };
    const job = {
      database,
      dataset: request.dataset,
      rows: source.rows,
      above: source.above,
      ...{ mapping, report, totals, zone, onProgress, log, twiceRemedy: twiceRemedyOf(opened) },
    };
    const { isDryRun } = request;
    const { signal } = stopping;
    if (!isDryRun) await turnOfSource(services, id, signal, opened.slot);
    const imported = await importNumbers({ ...job, isDryRun, signal, fileHash: opened.hash, runId: id });
    return { ...imported, state: 'done', reason: null };
  } catch (error) {
    const stop = error instanceof ImportStopped ? error : (stopping.signal.reason as ImportStopped | undefined);
    if (stop) return { ...counts, state: 'stopped', reason: stop.message };
    return { ...counts, state: 'failed', reason: failureReason(services, opened, error) };
  } finally {
    clearInterval(timer);
    opened.signal?.removeEventListener('abort', onClosed);
  }
}

const isForPeople = (error: unknown): error is Error => error instanceof ImportError || error instanceof RefusalError;

function failureReason({ log }: Pick<Services, 'log'>, { id, request }: Opened, error: unknown): string {
  if (isForPeople(error)) return error.message;
  log.error({ err: error, run: id }, 'an import failed');
  const isFull = failureOf(error).refusal.code === 'OUT_OF_SPACE';
  return `${isFull ? 'The server is out of space' : 'The server had an error'}. ${againWords(request.isDryRun)}`;
}

/** Closes and keeps a report of refused rows. Old reports are deleted to make room. */
async function keepReport({ database, clock }: Reading, runId: string, report: FaultReport): Promise<void> {
  await report.close();
  const { path, kept } = report;
  if (kept === 0 || path === undefined) return;
  await store.dropOldReports(database.drizzle, clock.now().subtract({ hours: reportsKeptHours }).toString());
  let part = 0;
  await pipeline(createReadStream(path), createGzip(), async (pieces: AsyncIterable<Buffer>) => {
    for await (const content of pieces) {
      await store.insertReportPart(database.drizzle, runId, part, content);
      part += 1;
    }
  });
}

const isRunId = (text: string) => /^[1-9]\d{0,17}$/.test(text);

type Reading = Pick<Services, 'database' | 'clock'>;

/** The import's current state. */
export async function importRun({ database, clock }: Reading, id: string): Promise<store.ImportRun | null> {
  const run = isRunId(id) ? await store.readRun(database.drizzle, id) : null;
  return run && withCurrentState(run, clock.now());
}

/** Why an undo failed whose server stopped. */
export const undoCutOff = 'The server stopped. Try again';

export const nothingDone: Readonly<Record<store.RemovalWay, string>> = {
  removal: 'Nothing was removed',
  erasure: 'Nothing was erased',
};

/** Why a removal failed whose server stopped. */
export const removalCutOff = (way: store.RemovalWay): string => `The server stopped. ${nothingDone[way]}. Try again`;

/** Marks a run or undo as failed if its server died without recording it. */
export function withCurrentState(run: store.ImportRun, now: Temporal.Instant): store.ImportRun {
  const isSilent = (seenAt: string) => Temporal.Instant.compare(seenAt, silentSince(now)) <= 0;
  if (run.undoState === 'running' && isSilent(run.undoSeenAt!))
    return { ...run, undoState: 'failed', undoReason: undoCutOff, waitsFor: null };
  if (run.state !== 'running' || !isSilent(run.seenAt))
    // What died with its server keeps nobody waiting.
    return run.waitsFor && isSilent(run.waitsFor.seenAt) ? { ...run, waitsFor: null } : run;
  if (run.way === 'removal' || run.way === 'erasure')
    return { ...run, state: 'failed', isStopping: false, waitsFor: null, reason: removalCutOff(run.way) };
  const ended = run.way === 'command' ? 'The command was ended' : 'The server stopped';
  const reason = `${ended}. ${againWords(run.isDryRun)}`;
  return { ...run, state: 'failed', isStopping: false, waitsFor: null, reason };
}

/** The report as written; empty if all rows fit. */
export async function* reportOf({ database }: Pick<Services, 'database'>, runId: string): AsyncGenerator<Buffer> {
  const unpacked = createGunzip({ chunkSize: 256 * 1024 });
  pipeline(partsOf(), unpacked).catch((error) => unpacked.destroy(error));
  yield* unpacked;

  async function* partsOf(): AsyncGenerator<Buffer> {
    for (let part = 0; ; part += 1) {
      const content = await store.readReportPart(database.drizzle, runId, part);
      if (content === null) return;
      yield content;
    }
  }
}
