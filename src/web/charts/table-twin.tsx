import classes from './table-twin.module.css';

/** The numbers of a chart as a table: the first column names the row. `raw` is what a file gets. */
export type Twin = {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly {
    readonly label: string;
    readonly shown: readonly string[];
    readonly raw: readonly (number | null)[];
  }[];
};

type Props = {
  readonly twin: Twin;
  /** As high as the drawing it stands for, so that nothing moves. */
  readonly height: number;
};

/** The numbers of a chart as a real table, for whoever reads better than looks. */
export function TableTwin({ twin: { caption, head, rows }, height }: Props) {
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
