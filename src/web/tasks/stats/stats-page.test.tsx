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
const { phase, startDate, endDate, settledAt } = sprint;
const parts = {
  BurnUp: {
    sprint: { phase, startDate, endDate, settledAt },
    burnUp: [{ at: '2026-11-16T09:00:00Z', approved: 4, completed: 1 }],
  },
  SprintTotals: { totals: { people: 59, counts, ...rates } },
  StatsEmployees: { weeks, employeePage: { rows: [lena], total: 1, everyone: 1, next: null } },
  ScopeTrends: { weeks, scopeTrends: [{ scope: 'green', percentages: [50, 75] }] },
  TimeWithApprover: {
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
  BurnUp: () => screen.findByRole('heading', { name: 'Burn-up 1 of 4 approved tasks completed' }),
  ScopeTrends: () => screen.findByRole('heading', { name: /% Completed by scope/ }),
  TimeWithApprover: () => screen.findByText('Ada Berg'),
};

test.each([
  ['SprintTotals', 'Couldn’t load the totals.'],
  ['StatsEmployees', 'Couldn’t load the employees.'],
  ['BurnUp', 'Couldn’t load the burn-up.'],
  ['ScopeTrends', 'Couldn’t load the trends of the scopes.'],
  ['TimeWithApprover', 'Couldn’t load the time with approvers.'],
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
  expect(screen.getByText('59 people, not counting 1 invisible')).toBeTruthy();
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

/** The counts at the start and at the end of each day after it, in Amsterdam. */
const burnUpOf = (phase: string, counts: readonly (readonly [approved: number, completed: number])[]) => {
  const ends = ['16T09', ...['16', '17', '18', '19', '20', '21', '22'].map((day) => `${day}T23`), '23T09', '25T09'];
  const burnUp = counts.map(([approved, completed], index) => ({
    at: `2026-11-${ends[index]}:00:00Z`,
    approved,
    completed,
  }));
  const span = { startDate: sprint.startDate, endDate: sprint.endDate, settledAt: sprint.settledAt };
  return { BurnUp: () => ({ sprintStats: { sprint: { phase, ...span }, burnUp } }) };
};

const burnUpRows = async (user: Awaited<ReturnType<typeof open>>) => {
  await user.click(await screen.findByRole('button', { name: 'View Burn-up as table' }));
  const table = await screen.findByRole('table', { name: 'Burn-up' });
  return within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent).join(' | '));
};

test('the burn-up of a running sprint says what was added after its first day, and has room for the days to come', async () => {
  const user = await open(
    greenViewer,
    '',
    burnUpOf('active', [
      [4, 0],
      [15, 2],
      [16, 5],
      [18, 12],
    ]),
  );
  await screen.findByRole('heading', { name: 'Burn-up 12 of 18 approved tasks completed, 3 added since Tuesday' });
  expect(await burnUpRows(user)).toEqual([
    'Day | Completed | Approved',
    'Start, Mon 16 Nov 10:00 | 0 | 4',
    'Mon 16 Nov | 2 | 15',
    'Tue 17 Nov | 5 | 16',
    'Wed 18 Nov, so far | 12 | 18',
    ...['Thu 19 Nov', 'Fri 20 Nov', 'Sat 21 Nov', 'Sun 22 Nov', 'End, Mon 23 Nov 10:00'].map((day) => `${day} | – | –`),
  ]);
});

test('the burn-up of a recorded sprint ends with its result', async () => {
  const week = Array.from({ length: 9 }, () => [2, 1] as const);
  const user = await open(greenViewer, '', burnUpOf('settled', [...week, [1, 1]]));
  await screen.findByRole('heading', { name: 'Burn-up 1 of 1 approved task completed, 1 removed since Tuesday' });
  expect((await burnUpRows(user)).slice(-3)).toEqual([
    'Sun 22 Nov | 1 | 2',
    'End, Mon 23 Nov 10:00 | 1 | 2',
    'Recorded, Wed 25 Nov 10:00 | 1 | 1',
  ]);
});

test.each([
  ['future', 'Not started yet'],
  ['active', 'No approved tasks yet'],
  ['settling', 'No approved tasks'],
])('the burn-up of a sprint without approved tasks that is %s says %s', async (phase, words) => {
  await open(greenViewer, '', burnUpOf(phase, phase === 'future' ? [] : [[0, 0]]));
  await screen.findByText(words);
  expect(screen.queryByRole('group', { name: /^Burn-up/ })).toBeNull();
});
