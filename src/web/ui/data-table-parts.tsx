// The parts of a DataTable: its head, a row, the totals, and what is above and below them.

import { Checkbox } from '@mantine/core';
import { IconArrowsSort, IconChevronRight, IconColumns3 } from '@tabler/icons-react';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react';
import { countWords } from '#core/base/formats.ts';
import { read, write } from './appearance.ts';
import classes from './data-table.module.css';
import { MenuButton } from './menu-button.tsx';
import { MoreButton, type MorePages } from './more-button.tsx';

/** A cell's place in the card of a phone. Cells without a place become lines with the column's title. */
type PhonePlace = 'name' | 'below' | 'value' | 'change' | 'line';

export type DataColumn<Item> = {
  readonly id: string;
  readonly title: string;
  /** What the column sorts by. Null sorts last. With `order`, any value means only that the column sorts. */
  readonly sortBy?: (item: Item) => string | number | null;
  readonly cell: (item: Item) => ReactNode;
  /** Aligned right, in tabular figures; its first sort shows the largest. */
  readonly numeric?: boolean;
  readonly phone?: PhonePlace;
  /** Explains the column, beside its title. */
  readonly info?: ReactNode;
};

/** A place holds one cell: the next column that asks for it becomes a line, so they can't overlap. */
function phonePlaces(columns: readonly Pick<DataColumn<never>, 'phone'>[]): PhonePlace[] {
  const places: PhonePlace[] = [];
  for (const { phone = places.length === 0 ? 'name' : 'line' } of columns)
    places.push(places.includes(phone) ? 'line' : phone);
  return places;
}

export type Order = { readonly id: string; readonly desc: boolean };

export type Selection<Item> = {
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
  readonly nameOf: (item: Item) => string;
};

type Sorting<Item> = {
  readonly order: Order | undefined;
  readonly onOrder: (column: DataColumn<Item>) => void;
};

type HeadCellProps<Item> = Sorting<Item> & { readonly column: DataColumn<Item> };

export function HeadCell<Item>({ column, order, onOrder }: HeadCellProps<Item>) {
  const sorted = order?.id === column.id ? (order.desc ? 'descending' : 'ascending') : undefined;
  return (
    <th scope="col" aria-sort={sorted} data-numeric={column.numeric}>
      <span className={classes.headCell}>
        {column.sortBy ? (
          <button type="button" className={classes.sort} onClick={() => onOrder(column)}>
            {column.title}
            <svg width="8" height="10" viewBox="0 0 8 10" aria-hidden="true" data-sorted={sorted}>
              <path d="M1 4 4 1l3 3" />
              <path d="m1 6 3 3 3-3" />
            </svg>
          </button>
        ) : (
          column.title
        )}
        {column.info}
      </span>
    </th>
  );
}

type SelectAllProps<Item> = Selection<Item> & { readonly keys: readonly string[] };

/** On a phone it is all that is visible of the head, so it says there what it does. */
export function SelectAll<Item>({ keys, chosen, onChange }: SelectAllProps<Item>) {
  const count = keys.filter((key) => chosen.has(key)).length;
  const words = 'Select all shown';
  return (
    <th scope="col" className={classes.check}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the box inside has its own name, and these words only show on a phone. */}
      <label className={classes.selectAll}>
        <span className={classes.thumb}>
          <Checkbox
            size="xs"
            aria-label={words}
            checked={count > 0 && count === keys.length}
            indeterminate={count > 0 && count < keys.length}
            onChange={({ currentTarget: { checked } }) =>
              onChange(new Set([...chosen].filter((key) => !keys.includes(key)).concat(checked ? keys : [])))
            }
          />
        </span>
        <span className={classes.selectWords} aria-hidden="true">
          {words}
        </span>
      </label>
    </th>
  );
}

type BodyRowProps<Item> = {
  readonly item: Item;
  readonly columns: readonly DataColumn<Item>[];
  readonly onOpen: ((item: Item) => void) | undefined;
  readonly open: boolean;
  /** Opens what is below the row. */
  readonly turn: { readonly label: string; readonly run: () => void } | undefined;
  readonly choose: (Selection<Item> & { readonly id: string }) | undefined;
};

export function BodyRow<Item>({ item, columns, onOpen, open, turn, choose }: BodyRowProps<Item>) {
  const openUnlessControl = (event: MouseEvent<HTMLElement>) => {
    const control = (event.target as Element).closest('a, button, input, label, select, textarea');
    if (!control && !getSelection()?.toString()) onOpen?.(item);
  };
  const places = phonePlaces(columns);
  return (
    // The button in the first cell opens the row by key.
    <tr onClick={onOpen && openUnlessControl} data-opens={onOpen ? true : undefined} data-open={open || undefined}>
      {choose && (
        <td className={classes.check}>
          {/* biome-ignore lint/a11y/noLabelWithoutControl: the box inside has its own name; around it is room for a thumb. */}
          <label className={classes.thumb}>
            <Checkbox
              size="xs"
              aria-label={`Select ${choose.nameOf(item)}`}
              checked={choose.chosen.has(choose.id)}
              onChange={() => choose.onChange(toggled(choose.chosen, choose.id))}
            />
          </label>
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.id}
          data-name={index === 0 || undefined}
          data-numeric={column.numeric}
          data-phone={places[index]}
          data-title={column.title}
        >
          {index === 0 ? (
            <FirstCell item={item} cell={column.cell(item)} onOpen={onOpen} open={open} turn={turn} />
          ) : (
            column.cell(item)
          )}
        </td>
      ))}
    </tr>
  );
}

