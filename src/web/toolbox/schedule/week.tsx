import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, useState } from 'react';
import { scopes } from '#core/access/brands.ts';
import { clockInZone, clockOf, dayWords, minutesOfDay, weekdayOf, weekdays } from '#core/base/day-words.ts';
import { plural } from '#core/base/formats.ts';
import { holidaysWithin } from '#core/base/holidays.ts';
import {
  type Clash,
  clashesOf,
  isIn,
  mondayOf,
  type Occurrence,
  occurrencesOfAll,
  type Place,
  placesOfDay,
  weekFrom,
} from '#core/toolbox/meeting-times.ts';
import { holidaysQuery } from '#web/access/shared/holidays-query.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';
import { ownTimeWords } from '#web/ui/own-time.ts';
import { Panel } from '#web/ui/panel.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { hostOf } from './meeting-words.ts';
import type { Meeting } from './schedule-queries.ts';
import { type Slot, Slots, type TabStop, useTabStop } from './slots.tsx';
import classes from './week.module.css';

type Props = {
  readonly all: readonly Meeting[];
  readonly now: Temporal.Instant;
  /** Absent for people who can’t create meetings. */
  readonly onSlot?: (slot: Slot) => void;
};
type Taking = {
  readonly series: Meeting;
  readonly occurrence: Occurrence;
  readonly clashes: readonly Clash<Meeting>[];
};
/** The first and the last hour that the columns show. */
export type Hours = { readonly first: number; readonly last: number };

/** Days and their meetings in company time: columns of hours, on phones a list. */
export function Week({ all, now, onSlot }: Props) {
  const viewer = useViewer();
  const [search] = useAddress('/top-5/tools/schedule');
  const zone = config().companyTimeZone;
  const thisMonday = mondayOf(now, zone);
  const monday = search.week ? mondayBefore(search.week) : (mondayOfOpened(all, search) ?? thisMonday);
  const { data: holidays = [] } = useQuery(holidaysQuery);
  const { from, to } = weekFrom(monday, zone);
  const taking = occurrencesOfAll(all, from, to, zone);
  const clashes = clashesOf(taking);
  const shown = taking
    .map((each, index): Taking => ({ ...each, clashes: clashes[index] ?? [] }))
    .filter(({ series }) => search.whose !== 'mine' || isIn(series, viewer.id));
  const days = weekdays.map((title, index) => {
    const day = monday.add({ days: index });
    const isOn = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(zone).toPlainDate().equals(day);
    const ofDay = shown.filter(({ occurrence }) => isOn(occurrence.start));
    const places = placesOfDay(
      ofDay.map(({ occurrence }) => occurrence),
      zone,
    );
    const off = holidaysWithin(holidays, day.toString(), day.toString()).map(({ name }) => name);
    return { title, day, ofDay, places, off: off.join(', '), isToday: isOn(now) };
  });
  const [withWeekend, setWithWeekend] = useState(false);
  const isWeekendFree = days.slice(5).every(({ ofDay, isToday }) => ofDay.length === 0 && !isToday);
  const hours = hoursOf(days.flatMap(({ places }) => places));
  const drawn = isWeekendFree && !withWeekend ? days.slice(0, 5) : days;
  const [tabStop, setTabStop] = useTabStop(
    drawn.map(({ day }) => day),
    hours,
    now,
  );
  return (
    <Panel
      title={`${dayWords(monday)} to ${dayWords(monday.add({ days: 6 }))}`}
      note={plural(shown.filter(({ occurrence }) => !occurrence.canceled).length, 'meeting')}
      actions={<WeekActions monday={monday} thisMonday={thisMonday} />}
      flush
    >
      <div className={classes.week} style={{ '--hours': hours.last - hours.first } as CSSProperties}>
        <HourLabels hours={hours} now={days.some(({ isToday }) => isToday) ? now : null} />
        <ol className={classes.days}>
          {drawn.map((day) => (
            <Day
              key={day.title}
              {...{ ...day, hours, now, tabStop, onSlot }}
              viewerId={viewer.id}
              onFocus={setTabStop}
            />
          ))}
        </ol>
        {isWeekendFree && <WeekendToggle days={days.slice(5)} isShown={withWeekend} onChange={setWithWeekend} />}
      </div>
    </Panel>
  );
}

type ToggleProps = {
  readonly days: readonly { readonly day: Temporal.PlainDate }[];
  readonly isShown: boolean;
  readonly onChange: (isShown: boolean) => void;
};

