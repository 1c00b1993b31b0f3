import { expect, test } from 'vitest';
import type { Viewer } from '#core/access/access.ts';
import { navigationTarget } from './navigation-target.ts';

const viewer = (role: string | null): Viewer => ({ id: '1', role, permissions: [], approverIds: [] });

test('an entry that the viewer does not see leads nowhere', () => {
  expect(navigationTarget(viewer(null), 'approvals')).toBeNull();
});

test('a key leads where the navigation leads', () => {
  expect(navigationTarget(viewer('admin'), 'connect')?.to).toMatch(/\?product=connect$/);
});
