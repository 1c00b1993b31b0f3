import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { clockInZone, dayInZone } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { type Entry, timedTasksQuery, useTimeChange } from './time-queries.ts';
import classes from './time-tracker.module.css';
import { stretchOf } from './time-words.ts';

type Props = {
  /** Null: a new one. */
  readonly entry: Entry | null;
  readonly monday: Temporal.PlainDate;
  readonly onClose: () => void;
};

type Span = { readonly day: string; readonly from: string; readonly to: string };

/** Time by hand: a task, a day and two times on the company's clock. */
export function EntryDialog({ entry, monday, onClose }: Props) {
  const zone = config().companyTimeZone;
  const tasks = useQuery(timedTasksQuery);
  const change = useTimeChange();
  const [taskId, setTaskId] = useState(entry?.taskId ?? null);
  const [span, setSpan] = useState<Span>({
    day: entry ? dayInZone(entry.start, zone) : monday.toString(),
    from: entry ? clockInZone(entry.start, zone) : '09:00',
    to: entry?.end ? clockInZone(entry.end, zone) : '10:00',
  });
  const [failure, setFailure] = useState<{ readonly task?: string; readonly time?: string }>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const instants = stretchOf(span.day, span.from, span.to, zone);
    if (taskId === null || instants === null) {
      setFailure(taskId === null ? { task: 'Choose a task' } : { time: 'Enter a day and times like 09:30' });
      return;
    }
    const stretch = { taskId, ...instants };
    const before = entry?.end ? { taskId: entry.taskId, start: entry.start, end: entry.end } : null;
    change.mutate(
      { change: entry ? { kind: 'edit', id: entry.id, stretch } : { kind: 'add', stretch }, before },
      { onSuccess: onClose, onError: (error) => setFailure({ time: error.message }) },
    );
  };
  return (
    <Dialog opened title={entry ? 'Change the time' : 'Add time'} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <SearchSelect
          size="sm"
          label="Task"
          data={(tasks.data ?? []).map(({ id, title }) => ({ value: id, label: title }))}
          value={taskId}
          onChange={setTaskId}
          error={failure.task}
          limit={50}
          nothingFoundMessage="No task of that name"
        />
        <SpanInputs span={span} onChange={setSpan} />
        {failure.time && (
          <p className={classes.error} role="alert">
            {failure.time}
          </p>
        )}
        <p className={classes.quiet}>Times on the company’s clock ({zone}). A “To” before “From” is on the next day.</p>
        <DialogActions>
          <Button size="sm" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button size="sm" type="submit" loading={change.isPending}>
            {entry ? 'Save' : 'Add'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

const spanInputs = [
  ['day', 'date', 'Day'],
  ['from', 'time', 'From'],
  ['to', 'time', 'To'],
] as const;

function SpanInputs({ span, onChange }: { span: Span; onChange: (span: Span) => void }) {
  return (
    <div className={classes.row}>
      {spanInputs.map(([key, type, label]) => (
        <TextInput
          key={key}
          size="sm"
          type={type}
          label={label}
          value={span[key]}
          onChange={(event) => onChange({ ...span, [key]: event.currentTarget.value })}
        />
      ))}
    </div>
  );
}
