import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { samplePeople } from '../../../test/house/sample-people.ts';
import {
  accessChecks,
  can,
  canReadProduct,
  canUseApplication,
  delegatedAreas,
  type Entry,
  enter,
  firstPermittedPage,
  heldPermissions,
  inArea,
  isTopFiveOnly,
  landing,
  permittedPages,
  permittedProducts,
  refusalAt,
  refusalMessage,
  type Viewer,
} from './access.ts';
import { type Permission, permissionKeys } from './permissions.ts';
import { productsOfRoute } from './products.ts';
import { isRestricted, type Path, paths } from './routes.ts';

const viewer = (permissions: readonly Permission[], more: Partial<Viewer> = {}): Viewer => ({
  id: '1',
  role: 'Staff',
  permissions,
  approverIds: [],
  ...more,
});

const visit = (path: string, more: { search?: string; product?: string | null; from?: string } = {}) => ({
  path,
  search: '',
  product: null,
  ...more,
});

const people: Record<string, Viewer | null> = {
  anonymous: null,
  ...samplePeople,
  'bare admin': viewer([], { role: 'admin' }),
};

describe('order of checks (spec 6, D5)', () => {
  const nothing = viewer([], { role: null });
  const steps: readonly [string, Viewer, Path, string | null][] = [
    ['without a role the application is refused first', nothing, '/top-5', 'NO_APPLICATION_PERMISSION'],
    [
      'VIEW_DASHBOARD without a role is no access to the application',
      viewer(permissionKeys, { role: null }),
      '/top-5',
      'NO_APPLICATION_PERMISSION',
    ],
    [
      'a role without VIEW_DASHBOARD is no access to the application',
      viewer(permissionKeys.filter((key) => key !== 'VIEW_DASHBOARD')),
      '/top-5',
      'NO_APPLICATION_PERMISSION',
    ],
    ['then the page is refused', viewer(['VIEW_DASHBOARD']), '/top-5', 'NO_PAGE_PERMISSION'],
    ['then the query is refused', viewer(['VIEW_DASHBOARD', 'VIEW_SALES']), '/sales', 'NO_PAGE_PERMISSION'],
    ['then the approver is missed', viewer(['VIEW_DASHBOARD', 'VIEW_TOP_5']), '/top-5', 'NOT_APPROVED_BY_MANAGER'],
    [
      'with all of them the page opens',
      viewer(['VIEW_DASHBOARD', 'VIEW_TOP_5'], { approverIds: ['2'] }),
      '/top-5',
      null,
    ],
    ['an admin passes all checks with an empty list', viewer([], { role: 'admin' }), '/top-5', null],
    [
      'the name of the admin role is case-sensitive',
      viewer([], { role: 'Admin' }),
      '/top-5',
      'NO_APPLICATION_PERMISSION',
    ],
    [
      'a page does not ask for the permission of its parent',
      viewer(['VIEW_DASHBOARD', 'VIEW_TOP_5_STATS']),
      '/top-5/stats',
      null,
    ],
    [
      'only the tasks ask for an approver',
      viewer(['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS']),
      '/top-5/approvals',
      null,
    ],
  ];
  it.each(steps)('%s', (_title, who, path, code) => {
    expect(refusalAt(who, path)).toBe(code);
  });

  it('refuses nobody at a page that asks for nothing', () => {
    for (const path of ['/', '/logout', '/error'] as const)
      expect(refusalAt(viewer(['VIEW_DASHBOARD']), path)).toBeNull();
  });

  it('says each refusal in the words of the spec', () => {
    expect(refusalMessage('NO_APPLICATION_PERMISSION')).toBe("You don't have permission for this application");
    expect(refusalMessage('NO_PAGE_PERMISSION')).toBe("You don't have permission for this page");
    expect(refusalMessage('NOT_APPROVED_BY_MANAGER')).toBe('You should be approved by the manager');
  });

  it('reads an empty role name as a role that was given', () => {
    expect(canUseApplication(viewer(['VIEW_DASHBOARD'], { role: '' }))).toBe(true);
  });
});

/**
 * E enters, G to the login page with goto, H home, > elsewhere, L signed out; A, P, M are the refusals in the
 * order of the checks.
 */
const letterOf = (entry: Entry): string => {
  if (entry.kind === 'enter') return 'E';
  if (entry.kind === 'logout') return 'L';
  if (entry.kind === 'notFound') return 'N';
  if (entry.kind === 'redirect') return entry.to.startsWith('/?goto=') ? 'G' : entry.to === '/dashboard' ? 'H' : '>';
  return (
    { NO_APPLICATION_PERMISSION: 'A', NO_PAGE_PERMISSION: 'P', NOT_APPROVED_BY_MANAGER: 'M' }[entry.code as string] ??
    '?'
  );
};

