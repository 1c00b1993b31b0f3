import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useModal } from './dialog.tsx';
import { listenForShortcuts, uncoverShortcuts, useShortcuts } from './shortcuts.ts';

const approve = vi.fn();
const undo = vi.fn();
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  stop = listenForShortcuts();
});
afterEach(() => {
  cleanup();
  stop();
  approve.mockClear();
  undo.mockClear();
  vi.useRealTimers();
});

function Page({ asks }: { readonly asks: boolean }) {
  useShortcuts([
    { key: 'a', label: 'Approve', scope: 'Approvals', run: approve },
    { key: 'z', label: 'Decide', scope: 'Approvals', decides: true, run: approve },
    { key: 'u', label: 'Undo', scope: 'Everywhere', undoes: true, run: undo },
  ]);
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

test('and so has who goes Back in the browser, which closes the field', () => {
  const { rerender, getByLabelText } = render(<Page asks />);
  fireEvent.keyDown(getByLabelText('Reason'), { key: 'e' });
  fireEvent.popState(window);
  rerender(<Page asks={false} />);
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

const press = (keys: string, at: Element = document.body) => {
  for (const key of keys) {
    fireEvent.keyDown(at, { key });
    vi.advanceTimersByTime(120);
  }
};

test.each(['Title', 'Drawer'])('the rest of a text runs no shortcuts once its dialog closes, from the %s', (place) => {
  const parts = (opened: boolean) => (
    <>
      <Drawer opened={opened} />
      <Page asks={false} />
    </>
  );
  const { rerender } = render(parts(true));
  const dialog = screen.getByRole('dialog');
  // With the focus on the dialog itself, as after a press of its button, nothing takes the letters.
  const target = place === 'Title' ? dialog.appendChild(document.createElement('input')) : dialog;
  press('b', target);
  rerender(parts(false));
  // The dialog is still drawn.
  expect(dialog.isConnected).toBe(true);
  press('ua');
  vi.advanceTimersByTime(700);
  press('a');
  expect([approve.mock.calls.length, undo.mock.calls.length]).toEqual([0, 0]);
  vi.advanceTimersByTime(2_500);
  rerender(<Page asks={false} />);
  press('a');
  expect(approve).toHaveBeenCalledTimes(1);
});

test('a dialog that closes doesn’t keep the focus in its field', () => {
  const { rerender } = render(<Drawer opened />);
  const field = screen.getByRole('dialog').appendChild(document.createElement('input'));
  field.focus();
  rerender(<Drawer opened={false} />);
  expect(document.activeElement).toBe(document.body);
});

test('Esc leaves a dialog that ignored a letter, and the page has its keys at once', () => {
  const parts = (opened: boolean) => (
    <>
      <Drawer opened={opened} />
      <Page asks={false} />
    </>
  );
  const { rerender } = render(parts(true));
  press('b', screen.getByRole('dialog'));
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  rerender(parts(false));
  press('a');
  expect(approve).toHaveBeenCalledTimes(1);
});

test('the letters behind one that is no shortcut are a word, until a pause', () => {
  render(<Page asks={false} />);
  press('budget a');
  expect([approve.mock.calls.length, undo.mock.calls.length]).toEqual([0, 0]);
  vi.advanceTimersByTime(600);
  press('au');
  expect([approve.mock.calls.length, undo.mock.calls.length]).toEqual([1, 1]);
});

/** Shows the page right after a text was sent. */
function renderAfterText() {
  const { rerender, getByLabelText } = render(<Page asks />);
  const send = () => {
    rerender(<Page asks />);
    press('e', getByLabelText('Reason'));
    fireEvent.keyDown(getByLabelText('Reason'), { key: 'Enter' });
    rerender(<Page asks={false} />);
  };
  send();
  return send;
}

test.each(['a click', 'ArrowDown', 'Escape', 'a long pause'])(
  'a key that decides is not taken in a sentence that no field took, until %s',
  (end) => {
    render(<Page asks={false} />);
    for (const key of ['n', 'o', 't', 'z', 'Shift', 'z']) {
      fireEvent.keyDown(document.body, { key });
      vi.advanceTimersByTime(key === 't' || key === 'z' ? 700 : 100);
    }
    expect(approve).not.toHaveBeenCalled();
    if (end === 'a click') fireEvent.pointerDown(document.body);
    else if (end === 'a long pause') vi.advanceTimersByTime(4_500);
    else fireEvent.keyDown(document.body, { key: end });
    fireEvent.keyDown(document.body, { key: 'z' });
    expect(approve).toHaveBeenCalledTimes(1);
  },
);

test('U right after a text undoes only if no letter follows', () => {
  const send = renderAfterText();
  press('update a');
  vi.advanceTimersByTime(1_000);
  expect([approve.mock.calls.length, undo.mock.calls.length]).toEqual([0, 0]);
  send();
  press('u');
  vi.advanceTimersByTime(1_000);
  expect(undo).toHaveBeenCalledTimes(1);
});

test('Space still presses controls and scrolls, however fast it comes again', () => {
  const { container } = render(<Page asks={false} />);
  const boxes = [0, 1].map(() => container.appendChild(document.createElement('button')));
  expect(boxes.map((box) => fireEvent.keyDown(box, { key: ' ' }))).toEqual([true, true]);
  expect([1, 2].map(() => fireEvent.keyDown(document.body, { key: ' ' }))).toEqual([true, true]);
  // It isn't the start of a word either.
  press('a');
  expect(approve).toHaveBeenCalledTimes(1);
});

test('Space in a word keeps the word together, and still scrolls', () => {
  render(<Page asks={false} />);
  press('b');
  expect(fireEvent.keyDown(document.body, { key: ' ' })).toBe(true);
  vi.advanceTimersByTime(400);
  press('a');
  expect(approve).not.toHaveBeenCalled();
});

test('who closes a dialog by Space on its button has all keys at once', () => {
  const parts = (opened: boolean) => (
    <>
      <Drawer opened={opened} />
      <Page asks={false} />
    </>
  );
  const { rerender } = render(parts(true));
  press(' ', screen.getByText('Close'));
  rerender(parts(false));
  press('a');
  expect(approve).toHaveBeenCalledTimes(1);
});

test('a second U right after a text undoes at once, and only once', () => {
  renderAfterText();
  press('uu');
  expect(undo).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(undo).toHaveBeenCalledTimes(1);
});

test.each([0, 3_000])('a U that is held undoes once, %i ms after a text', (pause) => {
  renderAfterText();
  vi.advanceTimersByTime(pause);
  press('u');
  for (let times = 0; times < 40; times += 1) {
    vi.advanceTimersByTime(50);
    fireEvent.keyDown(document.body, { key: 'u', repeat: true });
  }
  expect(undo).toHaveBeenCalledTimes(1);
});
