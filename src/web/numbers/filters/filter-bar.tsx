import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { dimensionTitle, type Filter, filterDimensions, filterWords, type View } from '#web/api/number-view.ts';
import { personPrefix } from '#web/api/session.ts';
import { readStored, writeStored } from '#web/api/stored.ts';
import { useViewer } from '#web/api/viewer.ts';
import { LazyPart, lazyPart } from '#web/ui/lazy-part.tsx';
import { loadInBackground } from '#web/ui/load-ahead.ts';
import { MenuButton } from '#web/ui/menu-button.tsx';
import { type Change, changes } from '../shared/view.ts';

type Props = { readonly view: View; readonly change: (part: Change) => void };

const loadChip = () => import('./filter-chip.tsx');
const FilterChip = lazyPart(loadChip, (module) => module.FilterChip);

/** The active filters, one chip per dimension, and a way to add one. */
export function FilterBar({ view, change }: Props) {
  const [added, setAdded] = useState<string | null>(null);
  const last = useLastFilters(view);
  const used = new Set(view.filters.map(({ dimension }) => dimension));
  const free = filterDimensions(view.dataset).filter((dimension) => !used.has(dimension));
  const chips: Filter[] = [...view.filters];
  if (added && !used.has(added)) chips.push({ dimension: added, values: [] });
  return (
    <>
      <LazyPart fallback={null} attempt={added} onFail={() => setAdded(null)}>
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
      {last.length > 0 && (
        <Button
          variant="subtle"
          title={filterWords(view.dataset, last)}
          onClick={() => change(Object.assign({}, ...last.map((each) => changes.filter(each.dimension, each.values))))}
        >
          Restore my last filters
        </Button>
      )}
    </>
  );
}

/** The filters used last on this page. Only offered: a page shows what its address says. */
function useLastFilters({ dataset, scope, filters }: View): readonly Filter[] {
  const { id, viewing } = useViewer();
  const key = `${personPrefix}${id}:filters:${dataset}:${scope ?? ''}`;
  const written = filters.length > 0 ? JSON.stringify(filters) : null;
  useEffect(() => {
    if (written !== null && viewing === null) writeStored('local', key, written);
  }, [key, written, viewing]);
  return written === null ? readFilters(key, dataset) : [];
}

function readFilters(key: string, dataset: View['dataset']): Filter[] {
  const known = new Set(filterDimensions(dataset));
  try {
    const stored = JSON.parse(readStored('local', key) ?? '[]') as Filter[];
    return stored.filter(({ dimension, values }) => known.has(dimension) && Array.isArray(values) && values.length > 0);
  } catch {
    return [];
  }
}
