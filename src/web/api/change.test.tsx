import { useQuery } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { undoLatest } from '#web/ui/toasts.tsx';
import { message, refuse, showPage } from '../../../test/show-page.tsx';
import { useChange } from './change.ts';
import { graphql } from './graphql.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';

const countDocument = graphql('query UnreadNotices { unreadNotices }');
const readDocument = graphql('mutation MarkAllNotices($upTo: ID!) { markAllNotices(upTo: $upTo) }');
const queryKey = ['notices', 'count'];
const all = 9;

function Unread() {
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await request(countDocument, {}, { signal })).unreadNotices,
  });
  const read = useChange({
    send: (upTo: string) => request(readDocument, { upTo }),
    touches: [['notices']],
    guess: (upTo) => {
      queryClient.setQueryData(queryKey, all - Number(upTo));
      return () => queryClient.setQueryData(queryKey, data);
    },
    done: (_answer, upTo) => ({
      message: `Read up to ${upTo}`,
      ...(upTo !== '6' && { undo: () => request(readDocument, { upTo: '0' }) }),
      undone: 'Unread again',
    }),
  });
  return (
    <>
      <p>{data ?? 'some'} unread</p>
      {['6', '7', '8'].map((upTo) => (
        <button key={upTo} type="button" onClick={() => read.mutate(upTo)}>
          Read {upTo}
        </button>
      ))}
    </>
  );
}

/** An answer that the test gives when it wants to. */
function later() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, answer: resolve };
}

test('a refused change puts back what was there, and says why', async () => {
  const { wait, answer } = later();
  const user = await showPage(<Unread />, {
    answers: {
      UnreadNotices: () => ({ unreadNotices: 3 }),
      MarkAllNotices: async () => {
        await wait;
        refuse('FORBIDDEN', 'You can’t change this');
      },
    },
  });
  await screen.findByText('3 unread');
  await user.click(screen.getByRole('button', { name: 'Read 7' }));
  await screen.findByText('2 unread');
  answer();
  await message('You can’t change this');
  await screen.findByText('3 unread');
});

test('a change shows before the answer, and Undo takes it back and reads again', async () => {
  const calls: string[] = [];
  let unread = 3;
  const { wait, answer } = later();
  const user = await showPage(<Unread />, {
    answers: {
      UnreadNotices: () => ({ unreadNotices: unread }),
      MarkAllNotices: async ({ upTo }: { upTo: string }) => {
        calls.push(upTo);
        if (upTo === '7') await wait;
        unread = upTo === '7' ? 1 : 3;
        return { markAllNotices: unread };
      },
    },
  });
  await screen.findByText('3 unread');
  await user.click(screen.getByRole('button', { name: 'Read 7' }));
  await screen.findByText('2 unread');
  answer();
  await message('Read up to 7');
  await screen.findByText('1 unread');
  await user.click(screen.getByRole('button', { name: /Undo/ }));
  await message('Unread again');
  await screen.findByText('3 unread');
  expect(calls).toEqual(['7', '0']);
});

test('the answer to a change leaves the guess of a later one on the page', async () => {
  const [first, second] = [later(), later()];
  let reads = 0;
  let unread = 9;
  const user = await showPage(<Unread />, {
    answers: {
      UnreadNotices: () => {
        reads += 1;
        return { unreadNotices: unread };
      },
      MarkAllNotices: async ({ upTo }: { upTo: string }) => {
        await (upTo === '7' ? first : second).wait;
        unread = upTo === '7' ? 2 : 0;
        return { markAllNotices: unread };
      },
    },
  });
  await screen.findByText('9 unread');
  await user.click(screen.getByRole('button', { name: 'Read 7' }));
  await user.click(screen.getByRole('button', { name: 'Read 8' }));
  await screen.findByText('1 unread');
  first.answer();
  await message('Read up to 7');
  expect([reads, screen.queryByText('1 unread')]).toEqual([1, expect.anything()]);
  second.answer();
  await screen.findByText('0 unread');
  expect(reads).toBe(2);
});

