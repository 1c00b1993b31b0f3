import classes from './bars.module.css';
import { useRovingFocus } from './roving-focus.ts';

export type Bar = {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** The exact number. */
  readonly shown: string;
  /** The short number at the bar's end. */
  readonly short: string;
  readonly before?: { readonly value: number; readonly shown: string } | null;
  /** Next to the number: a share of the whole, or of the previous step. */
  readonly note?: string | undefined;
};

type Props = {
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly height: number;
  /** Without it the bars aren't clickable. */
  readonly onOpen?: (key: string) => void;
};

/**
 * One bar per row, with the previous period thin below it; negative ones are hollow. Each is a button that
 * opens its rows; arrow keys move between them.
 */
export function Bars({ name, bars, height, onOpen }: Props) {
  const { onKeyDown, itemProps } = useRovingFocus(bars.length);
  const reach = Math.max(0, ...bars.flatMap(({ value, before }) => [value, before?.value ?? 0].map(Math.abs))) || 1;
  const lengthOf = (value: number): string => `${(Math.abs(value) / reach) * 100}%`;
  return (
    <ul className={classes.bars} style={{ minHeight: height }} aria-label={name} onKeyDown={onKeyDown}>
      {bars.map((bar, index) => (
        <li key={bar.key}>
          {onOpen ? (
            <button
              type="button"
              className={classes.bar}
              title={titleOf(bar)}
              onClick={() => onOpen(bar.key)}
              {...itemProps(index)}
            >
              <BarContent bar={bar} lengthOf={lengthOf} />
            </button>
          ) : (
            <span className={classes.bar} title={titleOf(bar)}>
              <BarContent bar={bar} lengthOf={lengthOf} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function BarContent({ bar, lengthOf }: { bar: Bar; lengthOf: (value: number) => string }) {
  const { label, value, short, shown, before, note } = bar;
  return (
    <>
      <span className={classes.label}>{label}</span>
      <span className={classes.track}>
        <span className={classes.now}>
          <span
            style={{ width: lengthOf(value) }}
            data-empty={value === 0 || undefined}
            data-negative={value < 0 || undefined}
          />
          <span className={classes.number} aria-hidden="true">
            {short}
          </span>
        </span>
        {before && (
          <span
            className={classes.before}
            style={{ width: lengthOf(before.value) }}
            data-empty={before.value === 0 || undefined}
            data-negative={before.value < 0 || undefined}
          />
        )}
      </span>
      <span className="visually-hidden">{`: ${shown}${before ? `, previously ${before.shown}` : ''}. `}</span>
      {note && <span className={classes.note}>{note}</span>}
    </>
  );
}

const titleOf = ({ label, shown, before }: Bar): string =>
  `${label}: ${shown}${before ? `, previously ${before.shown}` : ''}`;
