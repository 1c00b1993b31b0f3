import classes from './table-twin.module.css';

type Props = {
  readonly caption: string;
  /** The first column names the row. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly [string, ...(number | null)[]])[];
  readonly format: (value: number | null) => string;
  /** As high as the drawing it stands for, so that nothing moves. */
  readonly height: number;
};

/** The numbers of a chart as a real table, for whoever reads better than looks. */
export function TableTwin({ caption, head, rows, format, height }: Props) {
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
          {rows.map(([label, ...values]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {values.map((value, index) => (
                <td key={head[index + 1]}>{format(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
