// Decides a weekly meeting's content, who changes it, and the result of a change. Used by the server and the
// page's form.
import * as z from 'zod/mini';
import { isAdmin, type Viewer } from '../access/access.ts';
import { isScope, type Scope, scopeKeys } from '../access/brands.ts';
import { callAccess, callRefusal } from '../access/call-access.ts';
import { applicationPermission, type Permission } from '../access/permissions.ts';
import { filledLine, id, line, text, time, version } from '../base/inputs.ts';
import { type Refusal, refuse } from '../base/refusals.ts';
import {
  changedSeries,
  isDateOver,
  isDayOfSeries,
  isRestorable,
  longestMoveDays,
  type MeetingException,
  type Seats,
  type WeeklySeries,
  weekdayFrom,
} from './meeting-times.ts';

export const meetingLimits = {
  title: 120,
  place: 200,
  link: 500,
  agenda: 5_000,
  search: 100,
  attendees: 200,
  minutes: 480,
  /** In the whole company, without past ones that don't repeat. */
  meetings: 500,
  /** Days of one meeting that are moved or canceled. */
  exceptions: 300,
  /** People that one search finds: a chair, the attendees, and one more to tell that a team is too large. */
  people: 202,
} as const;

/** Only pages: no scripts, files or other programs. */
function isWebAddress(value: string): boolean {
  return value === '' || /^https?:\/\/[^\s/?#\\@]+([/?#]\S*)?$/i.test(value);
}

const day = z.string().check(
  z.refine<string>((value) => {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
    try {
      return Temporal.PlainDate.from(value).year >= 2000;
    } catch {
      return false;
    }
  }, 'must be a date like 2026-11-23'),
);
const team = z.pipe(
  text(40).check(z.refine<string>((value) => value === '' || isScope(value), `must be one of ${scopeKeys.join(', ')}`)),
  z.transform((value: string) => (value === '' ? null : (value as Scope))),
);

export const meetingInput = z.strictObject({
  title: filledLine(meetingLimits.title),
  /** Empty: no team. */
  team,
  /** Everyone in the team attends, including people who join later. Without a team: everyone in the company. */
  wholeTeam: z._default(z.boolean(), false),
  chairId: id,
  /** People added by name. */
  attendeeIds: z
    .array(id)
    .check(z.maxLength(meetingLimits.attendees, `has more than ${meetingLimits.attendees} people`)),
  /** For a meeting that doesn't repeat; `weekday` then doesn't count. */
  onceOn: z.optional(day),
  weekday: z.int().check(z.minimum(1, 'must be 1 to 7'), z.maximum(7, 'must be 1 to 7')),
  time,
  minutes: z
    .int()
    .check(
      z.minimum(5, 'must be 5 or more'),
      z.maximum(meetingLimits.minutes, `must be ${meetingLimits.minutes} or less`),
    ),
  place: line(meetingLimits.place),
  link: line(meetingLimits.link).check(
    z.refine<string>(isWebAddress, 'must be an address that begins with https:// or http://'),
  ),
  agenda: text(meetingLimits.agenda),
});
export const updateMeetingInput = z.strictObject({ id, version, ...meetingInput.shape });
export const meetingVersionInput = z.strictObject({ id, version });
export const meetingIdInput = z.strictObject({ id });
/** Without `toDay` and `toTime` that day's meeting is canceled; `restore` reverts either. */
export const changeOccurrenceInput = z.strictObject({
  id,
  version,
  day,
  toDay: z.optional(day),
  toTime: z.optional(time),
  restore: z.optional(z.boolean()),
});
export const meetingPeopleInput = z.strictObject({
  search: z.optional(text(meetingLimits.search).check(z.trim())),
  team: z.optional(z.enum(scopeKeys)),
});
export const calendarFeedInput = z.strictObject({ team: z.optional(z.enum(scopeKeys)) });

export type MeetingContent = z.output<typeof meetingInput>;
/** As stored, where nothing is missing. */
type StoredContent = Omit<MeetingContent, 'onceOn'> & Pick<WeeklySeries, 'onceOn'>;
export type KnownMeeting = StoredContent & WeeklySeries & { readonly id: string; readonly version: number };

/** People with all of these, and admins, are in the meetings for everyone in the company. */
export const scheduleReaderPermissions: readonly Permission[] = [applicationPermission, ...callAccess.schedule];

export function isForCompany({ wholeTeam, team }: Pick<MeetingContent, 'wholeTeam' | 'team'>): boolean {
  return wholeTeam && team === null;
}

/** Admins create and remove meetings. */
export function canCreateMeetings(viewer: Viewer): boolean {
  return isAdmin(viewer);
}

export const canReadSchedule = (viewer: Viewer): boolean => callRefusal(viewer, callAccess.schedule) === null;

/** Admins and the chair, who can read the schedule, change a meeting. */
export function canEditMeeting(viewer: Viewer, meeting: Pick<Seats, 'chairId'>): boolean {
  return isAdmin(viewer) || (meeting.chairId === viewer.id && canReadSchedule(viewer));
}

export type PlannedSeries = StoredContent & WeeklySeries;

/** The meeting's team at this moment. Two more than may attend are enough. */
type Colleagues = { readonly colleagues: readonly string[] };

/** A change that adds nobody is no reason: a team can grow too large on its own. */
function wholeTeamRefusal(planned: MeetingContent, { colleagues }: Colleagues, addsPeople: boolean): Refusal | null {
  if (!planned.wholeTeam || isForCompany(planned)) return null;
  const all = new Set([...planned.attendeeIds, ...colleagues]);
  all.delete(planned.chairId);
  return addsPeople && all.size > meetingLimits.attendees
    ? refuse('BAD_INPUT', `A meeting can have up to ${meetingLimits.attendees} attendees`, { field: 'wholeTeam' })
    : null;
}

/** Removes duplicates, and the chair from the attendees. The day of a single meeting says its weekday. */
function tidied(content: MeetingContent): MeetingContent {
  const attendeeIds = [...new Set(content.attendeeIds)].filter((personId) => personId !== content.chairId);
  const weekday = content.onceOn ? Temporal.PlainDate.from(content.onceOn).dayOfWeek : content.weekday;
  return { ...content, attendeeIds, weekday };
}

/** A meeting that is over before it is planned is a slip. */
const pastRefusal = (
  day: string | null | undefined,
  today: Temporal.PlainDate,
  field: 'onceOn' | 'toDay' = 'onceOn',
): Refusal | null =>
  day && Temporal.PlainDate.compare(day, today) < 0
    ? refuse('BAD_INPUT', 'Choose today or a later day', { field })
    : null;

export function planCreateMeeting(
  viewer: Viewer,
  content: MeetingContent,
  { today, count, colleagues }: Colleagues & { readonly today: Temporal.PlainDate; readonly count: number },
): PlannedSeries | Refusal {
  if (!canCreateMeetings(viewer)) return refuse('FORBIDDEN');
  if (count >= meetingLimits.meetings)
    return refuse('BAD_INPUT', `There can be up to ${meetingLimits.meetings} meetings. Remove one first`);
  const planned = tidied(content);
  const refusal = pastRefusal(content.onceOn, today) ?? wholeTeamRefusal(planned, { colleagues }, true);
  if (refusal) return refusal;
  return { ...planned, firstDay: planned.onceOn ?? weekdayFrom(today, planned.weekday).toString(), exceptions: [] };
}

const contentKeys = [
  'title',
  'team',
  'wholeTeam',
  'chairId',
  'attendeeIds',
  'onceOn',
  'weekday',
  'time',
  'minutes',
  'place',
  'link',
  'agenda',
] as const;
type ContentKey = (typeof contentKeys)[number];

/** The parts in which two meetings differ, ignoring the attendees' order. */
export function changedParts(before: StoredContent, after: StoredContent): ContentKey[] {
  const written = (content: StoredContent, key: ContentKey) =>
    JSON.stringify(key === 'attendeeIds' ? content.attendeeIds.toSorted() : (content[key] ?? null));
  return contentKeys.filter((key) => written(before, key) !== written(after, key));
}

const stale = (known: KnownMeeting, version: number): Refusal | null =>
  known.version === version ? null : refuse('CONFLICT', undefined, { changed: ['version'] });

/** The teams of the viewer and of the people that a change adds. */
export type TeamsOfPeople = ReadonlyMap<string, string | null>;

export const addedPeople = (known: Seats, planned: Seats): string[] => {
  const before = new Set([known.chairId, ...known.attendeeIds]);
  return [planned.chairId, ...planned.attendeeIds].filter((personId) => !before.has(personId));
};

/** A chair in the meeting's team adds people of that team. Nobody else's calendar shows a new link of theirs. */
function wideningRefusal(
  viewer: Viewer,
  known: KnownMeeting,
  planned: MeetingContent,
  { changed, teams }: { readonly changed: readonly ContentKey[]; readonly teams: TeamsOfPeople },
): Refusal | null {
  if (changed.includes('chairId')) return refuse('FORBIDDEN', 'Only admins can change the chair', { field: 'chairId' });
  if (changed.includes('team')) return refuse('FORBIDDEN', 'Only admins can change the team', { field: 'team' });
  const isOutside = (personId: string) => known.team === null || teams.get(personId) !== known.team;
  const added = addedPeople(known, planned);
  const addsAll = planned.wholeTeam && !known.wholeTeam;
  if (addsAll && known.team === null)
    return refuse('FORBIDDEN', 'Only admins can invite everyone in the company', { field: 'wholeTeam' });
  const whose = known.team === null ? 'without a team' : 'of a team you’re not in';
  if (isOutside(viewer.id) && (addsAll || added.length > 0))
    return refuse('FORBIDDEN', `Only admins can add people to a meeting ${whose}`, {
      field: addsAll ? 'wholeTeam' : 'attendeeIds',
    });
  if (added.some(isOutside))
    return refuse('FORBIDDEN', 'Only admins can add people from outside the team', { field: 'attendeeIds' });
  return null;
}

export function planUpdateMeeting(
  viewer: Viewer,
  known: KnownMeeting,
  { version, ...content }: MeetingContent & { readonly version: number },
  { today, teams, colleagues }: Colleagues & { readonly today: Temporal.PlainDate; readonly teams: TeamsOfPeople },
): PlannedSeries | Refusal {
  if (!canEditMeeting(viewer, known)) return refuse('FORBIDDEN');
  const refusal = stale(known, version);
  if (refusal) return refusal;
  const planned = tidied(content);
  const changed = changedParts(known, planned);
  const widening = isAdmin(viewer) ? null : wideningRefusal(viewer, known, planned, { changed, teams });
  if (widening) return widening;
  // People of the team are there already.
  const isNew = (personId: string) => teams.get(personId) !== planned.team;
  const addsPeople =
    changed.includes('wholeTeam') || changed.includes('team') || addedPeople(known, planned).some(isNew);
  const ofTeam = wholeTeamRefusal(planned, { colleagues }, addsPeople);
  if (ofTeam) return ofTeam;
  const begins = changed.some((part) => part === 'onceOn' || part === 'weekday' || part === 'time');
  const past = begins ? pastRefusal(planned.onceOn, today) : null;
  if (past) return past;
  return { ...planned, ...changedSeries(known, planned, today) };
}

export function removeMeetingRefusal(viewer: Viewer, known: KnownMeeting, version: number): Refusal | null {
  return canCreateMeetings(viewer) ? stale(known, version) : refuse('FORBIDDEN');
}

export type OccurrenceChange = Omit<z.output<typeof changeOccurrenceInput>, 'id'>;

/**
 * The result for one day's meeting: an exception, or none if it matches the series again. Moving a meeting
 * that doesn't repeat changes its own day.
 */
export function planOccurrence(
  viewer: Viewer,
  known: KnownMeeting,
  { day, version, toDay, toTime, restore = false }: OccurrenceChange,
  today: Temporal.PlainDate,
): { readonly day: string; readonly exception: MeetingException | null } | { readonly moved: PlannedSeries } | Refusal {
  if (!canEditMeeting(viewer, known)) return refuse('FORBIDDEN');
  const refusal = stale(known, version);
  if (refusal) return refusal;
  if (!isDayOfSeries(known, day))
    return refuse('BAD_INPUT', 'This meeting doesn’t take place that day', { field: 'day' });
  const exception = known.exceptions.find((each) => each.day === day);
  if (isDateOver(known, day, today))
    return refuse('BAD_INPUT', 'This date is in the past and can’t be changed', { field: 'day' });
  if ((toDay === undefined) !== (toTime === undefined))
    return refuse('BAD_INPUT', 'Enter both a day and a time', { field: toDay ? 'toTime' : 'toDay' });
  const isAsAlways = toDay === day && toTime === known.time;
  if (restore && exception && !isRestorable(exception, today))
    return refuse(
      'BAD_INPUT',
      'The original date is in the past, so it can’t be restored. Move the meeting to another day',
      { field: 'day' },
    );
  const past = restore ? null : pastRefusal(toDay, today, 'toDay');
  if (past) return past;
  if (restore || isAsAlways) return { day, exception: null };
  if (known.onceOn && toDay !== undefined && toTime !== undefined) {
    const weekday = Temporal.PlainDate.from(toDay).dayOfWeek;
    const moved = { ...known, onceOn: toDay, firstDay: toDay, weekday, time: toTime, exceptions: [] };
    return { moved };
  }
  if (known.exceptions.filter((exception) => exception.day !== day).length >= meetingLimits.exceptions)
    return refuse(
      'BAD_INPUT',
      `A meeting can have up to ${meetingLimits.exceptions} changed days. Create a new meeting`,
    );
  if (toDay === undefined || toTime === undefined) return { day, exception: { day, to: null } };
  const apart = Math.abs(Temporal.PlainDate.from(day).until(toDay).total('days'));
  if (apart > longestMoveDays)
    return refuse('BAD_INPUT', `Choose a day within ${longestMoveDays} days of the original`, { field: 'toDay' });
  return { day, exception: { day, to: { day: toDay, time: toTime } } };
}
