import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clockInZone, dayInZone } from '#core/base/day-words.ts';
import { isRefusal } from '#core/base/refusals.ts';
import { mondayOf } from '#core/toolbox/meeting-times.ts';
import { oldWeekRefusal, readMonday, type TimeEntry, weekGrid } from '#core/toolbox/time-entries.ts';
import { config } from '#web/api/config.ts';
import { useAddress } from '#web/shell/address.ts';
import { useNow } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { type Entry, type TimeWeek, useFinal, useTimeChange, weekQuery } from './time-queries.ts';
import classes from './time-tracker.module.css';
import { dayTitle, hoursWords, stretchWords, timesToAdd, weekTitle } from './time-words.ts';

/** On a phone, the first columns would hide today. */
function showToday(box: HTMLElement | null): void {
  const today = box?.querySelector<HTMLElement>('[aria-current="date"]');
  if (box && today) box.scrollLeft = today.offsetLeft + today.offsetWidth - box.clientWidth;
}

const sum = (seconds: readonly number[]): number => seconds.reduce((total, each) => total + each, 0);

/** Hours by task and day in the company's zone; the core splits entries at midnight. */
export function WeekGrid({ week, monday }: { week: TimeWeek; monday: Temporal.PlainDate }) {
  const now = Temporal.Instant.fromEpochMilliseconds(useNow());
  const zone = config().companyTimeZone;
  const entries = week.entries.map(
    ({ id, taskId, start, end }): TimeEntry => ({
      id,
      taskId,
      start: Temporal.Instant.from(start),
      end: end === null ? null : Temporal.Instant.from(end),
    }),
  );
  // Whole minutes, as shown, so the table adds up.
  const grid = [...weekGrid(entries, monday, zone, now)].map(
    ([taskId, seconds]) => [taskId, seconds.map((each) => Math.round(each / 60) * 60)] as const,
  );
  const titles = new Map(week.entries.map(({ taskId, title }) => [taskId, title]));
  const dates = Array.from({ length: 7 }, (_, index) => monday.add({ days: index }));
  const days = dates.map(dayTitle);
  const today = dates.findIndex((date) => date.equals(now.toZonedDateTimeISO(zone)));
  const byDay = days.map((_, day) => sum(grid.map(([, seconds]) => seconds[day] ?? 0)));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs focus to be scrolled by keys.
    <section className={classes.box} aria-label="Hours by task and day" tabIndex={0} ref={showToday}>
      <table className={classes.grid}>
        <caption className="visually-hidden">Hours and minutes by task and day ({zone})</caption>
        <thead>
          <tr>
            <th scope="col">Task</th>
            {days.map((day, index) => (
              <th key={day} scope="col" aria-current={index === today ? 'date' : undefined}>
                {day}
              </th>
            ))}
            <th scope="col">Week</th>
          </tr>
        </thead>
        <tbody>
          {grid.map(([taskId, seconds]) => (
            <tr key={taskId}>
              <th scope="row">{titles.get(taskId)}</th>
              {seconds.map((each, day) => (
                <td key={days[day]}>{hoursWords(each)}</td>
              ))}
              <td>{hoursWords(sum(seconds))}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All tasks</th>
            {byDay.map((each, day) => (
              <td key={days[day]}>{hoursWords(each)}</td>
            ))}
            <td>{hoursWords(sum(byDay))}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** The address's week, by its Monday; by default the current one. */
function useWeek() {
  const [{ week }, change] = useAddress('/top-5/tools/time-tracker');
  const now = Temporal.Instant.fromEpochMilliseconds(useNow());
  const zone = config().companyTimeZone;
  const current = mondayOf(now, zone);
  const named = week === undefined ? null : readMonday(week);
  const monday = named === null || isRefusal(named) ? current : named;
  const isCurrent = monday.equals(current);
  const day = isCurrent ? dayInZone(now, zone) : monday.toString();
  const go = (weeks: number) => {
    const next = monday.add({ days: 7 * weeks });
    change({ week: next.equals(current) ? null : next.toString() });
  };
  /** `day`: the one to add time on. */
  return { monday, isCurrent, day, now, go };
}

/** The person's week by task and day, with every entry. */
export function WeekPanel() {
  const { monday, isCurrent, day, now, go } = useWeek();
  const week = useQuery(weekQuery(monday.toString()));
  const [editing, setEditing] = useState<Entry | 'new' | null>(null);
  const { data } = week;
  const closed = closedWords(monday, now, data);
  const actions = (
    <div className={classes.choices}>
      <ActionIcon aria-label="Previous week" onClick={() => go(-1)}>
        <IconChevronLeft size={17} stroke={1.7} />
      </ActionIcon>
      <ActionIcon aria-label="Next week" disabled={isCurrent} onClick={() => go(1)}>
        <IconChevronRight size={17} stroke={1.7} />
      </ActionIcon>
      <Writes>
        <Button variant="default" disabled={!data || closed !== null} onClick={() => setEditing('new')}>
          Add time
        </Button>
      </Writes>
      {data && (data.final ? data.canReopen : closed === null) && <FinalButton week={data} />}
    </div>
  );
  return (
    <Panel
      title={`Week ${weekTitle(monday.toString())}`}
      note={data?.final ? 'final' : undefined}
      actions={actions}
      flush
    >
      {week.isError && !data ? (
        <PanelError
          sentence={week.error.code === 'OWN_EYES_ONLY' ? week.error.message : 'Couldn’t load the week.'}
          onRetry={() => void week.refetch()}
          requestId={week.error.requestId}
        />
      ) : (
        <Loading loading={!data} skeleton={<SkeletonRows rows={4} />}>
          {data && data.entries.length === 0 && (
            <EmptyState title="No time this week">{closed ?? 'Start a timer or add time.'}</EmptyState>
          )}
          {data && data.entries.length > 0 && (
            <>
              {closed && <p className={classes.why}>{closed}</p>}
              <WeekGrid key={String(monday)} week={data} monday={monday} />
              <Entries week={data} closed={closed !== null} onEdit={setEditing} />
            </>
          )}
        </Loading>
      )}
      {editing !== null && (
        <EntryDialog
          entry={editing === 'new' ? null : editing}
          shown={{ day, ...timesToAdd(data?.entries ?? [], day, now, config().companyTimeZone) }}
          onClose={() => setEditing(null)}
        />
      )}
    </Panel>
  );
}

/** Why the week's time can't be changed; null if it can. */
function closedWords(monday: Temporal.PlainDate, now: Temporal.Instant, week: TimeWeek | undefined): string | null {
  if (week?.final) return week.canReopen ? 'Reopen the week to add time.' : 'This week is final.';
  const refusal = oldWeekRefusal(monday, now, config().companyTimeZone);
  return refusal && `${refusal.message}.`;
}

function FinalButton({ week }: { week: TimeWeek }) {
  const change = useFinal(week.monday);
  return (
    <Writes>
      <Button variant="default" loading={change.isPending} onClick={() => change.mutate(!week.final)}>
        {week.final ? 'Reopen week' : 'Mark week as final'}
      </Button>
    </Writes>
  );
}

type EntriesProps = { readonly week: TimeWeek; readonly closed: boolean; readonly onEdit: (entry: Entry) => void };

function Entries({ week, closed, onEdit }: EntriesProps) {
  const change = useTimeChange();
  const zone = config().companyTimeZone;
  const remove = ({ id, taskId, start, end }: Entry) =>
    change.mutate({ change: { kind: 'remove', id }, before: end === null ? null : { taskId, start, end } });
  return (
    <ul className={classes.entries} aria-label="Entries">
      {week.entries.map((entry) => (
        <li key={entry.id} className={classes.entry}>
          <span>{spanWords(entry)}</span>
          <span className={classes.quiet}>
            {entry.end !== null && stretchWords({ ...entry, end: entry.end }, zone)}
          </span>
          <span>{entry.title}</span>
          <Writes>
            <ActionIcon
              aria-label={`Edit ${entry.title}, ${spanWords(entry)}`}
              disabled={closed || entry.end === null}
              onClick={() => onEdit(entry)}
            >
              <IconPencil size={15} stroke={1.7} />
            </ActionIcon>
          </Writes>
          <Writes>
            <ActionIcon
              aria-label={`Remove ${entry.title}, ${spanWords(entry)}`}
              disabled={closed || entry.end === null}
              onClick={() => remove(entry)}
            >
              <IconTrash size={15} stroke={1.7} />
            </ActionIcon>
          </Writes>
        </li>
      ))}
    </ul>
  );
}

function spanWords({ start, end }: Entry): string {
  const zone = config().companyTimeZone;
  const day = dayTitle(dayInZone(start, zone));
  return `${day} ${clockInZone(start, zone)}–${end === null ? 'now' : clockInZone(end, zone)}`;
}
