// Every select that is searched by typing.
import { MultiSelect, type MultiSelectProps, Select, type SelectProps } from '@mantine/core';
import { type FocusEvent, type MouseEvent, useRef } from 'react';

const shared = { searchable: true, selectFirstOptionOnChange: true, nothingFoundMessage: 'No match' } as const;

/** Typing replaces the chosen text instead of continuing it, and Enter takes the first match. */
export function SearchSelect({ onFocus, onClick, onOptionSubmit, ...props }: SelectProps) {
  const input = useRef<HTMLInputElement | null>(null);
  /** The click that gives the focus puts the cursor into the text; later ones are meant to. */
  const isFresh = useRef(false);
  const selectText = () => setTimeout(() => input.current === document.activeElement && input.current?.select());
  return (
    <Select
      {...shared}
      {...props}
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
