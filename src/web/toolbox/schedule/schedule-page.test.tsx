import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { message, showPage, viewerWith } from '../../../../test/show-page.tsx';
import SchedulePage from './schedule-page.tsx';

type Exception = { readonly day: string; readonly toDay: string | null; readonly toTime: string | null };

/** The page in a week of 2099, whose Thursday is 3 Dec, with one meeting that the server knows. */
async function openWeek(fields: object, viewerId = '1', other: object | null = null, search = '?week=2099-11-30') {
  const meeting = {
    ...{ id: '7', title: 'Board review', team: null, place: '', link: '', agenda: '', version: 1 },
    ...{ weekday: 4, onceOn: null, firstDay: '2020-01-02', time: '10:00', minutes: 60 },
    ...{ chair: { id: '1', displayName: 'Vera Fox' }, attendees: [{ id: '2', displayName: 'Abe Lee' }] },
    attendeeCount: 1,
    ...{ wholeTeam: false, guests: [] },
    exceptions: [] as Exception[],
    ...fields,
  };
  const user = await showPage(<SchedulePage />, {
    viewer: {
      ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5_MEETING_SCHEDULE'),
      id: viewerId,
      role: viewerId === '1' ? 'admin' : 'Staff',
    },
    address: `/top-5/tools/schedule${search}`,
    answers: {
      Schedule: () => ({ schedule: [{ ...meeting }, ...(other ? [{ ...meeting, ...other }] : [])] }),
      Holidays: () => ({ holidays: [] }),
      ChangeMeetingOfDay: ({ version, day, restore, toDay = null, toTime = null }: DaySent) => {
        expect(version).toBe(meeting.version);
        const others = meeting.exceptions.filter((exception) => exception.day !== day);
        meeting.exceptions = restore ? others : [...others, { day, toDay, toTime }];
        meeting.version += 1;
        return { changeMeetingOfDay: { id: '7', version: meeting.version } };
      },
    },
  });
  return { user, meeting };
}
type DaySent = Pick<Exception, 'day'> & Partial<Exception> & { version: number; restore?: boolean };

/** In the week, below the same meeting in "Next up". */
const title = async () => (await screen.findAllByRole('link', { name: 'Board review' })).at(-1)!;
const card = async () => (await title()).closest('li')!;

test('a one-time meeting that was canceled stays in its week, and opens to restore it', async () => {
  const { user, meeting } = await openWeek({
    ...{ onceOn: '2099-12-03', firstDay: '2099-12-03' },
    exceptions: [{ day: '2099-12-03', toDay: null, toTime: null }],
  });
  within(await card()).getByText(/^Canceled/);
  screen.getByText('0 meetings');
  screen.getByText('Your meetings are over or canceled.');
  await user.click(await title());
  await screen.findByText(/, canceled$/);
  expect(screen.queryByRole('button', { name: /^Cancel meeting on/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: /^Restore/ }));
  await message('“Board review” on 3 Dec was restored');
  expect(meeting.exceptions).toEqual([]);
});

test('a canceled day is crossed out for people who attend', async () => {
  await openWeek({ exceptions: [{ day: '2099-12-03', toDay: null, toTime: null }] }, '2');
  within(await card()).getByText(/^Canceled/);
});

test('Undo after a cancel gives the day what it had before', async () => {
  const moved = { day: '2099-12-03', toDay: '2099-12-04', toTime: '11:00' };
  const { user, meeting } = await openWeek({ exceptions: [moved] });
  await user.click(await title());
  await user.click(await screen.findByRole('button', { name: 'Cancel meeting on 4 Dec' }));
  await message('“Board review” on 4 Dec was canceled');
  expect(meeting.exceptions).toEqual([{ ...moved, toDay: null, toTime: null }]);
  await user.click(screen.getByRole('button', { name: /^Undo/ }));
  await message('“Board review” on 4 Dec was restored');
  expect(meeting.exceptions).toEqual([moved]);
});

test('a date that is over offers neither to cancel nor to move it', async () => {
  const { user } = await openWeek({}, '1', null, '?meeting=7&day=2020-01-09');
  await screen.findByText(/^Thu 9 Jan/);
  await screen.findByRole('button', { name: 'Edit meeting' });
  expect(screen.queryByRole('button', { name: /^Cancel meeting on/ })).toBeNull();
  await user.keyboard('{Escape}');
});

