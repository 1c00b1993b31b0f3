import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { capital } from '#core/base/formats.ts';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import classes from './one-of-list.module.css';

type Props<Row> = {
  /** Its data is null if there is no such row. */
  readonly query: Pick<UseQueryResult<Row | null>, 'data' | 'error' | 'refetch'>;
  /** Such as “person”, for its sentences. */
  readonly what: string;
  readonly onClose: () => void;
  readonly children: (row: Row) => ReactNode;
};

/** One row of a list in its panel, which opens before the server has answered. */
export function OneOfList<Row>({ query: { data, error, refetch }, what, onClose, children }: Props<Row>) {
  if (data === null || (!data && error?.code === 'NOT_FOUND'))
    return (
      <div className={classes.gone}>
        <p>{capital(what)} not found.</p>
        <Button variant="default" onClick={onClose}>
          Back to the list
        </Button>
      </div>
    );
  if (error && !data)
    return (
      <PanelError sentence={`Couldn’t load this ${what}.`} onRetry={() => void refetch()} requestId={error.requestId} />
    );
  return (
    <Loading loading={!data} skeleton={<SkeletonRows rows={8} />}>
      {data && children(data)}
    </Loading>
  );
}
