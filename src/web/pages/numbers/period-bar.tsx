import { Button, Menu, Select, type SelectProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { lazy, Suspense, useDeferredValue, useState } from 'react';
import { datasetOf } from '#core/datasets.ts';
import {
  comparisonKeys,
  comparisonTitles,
  defaultComparison,
  type Granularity,
  granularities,
  isComparison,
  periodKeys,
  periods,
} from '#core/periods.ts';
import { Segmented } from '#web/ui/segmented.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { listPlace } from '#web/ui/theme.ts';
import classes from './period-bar.module.css';
import { daysWords } from './period-words.ts';
import { type Change, changes, type View } from './view.ts';

/** The calendar comes when it is asked for. */
const RangeDialog = lazy(() => import('./range-dialog.tsx'));

const drawnBy = Object.entries(granularities).map(([value, label]) => ({ value: value as Granularity, label }));

type Props = {
  readonly view: View;
  readonly change: (part: Change) => void;
  readonly currency: string | null;
  readonly currencies: readonly string[];
};

/** Which days, compared with what, how fine and in which currency: for all tiles of the page. */
export function PeriodBar({ view, change, currency, currencies }: Props) {
  const [opened, setOpened] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const nextComparison = comparisonKeys[(comparisonKeys.indexOf(view.compare) + 1) % comparisonKeys.length]!;
  const toggled = view.compare === 'none' ? defaultComparison : 'none';
  useShortcuts([
    { key: 't', label: 'Choose the period', scope: 'Numbers', run: () => setOpened(true) },
    { key: 'p', label: 'Next comparison', scope: 'Numbers', run: () => change(changes.compare(nextComparison)) },
    { key: 'x', label: 'Comparison on or off', scope: 'Numbers', run: () => change(changes.compare(toggled)) },
  ]);
  return (
    <div className={classes.bar}>
      {datasetOf(view.dataset).currency !== null && (
        // Also while there is nothing to choose: it says what the amounts are in, and keeps its place until it is known.
        <Choice
          aria-label="Currency"
          w={88}
          data={[...currencies]}
          value={currency}
          onChange={(value) => change(changes.currency(value))}
          disabled={currencies.length < 2}
        />
      )}
      <PeriodMenu
        view={view}
        change={change}
        opened={opened}
        onOpened={setOpened}
        onOtherDays={() => setChoosing(true)}
      />
      <Choice
        aria-label="Compared with"
        aria-keyshortcuts="p x"
        w={200}
        data={comparisonKeys.map((value) => ({ value, label: comparisonTitles[value] }))}
        value={view.compare}
        onChange={(value) => isComparison(value) && change(changes.compare(value))}
      />
      <Segmented
        label="Drawn by"
        segments={drawnBy}
        value={view.granularity}
        onChange={(value) => change(changes.granularity(value))}
      />
      {choosing && (
        <Suspense>
          <RangeDialog
            days={view.days}
            onClose={() => setChoosing(false)}
            onChoose={(from, last) => change(changes.range(from, last))}
          />
        </Suspense>
      )}
    </div>
  );
}

type ChoiceProps = Pick<SelectProps, 'aria-label' | 'aria-keyshortcuts' | 'w' | 'data' | 'value' | 'disabled'> & {
  readonly onChange: (value: string) => void;
};

/** One of a list. Its options come after the first frame: Mantine works out where they will stand although they are closed. */
function Choice({ onChange, ...props }: ChoiceProps) {
  const keepMounted = useDeferredValue(true, false);
  return (
    <Select
      {...props}
      comboboxProps={{ ...listPlace, keepMounted }}
      onChange={(value) => value && onChange(value)}
      allowDeselect={false}
    />
  );
}

type MenuProps = Pick<Props, 'view' | 'change'> & {
  readonly opened: boolean;
  readonly onOpened: (opened: boolean) => void;
  readonly onOtherDays: () => void;
};

function PeriodMenu({ view, change, opened, onOpened, onOtherDays }: MenuProps) {
  return (
    <Menu opened={opened} onChange={onOpened} position="bottom-start">
      <Menu.Target>
        <Button variant="default" leftSection={<IconCalendar size={15} stroke={1.7} />} aria-keyshortcuts="t">
          {view.period === 'custom' ? daysWords(view.days) : periods[view.period]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {periodKeys.map((period) => (
          <Menu.Item
            key={period}
            onClick={() => change(changes.period(period))}
            aria-current={period === view.period || undefined}
            className={period === view.period ? classes.chosen : ''}
          >
            {periods[period]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={onOtherDays}>Other days…</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