test('a link to a date of another week shows that week, also once its panel is closed', async () => {
  const { user } = await openWeek({}, '1', null, '?meeting=7&day=2099-12-03');
  const week = () => screen.findByText('30 Nov to 6 Dec');
  await week();
  await screen.findByRole('button', { name: 'Cancel meeting on 3 Dec' });
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('button', { name: 'Cancel meeting on 3 Dec' })).toBeNull();
  await week();
});

test('a date that would move over another meeting of its people says so before it is moved', async () => {
  const { user } = await openWeek({}, '1', { id: '8', title: 'Green review', weekday: 5, time: '14:00' });
  await user.click(await title());
  await user.click(await screen.findByRole('button', { name: 'Move to another date' }));
  fireEvent.change(screen.getByLabelText('New date'), { target: { value: '2099-12-04' } });
  expect(screen.queryByText(/^Overlaps with/)).toBeNull();
  fireEvent.change(screen.getByLabelText('Time'), { target: { value: '14:15' } });
  await screen.findByText('Overlaps with: Green review (2 people)');
});

test('the focus goes to the new day of a date to move, and back once it is kept or moved', async () => {
  const { user } = await openWeek({});
  await user.click(await title());
  const opener = () => screen.findByRole('button', { name: 'Move to another date' });
  (await opener()).focus();
  await user.keyboard('{Enter}');
  await expect.poll(() => document.activeElement).toBe(await screen.findByLabelText('New date'));
  screen.getByRole('button', { name: 'Keep this date' }).focus();
  await user.keyboard('{Enter}');
  await expect.poll(async () => document.activeElement === (await opener())).toBe(true);
  await user.keyboard('{Enter}');
  fireEvent.change(await screen.findByLabelText('New date'), { target: { value: '2099-12-04' } });
  screen.getByRole('button', { name: 'Move meeting' }).focus();
  await user.keyboard('{Enter}');
  await message('“Board review” on 3 Dec was moved to 4 Dec');
  await expect.poll(async () => document.activeElement === (await opener())).toBe(true);
});

test('the panel lists canceled and moved days from today on, with their years', async () => {
  const { user } = await openWeek({
    exceptions: [
      { day: '2020-01-09', toDay: null, toTime: null },
      { day: '2099-12-10', toDay: null, toTime: null },
      { day: '2100-12-09', toDay: '2100-12-10', toTime: '09:00' },
    ],
  });
  await user.click(await title());
  const dates = await screen.findByRole('region', { name: 'One-time changes' });
  const lines = within(dates)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(lines).toEqual([
    '10 Dec 2099: canceledRestore the meeting on 10 Dec 2099',
    '9 Dec 2100: moved to 10 Dec 2100 09:00Restore the meeting on 9 Dec 2100',
  ]);
});

test('people without a meeting read who can add them', async () => {
  await openWeek({ chair: { id: '3', displayName: 'Rea Ode' } }, '4');
  await screen.findByText('You’re not in any meeting below. Ask an admin or the chair to add you.');
});

test('a chair of a meeting without a team reads that only admins can add people', async () => {
  const { user } = await openWeek({ chair: { id: '3', displayName: 'Rea Ode' } }, '3');
  await user.click(await title());
  await user.click(await screen.findByRole('button', { name: 'Edit meeting' }));
  await user.type(await screen.findByRole('combobox', { name: 'Attendees' }), 'Lee');
  expect(await screen.findAllByText('Only admins can add people')).toHaveLength(2);
});

test('the link of My account opens the calendar feeds, and closing them stays on the schedule', async () => {
  const user = await showPage(<SchedulePage />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5_MEETING_SCHEDULE'),
    address: '/top-5/tools/schedule?feeds=1',
    answers: {
      Schedule: () => ({ schedule: [] }),
      Holidays: () => ({ holidays: [] }),
      CalendarFeeds: () => ({ calendarFeeds: [] }),
    },
  });
  await screen.findByRole('dialog', { name: 'Calendar feeds' });
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});
