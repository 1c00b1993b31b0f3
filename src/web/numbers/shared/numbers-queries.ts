// The queries of a page's tiles for its view.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { dashboards, type Tile } from '#core/numbers/dashboards.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { doubtfulParts, leftOutLeaves } from '#core/numbers/metric-value.ts';
import type { ApiError } from '#web/api/api-error.ts';
import { type Asked, questionOf, type View } from '#web/api/number-view.ts';
import { type Numbers, numbersQuery } from '#web/api/numbers.ts';
import { queryClient } from '#web/api/query-client.ts';

export function useNumbers(view: View, asked: Asked, enabled = true): UseQueryResult<Numbers, ApiError> {
  return useQuery({ ...numbersQuery(questionOf(view, asked)), enabled });
}

const importRefreshMs = 20_000;

/** All tiles show the same part of a running import, and at its end all of it. */
export function useRefreshWhile(isImporting: boolean): void {
  useEffect(() => {
    if (!isImporting) return;
    const refresh = () => {
      // Not in a hidden tab, and not again while a slow answer is on its way.
      if (!document.hidden) void queryClient.invalidateQueries({ queryKey: ['numbers'] }, { cancelRefetch: false });
    };
    const timer = setInterval(refresh, importRefreshMs);
    return () => {
      clearInterval(timer);
      refresh();
    };
  }, [isImporting]);
}

export const topMetrics = ({ dataset }: Pick<View, 'dataset'>): string[] =>
  (dashboards[dataset] as readonly Tile<DatasetKey>[]).flatMap((tile) => (tile.kind === 'number' ? [tile.metric] : []));

/** The numbers with those that say which rows they leave out. */
export const withLeftOut = (dataset: DatasetKey, names: readonly string[]): string[] => [
  ...new Set([...names, ...names.flatMap((name) => leftOutLeaves(dataset, name))]),
];

/**
 * The numbers on top of a page with their spark lines, the parts that can be unknown, and how many rows each
 * leaves out, in one query.
 */
export function topQuestion({ dataset, granularity }: View) {
  const names = topMetrics({ dataset });
  const parts = names.flatMap((name) => doubtfulParts(dataset, name));
  return { metrics: [...new Set([...withLeftOut(dataset, names), ...parts])], by: [granularity] };
}

/**
 * The page's view in its one currency, for tiles of other days, where other rows may be the most. Without a
 * choice, the numbers on top know it; null until they are loaded.
 */
export function useViewInCurrency(view: View): View | null {
  const { data, isError } = useNumbers(view, topQuestion(view));
  if (view.currency !== null || isError) return view;
  return data ? { ...view, currency: data.currency } : null;
}
