import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clockInZone, dayInZone } from '#core/base/day-words.ts';
import { isRefusal } from '#core/base/refusals.ts';
import { mondayOf } from '#core/toolbox/meeting-times.ts';
import { oldWeekRefusal, readMonday } from '#core/toolbox/time-entries.ts';
import { config } from '#web/api/config.ts';
import { useAddress } from '#web/shell/address.ts';
import { useNow } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { showFailure } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { type Entry, type TimeWeek, useFinal, useTimeChange, weekQuery } from './time-queries.ts';
import classes from './time-tracker.module.css';
import { dayTitle, stretchWords, timesToAdd, weekTitle } from './time-words.ts';
import { WeekGrid } from './week-grid.tsx';

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
    change.mutate(
      { change: { kind: 'remove', id }, before: end === null ? null : { taskId, start, end } },
      { onError: showFailure },
    );
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
