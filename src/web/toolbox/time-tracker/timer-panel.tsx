import { Button, TextInput } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { dayInZone, formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { type Timer, timerQuery, useStartTimer, useStopTimer } from '#web/api/timer.ts';
import { clock, useElapsed } from '#web/ui/age.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { type Entry, type TimedTask, timedTasksQuery } from './time-queries.ts';
import classes from './time-tracker.module.css';
import { noTaskWords, spokenHours, stretchOf } from './time-words.ts';

/** The person's timer: the running task, or a task to start. */
export function TimePanel() {
  const timer = useQuery(timerQuery);
  return (
    <Panel title="Timer">
      {timer.isError && timer.data === undefined ? (
        <PanelError
          sentence={
            ['FORBIDDEN', 'OWN_EYES_ONLY'].includes(timer.error.code) ? timer.error.message : 'Couldn’t load the timer.'
          }
          onRetry={() => void timer.refetch()}
          requestId={timer.error.requestId}
        />
      ) : (
        <Loading loading={timer.isPending} skeleton={<SkeletonBlock height={32} />}>
          {timer.data ? <Running timer={timer.data} /> : <Start />}
        </Loading>
      )}
    </Panel>
  );
}

function Running({ timer }: { timer: Timer }) {
  const stop = useStopTimer();
  const elapsed = useElapsed(timer.start);
  const [asking, setAsking] = useState(timer.forgotten);
  return (
    <div className={classes.timer}>
      <span className={classes.clock} data-numeric role="timer" aria-label={`Running for ${spokenHours(elapsed)}`}>
        {clock(elapsed)}
      </span>
      <span className={classes.running}>
        {timer.title}
        <br />
        <span className={classes.quiet}>Since {formatInstant(timer.start, config().companyTimeZone)}</span>
      </span>
      <Writes>
        <Button
          leftSection={<IconPlayerStop size={15} stroke={1.7} aria-hidden />}
          loading={stop.isPending}
          onClick={() => (timer.forgotten ? setAsking(true) : stop.mutate({ id: timer.id }))}
        >
          Stop
        </Button>
      </Writes>
      {asking && <ForgottenDialog timer={timer} onClose={() => setAsking(false)} />}
    </div>
  );
}

/** For a timer that ran overnight: asks when the work ended. */
function ForgottenDialog({ timer, onClose }: { timer: Timer; onClose: () => void }) {
  const zone = config().companyTimeZone;
  const form = useForm({
    initial: { day: dayInZone(timer.start, zone), time: '18:00' },
    rule: ({ day, time }) =>
      stretchOf(day, time, time, zone) ? null : { field: 'time', message: 'Enter the time like 17:30' },
    mutation: useStopTimer({ quiet: true }),
    variables: ({ day, time }) => ({ id: timer.id, at: stretchOf(day, time, time, zone)!.start }),
    onSent: onClose,
  });
  return (
    <Dialog opened title="When did you stop?" onClose={onClose}>
      <Form form={form} submit="Stop at this time" cancel="Still working">
        <p>
          The timer for “{timer.title}” has been running since {formatInstant(timer.start, zone)} ({zone}).
        </p>
        <div className={classes.row}>
          <TextInput type="date" label="Date" {...form.field('day')} />
          <TextInput type="time" label="Stopped at" data-autofocus {...form.field('time')} />
        </div>
      </Form>
    </Dialog>
  );
}

function Start() {
  const tasks = useQuery(timedTasksQuery);
  const start = useStartTimer();
  const [chosen, setChosen] = useState<string | null>(null);
  if (tasks.isError && !tasks.data)
    return (
      <PanelError
        sentence="Couldn’t load your tasks."
        onRetry={() => void tasks.refetch()}
        requestId={tasks.error.requestId}
      />
    );
  if (tasks.data?.length === 0)
    return <p className={classes.quiet}>You have no tasks yet. Create one on the Tasks page first.</p>;
  return (
    <div className={classes.timer}>
      <TaskSelect
        className={classes.task}
        aria-label="Task"
        placeholder="No task selected"
        tasks={tasks}
        value={chosen}
        onChange={setChosen}
      />
      <Writes>
        <Button
          leftSection={<IconPlayerPlay size={15} stroke={1.7} aria-hidden />}
          disabled={chosen === null}
          loading={start.isPending}
          onClick={() => chosen !== null && start.mutate(chosen)}
        >
          Start
        </Button>
      </Writes>
    </div>
  );
}

type TaskSelectProps = Omit<ComponentProps<typeof SearchSelect>, 'data'> & {
  readonly tasks: UseQueryResult<readonly TimedTask[]>;
  /** The entry that is edited: its task may be withdrawn, or older than the latest tasks. */
  readonly own?: Entry | null;
};

/** One of the person's tasks, with the sprint of those that aren't in the current one. */
export function TaskSelect({ tasks, own = null, ...props }: TaskSelectProps) {
  const latest = tasks.data ?? [];
  const isMissing = own && !latest.some(({ id }) => id === own.taskId);
  const sprints = new Map(latest.map(({ id, sprint }) => [id, sprint]));
  return (
    <SearchSelect
      data={[
        ...(isMissing ? [{ value: own.taskId, label: own.title }] : []),
        ...latest.map(({ id, title }) => ({ value: id, label: title })),
      ]}
      limit={50}
      nothingFoundMessage={noTaskWords(tasks)}
      renderOption={({ option: { value, label } }) => (
        <span className={classes.option}>
          {label} <span className={classes.quiet}>{sprints.get(value)}</span>
        </span>
      )}
      {...props}
    />
  );
}
