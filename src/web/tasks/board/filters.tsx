import { Button, Menu, TextInput } from '@mantine/core';
import { IconChevronDown, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { type Category, categories, isCategory } from '#core/access/brands.ts';
import { useBackCloses } from '#web/ui/back-closes.ts';
import { Segmented } from '#web/ui/segmented.tsx';
import { DecidedPersonSelect } from '../shared/decided-person-select.tsx';
import type { BoardTask } from '../shared/queries.ts';
import { focusOn, marks } from '../shared/task-marks.ts';
import type { TasksView } from './address.ts';
import classes from './filters.module.css';

/** The element that the key / focuses. */
export const filterFieldId = 'filter-tasks';

type Props = TaskFilter & {
  readonly personId: string;
  readonly onPerson: (id: string) => void;
  readonly onBrands: (brands: Category[]) => void;
  readonly onText: (text: string) => void;
  readonly view: TasksView;
  readonly onView: (view: TasksView) => void;
};

export type TaskFilter = {
  /** Empty: all. */
  readonly brands: readonly Category[];
  readonly text: string;
};

const everyBrand: readonly Category[] = [];

/** The brands are in the address. The text is gone with its board. */
export function useTaskFilter(brands: readonly Category[] = everyBrand, board: string) {
  const [typed, setTyped] = useState({ board, text: '' });
  // Coming back to a board begins without it.
  if (typed.board !== board) setTyped({ board, text: '' });
  const filter: TaskFilter = { brands, text: typed.board === board ? typed.text : '' };
  return { filter, setText: (text: string) => setTyped({ board, text }) };
}

export function passesFilter({ brands, text }: TaskFilter, task: Pick<BoardTask, 'category' | 'title'>): boolean {
  const isOfBrand = brands.length === 0 || brands.includes(task.category as Category);
  return isOfBrand && task.title.toLowerCase().includes(text.trim().toLowerCase());
}

/** Whose board, which brands, the search text, and board or list. */
export function TaskBoardFilters(props: Props) {
  const { personId, onPerson, brands, onBrands, text, onText, view, onView } = props;
  return (
    <div className={classes.filters}>
      <DecidedPersonSelect own="My tasks" personId={personId} onPerson={onPerson} />
      <BrandFilter brands={brands} onBrands={onBrands} />
      <FilterField text={text} onText={onText} />
      <Segmented
        className={classes.view}
        label="Show as"
        segments={[
          { value: 'board', label: 'Board' },
          { value: 'list', label: 'List' },
        ]}
        value={view}
        onChange={onView}
      />
    </div>
  );
}

type FieldProps = Pick<Props, 'text' | 'onText'>;

function FilterField({ text, onText }: FieldProps) {
  const leave = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault();
      focusOn(marks()[0]);
    }
    if (event.key !== 'Escape') return;
    if (text) onText('');
    else event.currentTarget.blur();
  };
  return (
    <TextInput
      id={filterFieldId}
      className={classes.field}
      aria-label="Filter tasks by text"
      aria-keyshortcuts="/"
      placeholder="Filter"
      leftSection={<IconSearch size={15} stroke={1.7} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
      onKeyDown={leave}
    />
  );
}

function BrandFilter({ brands, onBrands }: Pick<Props, 'brands' | 'onBrands'>) {
  const [opened, setOpened] = useState(false);
  useBackCloses(opened, () => setOpened(false));
  const label = brands.length === 0 ? 'Any brand' : brands.length <= 2 ? brands.join(', ') : `${brands.length} brands`;
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-start" width={200} closeOnItemClick={false}>
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<IconChevronDown size={14} stroke={1.7} aria-hidden />}
          aria-label={`Brands: ${label}`}
          data-chosen={brands.length > 0 || undefined}
          className={classes.brands}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxGroup value={[...brands]} onChange={(chosen) => onBrands(chosen.filter(isCategory))}>
          {categories.map((category) => (
            <Menu.CheckboxItem key={category} value={category}>
              {category}
            </Menu.CheckboxItem>
          ))}
        </Menu.CheckboxGroup>
        {brands.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => onBrands([])} closeMenuOnClick>
              Show all brands
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