function WeekendToggle({ days, isShown, onChange }: ToggleProps) {
  return (
    <button type="button" className={classes.weekend} onClick={() => onChange(!isShown)}>
      {isShown ? (
        'Hide weekend'
      ) : (
        <>
          <span className="visually-hidden">Show weekend: </span>
          {days.map(({ day }) => `${weekdayOf(day)} ${day.day}`).join(', ')}
        </>
      )}
    </button>
  );
}

/** Office hours, and those of every meeting shown. */
function hoursOf(places: readonly Place[]): Hours {
  return {
    first: Math.min(8, ...places.map(({ from }) => Math.floor(from / 60))),
    last: Math.max(18, ...places.map(({ to }) => Math.ceil(to / 60))),
  };
}

/** How far below the first hour, in hours. */
const below = ({ first }: Hours, minutes: number) => ({ '--at': minutes / 60 - first }) as CSSProperties;

const minutesOf = (now: Temporal.Instant): number => minutesOfDay(now, config().companyTimeZone);

/** So near its hour, the time of now would cover the label. */
const minutesOfLabel = 16;

/** The hours beside the columns, and the time of the line that marks now. */
function HourLabels({ hours, now }: { hours: Hours; now: Temporal.Instant | null }) {
  const isNear = (minutes: number) => now !== null && Math.abs(minutesOf(now) - minutes) < minutesOfLabel;
  return (
    <div className={classes.hours} aria-hidden="true">
      {Array.from({ length: hours.last - hours.first }, (_, index) => hours.first + index).map((hour) => (
        <span key={hour} style={below(hours, hour * 60)} data-covered={isNear(hour * 60) || undefined}>
          {clockOf(hour * 60)}
        </span>
      ))}
      {now && isWithin(hours, minutesOf(now)) && (
        <span className={classes.nowTime} style={below(hours, minutesOf(now))}>
          {clockInZone(now, config().companyTimeZone)}
        </span>
      )}
    </div>
  );
}

const isWithin = ({ first, last }: Hours, minutes: number) => minutes >= first * 60 && minutes < last * 60;

type ActionsProps = { readonly monday: Temporal.PlainDate; readonly thisMonday: Temporal.PlainDate };

function WeekActions({ monday, thisMonday }: ActionsProps) {
  const [search, change] = useAddress('/top-5/tools/schedule');
  // Without a week in the address, an opened date shows its own.
  const go = (day: Temporal.PlainDate) =>
    change({ week: day.equals(thisMonday) && !search.day ? null : day.toString() });
  return (
    <div className={classes.actions}>
      <Segmented
        label="Meetings"
        segments={[
          { value: 'all', label: 'Everyone’s' },
          { value: 'mine', label: 'Mine' },
        ]}
        value={search.whose ?? 'all'}
        onChange={(value) => change({ whose: value === 'mine' ? 'mine' : null }, { replace: true })}
      />
      <div className={classes.steps}>
        <ActionIcon
          aria-label="Previous week"
          variant="default"
          size={30}
          onClick={() => go(monday.subtract({ days: 7 }))}
        >
          <IconChevronLeft size={16} stroke={1.7} />
        </ActionIcon>
        <Button variant="default" disabled={monday.equals(thisMonday)} onClick={() => go(thisMonday)}>
          This week
        </Button>
        <ActionIcon aria-label="Next week" variant="default" size={30} onClick={() => go(monday.add({ days: 7 }))}>
          <IconChevronRight size={16} stroke={1.7} />
        </ActionIcon>
      </div>
    </div>
  );
}

type DayProps = {
  readonly title: string;
  readonly day: Temporal.PlainDate;
  readonly ofDay: readonly Taking[];
  /** Places of the meetings, in their order. */
  readonly places: readonly Place[];
  /** The company holidays; empty if there is none. */
  readonly off: string;
  readonly isToday: boolean;
  readonly hours: Hours;
  readonly now: Temporal.Instant;
  readonly viewerId: string;
  readonly tabStop: TabStop | null;
  readonly onFocus: (stop: TabStop) => void;
  readonly onSlot: ((slot: Slot) => void) | undefined;
};

