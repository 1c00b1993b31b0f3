import {
  createSortedRowModel,
  rowSortingFeature,
  type Row as TableRow,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { Fragment, type ReactNode, useMemo, useState } from 'react';
import { compareNames } from '#core/base/formats.ts';
import classes from './data-table.module.css';
import {
  BodyRow,
  type DataColumn,
  HeadCell,
  MoreRows,
  moveRow,
  type Order,
  SelectAll,
  type Selection,
  TableTools,
  TotalsRow,
  toggled,
  useHiddenColumns,
} from './data-table-parts.tsx';
import type { MorePages } from './more-button.tsx';
import { PanelError } from './panel-error.tsx';
import { Loading, SkeletonRows } from './skeleton.tsx';

export type { DataColumn, Order };

/** What a table shows of the query that reads it. */
type Read = {
  readonly data: unknown;
  readonly isPending: boolean;
  readonly isPlaceholderData?: boolean;
  readonly error: { readonly requestId?: string } | null;
  readonly refetch: () => unknown;
};

type Props<Item> = {
  /** For screen readers: what the table shows. */
  readonly caption: string;
  readonly items: readonly Item[];
  /**
   * Define it outside the component or memoize it: a new list sorts again. The first column names the row.
   */
  readonly columns: readonly DataColumn<Item>[];
  readonly keyOf: (item: Item) => string;
  /** What the count below counts, in the plural. */
  readonly unit?: string;
  /** With it the table also shows that its rows load, or why they could not, which `failed` says. */
  readonly query?: Read;
  readonly failed?: string;
  /** Opens a row by a click anywhere on it, or by the button around its first cell. */
  readonly onOpen?: (item: Item) => void;
  /** The key of the row that is open next to the table. */
  readonly openKey?: string | null;
  /** What opens below a row, and the name of the button that opens it. */
  readonly detail?: { readonly label: (item: Item) => string; readonly content: (item: Item) => ReactNode };
  readonly selection?: Selection<Item>;
  /** The first order of a table that sorts its own rows. */
  readonly sortedBy?: Order;
  /** The order of `items`, when the server or the page sorts them. */
  readonly order?: Order | undefined;
  readonly onOrder?: (order: Order) => void;
  /** A longer list shows this many rows first, and as many again with each press of the button below. */
  readonly pageSize?: number;
  /** With it `items` are the rows that the server sent until now. */
  readonly more?: MorePages;
  /** Remembers under this name which columns this browser hides; without it none can be hidden. */
  readonly choosable?: string;
  /** Pinned to the bottom: each column's text by id. */
  readonly totals?: Readonly<Record<string, ReactNode>>;
  /** Scrolls within the window, so the head and the totals stay visible. */
  readonly fitsWindow?: boolean;
  /** Shown instead of rows when there are none. */
  readonly empty?: ReactNode;
};

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
type Features = typeof features;

/** Texts in dictionary order, numbers by size; nulls stay last in both directions. */

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareNames(String(a), String(b));
}

/** The one table of the product: it sorts, pages, selects, opens rows, and becomes cards on a phone. */
export function DataTable<Item extends object>(props: Props<Item>) {
  const { query, failed = 'Couldn’t load the rows.' } = props;
  if (!query) return <Rows {...props} />;
  if (query.error && query.data === undefined) {
    return <PanelError sentence={failed} requestId={query.error.requestId} onRetry={() => void query.refetch()} />;
  }
  return (
    <Loading loading={query.isPending} skeleton={<SkeletonRows rows={8} />}>
      <div className={classes.fading} aria-busy={query.isPlaceholderData}>
        <Rows {...props} />
      </div>
    </Loading>
  );
}

