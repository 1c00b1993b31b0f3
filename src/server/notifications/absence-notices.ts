// Notifies delegates of an absence: whose delegate they are and when, or that they no longer are. And the
// absent person of what someone else set, and of a delegate who can't decide.
import { sql } from 'drizzle-orm';
import { absenceKey, delegateEndKey, delegateGapKey, delegateKey } from '#core/notifications/notices.ts';
import { type Absence, changesOnlyNote, delegateGapWords } from '#core/people/absences.ts';
import { displayName } from '#core/people/people.ts';
import type { AbsenceChange, DelegateActor } from '#server/people/absence-hook.ts';
import { delegatedAbsences, type ListedAbsence, readListedAbsence } from '#server/people/absences.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { writeNotices } from './notices.service.ts';
import { asNewest, forgetNotices, insertNotices } from './write-notices.ts';

export async function notifyOfAbsence(context: RequestContext, queries: Queries, change: AbsenceChange): Promise<void> {
  const { absenceId, personId, before, after } = change;
  if (!changesOnlyNote(before, after)) {
    await notifyAbsent(context, queries, change);
    await writeNotices(context, queries, forgetNotices(delegateGapKey(absenceId)));
    if (after) await notifyOfGaps(context, queries, [await readListedAbsence(context, queries, absenceId)]);
    await notifyOfDelegates(context, queries, [personId]);
  }
  await notifyDelegate(context, queries, change);
}

/** Tells absent approvers that one of these people, their delegate, can't decide on some days, or withdraws it. */
export async function notifyOfDelegates(
  actor: DelegateActor,
  queries: Queries,
  personIds: readonly string[],
): Promise<void> {
  await notifyOfGaps(actor, queries, await delegatedAbsences(actor, queries, personIds));
}

/** Nobody is told of their own doing, and again only when it is another gap. */
async function notifyOfGaps(actor: DelegateActor, queries: Queries, absences: readonly ListedAbsence[]): Promise<void> {
  const withWords = absences.map((absence) => ({ ...absence, gap: delegateGapWords(absence.delegateGap) }));
  const gone = withWords.filter(({ gap }) => gap === null).map(({ id }) => delegateGapKey(id));
  const statements = withWords.flatMap(({ id, personId, firstDay, lastDay, delegate, gap }) => {
    if (gap === null || delegate === null || personId === actor.viewer?.id) return [];
    const facts = {
      ...({ kind: 'absence', gap, firstDay, lastDay } as const),
      ...{ delegateId: delegate.id, delegate: delegate.displayName },
    };
    return insertNotices({
      ...{ key: delegateGapKey(id), kind: facts.kind, at: actor.clock.now(), mails: actor.mail?.configured ?? false },
      people: [{ id: personId, facts }],
      merge: sql`update set ${asNewest}, facts = excluded.facts, read_at = null, mail_at = excluded.mail_at
        where notices.facts <> excluded.facts`,
    });
  });
  await writeNotices(actor, queries, ...(gone.length > 0 ? [forgetNotices(gone)] : []), ...statements);
}

async function notifyAbsent(
  { viewer, ...context }: RequestContext,
  queries: Queries,
  { absenceId, personId, before, after, delegate }: AbsenceChange,
): Promise<void> {
  const shown = after ?? before;
  if (viewer.id === personId || !shown) return;
  const { firstDay, lastDay, delegateId } = shown;
  const facts = {
    ...({ kind: 'absence', byId: viewer.id, by: displayName(viewer), firstDay, lastDay } as const),
    ...{ delegateId, delegate, ended: !after },
  };
  const key = absenceKey(absenceId);
  const delivery = { key, kind: facts.kind, at: context.clock.now(), mails: context.mail.configured };
  await writeNotices(context, queries, forgetNotices(key));
  await writeNotices(context, queries, insertNotices({ ...delivery, people: [{ id: personId, facts }] }));
}

/** The latest notification replaces earlier ones about the same absence. A new note doesn't notify again. */
async function notifyDelegate(
  context: RequestContext,
  queries: Queries,
  { absenceId, personId, person, before, after }: AbsenceChange,
): Promise<void> {
  const [key, endKey] = [delegateKey(absenceId), delegateEndKey(absenceId)];
  const about = ({ delegateId, firstDay, lastDay, note }: Absence, noticeKey: string, ended: boolean) => {
    const facts = { kind: 'delegate', personId, person, firstDay, lastDay, note, ended } as const;
    return insertNotices({
      ...{ key: noticeKey, kind: facts.kind, at: context.clock.now(), mails: context.mail.configured },
      people: delegateId === null || delegateId === context.viewer.id ? [] : [{ id: delegateId, facts }],
      merge: sql`update set facts = excluded.facts`,
    });
  };
  const isRemoved = before !== null && before.delegateId !== (after?.delegateId ?? null);
  const isSame = !isRemoved && before?.firstDay === after?.firstDay && before?.lastDay === after?.lastDay;
  await writeNotices(
    context,
    queries,
    ...(isSame ? [] : [forgetNotices([key, endKey])]),
    ...(isRemoved ? [about({ ...before, note: '' }, endKey, true)] : []),
    ...(after ? [about(after, key, false)] : []),
  );
}
