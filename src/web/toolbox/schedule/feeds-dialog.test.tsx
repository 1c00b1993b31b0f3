import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { leaveDialogs } from '#web/ui/dialog-stack.ts';
import { message, showPage } from '../../../../test/show-page.tsx';
import { FeedsDialog } from './feeds-dialog.tsx';

test('a new link is no longer offered once it is revoked', async () => {
  const feed = { id: '1', team: null, createdAt: '2026-11-23T09:00:00Z', lastUsedAt: null };
  let feeds: object[] = [];
  const user = await showPage(<FeedsDialog onClose={() => {}} />, {
    answers: {
      CalendarFeeds: () => ({ calendarFeeds: feeds }),
      CreateCalendarFeed: () => {
        feeds = [feed];
        return { createCalendarFeed: { path: '/calendar/secret' } };
      },
      RevokeCalendarFeed: () => {
        feeds = [];
        return { revokeCalendarFeed: { id: '1' } };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Create feed' }));
  await screen.findByRole('link', { name: 'Open in your calendar app' });
  await user.click(await screen.findByRole('button', { name: /^Revoke feed/ }));
  await message('Feed “My meetings” revoked');
  expect(screen.queryByRole('link', { name: 'Open in your calendar app' })).toBeNull();
});

test('the dialog stays open while a link is created, which it shows only once', async () => {
  const onClose = vi.fn();
  const created = Promise.withResolvers<void>();
  const user = await showPage(<FeedsDialog onClose={onClose} />, {
    answers: {
      CalendarFeeds: () => ({ calendarFeeds: [] }),
      CreateCalendarFeed: async () => {
        await created.promise;
        return { createCalendarFeed: { path: '/calendar/secret' } };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Create feed' }));
  await user.keyboard('{Escape}');
  act(() => leaveDialogs(() => {}));
  expect(onClose).not.toHaveBeenCalled();
  created.resolve();
  await screen.findByRole('link', { name: 'Open in your calendar app' });
});
