// The inbox of the top bar: what a person was told, what of it is read, and what that person wants to be told.

import type { SQL } from 'drizzle-orm';
import { noticeWords } from '#core/notifications/notice-words.ts';
import { choosableKinds, type NoticeChoice, type NoticeKind, noticeKinds } from '#core/notifications/notices.ts';
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
/** More than this many are not counted one by one. */
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

/** Gives how many are unread then. */
export async function markNotices(context: RequestContext, which: store.Which, read: boolean): Promise<number> {
  const { database, viewer, clock } = context;
  await database.transaction(async (queries) => {
    const at = read ? clock.now().toString() : null;
    if ((await store.setRead(queries, viewer.id, which, at)) > 0) await tellOfNotices(context, queries, [viewer.id]);
  });
  return unreadNotices(context);
}

export type KindChoice = NoticeChoice & { readonly kind: NoticeKind };

/** Every kind that can be chosen, with what the caller chose, or the default. */
export async function noticeChoices({ database, viewer }: RequestContext): Promise<KindChoice[]> {
  const chosen = new Map((await store.choicesOf(database.drizzle, viewer.id)).map((row) => [row.kind, row]));
  return choosableKinds.map((kind) => {
    const { inApp, mail } = chosen.get(kind) ?? noticeKinds[kind];
    return { kind, inApp, mail };
  });
}

export async function chooseNotices(context: RequestContext, { kind, ...choice }: KindChoice): Promise<KindChoice[]> {
  const { database, viewer } = context;
  const before = (await noticeChoices(context)).find((row) => row.kind === kind);
  await database.transaction(async (queries) => {
    await store.saveChoice(queries, viewer.id, kind, choice);
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

/** A message of live changes holds no more ids than this. */
const idsOfOneMessage = 500;

/** Lets the open pages of these people count again, when the transaction commits. */
export async function tellOfNotices({ live }: Telling, queries: Queries, personIds: readonly string[]): Promise<void> {
  for (let from = 0; from < personIds.length; from += idsOfOneMessage)
    await live.publish(queries, 'noticesChanged', { personIds: personIds.slice(from, from + idsOfOneMessage) });
}

/** Writes notices, or takes them back (see write-notices.ts), and lets those see it whom they are for. Gives their ids. */
export async function writeNotices(services: Telling, queries: Queries, statement: SQL): Promise<readonly string[]> {
  const { rows } = await queries.execute<{ personId: string }>(statement);
  const personIds = rows.map(({ personId }) => personId);
  await tellOfNotices(services, queries, personIds);
  return personIds;
}
