import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { dayWithYear, dayWords } from '#core/base/day-words.ts';
import { comingExceptions, isRestorable } from '#core/toolbox/meeting-times.ts';
import { asApiError } from '#web/api/api-error.ts';
import { useChange } from '#web/api/change.ts';
import { useFocusBack } from '#web/ui/focus-back.ts';
import { Form, useForm } from '#web/ui/form.tsx';
import classes from './meeting-panel.module.css';
import { exceptionWords, todayInCompany } from './meeting-words.ts';
import { changeDay, type DayChange, type Meeting, scheduleQuery } from './schedule-queries.ts';
import { overlapsOfMove } from './use-meeting-form.ts';

type ChangedDay = Omit<DayChange, 'id' | 'version'>;

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
      const name = `“${meeting.title}” on ${dayWords(part.day)}`;
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

type Props = { readonly meeting: Meeting; readonly day: string | null; readonly all: readonly Meeting[] };

/** Changes to single weeks: cancels or moves this one, and restores any. */
export function MeetingOfDay({ meeting, day, all }: Props) {
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
            Cancel meeting on {dayWords(day)}
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
