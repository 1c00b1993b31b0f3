import type { CsvCell } from '#core/base/csv.ts';
import classes from './chart-table.module.css';

/**
 * A chart's numbers as a table: the first column names the row. The CSV has `raw` values, and `rawLabel`
 * where a program reads another first column than people do. Its own head names each column's unit.
 */
export type ChartTable = {
  readonly caption: string;
  readonly head: readonly string[];
  readonly csvHead?: readonly string[];
  readonly rows: readonly {
    readonly label: string;
    readonly rawLabel?: string;
    readonly shown: readonly string[];
    readonly raw: readonly CsvCell[];
  }[];
};

type Props = {
  readonly chartTable: ChartTable;
  /** As tall as the chart it replaces, to avoid a layout shift. */
  readonly height: number;
};

/** A chart's numbers as a real table. */
export function ChartTableView({ chartTable: { caption, head, rows }, height }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs focus to be scrolled by keys.
    <section className={classes.box} style={{ height }} aria-label={caption} tabIndex={0}>
      <table className={classes.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, shown }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {shown.map((text, index) => (
                <td key={head[index + 1]}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
