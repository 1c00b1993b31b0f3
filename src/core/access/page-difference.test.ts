import fc from 'fast-check';
import { expect, test } from 'vitest';
import { samplePeople } from '../../../test/house/sample-people.ts';
import { canUseApplication, enter, landing, type Viewer } from './access.ts';
import { openPages, pageChange, pageDifference } from './page-difference.ts';
import { type Permission, permissionKeys } from './permissions.ts';
import { productsOfRoute } from './products.ts';
import { paths } from './routes.ts';

const { sales, staff, norole } = samplePeople;
const without = (viewer: Viewer, ...taken: Permission[]): Viewer => ({
  ...viewer,
  permissions: viewer.permissions.filter((permission) => !taken.includes(permission)),
});
const addresses = (pages: readonly { readonly address: string }[] | undefined) => pages?.map(({ address }) => address);

test('who may open nothing has no pages', () => {
  expect(openPages(norole)).toEqual([]);
});

test('a restricted route counts once for each product, and /top-5 not beside the page it leads to', () => {
  expect(addresses(openPages(sales))).toEqual([
    '/dashboard',
    ...['connect', 'green', 'codex', 'bgp'].map((key) => `/sales?product=${key}`),
    ...['free-a-girl', 'operation-underground-railroad', 'who-lives'].map((key) => `/donations?product=${key}`),
  ]);
  expect(addresses(openPages(staff))).not.toContain('/top-5');
  expect(addresses(openPages(staff))).toContain('/top-5/tasks');
});

test.each<[string, Viewer, Viewer, object | null]>([
  ['nothing', sales, sales, null],
  // The tab stays open; its data is a separate permission (D10).
  ['the data of a product', sales, without(sales, 'READ_GREEN'), null],
  ['one tab', sales, without(sales, 'VIEW_GREEN_SALES'), { lost: ['/sales?product=green'], landing: null }],
  [
    'the first tab',
    sales,
    without(sales, 'VIEW_CONNECT_SALES'),
    {
      lost: ['/sales?product=connect'],
      landing: { from: '/sales?product=connect', to: '/sales?product=green' },
    },
  ],
  [
    'the application',
    staff,
    without(staff, 'VIEW_DASHBOARD'),
    {
      lost: addresses(openPages(staff)),
      landing: { from: '/top-5', to: '/logout' },
      shutOut: true,
    },
  ],
])('taking %s away', (_, before, after, wanted) => {
  const change = pageChange(before, after);
  expect(change && { ...change, lost: addresses(change.lost) }).toEqual(
    wanted && { gained: [], shutOut: false, ...wanted },
  );
});

const people = fc.array(
  fc.record({
    role: fc.constantFrom('admin', 'Staff', null),
    before: fc.subarray(permissionKeys),
    after: fc.subarray(permissionKeys),
    approver: fc.boolean(),
  }),
  { maxLength: 12 },
);

/** Everything that opens, tried with `enter` and independent of how pages are counted. */
function opens(viewer: Viewer): string[] {
  const visits = paths.flatMap((path): { path: string; product: string | null }[] =>
    path in productsOfRoute
      ? Object.keys(productsOfRoute[path as '/sales']).map((product) => ({ path, product }))
      : [{ path, product: null }],
  );
  return visits
    .filter(({ path }) => !['/logout', '/error'].includes(path))
    .filter(({ path, product }) => enter(viewer, { path, search: '', product }).kind === 'enter')
    .map(({ path, product }) => (product === null ? path : `${path}?product=${product}`));
}

test('the difference of people and pages is what trying every door before and after gives', () => {
  fc.assert(
    fc.property(people, (drawn) => {
      const pairs = drawn.map(({ role, before, after, approver }, index) => {
        const person = { id: String(index), role, approverIds: approver ? ['9'] : [] };
        return { before: { ...person, permissions: before }, after: { ...person, permissions: after } };
      });
      const { groups, pages } = pageDifference(pairs);
      const told = new Map(groups.flatMap((group) => group.ids.map((id) => [id, group] as const)));
      expect(groups.flatMap(({ ids }) => ids)).toHaveLength(told.size);
      const sums = new Map<string, number>();
      for (const { before, after } of pairs) {
        const [was, is] = [opens(before), opens(after)];
        const gained = is.filter((page) => !was.includes(page));
        const lost = was.filter((page) => !is.includes(page));
        for (const page of gained) sums.set(`+${page}`, (sums.get(`+${page}`) ?? 0) + 1);
        for (const page of lost) sums.set(`-${page}`, (sums.get(`-${page}`) ?? 0) + 1);
        const [from, to] = [landing(before), landing(after)];
        const group = told.get(before.id);
        expect([addresses(group?.gained) ?? [], addresses(group?.lost) ?? []]).toEqual([gained, lost]);
        expect(group?.landing ?? null).toEqual(from === to ? null : { from, to });
        expect(group?.shutOut ?? false).toBe(canUseApplication(before) && !canUseApplication(after));
      }
      const counted = pages.flatMap(({ address, gained, lost }) => [
        ...(gained ? [[`+${address}`, gained] as const] : []),
        ...(lost ? [[`-${address}`, lost] as const] : []),
      ]);
      expect(new Map(counted)).toEqual(sums);
    }),
  );
});

test('2,000 people are counted in one go, the largest group first', () => {
  const pairs = Array.from({ length: 2_000 }, (_, index) => {
    const before = { ...(index % 4 === 0 ? staff : sales), id: String(index) };
    return { before, after: without(before, 'VIEW_TOOLS', 'VIEW_GREEN_SALES') };
  });
  const { groups, pages } = pageDifference(pairs);
  expect(groups.map(({ ids }) => ids.length)).toEqual([1_500, 500]);
  expect(pages).toEqual([
    { address: '/sales?product=green', title: 'Sales: Green', gained: 0, lost: 1_500 },
    { address: '/tools', title: 'Tools', gained: 0, lost: 500 },
  ]);
});