test('Undo pressed before the answer undoes that change, and nothing after a refusal', async () => {
  const calls: string[] = [];
  const [first, second] = [later(), later()];
  const user = await showPage(<Unread />, {
    answers: {
      UnreadNotices: () => ({ unreadNotices: 9 }),
      MarkAllNotices: async ({ upTo }: { upTo: string }) => {
        calls.push(upTo);
        if (upTo === '8') await first.wait;
        if (upTo === '7') {
          await second.wait;
          refuse('FORBIDDEN', 'You can’t change this');
        }
        return { markAllNotices: 0 };
      },
    },
  });
  await screen.findByText('9 unread');
  await user.click(screen.getByRole('button', { name: 'Read 8' }));
  act(undoLatest);
  expect(calls).toEqual(['8']);
  first.answer();
  await message('Unread again');
  await user.click(screen.getByRole('button', { name: 'Read 8' }));
  await message('Read up to 8');
  await user.click(screen.getByRole('button', { name: 'Read 7' }));
  act(undoLatest);
  second.answer();
  await message('You can’t change this');
  expect(calls).toEqual(['8', '0', '8', '7']);
});

test('a change that didn’t reach the server is tried again from its message, and so is its Undo', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const calls: string[] = [];
  let isCut = true;
  const user = await showPage(<Unread />, {
    answers: {
      UnreadNotices: () => ({ unreadNotices: 9 }),
      MarkAllNotices: ({ upTo }: { upTo: string }) => {
        if (isCut) throw new TypeError('Failed to fetch');
        calls.push(upTo);
        return { markAllNotices: 0 };
      },
    },
  });
  const tryAgain = async () => {
    await message('Can’t reach the server');
    isCut = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
  };
  await user.click(await screen.findByRole('button', { name: 'Read 8' }));
  await tryAgain();
  await message('Read up to 8');
  isCut = true;
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await tryAgain();
  await message('Unread again');
  expect(calls).toEqual(['8', '0']);
});

test('U waits for a change that is tried again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const calls: string[] = [];
  const { wait, answer } = later();
  let isCut = true;
  const user = await showPage(<Unread />, {
    answers: {
      UnreadNotices: () => ({ unreadNotices: 9 }),
      MarkAllNotices: async ({ upTo }: { upTo: string }) => {
        if (upTo === '8' && isCut) throw new TypeError('Failed to fetch');
        calls.push(upTo);
        if (upTo === '8') await wait;
        return { markAllNotices: 0 };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Read 7' }));
  await message('Read up to 7');
  await user.click(screen.getByRole('button', { name: 'Read 8' }));
  await message('Can’t reach the server');
  isCut = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await expect.poll(() => calls).toEqual(['7', '8']);
  act(undoLatest);
  answer();
  await message('Unread again');
  expect(calls).toEqual(['7', '8', '0']);
});

test('a refusal offers no second attempt', async () => {
  const user = await showPage(<Unread />, {
    answers: {
      UnreadNotices: () => ({ unreadNotices: 9 }),
      MarkAllNotices: () => refuse('FORBIDDEN', 'You can’t change this'),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Read 8' }));
  await message('You can’t change this');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('after a change without Undo, U undoes no earlier one and says so', async () => {
  const calls: string[] = [];
  const user = await showPage(<Unread />, {
    answers: {
      UnreadNotices: () => ({ unreadNotices: 9 }),
      MarkAllNotices: ({ upTo }: { upTo: string }) => {
        calls.push(upTo);
        return { markAllNotices: 0 };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Read 8' }));
  await message('Read up to 8');
  await user.click(screen.getByRole('button', { name: 'Read 6' }));
  await message('Read up to 6');
  act(undoLatest);
  await message('You can’t undo your last change');
  expect(calls).toEqual(['8', '6']);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await message('Unread again');
  expect(calls).toEqual(['8', '6', '0']);
});