type FirstCellProps<Item> = Pick<BodyRowProps<Item>, 'item' | 'onOpen' | 'open' | 'turn'> & {
  readonly cell: ReactNode;
};

function FirstCell<Item>({ item, cell, onOpen, open, turn }: FirstCellProps<Item>) {
  const name = onOpen ? (
    <button type="button" className={classes.open} onClick={() => onOpen(item)}>
      {cell}
    </button>
  ) : (
    cell
  );
  if (!turn) return name;
  return (
    <span className={classes.nameCell}>
      <button type="button" className={classes.turn} aria-expanded={open} aria-label={turn.label} onClick={turn.run}>
        <IconChevronRight size={16} stroke={1.7} />
      </button>
      {name}
    </span>
  );
}

type TotalsProps<Item> = {
  readonly columns: readonly DataColumn<Item>[];
  /** Each column's text by id. */
  readonly totals: Readonly<Record<string, ReactNode>>;
  readonly selects: boolean;
};

/** The row that stays at the bottom. Its first cell says what the totals are of, on a phone too. */
export function TotalsRow<Item>({ columns, totals, selects }: TotalsProps<Item>) {
  const places = phonePlaces(columns);
  return (
    <tfoot>
      <tr>
        {selects && <td />}
        {columns.map(({ id, title, numeric }, index) => (
          <td
            key={id}
            data-name={index === 0 || undefined}
            data-numeric={numeric}
            data-phone={places[index]}
            data-title={title}
          >
            {totals[id]}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

type MoreProps = {
  readonly shown: number;
  readonly unit: string;
  readonly pageSize: number;
  readonly more: MorePages;
};

/** Which rows are shown out of how many, and the button that shows more. */
export function MoreRows({ shown, unit, pageSize, more }: MoreProps) {
  const { total, hasMore } = more;
  if (!hasMore && shown <= pageSize) return null;
  const next = total === null ? '' : ` ${countWords(Math.min(total - shown, pageSize))}`;
  const of = total === null ? (hasMore ? '' : ` of ${countWords(shown)}`) : ` of ${countWords(total)}`;
  return (
    <div className={classes.more}>
      <span role="status">
        1–{countWords(shown)}
        {of} {unit}
      </span>
      <MoreButton more={more}>Show{next} more</MoreButton>
    </div>
  );
}

type ToolsProps<Item> = Sorting<Item> & {
  readonly all: readonly DataColumn<Item>[];
  readonly hidden: ReadonlySet<string>;
  readonly onHide: ((hidden: ReadonlySet<string>) => void) | undefined;
};

/** The menus beside the head: which columns to show, and on a phone, which has no head, the order. */
export function TableTools<Item>({ all, hidden, onHide, order, onOrder }: ToolsProps<Item>) {
  const sortable = all.filter(({ sortBy, id }) => sortBy && !hidden.has(id));
  const sorted = sortable.find(({ id }) => id === order?.id);
  if (!onHide && sortable.length === 0) return null;
  return (
    <div className={classes.tools} data-always={onHide !== undefined || undefined}>
      {sortable.length > 0 && (
        <span className={classes.phoneSort}>
          <MenuButton
            leftSection={<IconArrowsSort size={15} stroke={1.7} />}
            groups={[
              sortable.map((column) => ({
                label: column.title,
                chosen: column === sorted,
                choose: () => onOrder(column),
              })),
            ]}
          >
            {sorted ? `${sorted.title}, ${order?.desc ? 'descending' : 'ascending'}` : 'Sort'}
          </MenuButton>
        </span>
      )}
      {onHide && (
        <MenuButton
          aria-label="Columns"
          groups={[
            all.slice(1).map(({ id, title }) => ({
              label: title,
              checked: !hidden.has(id),
              choose: () => onHide(toggled(hidden, id)),
            })),
          ]}
        >
          <IconColumns3 size={15} stroke={1.7} />
        </MenuButton>
      )}
    </div>
  );
}

/** The columns that this browser hides from the table of that name. */
export function useHiddenColumns(name: string | undefined) {
  const key = `hidden-columns:${name}`;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(
    () => new Set(name === undefined ? [] : read(key)?.split(' ').filter(Boolean)),
  );
  const hide = (next: ReadonlySet<string>) => {
    write(key, [...next].join(' '));
    setHidden(next);
  };
  return { hidden, hide: name === undefined ? undefined : hide };
}

/** With the key added, or removed if it was there. */
export function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

/** The arrows move from row to row, on the same control in each, or the first of a row that lacks it. */
export function moveRow(event: KeyboardEvent<HTMLTableElement>): void {
  const step = steps[event.key];
  const target = event.target as HTMLElement;
  const row = target.closest('tbody tr');
  if (step === undefined || !row || event.altKey || event.ctrlKey || event.metaKey) return;
  // A select or a text field has its own use for these keys.
  if (!target.matches('button, a, input[type="checkbox"]') || target.hasAttribute('aria-haspopup')) return;
  const controlsOf = (of: Element) => [...of.querySelectorAll<HTMLElement>('a, button, input[type="checkbox"]')];
  const rows = [...event.currentTarget.querySelectorAll('tbody tr')].filter((each) => controlsOf(each).length > 0);
  const to = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(row) + step))];
  if (!to) return;
  event.preventDefault();
  const controls = controlsOf(to);
  (controls[controlsOf(row).indexOf(target)] ?? controls[0])?.focus();
}
