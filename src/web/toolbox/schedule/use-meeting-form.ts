// The meeting form: saves the input as a draft, checks it with the core, and sends it.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isScope, scopes } from '#core/access/brands.ts';
import { clockOf, dayInZone, weekdays } from '#core/base/day-words.ts';
import { plural } from '#core/base/formats.ts';
import { day } from '#core/base/inputs.ts';
import {
  changedSeries,
  clashesOf,
  comingExceptions,
  instantOfWallTime,
  type MeetingException,
  occurrencesOfAll,
  type Seats,
  weekdayFrom,
  weekFrom,
} from '#core/toolbox/meeting-times.ts';
import { meetingInput } from '#core/toolbox/meetings.ts';
import { config } from '#web/api/config.ts';
import { useDraft } from '#web/api/drafts.ts';
import { isSameCall, useMutation } from '#web/api/mutation.ts';
import { type SignedIn, useViewer } from '#web/api/viewer.ts';
import { useForm } from '#web/ui/form.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { todayInCompany, wholeTeamWords } from './meeting-words.ts';
import {
  createMeeting,
  type Meeting,
  type MeetingForm,
  meetingDraft,
  peopleQuery,
  type Seat,
  scheduleQuery,
  updateMeeting,
} from './schedule-queries.ts';
import type { Slot } from './slots.tsx';

const names = {
  chairId: 'The chair',
  attendeeIds: 'The list of attendees',
  weekday: 'The day',
  onceOn: 'The date',
  minutes: 'The length',
};

/**
 * A meeting that doesn't repeat has a day, which can be empty while it is entered. `wholeTeam` counts with
 * a team and `everyone` without one, so the company isn't invited if someone else removes the team.
 */
export type MeetingValues = MeetingForm & {
  readonly onceOn: string;
  readonly repeats: boolean;
  readonly everyone: boolean;
};

const formOf = ({
  title,
  team,
  wholeTeam,
  chairId,
  guests,
  weekday,
  onceOn,
  time,
  minutes,
  place,
  link,
  agenda,
}: Meeting) => ({
  title,
  team: team ?? '',
  wholeTeam: wholeTeam && team !== null,
  everyone: wholeTeam && team === null,
  chairId,
  attendeeIds: guests.map(({ id }) => id),
  weekday,
  onceOn: onceOn ?? '',
  repeats: !onceOn,
  time,
  minutes,
  place,
  link,
  agenda,
});

/** Whether the meeting follows its team or, without one, the company. */
const followed = ({ team, wholeTeam, everyone }: Pick<MeetingValues, 'team' | 'wholeTeam' | 'everyone'>): boolean =>
  isScope(team) ? wholeTeam : everyone;

type Names = Readonly<Record<string, string>>;

const wordsWith =
  (people: Names) =>
  ({ team, wholeTeam, everyone, chairId, attendeeIds, weekday, onceOn, repeats, ...values }: MeetingValues) => ({
    Title: values.title,
    Repeats: repeats ? `Every ${weekdays[weekday - 1]}` : 'Doesn’t repeat',
    Day: repeats ? '' : onceOn,
    Time: values.time,
    Minutes: String(values.minutes),
    Team: isScope(team) ? scopes[team].title : 'No team',
    Chair: people[chairId] ?? 'Someone else',
    Attendees: [
      ...(followed({ team, wholeTeam, everyone }) ? [wholeTeamWords(isScope(team) ? team : null)] : []),
      ...attendeeIds.map((id) => people[id] ?? 'someone else'),
    ].join(', '),
    Place: values.place,
    Link: values.link,
    Agenda: values.agenda,
  });

/** The form's values, the names of its people, and the version that it began with. */
type Kept = {
  readonly form: MeetingValues;
  readonly names: Names;
  readonly base?: { readonly version: number; readonly values: MeetingValues };
};

function startOf(meeting: Meeting | null, viewer: SignedIn, all: readonly Meeting[]): Kept {
  const blank: MeetingValues = {
    title: '',
    team: '',
    wholeTeam: false,
    everyone: false,
    chairId: viewer.id,
    attendeeIds: [],
    weekday: 1,
    onceOn: '',
    repeats: true,
    time: '10:00',
    minutes: 30,
    place: '',
    link: '',
    agenda: '',
  };
  return {
    form: meeting ? formOf(meeting) : { ...blank, ...freeTime(blank, all) },
    names: meeting ? namesOf(meeting) : { [viewer.id]: viewer.name },
    ...(meeting && { base: { version: meeting.version, values: formOf(meeting) } }),
  };
}

