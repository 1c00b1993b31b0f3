import { Button } from '@mantine/core';
import { IconCalendarEvent, IconCalendarOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { daySpanWithYear, weekdayOf } from '#core/base/day-words.ts';
import { holidayLimits, holidaysWithin } from '#core/base/holidays.ts';
import { delegateGapWords, isOn } from '#core/people/absences.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { WayList, WayRow } from '#web/ui/way-row.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { AbsenceDialog } from './absence-dialog.tsx';
import { type Absence, absencesQuery, companyToday, useEndAbsence } from './absence-queries.ts';
import classes from './absences.module.css';
import { holidaysQuery } from './holidays-query.ts';

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
