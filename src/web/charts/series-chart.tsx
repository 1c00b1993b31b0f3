import { type ReactNode, useId } from 'react';
import { Swatch } from './legend.tsx';
import plot from './plot.module.css';
import { Plot } from './plot.tsx';
import {
  areaPath,
  labelledIndexes,
  labelMiddle,
  labelRoom,
  labelWidth,
  linear,
  linePath,
  niceTicks,
  type Point,
  runsOf,
} from './scale.ts';
import { colorOf, reach, type Series } from './series.ts';
import classes from './series-marks.module.css';

type Scales = {
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
  /** The position of zero. */
  readonly base: number;
  /** The distance between points. */
  readonly band: number;
  readonly indexAt: (x: number) => number;
};

type LineProps = {
  readonly series: Series;
  readonly color: string;
  readonly scales: Scales;
  readonly at: number | null;
  readonly unfinished: boolean;
  readonly back: boolean;
};

function Line({ series, color, scales, at, unfinished, back }: LineProps) {
  const fill = useId();
  const points = series.values.map((value, index) =>
    value === null ? null : { x: scales.x(index), y: scales.y(value) },
  );
  const last = points.length - 1;
  const [finished, tail] = unfinished ? [points.slice(0, -1), tailOf(points)] : [points, null];
  const runs = runsOf(finished);
  const shown = at === null ? null : points[at];
  // A value between two gaps has no line, so it gets a dot.
  const alone = runsOf(points)
    .filter((run) => run.length === 1)
    .flat();
  const main = series.look === 'main';
  return (
    <g
      className={classes.line}
      style={{ stroke: color, fill: color }}
      data-look={series.look}
      data-back={back || undefined}
    >
      {main && (
        <>
          <linearGradient id={fill} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor={color} stopOpacity="0.17" />
            <stop offset="1" stopColor={color} stopOpacity="0" />
          </linearGradient>
          <path d={areaPath(runs, scales.base)} fill={`url(#${fill})`} stroke="none" />
        </>
      )}
      <path d={linePath(runs)} fill="none" />
      {tail && <path className={classes.unfinished} d={tail} fill="none" />}
      {unfinished && points[last] && <circle className={classes.open} cx={points[last].x} cy={points[last].y} r="3" />}
      {[...alone, ...(shown ? [shown] : [])].map((point) => (
        <circle key={point.x} cx={point.x} cy={point.y} r="3.5" />
      ))}
    </g>
  );
}

/** From the last complete point to the incomplete one. */
function tailOf(points: readonly (Point | null)[]): string | null {
  const [before, last] = [points.at(-2), points.at(-1)];
  return before && last ? linePath([[before, last]]) : null;
}

type ColumnsProps = {
  readonly keys: readonly string[];
  readonly series: readonly Series[];
  readonly scales: Scales;
  readonly at: number | null;
  readonly unfinished: boolean;
};

/** Columns at one position are stacked. */
function Columns({ keys, series, scales, at, unfinished }: ColumnsProps) {
  const width = Math.min(48, Math.max(1, scales.band * 0.72));
  return keys.map((key, index) => {
    let [above, below] = [0, 0];
    return (
      <g
        key={key}
        className={classes.column}
        data-back={(at !== null && at !== index) || undefined}
        data-unfinished={(unfinished && index === keys.length - 1) || undefined}
      >
        {series.map((each, order) => {
          const value = each.look === 'column' ? (each.values[index] ?? 0) : 0;
          if (value === 0) return null;
          const from = value > 0 ? above : below;
          if (value > 0) above += value;
          else below += value;
          const [top, bottom] = [scales.y(Math.max(from, from + value)), scales.y(Math.min(from, from + value))];
          return (
            <rect
              key={each.key}
              x={scales.x(index) - width / 2}
              y={top}
              width={width}
              height={Math.max(1, bottom - top)}
              rx={Math.min(2, width / 4)}
              fill={colorOf(each, order)}
            />
          );
        })}
      </g>
    );
  });
}

type Props = {
  readonly name: string;
  /** Each point's key, by which a page's charts share the cursor. */
  readonly keys: readonly string[];
  /** Below the axis. */
  readonly labels: readonly string[];
  /** Above the tooltip, where longer ones fit. */
  readonly titles?: readonly string[];
  readonly series: readonly Series[];
  readonly tick: (value: number) => string;
  readonly ticks?: readonly number[];
  readonly height?: number;
  /** The emphasized line; the others fade. */
  readonly emphasis?: string | null;
  /** The last point is incomplete: drawn dashed. Its label and title say so. */
  readonly unfinished?: boolean;
  readonly apart?: boolean;
  /** Below the tooltip's numbers: how much they changed. */
  readonly note?: (index: number) => ReactNode;
  readonly onOpen?: (index: number) => void;
};

const inset = { top: 10, right: 14, bottom: 26 } as const;

