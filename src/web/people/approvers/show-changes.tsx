import { Button } from '@mantine/core';
import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isReadAgain, managementQuery } from './approver-queries.ts';

type Pages = { readonly pages: readonly { readonly readAt: number }[] };
type Props = { readonly query: UseInfiniteQueryResult<Pages> };

/** Counts that are this much newer than a list may come from the same change of the viewer's own. */
const sameReadMs = 10_000;

/** Reads a list of several pages again, which is older than the current counts. */
export function ShowChanges({ query: { data, isFetching, refetch } }: Props) {
  const readAt = data?.pages[0]?.readAt ?? 0;
  const counts = useQuery(managementQuery);
  const [seen, setSeen] = useState(counts.data);
  if (counts.data !== seen && counts.dataUpdatedAt - readAt < sameReadMs) setSeen(counts.data);
  if (counts.data === seen || isReadAgain(data?.pages ?? [])) return null;
  return (
    <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
      Show changes
    </Button>
  );
}
