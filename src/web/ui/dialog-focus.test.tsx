import { TextInput } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { showPage } from '../../../test/show-page.tsx';
import { Dialog } from './dialog.tsx';
import { useDialogFocus } from './dialog-focus.ts';
import { useShortcuts } from './shortcuts.ts';

/** A dialog without content that is still closing. */
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

function Rooms() {
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState('');
  useShortcuts([{ key: 'c', label: 'New room', scope: 'Rooms', run: () => setOpened(true) }]);
  return (
    <>
      <h1>Rooms</h1>
      <Dialog opened={opened} title="New room" onClose={() => setOpened(false)}>
        <TextInput label="Name" data-autofocus value={name} onChange={(event) => setName(event.currentTarget.value)} />
      </Dialog>
    </>
  );
}

test('what is typed right after the key that opens a dialog goes to its first field', async () => {
  const user = await showPage(<Rooms />);
  await screen.findByRole('heading', { name: 'Rooms' });
  for (const key of ['c', 'A', 't', 'x', 'Backspace', 't']) fireEvent.keyDown(document.body, { key });
  const field = (await screen.findByRole('textbox', { name: 'Name' })) as HTMLInputElement;
  await expect.poll(() => field.value).toBe('Att');
  await user.keyboard('ic');
  expect(field.value).toBe('Attic');
});

test('Tab selects the text of a field in a dialog, as it does on a page', async () => {
  const user = await showPage(
    <Dialog opened title="Room" onClose={() => {}}>
      <TextInput label="Name" data-autofocus />
      <TextInput label="Floor" defaultValue="Third" />
    </Dialog>,
  );
  const floor = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Floor' });
  await user.click(floor);
  await user.click(screen.getByRole('textbox', { name: 'Name' }));
  await user.tab();
  expect(document.activeElement).toBe(floor);
  expect([floor.selectionStart, floor.selectionEnd]).toEqual([0, 5]);
});
