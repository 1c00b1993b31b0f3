import {
  IconAffiliate,
  IconChartLine,
  IconChecklist,
  IconChevronDown,
  IconChevronRight,
  IconCreditCard,
  IconHeadset,
  IconHeart,
  IconKey,
  IconLogout,
  type IconProps,
  IconTool,
  IconTruckDelivery,
  IconUserCheck,
  IconUsers,
} from '@tabler/icons-react';
import { createLink, useLocation, useSearch } from '@tanstack/react-router';
import { type AnchorHTMLAttributes, type ComponentType, type Ref, useState } from 'react';
import type { IconName, VisibleEntry } from '#core/access/navigation.ts';
import { logoutPath } from '#core/access/routes.ts';
import { config } from '#web/api/config.ts';
import { readStored, writeStored } from '#web/api/stored.ts';
import classes from './navigation.module.css';

const icons: Record<IconName, ComponentType<IconProps>> = {
  sales: IconChartLine,
  donations: IconHeart,
  affiliate: IconAffiliate,
  start: IconChecklist,
  tools: IconTool,
  service: IconHeadset,
  roles: IconKey,
  distributions: IconTruckDelivery,
  payments: IconCreditCard,
  people: IconUsers,
  approvers: IconUserCheck,
  logout: IconLogout,
};

type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  readonly ref?: Ref<HTMLAnchorElement>;
  readonly here: boolean;
  readonly holdsHere: boolean;
};

/** The router marks every link that is a prefix of the address; here only the open page is current. */
const RowLink = createLink(function Anchor({ here, holdsHere, ...props }: AnchorProps) {
  return (
    <a
      {...props}
      aria-current={here ? 'page' : undefined}
      data-here={here || undefined}
      data-holds={holdsHere || undefined}
    />
  );
});

type NavigationRowProps = {
  readonly entry: VisibleEntry;
  readonly depth: number;
  readonly here: boolean;
  /** Collapsed, with the open page inside. */
  readonly holdsHere: boolean;
  readonly count: number;
  readonly open: boolean;
  readonly onToggle: () => void;
};

function NavigationRow({ entry, depth, here, holdsHere, count, open, onToggle }: NavigationRowProps) {
  const childrenId = `children-of-${entry.path.slice(1).replaceAll('/', '-')}`;
  const chevron = open ? <IconChevronDown size={16} stroke={1.7} /> : <IconChevronRight size={16} stroke={1.7} />;
  const isGroup = entry.children.length > 0;
  const words = <RowWords entry={entry} depth={depth} count={count} />;
  if (entry.to === null) {
    return (
      <button
        type="button"
        className={classes.row}
        data-holds={holdsHere || undefined}
        aria-expanded={open}
        aria-controls={open ? childrenId : undefined}
        onClick={onToggle}
      >
        {words}
        <span className={classes.chevron}>{chevron}</span>
      </button>
    );
  }
  return (
    <div className={classes.pair}>
      <RowLink
        to={entry.path}
        search={entry.product ? { product: entry.product } : {}}
        className={classes.row}
        here={here}
        holdsHere={holdsHere}
      >
        {words}
      </RowLink>
      {isGroup && (
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={open}
          aria-controls={open ? childrenId : undefined}
          aria-label={`${entry.title} pages`}
          onClick={onToggle}
        >
          {chevron}
        </button>
      )}
    </div>
  );
}

function RowWords({ entry, depth, count }: { entry: VisibleEntry; depth: number; count: number }) {
  const Icon = entry.icon ? icons[entry.icon] : null;
  return (
    <>
      {depth === 0 && Icon && <Icon size={17} stroke={1.7} aria-hidden="true" />}
      <span className={classes.title}>{entry.title}</span>
      {entry.comingSoon && !config().timeTracker && <span className={classes.soon}>Coming Soon</span>}
      {count > 0 && (
        <span className={classes.count}>
          {count}
          <span className="visually-hidden"> waiting for you</span>
        </span>
      )}
    </>
  );
}

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
