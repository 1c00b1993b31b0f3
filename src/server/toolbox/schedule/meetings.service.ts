// The weekly meetings: the whole schedule, the viewer's next one, and changes by admins and chairs.
import { isDeepStrictEqual } from 'node:util';
import { isAdmin } from '#core/access/access.ts';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { displayName, nameWithState, withNamesakeEmails } from '#core/people/people.ts';
import { type MeetingNews, newsOfDate, newsOfRemoval, newsOfSave } from '#core/toolbox/meeting-changes.ts';
import { nextOf } from '#core/toolbox/meeting-times.ts';
import {
  addedPeople,
  changedParts,
  changeOccurrenceInput,
  isForCompany,
  type KnownMeeting,
  type MeetingContent,
  meetingIdInput,
  meetingInput,
  meetingLimits,
  meetingPeopleInput,
  meetingVersionInput,
  type PlannedSeries,
  planCreateMeeting,
  planOccurrence,
  planUpdateMeeting,
  removeMeetingRefusal,
  type TeamsOfPeople,
  updateMeetingInput,
} from '#core/toolbox/meetings.ts';
import {
  assertProofOfAddresses,
  assertRecentProof,
  recordOwnChange,
  unprovenEdits,
  unprovenRemovals,
} from '#server/access/auth/recent-proof.ts';
import type { Person } from '#server/people/people.service.ts';
import { batchedRead } from '#server/platform/batched-read.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import { meetingHook } from './meeting-hook.ts';
import * as store from './meetings.store.ts';

export type Seat = { readonly id: string; readonly displayName: string };
/** As many people as a meeting lists, without the chair, and how many there are. */
export type Attendance = { readonly people: readonly Seat[]; readonly count: number };
export type Meeting = KnownMeeting & {
  readonly uid: string;
  readonly chair: Seat;
  /** Null for a meeting of everyone in the company: ask `attendanceOf`. */
  readonly attendance: Attendance | null;
  /** Those of `attendeeIds`. */
  readonly guests: readonly Seat[];
  /** People added by name whose account is disabled. Nobody sees them, and no form takes their seat away. */
  readonly disabledIds: readonly string[];
  readonly createdAt: string;
  readonly changedAt: string;
};
export type NextMeeting = {
  readonly meeting: Meeting;
  readonly day: string;
  readonly start: string;
  readonly end: string;
};

type Dated = Pick<RequestContext, 'clock' | 'config'>;
const today = ({ clock, config }: Dated) => clock.now().toZonedDateTimeISO(config.companyTimeZone).toPlainDate();

const moment = ({ clock, config }: Dated) => ({ now: clock.now(), zone: config.companyTimeZone });

const seatOf = (row: store.SeatedRow): Seat => ({ id: row.id, displayName: displayName(row) });

function meetingOf({ chair, attendees, guests: all, exceptions, ...row }: store.MeetingRow): Meeting {
  const guests = all.filter(({ disabled }) => !disabled);
  const { people, count } = attendees ?? { people: guests, count: guests.length };
  return {
    ...row,
    chairId: chair.id,
    chair: { id: chair.id, displayName: nameWithState(chair) },
    attendeeIds: guests.map(({ id }) => id),
    attendance: isForCompany(row) ? null : { people: people.map(seatOf), count },
    guests: guests.map(seatOf),
    disabledIds: all.filter(({ disabled }) => disabled).map(({ id }) => id),
    exceptions: exceptions.map(({ day, toDay, toTime }) => ({
      day,
      to: toDay === null || toTime === null ? null : { day: toDay, time: toTime },
    })),
  };
}

/** Everyone who can read the schedule, once for all meetings of a request, and whether a person is among them. */
const everyoneWith = batchedRead(async ({ database }: RequestContext, ids) => {
  const { among, ...everyone } = await store.readEveryone(database.drizzle, ids);
  return new Map(ids.map((id) => [id, { ...everyone, isAmong: among.includes(id) }]));
});

