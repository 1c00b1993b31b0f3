import { type Change, judge } from './change.ts';
import classes from './delta-pill.module.css';

type Props = {
  readonly now: number | null;
  readonly before: number | null;
  /** Color means good or bad, not up or down. */
  readonly better: 'higher' | 'lower';
  /** "pt" between two rates, nothing between two plain numbers. */
  readonly unit?: string;
  readonly digits?: number;
};

/** The change from the comparison; hidden without one. */
export function DeltaPill({ now, before, better, unit = '', digits = 1 }: Props) {
  if (now === null || before === null) return null;
  const size = Number(Math.abs(now - before).toFixed(digits));
  if (size === 0) return <span className={classes.pill}>unchanged</span>;
  const amount = unit ? `${size} ${unit}` : size.toFixed(digits);
  const change: Change = { kind: 'moved', up: now > before, size: amount, words: amount };
  return <ChangePill change={change} good={better === 'higher' ? 'up' : 'down'} />;
}

type ChangeProps = {
  readonly change: Change;
  /** The good direction. */
  readonly good: 'up' | 'down' | 'none';
  /** Why there is nothing to compare with. */
  readonly reason?: string;
  /** The number in the comparison, in words: it follows the change. */
  readonly before?: string | undefined;
  /** In a table: glyph and color without the fill. */
  readonly plain?: boolean;
};

/** The change and what it is a change from. After 0 there is no percentage, so only "from 0". */
export function ChangePill({ before, ...pill }: ChangeProps) {
  if (pill.change.kind === 'none') return <Pill {...pill} />;
  const from = `from ${before ?? '0'}`;
  if (pill.change.kind === 'noneBefore') return <span className={classes.before}>{from}</span>;
  return (
    <>
      <Pill {...pill} />
      {before !== undefined && (
        <span className={classes.before} data-before>
          {from}
        </span>
      )}
    </>
  );
}

/** Triangle, size and color; text for screen readers ("up 12.4 percent, good"). */
function Pill({ change, good, reason = 'No comparison', plain = false }: Omit<ChangeProps, 'before'>) {
  const judged = judge(change, good);
  const look = { className: classes.pill, 'data-judged': judged, 'data-plain': plain || undefined };
  if (change.kind === 'none') {
    return (
      <span {...look} title={reason}>
        n/a<span className="visually-hidden">: {reason}</span>
      </span>
    );
  }
  if (change.kind !== 'moved') return <span {...look}>unchanged</span>;
  const direction = change.up ? 'up' : 'down';
  return (
    <span {...look}>
      {plain ? (
        <span aria-hidden="true">{change.up ? '+' : '−'}</span>
      ) : (
        <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
          <path d={change.up ? 'M4 1 7.5 7h-7Z' : 'M4 7 .5 1h7Z'} fill="currentColor" />
        </svg>
      )}
      <span aria-hidden="true">{change.size}</span>
      <span className="visually-hidden">
        {`${direction} ${change.words}${judged === 'neither' ? '' : `, ${judged}`}`}
      </span>
    </span>
  );
}
