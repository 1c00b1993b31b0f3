import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { showPage, viewerWith } from '../../../test/show-page.tsx';
import { ShellDialogs } from './shell-dialogs.tsx';

const approve = vi.fn();

function Page({ viewer = viewerWith('VIEW_DASHBOARD') }) {
  useShortcuts([{ key: 'a', label: 'Approve', scope: 'Approvals', run: approve }]);
  return (
    <>
      <h1>Approvals</h1>
      <ShellDialogs viewer={viewer} onToggleDrawer={null} />
    </>
  );
}

async function open(viewer = viewerWith('VIEW_DASHBOARD'), answers = {}): Promise<void> {
  approve.mockClear();
  await showPage(<Page viewer={viewer} />, { viewer, answers });
  await screen.findByRole('heading', { name: 'Approvals' });
}

test('Esc closes the search before it is there', async () => {
  await open();
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
  // On a slow machine the search may be there already.
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  // The keys go back to the page once the search has let go of them.
  const presses = () => {
    fireEvent.keyDown(document.body, { key: 'a' });
    return approve.mock.calls.length;
  };
  await expect.poll(presses).toBeGreaterThan(0);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('what is typed after Ctrl+K goes to the search and decides nothing, also while the search loads', async () => {
  await open();
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  for (const key of ['a', 'i', 's', 'x', 'Backspace', 'h', 'a', 'Enter']) fireEvent.keyDown(document.body, { key });
  const field = await screen.findByRole('combobox');
  await expect.poll(() => (field as HTMLInputElement).value).toBe('aisha');
  expect(approve).not.toHaveBeenCalled();
});

test('no key reaches the page while the list of shortcuts loads', async () => {
  await open();
  fireEvent.keyDown(document.body, { key: '?' });
  fireEvent.keyDown(document.body, { key: 'a' });
  await screen.findByRole('dialog');
  expect(approve).not.toHaveBeenCalled();
});

test('the search offers a new task to people who may plan one', async () => {
  const newTask = async (approverIds: string[]) => {
    const viewer = { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'), role: 'Staff', approverIds };
    await open(viewer, { PaletteTasks: () => ({ getTasks: [] }) });
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await screen.findByRole('option', { name: 'Show keyboard shortcuts' });
    const offered = screen.queryByRole('option', { name: 'New task' }) !== null;
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    cleanup();
    return offered;
  };
  expect(await newTask([])).toBe(false);
  expect(await newTask(['marcus'])).toBe(true);
});
