// A run's report as a download, by ticket.
import { refuse } from '#core/base/refusals.ts';
import type { RequestContext, Services, SignedInPerson } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { Download } from '#server/platform/tickets/ticket-download.ts';
import { makeTicket, redeemTicket, ticketExpired } from '#server/platform/tickets/tickets.service.ts';
import { mustImportTo } from './import-access.ts';
import { importRun, reportOf } from './import-runs.service.ts';
import { visibleRun } from './visible-runs.service.ts';

/** The address of the download. */
export async function makeReportTicket(context: RequestContext, runId: string): Promise<string> {
  await visibleRun(context, runId);
  const { ticket } = await makeTicket(context, { importRun: runId });
  return `/api/import/report?ticket=${ticket}`;
}

/** `Orders March.csv.gz` gives `Orders_March-refused.csv`. */
function refusedFileName(fileName: string): string {
  const [, name = 'file', kind = 'csv'] =
    /^(.*?)(?:\.(csv|tsv|txt|ndjson|jsonl|json|parquet))?(?:\.gz|\.zip)?$/i.exec(fileName) ?? [];
  // Refused rows of JSON and Parquet are JSON lines.
  const ending = kind.toLowerCase().replace(/^(json|parquet)$/, 'ndjson');
  return `${name.replace(/[^a-z0-9_-]+/gi, '_').slice(0, 100)}-refused.${ending}`;
}

export async function redeemReportTicket(services: Services, ticket: string): Promise<Download> {
  const { viewer, holder, request } = await redeemTicket(services, ticket);
  const { importRun: runId } = request as { importRun?: string };
  if (runId === undefined) throw ticketExpired();
  const run = await importRun(services, runId);
  if (!run) throw new RefusalError(refuse('NOT_FOUND'));
  const assertAllowed = (person: SignedInPerson) => mustImportTo(person, run.dataset);
  assertAllowed(viewer);
  return { fileName: refusedFileName(run.fileName), lines: reportOf(services, runId), holder, assertAllowed };
}
