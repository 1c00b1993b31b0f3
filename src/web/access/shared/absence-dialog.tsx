import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { daySpanWithYear } from '#core/base/day-words.ts';
import { effectSentences, longestAbsenceNote, saveAbsenceInput } from '#core/people/absences.ts';
import { type PeopleNames, usePeopleSearch } from '#web/api/people-search.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { type Absence, choicesQuery, companyToday, previewQuery, useSaveAbsence } from './absence-queries.ts';
import classes from './absences.module.css';

type Props = {
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
export function AbsenceDialog({ userId, name, absence, onClose }: Props) {
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
