import { useLocation, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { VisibleEntry } from '#core/access/navigation.ts';
import { logoutPath } from '#core/access/routes.ts';
import { readStored, writeStored } from '#web/api/stored.ts';
import classes from './navigation.module.css';
import { NavigationRow } from './navigation-row.tsx';

/** Counts on the right of entries, by key. */
export type Counts = Readonly<Record<string, number>>;

type Here = { readonly path: string; readonly product: string | null };

/** Only by path and product, because other parameters must not remove the mark (a date range, a task). */
export function isHere(entry: VisibleEntry, { path, product }: Here): boolean {
  return entry.to !== null && entry.path === path && (entry.product === null || entry.product === product);
}

const leadsHere = (entry: VisibleEntry, here: Here): boolean =>
  isHere(entry, here) || entry.children.some((child) => leadsHere(child, here));

/** A collapsed area shows the counts inside it. */
function countOf(entry: VisibleEntry, counts: Counts, open: boolean): number {
  const inside = open ? 0 : entry.children.reduce((sum, child) => sum + countOf(child, counts, false), 0);
  return (counts[entry.key] ?? 0) + inside;
}

const storageKey = 'navigation-open';

function useOpenEntries() {
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>(readChosen);
  const choose = (entry: VisibleEntry, open: boolean) => {
    const next = { ...chosen, [entry.path]: open };
    setChosen(next);
    writeStored('local', storageKey, JSON.stringify(next));
  };
  return { chosen, choose };
}

function readChosen(): Readonly<Record<string, boolean>> {
  try {
    return JSON.parse(readStored('local', storageKey) ?? '{}') as Record<string, boolean>;
  } catch {
    return {};
  }
}

type Props = { readonly entries: readonly VisibleEntry[]; readonly counts: Counts };

export function Navigation({ entries, counts }: Props) {
  const path = useLocation({ select: (location) => location.pathname });
  const search = useSearch({ strict: false });
  const here: Here = { path, product: search.product ?? null };
  const { chosen, choose } = useOpenEntries();
  const isLogout = (entry: VisibleEntry) => entry.path === logoutPath;

  const draw = (entry: VisibleEntry, depth: number) => {
    // Areas start expanded; groups inside them only if they contain this page.
    const open = chosen[entry.path] ?? (depth === 0 || leadsHere(entry, here));
    return (
      <li key={entry.key}>
        <NavigationRow
          entry={entry}
          depth={depth}
          here={isHere(entry, here) && !entry.children.some((child) => leadsHere(child, here))}
          holdsHere={!open && leadsHere(entry, here)}
          count={countOf(entry, counts, open)}
          open={open}
          onToggle={() => choose(entry, !open)}
        />
        {entry.children.length > 0 && open && (
          <ul className={classes.children} id={`children-of-${entry.path.slice(1).replaceAll('/', '-')}`}>
            {entry.children.map((child) => draw(child, depth + 1))}
          </ul>
        )}
      </li>
    );
  };

  return (
    <nav className={classes.navigation} aria-label="Main">
      <ul className={classes.tree}>{entries.filter((entry) => !isLogout(entry)).map((entry) => draw(entry, 0))}</ul>
      <ul className={classes.bottom}>{entries.filter(isLogout).map((entry) => draw(entry, 0))}</ul>
    </nav>
  );
}
