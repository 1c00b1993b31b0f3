import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { LazyPart, lazyPart } from '#web/ui/lazy-part.tsx';
import { loadInBackground } from '#web/ui/load-ahead.ts';
import { MenuButton } from '#web/ui/menu-button.tsx';
import { dimensionTitle, valueWords } from '../shared/behind.ts';
import { type Change, changes, type Filter, filterDimensions, type View } from '../shared/view.ts';

type Props = { readonly view: View; readonly change: (part: Change) => void };

const loadChip = () => import('./filter-chip.tsx');
const FilterChip = lazyPart(loadChip, (module) => module.FilterChip);

/** What the numbers are narrowed down to, a chip a dimension, and a way to narrow them down by another one. */
export function FilterBar({ view, change }: Props) {
  const [added, setAdded] = useState<string | null>(null);
  const used = new Set(view.filters.map(({ dimension }) => dimension));
  const free = filterDimensions(view.dataset).filter((dimension) => !used.has(dimension));
  const chips: Filter[] = [...view.filters];
  if (added && !used.has(added)) chips.push({ dimension: added, values: [] });
  return (
    <>
      <LazyPart meanwhile={null} attempt={added} onFail={() => setAdded(null)}>
        {chips.map((filter) => (
          <FilterChip
            key={filter.dimension}
            view={view}
            filter={filter}
            justAdded={filter.dimension === added}
            onChange={(values) => change(changes.filter(filter.dimension, values))}
            onClose={() => setAdded(null)}
          />
        ))}
      </LazyPart>
      <MenuButton
        leftSection={<IconFilter size={15} stroke={1.7} />}
        onOpen={() => void loadInBackground(loadChip)}
        returnFocus={false}
        groups={[
          free.map((dimension) => ({
            label: dimensionTitle(view.dataset, dimension),
            choose: () => setAdded(dimension),
          })),
        ]}
      >
        Filter
      </MenuButton>
    </>
  );
}

/** Every filter in words, for the sentence that announces them. */
export function filterWords(dataset: DatasetKey, filters: readonly Filter[]): string {
  return filters
    .map(({ dimension, values }) => {
      const names = values.map((value) => valueWords(dataset, dimension, value));
      return `${dimensionTitle(dataset, dimension)} ${names.join(' or ')}`;
    })
    .join(', ');
}
