// The one way to read a list that the server divides: a page at a time, from where the page before ended.
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type Query,
  type QueryKey,
  replaceEqualDeep,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import type { MorePages } from '#web/ui/more-button.tsx';
import { asApiError } from './api-error.ts';

/** What the server answers: rows, where the next page begins, and how many rows there are, if it counts them. */
export type ListPage<Row> = {
  readonly rows: readonly Row[];
  /** Null after the last page. */
  readonly next: string | null;
  readonly total?: number;
};

type Options<Page> = {
  readonly queryKey: QueryKey;
  readonly read: (after: string | null, signal: AbortSignal) => Promise<Page>;
  /** False: not read yet. */
  readonly enabled?: boolean;
  /** How long the rows are fresh, in milliseconds: 0 by default. */
  readonly staleTime?: number;
  /** Whether rows of the key before stay until the new ones are here. They do by default. */
  readonly keeps?: (before: QueryKey) => boolean;
  /** How long rows stay that no page shows. Five minutes by default. */
  readonly gcTime?: number;
  /** Combines what was read with what is known. */
  readonly combine?: (known: unknown, read: unknown) => unknown;
  /** When to read the pages again, in milliseconds, while rows change by themselves. */
  readonly every?: (pages: readonly Page[]) => number | false;
};

export function listQuery<Page extends ListPage<unknown>>({
  queryKey,
  read,
  enabled = true,
  staleTime = 0,
  gcTime,
  keeps,
  combine = replaceEqualDeep,
  every,
}: Options<Page>) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) => read(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: Page) => next,
    placeholderData: (
      before: InfiniteData<Page, string | null> | undefined,
      query: Query<InfiniteData<Page, string | null>> | undefined,
    ) => (query && keeps && !keeps(query.queryKey) ? undefined : keepPreviousData(before)),
    enabled,
    staleTime,
    ...(gcTime !== undefined && { gcTime }),
    structuralSharing: combine,
    refetchInterval: ({ state: { data } }) => every?.(data?.pages ?? []) ?? false,
  });
}

type ListQuery<Page extends ListPage<unknown>> = ReturnType<typeof listQuery<Page>>;

/** `query`, `items` and `more` are what a `DataTable` takes; `first` has the counts that a page brings besides. */
export function useList<Page extends ListPage<unknown>>(options: ListQuery<Page>) {
  const query = useInfiniteQuery(options);
  const pages = query.data?.pages;
  const items = useMemo(() => (pages ?? []).flatMap(({ rows }) => rows as Page['rows'][number][]), [pages]);
  const more: MorePages = {
    total: pages?.[0]?.total ?? null,
    hasMore: query.hasNextPage,
    isLoading: query.isFetchingNextPage,
    failed: query.isFetchNextPageError ? asApiError(query.error).message : undefined,
    onMore: () => void query.fetchNextPage(),
  };
  return { query, items, more, first: pages?.[0] };
}

/** For a call that answers with rows only: a page that is full may have another one after it. */
export const fullPage = <Row>(rows: readonly Row[], limit: number, next: (last: Row) => string): ListPage<Row> => ({
  rows,
  next: rows.length < limit ? null : next(rows.at(-1)!),
});
