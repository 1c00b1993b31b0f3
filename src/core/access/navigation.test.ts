import { describe, expect, it } from 'vitest';
import { samplePeople } from '../../../test/house/sample-people.ts';
import type { Viewer } from './access.ts';
import { type NavigationEntry, navigation, navigationFor, type VisibleEntry } from './navigation.ts';
import { type Permission, permissionKeys } from './permissions.ts';
import { isPath } from './routes.ts';

const viewer = (permissions: readonly Permission[]): Viewer => ({
  id: '1',
  role: 'Staff',
  permissions: ['VIEW_DASHBOARD', ...permissions],
  approverIds: [],
});

const lines = (entries: readonly VisibleEntry[], depth = 0): string[] =>
  entries.flatMap((entry) => [
    `${'  '.repeat(depth)}${entry.title}${entry.comingSoon ? ' (Coming Soon)' : ''} -> ${entry.to ?? 'opens'}`,
    ...lines(entry.children, depth + 1),
  ]);
const shown = (who: Viewer) => lines(navigationFor(who)).join('\n');

const sales = `Sales -> /sales
  Connect -> /sales?product=connect
  Green -> /sales?product=green
  Codex -> /sales?product=codex
  Arcade -> /sales?product=bgp
Donations -> /donations
  Free a Girl -> /donations?product=free-a-girl
  Operation Underground Railroad -> /donations?product=operation-underground-railroad
  Who Lives -> /donations?product=who-lives`;
const tools = `  Tools -> opens
    Top 5 Guidelines -> /top-5/tools/guidelines
    Weekly Meeting Schedule -> /top-5/tools/schedule
    Top 5 Bonus Structure -> /top-5/tools/bonus
    Personal Performance Tracker (Coming Soon) -> /top-5/tools/time-tracker`;
const top5 = `S.T.A.R.T -> /top-5
  Tasks -> /top-5/tasks
${tools}
Logout -> /logout`;

// Written from spec 2 and the demo accounts.
const expected: Record<string, string> = {
  norole: 'Logout -> /logout',
  admin: `${sales}
Affiliate Stats -> /affiliate-stats
S.T.A.R.T -> /top-5
  Tasks -> /top-5/tasks
  Approvals -> /top-5/approvals
  Stats -> /top-5/stats
${tools}
Tools -> /tools
Customer Service -> /customer-service
Role Editor -> /role-editor
Distributions -> /distributions
Product Payments -> /product-payments
User Management -> /usermanagement
Approver Management -> /approvermanagement
Logout -> /logout`,
  approver: `S.T.A.R.T -> /top-5
  Tasks -> /top-5/tasks
  Approvals -> /top-5/approvals
  Stats -> /top-5/stats
${tools}
Logout -> /logout`,
  staff: `S.T.A.R.T -> /top-5
  Tasks -> /top-5/tasks
  Stats -> /top-5/stats
${tools}
Tools -> /tools
Logout -> /logout`,
  top5,
  noapprover: top5,
  sales: `${sales}
Logout -> /logout`,
  support: `Affiliate Stats -> /affiliate-stats
Tools -> /tools
Customer Service -> /customer-service
Distributions -> /distributions
Product Payments -> /product-payments
Logout -> /logout`,
  people: `S.T.A.R.T -> /top-5
  Tasks -> /top-5/tasks
${tools}
Role Editor -> /role-editor
User Management -> /usermanagement
Approver Management -> /approvermanagement
Logout -> /logout`,
};