/** Lines and columns over time, with a cursor for pointer and keys. */
export function SeriesChart(props: Props) {
  const { name, keys, labels, titles = labels, series, tick, height = 260, apart, onOpen } = props;
  const reached = reach(series, keys.length);
  const ticks = props.ticks ?? niceTicks(reached);
  const left = Math.max(...ticks.map((value) => labelWidth(tick(value)))) + 14;
  const range = { lowest: Math.min(ticks[0] ?? 0, ...reached), highest: ticks.at(-1) ?? 1 };
  const banded = series.some(({ look }) => look === 'column');
  const scalesFor = (width: number) => makeScales({ count: keys.length, ...range, left, width, height, banded });
  return (
    <Plot
      name={name}
      keys={keys}
      height={height}
      apart={apart}
      onOpen={onOpen}
      nearest={(x, _y, width) => scalesFor(width).indexAt(x)}
      words={(index) => wordsAt(titles[index] ?? '', series, index)}
      tooltipX={(index, width) => scalesFor(width).x(index)}
      tooltip={(index) => <Reading {...props} titles={titles} index={index} />}
    >
      {(width, { index }) => {
        const scales = scalesFor(width);
        return (
          <>
            <Axes scales={scales} width={width} height={height} left={left} ticks={ticks} tick={tick} labels={labels} />
            <Marks {...props} height={height} scales={scales} at={index} />
          </>
        );
      }}
    </Plot>
  );
}

/** The chart's values at a point. */
function Reading({ titles = [], series, note, index }: Props & { readonly index: number }) {
  return (
    <>
      <p>{titles[index]}</p>
      <dl>
        {series.map((each, order) => (
          <div key={each.key}>
            <dt>
              <Swatch series={each} index={order} />
              {each.title}
            </dt>
            <dd>{each.shown[index]}</dd>
          </div>
        ))}
      </dl>
      {note?.(index)}
    </>
  );
}

type MarksProps = Props & { readonly height: number; readonly scales: Scales; readonly at: number | null };

function Marks({ keys, series, scales, at, height, unfinished = false, emphasis }: MarksProps) {
  // The comparison is drawn first, behind the rest.
  const lines = series.map((each, order) => ({ each, order })).filter(({ each }) => each.look !== 'column');
  return (
    <>
      {at !== null && (
        <line className={plot.cursor} x1={scales.x(at)} x2={scales.x(at)} y1={inset.top} y2={height - inset.bottom} />
      )}
      <Columns keys={keys} series={series} scales={scales} at={at} unfinished={unfinished} />
      {lines.reverse().map(({ each, order }) => (
        <Line
          key={each.key}
          series={each}
          color={colorOf(each, order)}
          scales={scales}
          at={at}
          unfinished={unfinished && each.look !== 'previous'}
          back={Boolean(emphasis) && emphasis !== each.key}
        />
      ))}
    </>
  );
}

type ScaleOptions = {
  readonly count: number;
  readonly lowest: number;
  readonly highest: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
  /** Columns need their own bands; lines' points are on the band edges. */
  readonly banded: boolean;
};

function makeScales({ count, lowest, highest, left, width, height, banded }: ScaleOptions): Scales {
  const room = Math.max(1, width - inset.right - left);
  const band = banded ? room / Math.max(1, count) : room / Math.max(1, count - 1);
  const start = banded ? left + band / 2 : left;
  const y = linear([lowest, highest], [height - inset.bottom, inset.top]);
  return { x: (index) => start + index * band, y, base: y(0), band, indexAt: (x) => Math.round((x - start) / band) };
}

type AxesProps = {
  readonly scales: Scales;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly ticks: readonly number[];
  readonly tick: (value: number) => string;
  readonly labels: readonly string[];
};

function Axes({ scales, width, height, left, ticks, tick, labels }: AxesProps) {
  // Wide columns leave room below the numbers of the other axis.
  const edges = [scales.band > 60 ? 0 : left, width] as const;
  return (
    <>
      {ticks.map((value) => (
        <g key={value}>
          <line className={plot.grid} x1={left} x2={width - inset.right} y1={scales.y(value)} y2={scales.y(value)} />
          <text className={plot.label} x={left - 8} y={scales.y(value)} dy="0.32em" textAnchor="end">
            {tick(value)}
          </text>
        </g>
      ))}
      {labelledIndexes(labels.length, width - left, labelRoom(labels)).map((index) => (
        <text
          key={index}
          className={plot.label}
          x={labelMiddle(labels[index] ?? '', scales.x(index), edges)}
          y={height - 6}
          textAnchor="middle"
        >
          {labels[index]}
        </text>
      ))}
    </>
  );
}

function wordsAt(title: string, series: readonly Series[], index: number): string {
  return `${title}: ${series.map((each) => `${each.title} ${each.shown[index]}`).join(', ')}`;
}
