import { screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { NextMeeting } from './next-meeting.tsx';

test.each([
  ['Europe/Amsterdam', 'Mon 23 Nov 10:30, Room 4'],
  ['Europe/London', 'Mon 23 Nov 10:30 (09:30 your time), Room 4'],
])('the next meeting is in company time, and in %s also in one’s own if that differs', async (zone, words) => {
  const options = { ...new Intl.DateTimeFormat().resolvedOptions(), timeZone: zone };
  const own = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options);
  onTestFinished(() => own.mockRestore());
  const meeting = { title: 'Sales weekly', place: 'Room 4', link: null };
  await showPage(<NextMeeting />, {
    answers: { NextMeeting: () => ({ nextMeeting: { start: '2026-11-23T09:30:00Z', meeting } }) },
  });
  const title = await screen.findByText('Sales weekly');
  expect(title.nextElementSibling?.textContent).toBe(words);
});