export async function attendanceOf(context: RequestContext, meeting: Meeting): Promise<Attendance> {
  const { attendance, chairId, guests } = meeting;
  if (attendance) return attendance;
  const ids = [chairId, ...guests.map(({ id }) => id)];
  const [chair, ...asked] = await Promise.all(ids.map(async (id) => (await everyoneWith(context, id))!));
  const { people, count, isAmong } = chair!;
  // Guests who can't read the schedule attend too.
  const others = guests.filter((_, index) => !asked[index]!.isAmong);
  const everyone = people.filter(({ id }) => id !== chairId).map(seatOf);
  return {
    people: [...others, ...everyone].slice(0, meetingLimits.attendees),
    count: count - (isAmong ? 1 : 0) + others.length,
  };
}

/** How long a meeting that doesn't repeat stays in the schedule and in feeds. */
const recentDays = 28;

/** All current meetings, those of one person, or those of a team. */
export async function meetingsOf(context: Dated, queries: Queries, whose?: store.Whose): Promise<Meeting[]> {
  const since = today(context).subtract({ days: recentDays }).toString();
  return (await store.readMeetings(queries, since, whose)).map(meetingOf);
}

/** The titles of the meetings that these people chair. */
export async function chairedMeetings(
  context: Dated,
  queries: Queries,
  personIds: readonly string[],
): Promise<string[]> {
  return (await meetingsOf(context, queries, { chairIds: personIds })).map(({ title }) => title);
}

export function schedule(context: RequestContext): Promise<Meeting[]> {
  return meetingsOf(context, context.database.drizzle);
}

/** The viewer's current or next meeting. */
export async function nextMeeting(context: RequestContext): Promise<NextMeeting | null> {
  const { database, viewer, clock, config } = context;
  const own = await meetingsOf(context, database.drizzle, { personId: viewer.id });
  const next = nextOf(own, clock.now(), config.companyTimeZone);
  if (!next) return null;
  const { day, start, end } = next.occurrence;
  return { meeting: next.series, day, start: start.toString(), end: end.toString() };
}

/** The people that a meeting's form offers, to admins and chairs. */
export async function meetingPeople({ database, viewer }: RequestContext, args: object): Promise<Person[]> {
  const { search, team } = orThrow(readInput(meetingPeopleInput, args));
  if (!isAdmin(viewer) && !(await store.chairsAny(database.drizzle, viewer.id)))
    throw new RefusalError(refuse('FORBIDDEN'));
  const found = await store.findPeople(database.drizzle, { search, team, limit: meetingLimits.people });
  return withNamesakeEmails(found.map((row) => ({ ...seatOf(row), team: row.team, email: row.email })));
}

export function createMeeting(context: RequestContext, args: object): Promise<Meeting> {
  const input = orThrow(readInput(meetingInput, args));
  const { viewer, clock } = context;
  const call = callKey(context, 'createMeeting', input);
  return context.database.transaction(async (queries) => {
    const made = await findReplay(queries, context, call);
    if (made !== null) return lockedMeeting(queries, made);
    const count = await store.countMeetings(queries, today(context).toString());
    const colleagues = await colleaguesOf(queries, input);
    const planned = orThrow(planCreateMeeting(viewer, input, { today: today(context), count, colleagues }));
    const seats = [...new Set([planned.chairId, ...planned.attendeeIds])];
    mustBeThere(seats, await store.teamsOf(queries, seats));
    await assertProofOfReach(queries, context, null, planned);
    const id = await store.insertMeeting(queries, planned, { by: viewer.id, at: clock.now().toString() });
    const meeting = await lockedMeeting(queries, id);
    const entry = { action: 'meetingCreated', ...subject(id), after: contentOf(meeting) };
    // Everyone invited is notified.
    const invites = planned.wholeTeam || seats.length > 1;
    await recordOwnChange(queries, context, entry, invites ? { unproven: unprovenEdits } : {});
    await notify(context, queries, meeting, newsOfSave(null, meeting, moment(context)));
    await recordResult(queries, context, call, id);
    return meeting;
  });
}

