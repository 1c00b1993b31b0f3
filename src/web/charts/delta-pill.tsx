import classes from './delta-pill.module.css';

type Props = {
  readonly now: number | null;
  readonly before: number | null;
  /** Colour says good or bad, not up or down. */
  readonly better: 'higher' | 'lower';
  /** "pt" between two rates, nothing between two plain numbers. */
  readonly unit?: string;
  readonly digits?: number;
};

/** The change against what it is compared with. Nothing to compare: nothing shown. */
export function DeltaPill({ now, before, better, unit = '', digits = 1 }: Props) {
  if (now === null || before === null) return null;
  const size = Number(Math.abs(now - before).toFixed(digits));
  if (size === 0) return <span className={classes.pill}>unchanged</span>;
  const up = now > before;
  const judged = up === (better === 'higher') ? 'good' : 'bad';
  const amount = unit ? `${size} ${unit}` : size.toFixed(digits);
  return (
    <span className={classes.pill} data-judged={judged}>
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <path d={up ? 'M4 1 7.5 7h-7Z' : 'M4 7 .5 1h7Z'} fill="currentColor" />
      </svg>
      <span aria-hidden="true">{amount}</span>
      <span className="visually-hidden">{`${up ? 'up' : 'down'} ${amount}, ${judged}`}</span>
    </span>
  );
}
