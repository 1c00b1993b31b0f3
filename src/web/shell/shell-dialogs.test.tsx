import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Dialog, useLoss } from '#web/ui/dialog.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { SidePanel } from '#web/ui/side-panel.tsx';
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

const repeat = vi.fn();

function Typed() {
  useLoss('typed', () => true);
  useShortcuts([{ key: 'r', label: 'Repeat', scope: 'Dialog: task', run: repeat }]);
  return <button type="button">Status</button>;
}

async function openAbovePanel(): Promise<HTMLInputElement> {
  await showPage(
    <>
      <SidePanel opened inAddress title="Task" onClose={() => {}}>
        <Typed />
      </SidePanel>
      <Page />
    </>,
    { viewer: viewerWith('VIEW_DASHBOARD') },
  );
  await screen.findByRole('dialog', { name: 'Task' });
  repeat.mockClear();
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  for (const key of 'mark') fireEvent.keyDown(document.body, { key });
  return screen.findByRole('combobox');
}

test('Ctrl+K opens the search above a panel, and what is typed next never reaches the panel', async () => {
  const field = await openAbovePanel();
  await expect.poll(() => field.value).toBe('mark');
  expect(repeat).not.toHaveBeenCalled();
});

test('what leads away from a panel asks about unsaved text first, and a theme doesn’t', async () => {
  const field = await openAbovePanel();
  fireEvent.change(field, { target: { value: 'dark theme' } });
  fireEvent.click(await screen.findByRole('option', { name: /dark theme/ }));
  expect(screen.queryByText('Discard your changes?')).toBeNull();
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  fireEvent.click(await screen.findByRole('option', { name: 'Sign out' }));
  await screen.findByText('Discard your changes?');
});

test('a question that needs an answer keeps the search closed, and the text after Ctrl+K answers nothing', async () => {
  await showPage(
    <>
      <Dialog opened closable={false} title="Save your codes" onClose={() => {}}>
        <Typed />
      </Dialog>
      <Page />
    </>,
    { viewer: viewerWith('VIEW_DASHBOARD') },
  );
  await screen.findByRole('dialog', { name: 'Save your codes' });
  repeat.mockClear();
  const button = screen.getByRole('button', { name: 'Status' });
  button.focus();
  fireEvent.keyDown(button, { key: 'k', ctrlKey: true });
  expect(fireEvent.keyDown(button, { key: 'r' })).toBe(false);
  expect(fireEvent.keyDown(button, { key: 'Enter' })).toBe(false);
  expect(repeat).not.toHaveBeenCalled();
  expect(screen.queryByRole('combobox')).toBeNull();
});
