// What the pages of numbers read.
import { keepPreviousData, queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ApiError } from '#web/api/api-error.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import type { View } from './view.ts';

const numbersDocument = graphql(`
  query Numbers(
    $dataset: String!
    $metrics: [String!]!
    $scope: String
    $currency: String
    $from: String!
    $to: String!
    $by: [String!]
    $filters: [NumberFilter!]
    $compare: String
    $hours: String
    $top: Int
  ) {
    numbers(
      dataset: $dataset
      metrics: $metrics
      scope: $scope
      currency: $currency
      from: $from
      to: $to
      by: $by
      filters: $filters
      compare: $compare
      hours: $hours
      top: $top
    ) {
      currency
      currencies
      asOf
      newest
      unfinished
      rows {
        keys
        values
        previousValues
      }
      others {
        groups
        values
        previousValues
      }
      totals
      previousTotals
    }
  }
`);

export type Numbers = ResultOf<typeof numbersDocument>['numbers'];
export type NumberGroup = Numbers['rows'][number];

type Question = {
  readonly metrics: readonly string[];
  readonly by?: readonly string[];
  /** Not compared with anything: the tile has no place for it. */
  readonly alone?: boolean;
  /** The largest only; what the others come to is told apart. */
  readonly top?: number;
  /** Other days than the page's. */
  readonly days?: View['days'];
};

/** What the address cannot say: a blank field is null. */
const filtersOf = ({ filters }: Pick<View, 'filters'>) =>
  filters.map(({ dimension, values }) => ({
    field: dimension,
    values: values.map((value) => (value === '' ? null : value)),
  }));

/** What every question about the view names: which rows count. */
export const rowsOf = (view: Pick<View, 'dataset' | 'scope' | 'currency' | 'days' | 'filters' | 'hours'>) => ({
  dataset: view.dataset,
  scope: view.scope,
  currency: view.currency,
  from: view.days.from,
  to: view.days.to,
  filters: filtersOf(view),
  hours: view.hours,
});

/** Numbers change when a file is imported; nobody needs them read again at every step. */
const numbersStaleMs = 60_000;

export function numbersQuery(view: View, { metrics, by = [], alone = false, top, days = view.days }: Question) {
  const variables = {
    ...rowsOf({ ...view, days }),
    metrics: [...metrics],
    by: [...by],
    compare: alone ? 'none' : view.compare,
    top: top ?? null,
  };
  return queryOptions({
    queryKey: ['numbers', view.dataset, variables],
    queryFn: async ({ signal }) => (await request(numbersDocument, variables, { signal })).numbers,
    staleTime: numbersStaleMs,
    // The numbers of other days stay, faded, until the new ones are there; those of another product do not.
    placeholderData: (before: Numbers | undefined, query) =>
      (query?.queryKey[2] as { scope?: string | null } | undefined)?.scope === view.scope
        ? keepPreviousData(before)
        : undefined,
  });
}

export function useNumbers(view: View, question: Question): UseQueryResult<Numbers, ApiError> {
  return useQuery(numbersQuery(view, question));
}
