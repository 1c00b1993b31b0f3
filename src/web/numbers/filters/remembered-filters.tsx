import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ofPerson } from '#web/api/session.ts';
import { readStored, writeStored } from '#web/api/stored.ts';
import { useViewer } from '#web/api/viewer.ts';
import { type Change, changes, type Filter, filterDimensions, type View } from '../shared/view.ts';
import { filterWords } from './filter-bar.tsx';
import classes from './remembered-filters.module.css';

type Props = { readonly view: View; readonly change: (part: Change) => void };

/** Filters stay with a page from one visit to the next; a visit that begins with them is told so, with a way out. */
export function RememberedFilters({ view, change }: Props) {
  const { id } = useViewer();
  const key = `${ofPerson}${id}:filters:${view.dataset}`;
  const [announced, setAnnounced] = useState(false);
  const { filters } = view;
  const written = JSON.stringify(filters);

  // Only as the page is opened: who takes the filters away later means it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the page opens with is read once.
  useEffect(() => {
    const remembered = filters.length === 0 ? readFilters(key, view) : [];
    if (remembered.length === 0) return;
    change(Object.assign({}, ...remembered.map(({ dimension, values }) => changes.filter(dimension, values))));
    setAnnounced(true);
  }, [key]);

  const [opened, setOpened] = useState(false);
  useEffect(() => {
    // What the page opens with says nothing yet about what the person wants to keep.
    if (opened) writeStored('local', key, written === '[]' ? null : written);
    setOpened(true);
  }, [key, written, opened]);

  if (!announced || filters.length === 0) return null;
  const reset = () => {
    change(Object.assign({}, ...filters.map(({ dimension }) => changes.filter(dimension, []))));
    setAnnounced(false);
  };
  return (
    <p className={classes.note} role="status">
      Filtered as last time: {filterWords(view.dataset, filters)}.
      <Button variant="subtle" size="compact-sm" onClick={reset}>
        Show everything
      </Button>
    </p>
  );
}

function readFilters(key: string, { dataset }: View): Filter[] {
  const known = new Set(filterDimensions(dataset));
  try {
    const stored = JSON.parse(readStored('local', key) ?? '[]') as Filter[];
    return stored.filter(({ dimension, values }) => known.has(dimension) && Array.isArray(values) && values.length > 0);
  } catch {
    return [];
  }
}
