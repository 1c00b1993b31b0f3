import { Button, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/NumberInput.layer.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isAdmin } from '#core/access/access.ts';
import { isScope, scopeKeys, scopes } from '#core/access/brands.ts';
import { weekdays } from '#core/base/day-words.ts';
import { meetingLimits } from '#core/toolbox/meetings.ts';
import { config } from '#web/api/config.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { DialogActions } from '#web/ui/dialog.tsx';
import { SearchMultiSelect, SearchSelect } from '#web/ui/search-select.tsx';
import classes from './meeting-fields.module.css';
import { type Meeting, peopleOfTeam, peopleQuery } from './schedule-queries.ts';
import { useMeetingForm } from './use-meeting-form.ts';

type Props = { readonly meeting: Meeting | null; readonly all: readonly Meeting[]; readonly onClose: () => void };
type Form = ReturnType<typeof useMeetingForm>;

export function MeetingFields({ meeting, all, onClose }: Props) {
  const form = useMeetingForm(meeting, all, onClose);
  const { input, send, failure, busy, clashes, throwAway } = form;
  return (
    <form onSubmit={send} noValidate>
      <div className={classes.fields}>
        <TextInput label="Title" data-autofocus maxLength={meetingLimits.title} {...input('title')} />
        <WhenFields form={form} />
        <PeopleFields form={form} />
        {clashes.length > 0 && (
          <p className={classes.clash} role="status">
            At the same time, with the same people: {clashes.join(', ')}
          </p>
        )}
        <div className={classes.pair}>
          <TextInput label="Place" maxLength={meetingLimits.place} {...input('place')} />
          <TextInput
            label="Link"
            placeholder="https://"
            inputMode="url"
            maxLength={meetingLimits.link}
            {...input('link')}
          />
        </div>
        <Textarea
          label="Agenda"
          description="**Bold**, lists and links work"
          autosize
          minRows={3}
          maxRows={10}
          maxLength={meetingLimits.agenda}
          {...input('agenda')}
        />
        {failure && (
          <p className={classes.failure} role="alert">
            {failure}
          </p>
        )}
      </div>
      <DialogActions>
        <Button size="sm" variant="default" onClick={throwAway}>
          Discard
        </Button>
        <Button size="sm" type="submit" loading={busy}>
          {meeting ? 'Save the meeting' : 'Add the meeting'}
        </Button>
      </DialogActions>
    </form>
  );
}

function WhenFields({ form: { form, input } }: { form: Form }) {
  return (
    <div className={classes.pair}>
      <Select
        label="Every"
        allowDeselect={false}
        data={weekdays.map((title, index) => ({ value: String(index + 1), label: title }))}
        value={String(form.values.weekday)}
        onChange={(value) => form.setFieldValue('weekday', Number(value))}
      />
      <TextInput type="time" label={`At (${config().companyTimeZone})`} {...input('time')} />
      <NumberInput
        label="Minutes"
        min={5}
        max={meetingLimits.minutes}
        step={5}
        allowDecimal={false}
        {...input('minutes')}
      />
    </div>
  );
}

/** The people are searched for on the server: there may be thousands. */
function usePeople({ form, names, know }: Form) {
  const [search, setSearch] = useState('');
  const found = useQuery(peopleQuery(search));
  const { chairId, attendeeIds } = form.values;
  const offered = { ...names, ...Object.fromEntries((found.data ?? []).map((seat) => [seat.id, seat.displayName])) };
  const named = (id: string) => ({ id, displayName: offered[id] ?? id });
  const seat = (ids: readonly string[]) =>
    form.setFieldValue(
      'attendeeIds',
      ids.filter((id) => id !== chairId),
    );
  const addTeam = useMutation({
    mutationFn: peopleOfTeam,
    onSuccess: (people) => {
      know(people);
      seat([...new Set([...attendeeIds, ...people.map(({ id }) => id)])]);
    },
  });
  return {
    options: Object.entries(offered).map(([value, label]) => ({ value, label })),
    isLooking: found.isPending,
    setSearch,
    addTeam,
    chair: (id: string | null) => {
      if (id === null) return;
      know([named(id)]);
      form.setFieldValue('chairId', id);
    },
    attend: (ids: string[]) => {
      know(ids.map(named));
      seat(ids);
    },
  };
}

function PeopleFields({ form: whole }: { form: Form }) {
  const { form, input } = whole;
  const viewer = useViewer();
  const { options, isLooking, setSearch, addTeam, chair, attend } = usePeople(whole);
  const { chairId, team } = form.values;
  return (
    <>
      <div className={classes.pair}>
        <Select
          label="Team"
          allowDeselect={false}
          data={[
            { value: '', label: 'No team' },
            ...scopeKeys.map((key) => ({ value: key, label: scopes[key].title })),
          ]}
          {...input('team')}
        />
        <SearchSelect
          label="Chair"
          allowDeselect={false}
          disabled={!isAdmin(viewer)}
          data={options}
          onSearchChange={setSearch}
          {...input('chairId')}
          onChange={chair}
        />
      </div>
      <SearchMultiSelect
        label="Attendees"
        placeholder="Find people by name"
        hidePickedOptions
        data={options.filter(({ value }) => value !== chairId)}
        onSearchChange={setSearch}
        {...input('attendeeIds')}
        onChange={attend}
        nothingFoundMessage={isLooking ? 'Looking' : 'Nobody of this name'}
      />
      {isScope(team) && (
        <div>
          <Button variant="default" loading={addTeam.isPending} onClick={() => addTeam.mutate(team)}>
            Add everybody of {scopes[team].title}
          </Button>
        </div>
      )}
    </>
  );
}
