// The inbox: a person's notifications, what is read, and their settings.

import type { SQL } from 'drizzle-orm';
import { noticeWords } from '#core/notifications/notice-words.ts';
import { choosableKinds, type NoticeChoice, type NoticeKind, noticeKinds } from '#core/notifications/notices.ts';
import { lastProof } from '#server/access/auth/recent-proof.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { instantText } from '#server/platform/instant-text.ts';
import * as store from './notices.store.ts';

export type Notice = {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly at: string;
  readonly read: boolean;
  readonly sentence: string;
  readonly detail: string | null;
  readonly path: string;
};

const pageOfNotices = 30;
/** Counting stops at this many. */
const mostCounted = 100;

export async function listNotices(
  { database, viewer, config }: RequestContext,
  { before, limit = pageOfNotices }: { readonly before?: string | undefined; readonly limit?: number | undefined },
): Promise<Notice[]> {
  const rows = await store.findNotices(database.drizzle, viewer, { before, limit });
  return rows.map(({ id, facts, at, read, waiting }) => ({
    ...{ id, kind: facts.kind, at: instantText(Temporal.Instant.from(at)), read },
    ...noticeWords(viewer, facts.kind === 'waiting' ? { ...facts, count: waiting } : facts, config.companyTimeZone),
  }));
}

export function unreadNotices({ database, viewer }: RequestContext): Promise<number> {
  return store.countUnread(database.drizzle, viewer, mostCounted);
}

/**
 * Returns how many are unread. Account notifications newer than the session's last proof stay unread: a thief
 * must not silence the alarm about their own sign-in. A proof covers what its own call changed.
 */
export async function markNotices(context: RequestContext, which: store.Which, read: boolean): Promise<number> {
  const { database, viewer, clock } = context;
  await database.transaction(async (queries) => {
    const change = { at: read ? clock.now().toString() : null, proof: await lastProof(queries, context) };
    if ((await store.setRead(queries, viewer.id, which, change)) > 0)
      await publishNoticesChange(context, queries, [viewer.id]);
  });
  return unreadNotices(context);
}

export type KindChoice = NoticeChoice & { readonly kind: NoticeKind };

/** Every configurable kind with the caller's choice, or the default. */
export async function noticeChoices({ database, viewer }: RequestContext): Promise<KindChoice[]> {
  const chosen = new Map((await store.choicesOf(database.drizzle, viewer.id)).map((row) => [row.kind, row]));
  return choosableKinds.map((kind) => {
    const { inApp, mail } = chosen.get(kind) ?? noticeKinds[kind];
    return { kind, inApp, mail };
  });
}

/** An unchanged choice writes nothing. */
export async function chooseNotices(context: RequestContext, { kind, ...choice }: KindChoice): Promise<KindChoice[]> {
  const { database, viewer } = context;
  const choices = await noticeChoices(context);
  const before = choices.find((row) => row.kind === kind);
  if (before?.inApp === choice.inApp && before.mail === choice.mail) return choices;
  await database.transaction(async (queries) => {
    if (!(await store.saveChoice(queries, viewer.id, kind, choice))) return;
    await recordAudit(queries, context, {
      action: 'noticesChosen',
      subjectType: 'person',
      subjectId: viewer.id,
      before: { kind, inApp: before?.inApp, mail: before?.mail },
      after: { kind, ...choice },
    });
  });
  return noticeChoices(context);
}

type Telling = { readonly live: Pick<Services['live'], 'publish'> };

/** A live message contains at most this many ids. */
const idsOfOneMessage = 500;

/** Makes these people's open pages recount on commit. */
export async function publishNoticesChange(
  { live }: Telling,
  queries: Queries,
  personIds: readonly string[],
): Promise<void> {
  for (let from = 0; from < personIds.length; from += idsOfOneMessage)
    await live.publish(queries, 'noticesChanged', { personIds: personIds.slice(from, from + idsOfOneMessage) });
}

/**
 * Writes or withdraws notifications (see write-notices.ts) and updates their readers' pages. Returns the ids.
 */
export async function writeNotices(
  services: Telling,
  queries: Queries,
  ...statements: readonly SQL[]
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const statement of statements) {
    const { rows } = await queries.execute<{ personId: string }>(statement);
    for (const { personId } of rows) found.add(personId);
  }
  const personIds = [...found];
  await publishNoticesChange(services, queries, personIds);
  return personIds;
}
