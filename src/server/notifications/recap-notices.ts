// Notifies a person's approvers, with the delegates of absent ones, that the person closed a week: one
// notification for everyone who closes the same sprint.
import { sql } from 'drizzle-orm';
import { excerpt, recapKey } from '#core/notifications/notices.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { ClosedWeek } from '#server/tasks/task-hook.ts';
import { nearReaders } from './mentions.service.ts';
import { writeNotices } from './notices.service.ts';
import { asNewest, insertNotices } from './write-notices.ts';

/** What was read starts again; what wasn't counts one more. */
const countingOn = sql`update set ${asNewest}, read_at = null,
  mail_at = coalesce(notices.mail_at, excluded.mail_at),
  facts = excluded.facts || jsonb_build_object('count',
    case when notices.read_at is null then (notices.facts->>'count')::int + 1 else 1 end)`;

/** Puts an edited text into its notifications. Nobody is notified again. */
export async function updateRecapNotice(context: RequestContext, queries: Queries, week: ClosedWeek): Promise<void> {
  await writeNotices(
    context,
    queries,
    sql`update notices set facts = facts || jsonb_build_object('text', ${excerpt(week.learned)}::text)
      where key = ${recapKey(week.sprintId)} and facts->>'personId' = ${week.owner.id}
      returning person_id::text as "personId"`,
  );
}

export async function notifyOfRecap(context: RequestContext, queries: Queries, week: ClosedWeek): Promise<void> {
  const { owner, sprintId, sprintName: sprint, displayName: person, learned, now } = week;
  const { id: personId } = owner;
  const readers = await nearReaders(context, queries, owner);
  if (readers.length === 0) return;
  const facts = { kind: 'recap', sprint, personId, person, count: 1, text: excerpt(learned) } as const;
  await writeNotices(
    context,
    queries,
    insertNotices({
      ...{ key: recapKey(sprintId), at: now, kind: 'recap', mails: context.mail.configured, merge: countingOn },
      people: readers.map((id) => ({ id, facts })),
    }),
  );
}