export function updateMeeting(context: RequestContext, args: object): Promise<Meeting> {
  const { id, ...given } = orThrow(readInput(updateMeetingInput, args));
  return changeMeeting(context, id, async (queries, known, at) => {
    // A form or draft can be older than the end of someone's account.
    const attendeeIds = given.attendeeIds.filter((personId) => !known.disabledIds.includes(personId));
    const input = { ...given, attendeeIds };
    // Only new people must exist: a chair who has left can keep the seat.
    const added = addedPeople(known, input);
    const teams = await store.teamsOf(queries, added);
    const colleagues = await colleaguesOf(queries, input);
    const { viewer } = context;
    const state = { today: today(context), teams: new Map([...teams, [viewer.id, viewer.team]]), colleagues };
    const planned = orThrow(planUpdateMeeting(viewer, known, input, state));
    mustBeThere(added, teams);
    if (changedParts(known, planned).length === 0) return null;
    await assertProofOfReach(queries, context, known, planned);
    await store.saveMeeting(queries, id, planned, at);
    return { ...changedContent(known, planned), news: newsOfSave(known, planned, moment(context)) };
  });
}

export function removeMeeting(context: RequestContext, args: object): Promise<Meeting> {
  const { id, version } = orThrow(readInput(meetingVersionInput, args));
  return context.database.transaction(async (queries) => {
    const known = await lockedMeeting(queries, id);
    const refusal = removeMeetingRefusal(context.viewer, known, version);
    if (refusal) throw new RefusalError(refusal);
    await store.saveRemoved(queries, id, true, context.clock.now().toString());
    const entry = { action: 'meetingRemoved', ...subject(id), before: contentOf(known) };
    await recordOwnChange(queries, context, entry, { unproven: unprovenRemovals });
    await notify(context, queries, known, newsOfRemoval(known, 'removed', moment(context)));
    return known;
  });
}

/** Restores a removed meeting. */
export function restoreMeeting(context: RequestContext, args: object): Promise<Meeting> {
  const { id } = orThrow(readInput(meetingIdInput, args));
  return context.database.transaction(async (queries) => {
    const known = await lockedMeeting(queries, id, { removed: true });
    await assertProofOfReach(queries, context, null, known);
    await store.saveRemoved(queries, id, false, context.clock.now().toString());
    const meeting = await lockedMeeting(queries, id);
    await recordOwnChange(queries, context, { action: 'meetingRestored', ...subject(id), after: contentOf(meeting) });
    await notify(context, queries, meeting, newsOfRemoval(meeting, 'restored', moment(context)));
    return meeting;
  });
}

/** Cancels, moves or restores the meeting of one day. */
export function changeOccurrence(context: RequestContext, args: object): Promise<Meeting> {
  const { id, ...change } = orThrow(readInput(changeOccurrenceInput, args));
  return changeMeeting(context, id, async (queries, known, at) => {
    const planned = orThrow(planOccurrence(context.viewer, known, change, today(context)));
    if ('moved' in planned) {
      await store.saveMeeting(queries, id, planned.moved, at);
      return { ...changedContent(known, planned.moved), news: newsOfSave(known, planned.moved, moment(context)) };
    }
    const { day, exception } = planned;
    const before = known.exceptions.find((each) => each.day === day) ?? null;
    if (isDeepStrictEqual(before, exception)) return null;
    await store.saveException(queries, id, planned, at);
    const others = known.exceptions.filter((each) => each.day !== day);
    const after = { ...known, exceptions: exception ? [...others, exception] : others };
    return {
      action: 'meetingOfDayChanged',
      before: { day, exception: before },
      after: { day, exception },
      news: newsOfDate(known, after, day, moment(context)),
    };
  });
}

