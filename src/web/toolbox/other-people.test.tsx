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
  TimedTasks: () => ({ getTasks: [] }),
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