// Columns: anonymous, admin, approver, staff, top5, sales, support, people, norole, noapprover, bare admin.
const matrix = `
/                         E H H H H H H H H H H
/dashboard                G E E E E E E E A E E
/sales                    G > P P P > P P A P >
/donations                G > P P P > P P A P >
/affiliate-stats          G E P P P P E P A P E
/customer-service         G E P P P P E P A P E
/distributions            G E P P P P E P A P E
/product-payments         G E P P P P E P A P E
/tools                    G E P E P P E P A P E
/role-editor              G E P P P P P E A P E
/role-qualifications      G E L L L L L L A L E
/usermanagement           G E P P P P P E A P E
/approvermanagement       G E P P P P P E A P E
/employee-stats           G E E E P P P P A P E
/top-5                    G > > > > P P > A M >
/top-5/tasks              G E E E E P P E A M E
/top-5/approvals          G E E P P P P P A P E
/top-5/stats              G E E E P P P P A P E
/top-5/tools/guidelines   G E E E E P P E A E E
/top-5/tools/schedule     G E E E E P P E A E E
/top-5/tools/bonus        G E E E E P P E A E E
/top-5/tools/time-tracker G E E E E P P E A E E
/account                  G E E E E E E E E E E
/logout                   E E E E E E E E E E E
/error                    E E E E E E E E E E E
/top-5/tools              N N N N N N N N N N N
/Sales                    N N N N N N N N N N N
/sales/                   N N N N N N N N N N N
/constructor              N N N N N N N N N N N
__proto__                 N N N N N N N N N N N
toString                  N N N N N N N N N N N`
  .trim()
  .split('\n')
  .map((row) => row.split(/\s+/));

describe('every route and every person (spec 6)', () => {
  const cells = matrix.flatMap(([path = '', ...letters]) =>
    Object.keys(people).map((name, column) => [name, path, letters[column]] as const),
  );
  it.each(cells)('%s at %s: %s', (name, path, letter) => {
    expect(letterOf(enter(people[name] ?? null, visit(path)))).toBe(letter);
  });

  it('leaves out no route', () => {
    expect(matrix.map(([path]) => path).slice(0, paths.length)).toEqual(paths);
  });

  it('prints the pages a person may enter from the same rule', () => {
    for (const [name, person] of Object.entries(people)) {
      if (!person) continue;
      const entered = paths.filter(
        (path) => !['/', '/error'].includes(path) && ['E', 'H', '>'].includes(letterOf(enter(person, visit(path)))),
      );
      expect(permittedPages(person), name).toEqual(entered);
    }
  });
});