function Rows<Item extends object>(props: Props<Item>) {
  const { caption, columns: all, keyOf, openKey, selection, totals, detail, unit = 'rows', empty } = props;
  const { hidden, hide } = useHiddenColumns(props.choosable);
  const columns = useMemo(() => all.filter(({ id }) => !hidden.has(id)), [all, hidden]);
  const { rows: sorted, order, sort } = useSorted(props);
  const { rows, more } = usePages(sorted, props);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  if (rows.length === 0 && empty) return empty;
  const turn = (key: string) => setOpen(toggled(open, key));
  return (
    <div className={classes.frame}>
      <TableTools all={all} hidden={hidden} onHide={hide} order={order} onOrder={sort} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs focus to be scrolled by keys.
          Its panel often has the same title, and two regions need two names. */}
      <section className={classes.box} data-fits={props.fitsWindow} aria-label={`${caption}, table`} tabIndex={0}>
        <table
          className={classes.table}
          data-choosable={props.choosable !== undefined || undefined}
          onKeyDown={moveRow}
        >
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {selection && <SelectAll keys={rows.map(keyOf)} {...selection} />}
              {columns.map((column) => (
                <HeadCell key={column.id} column={column} order={order} onOrder={sort} />
              ))}
            </tr>
          </thead>
          <tbody data-details={detail !== undefined || undefined}>
            {rows.map((item) => {
              const key = keyOf(item);
              return (
                <Fragment key={key}>
                  <BodyRow
                    item={item}
                    columns={columns}
                    onOpen={props.onOpen}
                    open={key === openKey || open.has(key)}
                    turn={detail && { label: detail.label(item), run: () => turn(key) }}
                    choose={selection && { ...selection, id: key }}
                  />
                  {detail && open.has(key) && (
                    <tr className={classes.detail}>
                      <td colSpan={columns.length + (selection ? 1 : 0)}>{detail.content(item)}</td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
          {totals && <TotalsRow columns={columns} totals={totals} selects={selection !== undefined} />}
        </table>
      </section>
      <MoreRows shown={rows.length} unit={unit} pageSize={props.pageSize ?? firstRows} more={more} />
    </div>
  );
}

/** The rows in the order that the head shows. A column with numbers starts with the largest. */
function useSorted<Item extends object>(props: Props<Item>) {
  const [own, setOwn] = useState(props.sortedBy);
  const isOutside = props.onOrder !== undefined;
  const order = isOutside ? props.order : own;
  const definitions = useMemo(() => props.columns.map(definitionOf<Item>), [props.columns]);
  const sorting = useMemo(() => (order ? [{ ...order }] : []), [order]);
  const table = useTable({
    features,
    data: props.items,
    columns: definitions,
    getRowId: props.keyOf,
    manualSorting: isOutside,
    state: { sorting },
  });
  const rows = table.getRowModel().rows.map(({ original }) => original);
  const sort = ({ id, numeric }: DataColumn<Item>) => {
    const next = { id, desc: order?.id === id ? !order.desc : (numeric ?? false) };
    (props.onOrder ?? setOwn)(next);
  };
  return { rows, order, sort };
}

function definitionOf<Item extends object>(column: DataColumn<Item>) {
  return {
    id: column.id,
    accessorFn: (item: Item) => column.sortBy?.(item) ?? undefined,
    sortUndefined: 'last' as const,
    sortFn: (a: TableRow<Features, Item>, b: TableRow<Features, Item>, id: string) =>
      compare(a.getValue(id), b.getValue(id)),
  };
}

/** More rows than this are slow to draw, and nobody reads them at once. */
const firstRows = 50;

/** All rows that the server sent, or the first of a list that is here already. */
function usePages<Item>(all: readonly Item[], { more, pageSize = firstRows }: Props<Item>) {
  const [pages, setPages] = useState(1);
  if (more) return { rows: all, more };
  const rows = all.slice(0, pageSize * pages);
  const own: MorePages = {
    total: all.length,
    hasMore: rows.length < all.length,
    isLoading: false,
    onMore: () => setPages(pages + 1),
  };
  return { rows, more: own };
}
