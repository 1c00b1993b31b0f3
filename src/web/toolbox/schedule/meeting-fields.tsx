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
import { Form } from '#web/ui/form.tsx';
import { SearchMultiSelect, SearchSelect } from '#web/ui/search-select.tsx';
import classes from './meeting-fields.module.css';
import { type Meeting, peopleOfTeam, peopleQuery } from './schedule-queries.ts';
import { useMeetingForm } from './use-meeting-form.ts';

type Props = { readonly meeting: Meeting | null; readonly all: readonly Meeting[]; readonly onClose: () => void };
type Whole = ReturnType<typeof useMeetingForm>;

export function MeetingFields({ meeting, all, onClose }: Props) {
  const whole = useMeetingForm(meeting, all, onClose);
  const { form, clashes, throwAway } = whole;
  return (
    <Form form={form} submit={meeting ? 'Save meeting' : 'Add meeting'} cancel="Discard" onCancel={throwAway}>
      <TextInput label="Title" data-autofocus maxLength={meetingLimits.title} {...form.field('title')} />
      <WhenFields form={form} />
      <PeopleFields whole={whole} />
      {clashes.length > 0 && (
        <p className={classes.clash} role="status">
          Overlaps with: {clashes.join(', ')}
        </p>
      )}
      <div className={classes.pair}>
        <TextInput label="Place" maxLength={meetingLimits.place} {...form.field('place')} />
        <TextInput
          label="Link"
          placeholder="https://"
          inputMode="url"
          maxLength={meetingLimits.link}
          {...form.field('link')}
        />
      </div>
      <Textarea
        label="Agenda"
        description="**Bold**, lists and links work"
        autosize
        minRows={3}
        maxRows={10}
        maxLength={meetingLimits.agenda}
        {...form.field('agenda')}
      />
    </Form>
  );
}

function WhenFields({ form }: { form: Whole['form'] }) {
  return (
    <div className={classes.pair}>
      <Select
        label="Every"
        allowDeselect={false}
        data={weekdays.map((title, index) => ({ value: String(index + 1), label: title }))}
        {...form.field('weekday')}
        value={String(form.values.weekday)}
        onChange={(value) => form.set({ weekday: Number(value) })}
      />
      <TextInput type="time" label={`At (${config().companyTimeZone})`} {...form.field('time')} />
      <NumberInput
        label="Minutes"
        min={5}
        max={meetingLimits.minutes}
        step={5}
        allowDecimal={false}
        {...form.field('minutes')}
      />
    </div>
  );
}

/** People are searched on the server: there may be thousands. */
function usePeople({ form, names, know }: Whole, mayAddAnyone: boolean) {
  const [search, setSearch] = useState('');
  const { chairId, attendeeIds, team } = form.values;
  const found = useQuery({
    ...peopleQuery(search, mayAddAnyone || !isScope(team) ? undefined : team),
    enabled: mayAddAnyone || isScope(team),
  });
  const offered = { ...names, ...Object.fromEntries((found.data ?? []).map((seat) => [seat.id, seat.displayName])) };
  const named = (id: string) => ({ id, displayName: offered[id] ?? id });
  const seat = (ids: readonly string[]) => form.set({ attendeeIds: ids.filter((id) => id !== chairId) });
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
      form.set({ chairId: id });
    },
    attend: (ids: string[]) => {
      know(ids.map(named));
      seat(ids);
    },
  };
}

function PeopleFields({ whole }: { whole: Whole }) {
  const { form } = whole;
  const viewer = useViewer();
  const mayChangeAll = isAdmin(viewer);
  const { options, isLooking, setSearch, addTeam, chair, attend } = usePeople(whole, mayChangeAll);
  const { chairId, team } = form.values;
  return (
    <>
      <div className={classes.pair}>
        <SearchSelect
          label="Team"
          allowDeselect={false}
          disabled={!mayChangeAll}
          data={[
            { value: '', label: 'No team' },
            ...scopeKeys.map((key) => ({ value: key, label: scopes[key].title })),
          ]}
          {...form.field('team')}
        />
        <SearchSelect
          label="Chair"
          allowDeselect={false}
          disabled={!mayChangeAll}
          data={options}
          onSearchChange={setSearch}
          {...form.field('chairId')}
          onChange={chair}
        />
      </div>
      <SearchMultiSelect
        label="Attendees"
        description={mayChangeAll ? undefined : 'Only admins can add people from outside the team'}
        placeholder="Find people by name"
        hidePickedOptions
        data={options.filter(({ value }) => value !== chairId)}
        onSearchChange={setSearch}
        {...form.field('attendeeIds')}
        onChange={attend}
        nothingFoundMessage={isLooking ? 'Looking' : 'No matching people'}
      />
      {isScope(team) && (
        <div>
          <Button variant="default" loading={addTeam.isPending} onClick={() => addTeam.mutate(team)}>
            Add everyone in {scopes[team].title}
          </Button>
        </div>
      )}
    </>
  );
}
