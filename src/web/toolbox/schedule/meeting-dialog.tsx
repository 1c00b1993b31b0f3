import { Checkbox, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { Dialog } from '#web/ui/dialog.tsx';
import { type Meeting, peopleQuery } from './schedule-queries.ts';
import type { Slot } from './slots.tsx';
import '@mantine/core/styles/NumberInput.layer.css';
import { isAdmin } from '#core/access/access.ts';
import { isScope, scopeKeys, scopes } from '#core/access/brands.ts';
import { weekdays } from '#core/base/day-words.ts';
import { meetingLimits } from '#core/toolbox/meetings.ts';
import { config } from '#web/api/config.ts';
import { usePeopleSearch } from '#web/api/people-search.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Form } from '#web/ui/form.tsx';
import { SearchMultiSelect, SearchSelect } from '#web/ui/search-select.tsx';
import classes from './meeting-fields.module.css';
import { exceptionWords, wholeTeamWords } from './meeting-words.ts';
import { useMeetingForm } from './use-meeting-form.ts';

type MeetingFieldsProps = {
  readonly meeting: Meeting | null;
  readonly slot: Slot | null;
  readonly all: readonly Meeting[];
  readonly onClose: () => void;
};
type Whole = ReturnType<typeof useMeetingForm>;

function MeetingFields({ meeting, slot, all, onClose }: MeetingFieldsProps) {
  const whole = useMeetingForm({ meeting, slot, all, onClose });
  const { form, clashes, dropped, throwAway } = whole;
  return (
    <Form
      form={form}
      submit={meeting ? 'Save meeting' : 'Add meeting'}
      cancel="Discard"
      onCancel={throwAway}
      sendsByEnter={meeting !== null}
    >
      <TextInput label="Title" data-autofocus maxLength={meetingLimits.title} {...form.field('title')} />
      <WhenFields form={form} />
      {dropped.length > 0 && (
        <p className={classes.clash} role="status">
          Saving removes these changes to single dates: {dropped.map(exceptionWords).join(', ')}
        </p>
      )}
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

const never = 'never';

function WhenFields({ form }: { form: Whole['form'] }) {
  return (
    <div className={classes.pair}>
      <Select
        label="Repeats"
        allowDeselect={false}
        data={[
          ...weekdays.map((title, index) => ({ value: String(index + 1), label: `Every ${title}` })),
          { value: never, label: 'Doesn’t repeat' },
        ]}
        {...form.field('weekday')}
        value={form.values.repeats ? String(form.values.weekday) : never}
        onChange={(value) => form.set(value === never ? { repeats: false } : { repeats: true, weekday: Number(value) })}
      />
      {!form.values.repeats && <TextInput type="date" label="Date" {...form.field('onceOn')} />}
      <TextInput type="time" label={`Time (${config().companyTimeZone})`} {...form.field('time')} />
      <NumberInput
        label="Length (minutes)"
        min={5}
        max={meetingLimits.minutes}
        step={5}
        allowDecimal={false}
        {...form.field('minutes')}
      />
    </div>
  );
}

const onlyAdmins = 'Only admins can add people';
const ownTeamOnly = 'If you’re in the team, you can add its members. Only admins can add others';

function usePeople({ form, names, know }: Whole, mayAddAnyone: boolean) {
  const { chairId, team } = form.values;
  const mayAdd = mayAddAnyone || isScope(team);
  const { offered, options, search } = usePeopleSearch({
    names,
    search: (typed) => peopleQuery(typed, mayAddAnyone || !isScope(team) ? undefined : team),
    enabled: mayAdd,
    ...(!mayAdd && { none: onlyAdmins }),
  });
  const named = (id: string) => ({ id, displayName: offered[id] ?? id });
  return {
    options,
    search,
    chair: (id: string | null) => {
      if (id === null) return;
      know([named(id)]);
      form.set({ chairId: id });
    },
    attend: (ids: string[]) => {
      know(ids.map(named));
      form.set({ attendeeIds: ids.filter((id) => id !== chairId) });
    },
  };
}

function PeopleFields({ whole }: { whole: Whole }) {
  const { form } = whole;
  const viewer = useViewer();
  const mayChangeAll = isAdmin(viewer);
  const { options, search, chair, attend } = usePeople(whole, mayChangeAll);
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
          onChange={(value) => form.set({ team: value ?? '', ...(value ? { everyone: false } : { wholeTeam: false }) })}
        />
        <SearchSelect
          label="Chair"
          allowDeselect={false}
          disabled={!mayChangeAll}
          data={options}
          {...search}
          {...form.field('chairId')}
          onChange={chair}
        />
      </div>
      <SearchMultiSelect
        label="Attendees"
        description={mayChangeAll ? undefined : isScope(team) ? ownTeamOnly : onlyAdmins}
        placeholder="Find people by name"
        hidePickedOptions
        data={options.filter(({ value }) => value !== chairId)}
        {...search}
        {...form.field('attendeeIds')}
        onChange={attend}
      />
      {(isScope(team) || mayChangeAll || whole.isForCompany) && (
        <Checkbox
          label={`${wholeTeamWords(isScope(team) ? team : null)} attends`}
          description={`Everyone who can see the schedule, including people who join ${isScope(team) ? 'the team ' : ''}later.`}
          {...form.checkbox(isScope(team) ? 'wholeTeam' : 'everyone')}
          error={form.error('wholeTeam')}
        />
      )}
    </>
  );
}

type Props = {
  /** Null for a new one. */
  readonly meeting: Meeting | null;
  /** Where a new one was begun in the week. */
  readonly slot: Slot | null;
  readonly all: readonly Meeting[];
  readonly onClose: () => void;
};

export function MeetingDialog({ meeting, slot, all, onClose }: Props) {
  return (
    <Dialog opened title={meeting ? 'Edit meeting' : 'New meeting'} onClose={onClose} width={600}>
      <MeetingFields meeting={meeting} slot={slot} all={all} onClose={onClose} />
    </Dialog>
  );
}
