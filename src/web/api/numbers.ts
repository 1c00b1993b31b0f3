// What metrics come to over some days, in all and by group: asked by the pages of numbers and by My week.
import { queryOptions } from '@tanstack/react-query';
import type { Comparison } from '#core/numbers/comparison.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { graphql, type ResultOf } from './graphql.ts';
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

/** Which rows of a dataset are meant; `to` is the day after the last, a null among values is a blank field. */
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
  /** The largest only; what the others come to is told apart. */
  readonly top: number | null;
};

/** Numbers change when a file is imported; nobody needs them read again at every step. */
const numbersStaleMs = 60_000;

export const numbersQuery = (question: Question) =>
  queryOptions({
    queryKey: ['numbers', question],
    queryFn: async ({ signal }) => (await request(numbersDocument, question, { signal })).numbers,
    staleTime: numbersStaleMs,
    // The numbers of other days stay, faded, until the new ones are there; those of another product do not.
    placeholderData: (before: Numbers | undefined, query) =>
      (query?.queryKey[1] as Question | undefined)?.scope === question.scope ? before : undefined,
  });
