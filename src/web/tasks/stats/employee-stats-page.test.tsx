import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage, viewerWith } from '../../../../test/show-page.tsx';
import EmployeeStatsPage from './employee-stats-page.tsx';

const sprint = {
  ...{ id: '47', name: '2026 W47', state: 'active', phase: 'active', current: true },
  ...{ startDate: '2026-11-16T09:00:00Z', endDate: '2126-11-23T09:00:00Z', settledAt: '2126-11-25T09:00:00Z' },
};
const issue = { id: '1', summary: 'Ship it', status: 'in review', taskStatus: 'INREVIEW' };
const lena = { userId: '1', displayName: 'Lena Hoffmann', completionPercentage: 100, issues: [issue] };

test('a completed task labeled “In Progress” shows its status, and the page says what the percentage counts', async () => {
  const user = await showPage(<EmployeeStatsPage />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5_STATS'),
    address: '/employee-stats',
    answers: {
      StatsSprints: () => ({ getSprints: [sprint] }),
      IssuesByUserBySprint: () => ({ getIssuesByUserBySprint: [lena] }),
    },
  });
  await screen.findByText(/share of tasks labeled “In Progress” \(in review\) or “Done”/);
  await user.click(await screen.findByRole('button', { name: /Lena Hoffmann/ }));
  expect((await screen.findByText('Ship it')).closest('li')?.textContent).toBe('In Progressin reviewShip it');
});
