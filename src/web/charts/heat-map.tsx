import classes from './heat-map.module.css';
import plot from './plot.module.css';
import { Plot } from './plot.tsx';

type Props = {
  readonly name: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Row by row. */
  readonly values: readonly number[];
  readonly shown: (index: number) => string;
  readonly height?: number;
  readonly onOpen?: (index: number) => void;
};

const inset = { top: 4, right: 4, bottom: 26, left: 38 } as const;
/** An empty cell stays visible; the others start well above it. */
const faintest = 0.12;

/** Two crossed groupings, darker for larger values. */
export function HeatMap({ name, rows, columns, values, shown, height = 260, onOpen }: Props) {
  const highest = Math.max(1, ...values);
  const perRow = columns.length;
  const cellHeight = (height - inset.top - inset.bottom) / rows.length;
  const cellWidth = (width: number): number => (width - inset.left - inset.right) / perRow;
  const keys = values.map((_, index) => String(index));
  const titleOf = (index: number): string => `${rows[Math.floor(index / perRow)]} ${columns[index % perRow]}`;
  const indexAt = (x: number, y: number, width: number): number => {
    const column = Math.min(perRow - 1, Math.max(0, Math.floor((x - inset.left) / cellWidth(width))));
    const row = Math.min(rows.length - 1, Math.max(0, Math.floor((y - inset.top) / cellHeight)));
    return row * perRow + column;
  };
  return (
    <Plot
      name={name}
      keys={keys}
      height={height}
      rowLength={perRow}
      apart
      onOpen={onOpen}
      nearest={indexAt}
      words={(index) => `${titleOf(index)}: ${shown(index)}`}
      tooltipX={(index, width) => inset.left + ((index % perRow) + 0.5) * cellWidth(width)}
      tooltip={(index) => (
        <>
          <p>{titleOf(index)}</p>
          {shown(index)}
        </>
      )}
    >
      {(width, { index: at }) => (
        <>
          {rows.map((row, index) => (
            <text key={row} className={plot.label} x={0} y={inset.top + (index + 0.5) * cellHeight} dy="0.32em">
              {row}
            </text>
          ))}
          {columns.map((column, index) =>
            index % 3 === 0 ? (
              <text key={column} className={plot.label} x={inset.left + index * cellWidth(width)} y={height - 8}>
                {column}
              </text>
            ) : null,
          )}
          {values.map((value, index) => (
            <rect
              key={keys[index]}
              className={value > 0 ? classes.cell : classes.empty}
              data-at={index === at || undefined}
              x={inset.left + (index % perRow) * cellWidth(width) + 1}
              y={inset.top + Math.floor(index / perRow) * cellHeight + 1}
              width={Math.max(1, cellWidth(width) - 2)}
              height={Math.max(1, cellHeight - 2)}
              rx={3}
              fillOpacity={value > 0 ? faintest + (1 - faintest) * (value / highest) : 1}
            />
          ))}
        </>
      )}
    </Plot>
  );
}
