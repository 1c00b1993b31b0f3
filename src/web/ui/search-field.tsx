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
  /** Opens the result. */
  readonly onEnter?: () => void;
};

export function SearchField({ label, scope, value, onChange, width = 196, onEnter }: Props) {
  const field = useRef<HTMLInputElement>(null);
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
      onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && onEnter?.()}
    />
  );
}
