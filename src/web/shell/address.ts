// The address's search parameters: makes a page's state linkable, reloadable and part of the history.
import { type RegisteredRouter, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Path } from '#core/access/routes.ts';

/** Plain text both ways; the router's default would read `?task=12` as a number and write `"12"` back. */
export function parseSearch(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function writeSearch(search: object): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** The search parameters of a page, parsed by its schema. */
export type SearchOf<Page extends Path | '__root__'> =
  RegisteredRouter['routesById'][Page]['types']['fullSearchSchema'];
export type SearchChange<Page extends Path | '__root__'> = {
  readonly [Key in keyof SearchOf<Page>]?: SearchOf<Page>[Key] | null;
};

/**
 * This page's search parameters, and a function to change some; null removes a key. `replace` avoids a
 * history entry, such as for a filter being typed. The page is a parameter for its types.
 */
export function useAddress<Page extends Path | '__root__'>(_page: Page) {
  const found: object = useSearch({ strict: false });
  const search = found as SearchOf<Page>;
  const navigate = useNavigate();
  const change = useCallback(
    (part: SearchChange<Page>, options?: { replace?: boolean }) => {
      const next = (old: object) =>
        Object.fromEntries(Object.entries({ ...old, ...part }).filter(([, value]) => value !== null));
      void navigate({ to: '.', search: next as never, replace: options?.replace ?? false, resetScroll: false });
    },
    [navigate],
  );
  return [search, change] as const;
}
