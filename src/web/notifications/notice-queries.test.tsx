import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { markFirstPageShown } from '#web/api/first-frame.ts';
import { useList } from '#web/api/list-query.ts';
import { queryClient } from '#web/api/query-client.ts';
import { message, showPage, viewerWith } from '../../../test/show-page.tsx';
import { NoticeBell } from './notice-bell.tsx';
import { noticesQuery, useMarkNotices } from './notice-queries.ts';

const notice = { at: '2026-11-18T12:00:00Z', sentence: 'x', detail: null, path: '/account' };
const words = 'To mark changes to your account or access as read, sign in again first';

function Notices() {
  const { items } = useList(noticesQuery);
  const { mark, markAll } = useMarkNotices();
  return (
    <>
      {items.map(({ id, read }) => (
        <button key={id} type="button" onClick={() => mark({ ids: [id], read: !read })}>
          {`Mark ${id}, ${read ? 'read' : 'unread'}`}
        </button>
      ))}
      <button type="button" onClick={() => markAll('2')}>
        All
      </button>
    </>
  );
}

test('a change to one’s sign-in that stays unread says why; another notification says nothing', async () => {
  const read = new Set<string>();
  const isRead = (id: string) => ({ id, read: read.has(id) });
  const user = await showPage(<Notices />, {
    answers: {
      Notices: () => ({
        notices: [
          { ...notice, kind: 'accountChanged', ...isRead('2') },
          { ...notice, kind: 'decided', ...isRead('1') },
        ],
      }),
      MarkNotices: ({ ids }: { ids: string[] }) => {
        if (ids.includes('1')) read.add('1');
        return { markNotices: 1 };
      },
      MarkAllNotices: () => ({ markAllNotices: 1 }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Mark 1, unread' }));
  await screen.findByRole('button', { name: 'Mark 1, read' });
  await user.click(screen.getByRole('button', { name: 'Mark 2, unread' }));
  await message(words);
  expect(screen.getAllByText(words)).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'All' }));
  await expect.poll(() => screen.getAllByText(words).length).toBe(2);
});

test('opening a task marks its notifications as read, and no others', async () => {
  const marked: string[] = [];
  const of = (id: string, task: string) => ({
    ...{ ...notice, id, kind: 'decided', path: `/top-5/tasks?task=${task}`, read: marked.includes(id) },
  });
  markFirstPageShown();
  await showPage(<NoticeBell />, {
    viewer: { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'), role: 'Staff' },
    address: '/top-5/tasks?task=7&sprint=47',
    answers: {
      UnreadNotices: () => ({ unreadNotices: 3 - marked.length }),
      Notices: () => ({ notices: [of('3', '7'), of('2', '8'), of('1', '7')] }),
      MarkNotices: ({ ids }: { ids: string[] }) => {
        marked.push(...ids);
        return { markNotices: 1 };
      },
    },
  });
  await screen.findByRole('button', { name: 'Notifications, 1 unread' });
  expect(marked).toEqual(['3', '1']);
});

test('a notification about a task that is open already stays unread', async () => {
  let unreadNotices = 0;
  const marked: string[] = [];
  markFirstPageShown();
  await showPage(<NoticeBell />, {
    viewer: { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'), role: 'Staff' },
    address: '/top-5/tasks?task=7',
    answers: {
      UnreadNotices: () => ({ unreadNotices }),
      Notices: () => ({ notices: [{ ...notice, id: '3', kind: 'decided', path: '/top-5/tasks?task=7', read: false }] }),
      MarkNotices: ({ ids }: { ids: string[] }) => {
        marked.push(...ids);
        return { markNotices: 1 };
      },
    },
  });
  await screen.findByRole('button', { name: 'Notifications' });
  await expect.poll(() => queryClient.getQueryData(['notices', 'count'])).toEqual({ unreadNotices: 0 });
  // Until it is drawn.
  await new Promise((wake) => setTimeout(wake, 50));
  unreadNotices = 1;
  await queryClient.invalidateQueries({ queryKey: ['notices'] });
  await screen.findByRole('button', { name: 'Notifications, 1 unread' });
  await new Promise((wake) => setTimeout(wake, 300));
  expect(marked).toEqual([]);
});

test('opening the bell records what it shows, once, and leaves it unread', async () => {
  const seen: string[][] = [];
  const of = (id: string, read: boolean) => ({ ...notice, id, kind: 'meeting', read });
  let notices = [of('3', false), of('2', true)];
  markFirstPageShown();
  const user = await showPage(<NoticeBell />, {
    viewer: { ...viewerWith('VIEW_DASHBOARD'), role: 'Staff' },
    answers: {
      UnreadNotices: () => ({ unreadNotices: 1 }),
      Notices: () => ({ notices }),
      SeeNotices: ({ ids }: { ids: string[] }) => {
        seen.push(ids);
        return { seeNotices: true };
      },
    },
  });
  const bell = await screen.findByRole('button', { name: 'Notifications, 1 unread' });
  expect(seen).toEqual([]);
  await user.click(bell);
  await expect.poll(() => seen).toEqual([['3']]);
  notices = [of('4', false), ...notices];
  await queryClient.invalidateQueries({ queryKey: ['notices'] });
  await expect.poll(() => seen).toEqual([['3'], ['4']]);
});