/** Where the form has what others saved since, the draft is based on that: nobody typed it. */
function baseOf(base: NonNullable<Kept['base']>, meeting: Meeting, values: MeetingValues) {
  const same = Object.entries(formOf(meeting)).filter(([name, saved]) =>
    isSameCall(saved, values[name as keyof MeetingValues]),
  );
  return { ...base, values: { ...base.values, ...Object.fromEntries(same) } };
}

const namesOf = ({ chair, guests }: Meeting): Names =>
  Object.fromEntries([chair, ...guests].map(({ id, displayName }) => [id, displayName]));

const times = Array.from({ length: 16 }, (_, index) => clockOf(9 * 60 + index * 30));

/** The first time of a week, from Monday 10:00 on, that overlaps no meeting. */
function freeTime({ weekday, time, minutes }: MeetingValues, all: readonly Meeting[]) {
  const zone = config().companyTimeZone;
  const now = Temporal.Instant.fromEpochMilliseconds(Date.now());
  const monday = weekdayFrom(Temporal.PlainDate.from(dayInZone(now, zone)).add({ days: 1 }), 1);
  const { from, to } = weekFrom(monday, zone);
  const taken = occurrencesOfAll(all, from, to, zone).filter(({ occurrence }) => !occurrence.canceled);
  const { compare } = Temporal.Instant;
  const offered = [1, 2, 3, 4, 5].flatMap((day) => times.map((start) => ({ weekday: day, time: start })));
  const isFree = (slot: { readonly weekday: number; readonly time: string }) => {
    const start = instantOfWallTime(monday.add({ days: slot.weekday - 1 }).toString(), slot.time, zone);
    const end = start.add({ minutes });
    return taken.every(({ occurrence }) => compare(occurrence.end, start) <= 0 || compare(occurrence.start, end) >= 0);
  };
  return offered.slice(times.indexOf(time)).find(isFree) ?? { weekday, time };
}

const inputOf = ({ onceOn, repeats, everyone, ...values }: MeetingValues): MeetingForm => ({
  ...values,
  wholeTeam: followed({ ...values, everyone }),
  ...(!repeats && { onceOn }),
});

type Input = {
  readonly meeting: Meeting | null;
  readonly slot: Slot | null;
  readonly all: readonly Meeting[];
  readonly onClose: () => void;
};

function useSaveMeeting(meeting: Meeting | null) {
  const client = useQueryClient();
  const readAgain = () => client.invalidateQueries({ queryKey: scheduleQuery.queryKey });
  return useMutation({
    mutationFn: ({ values, version }: { values: MeetingForm; version: number }) =>
      meeting ? updateMeeting({ ...values, id: meeting.id, version }) : createMeeting(values),
    meta: { quiet: true },
    onSuccess: readAgain,
    // A conflict shows what was saved.
    onError: () => void readAgain(),
  });
}

export function useMeetingForm({ meeting, slot, all, onClose }: Input) {
  const viewer = useViewer();
  const [start] = useState(() => startOf(meeting, viewer, all));
  const draft = useDraft(meetingDraft(meeting), start);
  // A draft of an earlier version lacks fields. Nobody changed those.
  const [base] = useState(
    () => draft.value.base && { ...draft.value.base, values: { ...start.form, ...draft.value.base.values } },
  );
  const [people, setPeople] = useState(draft.value.names);
  // A person found by a search is added in the same moment.
  const known = useRef(people);
  const throwAway = () => {
    draft.discard();
    onClose();
  };
  const form = useForm({
    // A draft of an earlier version repeats.
    initial: { ...start.form, ...draft.value.form, ...(slot && timeOf(slot)) },
    input: inputOf,
    schema: meetingInput,
    names,
    mutation: useSaveMeeting(meeting),
    variables: (values, version) => ({ values, version }),
    saved: meeting
      ? {
          version: meeting.version,
          values: formOf(meeting),
          base,
          words: wordsWith({ ...namesOf(meeting), ...people }),
          onKept: throwAway,
        }
      : undefined,
    onSent: ({ title }) => {
      draft.discard();
      showToast({ message: meeting ? `“${title}” changed` : `“${title}” added to the schedule` });
      onClose();
    },
    keep: (values) =>
      draft.change({
        form: values,
        names: known.current,
        ...(meeting && base && { base: baseOf(base, meeting, values) }),
      }),
  });
  return {
    form,
    isForCompany: meeting !== null && formOf(meeting).everyone,
    names: people,
    /** Remembers the names of people found by a search. */
    know: (found: readonly Seat[]) => {
      known.current = { ...known.current, ...Object.fromEntries(found.map((seat) => [seat.id, seat.displayName])) };
      setPeople(known.current);
    },
    clashes: clashesWith(all, meeting, { ...form.values, attendeeIds: useAttendeeIds(form.values) }),
    dropped: meeting ? droppedBy(meeting, form.values) : [],
    throwAway,
  };
}

