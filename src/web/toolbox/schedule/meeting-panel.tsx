import { Button } from '@mantine/core';
import { useState } from 'react';
import { scopes } from '#core/access/brands.ts';
import { dayWithYear, weekdays } from '#core/base/day-words.ts';
import { countWords } from '#core/base/formats.ts';
import { isDateOver, type Occurrence, occurrencesBetween, weekFrom } from '#core/toolbox/meeting-times.ts';
import { canCreateMeetings, canEditMeeting } from '#core/toolbox/meetings.ts';
import { useChange } from '#web/api/change.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { lengthWords } from '#web/ui/age.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Markdown } from '#web/ui/markdown.tsx';
import { ownTimeWords } from '#web/ui/own-time.ts';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { MeetingOfDay } from './meeting-of-day.tsx';
import classes from './meeting-panel.module.css';
import { attendeeWords, todayInCompany, whenWords, wholeTeamWords } from './meeting-words.ts';
import { type Meeting, removeMeeting, restoreMeeting, scheduleQuery } from './schedule-queries.ts';

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
  const moved = meeting.exceptions.find((exception) => exception.day === day)?.to?.day ?? day;
  const { from, to } = weekFrom(Temporal.PlainDate.from(moved), zone);
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
