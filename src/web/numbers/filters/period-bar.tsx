import { IconCalendar, IconChevronDown } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { datasetOf } from '#core/numbers/datasets.ts';
import {
  comparisonKeys,
  comparisonTitles,
  defaultComparison,
  type Granularity,
  granularities,
  periodKeys,
  periods,
} from '#core/numbers/periods.ts';
import type { View } from '#web/api/number-view.ts';
import { LazyPart, lazyPart } from '#web/ui/lazy-part.tsx';
import { MenuButton } from '#web/ui/menu-button.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { daysWords } from '../shared/period-words.ts';
import { type Change, changes } from '../shared/view.ts';
import classes from './period-bar.module.css';

/** The calendar is loaded on demand. */
const RangeDialog = lazyPart(
  () => import('./range-dialog.tsx'),
  (module) => module.default,
);

const comparisons = comparisonKeys.map((value) => ({ value, label: comparisonTitles[value] }));
const drawnBy = Object.entries(granularities).map(([value, label]) => ({ value: value as Granularity, label }));

type Props = {
  readonly view: View;
  readonly change: (part: Change) => void;
  readonly currency: string | null;
  readonly currencies: readonly string[];
};

/** Days, comparison, granularity and currency for all tiles of the page. */
export function PeriodBar({ view, change, currency, currencies }: Props) {
  const period = useRef<HTMLButtonElement>(null);
  const [choosing, setChoosing] = useState(false);
  usePeriodKeys(view, change, () => period.current?.click());
  return (
    <div className={classes.bar}>
      {datasetOf(view.dataset).currency !== null && (
        // Shown even without a choice: it names the amounts' currency, and keeps its place until it is
        // loaded.
        <Choice
          label="Currency"
          w={88}
          choices={currencies.map((code) => ({ value: code, label: code }))}
          value={currency}
          onChange={(code) => change(changes.currency(code))}
        />
      )}
      <MenuButton
        ref={period}
        leftSection={<IconCalendar size={15} stroke={1.7} />}
        aria-keyshortcuts="t"
        groups={[
          periodKeys.map((key) => ({
            label: periods[key],
            chosen: key === view.period,
            choose: () => change(changes.period(key)),
          })),
          [{ label: 'Custom range…', choose: () => setChoosing(true) }],
        ]}
      >
        {view.period === 'custom' ? daysWords(view.days) : periods[view.period]}
      </MenuButton>
      <Choice
        label="Compared with"
        aria-keyshortcuts="p x"
        w={200}
        choices={comparisons}
        value={view.compare}
        onChange={(compare) => change(changes.compare(compare))}
      />
      <Segmented
        label="Group by"
        segments={drawnBy}
        value={view.granularity}
        onChange={(value) => change(changes.granularity(value))}
      />
      {choosing && (
        <LazyPart fallback={null} attempt={choosing} onFail={() => setChoosing(false)}>
          <RangeDialog
            days={view.days}
            onClose={() => setChoosing(false)}
            onChoose={(from, last) => change(changes.range(from, last))}
          />
        </LazyPart>
      )}
    </div>
  );
}

function usePeriodKeys(view: View, change: Props['change'], onChoosePeriod: () => void): void {
  const nextComparison = comparisonKeys[(comparisonKeys.indexOf(view.compare) + 1) % comparisonKeys.length]!;
  const toggled = view.compare === 'none' ? defaultComparison : 'none';
  useShortcuts([
    { key: 't', label: 'Choose the period', scope: 'Numbers', run: onChoosePeriod },
    { key: 'p', label: 'Next comparison', scope: 'Numbers', run: () => change(changes.compare(nextComparison)) },
    { key: 'x', label: 'Comparison on or off', scope: 'Numbers', run: () => change(changes.compare(toggled)) },
  ]);
}

type ChoiceProps<Value extends string> = {
  readonly label: string;
  readonly 'aria-keyshortcuts'?: string;
  readonly w: number;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  /** Null until it is loaded. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
};

/** A choice with the selected value on its button. With only one option it just shows the value. */
function Choice<Value extends string>({ label, choices, value, onChange, ...button }: ChoiceProps<Value>) {
  const chosen = choices.find((choice) => choice.value === value)?.label ?? '';
  return (
    <MenuButton
      {...button}
      aria-label={chosen === '' ? label : `${label}: ${chosen}`}
      justify="space-between"
      rightSection={<IconChevronDown size={14} stroke={1.7} />}
      disabled={choices.length < 2}
      groups={[
        choices.map((choice) => ({
          label: choice.label,
          chosen: choice.value === value,
          choose: () => onChange(choice.value),
        })),
      ]}
    >
      {chosen}
    </MenuButton>
  );
}