function changedContent(known: Meeting, planned: PlannedSeries): Omit<Published, 'news'> {
  const changed = changedParts(known, planned);
  const part = (content: PlannedSeries) => Object.fromEntries(changed.map((key) => [key, content[key]]));
  const dropped = known.exceptions.filter(({ day }) => !planned.exceptions.some((kept) => kept.day === day));
  const before = { ...part(known), ...(dropped.length > 0 && { exceptions: dropped }) };
  return { action: 'meetingChanged', before, after: part(planned) };
}

type Published = {
  readonly action: string;
  readonly before: Record<string, unknown>;
  readonly after: Record<string, unknown>;
  readonly news: readonly MeetingNews[];
};

/** Locks, changes and audits in one transaction. Null: nothing changes. */
function changeMeeting(
  context: RequestContext,
  id: string,
  change: (queries: Queries, known: Meeting, at: string) => Promise<Published | null>,
): Promise<Meeting> {
  return context.database.transaction(async (queries) => {
    const known = await lockedMeeting(queries, id);
    const done = await change(queries, known, context.clock.now().toString());
    if (done === null) return known;
    const { news, ...entry } = done;
    const countedWith = entry.action === 'meetingChanged' ? 'meetingOfDayChanged' : 'meetingChanged';
    await recordOwnChange(queries, context, { ...entry, ...subject(id) }, { unproven: unprovenEdits, countedWith });
    const meeting = await lockedMeeting(queries, id);
    await notify(context, queries, meeting, news);
    return meeting;
  });
}

const notify = (context: RequestContext, queries: Queries, meeting: Meeting, news: readonly MeetingNews[]) =>
  meetingHook.handlers().meetingChanged(context, queries, { id: meeting.id, title: meeting.title }, news);

const subject = (id: string) => ({ subjectType: 'meeting', subjectId: id });

/** Whether the change shows the meeting to more people, in their calendars or in their team's feed. */
const isWider = (known: Meeting, planned: PlannedSeries): boolean =>
  addedPeople(known, planned).length > 0 ||
  (planned.wholeTeam && !known.wholeTeam) ||
  (planned.team !== known.team && (planned.team !== null || planned.wholeTeam));

/** Asks for a proof before new people see an address, or someone else chairs, who could add one later. */
async function assertProofOfReach(
  queries: Queries,
  context: RequestContext,
  known: Meeting | null,
  planned: PlannedSeries,
): Promise<void> {
  const before = known && !isWider(known, planned) ? known : null;
  const isOwn = planned.chairId === context.viewer.id;
  if (!isOwn && planned.chairId !== before?.chairId) await assertRecentProof(queries, context);
  else await assertProofOfAddresses(queries, context, before ? textsOf(before) : [], textsOf(planned));
}

/** What everyone invited reads and opens, also in their calendars. */
const textsOf = ({ title, place, link, agenda }: PlannedSeries): string[] => [title, place, link, agenda];

async function lockedMeeting(queries: Queries, id: string, which?: { removed: boolean }): Promise<Meeting> {
  const row = await store.lockMeeting(queries, id, which);
  if (!row) throw new RefusalError(refuse('NOT_FOUND'));
  return meetingOf(row);
}

function contentOf({
  title,
  team,
  wholeTeam,
  chairId,
  attendeeIds,
  weekday,
  time,
  minutes,
  place,
  link,
  firstDay,
  onceOn,
}: Meeting) {
  return { title, team, wholeTeam, chairId, attendeeIds, weekday, time, minutes, place, link, firstDay, onceOn };
}

/** The people of a whole team's meeting. Reads just enough of them to notice that there are too many. */
async function colleaguesOf(queries: Queries, { wholeTeam, team }: MeetingContent): Promise<string[]> {
  if (!wholeTeam || team === null) return [];
  const people = await store.findPeople(queries, { team, limit: meetingLimits.people });
  return people.map(({ id }) => id);
}

/** New seats need an account. */
function mustBeThere(ids: readonly string[], teams: TeamsOfPeople): void {
  if (ids.some((id) => !teams.has(id)))
    throw new RefusalError(
      refuse('BAD_INPUT', 'attendeeIds has a person without an account', { field: 'attendeeIds' }),
    );
}
