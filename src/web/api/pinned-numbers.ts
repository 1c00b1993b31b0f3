// The numbers a person pins to the start page, on the pages of numbers, shown on My week.
import { queryOptions } from '@tanstack/react-query';
import { graphql, type ResultOf } from './graphql.ts';
import { request } from './request.ts';

const pinnedDocument = graphql(`
  query PinnedNumbers {
    pinnedNumbers {
      dataset
      metric
      scope
      search
    }
  }
`);

const pinDocument = graphql(`
  mutation PinNumber($dataset: String!, $metric: String!, $scope: String, $search: String) {
    pinNumber(dataset: $dataset, metric: $metric, scope: $scope, search: $search) {
      dataset
      metric
      scope
      search
    }
  }
`);

const unpinDocument = graphql(`
  mutation UnpinNumber($dataset: String!, $metric: String!, $scope: String, $search: String) {
    unpinNumber(dataset: $dataset, metric: $metric, scope: $scope, search: $search) {
      dataset
      metric
      scope
      search
    }
  }
`);

export type PinnedNumber = ResultOf<typeof pinnedDocument>['pinnedNumbers'][number];

export const pinnedNumbersQuery = queryOptions({
  queryKey: ['pinned-numbers'],
  queryFn: async ({ signal }) => (await request(pinnedDocument, {}, { signal })).pinnedNumbers,
});

export const pin = async (number: PinnedNumber) => (await request(pinDocument, number)).pinNumber;
export const unpin = async (number: PinnedNumber) => (await request(unpinDocument, number)).unpinNumber;

export function isPinned(all: readonly PinnedNumber[], { dataset, metric, scope, search }: PinnedNumber): boolean {
  return all.some(
    (each) => each.dataset === dataset && each.metric === metric && each.scope === scope && each.search === search,
  );
}
