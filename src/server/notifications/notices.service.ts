// The inbox: a person's notifications, what is read, and their settings.

import type { SQL } from 'drizzle-orm';
import { storedNoticeWords } from '#core/notifications/notice-words.ts';
import {
  choosableKinds,
  isGuarded,
  type NoticeChoice,
  type NoticeKind,
  noticeKinds,
} from '#core/notifications/notices.ts';
import { recordAccountEvent } from '#server/access/auth/account-events.service.ts';
import { assertRecentProof, lastProof, recordOwnChange } from '#server/access/auth/recent-proof.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { publishToPeople } from '#server/platform/live/live.service.ts';
import { handOverDue } from '#server/tasks/hand-over.ts';
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

const readerOf = (context: RequestContext): store.NoticeReader => ({ ...context.viewer, due: handOverDue(context) });

export async function listNotices(
  context: RequestContext,
  { before, limit = pageOfNotices }: { readonly before?: string | undefined; readonly limit?: number | undefined },
): Promise<Notice[]> {
  const { database, viewer, config } = context;
  const rows = await store.findNotices(database.drizzle, readerOf(context), { before, limit });
  return rows.map(({ at, ...row }) => ({
    ...{ id: row.id, kind: row.kind, at: instantText(Temporal.Instant.from(at)), read: row.read },
    ...storedNoticeWords(viewer, row, config.companyTimeZone),
  }));
}

export function unreadNotices(context: RequestContext): Promise<number> {
  return store.countUnread(context.database.drizzle, readerOf(context), mostCounted);
}

/**
 * Returns how many are unread. Alarms newer than the session's last proof stay unread: a thief must not
 * silence the one about their own sign-in. A proof covers what its own call changed.
 */
export async function markNotices(context: RequestContext, which: store.Which, read: boolean): Promise<number> {
  const { database, viewer, clock } = context;
  await database.transaction(async (queries) => {
    const change = { at: read ? clock.now().toString() : null, proof: await lastProof(queries, context) };
    if ((await store.setRead(queries, viewer.id, which, change)) > 0)
      await publishToPeople(context.live, queries, 'noticesChanged', [viewer.id]);
  });
  return unreadNotices(context);
}

/** What a person saw, read or not, isn't taken back without a word (see write-notices.ts). */
export const seeNotices = ({ database, viewer, clock }: RequestContext, ids: readonly string[]): Promise<void> =>
  store.setSeen(database.drizzle, viewer.id, ids, clock.now().toString());

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
  const turnsOff = (before?.inApp && !choice.inApp) || (before?.mail && !choice.mail);
  await database.transaction(async (queries) => {
    const isSilenced = isGuarded(kind) && turnsOff;
    if (isSilenced) await assertRecentProof(queries, context);
    if (!(await store.saveChoice(queries, viewer.id, kind, choice))) return;
    const { title: name } = noticeKinds[kind];
    if (isSilenced)
      await recordAccountEvent(queries, context, { personId: viewer.id, kind: 'noticesTurnedOff', detail: { name } });
    await recordOwnChange(queries, context, {
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
  await publishToPeople(services.live, queries, 'noticesChanged', personIds);
  return personIds;
}
