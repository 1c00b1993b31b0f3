import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { limits } from '#core/base/limits.ts';
import { useShortcuts } from './shortcuts.ts';

type Props = {
  readonly label: string;
  /** The heading of its key in the shortcuts dialog. */
  readonly scope: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly width?: number | '100%';
  /** Opens the result. By default, both keys lead to the first row of the table below. */
  readonly onEnter?: () => void;
  readonly onArrowDown?: () => void;
};

/** From there, the table's own keys lead on. */
function focusFirstRow(field: HTMLElement | null): void {
  const isBelow = (each: Element) => field?.compareDocumentPosition(each) === Node.DOCUMENT_POSITION_FOLLOWING;
  const controls = document.querySelectorAll<HTMLElement>('tbody tr :is(a, button)');
  [...controls].find(isBelow)?.focus();
}

/** Esc clears it, and leaves it once it is empty. */
export function SearchField({ label, scope, value, onChange, width = 196, onEnter, onArrowDown }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const isEmpty = value === '';
  const toRow = () => focusFirstRow(field.current);
  const onKey: Readonly<Record<string, (() => void) | undefined>> = {
    Enter: onEnter ?? toRow,
    ArrowDown: onArrowDown ?? toRow,
    Escape: () => (isEmpty ? field.current?.blur() : onChange('')),
  };
  useShortcuts([{ key: '/', label, scope, run: () => field.current?.focus() }]);
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label={label}
      placeholder={label}
      w={width}
      leftSection={<IconSearch size={15} stroke={1.7} />}
      aria-keyshortcuts="/"
      maxLength={limits.search}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      // A surrounding dialog listens first, and this mark keeps it open.
      data-mantine-stop-propagation={!isEmpty}
      onKeyDown={(event) => {
        const act = onKey[event.key];
        if (!act || event.nativeEvent.isComposing) return;
        // The rest of the key press would be the result's.
        event.preventDefault();
        act();
      }}
    />
  );
}
