import { fireEvent, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listenForShortcuts, useShortcuts } from './shortcuts.ts';

const approve = vi.fn();
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  stop = listenForShortcuts();
});
afterEach(() => {
  stop();
  approve.mockClear();
  vi.useRealTimers();
});

function Page({ asks }: { readonly asks: boolean }) {
  useShortcuts([{ key: 'a', label: 'Approve', scope: 'Approvals', run: approve }]);
  return asks && <textarea aria-label="Reason" />;
}

test('the rest of a sentence whose field was taken away runs no shortcuts', () => {
  const { rerender, getByLabelText } = render(<Page asks />);
  fireEvent.keyDown(getByLabelText('Reason'), { key: 'e' });
  rerender(<Page asks={false} />);
  for (const key of ['a', ' ', 'a']) {
    vi.advanceTimersByTime(1_500);
    fireEvent.keyDown(document.body, { key });
  }
  expect(approve).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2_500);
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(approve).toHaveBeenCalledTimes(1);
});

test.each(['Enter', 'Escape'])('who leaves a field by %s has all keys at once', (key) => {
  const { rerender, getByLabelText } = render(<Page asks />);
  fireEvent.keyDown(getByLabelText('Reason'), { key: 'e' });
  fireEvent.keyDown(getByLabelText('Reason'), { key });
  rerender(<Page asks={false} />);
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(approve).toHaveBeenCalledTimes(1);
});

test('and so has who clicks elsewhere', () => {
  const { rerender, getByLabelText } = render(<Page asks />);
  fireEvent.keyDown(getByLabelText('Reason'), { key: 'e' });
  rerender(<Page asks={false} />);
  fireEvent.pointerDown(document.body);
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(approve).toHaveBeenCalledTimes(1);
});