function Day({ ofDay, places, off, isToday, viewerId, onSlot, ...shared }: DayProps) {
  const { title, day, hours, now } = shared;
  return (
    <li
      className={classes.day}
      data-today={isToday || undefined}
      data-off={off || undefined}
      data-empty={(ofDay.length === 0 && off === '') || undefined}
    >
      <h3 className={classes.name} title={off || undefined}>
        {title} <span>{dayWords(day)}</span>
        {off && (
          <span>
            <span className="visually-hidden">, company holiday:</span> {off}
          </span>
        )}
        {isToday && <span className="visually-hidden">, today</span>}
      </h3>
      <div className={classes.column}>
        <ul className={classes.meetings}>
          {ofDay.map((each, index) => (
            <MeetingCard
              key={`${each.series.id} ${each.occurrence.day}`}
              taking={each}
              place={places[index]!}
              hours={hours}
              viewerId={viewerId}
              now={now}
            />
          ))}
        </ul>
        {onSlot && <Slots {...shared} onSlot={onSlot} />}
        {isToday && isWithin(hours, minutesOf(now)) && (
          <span className={classes.nowLine} style={below(hours, minutesOf(now))} />
        )}
      </div>
    </li>
  );
}

type CardProps = {
  readonly taking: Taking;
  readonly place: Place;
  readonly hours: Hours;
  readonly viewerId: string;
  readonly now: Temporal.Instant;
};

function MeetingCard({ taking: { series, occurrence, clashes }, place, hours, viewerId, now }: CardProps) {
  const zone = config().companyTimeZone;
  const isOver = Temporal.Instant.compare(occurrence.end, now) <= 0;
  const isMine = isIn(series, viewerId);
  const isShort = place.to - place.from < 45;
  const more = [
    ownTimeWords(occurrence.start, zone),
    occurrence.moved && 'moved this week',
    series.team && scopes[series.team].title,
    series.place || (series.link && hostOf(series.link)),
  ];
  return (
    <li
      className={classes.meeting}
      data-mine={isMine || undefined}
      data-over={isOver || undefined}
      data-canceled={occurrence.canceled || undefined}
      data-clash={(clashes.length > 0 && !isOver) || undefined}
      data-short={isShort || undefined}
      data-narrow={place.lanes > 1 || undefined}
      style={
        {
          ...below(hours, place.from),
          '--long': (place.to - place.from) / 60,
          '--lane': place.lane,
          '--lanes': place.lanes,
          '--span': place.span,
        } as CSSProperties
      }
    >
      <Link
        to="/top-5/tools/schedule"
        search={(old) => ({ ...old, meeting: series.id, day: occurrence.day })}
        className={classes.title}
        title={series.title}
      >
        {series.title}
      </Link>
      {clashes.length > 0 && !isOver && <Overlap clashes={clashes} viewerId={viewerId} />}
      <p className={classes.about}>
        {occurrence.canceled && 'Canceled · '}
        {clockInZone(occurrence.start, zone)}
        <span className={isShort ? classes.listed : undefined}>–{clockInZone(occurrence.end, zone)}</span>
        <span className={isShort ? classes.listed : undefined}>{more.map((words) => words && ` · ${words}`)}</span>
        {isMine && <span className="visually-hidden"> You’re attending.</span>}
      </p>
    </li>
  );
}

/** "You and 2 others are double-booked with Connect weekly"; the columns show with which by their places. */
function Overlap({ clashes, viewerId }: { clashes: readonly Clash<Meeting>[]; viewerId: string }) {
  const people = new Set(clashes.flatMap((clash) => clash.people));
  const isForAll = clashes.some(({ everyone }) => everyone);
  // The others are named at the meetings that they overlap.
  const named = clashes.filter(({ everyone }) => everyone || !isForAll);
  const isForViewer = people.delete(viewerId);
  const others = isForViewer ? plural(people.size, 'other') : plural(people.size, 'person', 'people');
  const verb = isForViewer || people.size > 1 ? 'are' : 'is';
  return (
    <p className={classes.clash}>
      <span className={classes.brief} aria-hidden="true">
        Double-booked
      </span>
      <span className={classes.whose}>
        {isForAll
          ? 'Everyone is double-booked'
          : `${[isForViewer && 'You', people.size > 0 && others].filter(Boolean).join(' and ')} ${verb} double-booked`}
      </span>
      <span className={classes.listed}> with {named.map((clash) => clash.with.title).join(', ')}</span>
    </p>
  );
}

/** The Monday of the week that the opened date is in, wherever it was moved. Null without one. */
export function mondayOfOpened(
  all: readonly Meeting[],
  { meeting, day = '' }: { readonly meeting?: string | undefined; readonly day?: string | undefined },
): Temporal.PlainDate | null {
  const opened = all.find(({ id }) => id === meeting);
  if (!opened || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  return mondayBefore(opened.exceptions.find((exception) => exception.day === day)?.to?.day ?? day);
}

/** The Monday of this day's week. */
function mondayBefore(text: string): Temporal.PlainDate {
  const day = Temporal.PlainDate.from(text);
  return day.subtract({ days: day.dayOfWeek - 1 });
}
