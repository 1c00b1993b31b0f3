// Pages and navigation for each kind of person, against the same table: who enters, and where others are
// redirected (spec 2 and 6, D5 to D8).
import { describe, expect, it } from 'vitest';
import { type Entry, enter, heldPermissions, type Viewer } from '#core/access/access.ts';
import { navigationFor, type VisibleEntry } from '#core/access/navigation.ts';
import { type Held, heldBy, type Principal, principals } from './principals.ts';
import { holds, type Surface, surfaces, usesApplication } from './spec-table.ts';

const pagesOfKind = (kind: Surface['kind']) => surfaces.filter((surface) => surface.kind === kind);
const pages = pagesOfKind('page');
const ruleOf = new Map(pages.map(({ name, opens }) => [name, opens]));

const viewerOf = ({ role, permissions, grants = [], approved = true }: Principal): Viewer => ({
  id: '1',
  role,
  permissions: heldPermissions(role, [...permissions, ...grants]),
  approverIds: approved ? ['2'] : [],
});

/** The rows of the permission table of spec 6 that are pages, in its order. */
const landingOrder = [
  ...['/sales', '/affiliate-stats', '/top-5', '/top-5/tasks', '/top-5/approvals', '/top-5/stats'],
  ...['/top-5/tools/guidelines', '/top-5/tools/schedule', '/top-5/tools/bonus', '/top-5/tools/time-tracker'],
  ...['/donations', '/customer-service', '/dashboard', '/role-editor', '/distributions', '/product-payments', '/tools'],
  ...['/usermanagement', '/approvermanagement'],
];

/** Reads a product's numbers (spec 6). A cause has one permission for its tab and its numbers. */
const dataOf: Readonly<Record<string, string>> = {
  ...{ connect: 'READ_BGP', green: 'READ_GREEN', codex: 'READ_CODEX', bgp: 'READ_BGP' },
};

/** The first product of a restricted page that opens, in the order of the table: rather one with its numbers. */
function firstProduct(path: string, held: Held): string {
  const opened = pages.filter(({ call, about, opens }) => call === path && about && holds(opens, held));
  const read = opened.find(({ about }) => holds(dataOf[about ?? ''] ?? 'application', held));
  return `${path}?product=${(read ?? opened[0])?.about}`;
}

const withoutApprover = (rule: string): string => rule.replaceAll(/\s*\+ approver/g, '');

function refusalOf(rule: string, held: Held): string | null {
  if (!usesApplication(held)) return 'NO_APPLICATION_PERMISSION';
  if (holds(rule, held)) return null;
  return holds(withoutApprover(rule), held) ? 'NOT_APPROVED_BY_MANAGER' : 'NO_PAGE_PERMISSION';
}

const opensAt = (path: string, held: Held): boolean => refusalOf(ruleOf.get(path) ?? '', held) === null;

function landingOf(held: Held): string | null {
  const path = landingOrder.find((candidate) => opensAt(candidate, held));
  if (path === undefined) return null;
  return path === '/sales' || path === '/donations' ? firstProduct(path, held) : path;
}

function wanted({ call, about, opens }: Surface, held: Held | null, fromLogin: boolean): Entry {
  if (opens === 'public' || (opens === 'guest' && held === null)) return { kind: 'enter' };
  if (held === null) {
    const address = about ? `${call}?product=${about}` : call;
    return { kind: 'redirect', to: `/?goto=${encodeURIComponent(address)}` };
  }
  if (opens === 'guest') return { kind: 'redirect', to: '/dashboard' };
  if (opens === 'signed in') return { kind: 'enter' };
  const code = refusalOf(opens, held) as 'FORBIDDEN' | null;
  if (code !== null) return refusedEntry(call, opens, held, code, fromLogin);
  if (call === '/top-5') return { kind: 'redirect', to: '/top-5/tasks' };
  if (about === null && (call === '/sales' || call === '/donations'))
    return { kind: 'redirect', to: firstProduct(call, held) };
  return { kind: 'enter' };
}

function refusedEntry(path: string, opens: string, held: Held, code: 'FORBIDDEN', fromLogin: boolean): Entry {
  if (opens === 'admin' && usesApplication(held)) return { kind: 'logout' };
  const landing = landingOf(held);
  if (landing === null && path === '/dashboard') return { kind: 'refuse', code, inPlace: true };
  if (!fromLogin) return { kind: 'refuse', code, inPlace: false };
  return landing === null ? { kind: 'redirect', to: '/dashboard' } : { kind: 'redirect', to: landing, refused: code };
}

const visits: [string, Principal | null][] = [
  ['nobody signed in', null],
  ...principals.map((principal): [string, Principal] => [principal.name, principal]),
];

describe('each page opens for whom the table names and nobody else, and the others are sent where the specification says', () => {
  it.each(visits)('%s', (_name, principal) => {
    const held = principal && heldBy(principal);
    const viewer = principal && viewerOf(principal);
    for (const page of pages)
      for (const from of [undefined, '/', '/tools'])
        expect(
          enter(viewer, {
            path: page.call,
            search: page.about ? `product=${page.about}` : '',
            product: page.about,
            ...(from && { from }),
          }),
          `${page.name} from ${from}`,
        ).toEqual(wanted(page, held, from === '/'));
  });

  it('and an address that is no page is a 404 for everybody', () => {
    for (const [, principal] of visits)
      for (const path of ['/top-5/tools', '/sales/', '/Sales', '/nowhere', '//sales', ''])
        expect(enter(principal && viewerOf(principal), { path, search: '', product: null })).toEqual({
          kind: 'notFound',
        });
  });
});

const titlesOf = (entries: readonly VisibleEntry[], above = ''): string[] =>
  entries.flatMap(({ title, children }) => [above + title, ...titlesOf(children, `${above}${title} / `)]);

describe('the navigation shows the entries that the table gives', () => {
  it.each(principals.map((principal) => [principal.name, principal] as const))('%s', (_name, principal) => {
    const held = heldBy(principal);
    const shown = pagesOfKind('navigation').filter(
      ({ opens }) => opens === 'public' || (usesApplication(held) && holds(opens, held)),
    );
    expect(titlesOf(navigationFor(viewerOf(principal))).sort()).toEqual(shown.map(({ name }) => name).sort());
  });
});
