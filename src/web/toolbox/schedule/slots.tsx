// The half hours of a day's column: a click, a drag over several, or Enter starts a new meeting there.
import { type CSSProperties, type KeyboardEvent, useState } from 'react';
import { clockOf, dayInZone, dayWords, minutesOfDay } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import classes from './week.module.css';

/** A free time that someone chose for a meeting, in company time. */
export type Slot = { readonly day: string; readonly time: string; readonly minutes: number };

const slotMinutes = 30;

type Hours = { readonly first: number; readonly last: number };

/** The start of every half hour that isn't past, in minutes from midnight. */
function offeredTimes(day: Temporal.PlainDate, { first, last }: Hours, now: Temporal.Instant): number[] {
  const zone = config().companyTimeZone;
  const order = Temporal.PlainDate.compare(day, dayInZone(now, zone));
  if (order < 0) return [];
  const earliest = order === 0 ? minutesOfDay(now, zone) : 0;
  return Array.from(
    { length: ((last - first) * 60) / slotMinutes },
    (_, index) => first * 60 + index * slotMinutes,
  ).filter((time) => time >= earliest);
}

/** The only half hour that Tab and screen readers reach. Arrows go on from there. */
export type TabStop = { readonly weekday: number; readonly time: number };

/** The last focused half hour of the week, or its first one in office hours. */
export function useTabStop(
  days: readonly Temporal.PlainDate[],
  hours: Hours,
  now: Temporal.Instant,
): readonly [TabStop | null, (stop: TabStop) => void] {
  const [focused, setFocused] = useState<TabStop | null>(null);
  const offered = days.flatMap((day) =>
    offeredTimes(day, hours, now).map((time) => ({ weekday: day.dayOfWeek, time })),
  );
  const isFocused = ({ weekday, time }: TabStop) => weekday === focused?.weekday && time === focused.time;
  return [offered.find(isFocused) ?? offered.find(({ time }) => time >= 9 * 60) ?? offered[0] ?? null, setFocused];
}

type Props = {
  readonly day: Temporal.PlainDate;
  readonly title: string;
  readonly hours: Hours;
  readonly now: Temporal.Instant;
  readonly tabStop: TabStop | null;
  readonly onFocus: (stop: TabStop) => void;
  readonly onSlot: (slot: Slot) => void;
};

export function Slots({ day, title, hours, now, tabStop, onFocus, onSlot }: Props) {
  const [chosen, setChosen] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const times = offeredTimes(day, hours, now);
  const [first = hours.first * 60] = times;
  const isTabStop = (time: number) => tabStop?.weekday === day.dayOfWeek && tabStop.time === time;
  const isChosen = (time: number) =>
    chosen !== null && time >= Math.min(chosen.from, chosen.to) && time <= Math.max(chosen.from, chosen.to);
  const send = (from: number, to: number) => {
    setChosen(null);
    const minutes = Math.abs(to - from) + slotMinutes;
    onSlot({ day: day.toString(), time: clockOf(Math.min(from, to)), minutes });
  };
  return (
    <div
      className={classes.slots}
      style={{ '--at': first / 60 - hours.first } as CSSProperties}
      onPointerLeave={() => setChosen(null)}
    >
      {times.map((time) => (
        <button
          key={time}
          type="button"
          className={classes.slot}
          tabIndex={isTabStop(time) ? 0 : -1}
          aria-hidden={!isTabStop(time) || undefined}
          onFocus={() => onFocus({ weekday: day.dayOfWeek, time })}
          aria-label={`New meeting on ${title} ${dayWords(day)} at ${clockOf(time)}`}
          data-slot={`${day.dayOfWeek} ${time}`}
          data-chosen={isChosen(time) || undefined}
          onPointerDown={(event) => {
            event.currentTarget.releasePointerCapture(event.pointerId);
            if (event.button === 0) setChosen({ from: time, to: time });
          }}
          onPointerEnter={() => chosen && setChosen({ ...chosen, to: time })}
          onPointerUp={() => chosen && send(chosen.from, time)}
          // Enter and Space click without a pointer.
          onClick={(event) => event.detail === 0 && send(time, time)}
          onKeyDown={(event) => moveOn(event, day.dayOfWeek, time)}
        >
          {clockOf(time)}
        </button>
      ))}
    </div>
  );
}

const steps: Readonly<Record<string, readonly [days: number, minutes: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -slotMinutes],
  ArrowDown: [0, slotMinutes],
};

function moveOn(event: KeyboardEvent<HTMLButtonElement>, weekday: number, time: number): void {
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  const slot = `[data-slot="${weekday + step[0]} ${time + step[1]}"]`;
  event.currentTarget.closest('ol')?.querySelector<HTMLButtonElement>(slot)?.focus();
}
