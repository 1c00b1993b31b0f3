import { useId } from 'react';
import classes from './segmented.module.css';

type Segment<Value extends string> = { readonly value: Value; readonly label: string };

type Props<Value extends string> = {
  readonly label: string;
  readonly segments: readonly Segment<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly className?: string | undefined;
  /** In a dialog: the selected option is focused on opening. */
  readonly focused?: boolean;
};

/**
 * One of a few visible options. Only radio buttons and styles, because Mantine's version measures the page
 * before its first frame (docs/decisions/010).
 */
export function Segmented<Value extends string>(props: Props<Value>) {
  const { label, segments, value, onChange, className = '', focused = false } = props;
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={`${classes.track} ${className}`}>
      {segments.map((segment) => (
        <label key={segment.value}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={segment.value === value}
            onChange={() => onChange(segment.value)}
            data-autofocus={(focused && segment.value === value) || undefined}
          />
          <span className={classes.segment}>{segment.label}</span>
        </label>
      ))}
    </div>
  );
}
