// Notifies people that a meeting of theirs changed, or that they were added to one or removed. Each meeting, and
// each of its dates, is one notification. It compares with what its reader knew: a change that is undone before
// they saw it leaves nothing. A removal hides the unread notifications of dates until the meeting is restored.
import { type SQL, sql } from 'drizzle-orm';
import { meetingKey } from '#core/notifications/notices.ts';
import { displayName } from '#core/people/people.ts';
import { actionOnDateNotices, type Invited, type MeetingNews } from '#core/toolbox/meeting-changes.ts';
import { scheduleReaderPermissions } from '#core/toolbox/meetings.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { holdsAll } from '#server/platform/db/holds-all.ts';
import { notifyPeople } from '#server/platform/live/live.service.ts';
import type { ChangedMeeting } from '#server/toolbox/schedule/meeting-hook.ts';
import { asNewest, type Channels, channelsOf, hiddenState, insertNotices, isKnownIn } from './write-notices.ts';

const kind = 'meeting' as const;

/** Everyone as `p`, with their role's row `r` and their choice `c`. */
const peopleWithChoice = sql`people p left join roles r on r.name = p.role
  left join notice_choices c on c.person_id = p.id and c.kind = ${kind}`;

/** Whether person `p` is in the meeting. */
function isInvited({ chairId, attendeeIds, wholeTeam, team }: Invited): SQL {
  const byName = sql`p.id = any(${sql.param([chairId, ...attendeeIds])}::bigint[])`;
  if (!wholeTeam) return byName;
  return team === null ? sql`true` : sql`(${byName} or p.team = ${team})`;
}

/** What its reader doesn't know of keeps the time its reader knows, and who added or restored the meeting. */
const merge = sql`update set ${asNewest}, in_app = excluded.in_app, mail_at = excluded.mail_at, read_at = null,
  facts = case
    when ${isKnownIn('notices')} then excluded.facts
    when excluded.facts->>'event' = 'moved' and notices.facts->'before' = 'null'
      then notices.facts || jsonb_build_object('title', excluded.facts->'title', 'after', excluded.facts->'after')
    else excluded.facts || jsonb_build_object('before', notices.facts->'before') end`;

/** Who read of a date in an earlier seat isn't told again. */
const unlessKnown = sql`where excluded.facts->>'event' <> 'added' or excluded.facts->'day' = 'null'
  or notices.facts->'after' <> excluded.facts->'after'`;

/** Condition: `n` is about a date of the meeting. Name people too: not every collation's index finds it. */
const isOfDate = (meetingId: string): SQL => sql`n.key like ${`${meetingKey(meetingId, '')}%`}`;

/** Hides the unread ones. A mail that was sent stays known, so its news isn't mailed again. */
const hideDates = (meetingId: string, invited: SQL): SQL => sql`
  update notices n set in_app = false, mail_at = null, facts = n.facts || ${hiddenState},
    mail_id = (select m.id from notice_mails m where m.id = n.mail_id and m.due_at is null)
  where n.person_id in (select p.id from people p where ${invited}) and ${isOfDate(meetingId)} and n.read_at is null
  returning n.person_id`;

/** Shows the hidden ones where their reader wants them now, except those of past dates. */
const showDates = (meetingId: string, today: string, concerned: SQL, { inApp, byMail }: Channels): SQL => sql`
  update notices n set facts = n.facts - 'hidden', in_app = ${inApp},
    mail_at = case when ${byMail} then (n.facts->'hidden'->>'mailAt')::timestamptz end
  from ${peopleWithChoice}
  where n.person_id = p.id and ${concerned} and (${inApp} or ${byMail}) and ${isOfDate(meetingId)} and n.facts ? 'hidden'
    and greatest(n.facts->>'day', n.facts->'before'->>'day', n.facts->'after'->>'day') >= ${today}::text
  returning n.person_id`;

/** Runs one statement for each part of the change, for any number of people. */
export async function notifyOfMeeting(
  { viewer, clock, mail, config }: RequestContext,
  queries: Queries,
  { id, title }: ChangedMeeting,
  news: readonly MeetingNews[],
): Promise<void> {
  for (const one of news) {
    const { event, day, before, after, inAll, inNone } = one;
    const key = meetingKey(id, day);
    const who = { byId: viewer.id, by: displayName(viewer) };
    const facts = { kind, event, meetingId: id, title, ...who, day, before, after } as const;
    const channels = channelsOf(kind, mail.configured);
    const { inApp, byMail } = channels;
    const isViewer = sql`p.id = ${viewer.id}::bigint`;
    // Not a list of ids in between: without an index, 20,000 of them would be compared with each other.
    const seats = [...inAll.map(isInvited), ...inNone.map((those) => sql`(${isInvited(those)}) is not true`)];
    const invited = sql.join(seats, sql` and `);
    const concerned = sql`${holdsAll(scheduleReaderPermissions)} and ${invited}`;
    const people = sql`
      select p.id::text, null::text, ${JSON.stringify(facts)}::text from people p left join roles r on r.name = p.role
      where ${concerned} and not ${isViewer} and p.id not in (select person_id from gone where key = ${key})`;
    const action = actionOnDateNotices(one);
    const today = clock.now().toZonedDateTimeISO(config.companyTimeZone).toPlainDate().toString();
    const changed =
      action === 'hide'
        ? hideDates(id, invited)
        : action === 'show'
          ? showDates(id, today, concerned, channels)
          : sql`select null::bigint as person_id where false`;
    const delivery = { key, at: clock.now(), kind, mails: mail.configured };
    await queries.execute(sql`
      with gone as (
          delete from notices n using ${peopleWithChoice}
          where n.person_id = p.id and ${concerned} and n.read_at is null
            and (${action === 'delete' ? isOfDate(id) : sql`false`} or (n.key = ${key} and (${isViewer} or not (${inApp} or ${byMail})
              or (not ${isKnownIn('n')} and n.facts->'before' = ${JSON.stringify(after)}::jsonb))))
          returning n.person_id, n.key),
        dates as (${changed}),
        told as (${insertNotices({ ...delivery, people, merge: sql`${merge} ${unlessKnown}` })})
      ${notifyPeople('noticesChanged', sql`(select person_id::text from gone union select person_id::text from dates union select "personId" from told) x (person_id)`)}`);
  }
}
