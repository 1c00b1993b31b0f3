import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useDialogFocus } from './dialog-focus.ts';

/** A dialog that has let its content go and is still on its way out. */
function Leaving({ opened }: { opened: boolean }) {
  const content = useDialogFocus(opened, () => true);
  return (
    <>
      <button type="button">Opener</button>
      <div ref={content} tabIndex={-1} role="dialog">
        {opened && <button type="button">Done</button>}
      </div>
    </>
  );
}

test('a look after the focus that comes late does not take it into a dialog that is closing', async () => {
  const frames = new Map<number, () => void>();
  let asked = 0;
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.set(++asked, run) && asked);
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id));
  const { rerender, unmount } = render(<Leaving opened={false} />);
  screen.getByText('Opener').focus();
  rerender(<Leaving opened />);
  screen.getByText('Done').focus();
  document.body.append(document.createElement('p'));
  await expect.poll(() => frames.size).toBe(1);
  rerender(<Leaving opened={false} />);
  for (const run of frames.values()) run();
  await expect.poll(() => document.activeElement?.textContent).toBe('Opener');
  unmount();
  vi.unstubAllGlobals();
});
