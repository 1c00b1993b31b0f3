import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { scopes } from '#core/access/brands.ts';
import { dayWithYear, dayWords, weekdays } from '#core/base/day-words.ts';
import { countWords } from '#core/base/formats.ts';
import {
  comingExceptions,
  isDateOver,
  isRestorable,
  type Occurrence,
  occurrencesBetween,
  weekFrom,
} from '#core/toolbox/meeting-times.ts';
import { canCreateMeetings, canEditMeeting } from '#core/toolbox/meetings.ts';
import { asApiError } from '#web/api/api-error.ts';
import { useChange } from '#web/api/change.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { lengthWords } from '#web/ui/age.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { useFocusBack } from '#web/ui/focus-back.ts';
import { Form, useForm } from '#web/ui/form.tsx';
import { Markdown } from '#web/ui/markdown.tsx';
import { ownTimeWords } from '#web/ui/own-time.ts';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './meeting-panel.module.css';
import { attendeeWords, exceptionWords, todayInCompany, whenWords, wholeTeamWords } from './meeting-words.ts';
import {
  changeDay,
  type DayChange,
  type Meeting,
  removeMeeting,
  restoreMeeting,
  scheduleQuery,
} from './schedule-queries.ts';
import { overlapsOfMove } from './use-meeting-form.ts';

type ChangedDay = Omit<DayChange, 'id' | 'version'>;

/** Where the meeting of this day was moved to, or the day itself. */
const heldOn = ({ exceptions }: Meeting, day: string): string =>
  exceptions.find((exception) => exception.day === day)?.to?.day ?? day;

/** Makes the day what it was before a change. Null for a moved meeting that doesn't repeat. */
function undoOf({ onceOn, exceptions }: Meeting, { day, toDay }: ChangedDay): ChangedDay | null {
  if (onceOn && toDay) return null;
  const before = exceptions.find((exception) => exception.day === day);
  if (!before) return { day, restore: true };
  return before.to ? { day, toDay: before.to.day, toTime: before.to.time } : { day };
}

function useDayChange(meeting: Meeting, onChanged: () => void) {
  return useChange({
    send: (part: ChangedDay) => changeDay({ id: meeting.id, version: meeting.version, ...part }),
    touches: [scheduleQuery.queryKey],
    meta: { quiet: true },
    onDone: onChanged,
    done: ({ id, version }, part) => {
      const name = `“${meeting.title}” on ${dayWords(part.restore ? part.day : heldOn(meeting, part.day))}`;
      const moved = part.toDay ? `was moved to ${dayWords(part.toDay)}` : 'was canceled';
      const back = undoOf(meeting, part);
      return {
        message: `${name} ${part.restore ? 'was restored' : moved}`,
        undo: back ? () => changeDay({ id, version, ...back }) : undefined,
        undone: `${name} was restored`,
      };
    },
  });
}

type MeetingOfDayProps = { readonly meeting: Meeting; readonly day: string | null; readonly all: readonly Meeting[] };

