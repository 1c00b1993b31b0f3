// Every select with a search. Enter chooses what the text says, and never sends the form. Leaving the field
// chooses an option whose whole label was typed, and in a form also the only one that matches.
import {
  type ComboboxParsedItem,
  MultiSelect,
  type MultiSelectProps,
  type OptionsFilter,
  Select,
  type SelectProps,
} from '@mantine/core';
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { useSendCheck } from './form.tsx';
import { bestMatches, folded, matches } from './matches.ts';

const filter: OptionsFilter = ({ options, search, limit }) =>
  bestMatches(options as ComboboxParsedItem[], search).slice(0, limit);

/** A longer list shows its first 100, and typing finds the others. Drawing 20,000 takes ten seconds. */
const shared = {
  searchable: true,
  nothingFoundMessage: 'No match',
  limit: 100,
  filter,
  // Otherwise lists would cover the form on Tab, and the buttons below when the focus returns.
  openOnFocus: false,
} as const;

type Option = { readonly value: string; readonly label: string; readonly disabled?: boolean | undefined };

function optionsOf(data: SelectProps['data']): Option[] {
  const items = (data ?? []).flatMap((item): readonly unknown[] =>
    typeof item === 'object' && 'group' in item ? item.items : [item],
  );
  return items.map((item) => {
    const option = (typeof item === 'object' ? item : { value: item }) as Partial<Option> & { value: string };
    return { ...option, label: option.label ?? option.value };
  });
}

/** The field's text for a selected value. */
const labelOf = (data: SelectProps['data'], value: unknown): string | undefined =>
  optionsOf(data).find((option) => option.value === value)?.label;

type Left = {
  /** Leaving the field chooses only an option whose whole label was typed. For fields that give access. */
  readonly exact?: boolean;
  /** False while the server searches for the options. */
  readonly settled?: boolean;
};

/** The option that the text means without Enter, or undefined. */
function meantOption(options: readonly Option[], text: string, exact: boolean): Option | undefined {
  const wanted = folded(text.trim());
  const same = options.filter(({ label }) => folded(label) === wanted);
  const [only, ...others] = same.length > 0 || exact ? same : options.filter(({ label }) => matches(label, wanted));
  return others.length > 0 || only?.disabled ? undefined : only;
}

type Searched = Pick<SelectProps, 'error' | 'searchValue' | 'onSearchChange' | 'dropdownOpened'> &
  Pick<SelectProps, 'onDropdownOpen' | 'onDropdownClose'> & { readonly value?: unknown };

/**
 * The text of the field and its keys. `kept` is the text of a field in which nothing was typed. When keys
 * come fast, the kit chooses an option that it highlighted earlier.
 */
function useSearch(kept: string, props: Searched & Left, meant: Meant) {
  const [ownText, setOwnText] = useState(kept);
  const text = props.searchValue ?? ownText;
  const isTyped = text.trim() !== '' && text !== kept;
  const [opened, setOpened] = useState(false);
  const isOpen = props.dropdownOpened ?? opened;
  const isLeaving = useRef(false);
  const input = useRef<HTMLInputElement | null>(null);
  const { isMoved, isAwaited, choose } = useChoosing(isTyped, input);
  const ofText = (isForm: boolean) => meant(text, !isForm || props.exact === true);
  const { inForm, isRefused, setRefused, leave } = useLeftover(isTyped, input, props.settled ?? true, ofText);
  const isNew = useIsNew(text);
  const isRelabeled = useRelabeled(kept, text, props.value);
  const setText = (next: string) => {
    isMoved.current = false;
    isAwaited.current = false;
    setRefused(false);
    setOwnText(next);
    props.onSearchChange?.(next);
  };
  const open = (next: boolean) => {
    if (next === isOpen) return;
    isAwaited.current &&= next;
    setOpened(next);
    (next ? props.onDropdownOpen : props.onDropdownClose)?.();
  };
  return {
    input,
    setText,
    field: {
      searchValue: text,
      onSearchChange: (next: string) => {
        // Otherwise leaving the field, or a new label of the selected option, would drop what was typed.
        if (!(isLeaving.current && inForm && isTyped) && !isRelabeled()) setText(next);
      },
      dropdownOpened: isOpen,
      onDropdownOpen: () => open(true),
      onDropdownClose: () => open(false),
      selectFirstOptionOnChange: isTyped && isNew,
      error: isRefused ? 'Choose from the list, or clear the text' : props.error,
      wrapperProps: {
        onBlurCapture: () => {
          isLeaving.current = true;
          isAwaited.current = false;
        },
        onBlur: () => {
          isLeaving.current = false;
          leave();
        },
      },
      onKeyDownCapture: (event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') isMoved.current = true;
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        event.stopPropagation();
        if (!event.ctrlKey && !event.metaKey && !choose()) open(!isOpen || isTyped);
      },
    },
  };
}

/** Whether it is drawn the first time. Asked more often, the kit highlights an option of the earlier list. */
function useIsNew(text: string): boolean {
  const [drawn, setDrawn] = useState(text);
  useEffect(() => setDrawn(text), [text]);
  return drawn !== text;
}

/**
 * Whether the choice got another label while something is typed. Asked by the kit's effects, which run first.
 * A label that stays in the field until the next one is loaded isn't typed.
 */
