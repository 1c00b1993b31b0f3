// The rows behind a number, a page at a time, and the leave to take them away as a file.
import { infiniteQueryOptions } from '@tanstack/react-query';
import { config } from '#web/api/config.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import type { Behind } from '../shared/behind.ts';
import { rowsOf } from '../shared/numbers-queries.ts';
import type { View } from '../shared/view.ts';

const rowsDocument = graphql(`
  query NumberRows(
    $dataset: String!
    $metric: String!
    $scope: String
    $currency: String
    $from: String!
    $to: String!
    $filters: [NumberFilter!]
    $hours: String
    $after: String
    $limit: Int
  ) {
    numberRows(
      dataset: $dataset
      metric: $metric
      scope: $scope
      currency: $currency
      from: $from
      to: $to
      filters: $filters
      hours: $hours
      after: $after
      limit: $limit
    ) {
      currency
      fields
      parts
      rows {
        id
        values
        parts
        value
      }
      next
    }
  }
`);

const ticketDocument = graphql(`
  mutation ExportTicket(
    $dataset: String!
    $metric: String!
    $scope: String
    $currency: String
    $from: String!
    $to: String!
    $filters: [NumberFilter!]
    $hours: String
  ) {
    exportTicket(
      dataset: $dataset
      metric: $metric
      scope: $scope
      currency: $currency
      from: $from
      to: $to
      filters: $filters
      hours: $hours
    ) {
      url
    }
  }
`);

export type RowsPage = ResultOf<typeof rowsDocument>['numberRows'];

const pageSize = 50;

/** The page of rows narrowed down to what was opened. `currency` is the one that the number was shown in. */
function askedFor(view: View, { name, days, filters }: Behind, currency: string | null) {
  return { ...rowsOf({ ...view, days, filters, currency }), metric: name };
}

export const behindQuery = (view: View, behind: Behind, currency: string | null) => {
  const variables = askedFor(view, behind, currency);
  return infiniteQueryOptions({
    queryKey: ['number-rows', variables],
    queryFn: async ({ signal, pageParam }) =>
      (await request(rowsDocument, { ...variables, after: pageParam, limit: pageSize }, { signal })).numberRows,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
};

/** The ticket is good once, so that no address with a lasting right lies in the history of the browser. */
export async function downloadRows(view: View, behind: Behind, currency: string | null): Promise<void> {
  const { exportTicket } = await request(ticketDocument, askedFor(view, behind, currency));
  const link = document.createElement('a');
  link.href = new URL(exportTicket.url, config().top5ServerUrl || location.origin).href;
  link.download = '';
  link.click();
}
