// Imports that the server runs: each has a row that tells how far it is, and a report of what did not fit.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { refuse } from '#core/base/refusals.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { FaultReport } from '#server/platform/imports/fault-report.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
import type { RowSource } from '#server/platform/imports/row-source.ts';
import { openRowsAside } from '#server/platform/imports/row-worker-client.ts';
import { mayStillSend, mustImport, type Sender } from './import-access.ts';
import { mappingByName, orRefused } from './import-mappings.service.ts';
import * as store from './import-runs.store.ts';
import type { IncomingRows } from './incoming-rows.ts';
import { ImportStopped, importNumbers, openNumbersFile } from './numbers-import.service.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

export type ImportRequest = {
  readonly dataset: DatasetKey;
  readonly mapping: string;
  readonly isDryRun: boolean;
  readonly fileName: string;
};

const progressMs = 1_000;
/** A running import says so every second; one that was silent so long ended with its server. */
const silenceSeconds = 60;
const lastRuns = 20;
const reportsKeptHours = 30 * 24;
const sendAgain = 'Send the file again: imported rows are recognized';

export type StartedRun = { readonly id: string; readonly ended: Promise<void> };

type Opened = {
  readonly id: string;
  readonly sender: Sender;
  readonly request: ImportRequest;
  readonly mapping: NumbersMapping;
  readonly source: RowSource;
  readonly signal: AbortSignal | undefined;
} & IncomingRows;

/**
 * Begins the import of a file that has come in. The file is removed when it is through, or was refused. The signal stops it.
 * `readSender` runs again here, so rights that were taken away while the file came are gone; it throws where they are.
 */
export async function startRun(
  services: Services,
  readSender: () => Promise<Sender>,
  request: ImportRequest,
  file: IncomingRows,
  signal?: AbortSignal,
): Promise<StartedRun> {
  let source: RowSource | undefined;
  try {
    const sender = await readSender();
    const mapping = await mappingByName(services, request.dataset, request.mapping);
    source = await orRefused(() => openNumbersFile(file.path, mapping, request.fileName, openRowsAside(signal)));
    const id = await store.insertRun(services.database.drizzle, {
      ...request,
      source: mapping.source,
      personId: sender.person?.id ?? null,
      serviceTokenId: sender.serviceToken?.id ?? null,
      startedAt: services.clock.now().toString(),
      size: file.size,
    });
    return { id, ended: carryOut(services, { id, sender, request, mapping, source, signal, ...file }) };
  } catch (error) {
    // Each source has a thread of its own, which would stay.
    await source?.close();
    await rm(file.path, { force: true });
    throw error;
  }
}

async function carryOut(services: Services, opened: Opened): Promise<void> {
  const { id, path } = opened;
  const reportPath = `${path}.report`;
  try {
    const report = await FaultReport.open(reportPath);
    const end = await runToEnd(services, opened, report);
    await report.close();
    if (report.rows > 0) await keepReport(services, id, reportPath);
    // A file whose end was found has been read whole, also where something lies behind the end of its gzip data.
    const bytesRead = end.state === 'done' ? opened.size : opened.source.bytesRead();
    const now = services.clock.now().toString();
    await store.endRun(services.database.drizzle, id, { ...end, bytesRead, faults: report.first, now });
  } catch (error) {
    services.log.error({ err: error, run: id }, 'an import could not be brought to its end');
  } finally {
    await opened.source.close();
    for (const left of [path, reportPath]) await rm(left, { force: true });
  }
}

type End = store.ImportCounts & { readonly state: store.RunState; readonly reason: string | null };

