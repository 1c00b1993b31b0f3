import { shortWeekdays } from '#core/base/day-words.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { lengthOf } from '#core/numbers/periods.ts';
import type { Numbers } from '#web/api/numbers.ts';
import { numberWords, shortWords, titleWithUnit, toNumber } from '#web/charts/number-format.ts';
import { useRovingFocus } from '#web/charts/roving-focus.ts';
import { useNumbers, useViewInCurrency } from '../shared/numbers-queries.ts';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import { bucketTitle } from '../shared/period-words.ts';
import classes from './calendar-tile.module.css';
import { ChartTile, emptyWords } from './chart-tile.tsx';
import { StackTile } from './series-tiles.tsx';

type Props = { readonly page: PageOfNumbers; readonly title: string; readonly height: number };

const weeksAhead = 5;
const mostWeeks = 6;
const name = 'due';

/** What is due each day, from today's week on; for a past period its weeks, or a chart if they are too many. */
export function CalendarTile(props: Props) {
  const { view, today } = props.page;
  const isPast = view.days.to <= today;
  const start = Temporal.PlainDate.from(isPast ? view.days.from : today);
  const monday = start.subtract({ days: start.dayOfWeek - 1 });
  const weeks = isPast ? Math.ceil(lengthOf({ from: monday.toString(), to: view.days.to }) / 7) : weeksAhead;
  return weeks > mostWeeks ? (
    <StackTile {...props} metrics={[name]} />
  ) : (
    <DueDays {...props} monday={monday} weeks={Math.max(weeks, weeksAhead)} />
  );
}

type DueProps = Props & { readonly monday: Temporal.PlainDate; readonly weeks: number };

function DueDays({ page, title, height, monday, weeks }: DueProps) {
  const { view, today } = page;
  const metric = metricOf(view.dataset, name)!;
  const days = Array.from({ length: weeks * 7 }, (_, index) => monday.add({ days: index }).toString());
  const range = { from: days[0]!, to: monday.add({ days: days.length }).toString() };
  const inCurrency = useViewInCurrency(view);
  const asked = { metrics: [name], by: ['day'], alone: true, days: range };
  const query = useNumbers(inCurrency ?? view, asked, inCurrency !== null);
  const draw = (numbers: Numbers) => {
    const found = new Map(numbers.rows.map(({ keys, values }) => [keys[0], values[0] ?? null]));
    const texts = days.map((day) => found.get(day) ?? '0');
    const words = (index: number) => numberWords(texts[index] ?? null, metric.unit, numbers.currency);
    const cells = days.map((day, index) => ({
      day,
      value: toNumber(texts[index]) ?? 0,
      // Without its currency: a day is narrow, and its title has the exact amount.
      short: shortWords(toNumber(texts[index]), 'count', null),
      words: words(index),
    }));
    return {
      empty: numbers.totals[0] === null ? emptyWords(numbers, metric) : undefined,
      chartTable: {
        caption: title,
        head: ['Day', metric.title],
        csvHead: ['Day', titleWithUnit(metric, numbers.currency)],
        rows: cells.map(({ day, words: shown, value }) => ({
          label: bucketTitle(day, 'day'),
          rawLabel: day,
          shown: [shown],
          raw: [value],
        })),
      },
      chart: (
        <Calendar
          title={title}
          cells={cells}
          today={today}
          height={height}
          onOpen={(day) => page.openDrillDown(name, [['on', day]])}
        />
      ),
    };
  };
  return <ChartTile title={title} view={{ ...view, days: range }} {...{ metric, query, height, draw }} />;
}

type Cell = { readonly day: string; readonly value: number; readonly short: string; readonly words: string };

type CalendarProps = {
  readonly title: string;
  readonly cells: readonly Cell[];
  readonly today: string;
  readonly height: number;
  readonly onOpen: (day: string) => void;
};

function Calendar({ title, cells, today, height, onOpen }: CalendarProps) {
  const { onKeyDown, itemProps } = useRovingFocus(cells.length, 7);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls of a form; these are days.
    <div
      className={classes.calendar}
      style={{ minHeight: height }}
      role="group"
      aria-label={title}
      onKeyDown={onKeyDown}
    >
      {shortWeekdays.map((weekday) => (
        <span key={weekday} className={classes.weekday} aria-hidden="true">
          {weekday}
        </span>
      ))}
      {cells.map(({ day, value, short, words }, index) => (
        <button
          key={day}
          type="button"
          className={classes.day}
          data-due={value > 0 || undefined}
          data-past={day < today || undefined}
          aria-current={day === today ? 'date' : undefined}
          title={value > 0 ? words : undefined}
          onClick={() => onOpen(day)}
          {...itemProps(index)}
        >
          <span aria-hidden="true">{Number(day.slice(8))}</span>
          {value > 0 && <strong aria-hidden="true">{short}</strong>}
          <span className="visually-hidden">{`${bucketTitle(day, 'day')}: ${value > 0 ? words : 'nothing due'}`}</span>
        </button>
      ))}
    </div>
  );
}
