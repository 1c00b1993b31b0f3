import { queryOptions } from '@tanstack/react-query';
import { graphql } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

const holidaysDocument = graphql(`
  query Holidays {
    holidays {
      firstDay
      lastDay
      name
    }
  }
`);

/** The company's days off, past ones too. */
export const holidaysQuery = queryOptions({
  queryKey: ['holidays'],
  queryFn: async ({ signal }) => (await request(holidaysDocument, {}, { signal })).holidays,
});
