import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import StatsPage from './stats-page.tsx';

const sprint = {
  ...{ id: '47', name: '2026 W47', current: true, phase: 'settled' },
  ...{ startDate: '2026-11-16T09:00:00Z', endDate: '2026-11-23T09:00:00Z', settledAt: '2026-11-25T09:00:00Z' },
};
const counts = { INAPPROVAL: 0, DENIED: 0, TODO: 1, INPROGRESS: 0, INREVIEW: 0, DONE: 3 };
const rates = {
  ...{ completionPercentage: 75, signedOffPercentage: 75, firstPassPercentage: 100, rework: 0, waitedHours: 2 },
};
const lena = {
  ...{ person: { id: '1', displayName: 'Lena Hoffmann', team: 'green' }, invisible: false, counts },
  ...{ ...rates, recorded: true, corrections: 0, trend: [40, 75] },
};
const named = (id: string, displayName: string) => ({ ...lena, person: { id, displayName, team: null } });
const weeks = ['2026 W46', '2026 W47'];
const pageOf = (rows: readonly object[], total: number, next: string | null = null) => ({
  sprintStats: { weeks, employeePage: { rows, total, everyone: 60, next } },
});
const parts = {
  SprintTotals: { totals: { people: 59, counts, ...rates } },
  StatsEmployees: { weeks, employeePage: { rows: [lena], total: 1, everyone: 1, next: null } },
  ScopeTrends: { weeks, scopeTrends: [{ scope: 'green', percentages: [50, 75] }] },
  FairClock: {
    fairClock: [{ approver: { id: '2', displayName: 'Ada Berg' }, decided: 4, waiting: 0, median: 2, p90: 3 }],
  },
};
const greenViewer = viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5_STATS', 'VIEW_TOP_5_STATS_GREEN');
type Answers = NonNullable<NonNullable<Parameters<typeof showPage>[1]>['answers']>;
const open = (viewer = greenViewer, failing = '', more: Answers = {}) =>
  showPage(<StatsPage />, {
    viewer,
    address: '/top-5/stats',
    answers: {
      StatsSprints: () => ({ getSprints: [sprint] }),
      ...Object.fromEntries(
        Object.entries(parts).map(([name, part]) => [
          name,
          () => (name === failing ? refuse('TOO_SLOW', 'That took too long') : { sprintStats: part }),
        ]),
      ),
      ...more,
    },
  });

const shown = {
  SprintTotals: () => screen.findByText('59 people'),
  StatsEmployees: () => screen.findByRole('button', { name: /Lena Hoffmann/ }),
  ScopeTrends: () => screen.findByRole('heading', { name: /% Completed by scope/ }),
  FairClock: () => screen.findByText('Ada Berg'),
};

test.each([
  ['SprintTotals', 'Couldn’t load the totals.'],
  ['StatsEmployees', 'Couldn’t load the employees.'],
  ['ScopeTrends', 'Couldn’t load the trends of the scopes.'],
  ['FairClock', 'Couldn’t load the time with approvers.'],
] as const)('a part that fails says so and leaves the others: %s', async (failing, sentence) => {
  await open(undefined, failing);
  const error = await screen.findByRole('alert');
  expect(within(error).getByText(sentence)).toBeTruthy();
  expect(within(error).getByRole('button', { name: 'Try again' })).toBeTruthy();
  const totalsAreInTable = failing === 'StatsEmployees';
  for (const [part, find] of Object.entries(shown))
    if (part !== failing && !(totalsAreInTable && part === 'SprintTotals')) await find();
  expect(screen.getAllByRole('alert')).toHaveLength(1);
});

test('without a scope, the chart has a line for each person', async () => {
  await open(viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5_STATS'));
  await screen.findByRole('heading', { name: /% Completed by person/ });
  await screen.findByRole('img', { name: /13 weeks, oldest first: 40, 75/ });
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the server sorts, searches and pages the table, and the totals stay those of the scope', async () => {
  const asked: object[] = [];
  const user = await open(greenViewer, '', {
    StatsEmployees: ({ sprintId: _, scope: __, ...choice }: Record<string, unknown>) => {
      asked.push(choice);
      if (choice.search) return pageOf([named('7', 'Zoe Last')], 1);
      return choice.after === '50'
        ? pageOf([named('51', 'Page Two')], 60)
        : pageOf([named('50', 'Page One')], 60, '50');
    },
  });
  const first = { sort: 'employee', desc: false };
  await user.click(await screen.findByRole('button', { name: 'Show 50 more' }));
  await screen.findByText('Page Two');
  expect(screen.getByText('Page One')).toBeTruthy();
  expect(asked).toEqual([first, { ...first, after: '50' }]);
  await user.click(screen.getByRole('button', { name: /^Rework$/ }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ ...first, sort: 'rework', desc: true }));
  await user.type(screen.getByRole('searchbox', { name: 'Find a person or team' }), 'zoe');
  await screen.findByText('Zoe Last');
  expect(asked.at(-1)).toEqual({ ...first, search: 'zoe', sort: 'rework', desc: true });
  expect(screen.getByText('1 of 60')).toBeTruthy();
  expect(screen.getByText('59 people')).toBeTruthy();
});

test('the file is what the server sends for the search and order of the table', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`);
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {});
  const asked: object[] = [];
  const user = await open(greenViewer, '', {
    StatsCsv: (choice: object) => {
      asked.push(choice);
      return { sprintStats: { employeesCsv: 'Employee\r\nLena\r\n' } };
    },
  });
  await shown.StatsEmployees();
  await user.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(await saved[0]?.text()).toBe('Employee\r\nLena\r\n');
  expect(asked).toEqual([{ sprintId: '47', sort: 'employee', desc: false }]);
});
