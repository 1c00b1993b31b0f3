import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

/** A list that is read or shown a page at a time. */
export type MorePages = {
  /** Of all rows; null where the server doesn't count them. */
  readonly total: number | null;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
};

type Props = { readonly more: MorePages; readonly className?: string | undefined; readonly children?: ReactNode };

/** Below a list with rows that aren't shown yet. */
export function MoreButton({ more: { hasMore, isLoading, onMore }, className = '', children = 'Show more' }: Props) {
  if (!hasMore) return null;
  return (
    <Button variant="default" loading={isLoading} onClick={onMore} className={className}>
      {children}
    </Button>
  );
}
