import { act, screen } from '@testing-library/react';
import { test } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { showPage, viewerWith } from '../../../../test/show-page.tsx';
import QualificationsPage from './qualifications-page.tsx';

test('the page stays at its role when that has no requirement any more', async () => {
  const requirement = { id: '3', kind: 'training', title: 'First aid', validMonths: null, version: 1 };
  const role = (name: string) => ({
    ...{ name, people: 1, missing: 0, expired: 0, expiring: 0 },
    requirements: [] as object[],
  });
  const sales = { ...role('Sales'), requirements: [requirement] };
  await showPage(<QualificationsPage />, {
    viewer: { ...viewerWith(), role: 'admin' },
    address: '/role-qualifications',
    answers: {
      QualifiedRoles: () => ({ qualifiedRoles: [role('admin'), { ...sales }] }),
      QualifiedPeople: () => ({ qualifiedPeople: { total: 0, next: null, people: [] } }),
    },
  });
  await screen.findByText('First aid');
  sales.requirements = [];
  await act(() => queryClient.invalidateQueries({ queryKey: ['qualifications', 'roles'] }));
  await screen.findByText('Sales has no requirements yet');
});
