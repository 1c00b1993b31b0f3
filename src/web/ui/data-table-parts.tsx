import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './data-table.module.css';

/** Where a cell goes in the two-line row of a phone. Cells without a place are left out there. */
export type PhonePlace = 'name' | 'below' | 'value' | 'change';

type SortProps = { readonly title: string; readonly sorted: 'asc' | 'desc' | false; readonly onSort: () => void };

/** The head of a column that sorts, with an arrow at the side that leads. */
export function SortButton({ title, sorted, onSort }: SortProps) {
  return (
    <button type="button" className={classes.sort} onClick={onSort}>
      {title}
      <svg width="8" height="10" viewBox="0 0 8 10" aria-hidden="true" data-sorted={sorted || undefined}>
        <path d="M1 4 4 1l3 3" />
        <path d="m1 6 3 3 3-3" />
      </svg>
    </button>
  );
}

/** What `aria-sort` says of a column. */
export const sortWords = (sorted: 'asc' | 'desc' | false) =>
  sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : undefined;

type TotalsProps = {
  readonly columns: readonly { readonly id: string; readonly numeric?: boolean; readonly phone?: PhonePlace }[];
  /** The text of each column by its id. */
  readonly totals: Readonly<Record<string, ReactNode>>;
};

/** The row that stays at the bottom. Its first cell says whose totals they are, on a phone too. */
export function TotalsRow({ columns, totals }: TotalsProps) {
  return (
    <tfoot>
      <tr>
        {columns.map(({ id, numeric, phone }, index) => (
          <td key={id} data-numeric={numeric} data-phone={phone ?? (index === 0 ? 'name' : 'none')}>
            {totals[id]}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

/** The first rows of a long list, and the button that shows more of them. */
export function useFirstRows<Row>(
  all: readonly Row[],
  firstRows: number | undefined,
): { rows: readonly Row[]; more: ReactNode } {
  const [pages, setPages] = useState(1);
  const shown = firstRows === undefined ? all.length : firstRows * pages;
  const left = all.length - shown;
  if (firstRows === undefined || left <= 0) return { rows: all, more: null };
  return {
    rows: all.slice(0, shown),
    more: (
      <div className={classes.more}>
        <Button variant="default" onClick={() => setPages(pages + 1)}>
          Show {Math.min(left, firstRows)} more
        </Button>
        <span>{left} are not shown</span>
      </div>
    ),
  };
}
