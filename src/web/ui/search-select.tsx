// Every select that is searched by typing.
import { MultiSelect, type MultiSelectProps, Select, type SelectProps } from '@mantine/core';
import { type FocusEvent, type MouseEvent, useRef, useState } from 'react';

const shared = { searchable: true, selectFirstOptionOnChange: true, nothingFoundMessage: 'No match' } as const;

type Option = string | { readonly value: string; readonly label?: string };

/** What the field shows for a value that is chosen. */
function labelOf(data: SelectProps['data'], value: unknown): string | undefined {
  const options = (data ?? []).flatMap((item): Option[] =>
    typeof item === 'object' && 'group' in item ? [...(item.items as Option[])] : [item as Option],
  );
  const found = options.find((option) => (typeof option === 'string' ? option : option.value) === value);
  return typeof found === 'string' ? found : (found?.label ?? found?.value);
}

/** Typing replaces the chosen text instead of continuing it, and Enter takes the first match. */
export function SearchSelect({ onFocus, onClick, onOptionSubmit, onSearchChange, ...props }: SelectProps) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement | null>(null);
  /** The click that gives the focus puts the cursor into the text; later ones are meant to. */
  const isFresh = useRef(false);
  const selectText = () => setTimeout(() => input.current === document.activeElement && input.current?.select());
  return (
    <Select
      {...shared}
      // Enter on what is chosen already keeps it.
      allowDeselect={false}
      {...props}
      // Mantine lists everything then, and the first option would be another one.
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

/** Several of them: what is typed stands beside what is chosen. */
export function SearchMultiSelect(props: MultiSelectProps) {
  return <MultiSelect {...shared} {...props} />;
}
