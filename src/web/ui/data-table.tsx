import {
  createSortedRowModel,
  type Header,
  rowSortingFeature,
  type Row as TableRow,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type MouseEvent, type ReactNode, useMemo } from 'react';
import classes from './data-table.module.css';
import { type PhonePlace, SortButton, sortWords, TotalsRow, useFirstRows } from './data-table-parts.tsx';

export type DataColumn<Item> = {
  readonly id: string;
  readonly title: string;
  /** What the column sorts by; without it the column has no sort button. Null sorts last. */
  readonly sortBy?: (item: Item) => string | number | null;
  readonly cell: (item: Item) => ReactNode;
  /** Numbers stand right, in tabular figures. */
  readonly numeric?: boolean;
  readonly phone?: PhonePlace;
};

type Props<Item> = {
  /** For screen readers: what the table holds. */
  readonly caption: string;
  readonly items: readonly Item[];
  /** Keep it outside the component or memoised: a new list sorts again. The first column names the row. */
  readonly columns: readonly DataColumn<Item>[];
  readonly keyOf: (item: Item) => string;
  /** Opens a row: by a click anywhere on it, or by the button around its first cell. */
  readonly onOpen?: (item: Item) => void;
  /** The key of the row that is open beside the table. */
  readonly openKey?: string | null;
  readonly sortedBy?: { readonly id: string; readonly desc: boolean };
  /** Pinned at the bottom: the text of each column by its id. */
  readonly totals?: Readonly<Record<string, ReactNode>>;
  /** Longer lists show this many first, and as many more with each press of the button below them. */
  readonly firstRows?: number;
  /** Shown in place of the rows when there are none. */
  readonly empty?: ReactNode;
};

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
type Features = typeof features;

/** Texts in the order of a dictionary, numbers by size; nulls stay last in both directions. */
const collator = new Intl.Collator('en-GB', { numeric: true, sensitivity: 'base' });

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return collator.compare(String(a), String(b));
}

export function DataTable<Item extends object>(props: Props<Item>) {
  const { caption, items, columns, keyOf, onOpen, openKey, sortedBy, totals, empty, firstRows } = props;
  const definitions = useMemo(() => columns.map(definitionOf<Item>), [columns]);
  const table = useTable({
    features,
    data: items,
    columns: definitions,
    getRowId: keyOf,
    enableSortingRemoval: false,
    initialState: { sorting: sortedBy ? [{ ...sortedBy }] : [] },
  });
  const { rows: all } = table.getRowModel();
  const { rows, more } = useFirstRows(all, firstRows);
  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  if (rows.length === 0 && empty) return empty;
  return (
    // A wide table scrolls in its own box, which the keyboard has to reach.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs focus to be scrolled by keys.
    <section className={classes.box} aria-label={caption} tabIndex={0}>
      <table className={classes.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {headers.map((header, index) => (
              <HeadCell key={header.id} header={header} column={columns[index]!} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BodyRow key={row.id} row={row} columns={columns} onOpen={onOpen} open={row.id === openKey} />
          ))}
        </tbody>
        {totals && <TotalsRow columns={columns} totals={totals} />}
      </table>
      {more}
    </section>
  );
}

function definitionOf<Item extends object>(column: DataColumn<Item>) {
  return {
    id: column.id,
    accessorFn: (item: Item) => column.sortBy?.(item) ?? undefined,
    enableSorting: column.sortBy !== undefined,
    sortUndefined: 'last' as const,
    sortFn: (a: TableRow<Features, Item>, b: TableRow<Features, Item>, id: string) =>
      compare(a.getValue(id), b.getValue(id)),
  };
}

type HeadCellProps<Item extends object> = { header: Header<Features, Item, unknown>; column: DataColumn<Item> };

function HeadCell<Item extends object>({ header, column }: HeadCellProps<Item>) {
  const sorted = header.column.getIsSorted();
  return (
    <th scope="col" aria-sort={sortWords(sorted)} data-numeric={column.numeric}>
      {column.sortBy ? (
        <SortButton title={column.title} sorted={sorted} onSort={() => header.column.toggleSorting()} />
      ) : (
        column.title
      )}
    </th>
  );
}

type BodyRowProps<Item extends object> = {
  row: TableRow<Features, Item>;
  columns: readonly DataColumn<Item>[];
  onOpen: ((item: Item) => void) | undefined;
  open: boolean;
};

function BodyRow<Item extends object>({ row, columns, onOpen, open }: BodyRowProps<Item>) {
  const item = row.original;
  const openUnlessControl = (event: MouseEvent<HTMLElement>) => {
    const control = (event.target as Element).closest('a, button, input, label, select, textarea');
    if (!control && !getSelection()?.toString()) onOpen?.(item);
  };
  return (
    // The button in the first cell opens the row by key.
    <tr onClick={onOpen && openUnlessControl} data-opens={onOpen ? true : undefined} data-open={open || undefined}>
      {columns.map((column, index) => (
        <td key={column.id} data-numeric={column.numeric} data-phone={column.phone ?? (index === 0 ? 'name' : 'none')}>
          {index === 0 && onOpen ? (
            <button type="button" className={classes.open} onClick={() => onOpen(item)}>
              {column.cell(item)}
            </button>
          ) : (
            column.cell(item)
          )}
        </td>
      ))}
    </tr>
  );
}
