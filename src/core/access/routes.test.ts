import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardOf, isPath, landingOrder, paths, readGoto, routes, withoutTrailingSlash } from './routes.ts';

const origin = 'https://dashboard.test';
const hostilePaths = [
  '',
  '//evil.com',
  '//evil.com/',
  '///evil.com',
  '////evil.com//',
  '/\\evil.com',
  '\\\\evil.com',
  '/\t/evil.com',
  '/\n/evil.com',
  '\t//evil.com',
  '/.//evil.com',
  '/..//evil.com',
  '/a/..//evil.com',
  '/%2F/evil.com',
  '/%5Cevil.com',
  'https://evil.com',
  'https:evil.com',
  'https://evil.com/dashboard',
  'https://dashboard.test@evil.com/dashboard',
  'javascript:alert(1)',
  'data:text/html,x',
  'dashboard',
  ' /dashboard',
  '/dashboard ',
  '/dashboard/',
  '/Dashboard',
  '/DASHBOARD',
  '/dashboard\0',
  '/dashboard;x',
  '/dashboard#/x',
  '/%64ashboard',
  '/./dashboard',
  '/sales/../dashboard',
  '/top-5/tools',
  '__proto__',
  '/__proto__',
  'constructor',
  'toString',
  '\ud800',
  '/dashb\u043eard',
];

