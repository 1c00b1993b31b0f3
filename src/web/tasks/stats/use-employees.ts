// A list of employees in pages, with its search and order. Both stats pages show one.
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useList } from '#web/api/list-query.ts';
import type { Order } from '#web/ui/data-table.tsx';
import { typingPauseMs } from '#web/ui/timing.ts';
import { employeesQuery, type StatsChoice } from './stats-queries.ts';

export const byName: Order = { id: 'employee', desc: false };

export function useEmployees(choice: StatsChoice) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), typingPauseMs);
  const [order, setOrder] = useState(byName);
  const asked = { ...choice, search, order };
  const { first, ...list } = useList(employeesQuery(asked));
  const count = first && (first.total === first.everyone ? first.total : `${first.total} of ${first.everyone}`);
  return { asked, typed, setTyped, count, first, list: { ...list, order, onOrder: setOrder } };
}
