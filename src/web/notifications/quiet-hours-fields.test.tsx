import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { defaultQuietHours, type QuietHours } from '#core/notifications/quiet-hours.ts';
import { message, refuse, showPage } from '../../../test/show-page.tsx';
import { NoticeChoices } from './notice-choices.tsx';

function Settings() {
  const [shown, setShown] = useState(true);
  return shown && <NoticeChoices onClose={() => setShown(false)} />;
}

/** The settings of someone with these quiet hours, and what is sent. */
async function showSettings(saved: QuietHours, answer = (hours: QuietHours): unknown => ({ chooseQuietHours: hours })) {
  const sent: QuietHours[] = [];
  let now = saved;
  const user = await showPage(<Settings />, {
    answers: {
      NoticeChoices: () => ({ sendsMails: true, noticeChoices: [], quietHours: now }),
      ChooseQuietHours: (hours: QuietHours) => {
        sent.push(hours);
        const said = answer(hours);
        now = hours;
        return said;
      },
    },
  });
  await screen.findByRole('switch', { name: 'Quiet hours' });
  return { user, sent };
}

const night = { ...defaultQuietHours, on: true };
const time = (label: 'From' | 'To') => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: 'From' | 'To', value: string) => fireEvent.change(time(label), { target: { value } });

test('a refused choice is shown as before, with the reason', async () => {
  const { user } = await showSettings(defaultQuietHours, () => refuse('TOO_MANY_ATTEMPTS', 'Try again later'));
  await user.click(screen.getByRole('switch'));
  await message(/Try again later/);
  await expect.poll(() => screen.getByRole<HTMLInputElement>('switch').checked).toBe(false);
});

test('quiet hours are off at first, and say what never waits once they are on', async () => {
  const { user, sent } = await showSettings(defaultQuietHours);
  expect(screen.queryByLabelText('From')).toBeNull();
  await user.click(screen.getByRole('switch'));
  await user.click(await screen.findByLabelText('All day on weekends and company holidays'));
  await expect.poll(() => sent).toEqual([night, { ...night, daysOff: true }]);
  expect(screen.getByText(/Company time \(Europe\/Amsterdam\)\. Emails about your account.*never wait/)).toBeDefined();
});

test('a time is saved when its field is left, and not while it is typed', async () => {
  const { user, sent } = await showSettings(night);
  await user.click(time('From'));
  type('From', '01:00');
  type('From', '18:30');
  expect(sent).toEqual([]);
  await user.tab();
  await expect.poll(() => sent).toEqual([{ ...night, from: '18:30' }]);
  type('To', '');
  fireEvent.blur(time('To'));
  expect(time('To').value).toBe('08:00');
});

test('the same two times are an error, until either field changes', async () => {
  const { sent } = await showSettings(night);
  type('From', '08:00');
  fireEvent.blur(time('From'));
  expect(await screen.findByText('From and To can’t be the same')).toBeDefined();
  type('To', '09:00');
  fireEvent.blur(time('To'));
  await expect.poll(() => sent).toEqual([{ ...night, from: '08:00', to: '09:00' }]);
  expect(screen.queryByText('From and To can’t be the same')).toBeNull();
});

test('Enter saves a time, and so does closing the dialog', async () => {
  const { user, sent } = await showSettings(night);
  type('From', '18:00');
  await user.type(time('From'), '{Enter}');
  await expect.poll(() => sent).toEqual([{ ...night, from: '18:00' }]);
  type('To', '07:00');
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('switch')).toBeNull();
  await expect.poll(() => sent.at(-1)).toEqual({ ...night, from: '18:00', to: '07:00' });
});
