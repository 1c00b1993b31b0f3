import classes from './bars.module.css';
import { useRovingFocus } from './roving-focus.ts';

export type Bar = {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** The exact number. */
  readonly shown: string;
  /** Short, at the end of the bar. */
  readonly short: string;
  readonly before?: { readonly value: number; readonly shown: string } | null;
  /** Beside the number: a share of the whole, or of the step before. */
  readonly note?: string;
};

type Props = {
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly onOpen: (key: string) => void;
};

/** A bar a row, the previous period thin under it. Each is a button that opens what it stands for; the arrows go along them. */
export function Bars({ name, bars, onOpen }: Props) {
  const { onKeyDown, itemProps } = useRovingFocus(bars.length);
  const reach = Math.max(0, ...bars.flatMap(({ value, before }) => [value, before?.value ?? 0])) || 1;
  const lengthOf = (value: number): string => `${Math.max(0, (value / reach) * 100)}%`;
  return (
    <ul
      className={classes.bars}
      aria-label={name}
      onKeyDown={onKeyDown}
      data-noted={bars.some(({ note }) => note) || undefined}
    >
      {bars.map((bar, index) => (
        <li key={bar.key}>
          <button
            type="button"
            className={classes.bar}
            title={titleOf(bar)}
            onClick={() => onOpen(bar.key)}
            {...itemProps(index)}
          >
            <span className={classes.label}>{bar.label}</span>
            <span className={classes.track}>
              <span className={classes.now}>
                <span style={{ width: lengthOf(bar.value) }} />
                <span className={classes.number} aria-hidden="true">
                  {bar.short}
                </span>
              </span>
              {bar.before && <span className={classes.before} style={{ width: lengthOf(bar.before.value) }} />}
            </span>
            {bar.note && <span className={classes.note}>{bar.note}</span>}
            <span className="visually-hidden">
              {`: ${bar.shown}${bar.before ? `, previously ${bar.before.shown}` : ''}`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const titleOf = ({ label, shown, before }: Bar): string =>
  `${label}: ${shown}${before ? `, previously ${before.shown}` : ''}`;