describe('goto (spec 2, D13)', () => {
  it.each([...hostilePaths, '/', '/?goto=/dashboard', '/logout', '/error', '/error?x=1', null, undefined])(
    '%j is dropped',
    (text) => {
      expect(readGoto(text)).toBeNull();
    },
  );

  it.each(paths.filter((path) => routes[path].layout === 'default'))('%s is kept, with its query', (path) => {
    expect(readGoto(path)).toBe(path);
    expect(readGoto(`${path}?a=1&b=%20`)).toBe(`${path}?a=1&b=%20`);
  });

  it.each([
    ['a backslash', '/sales?x=\\evil'],
    ['a line break', '/sales?x=\r\nLocation: //evil.com'],
    ['a tab', '/sales?x=\t'],
    ['a fragment', '/sales?product=green#//evil.com'],
    ['NUL', '/sales?x=\0'],
    ['a lone surrogate', '/sales?x=\ud800'],
    ['nothing', '/sales?'],
    ['a quotation mark', '/sales?x="><script>'],
  ])('a query with %s is dropped and the page kept', (_title, text) => {
    expect(readGoto(text)).toBe('/sales');
  });

  it('is null or a known page of this origin, whatever comes', () => {
    const known = new Set<string>(paths);
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.webPath(),
      fc.tuple(fc.constantFrom(...paths, ...hostilePaths), fc.string()).map(([path, tail]) => path + tail),
      fc.tuple(fc.constantFrom(...paths), fc.string()).map(([path, query]) => `${path}?${query}`),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const page = readGoto(text);
        if (page === null) return;
        const url = new URL(page, origin);
        expect(url.origin).toBe(origin);
        expect(known.has(url.pathname)).toBe(true);
        expect(['/', '/logout', '/error']).not.toContain(url.pathname);
        expect(page.startsWith(url.pathname)).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('a trailing slash (spec 2)', () => {
  it.each(['/', '', '/sales', '/sales?x=/', '/sales?next=//evil.com/', '/top-5/tools', '?/'])(
    '%j has none to lose',
    (address) => {
      expect(withoutTrailingSlash(address)).toBeNull();
    },
  );
  it.each([
    ['/sales/', '/sales'],
    ['/sales//', '/sales'],
    ['/top-5/tasks/?task=1', '/top-5/tasks?task=1'],
    ['/sales/?product=green&x=/', '/sales?product=green&x=/'],
    ['/unknown/', '/unknown'],
    ['//', '/'],
    ['//evil.com/', '/evil.com'],
    ['///evil.com//', '/evil.com'],
    ['/\\evil.com/', '/evil.com'],
    ['\\\\evil.com/', '/evil.com'],
    ['/\\/evil.com/', '/evil.com'],
  ])('%j leads to %j', (address, to) => {
    expect(withoutTrailingSlash(address)).toBe(to);
  });
  it.each([
    '/\t/evil.com/',
    '/\n/evil.com/',
    '/\r\\evil.com/',
    '\t//evil.com/',
    ' //evil.com/',
    '\0//evil.com/',
    '/\u000b/evil.com/',
  ])('%j never names another host', (address) => {
    expect(new URL(withoutTrailingSlash(address) ?? '/', origin).origin).toBe(origin);
  });
  it('leads to one path of this origin without a trailing slash, whatever comes', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '\t',
      '\n',
      '\r',
      ' ',
      '%2f',
      'evil.com',
      'sales',
      '@',
      ':',
      'https:',
      '?',
      '#',
      '\0',
      'x',
    );
    const anyAddress = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}/`),
      fc.string().map((text) => `${text}/`),
    );
    fc.assert(
      fc.property(anyAddress, (address) => {
        const to = withoutTrailingSlash(address);
        if (to === null) return;
        expect(new URL(to, origin).origin).toBe(origin);
        const path = to.split('?')[0] ?? '';
        expect(path === '/' || !path.endsWith('/')).toBe(true);
        expect(withoutTrailingSlash(to)).toBeNull();
      }),
      { numRuns: 5000 },
    );
  });
});

describe('routes (spec 2)', () => {
  it.each([...hostilePaths, '/sales?product=green', '/top-5/tools/guidelines/'])('%j is no route', (text) => {
    expect(isPath(text)).toBe(false);
  });

  it.each(hostilePaths)('%j has no permission defined', (text) => {
    expect(() => guardOf(text)).toThrow(`Permissions are not defined for ${text}`);
  });

  it('are those of the table, in its order', () => {
    expect(paths).toEqual([
      '/',
      '/dashboard',
      '/sales',
      '/donations',
      '/affiliate-stats',
      '/customer-service',
      '/distributions',
      '/product-payments',
      '/tools',
      '/role-editor',
      '/role-qualifications',
      '/usermanagement',
      '/approvermanagement',
      '/employee-stats',
      '/top-5',
      '/top-5/tasks',
      '/top-5/approvals',
      '/top-5/stats',
      '/top-5/tools/guidelines',
      '/top-5/tools/schedule',
      '/top-5/tools/bonus',
      '/top-5/tools/time-tracker',
      '/account',
      '/logout',
      '/error',
    ]);
  });

  it.each([
    ['/sales', 'VIEW_SALES'],
    ['/affiliate-stats', 'VIEW_AFFILIATE_STATS'],
    ['/top-5', 'VIEW_TOP_5'],
    ['/top-5/tasks', 'VIEW_TOP_5'],
    ['/top-5/approvals', 'VIEW_TOP_5_APPROVALS'],
    ['/top-5/stats', 'VIEW_TOP_5_STATS'],
    ['/top-5/tools/guidelines', 'VIEW_TOP_5_GUIDELINES'],
    ['/top-5/tools/schedule', 'VIEW_TOP_5_MEETING_SCHEDULE'],
    ['/top-5/tools/bonus', 'VIEW_TOP_5_BONUS_STRUCTURE'],
    ['/top-5/tools/time-tracker', 'VIEW_TOP_5_TIME_TRACKER'],
    ['/donations', 'VIEW_DONATIONS'],
    ['/customer-service', 'VIEW_CUSTOMER_SERVICE'],
    ['/dashboard', 'VIEW_DASHBOARD'],
    ['/role-editor', 'VIEW_ROLE_EDITOR'],
    ['/distributions', 'VIEW_DISTRIBUTIONS'],
    ['/product-payments', 'VIEW_PRODUCT_PAYMENTS'],
    ['/tools', 'VIEW_TOOLS'],
    ['/usermanagement', 'USER_MANAGEMENT'],
    ['/approvermanagement', 'USER_MANAGEMENT'],
    ['/employee-stats', 'VIEW_TOP_5_STATS'],
  ])('%s needs %s', (path, permission) => {
    expect(guardOf(path)).toMatchObject({ kind: 'permission', permission });
  });

  it('ask for an approver on /top-5 and /top-5/tasks only (D5)', () => {
    const asking = paths.filter((path) => {
      const guard = guardOf(path);
      return guard.kind === 'permission' && guard.approver === true;
    });
    expect(asking).toEqual(['/top-5', '/top-5/tasks']);
  });

  it('are navless for the login page, logging out and the error page only (D7)', () => {
    expect(paths.filter((path) => routes[path].layout === 'navless')).toEqual(['/', '/logout', '/error']);
  });

  it('have unambiguous landings: each once, every one with a permission', () => {
    expect(new Set(landingOrder).size).toBe(landingOrder.length);
    expect(landingOrder.every((path) => routes[path].guard.kind === 'permission')).toBe(true);
    expect(paths.filter((path) => routes[path].guard.kind === 'permission' && !landingOrder.includes(path))).toEqual([
      '/employee-stats',
    ]);
  });

  it('lead from /top-5 to the tasks', () => {
    expect(paths.filter((path) => 'landsAt' in routes[path])).toEqual(['/top-5']);
    expect(routes['/top-5'].landsAt).toBe('/top-5/tasks');
  });
});
