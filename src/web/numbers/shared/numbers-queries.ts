// The questions that the tiles of a page ask about its view.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ApiError } from '#web/api/api-error.ts';
import { type Numbers, numbersQuery, type Question, type RowsMeant } from '#web/api/numbers.ts';
import type { View } from './view.ts';

type Asked = {
  readonly metrics: readonly string[];
  readonly by?: readonly string[];
  /** Not compared with anything: the tile has no place for it. */
  readonly alone?: boolean;
  readonly top?: number;
  /** Other days than the page's. */
  readonly days?: View['days'];
};

type Narrowed = Pick<View, 'dataset' | 'scope' | 'currency' | 'days' | 'filters' | 'hours'>;

/** What the address cannot say: a blank field is null. */
export const rowsOf = ({ dataset, scope, currency, days, filters, hours }: Narrowed): RowsMeant => ({
  dataset,
  scope,
  currency,
  ...days,
  filters: filters.map(({ dimension, values }) => ({
    field: dimension,
    values: values.map((value) => (value === '' ? null : value)),
  })),
  hours,
});

export function questionOf(view: View, { metrics, by = [], alone, top, days = view.days }: Asked): Question {
  return {
    ...rowsOf({ ...view, days }),
    metrics: [...metrics],
    by: [...by],
    compare: alone ? 'none' : view.compare,
    top: top ?? null,
  };
}

export function useNumbers(view: View, asked: Asked): UseQueryResult<Numbers, ApiError> {
  return useQuery(numbersQuery(questionOf(view, asked)));
}
