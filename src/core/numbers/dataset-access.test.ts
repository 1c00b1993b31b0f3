import { describe, expect, it } from 'vitest';
import type { Viewer } from '../access/access.ts';
import { type Permission, permissionKeys } from '../access/permissions.ts';
import { canReadDataset } from './dataset-access.ts';
import type { DatasetKey } from './datasets.ts';

// From spec 6 and D10: the page, the tab and the data are all required.
const needed: readonly [DatasetKey, string | null, ...Permission[]][] = [
  ['orders', 'connect', 'VIEW_SALES', 'VIEW_CONNECT_SALES', 'READ_BGP'],
  ['orders', 'green', 'VIEW_SALES', 'VIEW_GREEN_SALES', 'READ_GREEN'],
  ['orders', 'codex', 'VIEW_SALES', 'VIEW_CODEX_SALES', 'READ_CODEX'],
  ['orders', 'bgp', 'VIEW_SALES', 'VIEW_BGP_SALES', 'READ_BGP'],
  ['donations', 'free-a-girl', 'VIEW_DONATIONS', 'VIEW_FREE_A_GIRL_DONATIONS'],
  [
    ...(['donations', 'operation-underground-railroad'] as const),
    ...(['VIEW_DONATIONS', 'VIEW_OPERATION_UNDERGROUND_RAILROAD_DONATIONS'] as const),
  ],
  ['donations', 'who-lives', 'VIEW_DONATIONS', 'VIEW_WHO_LIVES_DONATIONS'],
  ['affiliate_activity', null, 'VIEW_AFFILIATE_STATS'],
  ['conversations', null, 'VIEW_CUSTOMER_SERVICE'],
  ['payouts', null, 'VIEW_DISTRIBUTIONS'],
  ['payments', null, 'VIEW_PRODUCT_PAYMENTS'],
];

const viewer = (permissions: readonly Permission[], role = 'Staff'): Viewer => ({
  id: '1',
  role,
  permissions,
  approverIds: [],
});

describe.each(needed)('the numbers of %s %s', (dataset, scope, ...permissions) => {
  it('are refused where any one of their permissions is missing, whatever else is held', () => {
    for (const missing of permissions) {
      const held = permissionKeys.filter((permission) => permission !== missing);
      expect([missing, canReadDataset(viewer(held), dataset, scope)]).toEqual([missing, false]);
    }
  });
  it('open for who holds just these, and for an admin', () => {
    expect(canReadDataset(viewer(permissions), dataset, scope)).toBe(true);
    expect(canReadDataset(viewer([], 'admin'), dataset, scope)).toBe(true);
  });
  it('are nobody’s in a scope that they do not have, or without the one that they need', () => {
    const other = scope === null ? 'connect' : null;
    expect(canReadDataset(viewer([], 'admin'), dataset, other)).toBe(false);
    expect(canReadDataset(viewer([], 'admin'), dataset, 'toString')).toBe(false);
  });
});
