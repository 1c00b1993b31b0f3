// Decides which changes of a meeting people are told, with the times before and after, and who is told.
import { instantOfWallTime, type WeeklySeries } from './meeting-times.ts';
import type { MeetingContent } from './meetings.ts';

/** When one date, or every week's (1 is Monday), takes place, in company time. */
export type MeetingTime = ({ readonly day: string } | { readonly weekday: number }) & { readonly time: string };

/**
 * `canceled` is one date, `removed` the whole meeting. `added` and `left` are about the reader's own seat.
 * `added` with a day: a canceled or moved date, for people who are added.
 */
export const meetingEvents = ['moved', 'canceled', 'restored', 'removed', 'added', 'left'] as const;

/** Who is in a meeting. */
export type Invited = Pick<MeetingContent, 'chairId' | 'attendeeIds' | 'team' | 'wholeTeam'>;

export type MeetingNews = {
  readonly event: (typeof meetingEvents)[number];
  /** The original day of the date that changed. Null: the whole meeting. */
  readonly day: string | null;
  /** Null: it didn't take place, or not for these people. */
  readonly before: MeetingTime | null;
  readonly after: MeetingTime | null;
  /** Who is told: people who are invited in all of the first, and in none of the second. */
  readonly inAll: readonly Invited[];
  readonly inNone: readonly Invited[];
};

/**
 * What happens to unread notifications of the meeting's dates. Dates stay only on the same weekday. A removed
 * meeting can be restored, and its dates with it.
 */
export function actionOnDateNotices({ event, day, before, after }: MeetingNews): 'keep' | 'delete' | 'hide' | 'show' {
  const weekdayOf = (time: MeetingTime | null) => (time && 'weekday' in time ? time.weekday : null);
  const weekday = weekdayOf(before);
  if (day !== null || weekday === weekdayOf(after)) return 'keep';
  if (event === 'restored') return 'show';
  if (event === 'removed') return 'hide';
  return weekday === null ? 'keep' : 'delete';
}

/** How many changed dates people are told when they are added to a meeting. */
const mostDates = 5;

type Series = WeeklySeries & Invited;
type Now = { readonly now: Temporal.Instant; readonly zone: string };

/** When the date takes place. Null: it's canceled. */
function timeOfDate({ time, exceptions }: WeeklySeries, day: string): MeetingTime | null {
  const exception = exceptions.find((each) => each.day === day);
  return exception ? exception.to : { day, time };
}

const timeOf = (series: WeeklySeries): MeetingTime | null =>
  series.onceOn ? timeOfDate(series, series.onceOn) : { weekday: series.weekday, time: series.time };

/** What changes a time that isn't over. */
function isNews({ before, after }: MeetingNews, minutes: number, { now, zone }: Now): boolean {
  if (JSON.stringify(before) === JSON.stringify(after)) return false;
  const isComing = (time: MeetingTime) =>
    'weekday' in time ||
    Temporal.Instant.compare(instantOfWallTime(time.day, time.time, zone).add({ minutes }), now) > 0;
  return [before, after].some((time) => time !== null && isComing(time));
}

const invitedIn = ({ chairId, attendeeIds, team, wholeTeam }: Invited): string =>
  JSON.stringify([chairId, attendeeIds.toSorted(), wholeTeam, wholeTeam ? team : null]);

/** A weekly meeting's next canceled and moved dates, for the people who are told that they are in it. */
function newsOfDates(series: Series, { inAll, inNone }: MeetingNews, now: Now): MeetingNews[] {
  if (series.onceOn) return [];
  const regular = { ...series, exceptions: [] };
  return series.exceptions
    .toSorted((a, b) => Temporal.PlainDate.compare(a.day, b.day))
    .flatMap(({ day }) => newsOfDate(regular, series, day, now))
    .slice(0, mostDates)
    .map((news) => ({ ...news, event: 'added', inAll, inNone }));
}

/** The news of a new meeting, without `known`, or a changed one: its time, and who was added and removed. */
export function newsOfSave(known: Series | null, planned: Series, now: Now): MeetingNews[] {
  const [before, after] = [known && timeOf(known), timeOf(planned)];
  const added: MeetingNews = {
    event: 'added',
    day: null,
    before: null,
    after,
    inAll: [planned],
    inNone: known ? [known] : [],
  };
  if (!known) return [added].filter((news) => isNews(news, planned.minutes, now));
  const left = { event: 'left', day: null, before, after: null, inAll: [known], inNone: [planned] } as const;
  const moved = { event: 'moved', day: null, before, after, inAll: [known, planned], inNone: [] } as const;
  const isSame = invitedIn(known) === invitedIn(planned);
  const all: MeetingNews[] = isSame ? [moved] : [moved, ...newsOfDates(planned, added, now), added, left];
  return all.filter((news) => isNews(news, planned.minutes, now));
}

/** The news of a meeting that was removed from the schedule or restored. */
export function newsOfRemoval(series: Series, event: 'removed' | 'restored', now: Now): MeetingNews[] {
  const [before, after] = event === 'removed' ? [timeOf(series), null] : [null, timeOf(series)];
  const news: MeetingNews = { event, day: null, before, after, inAll: [series], inNone: [] };
  return [news].filter((one) => isNews(one, series.minutes, now));
}

/** The news of one date: the whole meeting if it doesn't repeat. `planned` has its exception. */
export function newsOfDate(known: Series, planned: Series, day: string, now: Now): MeetingNews[] {
  const [before, after] = [timeOfDate(known, day), timeOfDate(planned, day)];
  const event = before === null ? 'restored' : after === null ? 'canceled' : 'moved';
  const news = { event, day: known.onceOn ? null : day, before, after, inAll: [known], inNone: [] } as const;
  return [news].filter((one) => isNews(one, known.minutes, now));
}