/** The guests and, if it attends, the team. */
function useAttendeeIds({ team, wholeTeam, attendeeIds }: MeetingValues): string[] {
  const whole = wholeTeam && isScope(team) ? team : undefined;
  const { data = [], isPlaceholderData } = useQuery({ ...peopleQuery('', whole), enabled: whole !== undefined });
  return whole && !isPlaceholderData ? [...attendeeIds, ...data.map(({ id }) => id)] : attendeeIds;
}

/** Once, on the chosen day; the weekday is for a change to a weekly one. */
const timeOf = ({ day, time, minutes }: Slot) => ({
  weekday: Temporal.PlainDate.from(day).dayOfWeek,
  ...{ onceOn: day, repeats: false, time, minutes },
});

/** The canceled and moved days from today on that the change would bring back, such as by another weekday. */
function droppedBy(meeting: Meeting, { weekday, time, repeats, onceOn }: MeetingValues): MeetingException[] {
  const today = todayInCompany();
  const planned = { weekday, time, onceOn: repeats ? null : onceOn };
  const kept = new Set(changedSeries(meeting, planned, today).exceptions);
  return comingExceptions(meeting, today).filter((exception) => !kept.has(exception));
}

/** A year can have too many digits while it is typed. */
const isDay = (text: string): boolean => day.safeParse(text).success;

/** Conflicting meetings with the same people, in the first week in which it would take place. */
function clashesWith(all: readonly Meeting[], meeting: Meeting | null, values: MeetingValues): string[] {
  if (!values.repeats && !isDay(values.onceOn)) return [];
  if (!Number.isInteger(values.minutes)) return [];
  const zone = config().companyTimeZone;
  const now = Temporal.Instant.fromEpochMilliseconds(Date.now());
  const today = now.toZonedDateTimeISO(zone).toPlainDate().add({ days: 7 });
  const first = values.repeats ? weekdayFrom(today, values.weekday) : Temporal.PlainDate.from(values.onceOn);
  return overlaps(all, meeting, { ...values, everyone: values.everyone && values.team === '' }, first);
}

/** Conflicting meetings with the same people, if one date of a meeting moved there. */
export const overlapsOfMove = (all: readonly Meeting[], meeting: Meeting, to: { toDay: string; toTime: string }) =>
  !isDay(to.toDay) ? [] : overlaps(all, meeting, { ...meeting, time: to.toTime }, Temporal.PlainDate.from(to.toDay));

type Planned = Seats & Pick<Meeting, 'time' | 'minutes' | 'title'>;

/** Everything in the week of that day that shares people and time with the planned meeting. */
function overlaps(
  all: readonly Meeting[],
  meeting: Meeting | null,
  values: Planned,
  first: Temporal.PlainDate,
): string[] {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(values.time)) return [];
  const zone = config().companyTimeZone;
  const { from, to } = weekFrom(first.subtract({ days: first.dayOfWeek - 1 }), zone);
  const day = first.toString();
  const planned = {
    ...values,
    ...{ weekday: first.dayOfWeek, firstDay: day, onceOn: day },
    exceptions: [],
    isPlanned: true,
  };
  const others = all.filter(({ id }) => id !== meeting?.id).map((other) => ({ ...other, isPlanned: false }));
  const taking = occurrencesOfAll([planned, ...others], from, to, zone);
  const place = taking.findIndex(({ series }) => series.isPlanned);
  const found = clashesOf(taking)[place] ?? [];
  return found.map(
    ({ with: other, people, everyone }) =>
      `${other.title} (${everyone ? 'everyone' : plural(people.length, 'person', 'people')})`,
  );
}