describe('the navigation (spec 2, D34)', () => {
  it.each(Object.entries(expected))('of %s leaves out every entry whose permission is missing', (name, tree) => {
    expect(shown(samplePeople[name as keyof typeof samplePeople])).toBe(tree);
  });

  it('leaves out the products of a page that the viewer can’t enter', () => {
    expect(shown(viewer(['VIEW_CONNECT_SALES', 'VIEW_FREE_A_GIRL_DONATIONS']))).toBe('Logout -> /logout');
  });

  it('keeps a parent that the viewer can’t enter as a group while one of its children is permitted (D34)', () => {
    expect(shown(viewer(['VIEW_TOP_5_APPROVALS', 'VIEW_TOP_5_TOOLS', 'VIEW_TOP_5_GUIDELINES']))).toBe(
      `S.T.A.R.T -> opens
  Approvals -> /top-5/approvals
  Tools -> opens
    Top 5 Guidelines -> /top-5/tools/guidelines
Logout -> /logout`,
    );
  });

  it('leaves out the group of tools, with its pages, where its permission is missing', () => {
    expect(shown(viewer(['VIEW_TOP_5_APPROVALS', 'VIEW_TOP_5_GUIDELINES']))).toBe(
      'S.T.A.R.T -> opens\n  Approvals -> /top-5/approvals\nLogout -> /logout',
    );
  });

  it('has only Logout without the application permission or a role, because no page would open', () => {
    const everything = permissionKeys.filter((key) => key !== 'VIEW_DASHBOARD');
    expect(shown({ ...viewer([]), permissions: everything })).toBe('Logout -> /logout');
    expect(shown({ ...viewer(everything), role: null })).toBe('Logout -> /logout');
  });
  it('leaves out a parent none of whose children is permitted', () => {
    expect(shown(viewer(['VIEW_SALES', 'VIEW_DONATIONS']))).toBe('Logout -> /logout');
    expect(shown(viewer(['VIEW_TOP_5', 'VIEW_TOP_5_TOOLS']))).toBe(
      'S.T.A.R.T -> /top-5\n  Tasks -> /top-5/tasks\nLogout -> /logout',
    );
  });

  it('goes nowhere with a group', () => {
    const start = navigationFor(samplePeople.admin).find((entry) => entry.key === 'top-5');
    expect(start?.children.find((entry) => entry.key === 'tools')).toMatchObject({ to: null, path: '/top-5/tools' });
    expect(isPath('/top-5/tools')).toBe(false);
  });

  it('names the product of an entry that is chosen by query, and of no other', () => {
    const [salesEntry, , affiliate] = navigationFor(samplePeople.admin);
    expect(salesEntry?.children.map((entry) => entry.product)).toEqual(['connect', 'green', 'codex', 'bgp']);
    expect([salesEntry?.product, affiliate?.product]).toEqual([null, null]);
  });

  it('marks the time tracker as coming soon', () => {
    expect(shown(samplePeople.top5)).toContain('Personal Performance Tracker (Coming Soon)');
  });

  it('carries the dashboards of the external tool: sales 15 to 18, donations 20 (spec 7)', () => {
    const all = (entries: readonly NavigationEntry[]): NavigationEntry[] =>
      entries.flatMap((entry) => [entry, ...all(entry.children ?? [])]);
    const numbered = all(navigation).flatMap(({ key, queryParam, resource }) =>
      resource ? [[key, queryParam, resource.number, resource.type]] : [],
    );
    expect(numbered).toEqual([
      ['connect', true, 15, 'dashboard'],
      ['green', true, 16, 'dashboard'],
      ['codex', true, 17, 'dashboard'],
      ['bgp', true, 18, 'dashboard'],
      ['free-a-girl', true, 20, 'dashboard'],
      ['operation-underground-railroad', true, 20, 'dashboard'],
      ['who-lives', true, 20, 'dashboard'],
    ]);
  });

  it('leads to known pages only, with an icon on the first level', () => {
    const walk = (entries: readonly VisibleEntry[]): VisibleEntry[] =>
      entries.flatMap((entry) => [entry, ...walk(entry.children)]);
    for (const entry of walk(navigationFor(samplePeople.admin)))
      if (entry.to) expect(isPath(entry.to.split('?')[0] ?? '')).toBe(true);
    for (const entry of navigationFor(samplePeople.admin)) expect(entry.icon).not.toBeNull();
  });

  it('of a top-5-only person is S.T.A.R.T and Logout only (D12)', () => {
    expect(navigationFor(samplePeople.top5).map((entry) => entry.title)).toEqual(['S.T.A.R.T', 'Logout']);
  });

  it('loses nothing when a permission is added', () => {
    for (const permission of permissionKeys) {
      for (const who of Object.values(samplePeople)) {
        const more = shown({ ...who, permissions: [...who.permissions, permission] });
        for (const line of shown(who).split('\n')) expect(more).toContain(line);
      }
    }
  });
});