/** Changes to single weeks: cancels or moves this one, and restores any. */
function MeetingOfDay({ meeting, day, all }: MeetingOfDayProps) {
  const [moving, setMoving] = useState(false);
  const opener = useFocusBack(moving);
  const change = useDayChange(meeting, () => setMoving(false));
  const today = todayInCompany();
  const exceptions = comingExceptions(meeting, today);
  if (day === null && exceptions.length === 0) return null;
  return (
    <section className={classes.day} aria-label="One-time changes">
      <h3 className={classes.heading}>One-time changes</h3>
      {exceptions.length > 0 && (
        <ul className={classes.exceptions}>
          {exceptions.map((exception) => (
            <li key={exception.day}>
              {exceptionWords(exception)}
              {isRestorable(exception, today) && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  disabled={change.isPending}
                  onClick={() => change.mutate({ day: exception.day, restore: true })}
                >
                  Restore<span className="visually-hidden"> the meeting on {dayWithYear(exception.day)}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {day !== null && !moving && (
        <div className={classes.pair}>
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate({ day })}>
            Cancel meeting on {dayWords(heldOn(meeting, day))}
          </Button>
          <Button ref={opener} variant="default" onClick={() => setMoving(true)}>
            Move to another date
          </Button>
        </div>
      )}
      {day !== null && moving && <Move {...{ meeting, day, all, change }} onCancel={() => setMoving(false)} />}
      {change.error && !moving && (
        <p className={classes.failure} role="alert">
          {asApiError(change.error).message}
        </p>
      )}
    </section>
  );
}

type MoveProps = {
  readonly meeting: Meeting;
  readonly day: string;
  readonly all: readonly Meeting[];
  readonly change: ReturnType<typeof useDayChange>;
  readonly onCancel: () => void;
};

function Move({ meeting, day, all, change, onCancel }: MoveProps) {
  const known = meeting.exceptions.find((exception) => exception.day === day)?.to;
  const form = useForm({
    initial: { toDay: known?.day ?? day, toTime: known?.time ?? meeting.time },
    mutation: change,
    variables: (to) => ({ day, ...to }),
  });
  const clashes = overlapsOfMove(all, meeting, form.values);
  const isWhole = form.values.toDay !== '' && form.values.toTime !== '';
  return (
    <Form form={form} className={classes.pair} disabled={!isWhole}>
      <TextInput type="date" label="New date" {...form.field('toDay')} size="xs" autoFocus />
      <TextInput type="time" label="Time" {...form.field('toTime')} size="xs" />
      {clashes.length > 0 && (
        <p className={classes.clash} role="status">
          Overlaps with: {clashes.join(', ')}
        </p>
      )}
      <Button type="submit" loading={form.busy} disabled={!isWhole}>
        Move meeting
      </Button>
      <Button variant="default" onClick={onCancel}>
        Keep this date
      </Button>
    </Form>
  );
}

type Props = {
  readonly meeting: Meeting | null;
  /** The day that names the opened meeting. */
  readonly day: string | null;
  readonly all: readonly Meeting[];
  readonly onClose: () => void;
  readonly onEdit: (meeting: Meeting) => void;
};

/** One meeting: the series, and the opened day's. */
export function MeetingPanel({ meeting, day, all, onClose, onEdit }: Props) {
  return (
    <SidePanel inAddress opened={meeting !== null} title={meeting?.title ?? 'Meeting'} onClose={onClose}>
      {meeting && <Content meeting={meeting} day={day} all={all} onClose={onClose} onEdit={onEdit} />}
    </SidePanel>
  );
}

/** The meeting named by this day, wherever it was moved; null if it doesn't exist. */
function occurrenceOf(meeting: Meeting, day: string | null, zone: string): Occurrence | null {
  if (day === null || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const { from, to } = weekFrom(Temporal.PlainDate.from(heldOn(meeting, day)), zone);
  return occurrencesBetween(meeting, from, to, zone).find((occurrence) => occurrence.day === day) ?? null;
}

function Content({ meeting, day, all, onClose, onEdit }: Omit<Props, 'meeting'> & { readonly meeting: Meeting }) {
  const viewer = useViewer();
  const zone = config().companyTimeZone;
  const occurrence = occurrenceOf(meeting, day, zone);
  const own = occurrence && ownTimeWords(occurrence.start, zone);
  const canEdit = canEditMeeting(viewer, meeting);
  const isChangeable = occurrence && !occurrence.canceled && !isDateOver(meeting, occurrence.day, todayInCompany());
  return (
    <div className={classes.content}>
      <dl className={classes.facts}>
        {occurrence && (
          <Fact title="This date">
            {whenWords(occurrence, zone)}
            {own && `, ${own}`}
            {occurrence.moved && ', moved'}
            {occurrence.canceled && ', canceled'}
          </Fact>
        )}
        <Fact title={meeting.onceOn ? 'Once' : 'Every week'}>
          {meeting.onceOn ? dayWithYear(meeting.onceOn) : weekdays[meeting.weekday - 1]} {meeting.time} ({zone}),{' '}
          {lengthWords(meeting.minutes)}
        </Fact>
        {meeting.place && <Fact title="Place">{meeting.place}</Fact>}
        {meeting.link && (
          <Fact title="Link">
            <a href={meeting.link} target="_blank" rel="noopener nofollow">
              {meeting.link}
            </a>
          </Fact>
        )}
        {meeting.team && <Fact title="Team">{scopes[meeting.team].title}</Fact>}
        <Fact title="Chair">{meeting.chair.displayName}</Fact>
        <Fact title={`Attendees (${countWords(meeting.attendeeCount)})`}>
          {meeting.wholeTeam && <p>{wholeTeamWords(meeting.team)}</p>}
          {attendeeWords(meeting) || 'Nobody yet'}
        </Fact>
      </dl>
      {meeting.agenda && (
        <section aria-label="Agenda">
          <h3 className={classes.heading}>Agenda</h3>
          <Markdown text={meeting.agenda} />
        </section>
      )}
      {canEdit && (
        <Writes>
          <MeetingOfDay all={all} key={day} meeting={meeting} day={isChangeable ? day : null} />
        </Writes>
      )}
      {canEdit && (
        <div className={classes.buttons}>
          {canCreateMeetings(viewer) && <Remove meeting={meeting} onRemoved={onClose} />}
          <Writes>
            <Button onClick={() => onEdit(meeting)}>Edit meeting</Button>
          </Writes>
        </div>
      )}
    </div>
  );
}

function Fact({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Remove({ meeting, onRemoved }: { meeting: Meeting; onRemoved: () => void }) {
  const [asked, setAsked] = useState(false);
  const remove = useChange({
    send: () => removeMeeting(meeting),
    touches: [scheduleQuery.queryKey],
    onDone: onRemoved,
    done: () => ({
      message: `“${meeting.title}” removed`,
      undo: () => restoreMeeting(meeting.id),
      undone: `“${meeting.title}” restored`,
    }),
  });
  return (
    <>
      <Writes>
        <Button variant="subtle" color="danger" onClick={() => setAsked(true)}>
          Remove meeting
        </Button>
      </Writes>
      <ConfirmDialog
        opened={asked}
        title="Remove this meeting?"
        confirm="Remove meeting"
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsked(false)}
      >
        “{meeting.title}” disappears from the schedule and from everyone’s calendars.
      </ConfirmDialog>
    </>
  );
}
