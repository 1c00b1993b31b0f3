// The query of the address as plain text values: what a page shows can be linked, reloaded and gone back to.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export type Search = Readonly<Record<string, string>>;

/** Plain text both ways; the router's own way would read `?task=12` as a number and write `"12"` back. */
export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

export function writeSearch(search: object): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

type Change = Readonly<Record<string, string | null>>;

/**
 * The query of this page, and a way to change parts of it; null takes a key away. `replace` for what is no step of its
 * own, such as a filter while it is typed.
 */
export function useAddress(): [search: Search, change: (part: Change, options?: { replace?: boolean }) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change = useCallback(
    (part: Change, options?: { replace?: boolean }) => {
      const next = (old: object) =>
        Object.fromEntries(Object.entries({ ...old, ...part }).filter(([, value]) => value !== null));
      void navigate({ to: '.', search: next as never, replace: options?.replace ?? false, resetScroll: false });
    },
    [navigate],
  );
  return [search, change];
}
