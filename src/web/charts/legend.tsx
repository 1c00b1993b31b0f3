import classes from './legend.module.css';
import { colorOf, type Series } from './series.ts';

/** A series' look, next to its name: a line, dashes for the comparison, a block for columns. */
export function Swatch({ series, index }: { series: Series; index: number }) {
  return <span className={classes.swatch} data-look={series.look} style={{ color: colorOf(series, index) }} />;
}

export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className={classes.legend} aria-label="Legend">
      {series.map((each, index) => (
        <li key={each.key}>
          <Swatch series={each} index={index} />
          {each.title}
        </li>
      ))}
    </ul>
  );
}
