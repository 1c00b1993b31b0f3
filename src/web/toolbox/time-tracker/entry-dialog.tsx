import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { clockInZone, dayInZone } from '#core/base/day-words.ts';
import { isTypedTooLong, sameTimeRefusal } from '#core/toolbox/time-entries.ts';
import { config } from '#web/api/config.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { type Entry, timedTasksQuery, useTimeChange } from './time-queries.ts';
import classes from './time-tracker.module.css';
import { type Stretch, secondsOf, stretchKept, stretchWords, type TypedStretch } from './time-words.ts';
import { TaskSelect } from './timer-panel.tsx';

type Props = {
  /** Null for a new one. */
  readonly entry: Entry | null;
  /** What a new one starts with. */
  readonly shown: TypedStretch;
  readonly onClose: () => void;
};

const sameTimeOf = ({ start, end }: Stretch, zone: string) =>
  sameTimeRefusal(Temporal.Instant.from(start), Temporal.Instant.from(end), zone);

type Typed = { readonly taskId: string; readonly instants: Stretch | null };

function faultOf({ taskId, instants }: Typed, before: Stretch | null, zone: string) {
  if (taskId === '') return { field: 'taskId', message: 'Choose a task' } as const;
  if (instants === null) return { message: 'Enter a date and times like 09:30' };
  const refusal = sameTimeOf(instants, zone);
  if (refusal) return { field: 'to', message: refusal.message } as const;
  if (!isTypedTooLong(secondsOf(instants), before ? secondsOf(before) : 0)) return null;
  const length = stretchWords(instants, zone);
  return { field: 'to', message: `Check the times: ${length}. Enter longer work in two parts` } as const;
}

/** Manual time: a task, a day and two times in company time. */
export function EntryDialog({ entry, shown, onClose }: Props) {
  const zone = config().companyTimeZone;
  const tasks = useQuery(timedTasksQuery);
  const before = entry?.end ? { taskId: entry.taskId, start: entry.start, end: entry.end } : null;
  const initial = {
    ...{ taskId: entry?.taskId ?? '', ...shown },
    ...(before && {
      day: dayInZone(before.start, zone),
      from: clockInZone(before.start, zone),
      to: clockInZone(before.end, zone),
    }),
  };
  const form = useForm({
    initial,
    input: ({ taskId, ...typed }) => ({ taskId, instants: stretchKept(before, initial, typed, zone) }),
    rule: (typed) => faultOf(typed, before, zone),
    mutation: useTimeChange({ quiet: true }),
    variables: ({ taskId, instants }) => {
      const stretch = { taskId, ...instants! };
      const kept = entry && { kind: 'edit' as const, id: entry.id, stretch };
      return { change: kept ?? { kind: 'add' as const, stretch }, before };
    },
    onSent: onClose,
  });
  const { taskId: _taskId, ...typed } = form.values;
  const instants = stretchKept(before, initial, typed, zone);
  return (
    <Dialog opened title={entry ? 'Edit time' : 'Add time'} onClose={onClose}>
      <Form form={form} submit={entry ? 'Save' : 'Add'}>
        <TaskSelect label="Task" tasks={tasks} own={entry} {...form.choice('taskId')} data-autofocus />
        <div className={classes.row}>
          <TextInput type="date" label="Date" {...form.field('day')} />
          <TextInput type="time" label="From" {...form.field('from')} />
          <TextInput type="time" label="To" {...form.field('to')} />
        </div>
        <p role="status" className={classes.quiet}>
          {instants && !sameTimeOf(instants, zone) && `${stretchWords(instants, zone)}. `}Company time ({zone}).
        </p>
      </Form>
    </Dialog>
  );
}
