import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse, showPage, viewerWith } from '../../../test/show-page.tsx';
import BonusPage from './bonus/bonus-page.tsx';
import TimeTrackerPage from './time-tracker/time-tracker-page.tsx';

const viewer = {
  ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS', 'VIEW_TOP_5_BONUS_STRUCTURE'),
  role: 'Staff',
};
const lena = { id: '7', displayName: 'Lena Ode', team: null, disabled: false, email: 'lena@company.test' };
type Asked = { readonly find?: string; readonly ids?: readonly string[] };

/** What the pages read besides people. */
const nothing = {
  BonusPlans: () => ({ getSprints: [], bonusPlans: [], bonusQuestions: [] }),
  TimeWeeks: () => ({ timeWeeks: [] }),
  TimedTasks: () => ({ getTasks: [], sprints: [] }),
  TimeWeek: () => ({ timeWeek: { monday: '2026-11-23', final: false, canReopen: false, entries: [] } }),
  MyTimer: () => ({ myTimer: null }),
};
const pages = [
  ['bonus', <BonusPage key="bonus" />],
  ['time tracker', <TimeTrackerPage key="time" />],
] as const;

test.each(pages)(
  'of more people than one list holds, the %s page finds the person that is typed',
  async (_name, page) => {
    const asked: Asked[] = [];
    const People = (of: Asked) => {
      asked.push(of);
      if (of.find === undefined && of.ids === undefined) return refuse('QUERY_TOO_LARGE', 'Too many people');
      return {
        people:
          of.find?.startsWith('len') || of.ids?.includes('7') ? [lena] : [{ ...lena, id: '1', displayName: 'Ada' }],
      };
    };
    const user = await showPage(page, { viewer, answers: { ...nothing, People } });
    const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Person' });
    await user.click(field);
    await user.keyboard('len');
    await user.click(await screen.findByRole('option', { name: 'Lena Ode' }));
    await expect.poll(() => field.value).toBe('Lena Ode');
    expect(asked.map(({ find }) => find)).toContain('len');
  },
);

test.each(pages)('the %s page says that the people couldn’t be read, and reads them again', async (_name, page) => {
  let isDown = true;
  const People = () => (isDown ? refuse('INTERNAL', 'Broken') : { people: [lena] });
  const user = await showPage(page, { viewer, answers: { ...nothing, People } });
  await screen.findByText('Couldn’t load the people.');
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('combobox', { name: 'Person' });
});

test('the time tracker speaks of someone else’s hours as theirs', async () => {
  await showPage(<TimeTrackerPage />, {
    viewer,
    address: '/top-5/tools/time-tracker?person=7',
    answers: { ...nothing, People: () => ({ people: [lena] }) },
  });
  await screen.findByText('Their hours appear here.');
});

const plan = {
  ...{ id: '1', version: 1, from: { id: '40', name: '2026 W40', startDate: '2026-09-28T08:00:00Z' }, base: '120.00' },
  ...{ currency: 'USD', fairHours: 24, note: '', author: 'Ada', createdAt: '2026-09-01T08:00:00Z' },
  components: ['signedOff', 'firstPass', 'team'].map((key) => ({ key, weight: 100, from: 0, full: 100, cap: 100 })),
};
const w47 = {
  ...{
    id: '9',
    sprint: { id: '47', name: '2026 W47', startDate: '2026-11-16T09:00:00Z', endDate: '2026-11-23T09:00:00Z' },
  },
  ...{ amount: '98.55', currency: 'USD', planVersion: 1, corrections: 0, lines: [] },
};

test('another person’s bonus is shown for the same sprint, also one in which they have no statement', async () => {
  const people = [lena, { ...lena, id: '1', displayName: 'Ada North' }];
  const sprint = (id: string, phase: string) => ({ id, name: `2026 W${id}`, phase });
  const asked: unknown[] = [];
  const user = await showPage(<BonusPage />, {
    viewer,
    address: '/top-5/tools/bonus?person=7&sprint=47',
    search: (raw) => ({ ...raw, person: '7', sprint: '47', ...('person' in raw && { person: String(raw.person) }) }),
    answers: {
      ...nothing,
      People: ({ ids }: Asked) => ({ people: ids ? people.filter(({ id }) => ids.includes(id)) : people }),
      BonusPlans: () => ({
        getSprints: [sprint('47', 'settled'), sprint('48', 'active')],
        bonusPlans: [plan],
        bonusQuestions: [],
      }),
      BonusStatements: ({ userId }: { userId: string }) => ({
        bonusStatements: userId === '7' ? [w47] : [],
      }),
      BonusWeek: ({ userId, sprintId }: { userId: string; sprintId: string }) => {
        asked.push([userId, sprintId]);
        return {
          bonusWeek: { person: people.find(({ id }) => id === userId), sprint: sprint('47', 'settled'), plan: null },
        };
      },
    },
  });
  const shown = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Sprint' });
  await expect.poll(() => shown.value).toBe('2026 W47, recorded');
  await user.click(screen.getByRole('combobox', { name: 'Person' }));
  await user.click(await screen.findByRole('option', { name: 'Ada North' }));
  await expect.poll(() => asked.at(-1)).toEqual(['1', '47']);
  await expect.poll(() => screen.getByRole<HTMLInputElement>('combobox', { name: 'Sprint' }).value).toBe('2026 W47');
});
