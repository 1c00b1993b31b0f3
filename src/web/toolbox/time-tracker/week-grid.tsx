import { type TimeEntry, weekGrid } from '#core/toolbox/time-entries.ts';
import { config } from '#web/api/config.ts';
import { useNow } from '#web/ui/age.tsx';
import type { TimeWeek } from './time-queries.ts';
import classes from './time-tracker.module.css';
import { dayTitle, hoursWords } from './time-words.ts';

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
