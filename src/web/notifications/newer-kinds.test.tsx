// A page that stays open while a newer version of the server starts.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { defaultQuietHours } from '#core/notifications/quiet-hours.ts';
import { showPage } from '../../../test/show-page.tsx';
import { NoticeChoices } from './notice-choices.tsx';
import { NoticeRow } from './notice-list.tsx';

const choice = { inApp: true, mail: true };

test('the settings leave out a kind that this page doesn’t know', async () => {
  await showPage(<NoticeChoices onClose={() => {}} />, {
    answers: {
      NoticeChoices: () => ({
        sendsMails: true,
        quietHours: defaultQuietHours,
        noticeChoices: [
          { kind: 'praised', ...choice },
          { kind: 'decided', ...choice },
        ],
      }),
    },
  });
  expect(await screen.findByText('Decision on my task')).toBeDefined();
  expect(screen.getAllByRole('row')).toHaveLength(2);
});

test('the inbox shows a notification of a kind that this page doesn’t know', async () => {
  const notice = {
    ...({ id: '1', kind: 'praised' as never, at: '2026-11-18T12:00:00Z', read: false } as const),
    ...{ sentence: 'Ada North praised you', detail: null, path: '/dashboard' },
  };
  await showPage(<NoticeRow notice={notice} onOpen={() => {}} onMark={() => {}} />, {});
  expect(await screen.findByRole('link', { name: /Ada North praised you/ })).toBeDefined();
});
