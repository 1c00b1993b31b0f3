import { shortWeekdays } from '#core/base/day-words.ts';
import { countWords } from '#core/base/formats.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { config } from '#web/api/config.ts';
import type { Numbers } from '#web/api/numbers.ts';
import { HeatMap } from '#web/charts/heat-map.tsx';
import { numberWords, toNumber } from '#web/charts/number-format.ts';
import { useNumbers } from '../shared/numbers-queries.ts';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import { ChartTile, emptyWords } from './chart-tile.tsx';

const untimedWords = 'The imported rows have dates without times of day, so there are no hours to show.';
/** Fewer rows at the same hour can be chance. */
const fewestAtOneHour = 20;
const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

type Props = {
  readonly page: PageOfNumbers;
  readonly title: string;
  readonly name: string;
  readonly height: number;
};

/** When it happens: weekdays down, hours in company time across. */
export function HeatTile({ page, title, name, height }: Props) {
  const { view } = page;
  const metric = metricOf(view.dataset, name)!;
  const zone = config().companyTimeZone;
  const query = useNumbers(view, { metrics: [name], by: ['weekday', 'hour'], alone: true });
  const draw = (numbers: Numbers) => {
    const timed = numbers.rows.filter(({ keys }) => keys[1] !== null);
    const untimed = numbers.rows.filter(({ keys }) => keys[1] === null).map(({ values }) => Number(values[0]));
    const left = untimed.reduce((sum, value) => sum + value, 0);
    const count = timed.reduce((sum, { values }) => sum + Number(values[0] ?? 0), 0);
    const isMidnight = count >= fewestAtOneHour && timed.every(({ keys }) => Number(keys[1]) === 0);
    const notes = [
      zone,
      ...(left > 0 ? [`${countWords(left)} without a time of day`] : []),
      ...(isMidnight ? ['all at 0:00, so the source may give only dates'] : []),
    ];
    const found = new Map(
      timed.map(({ keys, values }) => [`${Number(keys[0])} ${Number(keys[1])}`, values[0] ?? null]),
    );
    const texts = shortWeekdays.flatMap((_, day) => hours.map((_hour, hour) => found.get(`${day + 1} ${hour}`) ?? '0'));
    const shown = (index: number) => numberWords(texts[index] ?? null, metric.unit, numbers.currency);
    return {
      empty: timed.length > 0 ? undefined : left > 0 ? untimedWords : emptyWords(numbers, metric),
      note: notes.join(', '),
      chartTable: {
        caption: title,
        head: ['Hour', ...shortWeekdays],
        rows: hours.map((hour, index) => ({
          label: `${hour}:00`,
          shown: shortWeekdays.map((_, day) => shown(day * 24 + index)),
          raw: shortWeekdays.map((_, day) => toNumber(texts[day * 24 + index])),
        })),
      },
      chart: (
        <HeatMap
          name={title}
          rows={shortWeekdays}
          columns={hours}
          values={texts.map((text) => toNumber(text) ?? 0)}
          shown={shown}
          height={height}
          onOpen={(index) =>
            page.openDrillDown(name, [
              ['weekday', String(Math.floor(index / 24) + 1)],
              ['hour', String(index % 24)],
            ])
          }
        />
      ),
    };
  };
  return <ChartTile title={title} view={page.view} metric={metric} query={query} height={height} draw={draw} />;
}
