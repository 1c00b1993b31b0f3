// Metrics over a range of days, in total and by group: used by the pages of numbers and My week.
import { queryOptions } from '@tanstack/react-query';
import type { Comparison } from '#core/numbers/comparison.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { graphql, type ResultOf } from './graphql.ts';
import { listQuery } from './list-query.ts';
import { request } from './request.ts';

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
    $offset: Int
    $order: String
    $descending: Boolean
    $search: String
    $onlyFilled: Boolean
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
      offset: $offset
      order: $order
      descending: $descending
      search: $search
      onlyFilled: $onlyFilled
    ) {
      currency
      currencies
      currencyRows
      isBacklogKnown
      hasWholeOrders
      asOf
      isImporting
      isEmpty
      matchingRows
      newest
      rows {
        keys
        values
        previousValues
      }
      groups
      goneGroups
      others {
        groups
        values
        previousValues
      }
      totals
      previousTotals
      dataFrom
    }
  }
`);

export type Numbers = ResultOf<typeof numbersDocument>['numbers'];
export type NumberGroup = Numbers['rows'][number];

/** Selects a dataset's rows; `to` is the day after the last, and null among values is a blank field. */
export type RowsMeant = {
  readonly dataset: DatasetKey;
  readonly scope: string | null;
  readonly currency: string | null;
  readonly from: string;
  readonly to: string;
  readonly filters: { readonly field: string; readonly values: (string | null)[] }[];
  readonly hours: string | null;
};

export type Question = RowsMeant & {
  readonly metrics: string[];
  readonly by: string[];
  readonly compare: Comparison;
  /** Only the largest; the rest is combined. */
  readonly top: number | null;
  /** Only groups whose name contains it. */
  readonly search?: string;
};

/** A page of sorted groups. */
type PagedQuestion = Question & { readonly order: string; readonly descending: boolean; readonly top: number };

/** Numbers only change when a file is imported, so they can be cached for a while. */
const numbersStaleMs = 60_000;

export const numbersQuery = (question: Question) =>
  queryOptions({
    queryKey: ['numbers', question],
    queryFn: async ({ signal }) => (await request(numbersDocument, question, { signal })).numbers,
    staleTime: numbersStaleMs,
    // Another range's numbers stay, faded, until the new ones load; another product's don't.
    placeholderData: (before: Numbers | undefined, query) =>
      (query?.queryKey[1] as Question | undefined)?.scope === question.scope ? before : undefined,
  });

/** The largest groups in an order, all at once. */
export const readGroups = async (question: PagedQuestion, signal: AbortSignal): Promise<Numbers> =>
  (await request(numbersDocument, { ...question, offset: 0, onlyFilled: true }, { signal })).numbers;

export const numberPagesQuery = (question: PagedQuestion) =>
  listQuery({
    queryKey: ['numbers', 'pages', question],
    read: async (after, signal) => {
      const offset = Number(after ?? 0);
      const { numbers } = await request(numbersDocument, { ...question, offset, onlyFilled: true }, { signal });
      const end = offset + question.top;
      return { ...numbers, next: end < numbers.groups ? String(end) : null, total: numbers.groups };
    },
    staleTime: numbersStaleMs,
    keeps: (before) => {
      const { scope, metrics } = before[2] as Question;
      return scope === question.scope && String(metrics) === String(question.metrics);
    },
  });
