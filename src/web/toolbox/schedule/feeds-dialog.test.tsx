import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { leaveDialogs } from '#web/ui/dialog-stack.ts';
import { message, refuse, showPage } from '../../../../test/show-page.tsx';
import { FeedsDialog } from './feeds-dialog.tsx';

const feed = { id: '1', team: null, createdAt: '2026-11-23T09:00:00Z', lastUsedAt: null };

/** Creates a feed, then revokes it. `isAnswered`: the revocation's answer arrives. */
async function revokeNewFeed(isAnswered: boolean) {
  let feeds: object[] = [];
  const user = await showPage(<FeedsDialog onClose={() => {}} />, {
    answers: {
      CalendarFeeds: () => ({ calendarFeeds: feeds }),
      CreateCalendarFeed: () => {
        feeds = [feed];
        return { createCalendarFeed: { path: '/calendar/secret', feed } };
      },
      RevokeCalendarFeed: () => {
        feeds = [];
        return isAnswered ? { revokeCalendarFeed: { id: '1' } } : refuse('UNAVAILABLE', 'No answer');
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Create feed' }));
  await screen.findByRole('link', { name: 'Open in your calendar app' });
  await user.click(await screen.findByRole('button', { name: /^Revoke feed/ }));
}
const isOffered = () => screen.queryByRole('link', { name: 'Open in your calendar app' }) !== null;

test('a new link is no longer offered once it is revoked', async () => {
  await revokeNewFeed(true);
  await message('Feed “My meetings” revoked');
  expect(isOffered()).toBe(false);
});

test('a new link is no longer offered once it is revoked, even if the answer is lost', async () => {
  await revokeNewFeed(false);
  await message('No answer');
  await expect.poll(isOffered).toBe(false);
});

test('a list of feeds that was on its way when a link was created doesn’t hide the link', async () => {
  const first = Promise.withResolvers<void>();
  let isFirst = true;
  const user = await showPage(<FeedsDialog onClose={() => {}} />, {
    answers: {
      CalendarFeeds: async () => {
        if (!isFirst) return { calendarFeeds: [feed] };
        isFirst = false;
        await first.promise;
        return { calendarFeeds: [] };
      },
      CreateCalendarFeed: () => ({ createCalendarFeed: { path: '/calendar/secret', feed } }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Create feed' }));
  await screen.findByRole('link', { name: 'Open in your calendar app' });
  first.resolve();
  await screen.findByText(/Not fetched yet/);
  expect(isOffered()).toBe(true);
});

test('the dialog stays open while a link is created, which it shows only once', async () => {
  const onClose = vi.fn();
  let feeds: object[] = [];
  const created = Promise.withResolvers<void>();
  const user = await showPage(<FeedsDialog onClose={onClose} />, {
    answers: {
      CalendarFeeds: () => ({ calendarFeeds: feeds }),
      CreateCalendarFeed: async () => {
        await created.promise;
        feeds = [feed];
        return { createCalendarFeed: { path: '/calendar/secret', feed } };
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

test('once a new link is shown, Esc asks, also while the list is still being read again', async () => {
  let reads = 0;
  const user = await showPage(<FeedsDialog onClose={() => {}} />, {
    answers: {
      CalendarFeeds: () => (++reads === 1 ? { calendarFeeds: [] } : new Promise(() => {})),
      CreateCalendarFeed: () => ({ createCalendarFeed: { path: '/calendar/secret', feed } }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Create feed' }));
  await screen.findByRole('link', { name: 'Open in your calendar app' });
  await user.keyboard('{Escape}');
  await screen.findByRole('dialog', { name: 'Close without copying?' });
});
