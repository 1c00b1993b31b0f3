import { Button, Popover } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { SearchMultiSelect } from '#web/ui/search-select.tsx';
import { dimensionTitle, valueWords } from '../shared/behind.ts';
import { useNumbers } from '../shared/numbers-queries.ts';
import type { Filter, View } from '../shared/view.ts';
import classes from './filter-bar.module.css';

/** More values than this are looked for by typing, not by reading. */
const mostValues = 200;

type ChipProps = {
  readonly view: View;
  readonly filter: Filter;
  readonly justAdded: boolean;
  readonly onChange: (values: readonly string[]) => void;
  readonly onClose: () => void;
};

/** A dimension that the numbers are narrowed down by, with its values. */
export function FilterChip({ view, filter: { dimension, values }, justAdded, onChange, onClose }: ChipProps) {
  const [opened, setOpened] = useState(justAdded);
  const title = dimensionTitle(view.dataset, dimension);
  const close = () => {
    setOpened(false);
    onClose();
  };
  return (
    <span className={classes.chip}>
      <Popover
        opened={opened}
        onChange={(open) => (open ? setOpened(true) : close())}
        position="bottom-start"
        width={300}
        trapFocus
      >
        <Popover.Target>
          <Button variant="default" className={classes.words} onClick={() => (opened ? close() : setOpened(true))}>
            {title}: {chipWords(view.dataset, dimension, values)}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <ValueSelect view={view} dimension={dimension} title={title} values={values} onChange={onChange} />
        </Popover.Dropdown>
      </Popover>
      <Button
        variant="default"
        className={classes.remove}
        aria-label={`Remove the filter ${title}`}
        onClick={() => {
          onChange([]);
          close();
        }}
      >
        <IconX size={14} stroke={1.7} />
      </Button>
    </span>
  );
}

function chipWords(dataset: DatasetKey, dimension: string, values: readonly string[]): string {
  const [first, ...others] = values;
  if (first === undefined) return 'any';
  return valueWords(dataset, dimension, first) + (others.length > 0 ? ` and ${others.length} more` : '');
}

type ValueProps = Omit<ChipProps, 'filter' | 'justAdded' | 'onClose'> & {
  readonly dimension: string;
  readonly title: string;
  readonly values: readonly string[];
};

/** The values that rows of the period have, the most frequent first. */
function ValueSelect({ view, dimension, title, values, onChange }: ValueProps) {
  const others = view.filters.filter((filter) => filter.dimension !== dimension);
  const query = useNumbers(
    { ...view, filters: others },
    {
      metrics: [countingMetric(view.dataset)],
      by: [dimension],
      alone: true,
      top: mostValues,
    },
  );
  const known = query.data?.rows.map(({ keys }) => keys[0] ?? '') ?? [];
  const data = [...new Set([...values, ...known])].map((value) => ({
    value: value === '' ? blank : value,
    label: valueWords(view.dataset, dimension, value),
  }));
  return (
    <SearchMultiSelect
      label={title}
      placeholder={values.length === 0 ? 'Any' : ''}
      data={data}
      value={values.map((value) => (value === '' ? blank : value))}
      onChange={(chosen) => onChange(chosen.map((value) => (value === blank ? '' : value)))}
      clearable
      nothingFoundMessage={query.isPending ? 'Loading' : 'No matching values in this period'}
      comboboxProps={{ withinPortal: false }}
      maxDropdownHeight={240}
      limit={100}
      data-autofocus
    />
  );
}

/** The select takes no empty value. */
const blank = '\u0000';

// How many rows a dataset has: asked to know which values its fields take.
const metricOfRows: Readonly<Record<DatasetKey, string>> = {
  orders: 'lines',
  donations: 'gifts',
  affiliate_activity: 'clicks',
  conversations: 'conversations',
  payouts: 'payouts',
  payments: 'attempts',
};

const countingMetric = (dataset: DatasetKey): string => metricOfRows[dataset];
