import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useList } from '#web/api/list-query.ts';
import { message, showPage } from '../../../test/show-page.tsx';
import { noticesQuery, useMarkNotices } from './notice-queries.ts';

const notice = { at: '2026-11-18T12:00:00Z', sentence: 'x', detail: null, path: '/account' };
const words = 'You can mark changes to your sign-in as read once you’ve signed in again';

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
