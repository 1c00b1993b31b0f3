import { cleanup, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { showPage, viewerWith } from '../../../../test/show-page.tsx';
import { ApprovalsHead } from './head.tsx';
import type { Approvals } from './use-approvals.ts';

const sprint = {
  id: 'w47',
  name: '2026 W47',
  startDate: '2026-11-16T09:00:00Z',
  endDate: '2026-11-23T09:00:00Z',
  settledAt: '2026-11-25T09:00:00Z',
  phase: 'active',
  current: true,
};

async function showHead(tab: 'approve' | 'sign-off') {
  const approvals = {
    ...{
      tab,
      inbox: { isLoaded: true },
      isCounted: true,
      total: { waiting: 2, overdue: 1, later: 0, people: 1 },
    },
    ...{ counts: { approve: 1, 'sign-off': 1 }, overdue: { approve: 0, 'sign-off': 1 } },
    sitting: { isOn: false, due: 2, later: 0, toggle: vi.fn() },
  };
  await showPage(<ApprovalsHead approvals={approvals as unknown as Approvals} />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'),
    address: '/top-5/approvals',
    answers: { Sprints: () => ({ sprints: [sprint] }) },
  });
  await screen.findByText(/1 overdue/, { selector: 'p' });
}

it('overdue tasks of another tab are counted on it, and the line above is the same on both tabs', async () => {
  const lines: (string | null)[] = [];
  for (const tab of ['approve', 'sign-off'] as const) {
    await showHead(tab);
    screen.getByRole('radio', { name: 'To sign off 1, 1 overdue' });
    screen.getByRole('radio', { name: 'To approve 1' });
    lines.push(screen.getByText(/1 overdue/, { selector: 'p' }).textContent);
    cleanup();
  }
  expect(lines[0]).toBe(lines[1]);
});
