// Decides which pages a change of permissions opens and closes for people. Used by the role editor before it
// saves, with real people and the access rules' pages.
import {
  canUseApplication,
  landing,
  permittedPages,
  permittedProducts,
  type Viewer,
  type ViewerChange,
} from './access.ts';
import { productsOfRoute } from './products.ts';
import { type Guard, isRestricted, type Path, routes } from './routes.ts';

/** Roles don't affect these pages. */
const isOpen = ({ kind }: Guard): boolean => kind === 'public' || kind === 'signedIn';

/** A page as it opens: a restricted route counts once per product (D6). */
export type OpenPage = { readonly address: string; readonly title: string };

function pagesAt(viewer: Viewer, path: Path): OpenPage[] {
  const { title } = routes[path];
  if (!isRestricted(path)) return [{ address: path, title }];
  const products: Readonly<Record<string, { title: string }>> = productsOfRoute[path];
  return permittedProducts(viewer, path).map((key) => ({
    address: `${path}?product=${key}`,
    title: `${title}: ${products[key]?.title}`,
  }));
}

/** The pages whose access can differ between people; redirects don't count. */
export function openPages(viewer: Viewer): OpenPage[] {
  return permittedPages(viewer)
    .filter((path) => !isOpen(routes[path].guard) && !('landsAt' in routes[path]))
    .flatMap((path) => pagesAt(viewer, path));
}

export type PageChange = {
  readonly gained: readonly OpenPage[];
  readonly lost: readonly OpenPage[];
  /** The person's landing page before and after, if it changes (D7). */
  readonly landing: { readonly from: string; readonly to: string } | null;
  /** Loses all access to the application. */
  readonly shutOut: boolean;
};

const without = (pages: readonly OpenPage[], others: readonly OpenPage[]): OpenPage[] =>
  pages.filter(({ address }) => !others.some((other) => other.address === address));

/** What changes for one person, or null. */
export function pageChange(before: Viewer, after: Viewer): PageChange | null {
  const [pagesBefore, pagesAfter] = [openPages(before), openPages(after)];
  const [from, to] = [landing(before), landing(after)];
  const change = {
    gained: without(pagesAfter, pagesBefore),
    lost: without(pagesBefore, pagesAfter),
    landing: from === to ? null : { from, to },
    shutOut: canUseApplication(before) && !canUseApplication(after),
  };
  return change.gained.length + change.lost.length > 0 || change.landing || change.shutOut ? change : null;
}

/** People with the same changes. */
export type ChangedGroup = PageChange & { readonly ids: readonly string[] };
export type PageCount = OpenPage & { readonly gained: number; readonly lost: number };
export type PageDifference = { readonly groups: readonly ChangedGroup[]; readonly pages: readonly PageCount[] };

/** People with the same key are equal to the rules. */
const keyOf = ({ role, permissions, approverIds }: Viewer): string =>
  JSON.stringify([role, permissions, approverIds.length > 0]);

/** The changes for all of them: the largest group first, the pages by count. */
export function pageDifference(people: readonly ViewerChange[]): PageDifference {
  const known = new Map<string, PageChange | null>();
  const groups = new Map<string, PageChange & { ids: string[] }>();
  for (const { before, after } of people) {
    const key = keyOf(before) + keyOf(after);
    const change = known.get(key) ?? (known.has(key) ? null : pageChange(before, after));
    known.set(key, change);
    if (change === null) continue;
    const effect = JSON.stringify(change);
    const group = groups.get(effect) ?? { ...change, ids: [] };
    groups.set(effect, group);
    group.ids.push(before.id);
  }
  const sorted = [...groups.values()].sort((a, b) => b.ids.length - a.ids.length);
  return { groups: sorted, pages: countPages(sorted) };
}

function countPages(groups: readonly ChangedGroup[]): PageCount[] {
  const counts = new Map<string, { address: string; title: string; gained: number; lost: number }>();
  for (const { ids, ...change } of groups)
    for (const way of ['gained', 'lost'] as const)
      for (const page of change[way]) {
        const count = counts.get(page.address) ?? { ...page, gained: 0, lost: 0 };
        counts.set(page.address, count);
        count[way] += ids.length;
      }
  return [...counts.values()].sort((a, b) => b.lost + b.gained - (a.lost + a.gained));
}
