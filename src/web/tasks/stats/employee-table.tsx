import { Button } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Fragment, type ReactNode, useState } from 'react';
// The same look as every table of the product; this one opens its rows in place.
import shared from '#web/ui/data-table.module.css';
import type { DataColumn } from '#web/ui/data-table.tsx';
import { SortButton, sortWords, TotalsRow } from '#web/ui/data-table-parts.tsx';
import classes from './employee-table.module.css';
import type { Order, Ordering } from './row-order.ts';

/** More rows than this come in pages: a thousand open rows are slow to draw and nobody reads them. */
const pageSize = 100;

export type EmployeeColumn<Item> = DataColumn<Item> & { readonly info?: ReactNode };

type Props<Item> = {
  readonly caption: string;
  /** The rows in their order; whoever exports them has the same. */
  readonly ordering: Ordering<Item>;
  readonly columns: readonly EmployeeColumn<Item>[];
  readonly keyOf: (item: Item) => string;
  readonly nameOf: (item: Item) => string;
  /** What opens under the row. */
  readonly detail: (item: Item) => ReactNode;
  /** Pinned at the bottom: the text of each column by its id. */
  readonly totals?: Readonly<Record<string, ReactNode>>;
};

/** One row a person, opening in place to what stands behind the numbers. */
export function EmployeeTable<Item>(props: Props<Item>) {
  const { caption, ordering, columns, keyOf, nameOf, detail, totals } = props;
  const { rows, order, toggle } = ordering;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [page, setPage] = useState(0);
  // A search that leaves fewer pages shows the last of them.
  const first = Math.min(page, Math.max(0, Math.ceil(rows.length / pageSize) - 1)) * pageSize;
  const shown = rows.slice(first, first + pageSize);
  const turn = (key: string) =>
    setOpen(new Set(open.has(key) ? [...open].filter((each) => each !== key) : [...open, key]));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs focus to be scrolled by keys. */}
      <section className={`${shared.box} ${classes.box}`} aria-label={caption} tabIndex={0}>
        <table className={`${shared.table} ${classes.table}`}>
          <caption className="visually-hidden">{caption}</caption>
          <Head columns={columns} order={order} onToggle={toggle} />
          <tbody>
            {shown.map((item) => {
              const key = keyOf(item);
              return (
                <Row
                  key={key}
                  item={item}
                  columns={columns}
                  name={nameOf(item)}
                  open={open.has(key)}
                  onTurn={() => turn(key)}
                  detail={detail}
                />
              );
            })}
          </tbody>
          {totals && <TotalsRow columns={columns} totals={totals} />}
        </table>
      </section>
      {rows.length > pageSize && <Pages first={first} count={rows.length} onPage={setPage} />}
    </>
  );
}

type HeadProps<Item> = { columns: readonly EmployeeColumn<Item>[]; order: Order; onToggle: (id: string) => void };

function Head<Item>({ columns, order, onToggle }: HeadProps<Item>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const sorted = order.id === column.id ? (order.desc ? 'desc' : 'asc') : false;
          return (
            <th key={column.id} scope="col" data-numeric={column.numeric} aria-sort={sortWords(sorted)}>
              <span className={classes.headCell}>
                {column.sortBy ? (
                  <SortButton title={column.title} sorted={sorted} onSort={() => onToggle(column.id)} />
                ) : (
                  column.title
                )}
                {column.info}
              </span>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

type RowProps<Item> = {
  item: Item;
  columns: readonly EmployeeColumn<Item>[];
  name: string;
  open: boolean;
  onTurn: () => void;
  detail: (item: Item) => ReactNode;
};

function Row<Item>({ item, columns, name, open, onTurn, detail }: RowProps<Item>) {
  return (
    <Fragment>
      <tr data-open={open || undefined}>
        {columns.map((column, index) => (
          <td
            key={column.id}
            data-numeric={column.numeric}
            data-phone={column.phone ?? (index === 0 ? 'name' : 'none')}
          >
            {index === 0 ? (
              <span className={classes.nameCell}>
                <button
                  type="button"
                  className={classes.turn}
                  aria-expanded={open}
                  aria-label={`Tasks of ${name}`}
                  onClick={onTurn}
                >
                  <IconChevronRight size={16} stroke={1.7} />
                </button>
                {column.cell(item)}
              </span>
            ) : (
              column.cell(item)
            )}
          </td>
        ))}
      </tr>
      {open && (
        <tr className={classes.detailRow}>
          <td colSpan={columns.length} data-phone="below">
            {detail(item)}
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function Pages({ first, count, onPage }: { first: number; count: number; onPage: (page: number) => void }) {
  const page = first / pageSize;
  return (
    <div className={classes.pages}>
      <span>
        {first + 1} to {Math.min(count, first + pageSize)} of {count}
      </span>
      <Button variant="default" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button variant="default" disabled={first + pageSize >= count} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </div>
  );
}
