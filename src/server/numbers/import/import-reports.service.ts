// The report of a run as a download. A browser downloads by a plain link, which carries no token: so the page asks for a
// ticket first, good once and for a minute, and who redeems it is checked again.
import { randomBytes } from 'node:crypto';
import { refuse } from '#core/refusals.ts';
import type { RequestContext, Services } from '../../context.ts';
import { RefusalError } from '../../graphql/refusal-error.ts';
import { readViewerOfPerson, tokenHash } from '../../viewer.ts';
import { insertTicket, takeTicket } from '../export-tickets.store.ts';
import { mustImport } from './import-access.ts';
import { importRun, reportOf } from './import-runs.service.ts';

const ticketSeconds = 60;

/** The address of the download. */
export async function makeReportTicket(context: RequestContext, runId: string): Promise<string> {
  const { viewer, database, clock } = context;
  mustImport(viewer);
  if (!(await importRun(context, runId))) throw new RefusalError(refuse('NOT_FOUND'));
  const ticket = randomBytes(32).toString('base64url');
  const now = clock.now();
  await insertTicket(database.drizzle, {
    hash: tokenHash(ticket),
    personId: viewer.id,
    request: { importRun: runId },
    now: now.toString(),
    expiresAt: now.add({ seconds: ticketSeconds }).toString(),
  });
  return `/api/import/report?ticket=${ticket}`;
}

export async function redeemReportTicket(
  services: Services,
  ticket: string,
): Promise<{ fileName: string; content: NodeJS.ReadableStream }> {
  const { database, clock } = services;
  const kept = await takeTicket(database.drizzle, tokenHash(ticket), clock.now().toString());
  const viewer = kept && (await readViewerOfPerson(services, kept.personId));
  const { importRun: runId } = (kept?.request ?? {}) as { importRun?: string };
  if (!viewer || runId === undefined)
    throw new RefusalError(refuse('LINK_EXPIRED', 'This download is no longer good. Ask for it again'));
  mustImport(viewer);
  return { fileName: `import-${runId}.csv`, content: reportOf(services, runId) };
}
