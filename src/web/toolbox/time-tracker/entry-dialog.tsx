import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { clockInZone, dayInZone } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { type Entry, timedTasksQuery, useTimeChange } from './time-queries.ts';
import classes from './time-tracker.module.css';
import { noTaskWords, stretchKept } from './time-words.ts';

type Props = {
  /** Null for a new one. */
  readonly entry: Entry | null;
  readonly monday: Temporal.PlainDate;
  readonly onClose: () => void;
};

/** The entry's own task may be withdrawn, or older than the latest tasks. */
function taskOptions(tasks: readonly { readonly id: string; readonly title: string }[] = [], entry: Entry | null) {
  const isMissing = entry && !tasks.some(({ id }) => id === entry.taskId);
  const all = isMissing ? [{ id: entry.taskId, title: entry.title }, ...tasks] : tasks;
  return all.map(({ id, title }) => ({ value: id, label: title }));
}

/** Manual time: a task, a day and two times in company time. */
export function EntryDialog({ entry, monday, onClose }: Props) {
  const zone = config().companyTimeZone;
  const tasks = useQuery(timedTasksQuery);
  const before = entry?.end ? { taskId: entry.taskId, start: entry.start, end: entry.end } : null;
  const initial = {
    taskId: entry?.taskId ?? '',
    day: entry ? dayInZone(entry.start, zone) : monday.toString(),
    from: entry ? clockInZone(entry.start, zone) : '09:00',
    to: entry?.end ? clockInZone(entry.end, zone) : '10:00',
  };
  const form = useForm({
    initial,
    input: ({ taskId, ...typed }) => ({ taskId, instants: stretchKept(before, initial, typed, zone) }),
    rule: ({ taskId, instants }) => {
      if (taskId === '') return { field: 'taskId', message: 'Choose a task' };
      return instants === null ? { message: 'Enter a day and times like 09:30' } : null;
    },
    mutation: useTimeChange(),
    variables: ({ taskId, instants }) => {
      const stretch = { taskId, ...instants! };
      const kept = entry && { kind: 'edit' as const, id: entry.id, stretch };
      return { change: kept ?? { kind: 'add' as const, stretch }, before };
    },
    onSent: onClose,
  });
  return (
    <Dialog opened title={entry ? 'Edit time' : 'Add time'} onClose={onClose}>
      <Form form={form} submit={entry ? 'Save' : 'Add'}>
        <SearchSelect
          label="Task"
          data={taskOptions(tasks.data, entry)}
          limit={50}
          nothingFoundMessage={noTaskWords(tasks)}
          {...form.choice('taskId')}
        />
        <div className={classes.row}>
          <TextInput type="date" label="Day" {...form.field('day')} />
          <TextInput type="time" label="From" {...form.field('from')} />
          <TextInput type="time" label="To" {...form.field('to')} />
        </div>
        <p className={classes.quiet}>Company time ({zone}). A “To” before “From” is on the next day.</p>
      </Form>
    </Dialog>
  );
}
