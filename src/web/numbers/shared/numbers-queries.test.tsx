import { render } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { useRefreshWhile } from './numbers-queries.ts';

function Page({ isImporting }: { readonly isImporting: boolean }) {
  useRefreshWhile(isImporting);
  return null;
}

test('a page reads its numbers again while an import runs, and once at its end', () => {
  const refresh = vi.spyOn(queryClient, 'invalidateQueries');
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const { rerender } = render(<Page isImporting={false} />);
  vi.advanceTimersByTime(300_000);
  expect(refresh).not.toHaveBeenCalled();
  rerender(<Page isImporting />);
  vi.advanceTimersByTime(60_000);
  expect(refresh).toHaveBeenCalledTimes(3);
  rerender(<Page isImporting={false} />);
  expect(refresh).toHaveBeenCalledTimes(4);
  vi.advanceTimersByTime(300_000);
  expect(refresh).toHaveBeenCalledTimes(4);
});
