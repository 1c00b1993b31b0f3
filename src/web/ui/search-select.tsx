// Every select with a search.
import { MultiSelect, type MultiSelectProps, Select, type SelectProps } from '@mantine/core';
import { type FocusEvent, type MouseEvent, useRef, useState } from 'react';

const shared = { searchable: true, selectFirstOptionOnChange: true, nothingFoundMessage: 'No match' } as const;

type Option = string | { readonly value: string; readonly label?: string };

/** The field's text for a selected value. */
function labelOf(data: SelectProps['data'], value: unknown): string | undefined {
  const options = (data ?? []).flatMap((item): Option[] =>
    typeof item === 'object' && 'group' in item ? [...(item.items as Option[])] : [item as Option],
  );
  const found = options.find((option) => (typeof option === 'string' ? option : option.value) === value);
  return typeof found === 'string' ? found : (found?.label ?? found?.value);
}

/** Typing replaces the selected text, and Enter selects the first match. */
export function SearchSelect({ onFocus, onClick, onOptionSubmit, onSearchChange, ...props }: SelectProps) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement | null>(null);
  /** The focusing click moves the cursor into the text; only it should select everything. */
  const isFresh = useRef(false);
  const selectText = () => setTimeout(() => input.current === document.activeElement && input.current?.select());
  return (
    <Select
      {...shared}
      // Enter on the selected value keeps it.
      allowDeselect={false}
      {...props}
      // With the full list, Mantine would select the first option.
      selectFirstOptionOnChange={text !== labelOf(props.data, props.value)}
      onSearchChange={(typed) => {
        setText(typed);
        onSearchChange?.(typed);
      }}
      onFocus={(event: FocusEvent<HTMLInputElement>) => {
        input.current = event.currentTarget;
        isFresh.current = true;
        selectText();
        onFocus?.(event);
      }}
      onClick={(event: MouseEvent<HTMLInputElement>) => {
        if (isFresh.current) selectText();
        isFresh.current = false;
        onClick?.(event);
      }}
      onOptionSubmit={(value) => {
        selectText();
        onOptionSubmit?.(value);
      }}
    />
  );
}

/** Allows several: typed text appears next to the selection. */
export function SearchMultiSelect(props: MultiSelectProps) {
  return <MultiSelect {...shared} {...props} />;
}
