// The form of a meeting: what is typed is kept, checked with the core's own input, and sent.
import { schemaResolver, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clashesOf, occurrencesOfAll, weekdayFrom, weekFrom } from '#core/toolbox/meeting-times.ts';
import { meetingInput } from '#core/toolbox/meetings.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { useDraft } from '#web/api/drafts.ts';
import { useMutation } from '#web/api/mutation.ts';
import { type SignedIn, useViewer } from '#web/api/viewer.ts';
import { showToast } from '#web/ui/toasts.tsx';
import {
  createMeeting,
  type Meeting,
  type MeetingForm,
  type Seat,
  scheduleQuery,
  updateMeeting,
} from './schedule-queries.ts';

/** Each shows under the field that it is about, as a sentence. */
const fieldNames: Readonly<Record<keyof MeetingForm, string>> = {
  title: 'The title',
  team: 'The team',
  chairId: 'The chair',
  attendeeIds: 'The list of attendees',
  weekday: 'The day',
  time: 'The time',
  minutes: 'The length',
  place: 'The place',
  link: 'The link',
  agenda: 'The agenda',
};
const isField = (text: string | undefined): text is keyof MeetingForm =>
  text !== undefined && Object.hasOwn(fieldNames, text);

/** The core's refusals continue the name of the field; those of the server are sentences already. */
const sentence = (field: keyof MeetingForm, error: string): string => {
  const rest = error.startsWith(`${field} `) ? error.slice(field.length + 1) : error;
  return /^[A-Z]/.test(rest) ? rest : `${fieldNames[field]} ${rest}`;
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

/** What the form begins with, and the names of the people in it. */
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
  const [names, setNames] = useState(draft.value.names);
  const form = useForm<MeetingForm>({
    initialValues: { ...draft.value.form },
    validate: schemaResolver(meetingInput, { sync: true }),
    onValuesChange: (values) => draft.change({ form: values, names }),
  });
  const sending = useMutation({
    mutationFn: (values: MeetingForm) =>
      meeting ? updateMeeting({ ...values, id: meeting.id, version: meeting.version }) : createMeeting(values),
    meta: { quiet: true },
    onSuccess: async ({ title }) => {
      draft.discard();
      showToast({ message: meeting ? `“${title}” is changed` : `“${title}” is in the schedule` });
      await client.invalidateQueries({ queryKey: scheduleQuery.queryKey });
      onClose();
    },
    onError: (error) => {
      const { field, message } = asApiError(error);
      if (isField(field)) form.setFieldError(field, message);
      // Whoever opens it again after a conflict finds it as it is now.
      void client.invalidateQueries({ queryKey: scheduleQuery.queryKey });
    },
  });
  const error = sending.error ? asApiError(sending.error) : null;
  return {
    form,
    names,
    /** Whoever is offered by a search is known by name from then on. */
    know: (people: readonly Seat[]) =>
      setNames((known) => ({ ...known, ...Object.fromEntries(people.map((seat) => [seat.id, seat.displayName])) })),
    input: (field: keyof MeetingForm) => {
      const { error: fault, ...rest } = form.getInputProps(field);
      return { ...rest, error: typeof fault === 'string' ? sentence(field, fault) : fault };
    },
    send: form.onSubmit((values) => {
      if (!sending.isPending) sending.mutate(values);
    }),
    failure: error && !isField(error.field) ? error.message : null,
    busy: sending.isPending,
    clashes: clashesWith(all, meeting, form.values),
    throwAway: () => {
      draft.discard();
      onClose();
    },
  };
}

/** The meetings at the same time that want the same people, in the first week in which it would take place. */
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
  return found.map(
    ({ with: other, people }) => `${other.title} (${people.length} ${people.length === 1 ? 'person' : 'people'})`,
  );
}
