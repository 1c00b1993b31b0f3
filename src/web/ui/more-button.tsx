import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

/** A list that is read or shown a page at a time. */
export type MorePages = {
  /** How many rows there are; null where the server doesn't count them. */
  readonly total: number | null;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  /** Why the next page couldn’t be read. */
  readonly failed?: string | undefined;
  readonly onMore: () => void;
};

type Props = { readonly more: MorePages; readonly className?: string | undefined; readonly children?: ReactNode };

/** Below a list with rows that aren't shown yet. */
export function MoreButton({ more, className = '', children = 'Show more' }: Props) {
  const { hasMore, isLoading, onMore, failed } = more;
  if (!hasMore) return null;
  return (
    <>
      {failed && !isLoading && <span role="alert">Couldn’t load more. {failed}</span>}
      <Button variant="default" loading={isLoading} onClick={onMore} className={className}>
        {failed ? 'Try again' : children}
      </Button>
    </>
  );
}
