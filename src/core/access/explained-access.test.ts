import { describe, expect, it } from 'vitest';
import { samplePeople } from '../../../test/house/sample-people.ts';
import { refusals } from '../base/refusals.ts';
import { canReadProduct, refusalAt, type Viewer } from './access.ts';
import { explainAccess, type Target } from './explained-access.ts';
import type { Permission } from './permissions.ts';
import { productsOfRoute } from './products.ts';
import { isRestricted, paths } from './routes.ts';

const viewer = (permissions: readonly Permission[], more: Partial<Viewer> = {}): Viewer => ({
  ...{ id: '1', role: 'Staff', permissions, approverIds: [] },
  ...more,
});
const roles = [
  { name: 'Sales', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_CONNECT_SALES', 'READ_BGP'] },
  { name: 'Give', permissions: ['IEW_WHO_LIVES_DONATIONS'] },
];
const at = (path: Target['path'], product: string | null = null): Target => ({ path, product });

describe('why somebody does not see a page', () => {
  it.each([
    ['no role', viewer(['VIEW_DASHBOARD'], { role: null }), at('/dashboard'), 'application', [{ kind: 'role' }]],
    [
      'no role and no permission',
      viewer([], { role: null }),
      at('/dashboard'),
      'application',
      [{ kind: 'role' }, { kind: 'permission', permission: 'VIEW_DASHBOARD', roles: ['Sales'] }],
    ],
    [
      'the application permission',
      viewer(['VIEW_SALES']),
      at('/sales', 'connect'),
      'application',
      [{ kind: 'permission', permission: 'VIEW_DASHBOARD', roles: ['Sales'] }],
    ],
    [
      "the page's permission",
      viewer(['VIEW_DASHBOARD']),
      at('/sales', 'connect'),
      'page',
      [{ kind: 'permission', permission: 'VIEW_SALES', roles: ['Sales'] }],
    ],
    [
      'a permission that no role has',
      viewer(['VIEW_DASHBOARD']),
      at('/tools'),
      'page',
      [{ kind: 'permission', permission: 'VIEW_TOOLS', roles: [] }],
    ],
    ['being no admin', viewer(['VIEW_DASHBOARD']), at('/role-qualifications'), 'page', [{ kind: 'admin' }]],
    [
      'the tab',
      viewer(['VIEW_DASHBOARD', 'VIEW_SALES']),
      at('/sales', 'connect'),
      'query',
      [{ kind: 'permission', permission: 'VIEW_CONNECT_SALES', roles: ['Sales'] }],
    ],
    [
      'the tab, which a role holds misspelt',
      viewer(['VIEW_DASHBOARD', 'VIEW_DONATIONS']),
      at('/donations', 'who-lives'),
      'query',
      [{ kind: 'permission', permission: 'VIEW_WHO_LIVES_DONATIONS', roles: ['Give'] }],
    ],
    ['an approver', viewer(['VIEW_DASHBOARD', 'VIEW_TOP_5']), at('/top-5/tasks'), 'approver', [{ kind: 'approver' }]],
    [
      'the numbers',
      viewer(['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_CONNECT_SALES']),
      at('/sales', 'connect'),
      'data',
      [{ kind: 'permission', permission: 'READ_BGP', roles: ['Sales'] }],
    ],
  ] as const)('%s', (_case, person, target, name, fixes) => {
    const explanation = explainAccess(person, target, roles);
    expect(explanation.checks.find(({ outcome }) => outcome === 'failed')?.name).toBe(name);
    expect(explanation.fixes).toEqual(fixes);
  });
  it('names every tab where none is permitted', () => {
    const { fixes } = explainAccess(viewer(['VIEW_DASHBOARD', 'VIEW_SALES']), at('/sales'), roles);
    expect(fixes.map((fix) => fix.kind === 'permission' && fix.permission)).toEqual([
      'VIEW_CONNECT_SALES',
      'VIEW_GREEN_SALES',
      'VIEW_CODEX_SALES',
      'VIEW_BGP_SALES',
    ]);
  });
  it('stands in the order of the specification, and what lies behind the failed check was not reached (D5)', () => {
    const { checks } = explainAccess(viewer(['VIEW_DASHBOARD']), at('/sales', 'connect'), roles);
    expect(checks.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['application', 'passed'],
      ['page', 'failed'],
      ['query', 'notReached'],
      ['approver', 'notReached'],
      ['data', 'notReached'],
    ]);
  });
});

it('asks for no role where everyone signed in is let in', () => {
  const { sees, checks } = explainAccess(viewer([], { role: null }), at('/account'), roles);
  expect([sees, checks[0]?.sentence]).toEqual([true, 'The page requires no role']);
});

describe('it says what the guards do', () => {
  const targets = paths.flatMap((path): Target[] =>
    isRestricted(path)
      ? [at(path), ...Object.keys(productsOfRoute[path]).map((product) => at(path, product))]
      : [at(path)],
  );
  it.each(Object.entries(samplePeople))('%s', (_name, person) => {
    for (const target of targets) {
      const { sees, message } = explainAccess(person, target, []);
      const code = refusalAt(person, target.path, target.product);
      const reads =
        !isRestricted(target.path) || target.product === null || canReadProduct(person, target.path, target.product);
      expect([target, sees]).toEqual([target, code === null && reads]);
      if (code !== null) expect([target, message]).toEqual([target, refusals[code].message]);
    }
  });
});
