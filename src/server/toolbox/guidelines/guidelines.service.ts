// The guidelines: the current version and earlier ones, publishing, and confirmations.

import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import {
  confirmRefusal,
  guidelineReaderPermissions,
  guidelineReadersInput,
  guidelineReadersPage,
  guidelineVersionInput,
  planPublish,
  publishGuidelinesInput,
} from '#core/toolbox/guidelines.ts';
import { assertRecentProof } from '#server/access/auth/recent-proof.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { pageOf } from '#server/platform/db/pages.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import * as store from './guidelines.store.ts';

export type GuidelineVersion = {
  readonly version: number;
  readonly note: string;
  readonly publishedAt: string;
  readonly publishedBy: string;
};
export type Guidelines = GuidelineVersion & {
  readonly text: string;
  readonly confirmedAt: string | null;
  readonly lastConfirmed: number | null;
};
export type GuidelineReader = {
  readonly id: string;
  readonly displayName: string;
  readonly team: string | null;
  readonly confirmedAt: string | null;
  readonly lastConfirmed: number | null;
};
export type GuidelineReaders = Omit<store.ReadersRow, 'page'> & {
  readonly people: readonly GuidelineReader[];
  readonly next: string | null;
};

const versionOf = (row: store.VersionRow): GuidelineVersion => ({
  version: row.version,
  note: row.note,
  publishedAt: row.publishedAt,
  publishedBy: displayName(row),
});

const guidelinesOf = (row: store.GuidelinesRow): Guidelines => ({
  ...versionOf(row),
  text: row.text,
  confirmedAt: row.confirmedAt,
  lastConfirmed: row.lastConfirmed,
});

/** The current version, or null before the first. */
export async function guidelines({ database, viewer }: RequestContext): Promise<Guidelines | null> {
  const row = await store.readVersion(database.drizzle, viewer.id);
  return row ? guidelinesOf(row) : null;
}

export async function guidelineVersion({ database, viewer }: RequestContext, args: object): Promise<Guidelines> {
  const { version } = orThrow(readInput(guidelineVersionInput, args));
  const row = await store.readVersion(database.drizzle, viewer.id, version);
  if (!row) throw new RefusalError(refuse('NOT_FOUND'));
  return guidelinesOf(row);
}

export async function guidelineVersions({ database }: RequestContext): Promise<GuidelineVersion[]> {
  return (await store.readVersions(database.drizzle)).map(versionOf);
}

/** The publisher of a version has read it. */
export function publishGuidelines(context: RequestContext, args: object): Promise<Guidelines> {
  const input = orThrow(readInput(publishGuidelinesInput, args));
  const { viewer, clock } = context;
  const call = callKey(context, 'publishGuidelines', input);
  return context.database.transaction(async (queries) => {
    const made = await findReplay(queries, context, call);
    if (made !== null) return guidelinesOf((await store.readVersion(queries, viewer.id, Number(made)))!);
    await store.lockGuidelines(queries);
    const row = await store.readVersion(queries, viewer.id);
    const current = row ? { ...row, publishedBy: displayName(row) } : null;
    const planned = orThrow(planPublish(viewer, current, input));
    await assertRecentProof(queries, context);
    const who = { by: viewer.id, at: clock.now().toString() };
    await store.insertVersion(queries, planned, who);
    await store.insertConfirmation(queries, planned.version, who);
    await recordAudit(queries, context, {
      action: 'guidelinesPublished',
      subjectType: 'guidelines',
      subjectId: String(planned.version),
      ...(current && { before: { version: current.version, characters: current.text.length } }),
      after: { version: planned.version, note: planned.note, characters: planned.text.length },
    });
    await recordResult(queries, context, call, String(planned.version));
    return guidelinesOf((await store.readVersion(queries, viewer.id))!);
  });
}

/** Idempotent: the first confirmation counts. */
export function confirmGuidelines(context: RequestContext, args: object): Promise<Guidelines> {
  const { version } = orThrow(readInput(guidelineVersionInput, args));
  const { viewer, clock } = context;
  return context.database.transaction(async (queries) => {
    const row = await store.readVersion(queries, viewer.id);
    const refusal = confirmRefusal(row?.version ?? null, version);
    if (refusal) throw new RefusalError(refusal);
    // It lasts, and meets a requirement of the role, like recorded evidence.
    if (row?.confirmedAt === null) await assertRecentProof(queries, context);
    const isNew = await store.insertConfirmation(queries, version, { by: viewer.id, at: clock.now().toString() });
    if (isNew)
      await recordAudit(queries, context, {
        action: 'guidelinesConfirmed',
        subjectType: 'guidelines',
        subjectId: String(version),
        after: { version },
      });
    return guidelinesOf((await store.readVersion(queries, viewer.id))!);
  });
}

/** The readers of the guidelines, and which of them confirmed the current version. */
export async function guidelineReaders({ database }: RequestContext, args: object): Promise<GuidelineReaders> {
  const { limit = guidelineReadersPage, ...rest } = orThrow(readInput(guidelineReadersInput, args));
  const found = await store.readReaders(database.drizzle, {
    ...rest,
    limit,
    permissions: guidelineReaderPermissions,
  });
  const { page, ...counts } = found;
  const { rows, next } = pageOf(page, limit);
  return { ...counts, people: rows.map(readerOf), next };
}

/** JSON uses PostgreSQL's format for instants. */
const readerOf = ({ id, team, confirmedAt, lastConfirmed, ...row }: store.ReaderRow): GuidelineReader => ({
  id,
  displayName: displayName(row),
  team,
  confirmedAt: confirmedAt === null ? null : Temporal.Instant.from(confirmedAt).toString(),
  lastConfirmed,
});

/** Whether the person has confirmed the current version: the basis of the qualification "guidelines read". */
export function hasConfirmedCurrent(queries: Queries, personId: string): Promise<boolean> {
  return store.readCurrentConfirmation(queries, personId);
}