function useRelabeled(kept: string, text: string, value: unknown): () => boolean {
  const before = useRef({ kept, value });
  const leftOver = useRef<string | null>(null);
  useEffect(() => {
    const last = before.current;
    before.current = { kept, value };
    if (last.value !== value || last.kept !== kept) leftOver.current = text === last.kept ? text : null;
  });
  return () =>
    text !== leftOver.current &&
    before.current.value === value &&
    before.current.kept !== kept &&
    before.current.kept !== text;
}

/** Chooses the option for Enter, at once or when it comes. */
function useChoosing(isTyped: boolean, input: { readonly current: HTMLInputElement | null }) {
  /** Arrow keys moved the highlight since the text changed. */
  const isMoved = useRef(false);
  /** Enter came before the options that the server searches. */
  const isAwaited = useRef(false);
  const choose = (): boolean => {
    const option = input.current && optionOf(input.current, isMoved.current, isTyped);
    isAwaited.current = isTyped && option === null;
    option?.click();
    return option !== null;
  };
  useEffect(() => {
    if (isAwaited.current) choose();
  });
  return { isMoved, isAwaited, choose };
}

/** The option that Enter chooses: the one the arrow keys are on, else the first match of the typed text. */
function optionOf(field: Element, isMoved: boolean, isTyped: boolean): HTMLElement | null {
  const at = (attribute: string) => document.getElementById(field.getAttribute(attribute) ?? '');
  return (
    (isMoved ? at('aria-activedescendant') : null) ??
    (isTyped ? (at('aria-controls')?.querySelector('[role="option"]:not([aria-disabled])') ?? null) : null)
  );
}

/** Chooses the option that the text means. Returns whether there is one. */
type Meant = (text: string, exact: boolean) => boolean;

/**
 * Typed text in a field that is left, or whose form is sent: the option that it means is chosen, if need be
 * when the server found it. Other text in a form is chosen or cleared before the form is sent.
 */
function useLeftover(
  isTyped: boolean,
  input: { readonly current: HTMLInputElement | null },
  settled: boolean,
  meant: (inForm: boolean) => boolean,
) {
  const [isRefused, setRefused] = useState(false);
  const [isLeft, setLeft] = useState(false);
  const inForm = useSendCheck(() => {
    if (!isTyped || (settled && meant(true))) return true;
    input.current?.focus();
    setRefused(true);
    return false;
  });
  const leave = () => {
    if (!isTyped || (settled && meant(inForm)) || !inForm) return;
    setLeft(!settled);
    setRefused(settled);
  };
  useEffect(() => {
    if (!isLeft || !settled) return;
    setLeft(false);
    if (isTyped && input.current !== document.activeElement && !meant(true)) setRefused(true);
  });
  return { inForm, isRefused, setRefused, leave };
}

type Returns = {
  /** Gives the focus back to the panel around it once something is chosen: letters are shortcuts there. */
  readonly returnsFocus?: boolean;
};

/** Typing replaces the selected text. */
export function SearchSelect({ onFocus, onClick, onOptionSubmit, returnsFocus, ...all }: SelectProps & Left & Returns) {
  const { exact: _exact, settled: _settled, ...props } = all;
  const kept = labelOf(props.data, props.value) ?? '';
  const { input, setText, field } = useSearch(kept, all, (text, exact) => {
    const option = meantOption(optionsOf(props.data), text, exact);
    if (!option) return false;
    setText(kept);
    if (option.value !== props.value) props.onChange?.(option.value, option);
    return true;
  });
  /** The focusing click moves the cursor into the text; only it should select everything. */
  const isFresh = useRef(false);
  const isChosen = useRef(false);
  useEffect(() => {
    if (isChosen.current && input.current === document.activeElement) input.current?.select();
    if (field.searchValue === kept) isChosen.current = false;
  }, [input, kept, field.searchValue]);
  return (
    <Select
      {...shared}
      // Enter on the selected value keeps it.
      allowDeselect={false}
      {...props}
      {...field}
      ref={input}
      onFocus={(event: FocusEvent<HTMLInputElement>) => {
        isFresh.current = true;
        event.currentTarget.select();
        onFocus?.(event);
      }}
      onClick={(event: MouseEvent<HTMLInputElement>) => {
        if (isFresh.current) event.currentTarget.select();
        isFresh.current = false;
        onClick?.(event);
      }}
      onOptionSubmit={(value) => {
        isChosen.current = true;
        isFresh.current = true;
        // The kit does so only for another value.
        setText(kept);
        onOptionSubmit?.(value);
        // After the kit's own change: leaving the field would choose what the typed text means.
        if (returnsFocus)
          queueMicrotask(() => input.current?.closest<HTMLElement>('[role="dialog"]')?.focus({ preventScroll: true }));
      }}
    />
  );
}

/** Allows several: typed text appears next to the selection. */
export function SearchMultiSelect({ exact, settled, ...props }: MultiSelectProps & Left) {
  const chosen = props.value ?? [];
  const { input, setText, field } = useSearch('', { ...props, exact, settled }, (text, isExact) => {
    const option = meantOption(optionsOf(props.data), text, isExact);
    if (!option || chosen.length >= (props.maxValues ?? Number.POSITIVE_INFINITY)) return false;
    setText('');
    if (!chosen.includes(option.value)) props.onChange?.([...chosen, option.value]);
    return true;
  });
  return <MultiSelect {...shared} {...props} {...field} ref={input} />;
}
