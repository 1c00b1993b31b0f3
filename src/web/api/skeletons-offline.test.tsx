import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { send } from '#web/api/send.ts';
import { isConnectionLost } from '#web/ui/connection.ts';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { showPage } from '../../../test/show-page.tsx';

function Panel() {
  const { data } = useQuery({ queryKey: ['panel'], queryFn: async () => (await send('/panel', {})).text() });
  return (
    <Loading loading={!data} skeleton={<SkeletonRows />}>
      {data}
    </Loading>
  );
}

test('a panel without a connection says so, and fills by itself when the line is back', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let cut = true;
  await showPage(<Panel />, {
    answers: {
      '/panel': () => {
        if (cut) throw new TypeError('Failed to fetch');
        return 'Stats';
      },
    },
  });
  await screen.findByText('Not loaded: no connection');
  cut = false;
  await screen.findByText(/Stats/);
  expect(screen.queryByText('Not loaded: no connection')).toBe(null);
});

const health = new URL('/healthz', location.href).href;

/** The server that fails once, and then answers if it is there. */
async function loseConnection(): Promise<{ there: boolean; asked: number }> {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const server = { there: false, asked: 0 };
  await showPage(<p>Nothing is read here</p>, {
    answers: {
      '/save': () => {
        throw new TypeError('Failed to fetch');
      },
      [health]: () => {
        server.asked += 1;
        if (!server.there) throw new TypeError('Failed to fetch');
      },
    },
  });
  await expect(send('/save', {})).rejects.toMatchObject({ code: 'NETWORK' });
  expect(isConnectionLost()).toBe(true);
  return server;
}

test('a page that reads nothing finds the server again by itself', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = await loseConnection();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(isConnectionLost()).toBe(true);
  expect(server.asked).toBeGreaterThan(0);
  server.there = true;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(isConnectionLost()).toBe(false);
  const { asked } = server;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(server.asked).toBe(asked);
  vi.useRealTimers();
});

test('a browser that is online again asks at once', async () => {
  const server = await loseConnection();
  server.there = true;
  window.dispatchEvent(new Event('online'));
  await expect.poll(isConnectionLost).toBe(false);
  expect(server.asked).toBe(1);
});
