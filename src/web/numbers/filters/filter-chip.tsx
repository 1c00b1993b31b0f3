import { Button, Popover } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { plural } from '#core/base/formats.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { dimensionTitle, type Filter, type View, valueWords } from '#web/api/number-view.ts';
import { useBackCloses } from '#web/ui/back-closes.ts';
import { SearchMultiSelect } from '#web/ui/search-select.tsx';
import { typingPauseMs } from '#web/ui/timing.ts';
import { useNumbers } from '../shared/numbers-queries.ts';
import classes from './filter-bar.module.css';

/** More values are found by typing instead of reading. */
const mostValues = 200;
type ChipProps = {
  readonly view: View;
  readonly filter: Filter;
  readonly justAdded: boolean;
  readonly onChange: (values: readonly string[]) => void;
  readonly onClose: () => void;
};

/** A filter's dimension with its values. */
export function FilterChip({ view, filter: { dimension, values }, justAdded, onChange, onClose }: ChipProps) {
  const [opened, setOpened] = useState(justAdded);
  const title = dimensionTitle(view.dataset, dimension);
  const close = () => {
    setOpened(false);
    onClose();
  };
  useBackCloses(opened, close);
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

/** The values in the period's rows, most frequent first. */
function ValueSelect({ view, dimension, title, values, onChange }: ValueProps) {
  const others = view.filters.filter((filter) => filter.dimension !== dimension);
  const asked = { metrics: [countingMetric(view.dataset)], by: [dimension], alone: true, top: mostValues };
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), typingPauseMs);
  const frequent = useNumbers({ ...view, filters: others }, asked);
  const searches = search !== '' && frequent.data?.others !== null;
  const found = useNumbers({ ...view, filters: others }, searches ? { ...asked, search } : asked);
  const query = searches ? found : frequent;
  const more = query.data ? query.data.groups - query.data.rows.length : 0;
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
      searchValue={typed}
      onSearchChange={setTyped}
      {...(more > 0 && { description: `${plural(more, 'more value')}. Type to search all of them` })}
      onChange={(chosen) => onChange(chosen.map((value) => (value === blank ? '' : value)))}
      clearable
      nothingFoundMessage={
        query.isPending || query.isPlaceholderData || search !== typed.trim()
          ? 'Loading'
          : 'No matching values in this period'
      }
      comboboxProps={{ withinPortal: false }}
      maxDropdownHeight={240}
      limit={100}
      data-autofocus
    />
  );
}

/** The select accepts no empty value. */
const blank = '\u0000';

// Each dataset's row count, used to list its fields' values.
const metricOfRows: Readonly<Record<DatasetKey, string>> = {
  orders: 'lines',
  donations: 'gifts',
  affiliate_activity: 'clicks',
  conversations: 'conversations',
  payouts: 'payouts',
  payments: 'attempts',
};

const countingMetric = (dataset: DatasetKey): string => metricOfRows[dataset];
