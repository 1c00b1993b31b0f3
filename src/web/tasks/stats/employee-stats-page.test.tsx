import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage, viewerWith } from '../../../../test/show-page.tsx';
import EmployeeStatsPage from './employee-stats-page.tsx';

const sprint = {
  ...{ id: '47', name: '2026 W47', state: 'active', phase: 'active', current: true },
  ...{ startDate: '2026-11-16T09:00:00Z', endDate: '2126-11-23T09:00:00Z', settledAt: '2126-11-25T09:00:00Z' },
};
const issue = { id: '1', summary: 'Ship it', status: 'in review', taskStatus: 'INREVIEW' };
const counts = { INAPPROVAL: 2, DENIED: 0, TODO: 0, INPROGRESS: 0, INREVIEW: 1, DONE: 0 };
const lena = {
  ...{ person: { id: '1', displayName: 'Lena Hoffmann', team: null }, invisible: false, counts, corrections: 0 },
  ...{ completionPercentage: 100, signedOffPercentage: 0, firstPassPercentage: 0, rework: null, waitedHours: null },
  ...{ recorded: false, trend: [null] },
};
const page = (employeePage: object) => ({ sprintStats: { weeks: ['2026 W47'], employeePage } });
const answers = {
  StatsSprints: () => ({ getSprints: [sprint] }),
  StatsEmployees: () => page({ rows: [lena], total: 1, everyone: 1, next: null }),
  IssuesByUserBySprint: ({ userId }: { userId?: string }) => ({
    getIssuesByUserBySprint: userId === '1' ? [{ issues: [issue] }] : [],
  }),
};

test('a completed task labeled “In Progress” shows its status, and the page says what the percentage counts', async () => {
  const user = await showPage(<EmployeeStatsPage />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5_STATS'),
    address: '/employee-stats',
    answers,
  });
  await screen.findByText(/share of tasks labeled “In Progress” \(in review\) or “Done”/);
  await user.click(await screen.findByRole('button', { name: /Lena Hoffmann/ }));
  expect((await screen.findByText('Ship it')).closest('li')?.textContent).toBe('In Progressin reviewShip it');
});

test.each([
  [['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'] as const, 'Open Lena Hoffmann’s board'],
  [['VIEW_TOP_5_APPROVALS'] as const, /^To open boards, you need the permission “S.T.A.R.T”/],
  [['VIEW_TOP_5'] as const, null],
])(
  'someone who approves a person gets from the row to their board, or reads what is missing: %s',
  async (more, words) => {
    const viewer = viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5_STATS', ...more);
    const user = await showPage(<EmployeeStatsPage />, {
      viewer: { ...viewer, role: 'Staff', approverIds: ['ada'] },
      address: '/employee-stats?sprint=47',
      answers: {
        ...answers,
        People: ({ ids = [] }: { ids?: string[] }) => ({
          people: ids.includes('1') ? [{ id: '1', displayName: 'Lena Hoffmann', team: null }] : [],
        }),
      },
    });
    await user.click(await screen.findByRole('button', { name: /Lena Hoffmann/ }));
    await screen.findByText('Ship it');
    if (words === null) return expect(screen.queryByText(/board/)).toBeNull();
    const shown = await screen.findByText(words);
    if (typeof words === 'string') expect(shown.getAttribute('href')).toBe('/top-5/tasks?person=1&sprint=47');
  },
);

test('the server sorts, searches and pages the employees, and a row counts the approved tasks only', async () => {
  const asked: object[] = [];
  const user = await showPage(<EmployeeStatsPage />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5_STATS'),
    address: '/employee-stats',
    answers: {
      ...answers,
      StatsEmployees: ({ sprintId: _, scope: __, ...choice }: Record<string, unknown>) => {
        asked.push(choice);
        const zoe = { ...lena, person: { id: '7', displayName: 'Zoe Last', team: null } };
        if (choice.search) return page({ rows: [zoe], total: 1, everyone: 51, next: null });
        return page({ rows: choice.after ? [zoe] : [lena], total: 51, everyone: 51, next: choice.after ? null : '1' });
      },
    },
  });
  expect((await screen.findByRole('img', { name: 'In Progress 1' })).parentElement?.textContent).toBe('1');
  const first = { sort: 'employee', desc: false };
  await user.click(screen.getByRole('button', { name: /^Show .* more$/ }));
  await screen.findByText('Zoe Last');
  await user.click(screen.getByRole('button', { name: '% Completed' }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ ...first, sort: 'completed', desc: true }));
  await user.type(screen.getByRole('searchbox', { name: 'Find a person or team' }), 'zoe');
  await screen.findByText('1 of 51');
  expect(asked.at(-1)).toEqual({ ...first, search: 'zoe', sort: 'completed', desc: true });
  expect(asked[1]).toEqual({ ...first, after: '1' });
});
