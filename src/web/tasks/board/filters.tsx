import { Button, Menu, TextInput } from '@mantine/core';
import { IconChevronDown, IconSearch } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { type Category, categories, isCategory } from '#core/access/brands.ts';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import type { Person } from '../shared/queries.ts';
import type { TasksView } from './address.ts';
import classes from './filters.module.css';

/** The element that the key / focuses. */
export const filterFieldId = 'filter-tasks';

type Props = {
  readonly viewerId: string;
  readonly people: readonly Person[];
  readonly personId: string;
  readonly onPerson: (id: string | null) => void;
  readonly brands: readonly Category[];
  readonly onBrands: (brands: Category[]) => void;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly view: TasksView;
  readonly onView: (view: TasksView) => void;
};

/** Whose board, which brands, the search text, and board or list. */
export function TaskBoardFilters(props: Props) {
  const { viewerId, people, personId, onPerson, brands, onBrands, text, onText, view, onView } = props;
  return (
    <div className={classes.filters}>
      {people.length > 0 && (
        <SearchSelect
          className={classes.person}
          aria-label="Person"
          allowDeselect={false}
          data={[
            { value: viewerId, label: 'My tasks' },
            ...people
              .filter(({ id }) => id !== viewerId)
              .map(({ id, displayName }) => ({ value: id, label: displayName })),
          ]}
          value={personId}
          onChange={(id) => onPerson(id === viewerId ? null : id)}
          nothingFoundMessage="No matching people"
        />
      )}
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
  const label = brands.length === 0 ? 'Any brand' : brands.length <= 2 ? brands.join(', ') : `${brands.length} brands`;
  return (
    <Menu position="bottom-start" width={200} closeOnItemClick={false}>
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