describe('unauthenticated visitors (spec 2)', () => {
  it('are refused with the wanted path in goto', () => {
    expect(enter(null, visit('/dashboard'))).toEqual({ kind: 'redirect', to: '/?goto=%2Fdashboard' });
  });
  it('keep the query of the wanted path', () => {
    const entry = enter(null, visit('/sales', { search: 'product=green&range=30d', product: 'green' }));
    expect(entry).toEqual({ kind: 'redirect', to: '/?goto=%2Fsales%3Fproduct%3Dgreen%26range%3D30d' });
  });
  it.each(['a=\ud800', 'a=\0', 'a=\r\nSet-Cookie: x', 'goto=//evil.com', 'a=b#c'])('survive the query %j', (search) => {
    const entry = enter(null, visit('/sales', { search }));
    expect(entry.kind).toBe('redirect');
    const to = (entry as { to: string }).to;
    expect(to).toMatch(/^\/\?goto=[\w%.!~*'()-]+$/);
    expect(new URL(to, 'https://dashboard.test').origin).toBe('https://dashboard.test');
  });
});

describe('restricted routes (spec 2, D6)', () => {
  const green = viewer(['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_GREEN_SALES', 'VIEW_CODEX_SALES']);
  const at = (who: Viewer, path: string, product: string | null) => enter(who, visit(path, { product }));

  it('refuse a known key without its permission', () => {
    expect(at(green, '/sales', 'connect')).toEqual({ kind: 'refuse', code: 'NO_PAGE_PERMISSION', inPlace: false });
  });
  it('refuse whoever has no product at all, whatever the key', () => {
    const none = viewer(['VIEW_DASHBOARD', 'VIEW_SALES']);
    for (const product of [null, '', 'connect', 'nonsense', '__proto__']) {
      expect(at(none, '/sales', product)).toMatchObject({ kind: 'refuse', code: 'NO_PAGE_PERMISSION' });
    }
  });
  it('refuse the tab to whoever holds only the tab', () => {
    expect(at(viewer(['VIEW_DASHBOARD', 'VIEW_GREEN_SALES']), '/sales', 'green')).toMatchObject({ kind: 'refuse' });
  });
  it.each([
    null,
    '',
    'Green',
    'arcade',
    'free-a-girl',
    '__proto__',
    'constructor',
    'toString',
    'green ',
    'green\0',
    '\ud800',
  ])('lead the key %j to the first permitted product', (product) => {
    expect(at(green, '/sales', product)).toEqual({ kind: 'redirect', to: '/sales?product=green' });
  });
  it('open for a known key with its permission', () => {
    expect(at(green, '/sales', 'codex')).toEqual({ kind: 'enter' });
  });
  it('lead to Connect first when it is permitted', () => {
    expect(at(samplePeople.sales, '/sales', null)).toEqual({ kind: 'redirect', to: '/sales?product=connect' });
    expect(at(samplePeople.sales, '/donations', null)).toEqual({
      kind: 'redirect',
      to: '/donations?product=free-a-girl',
    });
  });
  it('keep the days and filters of an address without a product', () => {
    const search = 'from=2023-04-01&product=none&to=2023-12-31&where.country=NL';
    expect(enter(green, visit('/sales', { search, product: 'none' }))).toEqual({
      kind: 'redirect',
      to: '/sales?product=green&from=2023-04-01&to=2023-12-31&where.country=NL',
    });
  });
  it('prefer a product whose numbers the viewer can read', () => {
    const seller = viewer(['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_CONNECT_SALES', 'VIEW_GREEN_SALES', 'READ_GREEN']);
    const visit = { path: '/sales', search: '', product: null };
    expect(enter(seller, visit)).toEqual({ kind: 'redirect', to: '/sales?product=green' });
    const asked = { ...visit, search: 'product=connect', product: 'connect' };
    expect(enter(seller, asked)).toEqual({ kind: 'enter' });
  });
  it('offer products in the order of the navigation', () => {
    expect(permittedProducts(samplePeople.sales, '/sales')).toEqual(['connect', 'green', 'codex', 'bgp']);
    expect(permittedProducts(samplePeople.sales, '/donations')).toEqual([
      'free-a-girl',
      'operation-underground-railroad',
      'who-lives',
    ]);
  });
});

describe('numbers of a product (spec 6, D10)', () => {
  const data: Record<string, [Permission, Permission]> = {
    connect: ['VIEW_CONNECT_SALES', 'READ_BGP'],
    green: ['VIEW_GREEN_SALES', 'READ_GREEN'],
    codex: ['VIEW_CODEX_SALES', 'READ_CODEX'],
    bgp: ['VIEW_BGP_SALES', 'READ_BGP'],
  };
  it.each(Object.entries(data))('of %s are refused with one permission of the two', (key, pair) => {
    for (const permission of pair) expect(canReadProduct(viewer([permission]), '/sales', key)).toBe(false);
    expect(canReadProduct(viewer(permissionKeys.filter((other) => other !== pair[1])), '/sales', key)).toBe(false);
    expect(canReadProduct(viewer(pair), '/sales', key)).toBe(true);
  });
  it.each([
    ['free-a-girl', 'VIEW_FREE_A_GIRL_DONATIONS'],
    ['operation-underground-railroad', 'VIEW_OPERATION_UNDERGROUND_RAILROAD_DONATIONS'],
    ['who-lives', 'VIEW_WHO_LIVES_DONATIONS'],
  ] as const)('of %s need the permission of the cause', (key, permission) => {
    expect(canReadProduct(viewer(permissionKeys.filter((other) => other !== permission)), '/donations', key)).toBe(
      false,
    );
    expect(canReadProduct(viewer([permission]), '/donations', key)).toBe(true);
  });
  it.each(['', 'Connect', '__proto__', 'constructor', 'hasOwnProperty', 'free-a-girl'])(
    'of the key %j are nobody’s',
    (key) => {
      expect(canReadProduct(samplePeople.admin, '/sales', key)).toBe(false);
    },
  );
});

describe('permissions held (D9, D11)', () => {
  it('leave out what no list knows', () => {
    expect(heldPermissions('Staff', ['', 'view_sales', '__proto__', 'constructor', 'admin', 'VIEW_SALES\0'])).toEqual(
      [],
    );
    expect(heldPermissions(null, [])).toEqual([]);
  });
  it('are those of the role and the direct grants, each once', () => {
    expect(heldPermissions('Staff', ['VIEW_TOP_5', 'VIEW_SALES', 'VIEW_TOP_5'])).toEqual(['VIEW_TOP_5', 'VIEW_SALES']);
  });
  it('read the misspelt one as the intended', () => {
    expect(heldPermissions('Staff', ['IEW_WHO_LIVES_DONATIONS', 'VIEW_WHO_LIVES_DONATIONS'])).toEqual([
      'VIEW_WHO_LIVES_DONATIONS',
    ]);
  });
  it('are all of them for an admin', () => {
    expect(heldPermissions('admin', [])).toEqual(permissionKeys);
  });
});

describe('landing (spec 2, D7)', () => {
  it('is /logout when no route is permitted', () => {
    expect(landing(samplePeople.norole)).toBe('/logout');
    expect(firstPermittedPage(samplePeople.norole)).toBeNull();
  });
  it.each([
    ['admin', '/sales?product=connect'],
    ['approver', '/top-5'],
    ['staff', '/top-5'],
    ['top5', '/top-5'],
    ['sales', '/sales?product=connect'],
    ['support', '/affiliate-stats'],
    ['people', '/top-5'],
    ['noapprover', '/top-5/tools/guidelines'],
  ] as const)('of %s is %s', (name, page) => {
    expect(landing(samplePeople[name])).toBe(page);
  });
  it('passes over sales without a permitted product', () => {
    expect(landing(viewer(['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_TOOLS']))).toBe('/dashboard');
  });
  it('replaces a refusal for whoever arrived from /', () => {
    expect(enter(samplePeople.support, visit('/usermanagement', { from: '/' }))).toEqual({
      kind: 'redirect',
      to: '/affiliate-stats',
      refused: 'NO_PAGE_PERMISSION',
    });
    expect(enter(samplePeople.support, visit('/usermanagement', { from: '/tools' }))).toMatchObject({
      kind: 'refuse',
      inPlace: false,
    });
  });
  it('keeps the refusal on /dashboard through a reload when no route is permitted, and sends other pages to /error', () => {
    for (const from of [undefined, '/error', '/dashboard'])
      expect(enter(samplePeople.norole, visit('/dashboard', { from }))).toMatchObject({
        kind: 'refuse',
        inPlace: true,
      });
    expect(enter(samplePeople.norole, visit('/tools'))).toMatchObject({ kind: 'refuse', inPlace: false });
    expect(enter(viewer(['VIEW_TOOLS']), visit('/dashboard'))).toMatchObject({ kind: 'refuse' });
  });
  it('shows the refusal in place on /dashboard when no route is permitted', () => {
    expect(enter(samplePeople.norole, visit('/tools', { from: '/' }))).toEqual({ kind: 'redirect', to: '/dashboard' });
    expect(enter(samplePeople.norole, visit('/dashboard', { from: '/' }))).toEqual({
      kind: 'refuse',
      code: 'NO_APPLICATION_PERMISSION',
      inPlace: true,
    });
  });
  it('sends a signed-in visitor of the login page home', () => {
    for (const person of Object.values(samplePeople)) {
      expect(enter(person, visit('/'))).toEqual({ kind: 'redirect', to: '/dashboard' });
    }
  });
});

describe('admin-only pages (spec 6, D8)', () => {
  it('log the user out if the user is not an admin', () => {
    const everything = viewer(permissionKeys, { approverIds: ['2'] });
    expect(enter(everything, visit('/role-qualifications'))).toEqual({ kind: 'logout' });
    expect(enter(everything, visit('/role-qualifications', { from: '/' }))).toEqual({ kind: 'logout' });
  });
});

describe('a top-5-only user (spec 6, D12)', () => {
  it.each([
    ['without VIEW_TOP_5', ['VIEW_DASHBOARD']],
    ['with USER_MANAGEMENT', ['VIEW_TOP_5', 'USER_MANAGEMENT']],
    ['with a page outside S.T.A.R.T', ['VIEW_TOP_5', 'VIEW_TOOLS']],
    ['with data outside S.T.A.R.T', ['VIEW_TOP_5', 'READ_BGP']],
    ['with nothing', []],
  ] as [string, Permission[]][])('is not one %s', (_title, permissions) => {
    expect(isTopFiveOnly(viewer(permissions))).toBe(false);
  });
  it('is not an admin', () => {
    expect(isTopFiveOnly(viewer(['VIEW_TOP_5'], { role: 'admin' }))).toBe(false);
  });
  it('has nothing outside S.T.A.R.T but the dashboard', () => {
    expect(isTopFiveOnly(viewer(['VIEW_TOP_5']))).toBe(true);
    expect(isTopFiveOnly(samplePeople.top5)).toBe(true);
    expect(
      isTopFiveOnly(viewer(permissionKeys.filter((key) => key.startsWith('VIEW_TOP_5') || key === 'VIEW_DASHBOARD'))),
    ).toBe(true);
    expect(isTopFiveOnly(samplePeople.staff)).toBe(false);
  });
});

const anyViewer: fc.Arbitrary<Viewer> = fc.record({
  id: fc.constant('1'),
  role: fc.constantFrom(null, 'Staff', 'admin'),
  permissions: fc.subarray(permissionKeys),
  approverIds: fc.constantFrom([], ['2']),
});
const anyProduct = fc.constantFrom(
  null,
  'nonsense',
  ...Object.values(productsOfRoute).flatMap((products) => Object.keys(products)),
);
const anyPath = fc.constantFrom(...paths);

/** Follows redirects like the web and returns where the visit ends, or null after four hops. */
function follow(who: Viewer, path: string, product: string | null, from: string | undefined): Entry | null {
  let next = visit(path, { product, from });
  for (let hop = 0; hop <= 3; hop++) {
    const entry = enter(who, next);
    if (entry.kind !== 'redirect') return entry;
    const url = new URL(entry.to, 'https://dashboard.test');
    next = visit(url.pathname, { search: url.search.slice(1), product: url.searchParams.get('product'), from });
  }
  return null;
}

describe('laws', () => {
  it('redirects never run in a circle: three hops reach a page, a refusal or the way out', () => {
    fc.assert(
      fc.property(
        anyViewer,
        anyPath,
        anyProduct,
        fc.constantFrom(undefined, '/', '/dashboard'),
        (who, path, product, from) => {
          expect(follow(who, path, product, from)).not.toBeNull();
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('whoever arrived from / ends on a page, except where an admin-only page logs out or nothing is permitted', () => {
    fc.assert(
      fc.property(anyViewer, anyPath, anyProduct, (who, path, product) => {
        const end = follow(who, path, product, '/');
        if (path === '/role-qualifications' && end?.kind === 'logout') return;
        if (firstPermittedPage(who) === null && end?.kind === 'refuse') expect(end.inPlace).toBe(true);
        else expect(end).toEqual({ kind: 'enter' });
      }),
      { numRuns: 2000 },
    );
  });

  it('adding a permission never removes a page', () => {
    fc.assert(
      fc.property(anyViewer, fc.constantFrom(...permissionKeys), anyProduct, (who, permission, product) => {
        const more = { ...who, permissions: [...who.permissions, permission] };
        for (const path of paths) {
          const before = refusalAt(who, path, product);
          if (before === null) expect(refusalAt(more, path, product)).toBeNull();
        }
        expect(permittedPages(more)).toEqual(expect.arrayContaining(permittedPages(who)));
      }),
      { numRuns: 1000 },
    );
  });

  it('taking the only permission of a page away closes it', () => {
    for (const permission of permissionKeys) {
      const rest = viewer(
        permissionKeys.filter((key) => key !== permission),
        { approverIds: ['2'] },
      );
      expect(can(rest, permission)).toBe(false);
    }
  });

  it('only redirects to paths of the product', () => {
    fc.assert(
      fc.property(anyViewer, fc.oneof(anyPath, fc.string()), anyProduct, (who, path, product) => {
        const entry = enter(who, visit(path, { product, from: '/' }));
        if (entry.kind !== 'redirect') return;
        const url = new URL(entry.to, 'https://dashboard.test');
        expect(paths).toContain(url.pathname);
        if (isRestricted(url.pathname as Path)) expect(url.searchParams.get('product')).toBeTruthy();
      }),
    );
  });
});

it('narrows what a delegate does to the area, and changes nothing else (D40)', () => {
  const delegateIn = { stats: ['2'], bonus: ['3'], time: [] };
  const delegate = viewer([], { delegateOf: ['2', '3'], delegateIn });
  expect(delegatedAreas).toEqual(['stats', 'bonus', 'time']);
  for (const area of delegatedAreas)
    expect(inArea(delegate, area)).toEqual({ ...delegate, delegateOf: delegateIn[area] });
  expect(inArea(viewer([]), 'stats').delegateOf).toBeUndefined();
});

it('tells each check by its name, in the order of spec 6', () => {
  expect(accessChecks(viewer([]), '/top-5/tasks').map(({ name }) => name)).toEqual([
    'application',
    'page',
    'query',
    'approver',
  ]);
});