async function runToEnd(services: Services, opened: Opened, report: FaultReport): Promise<End> {
  const { database, clock, config, log } = services;
  const { id, sender, request, mapping, source } = opened;
  const stopping = new AbortController();
  let counts: store.ImportCounts = { rows: 0, inserted: 0, updated: 0, unchanged: 0, refused: 0 };
  const tell = async () => {
    const progress = { ...counts, bytesRead: source.bytesRead(), now: clock.now().toString() };
    try {
      if (await store.noteProgress(database.drizzle, id, progress))
        stopping.abort(new ImportStopped(`It was stopped. ${sendAgain}`));
      if (!(await mayStillSend(services, sender)))
        stopping.abort(new ImportStopped('The sender can no longer import. Imported rows stay'));
    } catch (error) {
      log.warn({ err: error }, 'the progress of an import could not be told');
    }
  };
  const timer = setInterval(() => void tell(), progressMs);
  const onClosed = () => stopping.abort(new ImportStopped(`The connection was closed. ${sendAgain}`));
  opened.signal?.addEventListener('abort', onClosed);
  if (opened.signal?.aborted) onClosed();
  const zone = config.companyTimeZone;
  try {
    const onProgress = (now: store.ImportCounts) => {
      counts = now;
    };
    const job = { database, dataset: request.dataset, rows: source.rows, mapping, report, zone, onProgress };
    const { isDryRun } = request;
    const imported = await importNumbers({ ...job, isDryRun, signal: stopping.signal });
    return { ...imported, state: 'done', reason: null };
  } catch (error) {
    const stop = error instanceof ImportStopped ? error : (stopping.signal.reason as ImportStopped | undefined);
    if (stop) return { ...counts, state: 'stopped', reason: stop.message };
    if (!(error instanceof ImportError)) log.error({ err: error, run: id }, 'an import failed');
    const reason = error instanceof ImportError ? error.message : `The server had an error. ${sendAgain}`;
    return { ...counts, state: 'failed', reason };
  } finally {
    clearInterval(timer);
    opened.signal?.removeEventListener('abort', onClosed);
  }
}

/** Old reports make room for the new one. */
async function keepReport({ database, clock }: Services, runId: string, path: string): Promise<void> {
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

/** How the import stands now. */
export async function importRun({ database, clock }: Reading, id: string): Promise<store.ImportRun | null> {
  const run = isRunId(id) ? await store.readRun(database.drizzle, id) : null;
  return run && asItStands(run, clock.now());
}

/** The newest imports, newest first, as they stand now; their bad rows only where they are asked for. */
export async function lastImportRuns({ database, clock }: Reading, withFaults: boolean): Promise<store.ImportRun[]> {
  const now = clock.now();
  return (await store.readLastRuns(database.drizzle, lastRuns, withFaults)).map((run) => asItStands(run, now));
}

/** A run whose server ended could not write down that it did. */
function asItStands(run: store.ImportRun, now: Temporal.Instant): store.ImportRun {
  if (run.state !== 'running') return run;
  const silence = now.since(Temporal.Instant.from(run.seenAt)).total('seconds');
  if (silence < silenceSeconds) return run;
  const reason = `The server stopped. ${sendAgain}`;
  return { ...run, state: 'failed', isStopping: false, reason };
}

/** Ends an import at its next batch, whichever server runs it. One that has ended already stays as it is. */
export async function stopImport(context: RequestContext, id: string): Promise<store.ImportRun> {
  mustImport(context.viewer);
  if (isRunId(id))
    await context.database.transaction(async (queries) => {
      const asked = await store.askToStop(queries, id, context.clock.now().toString());
      if (!asked) return;
      const line = { action: 'importStopAsked', subjectType: 'importRun', subjectId: id, after: asked };
      await recordAudit(queries, context, line);
    });
  const run = await importRun(context, id);
  if (!run) throw new RefusalError(refuse('NOT_FOUND'));
  return run;
}

/** The report as it was written; empty where all rows fitted. */
export function reportOf({ database }: Pick<Services, 'database'>, runId: string): NodeJS.ReadableStream {
  const unpacked = createGunzip();
  pipeline(partsOf(), unpacked).catch((error) => unpacked.destroy(error));
  return unpacked;

  async function* partsOf(): AsyncGenerator<Buffer> {
    for (let part = 0; ; part += 1) {
      const content = await store.readReportPart(database.drizzle, runId, part);
      if (content === null) return;
      yield content;
    }
  }
}
