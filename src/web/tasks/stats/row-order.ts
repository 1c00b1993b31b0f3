// The order of table rows: texts as in a dictionary, numbers by size, what has no value last in both directions.
import { useMemo, useState } from 'react';
import type { DataColumn } from '#web/ui/data-table.tsx';

export type Order = { readonly id: string; readonly desc: boolean };

/** How both tables of employees begin. */
export const byName: Order = { id: 'employee', desc: false };

const collator = new Intl.Collator('en-GB', { numeric: true, sensitivity: 'base' });

type Value = string | number | null;

function compare(a: Value, b: Value, desc: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const ascending = typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
  return desc ? -ascending : ascending;
}

export function ordered<Item>(
  items: readonly Item[],
  columns: readonly DataColumn<Item>[],
  { id, desc }: Order,
): readonly Item[] {
  const sortBy = columns.find((column) => column.id === id)?.sortBy;
  return sortBy ? items.toSorted((a, b) => compare(sortBy(a), sortBy(b), desc)) : items;
}

export type Ordering<Item> = {
  readonly rows: readonly Item[];
  readonly order: Order;
  readonly toggle: (id: string) => void;
};

/** A column with numbers starts with the largest, as that is what a person looks for. */
export function useOrder<Item>(
  items: readonly Item[],
  columns: readonly DataColumn<Item>[],
  first: Order,
): Ordering<Item> {
  const [order, setOrder] = useState(first);
  const rows = useMemo(() => ordered(items, columns, order), [items, columns, order]);
  const toggle = (id: string) => {
    const numeric = columns.find((column) => column.id === id)?.numeric ?? false;
    setOrder(order.id === id ? { id, desc: !order.desc } : { id, desc: numeric });
  };
  return { rows, order, toggle };
}
