import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useModal } from './dialog.tsx';
import { listenForShortcuts, uncoverShortcuts, useShortcuts } from './shortcuts.ts';

const approve = vi.fn();
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  stop = listenForShortcuts();
});
afterEach(() => {
  cleanup();
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

function Panel() {
  useShortcuts([{ key: 'a', label: 'Add a file', scope: 'Dialog: task', run: addFile }]);
  return <div role="dialog" aria-modal="true" aria-label="Task" />;
}
const addFile = vi.fn();

test('the page has its keys while a panel closes, and the panel has them until then', () => {
  const { getByRole } = render(
    <>
      <Panel />
      <Page asks={false} />
    </>,
  );
  fireEvent.keyDown(document.body, { key: 'a' });
  expect([addFile.mock.calls.length, approve.mock.calls.length]).toEqual([1, 0]);
  uncoverShortcuts(getByRole('dialog'));
  fireEvent.keyDown(document.body, { key: 'a' });
  expect([addFile.mock.calls.length, approve.mock.calls.length]).toEqual([1, 1]);
});

function Drawer({ opened }: { readonly opened: boolean }) {
  const { close, content } = useModal(opened, () => {});
  return (
    <div ref={content} role="dialog" aria-modal="true" aria-label="Drawer" tabIndex={-1}>
      <button type="button" onClick={close}>
        Close
      </button>
    </div>
  );
}

test.each([true, false])('the page has its keys while a drawer closes, by its button: %s', (byButton) => {
  const parts = (opened: boolean) => (
    <>
      <Drawer opened={opened} />
      <Page asks={false} />
    </>
  );
  const { rerender } = render(parts(true));
  // A form that was sent closes it without the button.
  if (byButton) fireEvent.click(screen.getByText('Close'));
  rerender(parts(false));
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(approve).toHaveBeenCalledTimes(1);
  rerender(parts(true));
  // It opened again while it is still seen closing.
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(approve).toHaveBeenCalledTimes(1);
});
