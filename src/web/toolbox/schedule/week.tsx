import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { scopes } from '#core/access/brands.ts';
import { dayWords, weekdays } from '#core/base/day-words.ts';
import { plural } from '#core/base/formats.ts';
import {
  type Clash,
  clashesOf,
  isIn,
  mondayOf,
  type Occurrence,
  occurrencesOfAll,
  weekFrom,
} from '#core/toolbox/meeting-times.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';
import { Panel } from '#web/ui/panel.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { hostOf, ownTimeWords, spanWords } from './meeting-words.ts';
import type { Meeting } from './schedule-queries.ts';
import classes from './week.module.css';

type Props = { readonly all: readonly Meeting[]; readonly now: Temporal.Instant };
type Taking = {
  readonly series: Meeting;
  readonly occurrence: Occurrence;
  readonly clashes: readonly Clash<Meeting>[];
};

/** Seven days with their meetings, in company time; stacked on phones. */
export function Week({ all, now }: Props) {
  const viewer = useViewer();
  const [search] = useAddress('/top-5/tools/schedule');
  const zone = config().companyTimeZone;
  const thisMonday = mondayOf(now, zone);
  const monday = search.week ? mondayBefore(search.week) : thisMonday;
  const { from, to } = weekFrom(monday, zone);
  const taking = occurrencesOfAll(all, from, to, zone);
  const clashes = clashesOf(taking);
  const shown = taking
    .map((each, index): Taking => ({ ...each, clashes: clashes[index] ?? [] }))
    .filter(({ series }) => search.whose !== 'mine' || isIn(series, viewer.id));
  return (
    <Panel
      title={`${dayWords(monday)} to ${dayWords(monday.add({ days: 6 }))}`}
      note={plural(shown.length, 'meeting')}
      actions={<WeekActions monday={monday} thisMonday={thisMonday} />}
      flush
    >
      <ol className={classes.days}>
        {weekdays.map((title, index) => (
          <Day
            key={title}
            title={title}
            day={monday.add({ days: index })}
            taking={shown}
            now={now}
            viewerId={viewer.id}
          />
        ))}
      </ol>
    </Panel>
  );
}

type ActionsProps = { readonly monday: Temporal.PlainDate; readonly thisMonday: Temporal.PlainDate };

function WeekActions({ monday, thisMonday }: ActionsProps) {
  const [search, change] = useAddress('/top-5/tools/schedule');
  const go = (day: Temporal.PlainDate) => change({ week: day.equals(thisMonday) ? null : day.toString() });
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
  /** All meetings of the week. */
  readonly taking: readonly Taking[];
  readonly now: Temporal.Instant;
  readonly viewerId: string;
};

function Day({ title, day, taking, now, viewerId }: DayProps) {
  const zone = config().companyTimeZone;
  const isOn = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(zone).toPlainDate().equals(day);
  const ofDay = taking.filter(({ occurrence }) => isOn(occurrence.start));
  const isToday = isOn(now);
  return (
    <li className={classes.day} data-today={isToday || undefined} data-empty={ofDay.length === 0 || undefined}>
      <h3 className={classes.name}>
        {title} <span>{dayWords(day)}</span>
        {isToday && <span className="visually-hidden">, today</span>}
      </h3>
      <ul className={classes.meetings}>
        {ofDay.map((each) => (
          <MeetingCard key={`${each.series.id} ${each.occurrence.day}`} taking={each} viewerId={viewerId} now={now} />
        ))}
      </ul>
    </li>
  );
}

type CardProps = { readonly taking: Taking; readonly viewerId: string; readonly now: Temporal.Instant };

function MeetingCard({ taking: { series, occurrence, clashes }, viewerId, now }: CardProps) {
  const zone = config().companyTimeZone;
  const own = ownTimeWords(occurrence.start, zone);
  const isOver = Temporal.Instant.compare(occurrence.end, now) <= 0;
  const isMine = isIn(series, viewerId);
  return (
    <li className={classes.meeting} data-mine={isMine || undefined} data-over={isOver || undefined}>
      <p className={classes.time}>
        {spanWords(occurrence, zone)}
        {own && <span className={classes.own}>{own}</span>}
      </p>
      <Link
        to="/top-5/tools/schedule"
        search={(old) => ({ ...old, meeting: series.id, day: occurrence.day })}
        className={classes.title}
      >
        {series.title}
      </Link>
      <p className={classes.about}>
        {[series.team && scopes[series.team].title, series.place || (series.link && hostOf(series.link))]
          .filter(Boolean)
          .join(' · ')}
        {isMine && <span className="visually-hidden"> You’re in it.</span>}
      </p>
      {occurrence.moved && <p className={classes.mark}>Moved this week</p>}
      {clashes.length > 0 && <p className={classes.clash}>{clashWords(clashes, viewerId)}</p>}
    </li>
  );
}

/** "Overlaps with Weekly of Connect for you and 2 others" */
function clashWords(clashes: readonly Clash<Meeting>[], viewerId: string): string {
  const people = new Set(clashes.flatMap((clash) => clash.people));
  const others = people.size - (people.has(viewerId) ? 1 : 0);
  const counted = `${others} ${people.has(viewerId) ? 'other' : 'person'}${others === 1 ? '' : 's'}`.replace(
    'persons',
    'people',
  );
  const who = [people.has(viewerId) && 'you', others > 0 && counted].filter(Boolean).join(' and ');
  return `Overlaps with ${clashes.map((clash) => clash.with.title).join(', ')} for ${who}`;
}

/** The Monday of this day's week. */
function mondayBefore(text: string): Temporal.PlainDate {
  const day = Temporal.PlainDate.from(text);
  return day.subtract({ days: day.dayOfWeek - 1 });
}
