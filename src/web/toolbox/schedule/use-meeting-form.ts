// The meeting form: saves the input as a draft, checks it with the core, and sends it.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { plural } from '#core/base/formats.ts';
import { clashesOf, occurrencesOfAll, weekdayFrom, weekFrom } from '#core/toolbox/meeting-times.ts';
import { meetingInput } from '#core/toolbox/meetings.ts';
import { config } from '#web/api/config.ts';
import { useDraft } from '#web/api/drafts.ts';
import { useMutation } from '#web/api/mutation.ts';
import { type SignedIn, useViewer } from '#web/api/viewer.ts';
import { useForm } from '#web/ui/form.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import {
  createMeeting,
  type Meeting,
  type MeetingForm,
  type Seat,
  scheduleQuery,
  updateMeeting,
} from './schedule-queries.ts';

const names = {
  chairId: 'The chair',
  attendeeIds: 'The list of attendees',
  weekday: 'The day',
  minutes: 'The length',
};

const formOf = ({ title, team, chairId, attendeeIds, weekday, time, minutes, place, link, agenda }: Meeting) => ({
  title,
  team: team ?? '',
  chairId,
  attendeeIds: [...attendeeIds],
  weekday,
  time,
  minutes,
  place,
  link,
  agenda,
});

/** The form's initial values, and the names of its people. */
type Kept = { readonly form: MeetingForm; readonly names: Readonly<Record<string, string>> };

function startOf(meeting: Meeting | null, viewer: SignedIn): Kept {
  const seats = meeting ? [meeting.chair, ...meeting.attendees] : [{ id: viewer.id, displayName: viewer.name }];
  const blank: MeetingForm = {
    title: '',
    team: '',
    chairId: viewer.id,
    attendeeIds: [],
    weekday: 1,
    time: '10:00',
    minutes: 30,
    place: '',
    link: '',
    agenda: '',
  };
  return {
    form: meeting ? formOf(meeting) : blank,
    names: Object.fromEntries(seats.map(({ id, displayName }) => [id, displayName])),
  };
}

export function useMeetingForm(meeting: Meeting | null, all: readonly Meeting[], onClose: () => void) {
  const viewer = useViewer();
  const client = useQueryClient();
  const draft = useDraft(
    meeting ? `meeting:${meeting.id}:${meeting.version}` : 'new-meeting',
    startOf(meeting, viewer),
  );
  const [people, setPeople] = useState(draft.value.names);
  const readAgain = () => client.invalidateQueries({ queryKey: scheduleQuery.queryKey });
  const form = useForm({
    initial: draft.value.form,
    schema: meetingInput,
    names,
    mutation: useMutation({
      mutationFn: (values: MeetingForm) =>
        meeting ? updateMeeting({ ...values, id: meeting.id, version: meeting.version }) : createMeeting(values),
      meta: { quiet: true },
      onSuccess: readAgain,
      // After a conflict, reopening shows the current state.
      onError: () => void readAgain(),
    }),
    onSent: ({ title }) => {
      draft.discard();
      showToast({ message: meeting ? `“${title}” changed` : `“${title}” is in the schedule` });
      onClose();
    },
    keep: (values) => draft.change({ form: values, names: people }),
  });
  return {
    form,
    names: people,
    /** Remembers the names of people found by a search. */
    know: (found: readonly Seat[]) =>
      setPeople((known) => ({ ...known, ...Object.fromEntries(found.map((seat) => [seat.id, seat.displayName])) })),
    clashes: clashesWith(all, meeting, form.values),
    throwAway: () => {
      draft.discard();
      onClose();
    },
  };
}

/** Conflicting meetings with the same people, in the first week in which it would take place. */
function clashesWith(all: readonly Meeting[], meeting: Meeting | null, values: MeetingForm): string[] {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(values.time) || !Number.isInteger(values.minutes)) return [];
  const zone = config().companyTimeZone;
  const now = Temporal.Instant.fromEpochMilliseconds(Date.now());
  const today = now.toZonedDateTimeISO(zone).toPlainDate().add({ days: 7 });
  const first = weekdayFrom(today, values.weekday);
  const { from, to } = weekFrom(first.subtract({ days: first.dayOfWeek - 1 }), zone);
  const planned = { ...values, firstDay: first.toString(), exceptions: [], title: values.title, isPlanned: true };
  const others = all.filter(({ id }) => id !== meeting?.id).map((other) => ({ ...other, isPlanned: false }));
  const taking = occurrencesOfAll([planned, ...others], from, to, zone);
  const place = taking.findIndex(({ series }) => series.isPlanned);
  const found = clashesOf(taking)[place] ?? [];
  return found.map(({ with: other, people }) => `${other.title} (${plural(people.length, 'person', 'people')})`);
}
