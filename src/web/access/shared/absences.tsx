import { Button, TextInput } from '@mantine/core';
import { IconCalendarEvent, IconCalendarOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { daySpanWithYear, weekdayOf } from '#core/base/day-words.ts';
import { holidayLimits, holidaysWithin } from '#core/base/holidays.ts';
import {
  delegateGapWords,
  effectSentences,
  isOn,
  longestAbsenceNote,
  saveAbsenceInput,
} from '#core/people/absences.ts';
import { type PeopleNames, usePeopleSearch } from '#web/api/people-search.ts';
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { WayList, WayRow } from '#web/ui/way-row.tsx';
import { Writes } from '#web/ui/writes.tsx';
import {
  type Absence,
  absencesQuery,
  choicesQuery,
  companyToday,
  previewQuery,
  useEndAbsence,
  useSaveAbsence,
} from './absence-queries.ts';
import classes from './absences.module.css';
import { holidaysQuery } from './holidays-query.ts';

type AbsenceDialogProps = {
  readonly userId: string;
  /** Null: one's own. */
  readonly name: string | null;
  /** Null: a new one. */
  readonly absence: Absence | null;
  readonly onClose: () => void;
};

const valuesOf = ({ firstDay, lastDay, note, delegate }: Absence) => ({
  ...{ firstDay, lastDay, note },
  delegateId: delegate?.id ?? '',
});

const wordsOf =
  ({ delegate }: Absence) =>
  ({ firstDay, lastDay, note, delegateId }: ReturnType<typeof valuesOf>) => ({
    Days: firstDay && lastDay ? daySpanWithYear(firstDay, lastDay) : '',
    Delegate: delegateId === delegate?.id ? delegate.displayName : delegateId ? 'Someone else' : 'Nobody',
    Note: note,
  });

/** The days someone is away, the delegate, and what that does before it is saved. */
function AbsenceDialog({ userId, name, absence, onClose }: AbsenceDialogProps) {
  const today = companyToday();
  const form = useForm({
    saved: absence
      ? { version: absence.version, values: valuesOf(absence), words: wordsOf(absence), onKept: onClose }
      : undefined,
    initial: absence ? valuesOf(absence) : { firstDay: today, lastDay: today, note: '', delegateId: '' },
    input: (values) => ({ ...values, userId }),
    variables: (input, version) => ({ ...(absence && { id: absence.id, version }), ...input }),
    schema: saveAbsenceInput,
    errors: { firstDay: 'Choose the first day away', lastDay: 'Choose the last day away' },
    mutation: useSaveAbsence(onClose),
  });
  const { firstDay, lastDay, delegateId } = form.values;
  return (
    <Dialog opened title={name === null ? 'Time away' : `${name}’s time away`} onClose={onClose} width={480}>
      <Form form={form} submit="Save time away">
        <div className={classes.days}>
          <TextInput
            type="date"
            label="First day"
            data-autofocus
            min={absence && absence.firstDay < today ? absence.firstDay : today}
            {...form.field('firstDay')}
            // A single day stays one while the date is typed part by part, also through an empty value.
            onChange={({ currentTarget: { value } }) =>
              form.set({ firstDay: value, ...((lastDay < value || lastDay === firstDay) && { lastDay: value }) })
            }
          />
          <TextInput type="date" label="Last day" min={firstDay || today} {...form.field('lastDay')} />
        </div>
        <DelegateField userId={userId} name={name} chosen={absence?.delegate ?? null} {...form.choice('delegateId')} />
        <TextInput
          label="Note"
          description={`${delegateId ? `For ${name === null ? 'your' : 'the'} delegate, such` : 'Such'} as “Vacation”`}
          maxLength={longestAbsenceNote}
          {...form.field('note')}
        />
        <Effect
          said={(['firstDay', 'lastDay', 'delegateId', 'note'] as const).map(form.error)}
          wish={{
            ...(absence && { id: absence.id, version: absence.version }),
            ...{ userId, firstDay, lastDay, delegateId: delegateId ?? '' },
          }}
        />
      </Form>
    </Dialog>
  );
}

type FieldProps = {
  readonly userId: string;
  readonly name: string | null;
  readonly chosen: Absence['delegate'];
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
};

/** Nothing for people who approve no tasks. */
function DelegateField({ userId, name, chosen, value, onChange, ...rest }: FieldProps) {
  const [names, setNames] = useState<PeopleNames>(chosen ? { [chosen.id]: chosen.displayName } : {});
  const everyone = useQuery(choicesQuery(userId, ''));
  const { offered, options, search } = usePeopleSearch({
    names,
    search: (typed) => choicesQuery(userId, typed),
    none: 'No matching people who can approve',
  });
  if (chosen === null && everyone.data?.length === 0) return null;
  return (
    <SearchSelect
      label="Delegate"
      description={`Approves, denies and signs off while ${name === null ? 'you’re' : `${name} is`} away`}
      placeholder="Choose a person"
      clearable
      data={options}
      {...search}
      {...rest}
      value={value}
      onChange={(id) => {
        if (id !== null) setNames((known) => ({ ...known, [id]: offered[id] ?? id }));
        onChange(id);
      }}
    />
  );
}

/** What saving does, for people who approve tasks, or why it is refused. */
type EffectProps = {
  readonly wish: Parameters<typeof previewQuery>[0];
  /** The errors at the fields, which aren't repeated. */
  readonly said: readonly ReactNode[];
};

function Effect({ wish, said }: EffectProps) {
  const { data } = useQuery(previewQuery(wish));
  if (!data || wish.firstDay === '' || wish.lastDay === '') return null;
  const { effect, refusal } = data;
  if (!effect && said.includes(refusal)) return null;
  return (
    <div className={effect ? classes.effect : classes.refused} role="status">
      {(effect ? effectSentences(effect) : [refusal]).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}

type Props = {
  readonly userId: string;
  /** Null: one's own. */
  readonly name: string | null;
};

/** When someone is away, and who decides for them. */
export function Absences({ userId, name }: Props) {
  const { data: absences, error, refetch } = useQuery(absencesQuery(userId));
  const [editing, setEditing] = useState<Absence | 'new' | null>(null);
  const [ending, setEnding] = useState<Absence | null>(null);
  return (
    <Panel
      title="Time away"
      flush
      actions={
        <Writes>
          <Button variant="default" onClick={() => setEditing('new')}>
            Add time away
          </Button>
        </Writes>
      }
    >
      {error && !absences ? (
        <PanelError sentence="Couldn’t load time away." requestId={error.requestId} onRetry={() => void refetch()} />
      ) : (
        <Loading loading={!absences} skeleton={<SkeletonRows rows={1} />}>
          {absences?.length === 0 && <p className={classes.empty}>No time away planned.</p>}
          {absences && absences.length > 0 && (
            <WayList label="Time away">
              {absences.map((absence) => (
                <AbsenceRow key={absence.id} absence={absence} onEdit={setEditing} onEnd={setEnding} />
              ))}
            </WayList>
          )}
          {name === null && <NextHolidays />}
        </Loading>
      )}
      {editing !== null && (
        <AbsenceDialog
          userId={userId}
          name={name}
          absence={editing === 'new' ? null : (absences?.find(({ id }) => id === editing.id) ?? editing)}
          onClose={() => setEditing(null)}
        />
      )}
      {ending !== null && <EndDialog userId={userId} name={name} absence={ending} onClose={() => setEnding(null)} />}
    </Panel>
  );
}

const mostHolidays = 3;

function NextHolidays() {
  const { data = [] } = useQuery(holidaysQuery);
  const [all, setAll] = useState(false);
  const coming = holidaysWithin(data, companyToday(), holidayLimits.to);
  const next = all ? coming : coming.slice(0, mostHolidays);
  if (next.length === 0) return null;
  return (
    <div className={classes.holidays}>
      <WayList label="Next company holidays">
        {next.map((one) => (
          <WayRow
            key={`${one.firstDay} ${one.name}`}
            icon={IconCalendarEvent}
            title={one.name}
            facts={`Company holiday, ${weekdayOf(one.firstDay)} ${daySpanWithYear(one.firstDay, one.lastDay)}`}
          />
        ))}
      </WayList>
      {coming.length > mostHolidays && (
        <Button variant="subtle" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show ${coming.length - mostHolidays} more`}
        </Button>
      )}
    </div>
  );
}

const isRunning = (absence: Absence): boolean => isOn(absence, companyToday());

type RowProps = {
  readonly absence: Absence;
  readonly onEdit: (absence: Absence) => void;
  readonly onEnd: (absence: Absence) => void;
};

function AbsenceRow({ absence, onEdit, onEnd }: RowProps) {
  const running = isRunning(absence);
  return (
    <WayRow
      icon={IconCalendarOff}
      title={daySpanWithYear(absence.firstDay, absence.lastDay)}
      mark={running && 'Away now'}
      facts={factsOf(absence)}
      action={
        <Writes>
          <span className={classes.actions}>
            <Button variant="default" onClick={() => onEdit(absence)}>
              Edit
              <Of {...absence} />
            </Button>
            <Button variant="default" onClick={() => onEnd(absence)}>
              {running ? 'End' : 'Delete'}
              <Of {...absence} />
            </Button>
          </span>
        </Writes>
      }
    />
  );
}

type EndProps = Props & { readonly absence: Absence; readonly onClose: () => void };

function EndDialog({ userId, name, absence, onClose }: EndProps) {
  const end = useEndAbsence(userId, onClose);
  const running = isRunning(absence);
  const verb = running ? 'End' : 'Delete';
  const days = daySpanWithYear(absence.firstDay, absence.lastDay);
  const deciding = running ? 'will stop deciding' : 'won’t decide';
  return (
    <ConfirmDialog
      opened
      danger
      title={`${verb} this time away?`}
      confirm={`${verb} time away`}
      busy={end.isPending}
      onClose={onClose}
      onConfirm={() => end.mutate(absence)}
    >
      {absence.delegate
        ? `${absence.delegate.displayName} ${deciding} for ${name ?? 'you'}${running ? '' : ` on ${days}`}.`
        : `${days}.`}
    </ConfirmDialog>
  );
}

function factsOf({ delegate, delegateGap, note }: Absence): string {
  const gap = delegateGapWords(delegateGap);
  return [note, delegate && `Delegate: ${delegate.displayName}${gap ? `, who ${gap}` : ''}`]
    .filter(Boolean)
    .join(' · ');
}

/** Tells equal buttons apart for screen readers. */
const Of = ({ firstDay, lastDay }: Absence) => (
  <span className="visually-hidden"> {daySpanWithYear(firstDay, lastDay)}</span>
);
