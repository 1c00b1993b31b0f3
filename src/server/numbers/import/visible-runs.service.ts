// Imports as a person sees them: only those of datasets that they can import.
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { importLimits, importRunsInput } from '#core/numbers/imports.ts';
import { assertRecentProof } from '#server/access/auth/recent-proof.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { mustImport } from './import-access.ts';
import { importRun, withCurrentState } from './import-runs.service.ts';
import * as store from './import-runs.store.ts';

/** Null if there is no such import, or it is of another dataset. */
export async function findVisibleRun(context: RequestContext, id: string): Promise<store.ImportRun | null> {
  const datasets = mustImport(context.viewer);
  const run = await importRun(context, id);
  return run && datasets.includes(run.dataset) ? run : null;
}

export async function visibleRun(context: RequestContext, id: string): Promise<store.ImportRun> {
  const run = await findVisibleRun(context, id);
  if (!run) throw new RefusalError(refuse('NOT_FOUND'));
  return run;
}

/** A page of imports, newest first, with their current state; bad rows only on request. */
export async function lastVisibleRuns(
  { viewer, database, clock }: RequestContext,
  given: { readonly after?: unknown; readonly search?: unknown },
  withFaults: boolean,
): Promise<store.ImportRun[]> {
  const datasets = mustImport(viewer);
  const { after, search = '' } = orThrow(readInput(importRunsInput, given));
  const now = clock.now();
  const page = { datasets, limit: importLimits.runs, after, search, withFaults };
  return (await store.readLastRuns(database.drizzle, page)).map((run) => withCurrentState(run, now));
}

/** Stops an import at its next batch, on any server. A finished one doesn't change. */
export async function stopImport(context: RequestContext, id: string): Promise<store.ImportRun> {
  const { personId, way } = await visibleRun(context, id);
  const isOwnImport = personId === context.viewer.id && way !== 'removal' && way !== 'erasure';
  await context.database.transaction(async (queries) => {
    // Others' imports, and removals: their start was confirmed.
    if (!isOwnImport) await assertRecentProof(queries, context);
    const asked = await store.askToStop(queries, id, context.clock.now().toString());
    if (!asked) return;
    const line = { action: 'importStopAsked', subjectType: 'importRun', subjectId: id, after: asked };
    await recordAudit(queries, context, line);
  });
  return visibleRun(context, id);
}
