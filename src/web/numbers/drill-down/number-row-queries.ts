// A number's rows, a page at a time, and their export.
import { download } from '#web/api/download.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { listQuery } from '#web/api/list-query.ts';
import { rowsOf, type View } from '#web/api/number-view.ts';
import { request } from '#web/api/request.ts';
import type { DrillDown } from '../shared/drill-down.ts';

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

/** The page's rows, narrowed to the selection. `currency` is the number's currency. */
function askedFor(view: View, { name, days, filters }: DrillDown, currency: string | null) {
  return { ...rowsOf({ ...view, days, filters, currency }), metric: name };
}

export const drillDownQuery = (view: View, drillDown: DrillDown, currency: string | null) => {
  const variables = askedFor(view, drillDown, currency);
  return listQuery({
    queryKey: ['number-rows', variables],
    read: async (after, signal) =>
      (await request(rowsDocument, { ...variables, after, limit: pageSize }, { signal })).numberRows,
  });
};

export async function downloadRows(view: View, drillDown: DrillDown, currency: string | null): Promise<void> {
  download((await request(ticketDocument, askedFor(view, drillDown, currency))).exportTicket.url);
}
